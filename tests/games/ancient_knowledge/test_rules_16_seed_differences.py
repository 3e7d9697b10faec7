"""Where the first summary of the rules differs from the published ones: each row as we play it."""

from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.events import KnowledgeRemoved, TimelineSlid
from domain.games.ancient_knowledge.scoring import points
from domain.games.ancient_knowledge.words import Score, Timing
from tests.games.ancient_knowledge.scenario import opening, scenario


def test_01_the_third_and_fourth_seat_get_a_card_and_two_seats_none() -> None:
    for seats, hands in ((2, [6, 6]), (4, [6, 6, 7, 7])):
        table = opening(seats, starting_hands="ready-made")
        start = table.board.start
        order = [(start + step) % seats for step in range(seats)]
        assert [len(table.hand(seat)) for seat in order] == hands


def test_02_ready_made_hands_are_an_option() -> None:
    assert opening(2).prompt(0) == "keep"
    table = opening(2, preset="first-game")
    assert table.prompt(table.board.start) == "action"


def test_03_technologies_are_displayed_before_the_hands_are_chosen() -> None:
    table = opening(2)
    assert (table.prompt(0), [len(tile.techs) for tile in table.board.tiles]) == ("keep", [3, 3, 3])


def test_04_a_decline_effect_comes_before_the_past() -> None:
    """Caral's learning sees the past without Caral."""
    laid = scenario().past_of(0, cities=3).tile(0, "tech_24", "tech_01", "tech_07")
    laid.tile(1, "tech_02", "tech_25", "tech_27")
    table = laid.timeline(0, "pyramid_09", space=1).at_decline_phase(0)
    assert (table.asked, table.past(0)[-1]) == ((1,), "pyramid_09")


def test_05_a_declined_card_has_only_its_endgame_effect() -> None:
    laid = scenario().past(0, "pyramid_31", "city_24", "city_05").hand(0, "city_20")
    table = laid.at_action(0, 2).plays(0, "playCard", card="city_20", space=2)
    assert table.kinds() == [
        *("ActionTaken", "MonumentCreated", "DeclineStarted", "TimelineSlid", "TurnStarted"),
    ]
    assert table.timeline(0) == {"city_20": "1L k2"}
    assert points(table.board, 0)["endgame"] == 2


def test_06_timeline_effects_are_compulsory() -> None:
    laid = scenario().timeline(0, "city_06").timeline(0, "city_24", space=1, knowledge=2)
    assert len(laid.at_timeline_phase(0).happened(KnowledgeRemoved)) == 1


def test_07_three_artifacts_have_a_cost() -> None:
    costs = {card.id: card.cost for card in BUILDER.values() if card.kind == "artifact"}
    assert {card: cost for card, cost in costs.items() if cost} == {
        "artifact_12": 3,
        "artifact_30": 1,
        "artifact_33": 3,
    }
    table = scenario().hand(0, "artifact_30", fill=1).at_action(0).picks(0, "create:artifact_30")
    assert (table.prompt(0), table.bounds(0)) == ("payment", (1, 1))


def test_08_cost_and_distance_add_up_and_a_lock_forbids_other_spaces() -> None:
    laid = scenario().hand(0, "megalith_01", "megalith_09", fill=3)
    assert laid.at_action(0).hints(0, "create:megalith_01@") == {
        "1": "cost 3",
        "2": "cost 2",
        "3": "cost 1",
        "4": "cost 2",
        "5": "cost 3",
        "6": "cost 4",
    }
    assert laid.at_action(0).hints(0, "create:megalith_09@") == {"3": "cost 1"}


def test_09_level_one_works_once_and_level_two_scores() -> None:
    for tech in TECHNOLOGY.values():
        timing = Timing.IMMEDIATE if tech.level == 1 else Timing.ENDGAME
        assert tech.timing is timing
        assert isinstance(tech.effect, Score) == (tech.level == 2)


def test_10_one_tile_flips_once_per_match() -> None:
    laid = scenario().past_of(0, cities=6).past_of(1, megaliths=6)
    laid.timeline(0, "city_24", space=1).timeline(1, "megalith_20", space=1)
    table = laid.at_decline_phase(0).picks(0, "tile:0").searches(1, 2)
    assert [tile.level for tile in table.board.tiles] == [2, 1, 2]
    assert table.asked == (0,)


