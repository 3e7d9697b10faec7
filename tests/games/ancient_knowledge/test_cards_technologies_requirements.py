"""What each technology asks for before it can be learned, on both sides of every threshold."""

import pytest

from domain.games.ancient_knowledge.catalogue import TECHNOLOGY
from tests.games.ancient_knowledge.claims import IDLE_ARTIFACTS, lone, with_techs
from tests.games.ancient_knowledge.scenario import Scenario

# Each technology: what meets its requirement, and what misses it by one in one place.
REQUIREMENTS: dict[str, tuple[dict[str, int], list[dict[str, int]]]] = {
    "tech_01": ({"artifacts": 3}, [{"artifacts": 2}]),
    "tech_02": ({"pyramids": 2}, [{"pyramids": 1, "cities": 4, "megaliths": 4}]),
    "tech_07": (
        {"cities": 1, "megaliths": 1, "pyramids": 1},
        [
            {"megaliths": 2, "pyramids": 1},
            {"cities": 2, "pyramids": 1},
            {"cities": 1, "megaliths": 2},
        ],
    ),
    "tech_15": ({"cities": 2}, [{"cities": 1, "pyramids": 4, "megaliths": 4}]),
    "tech_18": ({"cities": 1, "pyramids": 1}, [{"cities": 3}, {"pyramids": 3}]),
    "tech_23": ({"lost": 5}, [{"lost": 4}]),
    "tech_24": ({"cities": 2, "pyramids": 2}, [{"cities": 2, "megaliths": 1}]),
    "tech_25": ({"megaliths": 2}, [{"megaliths": 1, "cities": 4, "pyramids": 4}]),
    "tech_27": ({"cities": 2, "pyramids": 3}, [{"cities": 2, "megaliths": 2}]),
    "tech_28": ({"artifacts": 4}, [{"artifacts": 3}]),
    "tech_29": ({"megaliths": 7}, [{"cities": 6, "megaliths": 6, "pyramids": 6}]),
    "tech_30": ({"lost": 9}, [{"lost": 8}]),
    "tech_31": ({"endgame": 3}, [{"endgame": 2, "cities": 4}]),
    "tech_32": ({"pyramids": 4}, [{"pyramids": 3, "cities": 4}]),
    "tech_33": ({"ancient": 3}, [{"ancient": 2, "writing": 4, "secret": 4}]),
    "tech_34": ({"cities": 3}, [{"cities": 2, "pyramids": 4}]),
    "tech_35": ({"secret": 3}, [{"secret": 2, "ancient": 4, "writing": 4}]),
    "tech_36": ({"hand": 10}, [{"hand": 9}]),
    "tech_38": ({"cities": 5}, [{"cities": 4, "pyramids": 4}]),
    "tech_39": (
        {"cities": 3, "megaliths": 3, "pyramids": 3},
        [
            {"cities": 2, "megaliths": 4, "pyramids": 4},
            {"cities": 4, "megaliths": 2, "pyramids": 4},
            {"cities": 4, "megaliths": 4, "pyramids": 2},
        ],
    ),
    "tech_40": ({"megaliths": 3}, [{"megaliths": 2, "cities": 4}]),
    "tech_41": ({"writing": 3}, [{"writing": 2, "ancient": 4, "secret": 4}]),
    "tech_42": ({"ancient": 2, "writing": 2, "secret": 2}, [{"ancient": 3, "secret": 2}]),
    "tech_43": ({"cities": 5, "megaliths": 5}, [{"cities": 5, "pyramids": 4}]),
    "tech_44": ({"lost": 15}, [{"lost": 14}]),
    "tech_45": ({"megaliths": 5}, [{"megaliths": 4, "cities": 4}]),
}
MISSES = [(id, counts) for id, (_, misses) in REQUIREMENTS.items() for counts in misses]
ENDGAME = ("city_01", "megalith_02", "pyramid_03")


def laid(table: Scenario, counts: dict[str, int]) -> Scenario:
    past = {name: counts.get(name, 0) for name in ("cities", "megaliths", "pyramids")}
    techs = {name: counts.get(name, 0) for name in ("ancient", "writing", "secret")}
    table.past_of(0, **past).past(0, *ENDGAME[: counts.get("endgame", 0)])
    table.artifacts(0, *IDLE_ARTIFACTS[: counts.get("artifacts", 0)]).lost(0, counts.get("lost", 0))
    return with_techs(table, **techs).hand(0, fill=counts.get("hand", 0))


def learnable(table: Scenario, counts: dict[str, int]) -> set[str]:
    return laid(table, counts).at_action(0).options(0, "learn:")


def test_every_requirement_of_at_least_is_tried_here() -> None:
    asking = {tech.id for tech in TECHNOLOGY.values() if tech.requirement}
    assert asking - set(REQUIREMENTS) == {"tech_08", "tech_37"}


