"""One fact to compare, and how sure it is, in the words of both sides."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from schema.types import CardInfo

Confidence = Literal["confirmed", "likely", "unknown"]
PROVENANCE: Mapping[Confidence, str | None] = {
    "confirmed": None,
    "likely": "likely",
    "unknown": "stand-in",
}


class Fact(NamedTuple):
    """One thing to compare: what it is of, what the folder says, what the catalogue says."""

    of: str
    wanted: object
    found: object


def weakest(*sure: Confidence) -> Confidence:
    """Return the least sure of several."""
    return max(sure, key=list(PROVENANCE).index)


def facts_of(card: CardInfo, wanted: Mapping[str, object]) -> Iterator[Fact]:
    """Every fact of the card, and that it has no other."""
    yield Fact(f"{card.id} facts", sorted(wanted), sorted(card.facts))
    for name, value in wanted.items():
        yield Fact(f"{card.id} {name}", value, card.facts.get(name))


def provenance_of(card: CardInfo, sure: Mapping[str, Confidence]) -> Iterator[Fact]:
    """How sure each fact is, where it is not confirmed."""
    wanted = {name: PROVENANCE[how] for name, how in sure.items() if PROVENANCE[how]}
    yield Fact(f"{card.id} provenance", wanted, dict(card.provenance))
