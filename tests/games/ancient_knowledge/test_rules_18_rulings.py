"""The rulings on open questions: every one that shows, by its number."""

import pytest

from domain.engine.events import Outcome
from domain.games.ancient_knowledge.events import CardsDrawn, DeckShuffled, TechnologyBottomed
from domain.games.ancient_knowledge.view import view
from tests.games.ancient_knowledge.scenario import Scenario, opening, scenario
from tests.games.ancient_knowledge.table import Table


def learns(laid: Scenario, tech: str) -> Table:
    """Let seat 0 learn a technology of a tile that keeps two others."""
    laid.tile(0, tech, *[one for one in ("tech_01", "tech_02", "tech_07") if one != tech][:2])
    return laid.at_action(0).plays(0, "learnTechnology", technology=tech)


def declines(laid: Scenario, card: str) -> Table:
    """Begin where a monument without tokens declines."""
    return laid.timeline(0, card, space=1).at_decline_phase(0)


def test_oq_01_and_02_display_first_and_a_random_start() -> None:
    tables = [opening(2, f"{number:032x}") for number in range(8)]
    assert {table.board.start for table in tables} == {0, 1}
    assert all(len(tile.techs) == 3 for table in tables for tile in table.board.tiles)


def test_oq_03_every_monument_found_in_space_one_before_the_slide_declines() -> None:
    """Moved in by the first, then moved on by nothing: four decline in one phase."""
    laid = scenario().timeline(0, "pyramid_12", 1).timeline(0, "city_15", 1)
    laid.timeline(0, "city_24", 3, knowledge=1).timeline(0, "city_20", 4, knowledge=1)
    table = laid.at_decline_phase(0).picks(0, "pyramid_12").picks(0, "city_24>2")
    assert (table.board.declining, table.source(0)) == ("city_15", "city_15")
    table.picks(0, "city_20>1")
    assert table.past(0) == ("pyramid_12", "city_15", "city_20")
    assert table.timeline(0) == {"city_24": "1L k1"}


def test_oq_04_coba_leaves_the_amount_to_the_owner() -> None:
    laid = scenario().past_of(0, megaliths=3).lost(0, 9)
    table = declines(laid, "pyramid_11")
    assert (table.limits(0), table.bounds(0)) == ({"lost": 4}, (0, 4))
    assert table.passes(0).lost(0) == 9


def test_oq_04_coba_takes_the_maximum_if_the_option_says_so() -> None:
    for lost, left in ((9, 5), (3, 0)):
        laid = scenario(lost_up_to="maximum").past_of(0, megaliths=3).lost(0, lost)
        table = declines(laid, "pyramid_11")
        assert table.bounds(0) == (lost - left, lost - left)
        assert table.picks(0, *["lost"] * (lost - left)).lost(0) == left


def test_oq_05_barabar_caves_leave_amount_and_target_to_the_owner() -> None:
    laid = scenario(3).lost(0, 9).timeline(1, "city_24").timeline(2, "city_20", knowledge=4)
    table = declines(laid, "megalith_15")
    amounts = {f"{where}/{n}" for where in ("1/city_24", "2/city_20") for n in (1, 2, 3)}
    assert (table.options(0), table.bounds(0)) == (amounts, (0, 1))
    none = table.fork().passes(0)
    assert none.lost(0) == 9
    table.picks(0, "2/city_20/2")
    assert (table.lost(0), table.timeline(2)) == (7, {"city_20": "2L k6"})


def test_oq_05_barabar_caves_give_the_maximum_if_the_option_says_so() -> None:
    laid = scenario(lost_up_to="maximum").lost(0, 9).timeline(1, "city_24")
    table = declines(laid, "megalith_15")
    assert (table.options(0), table.bounds(0)) == ({"1/city_24/3"}, (1, 1))
    laid = scenario(lost_up_to="maximum").lost(0, 2).timeline(1, "city_24")
    assert declines(laid, "megalith_15").options(0) == {"1/city_24/2"}


@pytest.mark.parametrize(("lost", "targets"), [(0, True), (3, False)])
def test_oq_05_barabar_caves_are_skipped_with_nothing_to_give(lost: int, targets: bool) -> None:
    for option in ("choice", "maximum"):
        laid = scenario(lost_up_to=option).lost(0, lost)
        if targets:
            laid.timeline(1, "city_24")
        assert declines(laid, "megalith_15").asked == (1,)


