"""Monuments that enter with fewer tokens, and those that make others do so."""

import pytest

from domain.games.ancient_knowledge.events import MonumentCreated
from tests.games.ancient_knowledge.claims import card, lone, with_techs
from tests.games.ancient_knowledge.scenario import Scenario

# Each card: what it needs, what is one short of it, its tokens then and otherwise.
Counts = dict[str, int]
OWN: dict[str, tuple[Counts, Counts, int, int]] = {
    "city_22": ({"cities": 3}, {"cities": 2, "pyramids": 3}, 1, 6),
    "city_23": ({"cities": 3}, {"cities": 2, "megaliths": 3}, 2, 8),
    "city_33": ({"secret": 3}, {"secret": 2, "ancient": 3, "writing": 3}, 1, 6),
    "megalith_17": ({"megaliths": 3}, {"megaliths": 2, "cities": 3}, 1, 6),
    "megalith_21": ({"megaliths": 4}, {"megaliths": 3, "cities": 3}, 1, 7),
    "pyramid_17": ({"pyramids": 1}, {"cities": 3}, 4, 5),
}
SPACE = {
    "city_22": 2,
    "city_23": 3,
    "city_33": 2,
    "megalith_17": 2,
    "megalith_21": 3,
    "pyramid_17": 3,
}
REDUCERS = {"city": "artifact_28", "megalith": "artifact_26", "pyramid": "artifact_36"}


def laid(counts: Counts) -> Scenario:
    past = {name: counts.get(name, 0) for name in ("cities", "megaliths", "pyramids")}
    techs = {name: counts.get(name, 0) for name in ("ancient", "writing", "secret")}
    return with_techs(lone("tech_27"), **techs).past_of(0, **past)


def entered(table: Scenario, id: str, space: int) -> int:
    at = table.hand(0, id).at_action(0).picks(0, f"create:{id}@{space}")
    assert at.prompt(0) == "action"  # nothing is left to resolve
    created = at.events[1]
    assert isinstance(created, MonumentCreated)
    assert at.kinds() == ["ActionTaken", "MonumentCreated"]
    return created.knowledge


@card(*OWN)
@pytest.mark.parametrize("id", OWN)
def test_a_monument_enters_with_less_when_its_condition_is_met(id: str) -> None:
    met, _, less, _ = OWN[id]
    assert entered(laid(met), id, SPACE[id]) == less


@pytest.mark.parametrize("id", [id for id in OWN if id != "pyramid_17"])
def test_a_monument_enters_with_less_beyond_its_threshold_too(id: str) -> None:
    met, _, less, _ = OWN[id]
    more = {name: count + 2 for name, count in met.items()}
    assert entered(laid(more), id, SPACE[id]) == less


@pytest.mark.parametrize("id", OWN)
def test_a_monument_enters_with_all_tokens_one_short_of_its_condition(id: str) -> None:
    _, missed, _, printed = OWN[id]
    assert entered(laid(missed), id, SPACE[id]) == printed


@pytest.mark.parametrize(("pyramids", "tokens"), [(0, 5), (2, 3), (5, 0), (6, 0)])
def test_pyramid_17_enters_with_one_less_for_every_pyramid(pyramids: int, tokens: int) -> None:
    assert entered(laid({"pyramids": pyramids}), "pyramid_17", 3) == tokens


@pytest.mark.parametrize("id", OWN)
def test_an_own_discount_adds_up_with_those_of_other_cards(id: str) -> None:
    met, _, less, _ = OWN[id]
    table = laid(met).artifacts(0, REDUCERS[id.split("_")[0]])
    assert entered(table, id, SPACE[id]) == less - 1


@pytest.mark.parametrize("id", ["city_22", "city_33", "megalith_17", "megalith_21"])
def test_discounts_together_stop_at_none(id: str) -> None:
    table = laid(OWN[id][0]).artifacts(0, REDUCERS[id.split("_")[0]])
    for other in ("city_24", "pyramid_22") if "city" in id else ("megalith_20",):
        table.timeline(0, other)
    assert entered(table, id, SPACE[id]) == 0


IDLE = {"city": "city_13", "megalith": "megalith_16", "pyramid": "pyramid_14"}


@pytest.mark.parametrize("id", [id for id in OWN if id != "city_33"])
def test_reaching_the_condition_later_removes_nothing(id: str) -> None:
    _, missed, _, printed = OWN[id]
    table = laid(missed).timeline(0, id, 3, printed).timeline(0, IDLE[id.split("_")[0]], 1)
    at = table.set(flipped=True).at_decline_phase(0)
    assert len(at.past(0)) == sum(missed.values()) + 1
    assert at.timeline(0)[id] == f"2L k{printed}"


