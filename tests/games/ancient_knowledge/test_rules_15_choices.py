"""The kinds of decision of rules 15.2 that no other rules test looks at, by their number there."""

import pytest

from domain.games.ancient_knowledge.events import ArtifactDiscarded, TechnologyBottomed
from tests.games.ancient_knowledge.scenario import Scenario, scenario
from tests.games.ancient_knowledge.table import Table


def creates(laid: Scenario, card: str, space: int) -> Table:
    """Let seat 0 create a monument that costs nothing."""
    return laid.hand(0, card).at_action(0).plays(0, "playCard", card=card, space=space)


def learns(laid: Scenario, tech: str) -> Table:
    """Let seat 0 learn a technology of a tile that keeps two others."""
    table = laid.tile(0, tech, "tech_02", "tech_07").at_action(0)
    return table.plays(0, "learnTechnology", technology=tech)


def test_05_an_archive_by_an_effect_may_be_left() -> None:
    laid = scenario().hand(0, fill=2).timeline(0, "megalith_20", knowledge=4)
    table = creates(laid, "city_32", 3)
    assert (table.prompt(0), table.source(0), table.bounds(0)) == ("archive", "city_32", (0, 2))
    left = table.fork().passes(0)
    assert (left.events, left.prompt(0)) == ((), "action")
    table.plays(
        0,
        "recordKnowledge",
        cards=["pyramid_36", "pyramid_35"],
        from_=[{"monument": "megalith_20", "tokens": 2}],
    )
    assert table.timeline(0) == {"city_32": "3L k3", "megalith_20": "5L k2"}


@pytest.mark.parametrize(("hand", "tokens"), [(0, 4), (2, 0)])
def test_05_an_archive_that_is_impossible_is_not_offered(hand: int, tokens: int) -> None:
    laid = scenario().hand(0, fill=hand).timeline(0, "megalith_20", knowledge=tokens)
    laid.artifacts(0, "artifact_28").timeline(0, "city_24").timeline(0, "pyramid_22", 6)
    assert creates(laid, "city_32", 3).prompt(0) == "action"


def test_11_three_tokens_from_each_of_two_chosen_cities() -> None:
    laid = scenario().timeline(0, "city_18", knowledge=4).timeline(0, "city_20", knowledge=1)
    table = creates(laid.timeline(0, "city_25", knowledge=0), "city_31", 3)
    assert (table.limits(0), table.bounds(0)) == (
        {"city_18": 1, "city_20": 1, "city_31": 1},
        (2, 2),
    )
    table.picks(0, "city_18", "city_20")
    assert table.timeline(0) == {
        "city_31": "3U k3",
        "city_18": "6L k1",
        "city_20": "2L k0",
        "city_25": "3L k0",
    }


def test_11_a_neighbour_and_the_amount_are_one_choice() -> None:
    laid = scenario().timeline(0, "city_18", space=1, knowledge=5)
    laid.timeline(0, "city_24", space=2, knowledge=2).timeline(0, "city_20", space=3)
    table = creates(laid.timeline(0, "megalith_20", knowledge=4), "pyramid_15", 2)
    assert table.options(0) == {"city_24:1", "city_24:2"}
    assert table.bounds(0) == (1, 1)
    assert table.picks(0, "city_24:1").timeline(0)["city_24"] == "2L k1"


def test_11_a_fixed_amount_is_taken_from_one_monument_with_enough() -> None:
    laid = scenario().timeline(0, "city_18", knowledge=5).timeline(0, "city_24", knowledge=4)
    table = learns(laid.timeline(0, "megalith_20", knowledge=9), "tech_14")
    assert table.options(0) == {"city_18:3", "megalith_20:3"}
    assert table.picks(0, "city_18:3").timeline(0)["city_18"] == "6L k2"


@pytest.mark.parametrize(("hand", "bounds"), [(1, (0, 1)), (3, (0, 3)), (6, (0, 3))])
def test_12_a_range_of_hand_cards(hand: int, bounds: tuple[int, int]) -> None:
    table = learns(scenario().hand(0, fill=hand), "tech_17")
    assert (table.prompt(0), table.bounds(0)) == ("discard", bounds)
    kept = sorted(table.hand(0))
    table.picks(0, *kept[: bounds[1]])
    assert len(table.hand(0)) == hand
    assert table.kinds() == ["CardsDiscarded", "CardsDrawn"]


def test_12_with_an_empty_hand_there_is_nothing_to_discard() -> None:
    assert learns(scenario(), "tech_17").prompt(0) == "action"


def test_13_opponents_choose_an_artifact_each_unless_they_have_but_one() -> None:
    laid = scenario(4).timeline(0, "pyramid_08", space=1)
    laid.artifacts(1, "artifact_26", "artifact_28").artifacts(2, "artifact_29")
    table = laid.at_decline_phase(0)
    assert (table.asked, table.prompt(1), table.bounds(1)) == ((1,), "forced_discard", (1, 1))
    assert table.options(1) == {"artifact_26", "artifact_28"}
    table.picks(1, "artifact_28")
    assert table.happened(ArtifactDiscarded) == (
        ArtifactDiscarded(seat=1, card="artifact_28"),
        ArtifactDiscarded(seat=2, card="artifact_29"),
    )
    assert table.past(0) == ("pyramid_08",)


def test_13_nobody_with_a_choice_means_no_question() -> None:
    laid = scenario(3).timeline(0, "megalith_09", space=1).hand(1, "city_24", "city_18")
    table = laid.at_decline_phase(0)
    assert (table.hand(1), table.past(0)) == (set(), ("megalith_09",))


