"""Every card as the public catalogue shows it, in catalogue order.

Facts are named and written as an operator replaces them (`catalogue.py`); what several words make
up is a list. `turns` and `requires` are empty where a card names no linchpin.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from domain.engine.effects import to_data
from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.engine.game import PublishedCard
from domain.engine.ids import Json
from domain.games.chrononauts.cards.timeline import POINTS
from domain.games.chrononauts.catalogue import Catalogue, catalogue, to_sides
from domain.games.chrononauts.words import Identity, Kind, Mission, NewSecret, PlayCard, Point

_LINCHPINS = frozenset(point.year for point in POINTS if point.linchpin)


@lru_cache(maxsize=64)
def published(facts: tuple[Fact, ...] = ()) -> tuple[PublishedCard, ...]:
    """Return every card with these facts replaced: 32 points, 80 play cards in kinds, 24 secrets.

    Raises:
        InvalidOptions: no such card or fact, a value that cannot be read, or one that no match
            could be played with.
    """
    cards = catalogue(facts)
    _check_sides(cards)
    _check_deck(cards)
    return (
        *(_point(point) for point in POINTS),
        *(_play_card(card) for card in cards.play.values()),
        *(_identity(card) for card in cards.identities.values()),
        *(_mission(card) for card in cards.missions.values()),
    )


def _point(point: Point) -> PublishedCard:
    facts: dict[str, Json] = {"year": point.year, "index": point.index}
    if point.linchpin:
        facts["ripples"] = [one.year for one in POINTS if point.year in one.hangs_on]
    else:
        facts |= {"hangsOn": list(point.hangs_on), "condition": point.condition}
    kind = "linchpin" if point.linchpin else "ripplepoint"
    return _card(str(point.year), kind, facts, point.provenance)


def _play_card(card: PlayCard) -> PublishedCard:
    return PublishedCard(
        id=card.id,
        kind=card.kind.value,
        count=card.count,
        facts=dict(_play_facts(card)),
        effects={
            "targets": to_data(card.targets),
            "needs": to_data(card.needs),
            "does": to_data(card.does),
        },
        provenance=dict(card.provenance),
    )


def _play_facts(card: PlayCard) -> Iterator[tuple[str, Json]]:
    match card.kind:
        case Kind.INVERTER:
            yield "turns", card.turns
            yield "toward", card.toward
        case Kind.PATCH:
            yield "year", card.year
            yield "requires", card.requires
        case Kind.ARTIFACT:
            yield "family", card.family
            yield "requires", card.requires
            if card.rank:
                yield "rank", card.rank
        case Kind.ACTION:
            yield "bonus", list(card.bonus)
        case Kind.TIMEWARP:
            yield "outOfTurn", card.out_of_turn


def _identity(card: Identity) -> PublishedCard:
    return _card(card.id, "identity", {"years": card.years}, card.provenance)


def _mission(card: Mission) -> PublishedCard:
    facts: dict[str, Json] = {"slots": list(card.slots), "needs": card.needs}
    return _card(card.id, "mission", facts, card.provenance)


def _card(
    id: str, kind: str, facts: dict[str, Json], provenance: Mapping[str, str]
) -> PublishedCard:
    return PublishedCard(
        id=id, kind=kind, count=1, facts=facts, effects={}, provenance=dict(provenance)
    )


def _check_sides(cards: Catalogue) -> None:
    """Refuse sides that an inverter cannot turn to, and conditions that can never hold."""
    for card in cards.play.values():
        for name, text in (("turns", card.turns), ("requires", card.requires)):
            years = [year for year, _ in to_sides(text)]
            # An artifact may also ask for a patch or a true ripplepoint.
            if card.kind is not Kind.ARTIFACT and not set(years) <= _LINCHPINS:
                raise InvalidOptions(f"facts: {card.id} {name}: name linchpins only")
            if len(set(years)) < len(years):
                raise InvalidOptions(f"facts: {card.id} {name}: name each year once")
    for home in cards.identities.values():
        if len({year for year, _ in to_sides(home.years)}) < 3:
            raise InvalidOptions(f"facts: {home.id} years: name each year once")


def _check_deck(cards: Catalogue) -> None:
    """Refuse a deck in which nothing can change, or of which every card can come to lie.

    Patches and artifacts stay on the table. Were there nothing else in the deck, a match could
    reach a state in which nobody has a card to choose with.
    """
    if not cards.deck((Kind.INVERTER,)):
        raise InvalidOptions("facts: keep at least one inverter, or no year ever changes")
    returning = (
        card
        for card in cards.deck((Kind.ACTION, Kind.TIMEWARP))
        if NewSecret("identity") not in cards.play[card].does
    )
    if not any(returning):
        raise InvalidOptions(
            "facts: keep at least one action or timewarp that artifaxx plays with, "
            "or its deck runs out for good"
        )
