"""Faults that players or readers found in another implementation: each as it should be."""

import pytest

from domain.games.ancient_knowledge.scoring import points
from tests.games.ancient_knowledge.scenario import Scenario, scenario
from tests.games.ancient_knowledge.table import Table


def creates(laid: Scenario, card: str, space: int) -> Table:
    """Let seat 0 create a monument that costs nothing."""
    return laid.hand(0, card).at_action(0).plays(0, "playCard", card=card, space=space)


def learns(laid: Scenario, tech: str) -> Table:
    """Let seat 0 learn a technology of a tile that keeps two others."""
    laid.tile(0, tech, *[one for one in ("tech_01", "tech_02", "tech_07") if one != tech][:2])
    return laid.at_action(0).plays(0, "learnTechnology", technology=tech)


# "Other" means other


def test_neferirkare_takes_no_token_off_itself() -> None:
    laid = scenario().timeline(0, "pyramid_30", knowledge=4).timeline(0, "city_24", 4, knowledge=1)
    assert laid.at_timeline_phase(0).limits(0) == {"city_24": 1}


def test_mycenae_takes_no_token_off_itself() -> None:
    laid = scenario().timeline(0, "city_21", space=1, knowledge=4)
    table = laid.timeline(0, "city_24", knowledge=9).at_decline_phase(0)
    assert (table.limits(0), table.bounds(0)) == ({"city_24": 9}, (0, 7))


def test_stenness_and_tiwanaku_take_no_token_off_themselves() -> None:
    laid = scenario().timeline(0, "megalith_12", knowledge=2).hand(0, "megalith_23", fill=1)
    table = laid.at_action(0)
    table.plays(0, "playCard", card="megalith_23", space=5, payment=["pyramid_36"])
    assert table.timeline(0) == {"megalith_23": "5L k2", "megalith_12": "2L k1"}
    table = creates(scenario().timeline(0, "city_26", knowledge=2), "city_20", 2)
    assert table.timeline(0) == {"city_20": "2L k2", "city_26": "3L k1"}


def test_memnon_does_not_reduce_itself() -> None:
    assert creates(scenario(), "megalith_20", 5).timeline(0) == {"megalith_20": "5L k2"}


# Thresholds


@pytest.mark.parametrize(("lost", "drawn"), [(0, 1), (2, 1), (3, 0)])
def test_petra_draws_with_two_lost_at_most(lost: int, drawn: int) -> None:
    laid = scenario().timeline(0, "city_09").past_of(0, megaliths=1).lost(0, lost)
    assert len(laid.at_timeline_phase(0).hand(0)) == drawn


@pytest.mark.parametrize(("lost", "works"), [(0, True), (3, True), (4, False)])
def test_tzolkin_and_quipus_work_with_three_lost_at_most(lost: int, works: bool) -> None:
    laid = scenario().past_of(0, megaliths=1).lost(0, lost).timeline(0, "city_24", knowledge=1)
    assert (laid.artifacts(0, "artifact_09").at_timeline_phase(0).asked == (0,)) == works
    laid = scenario().past_of(0, megaliths=1).lost(0, lost).artifacts(0, "artifact_10")
    assert bool(laid.at_timeline_phase(0).hand(0)) == works


@pytest.mark.parametrize(("megaliths", "lost"), [(3, 5), (4, 4), (9, 4)])
def test_disk_of_sabu_needs_four_megaliths(megaliths: int, lost: int) -> None:
    laid = scenario().past_of(0, 3, megaliths, 3).lost(0, 5).artifacts(0, "artifact_01")
    assert laid.at_timeline_phase(0).lost(0) == lost


@pytest.mark.parametrize(("megaliths", "lost"), [(4, 9), (5, 2), (6, 2), (9, 2)])
def test_gochang_needs_at_least_five_megaliths_and_works_on_decline(
    megaliths: int, lost: int
) -> None:
    laid = scenario().past_of(0, megaliths=megaliths).lost(0, 9)
    assert laid.timeline(0, "megalith_08", space=1).at_decline_phase(0).lost(0) == lost


