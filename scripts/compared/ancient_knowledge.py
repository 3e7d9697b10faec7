"""Every fact of Ancient Knowledge to compare: what a folder of card files says, and the catalogue.

Effects and requirements are compared whole, node by node, in the effect vocabulary in which both
sides write them. A field that this module does not know is an error, so nothing in the files is
passed over but the wording: `effect_text`, `requirement_text` and `edge_cases`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from domain.engine.game import PublishedCard
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.publish import published, to_published
from domain.games.ancient_knowledge.words import BuilderCard, Technology
from scripts.compared.facts import Fact

R = TypeVar("R")


class Record(Struct, forbid_unknown_fields=True, kw_only=True):
    """What all files say of a card; `effect` is data in the effect vocabulary."""

    id: str
    number: int
    name: str
    kind: str
    timing: str
    effect: object
    effect_text: str
    edge_cases: list[str]


class ToldArtifact(Record):
    country: str
    cost: int
    starting_hand: int | None


class ToldMonument(ToldArtifact):
    category: str
    start_space: int
    locked: bool
    knowledge: int
    vp: int


class ToldTechnology(Record):
    tech_type: str
    level: int
    requirement: object
    requirement_text: str | None


MONUMENTS = ("monuments_city.json", "monuments_megalith_pyramid.json")


def ancient_knowledge(folder: Path) -> Iterator[Fact]:
    """Yield every fact of Ancient Knowledge."""
    monuments = [one for name in MONUMENTS for one in _read(folder / name, ToldMonument)]
    artifacts = _read(folder / "artifacts.json", ToldArtifact)
    technologies = _read(folder / "technologies.json", ToldTechnology)
    told: list[Record] = [*monuments, *artifacts, *technologies]
    yield Fact("cards", [one.id for one in told], [card.id for card in published()])
    for one in told:
        match one:
            case ToldArtifact() if one.id in BUILDER:
                yield from builder_card(one, BUILDER[one.id])
            case ToldTechnology() if one.id in TECHNOLOGY:
                yield from technology(one, TECHNOLOGY[one.id])
            case _:
                yield Fact(one.id, "a card", "none")
    yield from checksums(published())


def _read(path: Path, kind: type[R]) -> list[R]:
    return msgspec.json.decode(path.read_bytes(), type=list[kind])  # type: ignore[valid-type]  # a class known at run time


def builder_card(told: ToldArtifact, card: BuilderCard) -> Iterator[Fact]:
    """Yield every fact of a monument or an artifact."""
    wanted: dict[str, object] = {"cost": told.cost, "startingHand": told.starting_hand}
    family = told.kind
    if isinstance(told, ToldMonument):
        family = told.category
        wanted |= {
            "category": told.category,
            "space": told.start_space,
            "locked": told.locked,
            "knowledge": told.knowledge,
            "vp": told.vp,
        }
    else:
        printed = (card.category, card.space, card.locked, card.knowledge, card.vp)
        yield Fact(f"{told.id} facts of a monument", (None, 0, False, 0, 0), printed)
    yield Fact(f"{told.id} country", told.country, card.country)
    yield Fact(f"{told.id} kind in the rules", told.kind, card.kind)
    yield from _card(told, f"{family}_{told.number:02}", card, family, wanted)
    yield from nodes(f"{told.id} effects", {"does": told.effect}, to_published(card).effects)


def technology(told: ToldTechnology, card: Technology) -> Iterator[Fact]:
    """Yield every fact of a technology."""
    wanted = {"techType": told.tech_type, "level": told.level}
    yield from _card(told, f"tech_{told.number:02}", card, told.kind, wanted)
    effects = {"requirement": told.requirement, "does": told.effect}
    yield from nodes(f"{told.id} effects", effects, to_published(card).effects)


def nodes(of: str, wanted: object, found: object) -> Iterator[Fact]:
    """Yield every node of nested data, so that a difference is named where it is."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        yield Fact(f"{of} keys", sorted(wanted), sorted(found))
        for key in sorted(wanted.keys() & found.keys()):
            yield from nodes(f"{of}.{key}", wanted[key], found[key])
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        for index, pair in enumerate(zip(wanted, found, strict=True)):
            yield from nodes(f"{of}[{index}]", *pair)
    else:
        yield Fact(of, wanted, found)


