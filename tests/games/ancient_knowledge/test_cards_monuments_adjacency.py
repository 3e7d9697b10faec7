"""Monuments that look at their neighbours."""

import pytest

from domain.games.ancient_knowledge.events import KnowledgeRemoved
from tests.games.ancient_knowledge.claims import QUIET, card, lone
from tests.games.ancient_knowledge.scenario import Scenario
from tests.games.ancient_knowledge.table import Table

# Each card: the category that it takes a token off, and monuments of it that do nothing here.
TAKES = {
    "city_06": "city",
    "megalith_35": "city",
    "pyramid_25": "megalith",
    "pyramid_26": "megalith",
    "pyramid_27": "city",
    "pyramid_28": "city",
}
OF = {
    "city": ("city_11", "city_13", "city_14", "city_18", "city_20", "city_24"),
    "megalith": ("megalith_10", "megalith_11", "megalith_12", "megalith_16", "megalith_18"),
    "pyramid": ("pyramid_08", "pyramid_09", "pyramid_10", "pyramid_12", "pyramid_14"),
}
OTHER = {"city": "pyramid", "megalith": "pyramid"}


def removed(table: Table) -> tuple[object, ...]:
    return table.happened(KnowledgeRemoved)


def taken(*cards: str, tokens: int = 1) -> tuple[KnowledgeRemoved]:
    return (KnowledgeRemoved(seat=0, tokens=dict.fromkeys(cards, tokens)),)


@card(*TAKES)
@pytest.mark.parametrize("id", TAKES)
def test_a_monument_takes_a_token_off_all_three_neighbours(id: str) -> None:
    a, b, c, diagonal, far = OF[TAKES[id]][:5]
    table = lone("tech_27").timeline(0, a, 2, 1).timeline(0, diagonal, 2, 1).timeline(0, id, 3, 2)
    table.timeline(0, b, 3, 4).timeline(0, c, 4, 2).timeline(0, far, 5, 2)
    at = table.at_timeline_phase(0)
    assert removed(at) == taken(a, b, c)
    assert at.timeline(0)[id] == "2L k2"


@pytest.mark.parametrize("id", TAKES)
def test_a_monument_in_an_upper_slot_sees_its_row(id: str) -> None:
    below, behind, beside, diagonal = OF[TAKES[id]][:4]
    idle = OF[OTHER[TAKES[id]]][0]
    table = lone("tech_27").timeline(0, diagonal, 2, 1).timeline(0, beside, 2, 1)
    table.timeline(0, below, 3, 1).timeline(0, id, 3, 2)
    table.timeline(0, idle, 4, 1).timeline(0, behind, 4, 1)
    assert removed(table.at_timeline_phase(0)) == taken(beside, below, behind)


@pytest.mark.parametrize("id", TAKES)
@pytest.mark.parametrize("space", [1, 6])
def test_there_is_no_neighbour_beyond_the_ends(id: str, space: int) -> None:
    a, b = OF[TAKES[id]][:2]
    table = lone("tech_27").timeline(0, a, 7 - space, 1).timeline(0, id, space, 2)
    at = table.timeline(0, b, space, 1).at_timeline_phase(0)
    assert removed(at) == taken(b)


@pytest.mark.parametrize("id", TAKES)
def test_neighbours_without_tokens_or_of_another_category_are_passed_over(id: str) -> None:
    table = lone("tech_27").timeline(0, OF[TAKES[id]][0], 4, 0).timeline(0, id, 3, 2)
    table.timeline(0, OF[OTHER[TAKES[id]]][0], 3, 2).timeline(1, OF[TAKES[id]][1], 3, 2)
    assert table.at_timeline_phase(0).kinds() == QUIET


@pytest.mark.parametrize("id", TAKES)
def test_neighbours_are_looked_at_when_the_effect_is_resolved(id: str) -> None:
    near = OF[TAKES[id]][0]
    table = lone("tech_27").timeline(0, id, 4, 2).timeline(0, near, 1, 4)
    at = table.artifacts(0, "artifact_06").at_timeline_phase(0)
    assert at.hints(0) == {id: "would do nothing", "artifact_06": None}
    at.picks(0, "artifact_06").picks(0, f"{near}>3")
    assert removed(at) == taken(near)


@card("city_07")
@pytest.mark.parametrize(("tokens", "less"), [(10, 3), (2, 2)])
@pytest.mark.parametrize("pyramids", [2, 3])
def test_city_07_takes_three_off_itself_with_two_pyramids_adjacent(
    tokens: int, less: int, pyramids: int
) -> None:
    at = neighboured("city_07", tokens, *OF["pyramid"][:pyramids]).at_timeline_phase(0)
    assert removed(at) == taken("city_07", tokens=less)


