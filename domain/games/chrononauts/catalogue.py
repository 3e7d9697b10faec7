"""All cards of one match by id: the built-in ones, with the facts that an operator replaced.

A fact is replaced by name, its value written as in the card modules: `count` of a play card (`3`),
`turns` of an inverter (`1912' 1915'`), `requires` of a patch, `family`, `bonus` (families), `years`
of an identity, `slots` and `needs` of a mission. The replaced facts stand in the first event of a
match, so a log needs no file beside it.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.engine.ids import CardId
from domain.games.chrononauts.cards.actions import ACTIONS
from domain.games.chrononauts.cards.artifacts import ARTIFACTS
from domain.games.chrononauts.cards.identities import IDENTITIES
from domain.games.chrononauts.cards.inverters import INVERTERS
from domain.games.chrononauts.cards.missions import MISSIONS
from domain.games.chrononauts.cards.patches import PATCHES
from domain.games.chrononauts.cards.timeline import POINTS
from domain.games.chrononauts.cards.timewarps import TIMEWARPS
from domain.games.chrononauts.words import Identity, Kind, Mission, PlayCard, Year

OPERATOR = "operator"
"""The provenance of a fact that an operator replaced."""


class Catalogue(Struct, frozen=True, eq=False, gc=False):
    """Every card of a match by id, in catalogue order."""

    play: Mapping[CardId, PlayCard]
    identities: Mapping[CardId, Identity]
    missions: Mapping[CardId, Mission]

    def deck(self, kinds: tuple[Kind, ...]) -> tuple[CardId, ...]:
        """Return every copy of the play cards of these kinds, in catalogue order."""
        return tuple(
            card.id for card in self.play.values() if card.kind in kinds for _ in range(card.count)
        )


def to_sides(text: str) -> tuple[tuple[Year, bool], ...]:
    """Return years and whether each is primed: `1912' 1936` gives `(1912, True), (1936, False)`.

    Raises:
        ValueError: a word is no year of the TimeLine.
    """
    sides = []
    for word in text.split():
        year = _YEARS.get(word.removesuffix("'"))
        if year is None:
            raise ValueError(f"{word!r} is not on the TimeLine")
        sides.append((year, word.endswith("'")))
    return tuple(sides)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) > 80:
        raise ValueError("a count is a number from 0 to 80")
    return int(text)


def _sides(text: str) -> str:
    to_sides(text)
    return text


def _home(text: str) -> str:
    if len(to_sides(text)) != 3:
        raise ValueError("a home has three years")
    return text


def _slots(text: str) -> tuple[str, ...]:
    slots = tuple(text.split())
    known = {"mona-lisa", "forgery", *(card.id for card in ARTIFACTS)}
    if len(slots) not in (3, 4) or len(set(slots)) != len(slots) or not set(slots) <= known:
        raise ValueError(f"three or four different slots out of {', '.join(sorted(known))}")
    return slots


def _needs(text: str) -> int:
    if text != "3":
        raise ValueError("a mission needs three of its slots")
    return 3


def _word(text: str) -> str:
    if not text.strip():
        raise ValueError("a word is missing")
    return text.strip()


def _bonus(text: str) -> tuple[str, ...]:
    words = tuple(text.split())
    known = {card.id for card in ARTIFACTS} | {card.family for card in ARTIFACTS}
    if not set(words) <= known:
        raise ValueError(f"families and artifacts out of {', '.join(sorted(known))}")
    return words


# What may be replaced, and how its text is read; the values differ in type.
_PLAY: dict[Kind, dict[str, Callable[[str], Any]]] = {
    Kind.INVERTER: {"count": _count, "turns": _sides},
    Kind.PATCH: {"requires": _sides},
    Kind.ARTIFACT: {"family": _word, "requires": _sides},
    Kind.ACTION: {"count": _count, "bonus": _bonus},
    Kind.TIMEWARP: {"count": _count},
}
_IDENTITY: dict[str, Callable[[str], Any]] = {"years": _home}
_MISSION: dict[str, Callable[[str], Any]] = {"slots": _slots, "needs": _needs}

_YEARS: dict[str, Year] = {str(point.year): point.year for point in POINTS}


@lru_cache(maxsize=64)
def catalogue(facts: tuple[Fact, ...] = ()) -> Catalogue:
    """Return the catalogue with these facts replaced.

    Raises:
        InvalidOptions: no such card or fact, or a value that cannot be read.
    """
    play = {card.id: card for card in (*PATCHES, *INVERTERS, *ARTIFACTS, *TIMEWARPS, *ACTIONS)}
    identities = {card.id: card for card in IDENTITIES}
    missions = {card.id: card for card in MISSIONS}
    for fact in facts:
        if fact.card in play:
            play[fact.card] = _replaced(play[fact.card], _PLAY[play[fact.card].kind], fact)
        elif fact.card in identities:
            identities[fact.card] = _replaced(identities[fact.card], _IDENTITY, fact)
        elif fact.card in missions:
            missions[fact.card] = _replaced(missions[fact.card], _MISSION, fact)
        else:
            raise InvalidOptions(f"facts: there is no card {fact.card!r} to replace a fact of")
    return Catalogue(play, identities, missions)


def _replaced(card: Any, readers: Mapping[str, Callable[[str], Any]], fact: Fact) -> Any:
    if fact.name not in readers:
        raise InvalidOptions(
            f"facts: {fact.card} has no fact {fact.name!r} to replace", facts=sorted(readers)
        )
    try:
        value = readers[fact.name](fact.value)
    except ValueError as error:
        raise InvalidOptions(f"facts: {fact.card} {fact.name}: {error}") from None
    provenance = {**card.provenance, fact.name: OPERATOR}
    return replace(card, provenance=provenance, **{fact.name: value})
