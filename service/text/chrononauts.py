"""The table of Chrononauts as text, and its events in words."""

from typing import Any

from domain.engine.codec import type_of
from domain.engine.events import Event
from domain.engine.ids import CardId
from domain.engine.match import Match
from domain.games.chrononauts import events as e
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.view import ChrononautsBoard, ChrononautsSeat, PointView, view
from service.text.frame import grid, listed, pair
from service.text.places import heading
from service.text.words import Words

CELL = 8
ROW = 8
LABEL = 20


def lay_out(match: Match[Board], words: Words) -> list[str]:
    """Return the lines of the table: TimeLine, plays under way, seats, piles."""
    # The match is redacted already; to its own viewer everything left in it is open.
    table = view(match, "all")
    comma = words.say("comma")
    lines = [words.say("turn", turns=table.turns, seat=words.seat(table.turn)), ""]
    if table.variant != "artifaxx":
        lines += [*_timeline(table, words), ""]
    for play in table.plays:
        values = {"seat": words.seat(play.seat), "card": words.card(play.card)}
        targets = words.join(_target(target.split(": ")[1], words) for target in play.targets)
        said = words.say("play_at" if targets else "play", **values, targets=targets)
        lines += listed(words.say("under_way"), (said,), comma, 0, LABEL)
    for one in table.seats:
        lines += _seat(one, table, match, words)
    for label, cards in (("waiting_home", table.waiting), ("at_home", table.home)):
        if cards:
            names = [_identity(card, match.board, words) for card in cards]
            lines += listed(words.say(label), names, words.say("between_cards"), 0, LABEL)
    return [
        *lines,
        *listed(words.say("piles"), _piles(table, words), words.say("between_cards"), 0, LABEL),
    ]


def _timeline(table: ChrononautsBoard, words: Words) -> list[str]:
    limit, count = table.paradox_limit, table.open_paradoxes
    key = "paradoxes" if limit else "paradoxes_unlimited"
    paradoxes = words.say(key, open=count, limit=limit)
    cells = [_point(point, words) for point in table.timeline]
    rows = [cells[at : at + ROW] for at in range(0, len(cells), ROW)]
    drawn = grid(rows, CELL)
    title = pair(words.say("timeline"), paradoxes, len(drawn[0]))
    lines = [*title, *drawn, words.say("legend")]
    patches = [words.card(point.patch) for point in table.timeline if point.patch is not None]
    for number, patch in enumerate(patches):
        label = words.say("patches") if number == 0 else ""
        lines += listed(label, (patch,), "", 0, LABEL)
    return lines


def _point(point: PointView, words: Words) -> tuple[str, str]:
    kind = "*" if point.kind == "linchpin" else " "
    reach = "" if point.reachable else " x"
    return f"{kind}{point.year}{reach}", f" {words.say(f'shows_{point.shows}')}"


def _seat(
    one: ChrononautsSeat, table: ChrononautsBoard, match: Match[Board], words: Words
) -> list[str]:
    lines = heading(match, one.seat, one.seat == table.turn, words, LABEL)
    nothing = (words.say("nothing"),)

    def add(label: str, parts: tuple[str, ...]) -> None:
        between = words.say("between_cards")
        lines.extend(listed(label, parts or nothing, between, 2, LABEL - 2))

    add(words.say("hand", count=one.hand_size), words.cards(one.hand))
    for hand in one.small_hands:
        add(words.say("small_hand", count=len(hand)), words.cards(hand))
    for label, zone in (("identity", one.identity), ("missions", one.mission)):
        for card in zone:
            shown = label.removesuffix("s") in one.shown
            name = words.cards(zone)[0] if card is None else _identity(card, match.board, words)
            add(words.say(label), (f"{name} ({words.say('shown')})" if shown else name,))
    add(words.say("artifacts"), words.cards(one.artifacts))
    return lines


def _identity(card: CardId, board: Board, words: Words) -> str:
    """Name a character with the years of its home; a mission is only named."""
    identity = board.cards.identities.get(card)
    return words.card(card) if identity is None else f"{words.card(card)} [{identity.years}]"


def _piles(table: ChrononautsBoard, words: Words) -> list[str]:
    count = len(table.discards)
    top = words.card(table.discards[-1]) if count else ""
    parts = [
        words.say("pile_draw", count=table.draw_pile),
        words.say("pile_top" if count else "pile_discards", count=count, card=top),
    ]
    secrets = (
        ("pile_identity", table.identity_pile, table.identity_discards),
        ("pile_mission", table.mission_pile, table.mission_discards),
    )
    for key, left, discards in secrets:
        if left or discards:
            parts.append(words.say(key, count=left, discards=len(discards)))
    return parts


def _target(target: str, words: Words) -> str:
    """Name what a card is aimed at: a linchpin, a seat, a direction or an artifact."""
    if target.isdigit():
        return words.say("year", year=target)
    if target.startswith("seat:"):
        return words.seat(int(target.removeprefix("seat:")))
    key = f"pick_{target}"
    return words.say(key) if words.knows(key) else words.card(target)


def tell(event: Event, words: Words) -> str:
    """Say what happened."""
    name, _ = type_of(event)
    variant, values = _said(event, words)
    for field in ("seat", "owner"):
        seat = getattr(event, field, None)
        if seat is not None:
            values[field] = words.seat(seat)
    if isinstance(card := getattr(event, "card", None), str):
        values["card"] = words.card(card)
    return words.say(name + variant, **values)


def _said(event: Event, words: Words) -> tuple[str, dict[str, Any]]:
    """Return which variant of the phrase an event takes, and what fills its gaps."""
    match event:
        case e.SetUp():
            return "", {"seat": words.seat(event.turn)}
        case e.CardsDrawn():
            return "_small" if event.small else "", {"cards": words.join_cards(event.cards)}
        case e.DrawPileShuffled():
            return "_discards" if event.discards else "", {}
        case e.CardPlayed():
            targets = words.join(_target(target, words) for target in event.targets.values())
            return "_at" if targets else "", {"targets": targets}
        case e.PlayEnded():
            return "_cancelled" if event.cancelled else f"_{event.to}", {}
        case e.LinchpinTurned():
            return f"_{event.side}", {"year": event.year}
        case e.PointPatched():
            return "", {"year": event.year}
        case e.HandsMoved():
            return f"_{event.how}", {}
        case e.SecretReplaced():
            return "", {"card": words.card(event.shown)}
        case e.SecretsShuffled():
            return f"_{event.which}", {}
        case e.UniverseDestroyed():
            return "", {"count": len(event.open)}
        case e.VictoryClaimed():
            return "", {"ways": words.reasons(event.ways)}
        case _:
            return "", {}


def name_pick(pick: str, words: Words) -> str:
    """Name an option that was picked."""
    if pick.isdigit():
        return words.say("year", year=pick)
    verb, _, card = pick.partition(":")
    key = f"pick_{verb}"
    return words.say(key, card=words.card(card)) if words.knows(key) else words.card(pick)
