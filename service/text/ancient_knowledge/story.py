"""What happens in Ancient Knowledge, and what was picked, in words."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from domain.engine.codec import type_of
from domain.engine.events import Event
from domain.engine.ids import CardId
from domain.engine.zones import Zone
from domain.games.ancient_knowledge import events as e
from service.text.words import Words


def tell(event: Event, words: Words) -> str:
    """Say what happened."""
    name, _ = type_of(event)
    variant, values = _said(event, words)
    for field in ("seat", "giver", "victim", "looker"):
        seat = getattr(event, field, None)
        if seat is not None:
            values[field] = words.seat(seat)
    return words.say(name + variant, **values)


def _said(event: Event, words: Words) -> tuple[str, dict[str, Any]]:
    """Return which variant of the phrase an event takes, and what fills its gaps."""
    match event:
        case e.SetUp():
            return "", {"seat": words.seat(event.start)}
        case e.ActionTaken():
            return f"_{event.action}", {}
        case e.DeckShuffled():
            return "", {"count": len(event.cards)}
        case e.CardsDiscarded():
            # Cards are discarded one by one, and only the last one shows.
            return "_more" if len(event.cards) > 1 else "", {"cards": _zone(event.cards, words)}
        case e.MonumentCreated():
            return "", {
                "card": _card(event.card, words),
                "space": event.space,
                "knowledge": event.knowledge,
            }
        case e.ArtifactCreated():
            return "_aside" if event.aside else "", {"card": _card(event.card, words)}
        case e.KnowledgeRemoved():
            return "", {"tokens": words.join(_from(*one, words) for one in event.tokens.items())}
        case e.KnowledgeAdded():
            values = {"card": _card(event.card, words), "tokens": event.tokens}
            return "" if event.giver is None else "_given", values
        case e.LostReduced():
            return "", {"tokens": event.tokens}
        case e.MonumentMoved():
            return "", {"card": _card(event.card, words), "space": event.space}
        case e.MonumentsSwapped():
            return "", {"one": _card(event.one, words), "other": _card(event.other, words)}
        case e.MonumentDeclined():
            return "", {"card": _card(event.card, words), "lost": event.lost}
        case _:
            return _cards_said(event, words)


def _cards_said(event: Event, words: Words) -> tuple[str, dict[str, Any]]:
    """Go on with the events that say little more than which cards went where."""
    match event:
        case e.TechnologyLearned():
            variant = "_aside" if event.tile is None else ""
            return variant, {"card": _card(event.card, words), "tile": event.tile}
        case e.TileRefilled() | e.TileFlipped():
            return "_discarding" if event.discarded else "", {
                "tile": event.tile,
                "discarded": _zone(event.discarded, words),
                "dealt": _zone(event.dealt, words),
            }
        case e.TechDeckShuffled():
            return "", {"level": words.say(f"level_{event.level}")}
        case e.TechnologyBottomed():
            card = _card(event.card, words, "a_technology")
            return "", {"card": card, "level": words.say(f"level_{event.level}")}
        case e.CardsSetAside():
            deck = words.say("builder_deck" if event.deck == "builder" else "technology_deck_2")
            variant = "_open" if event.public else ""
            return variant, {"cards": _zone(event.cards, words), "deck": deck}
        case e.AsideClosed():
            return "" if event.cards else "_empty", {"cards": _zone(event.cards, words)}
        case (
            e.HandKept()
            | e.CardsDrawn()
            | e.HandLookedAt()
            | e.MonumentsRotated()
            | e.MonumentsStraightened()
        ):
            return "", {"cards": _zone(event.cards, words)}
        case (
            e.ArtifactDiscarded()
            | e.MonumentDiscarded()
            | e.CardTaken()
            | e.CardStolen()
            | e.MonumentDeclining()
        ):
            return "", {"card": _card(event.card, words)}
        case _:
            return "", {}


def _card(card: CardId | None, words: Words, unseen: str = "a_card") -> str:
    return words.say(unseen) if card is None else words.say("named", card=words.card(card))


def _zone(zone: Zone, words: Words) -> str:
    """List cards in their order; those lying face down together are counted."""
    return words.join(_parts(zone, words)) or words.say("nothing")


def _parts(zone: Zone, words: Words) -> Iterable[str]:
    for card, run in groupby(zone):
        count = len(tuple(run))
        if card is None and count > 1:
            yield words.say("some_cards", count=count)
        else:
            yield _card(card, words)


def _from(card: CardId, tokens: int, words: Words) -> str:
    return words.say("tokens_from", tokens=tokens, card=_card(card, words))


def name_pick(pick: str, words: Words) -> str:
    """Name an option that was picked; `domain.games.ancient_knowledge.offers` spells them."""
    if words.knows(f"pick_{pick}"):
        return words.say(f"pick_{pick}")
    verb, _, rest = pick.partition(":")
    match verb:
        case "create" | "learn":
            return words.say(f"pick_{verb}", thing=_thing(rest, words))
        case "tile":
            return words.say("pick_tile", tile=rest)
        case _:
            return _thing(pick, words)


def _thing(pick: str, words: Words) -> str:
    """Name a card, with the space that it goes to or the tokens that leave it or come to it."""
    for sign, key in (("@", "pick_place"), (">", "pick_move")):
        card, found, space = pick.partition(sign)
        if found:
            return words.say(key, card=_card(card, words), space=space)
    card, found, tokens = pick.partition(":")
    if found:
        return _from(card, int(tokens), words)
    if "/" in pick:
        seat, card, tokens = pick.split("/")
        values = {"seat": words.seat(int(seat)), "card": _card(card, words)}
        return words.say("pick_give", tokens=tokens, **values)
    return _card(pick, words)
