import pytest

from domain.games.ancient_knowledge.events import (
    CardsDrawn,
    TechDeckShuffled,
    TechnologyBottomed,
    TechnologyLearned,
    TileRefilled,
)
from tests.games.ancient_knowledge.scenario import Scenario, scenario

LEARN = "learn:"
LEVEL_ONE = [f"tech_{number:02d}" for number in range(1, 28)]
LEVEL_TWO = [f"tech_{number:02d}" for number in range(28, 46)]


def lone(laid: Scenario, tech: str) -> set[str]:
    """Return what seat 0 could learn if nothing else is shown."""
    return laid.tile(0, tech).tile(1).tile(2).bare().at_action(0).options(0, LEARN)


def test_any_of_the_three_tiles_may_be_learned_from() -> None:
    laid = scenario().tile(0, "tech_09", "tech_10").tile(1, "tech_16").lost(0, 9)
    table = laid.tile(2, "tech_30", "tech_34").at_action(0)
    assert table.options(0, LEARN) == {"tech_09", "tech_10", "tech_16", "tech_30"}
    table.plays(0, "learnTechnology", technology="tech_30")
    assert table.techs(0) == {"tech_30"}


REQUIREMENTS: list[tuple[str, Scenario, Scenario]] = [
    (
        "tech_01",
        scenario().artifacts(0, "artifact_26", "artifact_28", "artifact_29"),
        scenario().artifacts(0, "artifact_26", "artifact_28").artifacts(1, "artifact_29"),
    ),
    ("tech_02", scenario().past_of(0, pyramids=2), scenario().past_of(0, 9, 9, 1)),
    ("tech_07", scenario().past_of(0, 1, 1, 1), scenario().past_of(0, 3, 3, 0)),
    ("tech_08", scenario().hand(0, fill=1), scenario().hand(0, fill=2)),
    ("tech_15", scenario().past_of(0, cities=2), scenario().past_of(0, 1, 9, 9)),
    ("tech_18", scenario().past_of(0, 1, 0, 1), scenario().past_of(0, 2, 9, 0)),
    ("tech_23", scenario().lost(0, 5), scenario().lost(0, 4).lost(1, 9)),
    ("tech_24", scenario().past_of(0, 1, 2, 1), scenario().past_of(0, 1, 1, 1)),
    ("tech_25", scenario().past_of(0, megaliths=2), scenario().past_of(0, 9, 1, 9)),
    ("tech_27", scenario().past_of(0, 2, 2, 1), scenario().past_of(0, 2, 2, 0)),
    (
        "tech_28",
        scenario().artifacts(0, *[f"artifact_{number}" for number in (26, 28, 29, 36)]),
        scenario().artifacts(0, *[f"artifact_{number}" for number in (26, 28, 29)]),
    ),
    ("tech_29", scenario().past_of(0, megaliths=7), scenario().past_of(0, 6, 6, 6)),
    ("tech_30", scenario().lost(0, 9), scenario().lost(0, 8)),
    (
        "tech_31",
        scenario().past(0, "city_01", "megalith_01", "pyramid_01"),
        scenario().past(0, "city_01", "megalith_01").past_of(0, 3, 3, 3),
    ),
    ("tech_32", scenario().past_of(0, pyramids=4), scenario().past_of(0, 9, 9, 3)),
    (
        "tech_33",
        scenario().techs(0, "tech_02", "tech_03", "tech_32"),
        scenario().techs(0, "tech_02", "tech_03", "tech_20", "tech_10"),
    ),
    ("tech_34", scenario().past_of(0, cities=3), scenario().past_of(0, 2, 9, 9)),
    (
        "tech_35",
        scenario().techs(0, "tech_10", "tech_11", "tech_34"),
        scenario().techs(0, "tech_10", "tech_11", "tech_20", "tech_02"),
    ),
    ("tech_36", scenario().hand(0, fill=10), scenario().hand(0, fill=9)),
    (
        "tech_37",
        scenario().past_of(0, 3, 3, 1).lost(0, 3),
        scenario().past_of(0, 3, 3, 1).lost(0, 4),
    ),
    ("tech_37", scenario().past_of(0, 3, 3, 1), scenario().past_of(0, 3, 3, 0)),
    ("tech_38", scenario().past_of(0, cities=5), scenario().past_of(0, 4, 9, 9)),
    ("tech_39", scenario().past_of(0, 3, 3, 3), scenario().past_of(0, 3, 2, 9)),
    ("tech_40", scenario().past_of(0, megaliths=3), scenario().past_of(0, 9, 2, 9)),
    (
        "tech_41",
        scenario().techs(0, "tech_20", "tech_21", "tech_40"),
        scenario().techs(0, "tech_20", "tech_21", "tech_10", "tech_02"),
    ),
    (
        "tech_42",
        scenario().techs(0, *LEVEL_ONE[:6]),
        scenario().techs(0, *LEVEL_ONE[:5]).techs(1, *LEVEL_ONE[5:]),
    ),
    ("tech_43", scenario().past_of(0, 4, 4, 2), scenario().past_of(0, 4, 4, 1)),
    ("tech_44", scenario().lost(0, 15), scenario().lost(0, 14)),
    ("tech_45", scenario().past_of(0, megaliths=5), scenario().past_of(0, 9, 4, 9)),
]