def test_oq_06_a_neighbour_with_one_token_may_be_chosen_beside_one_with_three() -> None:
    laid = scenario().hand(0, "pyramid_15").timeline(0, "city_24", 1, knowledge=3)
    table = laid.timeline(0, "city_20", 3, knowledge=1).at_action(0)
    table.plays(0, "playCard", card="pyramid_15", space=2)
    assert table.options(0) == {"city_24:1", "city_24:2", "city_24:3", "city_20:1"}


def test_oq_07_with_ten_cards_card_effects_are_skipped_without_looking() -> None:
    for card in ("pyramid_33", "pyramid_34", "megalith_14"):
        laid = scenario().hand(0, fill=10).hand(1, "city_24")
        assert len(declines(laid, card).board.deck) == 144 - 10 - 1 - 1
    assert len(learns(scenario().hand(0, fill=10), "tech_04").board.deck) == 144 - 10


def test_oq_07_looking_at_technologies_and_ancient_greek_work_with_a_full_hand() -> None:
    assert declines(scenario().hand(0, fill=10), "pyramid_07").prompt(0) == "learn"
    laid = scenario().hand(0, fill=10).deck("artifact_26")
    table = learns(laid, "tech_22").picks(0, "artifact_26")
    assert (table.artifacts(0), len(table.hand(0))) == ({"artifact_26"}, 10)


def test_oq_08_philae_takes_three_from_the_only_city_with_tokens() -> None:
    laid = scenario().hand(0, "city_31").timeline(0, "city_24", 5).timeline(0, "city_18", 6)
    laid.timeline(0, "city_20", 2, knowledge=5).artifacts(0, "artifact_28").past_of(0, cities=1)
    laid.timeline(0, "pyramid_22", 4)
    table = laid.at_action(0).plays(0, "playCard", card="city_31", space=3)
    assert table.timeline(0)["city_31"] == "3L k0"
    assert (table.options(0), table.bounds(0)) == ({"city_20"}, (1, 1))
    assert table.picks(0, "city_20").timeline(0)["city_20"] == "2L k2"


def test_oq_09_a_refill_deals_what_there_is_and_is_not_checked_again() -> None:
    laid = scenario().bare().tile(0, "tech_09", "tech_10").tile(1).tile(2)
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_09")
    assert [tile.techs for tile in table.board.tiles] == [("tech_10",), (), ()]
    table.plays(0, "learnTechnology", technology="tech_10")
    assert [tile.techs for tile in table.board.tiles] == [(), (), ()]
    assert table.board.tech_discards == ((), ())


def test_oq_09_a_flip_fills_the_other_level_one_tile_up() -> None:
    laid = scenario().bare().past_of(0, cities=6).tile(0, "tech_09").tile(2)
    laid.tile(1, "tech_16", "tech_19", "tech_20")
    table = declines(laid, "city_24").picks(0, "tile:1")
    assert len(table.board.tiles[0].techs) == 3
    assert set(table.board.tiles[0].techs) <= {"tech_09", "tech_16", "tech_19", "tech_20"}


def test_oq_10_tokens_of_a_discarded_city_are_neither_lost_nor_counted() -> None:
    laid = scenario().artifacts(0, "artifact_32").timeline(0, "city_27", 1, knowledge=6)
    table = laid.at_decline_phase(0)
    assert (table.lost(0), table.happened(CardsDrawn), table.discards()) == (0, (), ("city_27",))


def test_oq_11_a_requirement_is_met_with_or_without_one_reduction() -> None:
    for hand, learnable in ((0, True), (1, True), (2, False)):
        laid = scenario().timeline(0, "pyramid_19").hand(0, fill=hand)
        table = laid.tile(0, "tech_08", "tech_01", "tech_02").at_action(0)
        assert ("learn:tech_08" in table.options(0)) == learnable


def test_oq_12_an_effect_whose_condition_fails_may_be_used_up_on_purpose() -> None:
    laid = scenario().artifacts(0, "artifact_35", "artifact_14").lost(0, 5).hand(0, fill=2)
    table = laid.at_timeline_phase(0)
    assert table.hints(0) == {"artifact_14": None, "artifact_35": "would do nothing"}
    table.picks(0, "artifact_35")
    assert (len(table.hand(0)), table.asked) == (3, (1,))


