"""Monuments that score at the end: every table, on both sides of every threshold."""

import pytest

from domain.games.ancient_knowledge.catalogue import BUILDER
from domain.games.ancient_knowledge.scoring import points
from tests.games.ancient_knowledge.claims import card, lone, with_techs
from tests.games.ancient_knowledge.scenario import Scenario

Counts = dict[str, int]
TIERS = {2: 0, 3: 4, 4: 4, 5: 7, 6: 7}
SETS: list[tuple[Counts, int]] = [
    ({"ancient": 2, "writing": 3, "secret": 2}, 4),
    ({"ancient": 1, "writing": 1, "secret": 1}, 2),
    ({"ancient": 4, "writing": 4}, 0),
    ({"ancient": 4, "secret": 4}, 0),
    ({"writing": 4, "secret": 4}, 0),
]

# Each card: what lies there besides the card itself, and what the card is then worth.
WORTH: dict[str, list[tuple[Counts, int]]] = {
    "city_01": [({"ancient": count, "writing": 5}, worth) for count, worth in TIERS.items()],
    "city_02": [({"secret": count, "ancient": 5}, worth) for count, worth in TIERS.items()],
    "city_03": [
        ({}, 1),
        ({"cities": 2, "megaliths": 3, "pyramids": 1}, 3),
        ({"cities": 1, "megaliths": 3, "pyramids": 1}, 3),
        ({"cities": 3, "megaliths": 3, "pyramids": 2}, 4),
        ({"pyramids": 5, "megaliths": 2}, 5),
        ({"timeline": 4}, 1),
    ],
    "city_04": [
        ({"megaliths": 2, "pyramids": 2}, 2),
        ({"cities": 2, "megaliths": 3, "pyramids": 2}, 4),
        ({"cities": 3, "megaliths": 3}, 0),
        ({"cities": 3, "pyramids": 3}, 0),
    ],
    "city_05": [({}, 1), ({"cities": 3, "megaliths": 2}, 4), ({"timeline": 4}, 1)],
    "megalith_01": SETS,
    "megalith_02": [({"lost": 14}, 0), ({"lost": 15}, 9), ({"lost": 30}, 9)],
    "megalith_03": [({"cities": 2}, 0), ({"pyramids": 3, "megaliths": 1}, 3), ({"timeline": 4}, 0)],
    "megalith_04": [({"megaliths": 5}, 0), ({"megaliths": 6}, 6), ({"megaliths": 8}, 6)],
    "megalith_05": [({"ancient": count, "secret": 5}, worth) for count, worth in TIERS.items()],
    "megalith_06": [({"writing": count, "secret": 5}, worth) for count, worth in TIERS.items()],
    "megalith_07": [({}, 1), ({"megaliths": 4, "cities": 2}, 5)],
    "megalith_19": [({"lost": 9}, 0), ({"lost": 10}, 4), ({"lost": 25}, 4)],
    "megalith_32": [({"lost": 19}, 0), ({"lost": 20}, 12), ({"lost": 30}, 12)],
    "megalith_33": [({}, 0), ({"timeline": 1}, 1), ({"timeline": 4}, 4)],
    "pyramid_01": [
        ({"ancient": 7}, 0),
        ({"ancient": 8}, 5),
        ({"ancient": 4, "writing": 4, "secret": 3}, 5),
        ({"ancient": 4, "writing": 4, "secret": 4}, 12),
        ({"ancient": 13}, 12),
    ],
    "pyramid_02": [({"cities": 6, "megaliths": 2}, 0), ({"cities": 7}, 6), ({"cities": 9}, 6)],
    "pyramid_03": [({"secret": count, "ancient": 5}, worth) for count, worth in TIERS.items()],
    "pyramid_04": [({"writing": count, "ancient": 5}, worth) for count, worth in TIERS.items()],
    "pyramid_05": SETS,
    "pyramid_06": [
        ({"cities": 2, "megaliths": 2}, 2),
        ({"cities": 3, "megaliths": 2, "pyramids": 2}, 4),
        ({"cities": 4, "pyramids": 4}, 0),
        ({"megaliths": 4, "pyramids": 4}, 0),
    ],
    "pyramid_32": [({"cities": 3}, 1), ({"endgame": 2, "cities": 1}, 3), ({"ancient": 15}, 1)],
    "pyramid_36": [({"timeline": 2}, 0), ({"timeline": 3}, 6), ({"timeline": 4}, 6)],
}
CASES = [(id, counts, worth) for id, rows in WORTH.items() for counts, worth in rows]
BEST = [(id, *max(rows, key=lambda row: row[1])) for id, rows in WORTH.items()]
TIMELINE = ("city_13", "megalith_20", "pyramid_22", "pyramid_34")
SCORELESS = ("megalith_02", "megalith_19")