@pytest.mark.parametrize(
    ("tech", "met", "missed"), REQUIREMENTS, ids=[tech for tech, _, _ in REQUIREMENTS]
)
def test_a_requirement_must_be_met_right_now(tech: str, met: Scenario, missed: Scenario) -> None:
    assert lone(met, tech) == {tech}
    assert lone(missed, tech) == set()


def test_every_technology_with_a_requirement_is_tested_above() -> None:
    free = [tech for tech in LEVEL_ONE if lone(scenario().hand(0, fill=2), tech)]
    assert sorted({*free, *(tech for tech, _, _ in REQUIREMENTS)}) == [*LEVEL_ONE, *LEVEL_TWO]
    assert len(free) == 27 - 10


@pytest.mark.parametrize(
    ("tech", "laid"),
    [
        ("tech_02", scenario().timeline(0, "pyramid_36").timeline(0, "pyramid_26")),
        ("tech_24", scenario().past_of(0, 3).timeline(0, "pyramid_36")),
        ("tech_34", scenario().past_of(0, 2).timeline(0, "city_24").hand(0, "city_18")),
        ("tech_29", scenario().past_of(0, 6).timeline(0, "city_24").timeline(0, "city_18")),
    ],
)
def test_monuments_of_a_requirement_count_in_the_past_only(tech: str, laid: Scenario) -> None:
    assert lone(laid, tech) == set()


def test_a_technology_does_not_count_for_its_own_requirement() -> None:
    two = scenario().techs(0, "tech_10", "tech_11")
    assert lone(two, "tech_35") == set()


def test_a_learned_technology_counts_at_once() -> None:
    laid = scenario().techs(0, "tech_10", "tech_11").tile(0, "tech_14", "tech_01", "tech_02")
    table = laid.tile(1).tile(2, "tech_35", "tech_44", "tech_30").at_action(0)
    assert table.options(0, LEARN) == {"tech_14"}
    table.plays(0, "learnTechnology", technology="tech_14")
    assert table.options(0, LEARN) == {"tech_35"}


def test_the_hand_is_what_is_left_when_the_action_is_chosen() -> None:
    laid = scenario().hand(0, "pyramid_36", "pyramid_26").tile(0, "tech_08", "tech_01", "tech_02")
    table = laid.tile(1).at_action(0)
    assert table.options(0, LEARN) == set()
    table.plays(0, "playCard", card="pyramid_36", space=2)
    assert table.options(0, LEARN) == {"tech_08"}


# Candi Sukuh, pyramid_19


def sukuh() -> Scenario:
    return scenario().timeline(0, "pyramid_19")


