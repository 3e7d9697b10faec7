"""The worked example: two rounds of Ana (seat 0) and Ben (seat 1), then the micro examples."""

from domain.engine.events import Outcome
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.events import TileFlipped, TileRefilled
from domain.games.ancient_knowledge.scoring import points
from tests.games.ancient_knowledge.scenario import Scenario, scenario
from tests.games.ancient_knowledge.table import Table, census

ANA = ("artifact_04", "artifact_28", "city_06", "city_16", "megalith_18", "pyramid_18")
BEN = ("megalith_28", "pyramid_31", "city_29", "artifact_21", "megalith_31", "pyramid_25")
GIVEN_UP = tuple(f"pyramid_{number:02d}" for number in range(1, 9))


def start() -> Table:
    """Return the example after the draft: the first action of Ana."""
    laid = scenario().hand(0, *ANA).hand(1, *BEN).discard(*GIVEN_UP)
    laid.tile(0, "tech_26", "tech_05", "tech_10").tile(1, "tech_08", "tech_24", "tech_16")
    laid.tile(2, "tech_34", "tech_41", "tech_30").tech_deck(1, "tech_12", "tech_17", "tech_20")
    return laid.deck("megalith_34", "city_01", "city_02").at_action(0)


def round_one_ana(table: Table) -> None:
    table.plays(0, "playCard", card="artifact_04")
    assert (table.artifacts(0), len(table.hand(0))) == ({"artifact_04"}, 5)
    table.plays(0, "playCard", card="megalith_18", space=6)
    assert (table.timeline(0), len(table.hand(0))) == ({"megalith_18": "6L k3"}, 4)
    assert (table.prompt(0), table.source(0), table.bounds(0)) == ("create", "megalith_18", (0, 1))
    assert table.hints(0, "city_06@")["3"] == "cost 1"
    table.plays(0, "playCard", card="city_06", space=3, payment=["city_16"])
    assert table.hand(0) == {"artifact_28", "pyramid_18"}
    assert (len(table.discards()), table.discards()[-1]) == (9, "city_16")
    assert table.timeline(0) == {"city_06": "2L k2", "megalith_18": "5L k3"}
    assert table.kinds()[-3:] == ["DeclineStarted", "TimelineSlid", "TurnStarted"]


def round_one_ben(table: Table) -> None:
    table.plays(1, "playCard", card="megalith_28", space=1)
    assert (table.timeline(1), len(table.hand(1))) == ({"megalith_28": "1L k2"}, 5)
    assert (table.prompt(1), table.options(1)) == ("add", {"city_06", "megalith_18"})
    table.picks(1, "city_06")
    assert table.timeline(0)["city_06"] == "2L k3"
    table.plays(1, "learnTechnology", technology="tech_05")
    assert table.happened(TileRefilled) == ()
    assert table.board.tiles[0].techs == ("tech_26", "tech_10")
    assert "megalith_34" in table.hand(1)
    assert (len(table.hand(1)), len(table.board.deck)) == (6, 123)
    assert (table.lost(1), table.past(1), table.rotated(1)) == (2, ("megalith_28",), set())


def round_two_ana(table: Table) -> None:
    table.plays(0, "playCard", card="pyramid_18", space=1)
    assert table.limits(0) == {"pyramid_18": 2, "city_06": 3, "megalith_18": 3}
    assert table.bounds(0) == (1, 1)
    table.picks(0, "city_06")
    assert (table.timeline(0)["city_06"], table.hand(0)) == ("2L k2", {"artifact_28"})
    table.plays(0, "learnTechnology", technology="tech_26")
    assert table.happened(TileRefilled) == (
        TileRefilled(tile=0, discarded=("tech_10",), dealt=("tech_12", "tech_17", "tech_20")),
    )
    assert len(table.board.tech_decks[0]) == 18
    assert (table.asked, table.prompt(1), table.bounds(1)) == ((1,), "forced_discard", (1, 1))
    assert table.options(1) == table.hand(1)
    table.picks(1, "pyramid_25")
    assert (len(table.hand(1)), len(table.discards())) == (5, 10)
    assert table.hints(0) == {"artifact_04": None, "city_06": "would do nothing"}
    table.picks(0, "artifact_04")
    assert (table.prompt(0), table.source(0)) == ("remove", "artifact_04")
    assert table.limits(0) == {"pyramid_18": 2, "city_06": 2, "megalith_18": 3}
    table.picks(0, "pyramid_18")
    assert (table.lost(0), table.past(0)) == (1, ("pyramid_18",))
    assert table.timeline(0) == {"city_06": "1L k2", "megalith_18": "4L k3"}