def laid(counts: Counts) -> Scenario:
    past = {name: counts.get(name, 0) for name in ("cities", "megaliths", "pyramids")}
    techs = {name: counts.get(name, 0) for name in ("ancient", "writing", "secret")}
    table = with_techs(lone("tech_27"), **techs).past_of(0, **past).lost(0, counts.get("lost", 0))
    for monument in TIMELINE[: counts.get("timeline", 0)]:
        table.timeline(0, monument, knowledge=7)
    return table.past(0, *SCORELESS[: counts.get("endgame", 0)])


def scored(table: Scenario) -> dict[str, int]:
    return points(table.set(flipped=True).at_action(0).board, 0)


def test_every_monument_that_scores_is_tried_here() -> None:
    assert {id for id, facts in BUILDER.items() if facts.timing.value == "endgame"} == set(WORTH)


@card(*WORTH)
@pytest.mark.parametrize(("id", "counts", "worth"), CASES)
def test_a_monument_of_the_past_scores(id: str, counts: Counts, worth: int) -> None:
    assert scored(laid(counts).past(0, id))["endgame"] == worth


@pytest.mark.parametrize(("id", "counts", "worth"), BEST)
def test_a_monument_still_on_the_timeline_gives_the_flat_point(
    id: str, counts: Counts, worth: int
) -> None:
    without, table = scored(laid(counts)), scored(laid(counts).timeline(0, id, 6, 3))
    assert table == {**without, "timeline": without["timeline"] + 1}


@pytest.mark.parametrize("id", WORTH)
def test_a_monument_in_hand_scores_nothing(id: str) -> None:
    assert scored(laid(WORTH[id][-1][0]).hand(0, id))["endgame"] == 0


@pytest.mark.parametrize(
    ("id", "lost", "net"),
    [("megalith_02", 15, -6), ("megalith_19", 10, -6), ("megalith_32", 20, -8)],
)
def test_a_bonus_for_lost_knowledge_only_softens_the_penalty(id: str, lost: int, net: int) -> None:
    assert sum(scored(laid({"lost": lost}).past(0, id)).values()) == net


@pytest.mark.parametrize(("lost", "bonus"), [(20, 25), (19, 13), (14, 4), (9, 0)])
def test_bonuses_for_lost_knowledge_stack(lost: int, bonus: int) -> None:
    table = laid({"lost": lost}).past(0, "megalith_02", "megalith_19", "megalith_32")
    assert sum(scored(table).values()) == bonus - lost


@pytest.mark.parametrize(
    ("one", "other", "counts", "worth"),
    [
        ("megalith_01", "pyramid_05", {"ancient": 2, "writing": 2, "secret": 2}, 4),
        ("megalith_06", "pyramid_04", {"writing": 5}, 7),
    ],
)
def test_two_monuments_of_the_same_effect_score_each_on_its_own(
    one: str, other: str, counts: Counts, worth: int
) -> None:
    assert scored(laid(counts).past(0, one, other))["endgame"] == 2 * worth


def test_megalith_03_counts_rotated_pyramids_like_any_other() -> None:
    table = laid({}).past(0, "megalith_03").past(0, "pyramid_07", "pyramid_08", rotated=True)
    assert scored(table)["endgame"] == 2


@pytest.mark.parametrize(("id", "bonus"), [("megalith_33", 3), ("pyramid_36", 6)])
def test_leftover_monuments_give_their_flat_point_as_usual(id: str, bonus: int) -> None:
    table = scored(laid({"timeline": 3}).past(0, id))
    assert (table["timeline"], table["endgame"]) == (3, bonus)


def test_pyramid_32_counts_monuments_that_score_nothing() -> None:
    table = scored(laid({}).past(0, "pyramid_32", "megalith_02", "pyramid_36", "city_01"))
    assert table["endgame"] == 4


def test_a_monument_belongs_to_one_trio_only() -> None:
    table = laid({"megaliths": 2, "pyramids": 2}).past(0, "city_04", "pyramid_06", "city_07")
    assert scored(table)["endgame"] == 4 + 4