def test_oq_13_an_artifact_created_in_the_timeline_phase_waits() -> None:
    laid = scenario().artifacts(0, "artifact_33").lost(0, 17).hand(0, fill=2)
    laid.tile(0, "tech_22", "tech_01", "tech_02").deck("artifact_14")
    table = laid.at_timeline_phase(0).picks(0, "tech_22").picks(0, "artifact_14")
    assert (table.asked, len(table.hand(0))) == ((1,), 2)


def test_oq_14_the_own_effect_of_a_technology_comes_first() -> None:
    laid = scenario().artifacts(0, "artifact_18", "artifact_20").deck("city_01", "city_02")
    table = learns(laid.hand(0, fill=8), "tech_04")
    assert (table.prompt(0), table.source(0)) == ("take", "tech_04")
    table.picks(0, "city_01")
    assert (table.prompt(0), table.options(0)) == ("next", {"artifact_18", "artifact_20"})


def test_oq_15_a_plain_removal_is_exact() -> None:
    laid = scenario().artifacts(0, "artifact_26", "artifact_28").timeline(0, "city_24", 4, 5)
    table = learns(laid, "tech_12")
    assert table.bounds(0) == (2, 2)
    assert table.refusal(0, "city_24") == "illegal_choice"


def test_oq_16_cards_given_up_at_setup_are_never_on_top() -> None:
    table = opening(2)
    for seat in (0, 1):
        table.picks(seat, *sorted(table.hand(seat))[:6])
    for viewer in (0, 1, None):
        shown = view(table.match, viewer)
        assert (shown.discard_pile, shown.discard_top) == (8, None)


def test_oq_16_no_card_is_on_top_after_a_reshuffle() -> None:
    laid = scenario().bare().discard("city_01", "city_02").at_action(0)
    assert view(laid.match, 1).discard_top == "city_02"
    laid.searches(0)
    assert len(laid.happened(DeckShuffled)) == 1
    assert view(laid.match, 1).discard_top is None


def test_oq_17_empty_archives_and_excavations_are_refused() -> None:
    laid = scenario().hand(0, fill=1).timeline(0, "city_24", knowledge=1).past(0, "city_20")
    table = laid.at_action(0)
    assert table.fork().picks(0, "archive").refusal(0) == "illegal_choice"
    assert table.fork().picks(0, "excavate").refusal(0) == "illegal_choice"
    assert table.refusal(0) == "illegal_choice"


def test_oq_18_calakmul_keeps_the_city_found_when_cities_run_out() -> None:
    laid = scenario().bare().deck("megalith_01").discard("city_01", "megalith_02")
    table = declines(laid, "pyramid_33")
    assert table.hand(0) == {"city_01"}
    assert set(table.discards()) == {"megalith_01", "megalith_02"}
    assert len(table.happened(DeckShuffled)) == 1


def test_oq_19_a_draw_goes_on_after_a_reshuffle() -> None:
    laid = scenario().bare().deck("city_01").discard("city_02", "city_03", "city_04")
    table = declines(laid, "megalith_12")
    assert table.hand(0) == {"city_01", "city_02", "city_03", "city_04"}


def test_oq_19_cards_looked_at_are_not_in_the_pile_yet() -> None:
    """A draw triggered inside Ancient Greek finds deck and discards empty."""
    laid = scenario().bare().deck("artifact_26", "city_01").timeline(0, "megalith_26", knowledge=3)
    laid.tile(0, "tech_22", "tech_01", "tech_02").tile(1).tile(2)
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_22")
    table.picks(0, "artifact_26").picks(0, "megalith_26")
    assert (table.kinds(), table.hand(0)) == (["KnowledgeRemoved", "AsideClosed"], set())
    assert table.discards() == ("city_01",)


@pytest.mark.parametrize("discards", [(), ("city_02",)])
def test_oq_19_cards_that_pay_for_a_draw_are_not_in_the_pile_yet(discards: tuple[str, ...]) -> None:
    laid = scenario().bare().tile(0).tile(1).tile(2).artifacts(0, "artifact_08")
    table = laid.hand(0, "city_01").discard(*discards).at_timeline_phase(0)
    table.picks(0, "yes").picks(0, "city_01")
    assert (table.hand(0), table.discards()) == (set(discards), ("city_01",))
    shuffled = [event for event in table.events if isinstance(event, DeckShuffled)]
    assert [(event.cards, event.left) for event in shuffled] == [(discards, 1)] * len(discards)


