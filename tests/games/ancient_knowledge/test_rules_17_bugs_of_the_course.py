"""Faults that players or readers found in another implementation: each as it should be."""

import pytest

from domain.games.ancient_knowledge.catalogue import BUILDER
from domain.games.ancient_knowledge.events import (
    CardsDrawn,
    DeclineSkipped,
    KnowledgeRemoved,
    MonumentDiscarded,
    TileFlipped,
)
from domain.games.ancient_knowledge.scoring import points
from tests.games.ancient_knowledge.scenario import Scenario, opening, scenario
from tests.games.ancient_knowledge.table import Table


def creates(laid: Scenario, card: str, space: int) -> Table:
    """Let seat 0 create a monument that costs nothing."""
    return laid.hand(0, card).at_action(0).plays(0, "playCard", card=card, space=space)


def learns(laid: Scenario, tech: str) -> Table:
    """Let seat 0 learn a technology of a tile that keeps two others."""
    laid.tile(0, tech, *[one for one in ("tech_01", "tech_02", "tech_07") if one != tech][:2])
    return laid.at_action(0).plays(0, "learnTechnology", technology=tech)


# Flip and decline


def test_the_flip_happens_once_when_two_monuments_decline_together() -> None:
    laid = scenario().past_of(0, cities=6).timeline(0, "city_24", space=1)
    table = laid.timeline(0, "city_20", space=1).at_decline_phase(0).picks(0, "city_24")
    assert table.prompt(0) == "flip"
    assert table.refusal(1, "tile:0") == "not_your_turn"
    table.picks(0, "tile:0")
    assert table.refusal(0, "tile:1") == "not_your_turn"
    assert len(table.happened(TileFlipped)) == 1


def test_an_upper_monument_never_floats() -> None:
    """After a decline, a move and a discard of the lower one."""
    laid = scenario().timeline(0, "city_29", space=1, knowledge=1)
    laid.timeline(0, "pyramid_12", space=1).timeline(0, "city_24", 3).timeline(0, "city_20", 3)
    table = laid.at_decline_phase(0).picks(0, "city_29").picks(0, "city_24>6")
    assert table.timeline(0) == {"city_20": "2L k0", "city_24": "5L k0"}


def test_babylon_moved_out_of_space_one_does_not_fire() -> None:
    laid = scenario().timeline(0, "pyramid_12", space=1).timeline(0, "city_28", 1, knowledge=2)
    table = laid.at_decline_phase(0).picks(0, "pyramid_12").picks(0, "city_28>2")
    assert table.happened(MonumentDiscarded) == ()
    assert table.timeline(0) == {"city_28": "1L k2"}


def test_a_monument_created_in_space_one_during_the_decline_phase_is_not_lost() -> None:
    laid = scenario().timeline(0, "megalith_11", space=1).hand(0, "pyramid_26", "city_24")
    table = laid.at_decline_phase(0)
    table.plays(0, "playCard", card="pyramid_26", space=1, payment=["city_24"])
    assert (table.past(0), table.lost(0)) == (("megalith_11", "pyramid_26"), 1)


def test_a_monument_cannot_be_swapped_with_the_declining_one() -> None:
    laid = scenario().timeline(0, "megalith_11", space=1).hand(0, "city_13")
    table = laid.timeline(0, "city_35", space=4, knowledge=1).at_decline_phase(0)
    table.picks(0, "city_13@4")
    assert table.options(0) == {"city_35"}


def test_a_monument_swapped_into_space_one_declines() -> None:
    laid = scenario().timeline(0, "pyramid_09", space=1).timeline(0, "city_35", 1, knowledge=1)
    laid.timeline(0, "city_24", space=3, knowledge=2).tile(0, "tech_16", "tech_01", "tech_02")
    table = laid.at_decline_phase(0).picks(0, "pyramid_09").picks(0, "tech_16")
    table.picks(0, "city_35", "city_24")
    assert (table.past(0), table.lost(0)) == (("pyramid_09", "city_24"), 2)
    assert table.timeline(0) == {"city_35": "2L k1"}


