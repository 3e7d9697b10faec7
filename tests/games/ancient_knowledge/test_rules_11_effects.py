import pytest

from domain.games.ancient_knowledge.board import neighbours
from domain.games.ancient_knowledge.events import (
    CardsDrawn,
    KnowledgeAdded,
    KnowledgeRemoved,
    MonumentMoved,
    MonumentsSwapped,
)
from tests.games.ancient_knowledge.scenario import Scenario, scenario

# Optional or compulsory (11.2)


@pytest.mark.parametrize(
    "card",
    [
        *("artifact_03", "artifact_07", "artifact_08", "artifact_09", "artifact_12"),
        *("artifact_13", "artifact_15", "artifact_21", "artifact_31", "artifact_33"),
    ],
)
def test_a_timeline_effect_that_says_may_can_be_declined(card: str) -> None:
    laid = scenario().artifacts(0, card).hand(0, "artifact_26", "artifact_28", "city_25")
    laid.past_of(0, pyramids=5).tile(0, "tech_09", "tech_01", "tech_02")
    laid.timeline(0, "city_24", space=5).timeline(0, "megalith_20", space=4, knowledge=3)
    table = laid.lost(0, 17 if card == "artifact_33" else 3).at_timeline_phase(0)
    assert (table.source(0), table.bounds(0)) == (card, (0, 1))
    assert table.passes(0).kinds() == ["DeclineStarted", "TimelineSlid", "TurnStarted"]


@pytest.mark.parametrize("card", ["megalith_34", "pyramid_09", "pyramid_10"])
def test_a_decline_effect_that_says_may_can_be_declined(card: str) -> None:
    laid = scenario().timeline(0, card, space=1).tile(0, "tech_09", "tech_01", "tech_02")
    table = laid.at_decline_phase(0)
    assert (table.prompt(0), table.bounds(0)) == ("learn", (0, 1))
    table.passes(0)
    if card == "pyramid_10":
        table.passes(0)
    assert (table.past(0), table.techs(0)) == ((card,), set())


@pytest.mark.parametrize(
    ("card", "space", "prompt"),
    [
        ("city_32", 3, "archive"),
        ("megalith_16", 2, "create"),
        ("megalith_18", 6, "create"),
        ("megalith_27", 3, "create"),
        ("pyramid_13", 4, "may"),
        ("pyramid_14", 3, "learn"),
        ("pyramid_16", 2, "create"),
    ],
)
def test_an_immediate_effect_that_says_may_can_be_declined(
    card: str, space: int, prompt: str
) -> None:
    laid = scenario().hand(0, card, "megalith_25", "artifact_26").artifacts(0, "artifact_29")
    table = laid.tile(0, "tech_09", "tech_01", "tech_02").at_action(0)
    table.plays(0, "playCard", card=card, space=space)
    assert (table.prompt(0), table.source(0), table.bounds(0)[0]) == (prompt, card, 0)
    assert table.passes(0).prompt(0) == "action"


@pytest.mark.parametrize(
    ("laid", "most"),
    [
        (scenario().timeline(0, "city_10").timeline(0, "city_21", knowledge=11), 2),
        (scenario().timeline(0, "pyramid_24").timeline(0, "city_21", knowledge=11), 2),
    ],
)
def test_up_to_leaves_the_amount_to_the_owner(laid: Scenario, most: int) -> None:
    table = laid.at_timeline_phase(0)
    assert (table.prompt(0), table.bounds(0)) == ("remove", (0, most))
    assert table.passes(0).happened(KnowledgeRemoved) == ()


@pytest.mark.parametrize(("tokens", "bounds"), [(0, None), (1, (1, 1)), (5, (1, 1))])
def test_a_plain_removal_takes_exactly_what_it_says_or_what_there_is(
    tokens: int, bounds: tuple[int, int] | None
) -> None:
    laid = scenario().hand(0, "pyramid_18").timeline(0, "megalith_20", knowledge=tokens)
    laid.artifacts(0, "artifact_36")
    laid.timeline(0, "city_34")
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_18", space=1)
    assert table.timeline(0)["pyramid_18"] == "1L k0"
    assert (table.bounds(0) if table.prompt(0) == "remove" else None) == bounds