def test_11_a_refill_comes_before_the_effect_of_the_technology() -> None:
    laid = scenario().tile(0, "tech_09", "tech_10").lost(0, 3)
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_09")
    assert table.kinds() == ["ActionTaken", "TechnologyLearned", "TileRefilled", "LostReduced"]


def test_12_no_more_cards_are_archived_than_there_is_knowledge() -> None:
    laid = scenario().hand(0, fill=5).timeline(0, "city_24", knowledge=1)
    table = laid.at_action(0).picks(0, "archive")
    assert table.bounds(0) == (1, 1)
    assert table.refusal(0, "pyramid_36", "pyramid_35") == "illegal_choice"


def test_13_cards_over_ten_are_ignored_and_nothing_is_discarded() -> None:
    laid = scenario().hand(0, fill=9).timeline(0, "megalith_12", space=1)
    table = laid.at_decline_phase(0)
    assert (len(table.hand(0)), table.discards()) == (10, ())


def test_14_a_past_has_no_upper_limit() -> None:
    laid = scenario().past_of(0, cities=14).timeline(0, "city_24", space=1)
    table = laid.timeline(0, "city_20", space=1).set(flipped=True).at_decline_phase(0)
    assert len(table.picks(0, "city_24").past(0)) == 16


def test_15_a_tie_goes_to_the_fewest_lost_then_it_is_shared() -> None:
    for lost, winners in (((1, 0), (1,)), ((0, 0), (0, 1))):
        laid = scenario(turn_cap=1).lost(0, lost[0]).lost(1, lost[1])
        if lost[0]:
            laid.past(0, "megalith_25")
        outcome = laid.at_action(0).searches(0, 2).outcome()
        assert outcome is not None
        assert outcome.scores == (0, 0)
        assert outcome.winners == winners


def test_16_search_is_always_there() -> None:
    assert scenario().bare().hand(0, fill=10).at_action(0).options(0, "search") == {""}


def test_17_an_upper_monument_slides_down_whenever_the_lower_one_leaves() -> None:
    laid = scenario().timeline(0, "city_24", space=1).timeline(0, "city_18", space=1)
    table = laid.timeline(0, "pyramid_12", space=2).at_decline_phase(0).picks(0, "city_24")
    assert table.happened(TimelineSlid) != ()
    assert table.timeline(0) == {"pyramid_12": "1L k0"}


def test_18_there_are_144_builder_cards_and_45_technologies() -> None:
    kinds = [card.category or card.kind for card in BUILDER.values()]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "city": 36,
        "megalith": 36,
        "pyramid": 36,
        "artifact": 36,
    }
    levels = [(tech.level, tech.tech_type) for tech in TECHNOLOGY.values()]
    assert {level: levels.count(level) for level in set(levels)} == {
        (1, "ancient"): 9,
        (1, "writing"): 9,
        (1, "secret"): 9,
        (2, "ancient"): 6,
        (2, "writing"): 6,
        (2, "secret"): 6,
    }


def test_19_creating_during_the_decline_phase_is_settled() -> None:
    laid = scenario().timeline(0, "megalith_11", space=1).hand(0, "pyramid_18")
    table = laid.at_decline_phase(0).picks(0, "pyramid_18@1").picks(0, "pyramid_18")
    assert (table.past(0), table.lost(0)) == (("megalith_11", "pyramid_18"), 1)


def test_the_checksums_of_the_components_hold() -> None:
    monuments = [card for card in BUILDER.values() if card.kind == "monument"]
    timings = [card.timing.value for card in monuments]
    assert {timing: timings.count(timing) for timing in set(timings)} == {
        "immediate": 27,
        "decline": 27,
        "endgame": 23,
        "timeline": 19,
        "passive": 12,
    }
    assert sum(card.vp for card in monuments) == 193
    assert sum(card.knowledge for card in monuments) == 357
    spaces = [card.space for card in monuments]
    assert [spaces.count(space) for space in range(1, 7)] == [4, 21, 34, 21, 20, 8]
    assert sum(card.locked for card in monuments) == 8
    costs = [card.cost for card in monuments]
    assert [costs.count(cost) for cost in (1, 2, 3, 4)] == [20, 10, 1, 1]
    timings = [card.timing.value for card in BUILDER.values() if card.kind == "artifact"]
    assert (timings.count("timeline"), timings.count("passive")) == (20, 16)
    demanding = [tech.level for tech in TECHNOLOGY.values() if tech.requirement is not None]
    assert (demanding.count(1), demanding.count(2)) == (10, 18)