def test_gochang_does_nothing_when_it_is_created() -> None:
    laid = scenario().past_of(0, megaliths=5).lost(0, 9)
    assert creates(laid, "megalith_08", 4).lost(0) == 9


def test_angkor_wat_needs_a_city_in_the_past_not_any_monument() -> None:
    laid = scenario().past_of(0, megaliths=3, pyramids=3).timeline(0, "city_18")
    assert creates(laid, "city_20", 2).timeline(0)["city_20"] == "2L k2"


def test_mystery_school_counts_cities_on_the_timeline_not_in_the_past() -> None:
    laid = scenario().past_of(0, cities=5).timeline(0, "city_24").timeline(0, "megalith_20")
    assert len(learns(laid, "tech_13").hand(0)) == 1


def test_comalcalco_temple_counts_endgame_monuments_only() -> None:
    board = scenario().past(0, "pyramid_32", "city_05", "city_24").at_action(0).board
    assert points(board, 0)["endgame"] == 2 + 2


# Never below nothing


def test_no_removal_takes_more_than_there_is() -> None:
    laid = scenario().timeline(0, "city_31", knowledge=2).timeline(0, "city_18", knowledge=1)
    laid.timeline(0, "city_26", knowledge=3).timeline(0, "city_20", knowledge=3)
    laid.artifacts(0, "artifact_28")
    table = learns(laid, "tech_11")
    assert list(table.timeline(0).values()) == ["2L k2", "3L k1", "3U k2", "6L k0"]
    laid = scenario().hand(0, "city_31").timeline(0, "city_18", knowledge=1)
    laid.timeline(0, "city_26", knowledge=3).timeline(0, "city_20", knowledge=2)
    table = laid.at_action(0).plays(0, "playCard", card="city_31", space=3)
    table.picks(0, "city_18", "city_20")
    assert (table.timeline(0)["city_18"], table.timeline(0)["city_20"]) == ("6L k0", "2L k0")


# Not forced where optional or impossible


@pytest.mark.parametrize(("card", "space"), [("megalith_18", 6), ("megalith_27", 3)])
def test_a_bonus_creation_without_a_card_is_not_offered(card: str, space: int) -> None:
    assert creates(scenario(), card, space).prompt(0) == "action"


def test_the_menhirs_without_a_card_just_decline() -> None:
    table = scenario().timeline(0, "megalith_11", space=1).at_decline_phase(0)
    assert (table.asked, table.past(0)) == ((1,), ("megalith_11",))


def test_pachamama_without_a_technology_to_learn_is_not_offered() -> None:
    laid = scenario().bare().past_of(0, pyramids=5).artifacts(0, "artifact_12")
    assert laid.tile(0, "tech_44").tile(1).tile(2).at_timeline_phase(0).asked == (1,)


def test_piri_reis_map_without_an_empty_monument_is_not_offered() -> None:
    laid = scenario().artifacts(0, "artifact_13").timeline(0, "city_24", knowledge=1)
    assert laid.at_timeline_phase(0).asked == (1,)


def test_tzolkin_without_tokens_is_not_offered() -> None:
    laid = scenario().artifacts(0, "artifact_09").past_of(0, cities=1).timeline(0, "city_24")
    assert laid.at_timeline_phase(0).asked == (1,)


def test_borobudur_without_a_technology_to_learn_is_not_offered() -> None:
    laid = scenario().hand(0, "artifact_26").timeline(0, "pyramid_20")
    assert laid.at_action(0).plays(0, "playCard", card="artifact_26").prompt(0) == "action"


def test_crystal_skull_without_a_technology_to_learn_is_skipped() -> None:
    past = ["city_24", "megalith_20", "pyramid_36"]
    laid = scenario().bare().past(0, *past).artifacts(0, "artifact_16")
    table = laid.tile(0, "tech_44").tile(1).tile(2).at_action(0)
    assert table.plays(0, "tapMonuments", monuments=past).prompt(0) == "action"


