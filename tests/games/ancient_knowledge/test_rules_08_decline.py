import pytest

from domain.games.ancient_knowledge.events import (
    CardsDrawn,
    DeclineSkipped,
    MonumentDeclined,
    MonumentDeclining,
    MonumentDiscarded,
    TimelineSlid,
)
from tests.games.ancient_knowledge.scenario import scenario
from tests.games.ancient_knowledge.table import Table


def declined(table: Table) -> list[str]:
    """Return what declined in the last act, in order."""
    return [event.card for event in table.events if isinstance(event, MonumentDeclined)]


def test_space_one_declines_and_everything_else_slides() -> None:
    laid = scenario().timeline(0, "city_24", space=1, knowledge=2)
    laid.timeline(0, "city_18", space=2, knowledge=1).timeline(0, "city_20", space=2)
    table = laid.timeline(0, "megalith_20", space=6, knowledge=2).at_decline_phase(0)
    assert table.past(0) == ("city_24",)
    assert table.timeline(0) == {
        "city_18": "1L k1",
        "city_20": "1U k0",
        "megalith_20": "5L k2",
    }
    assert table.lost(0) == 2
    assert table.rotated(0) == set()


def test_other_seats_do_not_decline() -> None:
    table = scenario().timeline(1, "city_24", space=1, knowledge=2).at_decline_phase(0)
    assert (table.past(1), table.timeline(1)) == ((), {"city_24": "1L k2"})


def test_the_effect_comes_before_the_tokens_are_lost() -> None:
    """Pyramid Of Coba gives back what was lost before, its own tokens are lost afterwards."""
    laid = scenario().past_of(0, megaliths=3).lost(0, 3)
    table = laid.timeline(0, "pyramid_11", space=1, knowledge=2).at_decline_phase(0)
    assert (table.limits(0), table.bounds(0)) == ({"lost": 3}, (0, 3))
    assert table.board.declining == "pyramid_11"
    table.picks(0, "lost", "lost", "lost")
    assert table.kinds()[:2] == ["LostReduced", "MonumentDeclined"]
    assert table.lost(0) == 2


def test_tokens_of_a_declining_monument_may_be_removed_by_its_effect() -> None:
    """Derinkuyu takes 4 tokens off any city with 6, itself included."""
    table = scenario().timeline(0, "city_19", space=1, knowledge=7).at_decline_phase(0)
    assert table.options(0) == {"city_19:4"}
    table.picks(0, "city_19:4")
    assert table.lost(0) == 3


def test_a_declining_monument_does_not_count_as_past_yet() -> None:
    """Dolmen Of Gochang wants five megaliths in the past: it is not the fifth itself."""
    for megaliths, lost in ((4, 9), (5, 2)):
        laid = scenario().past_of(0, megaliths=megaliths).lost(0, 9)
        table = laid.timeline(0, "megalith_08", space=1).at_decline_phase(0)
        assert table.lost(0) == lost


def test_a_declining_monument_still_counts_for_the_timeline() -> None:
    """Tiwanaku, created by the declining Menhirs, takes a token off a city that declines next."""
    laid = scenario().hand(0, "city_20").timeline(0, "megalith_11", space=1)
    table = laid.timeline(0, "city_24", space=1, knowledge=2).at_decline_phase(0)
    table.picks(0, "megalith_11").picks(0, "city_20@2")
    assert table.lost(0) == 1
    laid = (
        scenario().hand(0, "megalith_23", fill=1).timeline(0, "megalith_11", space=1, knowledge=2)
    )
    table = laid.at_decline_phase(0)
    table.plays(0, "playCard", card="megalith_23", space=5, payment=["pyramid_36"])
    assert table.lost(0) == 1