def test_learning_a_third_secret_later_removes_nothing_from_city_33() -> None:
    table = laid({"secret": 2}).timeline(0, "city_33", 3, 6).tile(1, "tech_12").at_action(0)
    assert table.picks(0, "learn:tech_12").timeline(0) == {"city_33": "3L k6"}


# Each card: a monument that it makes cheaper, and one of another category.
GIVES = {
    "city_18": ("city_08", "pyramid_22"),
    "city_24": ("city_08", "pyramid_22"),
    "city_34": ("pyramid_30", "city_24"),
    "megalith_20": ("megalith_30", "city_24"),
    "pyramid_22": ("city_24", "pyramid_30"),
}
PRINTED = {"city_24": 3, "city_08": 9, "pyramid_22": 3, "pyramid_30": 4, "megalith_30": 3}
SECOND = {
    "city_18": "artifact_28",
    "city_24": "city_18",
    "city_34": "artifact_36",
    "megalith_20": "artifact_26",
    "pyramid_22": "artifact_28",
}


def giving(id: str) -> Scenario:
    return laid({"cities": 1}).timeline(0, id)


@card(*GIVES)
@pytest.mark.parametrize("id", GIVES)
def test_a_monument_lets_others_of_a_category_enter_with_one_less(id: str) -> None:
    cheaper, other = GIVES[id]
    assert entered(giving(id), cheaper, 5) == PRINTED[cheaper] - 1
    assert entered(giving(id), other, 5) == PRINTED[other]


@pytest.mark.parametrize("id", GIVES)
def test_its_reduction_adds_up_with_others(id: str) -> None:
    cheaper, second = GIVES[id][0], SECOND[id]
    table = giving(id)
    table = table.artifacts(0, second) if "artifact" in second else table.timeline(0, second)
    assert entered(table, cheaper, 5) == PRINTED[cheaper] - 2


SMALL = {
    "city_18": ("city_13", 4),
    "city_24": ("city_09", 4),
    "city_34": ("pyramid_34", 2),
    "megalith_20": ("megalith_36", 6),
    "pyramid_22": ("city_09", 4),
}


@pytest.mark.parametrize("id", SMALL)
def test_its_reduction_stops_at_none(id: str) -> None:
    small, space = SMALL[id]
    table = giving(id)
    table = table.artifacts(0, "artifact_28") if small.startswith("city") else table
    at = table.hand(0, small).at_action(0).picks(0, f"create:{small}@{space}")
    assert at.timeline(0)[small].endswith("k0")


ITSELF = {"city_18": 2, "city_24": 3, "city_34": 2, "megalith_20": 2, "pyramid_22": 3}


@pytest.mark.parametrize("id", GIVES)
def test_it_reduces_neither_itself_nor_what_is_in_play(id: str) -> None:
    cheaper, space = GIVES[id][0], 6 if id == "city_18" else 5
    table = laid({"cities": 1}).hand(0, id).timeline(0, cheaper, 3, 3).at_action(0)
    table.picks(0, f"create:{id}@{space}")
    assert table.timeline(0) == {cheaper: "3L k3", id: f"{space}L k{ITSELF[id]}"}


@pytest.mark.parametrize("id", GIVES)
@pytest.mark.parametrize("zone", ["past", "hand", "opponent"])
def test_its_reduction_works_on_the_owners_timeline_only(id: str, zone: str) -> None:
    table, cheaper = laid({"cities": 1}), GIVES[id][0]
    match zone:
        case "past":
            table.past(0, id)
        case "hand":
            table.hand(0, id)
        case _:
            table.timeline(1, id)
    assert entered(table, cheaper, 5) == PRINTED[cheaper]


def test_city_18_needs_a_city_in_the_past() -> None:
    assert entered(laid({"cities": 3}).timeline(0, "city_18"), "city_24", 5) == 2
    table = laid({"megaliths": 2, "pyramids": 2}).timeline(0, "city_18")
    assert entered(table, "city_24", 5) == 3


@pytest.mark.parametrize(
    ("id", "cheaper", "printed"),
    [("megalith_20", "megalith_30", 3), ("pyramid_22", "city_24", 3), ("city_34", "pyramid_30", 4)],
)
@pytest.mark.parametrize("first", [True, False])
def test_its_reduction_works_in_decline_until_it_reaches_the_past(
    id: str, cheaper: str, printed: int, first: bool
) -> None:
    table = lone("tech_27").timeline(0, id, 1).timeline(0, "megalith_11", 1).hand(0, cheaper)
    at = table.at_decline_phase(0).picks(0, id if first else "megalith_11")
    at.picks(0, f"{cheaper}@5")
    created = at.happened(MonumentCreated)
    tokens = printed if first else printed - 1
    assert created == (MonumentCreated(seat=0, card=cheaper, space=5, knowledge=tokens),)