def _card(
    told: Record,
    id: str,
    card: BuilderCard | Technology,
    kind: str,
    facts: Mapping[str, object],
) -> Iterator[Fact]:
    """Yield what all cards have, the facts, and that there is no other."""
    found = to_published(card)
    wanted = {**facts, "timing": told.timing}
    yield Fact(f"{told.id} id", id, found.id)
    yield Fact(f"{told.id} name", told.name, card.name)
    yield Fact(f"{told.id} kind", kind, found.kind)
    yield Fact(f"{told.id} count", 1, found.count)
    yield Fact(f"{told.id} facts", sorted(wanted), sorted(found.facts))
    for name, value in wanted.items():
        yield Fact(f"{told.id} {name}", value, found.facts.get(name))
    yield Fact(f"{told.id} provenance", {}, found.provenance)


LOCKED = "city_21 city_35 megalith_09 megalith_13 megalith_14 pyramid_10 pyramid_19 pyramid_20"
TECH_TYPES = ("ancient", "secret", "writing")


def checksums(cards: Iterable[PublishedCard]) -> Iterator[Fact]:
    """Yield the totals that the rules give for a data file (rules 2)."""
    technologies = [card for card in cards if card.kind == "technology"]
    artifacts = [card for card in cards if card.kind == "artifact"]
    monuments = [card for card in cards if card.kind not in ("technology", "artifact")]
    kinds = dict.fromkeys(("city", "megalith", "pyramid", "artifact"), 36) | {"technology": 45}
    yield Fact("kinds", kinds, dict(Counter(card.kind for card in cards)))
    yield from _monuments(monuments)
    yield Fact("artifact triggers", {"timeline": 20, "passive": 16}, _counted(artifacts, "timing"))
    costs = {"artifact_12": 3, "artifact_30": 1, "artifact_33": 3}
    yield Fact("artifact costs", costs, _told(artifacts, "cost"))
    hands = dict.fromkeys(range(1, 5), 6)
    yield Fact("starting hands", hands, _counted([*monuments, *artifacts], "startingHand"))
    yield from _technologies(technologies)


def _monuments(cards: Iterable[PublishedCard]) -> Iterator[Fact]:
    triggers = {"immediate": 27, "decline": 27, "endgame": 23, "timeline": 19, "passive": 12}
    yield Fact("monument triggers", triggers, _counted(cards, "timing"))
    yield Fact("printed victory points", 193, _sum(cards, "vp"))
    yield Fact("printed knowledge", 357, _sum(cards, "knowledge"))
    yield Fact("spaces", {1: 4, 2: 21, 3: 34, 4: 21, 5: 20, 6: 8}, _counted(cards, "space"))
    yield Fact("locked monuments", LOCKED.split(), sorted(_told(cards, "locked")))
    yield Fact("monument costs", {1: 20, 2: 10, 3: 1, 4: 1}, _counted(cards, "cost"))
    dear = {id: cost for id, cost in _told(cards, "cost").items() if cost in (3, 4)}
    yield Fact("dearest monuments", {"megalith_13": 4, "megalith_34": 3}, dear)


def _technologies(cards: Iterable[PublishedCard]) -> Iterator[Fact]:
    for level, timing, each, required in ((1, "immediate", 9, 10), (2, "endgame", 6, 18)):
        of_level = [card for card in cards if card.facts["level"] == level]
        types = _counted(of_level, "techType")
        yield Fact(f"technologies of level {level}", dict.fromkeys(TECH_TYPES, each), types)
        timings = {timing: 3 * each}
        yield Fact(f"triggers of level {level}", timings, _counted(of_level, "timing"))
        found = sum(card.effects["requirement"] is not None for card in of_level)
        yield Fact(f"requirements of level {level}", required, found)


def _told(cards: Iterable[PublishedCard], fact: str) -> dict[str, object]:
    """Return a fact by card, where it is not nothing."""
    return {card.id: card.facts[fact] for card in cards if card.facts[fact]}


def _counted(cards: Iterable[PublishedCard], fact: str) -> dict[object, int]:
    """Return how many cards have each value of a fact."""
    return dict(Counter(_told(cards, fact).values()))


def _sum(cards: Iterable[PublishedCard], fact: str) -> int:
    return sum(value for value in _told(cards, fact).values() if isinstance(value, int))