def test_the_owner_picks_which_of_two_monuments_declines_first() -> None:
    laid = scenario().timeline(0, "city_24", space=1).timeline(0, "city_18", space=1)
    table = laid.at_decline_phase(0)
    assert (table.prompt(0), table.options(0)) == ("decline", {"city_24", "city_18"})
    assert table.bounds(0) == (1, 1)
    assert declined(table.fork().picks(0, "city_18")) == ["city_18", "city_24"]
    assert declined(table.picks(0, "city_24")) == ["city_24", "city_18"]


def test_the_upper_monument_slides_down_when_the_lower_one_has_declined() -> None:
    laid = scenario().timeline(0, "megalith_34", space=1).timeline(0, "megalith_15", space=1)
    table = laid.lost(0, 1).timeline(1, "city_24").tile(0, "tech_09", "tech_10", "tech_14")
    acting = table.at_decline_phase(0).picks(0, "megalith_34").passes(0)
    assert acting.timeline(0) == {"megalith_15": "1L k0"}
    assert acting.board.declining == "megalith_15"


# What enters space 1 during the phase declines too


def test_a_monument_created_in_space_one_declines_in_the_same_phase() -> None:
    laid = scenario().hand(0, "megalith_28", "pyramid_36").timeline(0, "megalith_11", space=1)
    table = laid.at_decline_phase(0)
    assert table.options(0) >= {"megalith_28@1", "pyramid_36@1"}
    table.plays(0, "playCard", card="pyramid_36", space=1, payment=["megalith_28"])
    assert table.prompt(0) is None
    assert declined(table) == ["megalith_11", "pyramid_36"]
    assert (table.lost(0), table.past(0)) == (3, ("megalith_11", "pyramid_36"))


def test_a_created_monument_has_its_effects_before_it_declines() -> None:
    laid = scenario().hand(0, "megalith_28").timeline(0, "megalith_11", space=1)
    table = laid.timeline(1, "city_24").at_decline_phase(0).picks(0, "megalith_28@1")
    assert table.prompt(0) == "add"
    table.picks(0, "city_24")
    assert table.timeline(1) == {"city_24": "5L k1"}
    assert declined(table) == ["megalith_11", "megalith_28"]


def test_a_monument_moved_into_space_one_declines_in_the_same_phase() -> None:
    laid = scenario().timeline(0, "pyramid_12", space=1, knowledge=1)
    table = laid.timeline(0, "city_24", space=5, knowledge=3).at_decline_phase(0)
    assert table.options(0) == {f"city_24>{space}" for space in (1, 2, 3, 4, 6)}
    table.picks(0, "city_24>1")
    assert declined(table) == ["pyramid_12", "city_24"]
    assert table.lost(0) == 4


def test_a_monument_swapped_into_space_one_declines_in_the_same_phase() -> None:
    """Lopburi Temple, created by the declining Menhirs, swaps itself into space 1."""
    laid = scenario().hand(0, "city_13").timeline(0, "megalith_11", space=1)
    table = laid.timeline(0, "city_18", space=1, knowledge=2).at_decline_phase(0)
    table.picks(0, "megalith_11").picks(0, "city_13@4")
    assert table.options(0) == {"city_18"}
    table.picks(0, "city_18")
    assert declined(table) == ["megalith_11", "city_13"]
    assert table.timeline(0) == {"city_18": "3L k2"}


def test_a_monument_swapped_out_of_space_one_does_not_decline() -> None:
    """Sator Square, learned through the declining Caral, swaps the other monument away."""
    laid = scenario().timeline(0, "pyramid_09", space=1).timeline(0, "city_28", space=1)
    laid.timeline(0, "city_24", space=3, knowledge=1).timeline(0, "city_18", space=4)
    table = laid.tile(0, "tech_16", "tech_01", "tech_02").at_decline_phase(0)
    table.picks(0, "pyramid_09").picks(0, "tech_16")
    assert table.options(0) == {"city_28", "city_24", "city_18"}
    assert table.bounds(0) == (2, 2)
    table.picks(0, "city_28", "city_24")
    assert declined(table) == ["pyramid_09", "city_24"]
    assert table.timeline(0) == {"city_28": "2L k0", "city_18": "3L k0"}