def round_two_ben(table: Table) -> None:
    table.plays(1, "tapMonuments", monuments=["megalith_28"])
    assert (len(table.hand(1)), len(table.board.deck)) == (7, 121)
    assert table.rotated(1) == {"megalith_28"}
    assert table.hints(1, "create:city_29@")["6"] == "cost 3"
    table.plays(
        1,
        "playCard",
        card="city_29",
        space=6,
        payment=["pyramid_31", "megalith_31", "megalith_34"],
    )
    assert (len(table.hand(1)), len(table.discards())) == (3, 13)
    assert table.timeline(1) == {"city_29": "5L k10"}


def test_two_rounds_number_by_number() -> None:
    table = start()
    assert (len(table.board.deck), len(table.discards())) == (124, 8)
    assert [len(deck) for deck in table.board.tech_decks] == [21, 15]
    round_one_ana(table)
    round_one_ben(table)
    round_two_ana(table)
    round_two_ben(table)
    ana, ben = table.seat(0), table.seat(1)
    assert (table.hand(0), len(ben.hand)) == ({"artifact_28"}, 3)
    assert (ana.artifacts, ben.artifacts) == (("artifact_04",), ())
    assert (ana.techs, ben.techs) == (("tech_26",), ("tech_05",))
    assert (table.past(0), table.rotated(0)) == (("pyramid_18",), set())
    assert (table.past(1), table.rotated(1)) == (("megalith_28",), {"megalith_28"})
    assert (ana.lost, ben.lost) == (1, 2)
    assert [sum(points(table.board, seat).values()) for seat in (0, 1)] == [1, -1]
    assert points(table.board, 0) == {
        "past": 0,
        "endgame": 0,
        "technologies": 0,
        "timeline": 2,
        "lost": -1,
    }
    assert set(census(table.board)) == {*BUILDER, *TECHNOLOGY}
    assert (len(table.board.deck), len(table.discards())) == (121, 13)
    one, two = table.board.tech_decks
    assert (len(one), len(two), table.board.tech_discards) == (18, 15, (("tech_10",), ()))
    assert (table.board.last_round, table.board.flipped) == (False, False)


# Micro example A: two monuments decline, and the flip


def cara() -> Table:
    laid = scenario().past_of(0, 2, 2, 2).hand(0, fill=8).lost(0, 4)
    laid.timeline(0, "city_16", space=1, knowledge=1).timeline(0, "megalith_34", space=1)
    laid.tile(0, "tech_09", "tech_10", "tech_14").tile(1, "tech_16", "tech_19", "tech_20")
    laid.tile(2, "tech_36", "tech_34", "tech_41").tech_deck(2, "tech_28", "tech_30", "tech_31")
    return laid.at_decline_phase(0)


def test_a_learning_before_the_seventh_monument_sees_the_old_tiles() -> None:
    table = cara().picks(0, "megalith_34")
    assert table.options(0) == {
        *("tech_09", "tech_10", "tech_14", "tech_16", "tech_19", "tech_20"),
        *("tech_36", "tech_34", "tech_41"),
    }
    table.picks(0, "tech_36")
    assert len(table.past(0)) == 7
    assert table.prompt(0) == "flip"
    table.picks(0, "tile:1")
    assert table.happened(TileFlipped) == (
        TileFlipped(
            tile=1,
            discarded=("tech_16", "tech_19", "tech_20"),
            dealt=("tech_28", "tech_30", "tech_31"),
        ),
    )
    assert (len(table.hand(0)), len(table.past(0)), table.lost(0)) == (10, 8, 5)


def test_a_learning_after_the_seventh_monument_sees_the_new_tile() -> None:
    table = cara().picks(0, "city_16")
    assert (len(table.hand(0)), len(table.past(0)), table.prompt(0)) == (10, 7, "flip")
    assert table.timeline(0) == {"megalith_34": "1L k0"}
    table.picks(0, "tile:1")
    assert table.options(0) == {
        *("tech_09", "tech_10", "tech_14", "tech_28", "tech_30", "tech_31"),
        *("tech_36", "tech_34", "tech_41"),
    }