def test_mummification_takes_as_many_tokens_as_there_are_artifacts() -> None:
    for artifacts, tokens, bounds in ((0, 5, None), (2, 5, (2, 2)), (2, 1, (1, 1)), (2, 0, None)):
        laid = scenario().artifacts(0, *["artifact_26", "artifact_28"][:artifacts])
        laid.timeline(0, "megalith_20", knowledge=tokens)
        table = laid.tile(0, "tech_12", "tech_02", "tech_07").at_action(0)
        table.plays(0, "learnTechnology", technology="tech_12")
        assert (table.bounds(0) if table.prompt(0) == "remove" else None) == bounds


def test_a_payment_is_all_or_nothing() -> None:
    for cards, asked in ((1, False), (2, True)):
        laid = scenario().artifacts(0, "artifact_03").hand(0, fill=cards)
        table = laid.timeline(0, "city_24", knowledge=4).at_timeline_phase(0)
        assert (table.prompt(0) == "may") == asked
    table.picks(0, "yes")
    assert (table.prompt(0), table.bounds(0)) == ("discard", (2, 2))
    table.picks(0, "pyramid_36", "pyramid_35")
    assert (table.prompt(0), table.bounds(0)) == ("remove", (0, 3))


def test_a_compulsory_learning_is_skipped_if_nothing_qualifies() -> None:
    past = ["city_24", "city_18", "city_20"]
    laid = scenario().past(0, *past).artifacts(0, "artifact_16")
    laid.tile(0, "tech_01", "tech_02", "tech_07").tile(1, "tech_08", "tech_18", "tech_23")
    table = laid.at_action(0).plays(0, "tapMonuments", monuments=past)
    assert table.options(0) == {"search", *(one for one in table.options(0) if "create" in one)}


# Primitive operations (11.3)


@pytest.mark.parametrize(
    ("card", "space", "tokens"),
    [("megalith_24", 3, 3), ("megalith_25", 2, 2), ("megalith_28", 1, 1)],
)
def test_tokens_are_added_to_one_monument_of_each_opponent(
    card: str, space: int, tokens: int
) -> None:
    laid = scenario(4).hand(0, card).timeline(1, "city_24", knowledge=1).timeline(1, "city_18")
    table = laid.timeline(3, "city_20").timeline(0, "city_34").at_action(0)
    table.plays(0, "playCard", card=card, space=space)
    assert (table.prompt(0), table.options(0), table.bounds(0)) == (
        *("add", {"city_24", "city_18"}),
        (1, 1),
    )
    table.picks(0, "city_18")
    assert table.events == (KnowledgeAdded(seat=1, card="city_18", tokens=tokens),)
    assert table.options(0) == {"city_20"}
    table.picks(0, "city_20")
    assert table.timeline(1) == {"city_24": "5L k1", "city_18": f"6L k{tokens}"}
    assert table.prompt(0) == "action"


def test_adding_without_a_target_is_skipped() -> None:
    table = scenario().hand(0, "megalith_24").at_action(0)
    table.plays(0, "playCard", card="megalith_24", space=3)
    assert table.prompt(0) == "action"


@pytest.mark.parametrize(
    ("card", "space"), [("megalith_24", 3), ("megalith_25", 2), ("megalith_28", 1)]
)
def test_the_first_seat_is_an_opponent_like_any_other(card: str, space: int) -> None:
    """Seat 0 alone once counted as nobody."""
    table = scenario().hand(1, card).timeline(0, "city_24").at_action(1)
    table.plays(1, "playCard", card=card, space=space)
    assert (table.prompt(1), table.options(1)) == ("add", {"city_24"})