@pytest.mark.parametrize(
    ("cards", "hand", "order"),
    [(2, 0, [0, 1]), (5, 9, [0, 1]), (5, 8, [0, 1, 0]), (3, 0, [0, 1, 0])],
)
def test_oq_20_hermes_goes_on_until_cards_or_room_run_out(
    cards: int, hand: int, order: list[int]
) -> None:
    laid = scenario().bare().deck(*[f"city_{number:02d}" for number in range(1, cards + 1)])
    table = learns(laid.hand(0, fill=hand).tile(1).tile(2), "tech_03")
    took = []
    while table.prompt(table.asked[0]) == "take":
        took.append(table.asked[0])
        table.picks(took[-1], min(table.options(took[-1])))
    assert took == order
    assert len(table.discards()) == cards - len(order)


def test_oq_21_the_niches_shuffle_the_discards_in_for_seven() -> None:
    techs = [f"tech_{number}" for number in range(28, 36)]
    laid = scenario().bare().tile(0).tile(1).tile(2).tech_deck(2, *techs[:2])
    table = declines(laid.tech_discard(2, *techs[2:]), "pyramid_07")
    assert len(table.shown(0)) == 7
    assert set(techs[:2]) < table.shown(0)


def test_oq_22_the_second_pick_of_candi_kethek_sees_the_refilled_tile() -> None:
    laid = scenario().hand(0, "pyramid_35").tile(0, "tech_09", "tech_10")
    laid.tile(1, "tech_14", "tech_16", "tech_19").tile(2, "tech_34", "tech_40", "tech_41")
    table = laid.tech_deck(1, "tech_11", "tech_12", "tech_17").at_action(0)
    table.plays(0, "playCard", card="pyramid_35", space=2).picks(0, "tech_09")
    assert table.options(0) == {
        *("tech_11", "tech_12", "tech_17", "tech_14", "tech_16", "tech_19"),
        *("tech_34", "tech_40", "tech_41"),
    }
    table.picks(0, "tech_12")
    assert len(table.happened(TechnologyBottomed)) == 1
    assert table.board.tiles[0].techs == ("tech_11", "tech_17")


def test_oq_23_locks_matter_for_creation_only() -> None:
    laid = scenario().timeline(0, "pyramid_20").timeline(0, "city_35")
    table = learns(laid, "tech_10")
    assert "pyramid_20>6" in table.options(0)
    assert learns(scenario().timeline(0, "pyramid_20").timeline(0, "city_35"), "tech_16").options(
        0
    ) == {"pyramid_20", "city_35"}


def test_oq_24_potala_palace_works_in_the_actions_and_is_void_in_the_decline_phase() -> None:
    laid = scenario().timeline(0, "city_24", 1, knowledge=1).hand(0, "city_30")
    table = laid.at_action(0).plays(0, "playCard", card="city_30", space=3).searches(0)
    assert table.past(0) == ()
    table = declines(scenario().hand(0, "city_30"), "megalith_11").picks(0, "city_30@3")
    assert (table.past(0), table.timeline(0)) == (("megalith_11",), {"city_30": "2L k3"})


def test_oq_25_a_tie_after_lost_knowledge_is_shared() -> None:
    outcome = scenario(turn_cap=1).lost(0, 1).lost(1, 1).at_action(0).searches(0, 2).outcome()
    assert outcome == Outcome(winners=(0, 1), reasons=("turn_cap",), scores=(-1, -1))


def test_oq_26_more_may_be_excavated_than_is_useful() -> None:
    laid = scenario().hand(0, fill=10).past_of(0, cities=4)
    assert laid.at_action(0).picks(0, "excavate").bounds(0) == (1, 4)


def test_oq_27_poulnabrone_reacts_once_to_each_creation_that_it_did_not_grant() -> None:
    laid = scenario().past_of(0, cities=11).timeline(0, "megalith_36").hand(0, "pyramid_24")
    table = laid.hand(0, "pyramid_25", "pyramid_26").at_action(0)
    table.plays(0, "playCard", card="pyramid_24", space=3).picks(0, "pyramid_25@3")
    assert (table.prompt(0), table.board.actions) == ("action", 1)
    table.plays(0, "playCard", card="pyramid_26", space=2)
    assert table.prompt(0) is None


