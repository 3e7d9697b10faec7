"""Every fact of Chrononauts to compare: what a folder of researched facts says, and the catalogue.

Facts that could not be established are taken from its `stand_ins`.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from schema.types import CardInfo, CardList
from scripts.compared.facts import Confidence, Fact, facts_of, provenance_of, weakest
from service.catalogue.listing import cards_in, game

LOCALES = ("en", "ja")


class Point(Struct):
    index: str
    year: int
    kind: str
    true_event: str
    altered_event: str | None
    depends_on: list[int]
    condition: str | None
    ripples: list[int]
    confidence: Confidence


class Requires(Struct):
    states: dict[str, str] | None = None
    others: str | None = None


class Patch(Struct):
    id: str
    year: int
    headline: str | None
    requires: Requires
    count: int
    confidence: Confidence
    requires_confidence: Confidence = "confirmed"


class PlayCard(Struct):
    """An inverter, timewarp or action."""

    id: str
    name: str | None
    count: int | None
    count_confidence: Confidence
    confidence: Confidence
    targets: list[int] | str | None = None
    target_sides: dict[str, str] = {}
    targets_confidence: Confidence = "confirmed"
    semantics_confidence: Confidence = "confirmed"
    reshuffle_confidence: Confidence = "confirmed"
    draw_confidence: Confidence = "confirmed"
    direction_choice_confidence: Confidence = "confirmed"
    direction: str | None = None


class Artifact(Struct):
    id: str
    name: str | None
    count: int
    family: str | None
    confidence: Confidence
    count_confidence: Confidence
    family_confidence: Confidence | None = None
    rank: int = 0


class Mission(Struct):
    id: str
    name: str | None
    needs: str | None
    confidence: Confidence
    name_confidence: Confidence = "confirmed"
    contents_confidence: Confidence | None = None


class Year(Struct):
    year: int
    state: str


class Identity(Struct):
    id: str
    requires: list[Year]
    confidence: Confidence


class PatchStandIn(Struct):
    id: str
    playable_if: dict[str, str]


class Draws(Struct):
    plain: int
    bonus: int


class StandIns(Struct):
    inverter_counts: dict[str, int]
    inverter_targets: dict[str, dict[str, str]]
    timewarp_counts: dict[str, int]
    action_counts: dict[str, int]
    sell_draws: Draws
    sell_bonus_list: list[str]
    patch_1945: list[PatchStandIn]
    artifact_families: dict[str, list[str]]
    missions: dict[str, list[str]]


class Totals(Struct):
    target: dict[str, int]


class Editions(Struct):
    original: Totals


class Chrononauts(Struct):
    timeline: list[Point]
    patches: list[Patch]
    inverters: list[PlayCard]
    artifacts: list[Artifact]
    timewarps: list[PlayCard]
    actions: list[PlayCard]
    missions: list[Mission]
    identities: list[Identity]
    stand_ins: StandIns
    totals: Editions


FAMILIES = {
    "Mona Lisa": "mona-lisa",
    "live dinosaurs": "dinosaur",
    "biblical relics": "relic",
    "future wisdom": "wisdom",
    "great mysteries": "mystery",
}
SLOTS = {"slot:most-convincing-mona-lisa": "mona-lisa", "slot:either-forgery": "forgery"}
TOWARD = {"both": "any", "altered->true": "true"}
BONUS = {
    "X-SELL": ["mona-lisa", "dinosaur"],
    "X-MIRACLE-BIBLICAL": ["relic"],
    "X-MIRACLE-FUTURE": ["wisdom"],
}
KINDS = {
    "timeline": ("linchpin", "ripplepoint"),
    "identities": ("identity",),
    "missions": ("mission",),
    "inverters": ("inverter",),
    "patches": ("patch",),
    "artifacts": ("artifact",),
    "timewarps": ("timewarp",),
    "actions": ("action",),
}


def chrononauts(folder: Path) -> Iterator[Fact]:
    """Yield every fact of Chrononauts."""
    told = msgspec.json.decode((folder / "cards.json").read_bytes(), type=Chrononauts)
    lists = [cards_in("chrononauts", locale, None) for locale in LOCALES]
    ours = {card.id: card for card in lists[0].cards}
    yield from _names(told, lists)
    yield from _totals(told, ours)
    yield from _points(told, ours)
    yield from _patches(told, ours)
    yield from _inverters(told, ours)
    yield from _artifacts(told, ours)
    yield from _one_time_cards(told, ours)
    yield from _identities(told, ours)
    yield from _missions(told, ours)
    yield from _sale(told)


def _names(told: Chrononauts, lists: Iterable[CardList]) -> Iterator[Fact]:
    """Every card is there, in every language, and nothing else."""
    wanted = [
        *(str(point.year) for point in told.timeline),
        *(patch.id for patch in told.patches),
        *told.stand_ins.inverter_counts,
        *(artifact.id for artifact in told.artifacts),
        *told.stand_ins.timewarp_counts,
        *told.stand_ins.action_counts,
        *(identity.id for identity in told.identities),
        *told.stand_ins.missions,
    ]
    altered = {str(point.year) for point in told.timeline if point.altered_event}
    for cards in lists:
        found = {card.id: card for card in cards.cards}
        yield Fact(f"cards in {cards.locale}", sorted(wanted), sorted(found))
        for id, card in found.items():
            texts = sorted(text.key for text in card.texts if text.value.strip())
            keys = ["altered", "effect", "name"] if id in altered else ["effect", "name"]
            yield Fact(f"{id} texts in {cards.locale}", keys, texts)


def _totals(told: Chrononauts, ours: Mapping[str, CardInfo]) -> Iterator[Fact]:
    target = told.totals.original.target
    for name, kinds in KINDS.items():
        found = sum(card.count for card in ours.values() if card.kind in kinds)
        yield Fact(f"number of {name}", target[name], found)
    yield Fact("number of cards", target["all_cards"], sum(card.count for card in ours.values()))


def _points(told: Chrononauts, ours: Mapping[str, CardInfo]) -> Iterator[Fact]:
    for point in told.timeline:
        facts: dict[str, object] = {"year": point.year, "index": point.index}
        if point.kind == "linchpin":
            facts["ripples"] = point.ripples
        else:
            condition = "and" if point.condition == "and" else "or"
            facts |= {"hangsOn": point.depends_on, "condition": condition}
        id = str(point.year)
        yield Fact(f"{id} kind", point.kind, ours[id].kind)
        yield from facts_of(ours[id], facts)
        yield from provenance_of(ours[id], {"": point.confidence})


def _patches(told: Chrononauts, ours: Mapping[str, CardInfo]) -> Iterator[Fact]:
    conditions = {one.id: _conditions(one.playable_if) for one in told.stand_ins.patch_1945}
    for patch in told.patches:
        card = ours[patch.id]
        yield Fact(f"{patch.id} count", patch.count, card.count)
        yield from facts_of(card, {"year": patch.year, "requires": conditions.get(patch.id, "")})
        sure = patch.requires_confidence
        if patch.requires.others:
            # Only the states named are confirmed; that there are no others is inferred.
            sure = weakest(sure, "likely")
        name: Confidence = "confirmed" if patch.headline else "unknown"
        yield from provenance_of(card, {"name": name, "requires": sure})


def _conditions(playable_if: Mapping[str, str]) -> str:
    sides = {year: side for year, side in playable_if.items() if side != "any"}
    return _sides(sides)


def _sides(sides: Mapping[str, str]) -> str:
    """Return sides as the catalogue writes them: `1936 1941'`."""
    return " ".join(
        f"{year}'" if side == "altered" else year for year, side in sorted(sides.items())
    )


def _inverters(told: Chrononauts, ours: Mapping[str, CardInfo]) -> Iterator[Fact]:
    counts, targets = told.stand_ins.inverter_counts, told.stand_ins.inverter_targets
    # One record stands for a card that may not exist; the stand-ins leave it out.
    for inverter in (one for one in told.inverters if one.id in counts):
        card = ours[inverter.id]
        sides = _sides(targets.get(inverter.id, {}))
        yield Fact(f"{inverter.id} count", counts[inverter.id], card.count)
        yield Fact(f"{inverter.id} targets", _sides(inverter.target_sides), sides)
        toward = TOWARD.get(inverter.direction or "", "any") if not sides else "any"
        yield from facts_of(card, {"turns": sides, "toward": toward})
        count = inverter.count_confidence
        yield from provenance_of(card, {"count": count, "turns": inverter.targets_confidence})


def _artifacts(told: Chrononauts, ours: Mapping[str, CardInfo]) -> Iterator[Fact]:
    families = {
        id: FAMILIES[name] for name, ids in told.stand_ins.artifact_families.items() for id in ids
    }
    for artifact in told.artifacts:
        card = ours[artifact.id]
        facts: dict[str, object] = {"family": families[artifact.id], "requires": ""}
        if artifact.rank:
            facts["rank"] = artifact.rank
        yield Fact(f"{artifact.id} count", artifact.count, card.count)
        yield from facts_of(card, facts)
        yield from provenance_of(
            card,
            {
                "name": "confirmed" if artifact.name else "unknown",
                "count": artifact.count_confidence,
                "family": artifact.family_confidence or artifact.confidence,
            },
        )


def _one_time_cards(told: Chrononauts, ours: Mapping[str, CardInfo]) -> Iterator[Fact]:
    counts = {**told.stand_ins.timewarp_counts, **told.stand_ins.action_counts}
    for one in (*told.timewarps, *told.actions):
        card = ours[one.id]
        yield Fact(f"{one.id} count", counts[one.id], card.count)
        if card.kind == "action":
            yield from facts_of(card, {"bonus": BONUS.get(one.id, [])})
        else:
            yield from facts_of(card, {"outOfTurn": one.id == "T-MEMO"})
        sure = {
            "count": one.count_confidence,
            "does": weakest(
                one.semantics_confidence, one.reshuffle_confidence, one.draw_confidence
            ),
            "targets": one.direction_choice_confidence,
        }
        if "title unknown" in (one.name or ""):
            sure |= {"name": "unknown", "bonus": "unknown"}
        yield from provenance_of(card, sure)


def _identities(told: Chrononauts, ours: Mapping[str, CardInfo]) -> Iterator[Fact]:
    for identity in told.identities:
        years = " ".join(
            f"{one.year}'" if one.state == "patched" else str(one.year) for one in identity.requires
        )
        yield from facts_of(ours[identity.id], {"years": years})
        yield from provenance_of(ours[identity.id], {"years": identity.confidence})


def _missions(told: Chrononauts, ours: Mapping[str, CardInfo]) -> Iterator[Fact]:
    slots = told.stand_ins.missions
    for mission in told.missions:
        card = ours[mission.id]
        wanted = [SLOTS.get(slot, slot) for slot in slots[mission.id]]
        # "3" and "all 3"; where the number is not established, any reading has three.
        needs = int((mission.needs or "3").split()[-1])
        yield from facts_of(card, {"slots": wanted, "needs": needs})
        name = mission.name_confidence if mission.name else "unknown"
        contents = mission.contents_confidence or mission.confidence
        yield from provenance_of(card, {"name": name, "slots": contents})


def _sale(told: Chrononauts) -> Iterator[Fact]:
    defaults = {option.name: option.default for option in game("chrononauts").options}
    yield Fact("option sellDraws", told.stand_ins.sell_draws.plain, defaults["sellDraws"])
    yield Fact("option sellBonusDraws", told.stand_ins.sell_draws.bonus, defaults["sellBonusDraws"])
    listed = [
        "mona-lisa" if "Mona Lisa" in one else FAMILIES[one.removeprefix("family: ")]
        for one in told.stand_ins.sell_bonus_list
    ]
    yield Fact("X-SELL bonus list", BONUS["X-SELL"], listed)