def test_a_monument_moved_out_of_space_one_does_not_decline() -> None:
    """Its decline effect does not happen either (it was resolved once, in another engine)."""
    laid = scenario().timeline(0, "city_15", space=1).timeline(0, "city_28", space=1, knowledge=3)
    table = laid.at_decline_phase(0).picks(0, "city_15").picks(0, "city_28>4")
    assert table.happened(MonumentDiscarded) == ()
    assert declined(table) == ["city_15"]
    assert table.timeline(0) == {"city_28": "3L k3"}


def test_a_declining_monument_can_neither_be_moved_nor_swapped() -> None:
    laid = scenario().timeline(0, "pyramid_09", space=1).timeline(0, "city_24", space=3)
    table = laid.tile(0, "tech_10", "tech_16", "tech_01").at_decline_phase(0)
    moving = table.fork().picks(0, "tech_10")
    assert moving.options(0) == {f"city_24>{space}" for space in (1, 2, 4, 5, 6)}
    swapping = table.picks(0, "tech_16")
    assert declined(swapping) == ["pyramid_09"]
    assert swapping.asked == (1,)


def test_a_declining_monument_is_not_moved_even_if_it_is_the_only_one() -> None:
    laid = scenario().timeline(0, "pyramid_09", space=1)
    table = laid.tile(0, "tech_10", "tech_01", "tech_02").at_decline_phase(0).picks(0, "tech_10")
    assert declined(table) == ["pyramid_09"]


# Self-discards


@pytest.mark.parametrize("number", [25, 26, 27, 28, 29])
def test_cities_with_tokens_left_are_discarded_instead(number: int) -> None:
    card = f"city_{number}"
    for knowledge, past in ((0, (card,)), (1, ()), (9, ())):
        table = scenario().timeline(0, card, space=1, knowledge=knowledge).at_decline_phase(0)
        assert (table.past(0), table.lost(0), table.timeline(0)) == (past, 0, {})
        assert table.discards() == (() if past else (card,))
        assert table.board.declining is None


def test_what_lies_above_a_discarded_city_slides_down_and_declines() -> None:
    laid = scenario().timeline(0, "city_29", space=1, knowledge=4)
    table = laid.timeline(0, "city_24", space=1, knowledge=1).at_decline_phase(0)
    table.picks(0, "city_29")
    assert table.kinds() == [
        "MonumentDeclining",
        "MonumentDiscarded",
        "MonumentDeclining",
        "MonumentDeclined",
        "TimelineSlid",
        "TurnStarted",
    ]
    assert (table.past(0), table.lost(0)) == (("city_24",), 1)


# Elongated Skulls (artifact_32)


@pytest.mark.parametrize(
    ("one", "other", "drawn"), [(1, 1, 0), (2, 1, 2), (3, 2, 2), (3, 3, 4), (9, 2, 6), (9, 9, 10)]
)
def test_elongated_skulls_draw_two_for_every_three_tokens_lost_in_the_phase(
    one: int, other: int, drawn: int
) -> None:
    laid = scenario().artifacts(0, "artifact_32").lost(0, 5)
    laid.timeline(0, "city_24", space=1, knowledge=one)
    table = laid.timeline(0, "city_18", space=1, knowledge=other).at_decline_phase(0)
    table.picks(0, "city_24")
    assert len(table.hand(0)) == drawn
    kinds = [*(["CardsDrawn"] if drawn else []), "TimelineSlid", "TurnStarted"]
    assert table.kinds()[-len(kinds) :] == kinds


def test_elongated_skulls_do_not_count_tokens_that_were_given_back_or_discarded() -> None:
    laid = scenario().artifacts(0, "artifact_32").timeline(0, "city_29", space=1, knowledge=8)
    table = laid.timeline(0, "city_24", space=1, knowledge=2).at_decline_phase(0)
    table.picks(0, "city_29")
    assert table.happened(CardsDrawn) == ()