@pytest.mark.parametrize(
    ("tech", "laid", "learnable"),
    [
        ("tech_30", sukuh().lost(0, 8), True),
        ("tech_30", sukuh().lost(0, 7), False),
        ("tech_07", sukuh().past_of(0, 1, 1, 0), True),
        ("tech_07", sukuh().past_of(0, 1, 0, 0), False),
        ("tech_18", sukuh().past_of(0, 0, 0, 1), True),
        ("tech_18", sukuh(), False),
        ("tech_39", sukuh().past_of(0, 3, 3, 2), True),
        ("tech_39", sukuh().past_of(0, 3, 2, 2), False),
        ("tech_39", sukuh().past_of(0, 3, 3, 1), False),
        ("tech_37", sukuh().past_of(0, 3, 3, 0).lost(0, 3), True),
        ("tech_37", sukuh().past_of(0, 3, 3, 0).lost(0, 4), False),
        ("tech_37", sukuh().past_of(0, 3, 3, 1).lost(0, 4), False),
        ("tech_36", sukuh().hand(0, fill=9), True),
        ("tech_31", sukuh().past(0, "city_01", "city_02"), True),
        ("tech_08", sukuh().hand(0, fill=1), True),
        ("tech_08", sukuh().hand(0, fill=2), False),
    ],
)
def test_candi_sukuh_lowers_one_minimum_by_one_and_no_maximum(
    tech: str, laid: Scenario, learnable: bool
) -> None:
    assert lone(laid, tech) == ({tech} if learnable else set())


def test_candi_sukuh_works_from_the_own_timeline_only() -> None:
    assert lone(scenario().past(0, "pyramid_19").lost(0, 8), "tech_30") == set()
    assert lone(scenario().timeline(1, "pyramid_19").lost(0, 8), "tech_30") == set()


# Refill


def test_a_tile_is_not_topped_up_while_two_are_left() -> None:
    laid = scenario().tile(0, "tech_09", "tech_10", "tech_14")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_09")
    assert table.board.tiles[0].techs == ("tech_10", "tech_14")
    assert table.happened(TileRefilled) == ()


def test_a_tile_with_one_left_is_cleared_and_dealt_anew() -> None:
    laid = scenario().tile(0, "tech_09", "tech_10").tech_deck(1, "tech_12", "tech_17", "tech_20")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_09")
    assert table.happened(TileRefilled) == (
        TileRefilled(tile=0, discarded=("tech_10",), dealt=("tech_12", "tech_17", "tech_20")),
    )
    assert table.board.tech_discards == (("tech_10",), ())


def test_the_refill_comes_before_the_own_effect_and_the_reactions() -> None:
    laid = scenario().tile(0, "tech_13", "tech_10").timeline(0, "city_24")
    table = laid.artifacts(0, "artifact_19").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_13")
    assert table.kinds() == [
        *("ActionTaken", "TechnologyLearned", "TileRefilled"),
        *("CardsDrawn", "CardsDrawn"),
    ]
    assert [len(event.cards) for event in draws(table.events)] == [1, 2]


def draws(events: tuple[object, ...]) -> list[CardsDrawn]:
    """Return the draws among events."""
    return [event for event in events if isinstance(event, CardsDrawn)]


def test_a_level_two_tile_is_refilled_from_its_own_deck() -> None:
    laid = scenario().lost(0, 9).tile(2, "tech_30", "tech_34")
    table = laid.tech_deck(2, "tech_40", "tech_41", "tech_42").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_30")
    assert table.board.tiles[2].techs == ("tech_40", "tech_41", "tech_42")
    assert table.board.tech_discards == ((), ("tech_34",))


@pytest.mark.parametrize(
    ("deck", "discard", "shown"),
    [
        (["tech_12"], ["tech_17", "tech_20"], 3),
        (["tech_12", "tech_17"], [], 3),
        (["tech_12"], [], 2),
        ([], ["tech_17"], 2),
        ([], [], 1),
    ],
)
def test_a_short_technology_deck_is_made_from_the_discards(
    deck: list[str], discard: list[str], shown: int
) -> None:
    """The discards include the card just cleared; then as many are dealt as there are (OQ-9)."""
    laid = scenario().bare().tile(0, "tech_09", "tech_10").tile(1).tile(2)
    table = laid.tech_deck(1, *deck).tech_discard(1, *discard).at_action(0)
    table.plays(0, "learnTechnology", technology="tech_09")
    assert len(table.board.tiles[0].techs) == shown
    assert set(table.board.tiles[0].techs) <= {"tech_10", *deck, *discard}
    assert table.board.tiles[0].techs[: len(deck)] == tuple(deck)
    assert table.prompt(0) == "action"