def test_potala_palace_created_during_the_decline_phase_skips_nobodys_phase() -> None:
    laid = scenario().timeline(0, "megalith_11", space=1).hand(0, "city_30")
    table = laid.timeline(1, "city_24", space=1).at_decline_phase(0).picks(0, "city_30@3")
    assert (table.happened(DeclineSkipped), table.board.skip_decline) == ((), False)
    table.searches(1, 2)
    assert table.past(1) == ("city_24",)


# Discards


def test_luddite_flute_leaves_the_board_without_further_ado() -> None:
    laid = scenario().artifacts(0, "artifact_15").past(0, "city_24", "city_20", rotated=True)
    table = laid.at_timeline_phase(0).picks(0, "yes")
    assert (table.artifacts(0), table.rotated(0)) == (set(), set())
    assert table.discards() == ("artifact_15",)


def test_opponents_with_too_few_cards_give_what_they_have() -> None:
    laid = scenario(3).timeline(0, "megalith_09", space=1).hand(1, "city_24")
    table = laid.at_decline_phase(0)
    assert (table.discards(), table.past(0)) == (("city_24",), ("megalith_09",))


def test_a_forced_discard_takes_no_more_than_demanded() -> None:
    laid = scenario().timeline(0, "megalith_10", space=1).hand(1, "city_24", "city_20")
    assert laid.at_decline_phase(0).refusal(1, "city_24", "city_20") == "illegal_choice"


def test_moai_statue_takes_two_artifacts_out_of_the_hand() -> None:
    laid = scenario().artifacts(0, "artifact_07", "artifact_26")
    table = laid.hand(0, "artifact_28", "artifact_29", "city_24").at_timeline_phase(0)
    table.picks(0, "yes")
    assert (table.options(0), table.bounds(0)) == ({"artifact_28", "artifact_29"}, (2, 2))
    table.picks(0, "artifact_28", "artifact_29")
    assert len(table.hand(0)) == 5


def test_ancient_greek_offers_artifacts_with_a_cost() -> None:
    laid = scenario().bare().deck("artifact_12", "artifact_30", "artifact_26", "city_24")
    table = learns(laid.hand(0, fill=2).tile(1).tile(2), "tech_22")
    assert table.hints(0) == {"artifact_30": "cost 1", "artifact_26": "cost 0"}
    table.plays(0, "playCard", card="artifact_30", payment=["pyramid_36"])
    assert (table.artifacts(0), table.hand(0)) == ({"artifact_30"}, {"pyramid_35"})


def test_ancient_greek_takes_no_more_payment_than_the_cost() -> None:
    laid = scenario().bare().deck("artifact_30", "city_24").hand(0, fill=3).tile(1).tile(2)
    table = learns(laid, "tech_22").picks(0, "artifact_30")
    assert table.options(0) == {"pyramid_36", "pyramid_35", "pyramid_34"}
    assert table.refusal(0, "pyramid_36", "pyramid_35") == "illegal_choice"
    assert table.refusal(0, "city_24") == "illegal_choice"


# Technologies


def test_latin_alphabet_takes_level_two_only() -> None:
    laid = scenario().past_of(0, cities=5).tile(1, "tech_09", "tech_10", "tech_14")
    table = learns(laid.tile(2, "tech_30", "tech_40", "tech_41"), "tech_27")
    assert table.options(0) == {"tech_30", "tech_40", "tech_41"}


def test_ari_kat_with_candi_sukuh_may_be_short_of_one_monument_only() -> None:
    for past, learnable in (((3, 3, 2), True), ((3, 2, 2), False), ((3, 3, 1), False)):
        laid = scenario().past_of(0, *past).timeline(0, "pyramid_19")
        table = laid.tile(2, "tech_39", "tech_44", "tech_45").at_action(0)
        assert ("learn:tech_39" in table.options(0)) == learnable


def test_the_rest_of_the_niches_goes_under_the_level_two_deck() -> None:
    laid = scenario().timeline(0, "pyramid_07", space=1)
    laid.tech_deck(2, *[f"tech_{number}" for number in range(36, 44)])
    table = laid.at_decline_phase(0).passes(0)
    while table.prompt(0) == "bottom":
        table.picks(0, min(table.options(0)))
    one, two = table.board.tech_decks
    assert (two[0], two[-7:]) == ("tech_43", tuple(f"tech_{number}" for number in range(36, 43)))
    assert len(one) == 21