def test_oq_28_an_archive_takes_no_more_cards_than_tokens() -> None:
    laid = scenario().hand(0, fill=3).timeline(0, "city_24", knowledge=2)
    assert laid.at_action(0).picks(0, "archive").bounds(0) == (1, 2)


def test_oq_29_there_is_no_end_of_tokens() -> None:
    laid = scenario().timeline(1, "city_24", knowledge=500).hand(0, "megalith_24")
    table = laid.at_action(0).plays(0, "playCard", card="megalith_24", space=3).picks(0, "city_24")
    assert table.timeline(1) == {"city_24": "5L k503"}


@pytest.mark.parametrize("order", [("pyramid_36", "pyramid_35"), ("pyramid_35", "pyramid_36")])
def test_oq_30_the_last_card_selected_lies_on_top(order: tuple[str, str]) -> None:
    table = scenario().hand(0, "megalith_12", fill=2).at_action(0)
    table.plays(0, "playCard", card="megalith_12", space=2, payment=list(order))
    assert view(table.match, 1).discard_top == order[1]


def test_oq_31_genetic_disk_and_nimrud_lens_are_optional() -> None:
    laid = scenario().hand(0, "pyramid_22").artifacts(0, "artifact_24")
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_22", space=5)
    assert (table.limits(0), table.bounds(0)) == ({"pyramid_22": 3}, (0, 2))
    laid = scenario().artifacts(0, "artifact_30").timeline(0, "city_24", knowledge=3)
    table = learns(laid, "tech_09")
    assert (table.limits(0), table.bounds(0)) == ({"city_24": 3}, (0, 1))


def test_oq_32_ancient_greek_creates_if_it_can_and_pays_from_the_hand() -> None:
    laid = scenario().bare().deck("artifact_12", "artifact_30").hand(0, fill=1).tile(1).tile(2)
    table = learns(laid, "tech_22")
    assert (table.hints(0), table.bounds(0)) == ({"artifact_30": "cost 1"}, (1, 1))
    assert table.refusal(0) == "illegal_choice"
    table.picks(0, "artifact_30")
    assert (table.prompt(0), table.options(0)) == ("payment", {"pyramid_36"})


def test_oq_32_the_others_are_discarded_after_all_triggers() -> None:
    laid = scenario().bare().deck("artifact_26", "city_01").timeline(0, "pyramid_20")
    table = learns(laid.tile(1, "tech_09", "tech_10", "tech_14").tile(2), "tech_22")
    table.picks(0, "artifact_26")
    assert (table.prompt(0), table.source(0), table.discards()) == ("learn", "pyramid_20", ())
    table.picks(0, "tech_09")
    assert (table.kinds(), table.discards()) == (["TechnologyLearned", "AsideClosed"], ("city_01",))


def test_oq_33_a_reaction_whose_source_has_left_play_resolves() -> None:
    laid = scenario().hand(0, "pyramid_13").artifacts(0, "artifact_22")
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_13", space=4)
    table.picks(0, "pyramid_13").picks(0, "yes").picks(0, "artifact_22")
    assert (table.artifacts(0), len(table.hand(0))) == (set(), 1)


def test_oq_34_a_seat_that_left_answers_forced_discards_at_random() -> None:
    """One that was open and one that comes later; it keeps the rest out of play."""
    given = set()
    for number in range(8):
        laid = Scenario(opening(3, seed=f"{number:032x}").match).timeline(0, "megalith_10", 1)
        table = laid.timeline(0, "megalith_09", 1).hand(1, fill=5).at_decline_phase(0)
        table.picks(0, "megalith_10").concedes(1)
        assert (table.past(0), table.asked) == (("megalith_10", "megalith_09"), (2,))
        assert (len(table.hand(1)), len(table.discards())) == (2, 3)
        given.add(table.discards())
    assert len(given) > 1


def test_oq_34_the_turns_of_a_seat_that_left_are_skipped() -> None:
    table = scenario(3).at_action(0).concedes(1).searches(0, 2)
    assert table.asked == (2,)