def test_the_level_two_deck_is_made_from_its_discards_too() -> None:
    laid = scenario().bare().lost(0, 9).tile(0).tile(1).tile(2, "tech_30", "tech_34")
    table = laid.tech_deck(2, "tech_40").tech_discard(2, "tech_41").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_30")
    assert table.kinds() == [
        *("ActionTaken", "TechnologyLearned", "TileRefilled", "TechDeckShuffled", "TileRefilled"),
    ]
    assert sorted(table.board.tiles[2].techs) == ["tech_34", "tech_40", "tech_41"]
    (shuffled,) = table.happened(TechDeckShuffled)
    assert isinstance(shuffled, TechDeckShuffled)
    assert shuffled.level == 2


def test_a_tile_that_could_not_be_filled_is_looked_at_again_when_a_card_of_its_level_returns() -> (
    None
):
    """Tile 0 holds the last level I card; the one put under the deck from tile 1 fills it up."""
    laid = scenario().bare().hand(0, "pyramid_35").tile(0, "tech_10").tile(1, "tech_12", "tech_17")
    table = laid.tile(2).at_action(0).plays(0, "playCard", card="pyramid_35", space=2)
    assert table.options(0) == {"tech_10", "tech_12", "tech_17"}
    table.picks(0, "tech_12")
    assert table.kinds()[0] == "TechnologyBottomed"
    tiles = [tile.techs for tile in table.board.tiles]
    assert sorted(len(techs) for techs in tiles) == [0, 1, 2]


# Effects


def test_a_level_one_technology_works_once_and_stays() -> None:
    laid = scenario().tile(0, "tech_09", "tech_10", "tech_14").lost(0, 5)
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_09")
    assert (table.lost(0), table.techs(0)) == (3, {"tech_09"})
    table.searches(0).searches(1, 2)
    assert table.lost(0) == 3


def test_a_level_two_technology_does_nothing_when_it_is_learned() -> None:
    laid = scenario().lost(0, 9).tile(2, "tech_30", "tech_34", "tech_40")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_30")
    assert table.kinds() == ["ActionTaken", "TechnologyLearned"]


def test_reactions_to_learning_follow_the_own_effect_in_free_order() -> None:
    laid = scenario().tile(0, "tech_05", "tech_10", "tech_14").lost(0, 1)
    laid.artifacts(0, "artifact_18", "artifact_20", "artifact_30").timeline(0, "pyramid_21")
    table = laid.timeline(0, "city_24", knowledge=3).at_action(0)
    table.plays(0, "learnTechnology", technology="tech_05")
    assert table.kinds() == ["ActionTaken", "TechnologyLearned", "LostReduced", "CardsDrawn"]
    assert table.options(0) == {"artifact_18", "artifact_20", "artifact_30", "pyramid_21"}


def test_learning_by_an_effect_refills_and_reacts_as_well() -> None:
    laid = (
        scenario().hand(0, "pyramid_14").tile(0, "tech_09", "tech_10").artifacts(0, "artifact_18")
    )
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_14", space=3)
    assert table.bounds(0) == (0, 1)
    table.picks(0, "tech_09")
    assert table.kinds() == ["TechnologyLearned", "TileRefilled", "CardsDrawn"]


def test_a_technology_put_under_its_deck_leaves_its_tile_to_be_checked() -> None:
    laid = scenario().hand(0, "pyramid_35").tile(0, "tech_09", "tech_10")
    laid.tile(1, "tech_12", "tech_17").tech_deck(1, "tech_20", "tech_21", "tech_22")
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_35", space=2)
    table.picks(0, "tech_09")
    assert table.events == (
        TechnologyBottomed(level=1, card="tech_09", under=("tech_09",), looker=0, tile=0),
        TileRefilled(tile=0, discarded=("tech_10",), dealt=("tech_20", "tech_21", "tech_22")),
    )
    assert {"tech_20", "tech_21", "tech_22", "tech_12", "tech_17"} <= table.options(0)
    assert table.happened(TechnologyLearned) == ()