def test_the_niches_make_a_new_deck_of_the_discards() -> None:
    laid = scenario().bare().timeline(0, "pyramid_07", space=1).tile(0).tile(1).tile(2)
    table = laid.tech_discard(2, "tech_30", "tech_34").lost(0, 9).at_decline_phase(0)
    assert (table.options(0), table.shown(0)) == ({"tech_30"}, {"tech_30", "tech_34"})


def test_an_empty_technology_deck_is_made_from_its_discards() -> None:
    laid = scenario().bare().tile(0, "tech_09", "tech_10").tile(1).tile(2)
    table = laid.tech_discard(1, "tech_11", "tech_12").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_09")
    assert set(table.board.tiles[0].techs) == {"tech_10", "tech_11", "tech_12"}


def test_candi_sukuh_does_not_make_ptolemy_harder() -> None:
    laid = scenario().timeline(0, "pyramid_19").hand(0, fill=1)
    table = laid.tile(0, "tech_08", "tech_01", "tech_02").at_action(0)
    assert "learn:tech_08" in table.options(0)


def test_thales_gives_no_eleventh_card() -> None:
    table = learns(scenario().hand(0, fill=10), "tech_04")
    assert (len(table.hand(0)), table.prompt(0)) == (10, "action")


def test_a_tile_that_cannot_be_refilled_keeps_its_last_card() -> None:
    laid = scenario().bare().tile(0, "tech_09", "tech_10").tile(1).tile(2)
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_09")
    assert table.board.tiles[0].techs == ("tech_10",)
    assert "learn:tech_10" in table.options(0)


# Amounts


def test_fewer_tokens_than_required_cannot_be_confirmed() -> None:
    laid = scenario().artifacts(0, "artifact_26", "artifact_28", "artifact_29")
    table = learns(laid.timeline(0, "city_24", knowledge=5), "tech_12")
    assert table.bounds(0) == (3, 3)
    assert table.refusal(0, "city_24", "city_24") == "illegal_choice"


def test_a_single_target_does_not_take_the_maximum_by_itself() -> None:
    laid = scenario().artifacts(0, "artifact_21").timeline(0, "city_24", knowledge=5)
    table = laid.at_timeline_phase(0).picks(0, "yes")
    assert (table.limits(0), table.bounds(0)) == ({"city_24": 5}, (0, 4))


def test_xixia_wangling_offers_every_neighbour_with_tokens() -> None:
    laid = scenario().timeline(0, "city_24", space=1, knowledge=3)
    laid.timeline(0, "city_20", space=2, knowledge=1)
    assert creates(laid, "pyramid_15", 2).options(0) == {"city_20:1"}
    laid = scenario().timeline(0, "city_24", 2, knowledge=3).timeline(0, "city_20", 1)
    laid.timeline(0, "megalith_20", space=1, knowledge=1)
    assert creates(laid, "pyramid_15", 2).options(0) == {
        *("city_24:1", "city_24:2", "city_24:3"),
        "megalith_20:1",
    }


def test_philae_takes_three_from_each_of_two_cities() -> None:
    laid = scenario().timeline(0, "city_18", knowledge=4).timeline(0, "city_26", knowledge=5)
    table = creates(laid.timeline(0, "city_20"), "city_31", 3).picks(0, "city_18", "city_26")
    assert table.happened(KnowledgeRemoved) == (
        KnowledgeRemoved(seat=0, tokens={"city_26": 3, "city_18": 3}),
    )


# Decks


def test_calakmul_ends_without_a_city_left() -> None:
    laid = scenario().bare().timeline(0, "pyramid_33", space=1).deck("megalith_01")
    table = laid.discard("pyramid_01", "megalith_02").at_decline_phase(0)
    assert (table.hand(0), len(table.discards()), table.asked) == (set(), 3, (1,))