def test_adding_goes_round_the_table_from_the_left() -> None:
    laid = scenario(3).hand(1, "megalith_28")
    table = laid.timeline(0, "city_24").timeline(2, "city_18").at_action(1)
    table.plays(1, "playCard", card="megalith_28", space=1)
    assert table.options(1) == {"city_18"}
    assert table.picks(1, "city_18").options(1) == {"city_24"}


def test_a_move_goes_to_another_space_lower_slot_first_and_costs_nothing() -> None:
    """Micro example D: what lay above slides down, tokens travel, locks do not matter."""
    laid = scenario().timeline(0, "pyramid_20", space=2, knowledge=3).timeline(0, "megalith_35", 2)
    laid.timeline(0, "city_07", space=3).tile(0, "tech_10", "tech_01", "tech_02")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_10")
    spaces = {f"pyramid_20>{space}" for space in (1, 3, 4, 5, 6)}
    spaces |= {f"megalith_35>{space}" for space in (1, 3, 4, 5, 6)}
    assert table.options(0) == spaces | {f"city_07>{space}" for space in (1, 4, 5, 6)}
    table.picks(0, "pyramid_20>3")
    assert table.events == (MonumentMoved(seat=0, card="pyramid_20", space=3),)
    assert table.timeline(0) == {
        "megalith_35": "2L k0",
        "city_07": "3L k0",
        "pyramid_20": "3U k3",
    }


def test_a_full_timeline_leaves_nothing_to_move() -> None:
    laid = scenario().tile(0, "tech_10", "tech_01", "tech_02").artifacts(0, "artifact_13")
    for space in range(1, 7):
        laid.timeline(0, f"city_{space:02d}", space=space)
        laid.timeline(0, f"megalith_{space:02d}", space=space)
    table = laid.at_action(0, 2).plays(0, "learnTechnology", technology="tech_10")
    assert table.prompt(0) == "decline"


def test_a_swap_exchanges_slots_with_their_tokens() -> None:
    laid = scenario().timeline(0, "pyramid_20", space=1, knowledge=3).timeline(0, "city_24", 1)
    laid.timeline(0, "city_18", space=4, knowledge=1).tile(0, "tech_16", "tech_01", "tech_02")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_16")
    assert (table.prompt(0), table.bounds(0)) == ("swap", (2, 2))
    assert table.limits(0) == {"pyramid_20": 1, "city_24": 1, "city_18": 1}
    same = table.fork().picks(0, "city_24", "pyramid_20")
    assert same.timeline(0) == {"city_24": "1L k0", "pyramid_20": "1U k3", "city_18": "4L k1"}
    table.picks(0, "city_18", "pyramid_20")
    assert table.events == (MonumentsSwapped(seat=0, one="city_18", other="pyramid_20"),)
    assert table.timeline(0) == {"city_18": "1L k1", "city_24": "1U k0", "pyramid_20": "4L k3"}


@pytest.mark.parametrize("monuments", [[], ["city_24"]])
def test_a_swap_needs_two_monuments(monuments: list[str]) -> None:
    laid = scenario().tile(0, "tech_16", "tech_01", "tech_02")
    for card in monuments:
        laid.timeline(0, card)
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_16")
    assert table.prompt(0) == "action"


@pytest.mark.parametrize(("rotated", "left"), [(0, 0), (1, 0), (2, 0), (4, 2)])
def test_straightening_asks_nothing(rotated: int, left: int) -> None:
    laid = scenario().past(0, *["city_24", "city_18", "city_20", "city_25"][:rotated], rotated=True)
    table = laid.tile(0, "tech_19", "tech_01", "tech_02").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_19")
    assert (len(table.rotated(0)), table.prompt(0)) == (left, "action")