@pytest.mark.parametrize(
    "around", [OF["pyramid"][:1], (OF["pyramid"][0], *OF["city"][:2]), OF["megalith"][:3]]
)
def test_city_07_does_nothing_with_fewer_than_two_pyramids(around: tuple[str, ...]) -> None:
    assert removed(neighboured("city_07", 10, *around).at_timeline_phase(0)) == ()


def test_city_07_looks_at_its_neighbours_when_it_is_resolved() -> None:
    pyramid, mover = OF["pyramid"][:2]
    table = lone("tech_27").timeline(0, pyramid, 4, 1).timeline(0, "city_07", 4, 9)
    at = table.timeline(0, mover, 1, 4).artifacts(0, "artifact_06").timeline(0, "city_20", 3)
    phase = at.at_timeline_phase(0)
    assert removed(phase.fork().picks(0, "city_07")) == ()
    phase.picks(0, "artifact_06").picks(0, f"{mover}>3")
    assert removed(phase) == taken("city_07", tokens=3)


@card("city_08")
@pytest.mark.parametrize("category", OF)
@pytest.mark.parametrize(("tokens", "less"), [(9, 2), (1, 1)])
def test_city_08_takes_two_off_itself_if_two_neighbours_match(
    category: str, tokens: int, less: int
) -> None:
    other = OF["megalith" if category == "city" else "city"][0]
    at = neighboured("city_08", tokens, *OF[category][:2], other).at_timeline_phase(0)
    assert removed(at) == taken("city_08", tokens=less)


@pytest.mark.parametrize(
    "around",
    [(), ("city_11",), ("city_11", "megalith_10"), ("city_11", "megalith_10", "pyramid_08")],
)
def test_city_08_does_not_count_itself_among_its_neighbours(around: tuple[str, ...]) -> None:
    assert removed(neighboured("city_08", 9, *around).at_timeline_phase(0)) == ()


def test_city_08_takes_no_more_for_three_matching_neighbours() -> None:
    table = neighboured("city_08", 9, *OF["megalith"][:3]).timeline(0, "city_11", 6, 3)
    assert removed(table.at_timeline_phase(0)) == taken("city_08", tokens=2)


def neighboured(id: str, tokens: int, *around: str) -> Scenario:
    """Put a monument into space 3, and up to three others around it: below, left, right."""
    table = lone("tech_27")
    for monument, space in zip(around, (3, 2, 4), strict=False):
        if space != 3:  # the row above
            table.timeline(0, "megalith_36" if space == 2 else "pyramid_34", space, 0)
        table.timeline(0, monument, space, 0)
    return table.timeline(0, id, 3, tokens)


@card("pyramid_15")
def test_pyramid_15_takes_one_to_three_tokens_off_one_neighbour() -> None:
    table = lone("tech_27").hand(0, "pyramid_15").timeline(0, "city_11", 1, 2)
    table.timeline(0, "city_13", 3, 5).timeline(0, "city_14", 3, 4).timeline(0, "city_18", 6, 3)
    at = table.at_action(0).picks(0, "create:pyramid_15@2")
    options = {"city_11:1", "city_11:2", "city_13:1", "city_13:2", "city_13:3"}
    assert at.asks(0) == ("remove", dict.fromkeys(options, 1), (1, 1))
    at.picks(0, "city_11:1")
    assert at.timeline(0)["city_11"] == "1L k1"
    other = table.at_action(0).picks(0, "create:pyramid_15@2").picks(0, "city_13:3")
    assert other.timeline(0)["city_13"] == "3L k2"


def test_pyramid_15_leaves_the_amount_free_with_a_single_candidate() -> None:
    table = lone("tech_27").hand(0, "pyramid_15").timeline(0, "city_11", 2, 1)
    at = table.at_action(0).picks(0, "create:pyramid_15@2")
    assert at.asks(0) == ("remove", {"city_11:1": 1}, (1, 1))
    lone_neighbour = lone("tech_27").hand(0, "pyramid_15").timeline(0, "city_11", 2, 2).at_action(0)
    lone_neighbour.picks(0, "create:pyramid_15@2")
    assert lone_neighbour.options(0) == {"city_11:1", "city_11:2"}


def test_pyramid_15_does_nothing_if_no_neighbour_has_tokens() -> None:
    table = lone("tech_27").hand(0, "pyramid_15").timeline(0, "city_11", 2, 0)
    at = table.timeline(0, "city_13", 4, 5).at_action(0).picks(0, "create:pyramid_15@2")
    assert at.kinds() == ["ActionTaken", "MonumentCreated"]
    assert at.prompt(0) == "action"