def test_the_next_decline_phase_counts_anew() -> None:
    laid = scenario().artifacts(0, "artifact_32").timeline(0, "city_24", space=1, knowledge=2)
    table = laid.timeline(0, "city_18", space=2, knowledge=2).at_decline_phase(0)
    table.searches(1, 2).searches(0, 2)
    assert table.lost(0) == 4
    assert len(table.hand(0)) == 2


# Skipping


def test_potala_palace_skips_the_decline_phase_of_this_turn_slide_included() -> None:
    laid = scenario().hand(0, "city_30").timeline(0, "megalith_20", space=1, knowledge=2)
    table = laid.timeline(0, "city_18", space=4).at_action(0, 2)
    table.plays(0, "playCard", card="city_30", space=3)
    assert len(table.happened(DeclineSkipped)) == 1
    assert table.happened(TimelineSlid) == ()
    assert table.timeline(0) == {"megalith_20": "1L k2", "city_30": "3L k3", "city_18": "4L k0"}
    assert table.asked == (1,)
    table.searches(1, 2)
    assert len(table.happened(TimelineSlid)) == 1
    table.searches(0, 2)
    assert table.timeline(0) == {"city_30": "2L k3", "city_18": "3L k0"}


def test_a_skipped_phase_draws_nothing_for_elongated_skulls() -> None:
    laid = scenario().hand(0, "city_30").timeline(0, "megalith_20", space=1, knowledge=9)
    table = laid.artifacts(0, "artifact_32").at_action(0, 2)
    table.plays(0, "playCard", card="city_30", space=3)
    assert (table.hand(0), table.lost(0)) == (set(), 0)


def test_potala_palace_skips_the_phase_while_it_is_created() -> None:
    """Rules 11.1: part of step 5 of the creation, not one of the effects that wait for an order."""
    laid = scenario().hand(0, "city_30", fill=2).artifacts(0, "artifact_24")
    table = laid.at_action(0).plays(
        0, "playCard", card="city_30", space=5, payment=["pyramid_35", "pyramid_36"]
    )
    assert table.kinds()[-2:] == ["MonumentCreated", "DeclineSkipped"]
    assert (table.prompt(0), table.source(0), table.limits(0)) == (
        *("remove", "artifact_24", {"city_30": 3}),
    )


def test_potala_palace_created_during_the_decline_phase_skips_nothing() -> None:
    laid = scenario().hand(0, "city_30").timeline(0, "megalith_11", space=1)
    table = laid.timeline(0, "megalith_20", space=2).timeline(1, "city_18", space=1)
    acting = table.at_decline_phase(0).picks(0, "city_30@3")
    assert acting.happened(DeclineSkipped) == ()
    assert acting.timeline(0) == {"megalith_20": "1L k0", "city_30": "2L k3"}
    acting.searches(1, 2)
    assert acting.past(1) == ("city_18",)


# Declining and what follows


def test_a_monument_enters_the_past_straight() -> None:
    laid = scenario().past(0, "city_18", rotated=True).timeline(0, "city_24", space=1)
    assert laid.at_decline_phase(0).rotated(0) == {"city_18"}


def test_a_passive_monument_stops_working_once_it_has_declined() -> None:
    laid = scenario().timeline(0, "city_24", space=1).hand(0, "city_20")
    table = laid.at_action(0, 2).searches(0).searches(1, 2)
    table.plays(0, "playCard", card="city_20", space=2)
    assert table.timeline(0)["city_20"] == "2L k2"


def test_each_step_of_a_decline_is_an_event() -> None:
    table = scenario().timeline(0, "city_24", space=1, knowledge=2).at_decline_phase(0)
    assert table.happened(MonumentDeclining) == (MonumentDeclining(seat=0, card="city_24"),)
    assert table.happened(MonumentDeclined) == (MonumentDeclined(seat=0, card="city_24", lost=2),)