@pytest.mark.parametrize(("lost", "left"), [(0, 0), (1, 0), (5, 3)])
def test_lost_knowledge_never_drops_below_nothing(lost: int, left: int) -> None:
    laid = scenario().lost(0, lost).tile(0, "tech_09", "tech_01", "tech_02")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_09")
    assert table.lost(0) == left


# Adjacency (11.4)


def cell(space: int, row: int) -> int:
    return 2 * (space - 1) + row


@pytest.mark.parametrize("space", range(1, 7))
@pytest.mark.parametrize("row", [0, 1])
def test_adjacency_is_orthogonal(space: int, row: int) -> None:
    around = {cell(space, 1 - row)}
    around |= {cell(other, row) for other in (space - 1, space + 1) if 1 <= other <= 6}
    assert set(neighbours(cell(space, row))) == around


def test_only_filled_neighbours_of_the_own_timeline_count() -> None:
    """Micro example D goes on: above and beside, but not diagonally."""
    laid = scenario().timeline(0, "megalith_35", space=2).timeline(0, "city_07", 3, knowledge=4)
    laid.timeline(0, "city_24", space=1, knowledge=4).timeline(0, "city_18", space=1, knowledge=4)
    laid.timeline(0, "city_20", space=2, knowledge=4).timeline(0, "city_25", space=5, knowledge=4)
    table = laid.timeline(1, "city_26", space=2, knowledge=4).at_timeline_phase(0)
    table.picks(0, "megalith_35")
    assert table.happened(KnowledgeRemoved) == (
        KnowledgeRemoved(seat=0, tokens={"city_24": 1, "city_07": 1, "city_20": 1}),
    )


# Order and nesting (11.5)


def test_parts_of_one_effect_come_in_printed_order() -> None:
    laid = scenario().timeline(0, "city_11", knowledge=2).tile(0, "tech_11", "tech_01", "tech_02")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_11")
    assert table.prompt(0) == "remove"
    assert table.happened(CardsDrawn) == ()
    table.picks(0, "city_11")
    assert table.kinds() == ["KnowledgeRemoved", "CardsDrawn"]


def test_two_cards_that_react_to_one_event_both_do() -> None:
    laid = scenario().hand(0, "artifact_26").timeline(0, "megalith_26", knowledge=3)
    laid.timeline(0, "pyramid_20", knowledge=4).tile(0, "tech_09", "tech_01", "tech_02")
    table = laid.at_action(0).plays(0, "playCard", card="artifact_26")
    assert table.options(0) == {"megalith_26", "pyramid_20"}
    table.picks(0, "megalith_26").picks(0, "pyramid_20")
    assert (table.prompt(0), table.source(0)) == ("learn", "pyramid_20")


def test_nesting_is_depth_first_and_keeps_the_outer_triggers() -> None:
    """Artifact, Borobudur, Ancient Greek, artifact, Borobudur again, then both for the Chabola."""
    laid = scenario().hand(0, "artifact_26", fill=2).timeline(0, "pyramid_20", knowledge=4)
    laid.timeline(0, "megalith_26", knowledge=3).artifacts(0, "artifact_17")
    laid.tile(0, "tech_22", "tech_09", "tech_05").deck("artifact_20", "city_24")
    table = laid.at_action(0).plays(0, "playCard", card="artifact_26")
    table.picks(0, "pyramid_20").picks(0, "tech_22")
    assert (table.prompt(0), table.options(0)) == ("create", {"artifact_20"})
    table.picks(0, "artifact_20")
    assert table.options(0) == {"pyramid_20", "megalith_26"}
    table.picks(0, "pyramid_20")
    assert table.options(0) >= {"tech_09", "tech_05"}
    table.picks(0, "tech_09")
    assert (table.source(0), table.prompt(0)) == ("megalith_26", "remove")
    assert len(table.happened(CardsDrawn)) == 1
    table.picks(0, "megalith_26")
    assert (table.source(0), table.prompt(0)) == ("megalith_26", "remove")
    assert table.kinds() == ["KnowledgeRemoved", "CardsDrawn", "AsideClosed", "CardsDrawn"]
    table.picks(0, "megalith_26")
    assert table.prompt(0) == "action"
    assert table.techs(0) == {"tech_22", "tech_09"}