@pytest.mark.parametrize("id", REQUIREMENTS)
def test_a_technology_can_be_learned_when_its_requirement_is_met(id: str) -> None:
    assert learnable(lone(id), REQUIREMENTS[id][0]) == {id}


@pytest.mark.parametrize(("id", "counts"), MISSES)
def test_a_technology_cannot_be_learned_one_short(id: str, counts: dict[str, int]) -> None:
    assert learnable(lone(id), counts) == set()


@pytest.mark.parametrize(("id", "counts"), MISSES)
def test_one_clause_may_be_one_short_with_a_lowered_value(id: str, counts: dict[str, int]) -> None:
    assert learnable(lone(id).timeline(0, "pyramid_19"), counts) == {id}


@pytest.mark.parametrize("category", ["cities", "megaliths", "pyramids"])
def test_tech_29_takes_seven_of_any_category(category: str) -> None:
    assert learnable(lone("tech_29"), {category: 7}) == {"tech_29"}


TWICE_SHORT: dict[str, list[dict[str, int]]] = {
    "tech_07": [{"cities": 1}, {"megaliths": 2}, {"pyramids": 1}],
    "tech_18": [{}, {"megaliths": 4}],
    "tech_39": [
        {"cities": 2, "megaliths": 2, "pyramids": 4},
        {"cities": 1, "megaliths": 4, "pyramids": 4},
    ],
    "tech_23": [{"lost": 3}],
    "tech_36": [{"hand": 8}],
}


@pytest.mark.parametrize(
    ("id", "counts"), [(id, counts) for id, rows in TWICE_SHORT.items() for counts in rows]
)
def test_a_lowered_value_covers_one_clause_by_one(id: str, counts: dict[str, int]) -> None:
    assert learnable(lone(id).timeline(0, "pyramid_19"), counts) == set()


@pytest.mark.parametrize(("hand", "able"), [(0, True), (1, True), (2, False)])
@pytest.mark.parametrize("eased", [False, True])
def test_tech_08_stays_at_one_card_with_a_lowered_value(hand: int, able: bool, eased: bool) -> None:
    table = lone("tech_08").timeline(0, "pyramid_19") if eased else lone("tech_08")
    assert learnable(table, {"hand": hand}) == ({"tech_08"} if able else set())


@pytest.mark.parametrize(
    ("past", "lost", "able", "eased"),
    [
        (7, 3, True, True),
        (9, 0, True, True),
        (6, 3, False, True),
        (5, 3, False, False),
        (7, 4, False, False),
        (6, 4, False, False),
    ],
)
def test_tech_37_eases_its_minimum_only(past: int, lost: int, able: bool, eased: bool) -> None:
    counts = {"cities": 3, "pyramids": past - 3, "lost": lost}
    assert learnable(lone("tech_37"), counts) == ({"tech_37"} if able else set())
    with_sukuh = lone("tech_37").timeline(0, "pyramid_19")
    assert learnable(with_sukuh, counts) == ({"tech_37"} if eased else set())


def test_tech_08_is_judged_at_the_moment_of_learning() -> None:
    table = lone("tech_08").hand(0, "city_12", "city_15").deck("city_01").at_action(0)
    assert table.options(0, "learn:") == set()
    table.picks(0, "create:city_12@1")
    assert table.options(0, "learn:") == {"tech_08"}


@pytest.mark.parametrize("id", ["tech_33", "tech_35", "tech_41"])
def test_a_technology_does_not_count_towards_its_own_requirement(id: str) -> None:
    techs = {str(TECHNOLOGY[id].tech_type): 2}
    assert learnable(lone(id), techs) == set()


def test_tech_42_does_not_count_towards_its_own_requirement() -> None:
    assert learnable(lone("tech_42"), {"ancient": 5}) == set()


def test_tech_31_counts_the_icon_not_what_the_monument_scores() -> None:
    printed = lone("tech_31").past(0, "city_22", "city_23", "city_30").past(0, "city_01")
    assert printed.at_action(0).options(0, "learn:") == set()
    scoreless = lone("tech_31").past(0, "city_01", "megalith_04", "pyramid_36")
    assert scoreless.at_action(0).options(0, "learn:") == {"tech_31"}


def test_tech_36_counts_ten_cards_and_discards_none() -> None:
    table = lone("tech_36").hand(0, fill=10).at_action(0).picks(0, "learn:tech_36")
    assert len(table.hand(0)) == 10
    assert table.kinds() == ["ActionTaken", "TechnologyLearned"]


@pytest.mark.parametrize("zone", ["timeline", "hand"])
def test_a_requirement_of_monuments_looks_at_the_past_only(zone: str) -> None:
    table = lone("tech_15").past(0, "city_01")
    table = table.timeline(0, "city_06") if zone == "timeline" else table.hand(0, "city_06")
    assert table.at_action(0).options(0, "learn:") == set()