def test_kerloas_with_all_opponents_without_cards_is_skipped() -> None:
    table = scenario(3).timeline(0, "megalith_14", space=1).at_decline_phase(0)
    assert (table.asked, table.past(0)) == ((1,), ("megalith_14",))


def test_latin_alphabet_without_level_two_on_display_is_skipped() -> None:
    laid = scenario().bare().past_of(0, cities=5).tile(1).tile(2)
    assert learns(laid, "tech_27").prompt(0) == "action"


def test_the_pyramid_of_the_niches_with_no_technology_left_asks_nothing() -> None:
    laid = scenario().bare().timeline(0, "pyramid_07", space=1).tile(0).tile(1).tile(2)
    table = laid.at_decline_phase(0)
    assert (table.asked, table.past(0)) == ((1,), ("pyramid_07",))


def test_hermes_passes_over_a_full_hand() -> None:
    table = learns(scenario().hand(0, fill=10).hand(1, fill=3), "tech_03")
    assert (table.asked, table.prompt(1)) == ((1,), "take")
    table.picks(1, min(table.options(1)))
    assert (table.prompt(0), len(table.hand(0))) == ("action", 10)


def test_a_timeline_phase_in_which_nothing_can_happen_passes_by_itself() -> None:
    laid = scenario().timeline(0, "city_07", 6, knowledge=3).timeline(0, "city_06", knowledge=1)
    assert laid.artifacts(0, "artifact_35").hand(0, fill=2).at_timeline_phase(0).asked == (1,)


def test_candi_kethek_with_nothing_displayed_does_nothing() -> None:
    laid = scenario().bare().hand(0, "pyramid_35").tile(0).tile(1).tile(2)
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_35", space=2)
    assert table.prompt(0) == "action"


def test_a_move_on_a_full_timeline_has_a_way_out() -> None:
    laid = scenario()
    for space in range(1, 7):
        laid.timeline(0, f"city_{space:02d}", space=space)
        laid.timeline(0, f"megalith_{space:02d}", space=space)
    assert learns(laid, "tech_10").prompt(0) == "action"


# Never more than ten cards


def test_calakmul_stops_when_the_hand_is_full() -> None:
    laid = scenario().bare().timeline(0, "pyramid_33", space=1).hand(0, fill=9)
    table = laid.deck("megalith_01", "city_01", "city_02").at_decline_phase(0)
    assert "city_01" in table.hand(0)
    assert (table.discards(), table.board.deck) == (("megalith_01",), ("city_02",))


@pytest.mark.parametrize("card", ["pyramid_33", "pyramid_34", "megalith_14"])
def test_with_a_full_hand_nothing_is_looked_at(card: str) -> None:
    laid = scenario().timeline(0, card, space=1).hand(0, fill=10).hand(1, "city_24")
    table = laid.at_decline_phase(0)
    assert table.kinds() == [
        *("DeclineStarted", "MonumentDeclining", "MonumentDeclined"),
        *("TimelineSlid", "TurnStarted"),
    ]


def test_repeated_draws_stop_at_ten() -> None:
    laid = scenario().hand(0, fill=9).artifacts(0, "artifact_17", "artifact_20")
    table = learns(laid.past_of(0, megaliths=2), "tech_25")
    assert len(table.hand(0)) == 10


# Who gets what


def test_hermes_gives_each_card_to_who_took_it() -> None:
    laid = scenario(3).deck("city_01", "city_02", "city_03", "city_04", "city_05")
    table = learns(laid, "tech_03")
    table.picks(0, "city_05").picks(1, "city_04").picks(2, "city_03").picks(0, "city_02")
    assert [table.hand(seat) for seat in range(3)] == [
        {"city_05", "city_02"},
        {"city_04"},
        {"city_03"},
    ]


def test_flammel_gives_back_one_token() -> None:
    assert learns(scenario().lost(0, 5), "tech_05").lost(0) == 4