def test_cards_turned_over_by_calakmul_are_not_shuffled_in_and_drawn_again() -> None:
    laid = scenario().bare().timeline(0, "pyramid_33", space=1)
    laid.deck("megalith_01", "megalith_02").discard("city_01", "megalith_03")
    table = laid.at_decline_phase(0)
    assert table.hand(0) == {"city_01"}
    assert sorted(table.discards()) == ["megalith_01", "megalith_02", "megalith_03"]
    assert table.kinds().count("DeckShuffled") == 1


def test_the_number_of_cards_kept_at_setup_is_checked() -> None:
    table = opening(2)
    assert table.refusal(0, *sorted(table.hand(0))[:7]) == "illegal_choice"


# Other situations worth a test


def test_an_action_may_come_to_four_monuments() -> None:
    laid = scenario().past_of(0, cities=11).timeline(0, "megalith_36", 5)
    laid.hand(0, "megalith_18", "pyramid_24", "pyramid_25", "pyramid_26")
    table = laid.at_action(0).plays(0, "playCard", card="megalith_18", space=6)
    table.picks(0, "megalith_36").picks(0, "pyramid_24@3").picks(0, "pyramid_25@3")
    assert (table.prompt(0), table.source(0)) == ("create", "megalith_36")
    table.picks(0, "pyramid_26@2")
    assert (table.prompt(0), len(table.timeline(0))) == ("action", 5)


def test_antikythera_keeps_a_monument_from_declining_this_turn() -> None:
    laid = scenario().artifacts(0, "artifact_06").timeline(0, "city_24", 1, knowledge=4)
    table = laid.timeline(0, "city_20", 1, knowledge=1).at_timeline_phase(0).picks(0, "city_24>3")
    assert (table.past(0), table.timeline(0)) == (("city_20",), {"city_24": "2L k4"})


def test_tulum_before_or_after_a_draw_with_an_empty_hand() -> None:
    laid = scenario().timeline(0, "city_35", knowledge=1).timeline(0, "pyramid_31", 5)
    table = laid.deck("city_24").at_timeline_phase(0)
    assert table.hints(0) == {"city_35": "would do nothing", "pyramid_31": None}
    first = table.fork().picks(0, "city_35")
    assert (first.hand(0), first.discards()) == ({"city_24"}, ())
    table.picks(0, "pyramid_31")
    assert (table.prompt(0), table.options(0)) == ("discard", {"city_24"})


def test_barabar_caves_give_before_their_own_tokens_are_lost() -> None:
    laid = scenario().timeline(0, "megalith_15", space=1, knowledge=3)
    table = laid.timeline(1, "city_24").at_decline_phase(0)
    assert (table.asked, table.lost(0)) == ((1,), 3)


def test_elongated_skulls_count_only_tokens_lost_by_declining_in_this_phase() -> None:
    laid = scenario().artifacts(0, "artifact_32").lost(0, 30)
    laid.timeline(0, "city_29", space=1, knowledge=6)
    table = laid.timeline(0, "city_24", space=1, knowledge=2).at_decline_phase(0)
    assert table.picks(0, "city_29").happened(CardsDrawn) == ()


def test_two_seats_pass_fourteen_and_the_second_wins() -> None:
    laid = scenario().set(flipped=True).past_of(0, megaliths=13).past_of(1, cities=13)
    laid.timeline(0, "megalith_24", space=1, knowledge=9).timeline(1, "city_29", space=1)
    table = laid.at_decline_phase(0).searches(1, 2)
    outcome = table.outcome()
    assert outcome is not None
    assert (len(table.past(0)), len(table.past(1)), outcome.winners) == (14, 14, (1,))


@pytest.mark.parametrize(
    "card", [card.id for card in BUILDER.values() if card.timing.value == "endgame"]
)
def test_every_endgame_effect_can_score(card: str) -> None:
    """Osirion, Dolmen Of Ganghwa and Khafre were once said never to."""
    laid = scenario().past(0, card).past_of(0, cities=9, megaliths=9, pyramids=9).lost(0, 20)
    laid.techs(0, *[f"tech_{number:02d}" for number in range(1, 46) if number % 3 < 2])
    for monument in ("city_24", "megalith_20", "pyramid_22"):
        laid.timeline(0, monument, 1 if monument == "city_24" else 2)
    assert points(laid.at_action(0).board, 0)["endgame"] > 0