@pytest.mark.parametrize("discarded", [0, 1, 2, 3])
def test_14_any_number_of_own_artifacts(discarded: int) -> None:
    artifacts = ["artifact_26", "artifact_28", "artifact_29"]
    table = creates(scenario().artifacts(0, *artifacts), "pyramid_13", 4)
    assert (table.prompt(0), table.options(0), table.bounds(0)) == ("may", {"yes"}, (0, 1))
    if discarded:
        table.picks(0, "yes")
        assert (table.options(0), table.bounds(0)) == (set(artifacts), (1, 3))
        table.picks(0, *artifacts[:discarded])
    else:
        table.passes(0)
    assert table.timeline(0) == {"pyramid_13": f"4L k{14 - 4 * discarded}"}
    assert table.artifacts(0) == set(artifacts[discarded:])


def test_16_one_of_two_monuments_in_space_one() -> None:
    laid = scenario().artifacts(0, "artifact_06").timeline(0, "city_24", 1, knowledge=4)
    laid.timeline(0, "city_18", space=1, knowledge=5).timeline(0, "city_20", 2, knowledge=9)
    table = laid.at_timeline_phase(0)
    assert (table.options(0), table.bounds(0)) == ({"city_24>3", "city_18>3"}, (1, 1))


def test_17_a_created_monument_swaps_itself_with_another() -> None:
    laid = scenario().timeline(0, "megalith_20", space=2, knowledge=3).timeline(0, "pyramid_36")
    table = creates(laid, "city_13", 4)
    assert (table.prompt(0), table.options(0), table.bounds(0)) == (
        *("swap", {"megalith_20", "pyramid_36"}),
        (1, 1),
    )
    table.picks(0, "megalith_20")
    assert table.timeline(0) == {
        "city_13": "2L k1",
        "pyramid_36": "2U k0",
        "megalith_20": "4L k3",
    }


def test_20_an_amount_of_lost_knowledge() -> None:
    for lost, bounds in ((1, (0, 1)), (4, (0, 4)), (9, (0, 4))):
        laid = scenario().past_of(0, megaliths=3).lost(0, lost)
        table = laid.timeline(0, "pyramid_11", space=1).at_decline_phase(0)
        assert (table.prompt(0), table.bounds(0)) == ("lose", bounds)


def test_21_only_opponents_who_hold_cards_can_be_looked_at() -> None:
    laid = scenario(4).timeline(0, "megalith_14", space=1).hand(1, "city_24").hand(3, "city_18")
    assert laid.at_decline_phase(0).options(0) == {"seat:1", "seat:3"}


def test_23_cards_are_taken_in_turn_order_the_learner_first_and_last() -> None:
    five = ("city_01", "city_02", "city_03", "city_04", "city_05")
    laid = scenario(3).deck(*five).hand(2, fill=10)
    table = learns(laid, "tech_03")
    order = []
    while table.prompt(table.asked[0]) == "take":
        (seat,) = table.asked
        order.append(seat)
        assert table.bounds(seat) == (1, 1)
        table.picks(seat, min(table.options(seat)))
    assert order == [0, 1, 0]
    assert (table.hand(0), table.hand(1)) == ({"city_01", "city_03"}, {"city_02"})
    assert table.discards() == ("city_04", "city_05")


def test_24_one_of_eight_cards_is_kept() -> None:
    eight = [f"city_{number:02d}" for number in range(1, 10)]
    laid = scenario().deck(*eight).timeline(0, "pyramid_34", space=1)
    table = laid.at_decline_phase(0)
    assert (table.prompt(0), table.options(0), table.bounds(0)) == ("take", set(eight[:8]), (1, 1))
    table.picks(0, "city_03")
    assert table.hand(0) == {"city_03"}
    assert set(table.discards()) == set(eight[:8]) - {"city_03"}
    assert table.past(0) == ("pyramid_34",)


def test_26_the_rest_goes_under_the_deck_in_the_order_chosen() -> None:
    techs = ["tech_30", "tech_34", "tech_40", "tech_41"]
    laid = scenario().bare().timeline(0, "pyramid_07", space=1).lost(0, 9)
    table = laid.tile(0).tile(1).tile(2).tech_deck(2, *techs).at_decline_phase(0)
    assert (table.options(0), table.bounds(0)) == ({"tech_30"}, (1, 1))
    table.picks(0, "tech_30")
    assert (table.prompt(0), table.options(0)) == ("bottom", {"tech_34", "tech_40", "tech_41"})
    table.picks(0, "tech_41").picks(0, "tech_34")
    assert table.board.tech_decks[1] == ("tech_41", "tech_34", "tech_40")
    assert table.techs(0) == {"tech_30"}


def test_27_one_displayed_technology_of_level_two_goes_under_its_deck() -> None:
    laid = scenario().past_of(0, cities=5).tile(1, "tech_09", "tech_10", "tech_14")
    table = learns(laid.tile(2, "tech_34", "tech_40", "tech_41"), "tech_27")
    assert (table.options(0), table.bounds(0)) == ({"tech_34", "tech_40", "tech_41"}, (1, 1))
    table.picks(0, "tech_40")
    assert table.happened(TechnologyBottomed) == (
        TechnologyBottomed(level=2, card="tech_40", under=("tech_40",), looker=0, tile=2),
    )
    assert table.board.tiles[2].techs == ("tech_34", "tech_41")
    assert table.board.tech_decks[1][-1] == "tech_40"