def test_poulnabrone_dolmen_makes_four_monuments_of_one_action() -> None:
    """Create the Dolmen Of Menga: its own bonus and two of Poulnabrone (rules 11.5)."""
    laid = scenario().past_of(0, cities=11).timeline(0, "megalith_36")
    laid.hand(0, "megalith_18", "pyramid_25", "pyramid_36", "pyramid_26")
    table = laid.at_action(0).plays(0, "playCard", card="megalith_18", space=6)
    assert table.options(0) == {"megalith_18", "megalith_36"}
    table.picks(0, "megalith_18").picks(0, "pyramid_25@3")
    assert (table.prompt(0), table.source(0)) == ("create", "megalith_36")
    table.picks(0, "pyramid_36@2")
    assert (table.prompt(0), table.source(0)) == ("create", "megalith_36")
    table.picks(0, "pyramid_26@2")
    assert table.prompt(0) == "action"
    assert set(table.timeline(0)) == {
        *("megalith_36", "megalith_18", "pyramid_25", "pyramid_36", "pyramid_26"),
    }


@pytest.mark.parametrize(("past", "reacts"), [(10, False), (11, True), (13, True)])
def test_poulnabrone_dolmen_needs_eleven_monuments_in_the_past(past: int, reacts: bool) -> None:
    laid = scenario().past_of(0, cities=past).timeline(0, "megalith_36")
    table = laid.hand(0, "pyramid_36", "pyramid_26").at_action(0)
    table.plays(0, "playCard", card="pyramid_36", space=2)
    assert (table.source(0) == "megalith_36") == reacts


def test_poulnabrone_dolmen_reacts_neither_to_itself_nor_to_an_artifact() -> None:
    laid = scenario().past_of(0, cities=11).hand(0, "megalith_36", "artifact_26", "pyramid_36")
    table = laid.at_action(0).plays(0, "playCard", card="megalith_36", space=6)
    assert table.prompt(0) == "action"
    table.plays(0, "playCard", card="artifact_26")
    assert table.asked == (1,)


# Counting (11.6) and knowledge flow (11.7)


def test_a_set_counts_the_scarcest_type() -> None:
    laid = scenario().artifacts(0, "artifact_04").timeline(0, "city_24", knowledge=3)
    assert laid.timeline(0, "megalith_20").at_timeline_phase(0).asked == (1,)
    laid = scenario().artifacts(0, "artifact_04").timeline(0, "city_24", knowledge=3)
    laid.timeline(0, "megalith_20").timeline(0, "pyramid_36")
    assert laid.at_timeline_phase(0).prompt(0) == "remove"


def test_removed_tokens_go_to_the_supply() -> None:
    laid = scenario().hand(0, "pyramid_18").timeline(0, "city_24", knowledge=3)
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_18", space=1).picks(0, "city_24")
    assert (table.timeline(0)["city_24"], table.lost(0)) == ("5L k2", 0)


def test_lost_tokens_may_be_given_to_an_opponents_monument() -> None:
    laid = scenario().timeline(0, "megalith_15", space=1, knowledge=2).lost(0, 2)
    table = laid.timeline(1, "city_24").at_decline_phase(0)
    assert table.options(0) == {"1/city_24/1", "1/city_24/2"}
    table.picks(0, "1/city_24/2")
    assert (table.lost(0), table.lost(1), table.timeline(1)) == (2, 0, {"city_24": "5L k2"})
    laid = scenario().timeline(1, "megalith_15", space=1, knowledge=2).lost(1, 1)
    assert laid.timeline(0, "city_24").at_decline_phase(1).options(1) == {"0/city_24/1"}