# Micro example B: knowledge on creation


def dan() -> Scenario:
    laid = scenario().past_of(0, cities=3).artifacts(0, "artifact_28")
    return laid.timeline(0, "city_24", knowledge=3).timeline(0, "city_18", knowledge=2)


def test_tiwanaku_enters_with_nothing_and_takes_one_from_each_other_city() -> None:
    table = dan().hand(0, "city_20").at_action(0).plays(0, "playCard", card="city_20", space=2)
    assert table.timeline(0) == {"city_20": "2L k0", "city_24": "5L k2", "city_18": "6L k1"}


def test_baalbek_enters_with_nothing() -> None:
    table = dan().hand(0, "city_22").at_action(0).plays(0, "playCard", card="city_22", space=2)
    assert table.timeline(0)["city_22"] == "2L k0"


def test_sneferus_pyramid_is_a_pyramid_and_enters_with_three() -> None:
    table = dan().hand(0, "pyramid_22").at_action(0)
    table.plays(0, "playCard", card="pyramid_22", space=5)
    assert table.timeline(0)["pyramid_22"] == "5U k3"


# Micro example C: off-space cost and the lock


def test_montguyon_dolmen_with_four_other_cards() -> None:
    laid = scenario().hand(0, "megalith_34", "city_35", fill=3).timeline(0, "city_24", space=4)
    assert laid.at_action(0).hints(0, "create:megalith_34@") == {
        "4": "cost 4",
        "5": "cost 3",
        "6": "cost 4",
    }
    assert laid.at_action(0).options(0, "create:city_35@") == {"4"}
    full = laid.timeline(0, "city_18", space=4).at_action(0)
    assert full.options(0, "create:city_35@") == set()
    assert full.hints(0, "create:megalith_34@") == {"5": "cost 3", "6": "cost 4"}


# Micro example D: slide down by a move


def test_a_moved_monument_leaves_the_one_above_to_slide_down() -> None:
    laid = scenario().timeline(0, "pyramid_27", space=2, knowledge=1).timeline(0, "megalith_35", 2)
    laid.timeline(0, "city_07", space=3, knowledge=5).tile(0, "tech_10", "tech_01", "tech_02")
    table = laid.at_action(0, 2).plays(0, "learnTechnology", technology="tech_10")
    table.picks(0, "pyramid_27>3")
    assert table.timeline(0) == {
        "megalith_35": "2L k0",
        "city_07": "3L k5",
        "pyramid_27": "3U k1",
    }
    table.picks(0, "megalith_35")
    assert table.timeline(0)["city_07"] == "3L k4"
    table.picks(0, "pyramid_27")
    assert table.timeline(0) == {
        "megalith_35": "1L k0",
        "city_07": "2L k3",
        "pyramid_27": "2U k1",
    }


# Micro example E: end of the game


def test_gus_ends_the_match_and_hal_wins_the_tie() -> None:
    """Fay (0) began; the fourteenth monument of Gus (1) arrives; Hal (2) plays once more."""
    laid = scenario(3).set(flipped=True).lost(1, 11).techs(1, "tech_38").lost(2, 6)
    laid.past(1, "city_05", "megalith_19", "city_30", "city_18", "city_24", "city_34")
    laid.past(1, "megalith_09", "megalith_12", "megalith_11", "megalith_25", "pyramid_12")
    laid.past(1, "pyramid_11", "pyramid_34").timeline(1, "megalith_36", space=1)
    laid.timeline(1, "megalith_23", space=4).timeline(1, "pyramid_36").timeline(1, "pyramid_27", 4)
    laid.past(2, "city_29", "city_28", "city_27", "pyramid_35", "pyramid_25")
    table = laid.timeline(2, "pyramid_26", space=6).at_decline_phase(1)
    gus = points(table.board, 1)
    assert len(table.past(1)) == 14
    assert (table.board.last_round, table.asked) == (True, (2,))
    table.searches(2, 2)
    assert points(table.board, 1) == gus
    assert gus == {"past": 23, "endgame": 9, "technologies": 3, "timeline": 3, "lost": -11}
    assert table.outcome() == Outcome(
        winners=(2,), reasons=("fourteen_monuments",), scores=(0, 27, 27)
    )
