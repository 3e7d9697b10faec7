from domain.engine.events import Fact, Outcome
from domain.games.chrononauts.events import CardsDrawn, DrawPileShuffled, PlayEnded
from tests.games.chrononauts.scenario import scenario


def test_a_fetched_card_must_be_legal_at_that_moment() -> None:
    fetchable = "P1868 P1917 P1945-1 P1945-2 I-RESTORE-HISTORY I-SABOTAGE X-SELL A-REX T-MEMO"
    table = scenario(hands={0: "T-REWIND"}, altered="1865 1941", discards=fetchable)
    table.plays_out(0, "T-REWIND")
    assert table.playable(0) == {"A-REX", "I-RESTORE-HISTORY", "I-SABOTAGE", "P1868", "P1945-2"}


def test_a_cancelled_fetched_card_is_discarded_before_its_timewarp() -> None:
    table = scenario(hands={0: "T-REWIND", 1: "T-MEMO"}, discards="A-REX")
    table.plays_out(0, "T-REWIND").plays(0, "A-REX").answers(1, "T-MEMO").passes()
    assert table.events()[:3] == (
        PlayEnded(seat=1, card="T-MEMO"),
        PlayEnded(seat=0, card="A-REX", cancelled=True),
        PlayEnded(seat=0, card="T-REWIND"),
    )
    assert table.discards() == "T-MEMO A-REX T-REWIND"


def test_a_fetched_sell_draws_before_the_quick_trip_shuffles() -> None:
    table = scenario(
        hands={0: "T-QUICK-TRIP"},
        artifacts={0: "A-ARK"},
        draw="X-SELL P1868 P1917 P1918 P1929",
        bare=True,
    )
    table.plays_out(0, "T-QUICK-TRIP").plays_out(0, "X-SELL", artifact="A-ARK")
    assert CardsDrawn(seat=0, cards=("P1868", "P1917")) in table.events()
    assert table.discards() == "A-ARK X-SELL T-QUICK-TRIP"


def test_a_quick_trip_that_takes_the_last_card_shuffles_an_empty_pile_without_the_discards() -> (
    None
):
    table = scenario(hands={0: "T-QUICK-TRIP"}, draw="A-REX", discards="P1868 P1917", bare=True)
    table.plays_out(0, "T-QUICK-TRIP").plays_out(0, "A-REX")
    assert table.happened(DrawPileShuffled)[0] == DrawPileShuffled(cards=(), discards=False)
    assert table.artifacts(0) == "A-REX"


def test_a_fast_forward_inside_a_fast_forward_goes_depth_first() -> None:
    table = scenario(hands={0: "T-FAST-FORWARD T-FAST-FORWARD"}, draw="A-REX A-ARK A-CURE A-VIDEO")
    table.plays_out(0, "T-FAST-FORWARD")
    assert table.hand(0) == "A-ARK A-REX T-FAST-FORWARD"
    table.plays_out(0, "T-FAST-FORWARD")
    assert table.hand(0) == "A-ARK A-CURE A-REX A-VIDEO"
    table.plays_out(0, "A-REX").plays_out(0, "A-ARK")
    assert table.asked() == (0,)  # the second play of the outer one
    table.plays_out(0, "A-CURE")
    assert table.asked() == (1,)
    assert table.hand(0) == "A-VIDEO"


def test_a_cancelled_inner_fast_forward_is_one_of_the_two_plays() -> None:
    table = scenario(hands={0: "T-FAST-FORWARD T-FAST-FORWARD", 1: "T-MEMO"}, draw="A-REX A-ARK")
    table.plays_out(0, "T-FAST-FORWARD")
    table.plays(0, "T-FAST-FORWARD").answers(1, "T-MEMO").passes()
    table.plays_out(0, "A-REX")
    assert table.asked() == (1,)
    assert table.hand(0) == "A-ARK"


def test_the_plays_of_a_fast_forward_out_of_a_miracle_come_before_an_outer_ones_next_play() -> None:
    table = scenario(
        hands={0: "T-FAST-FORWARD X-MIRACLE-FUTURE A-VIDEO"},
        artifacts={0: "A-ARK"},
        draw="P1868 P1917 T-FAST-FORWARD P1918 A-REX A-RONGO",
    )
    table.plays_out(0, "T-FAST-FORWARD").plays_out(0, "X-MIRACLE-FUTURE", artifact="A-ARK")
    table.plays_out(0, "T-FAST-FORWARD").throws(0, "P1918")
    table.plays_out(0, "A-REX").plays_out(0, "A-RONGO")
    assert table.asked() == (0,)
    table.plays_out(0, "A-VIDEO")
    assert table.asked() == (1,)
    assert table.hand(0) == "P1868 P1917"


def test_two_fast_forwards_out_of_one_miracle_grant_four_plays_after_it() -> None:
    table = scenario(
        hands={0: "X-MIRACLE-BIBLICAL"},
        artifacts={0: "A-ARK"},
        draw="T-FAST-FORWARD T-FAST-FORWARD P1868 A-REX A-VIDEO A-CURE A-RONGO",
    )
    table.plays_out(0, "X-MIRACLE-BIBLICAL", artifact="A-ARK")
    table.plays_out(0, "T-FAST-FORWARD").plays_out(0, "T-FAST-FORWARD").throws(0, "P1868")
    for artifact in ("A-REX", "A-VIDEO", "A-CURE", "A-RONGO"):
        assert table.asked() == (0,)
        table.plays_out(0, artifact)
    assert table.asked() == (1,)


def test_a_miracle_inside_a_miracle_sets_the_outer_small_hand_aside() -> None:
    table = scenario(
        hands={0: "A-VIDEO"},
        artifacts={0: "A-REX"},
        small={0: "X-MIRACLE-BIBLICAL P1868"},
        draw="A-CURE P1917",
    )
    table.plays_out(0, "X-MIRACLE-BIBLICAL", artifact="A-REX")
    assert table.board.seats[0].small == (("P1868",), ("A-CURE", "P1917"))
    assert table.options(0) == {"play:A-CURE", "discard:A-CURE", "discard:P1917"}
    table.plays_out(0, "A-CURE").throws(0, "P1917")
    assert (len(table.board.seats[0].small), table.small(0)) == (1, "P1868")
    table.throws(0, "P1868")
    assert table.hand(0) == "A-VIDEO"
    assert table.asked() == (1,)


def test_two_copies_of_one_miracle_nest_as_well() -> None:
    table = scenario(
        artifacts={0: "A-REX"},
        small={0: "X-MIRACLE-FUTURE P1868"},
        draw="A-CURE P1917",
        facts=(Fact("X-MIRACLE-FUTURE", "count", "2"),),
    )
    table.plays_out(0, "X-MIRACLE-FUTURE", artifact="A-REX")
    table.plays_out(0, "A-CURE").throws(0, "P1917").throws(0, "P1868")
    assert table.discards().split()[-4:] == [
        *("P1917", "X-MIRACLE-FUTURE", "P1868", "X-MIRACLE-FUTURE")
    ]


def test_a_fast_forward_in_an_inner_miracle_waits_for_the_outer_one_too() -> None:
    table = scenario(
        artifacts={0: "A-REX"},
        small={0: "X-MIRACLE-BIBLICAL P1868"},
        draw="T-FAST-FORWARD P1917 A-CURE A-VIDEO",
    )
    table.plays_out(0, "X-MIRACLE-BIBLICAL", artifact="A-REX")
    table.plays_out(0, "T-FAST-FORWARD").throws(0, "P1917")
    assert table.options(0) == {"discard:P1868"}
    table.throws(0, "P1868")
    assert table.playable(0) == {"A-CURE", "A-VIDEO"}


def test_sell_draws_go_to_the_main_hand_during_a_miracle() -> None:
    table = scenario(artifacts={0: "A-ARK"}, small={0: "X-SELL P1868"}, draw="P1917 P1918")
    table.plays_out(0, "X-SELL", artifact="A-ARK")
    assert (table.hand(0), table.small(0)) == ("P1917 P1918", "P1868")


def test_discontinuity_out_of_a_miracle_moves_the_set_aside_hand_and_not_the_small_one() -> None:
    table = scenario(hands={0: "A-REX", 1: "A-ARK A-CURE"}, small={0: "X-DISCONTINUITY P1868"})
    table.plays_out(0, "X-DISCONTINUITY", direction="left")
    assert (table.hand(0), table.hand(1)) == ("A-ARK A-CURE", "A-REX")
    assert table.small(0) == "P1868"
    table.throws(0, "P1868")
    assert table.hand(0) == "A-ARK A-CURE"


def test_time_vortex_out_of_a_miracle_deals_the_set_aside_hand_and_not_the_small_one() -> None:
    table = scenario(hands={0: "A-REX", 1: "A-ARK A-CURE"}, small={0: "X-TIME-VORTEX P1868"})
    table.plays_out(0, "X-TIME-VORTEX")
    assert table.small(0) == "P1868"
    assert [len(one.hand) for one in table.board.seats] == [2, 1]


def test_a_fetched_new_mission_is_the_one_that_is_checked() -> None:
    table = scenario(
        hands={0: "T-REWIND"},
        missions={0: "M-WISDOM"},
        mission_pile="M-RELICS",
        artifacts={0: "A-ARK A-CROWN A-RELIC-3"},
        discards="X-NEW-MISSION",
    )
    table.plays_out(0, "T-REWIND").plays_out(0, "X-NEW-MISSION", player=0)
    assert table.outcome() == Outcome((0,), ("mission",))


def test_memos_seen_by_a_search_or_moved_with_a_hand_are_just_cards() -> None:
    table = scenario(hands={0: "T-QUICK-TRIP"}, draw="T-MEMO A-REX", bare=True)
    assert table.plays_out(0, "T-QUICK-TRIP").playable(0) == {"A-REX"}
    table = scenario(hands={0: "X-DISCONTINUITY", 1: "T-MEMO"}, draw="A-REX")
    table.plays(0, "X-DISCONTINUITY", direction="left").passes()
    assert table.hand(0) == "T-MEMO"


def test_a_memo_drawn_into_a_hand_can_answer_the_very_next_play() -> None:
    table = scenario(
        hands={0: "T-FAST-FORWARD X-DISCONTINUITY A-REX A-ARK", 1: "A-CURE"}, draw="T-MEMO P1917"
    )
    table.plays_out(0, "T-FAST-FORWARD").plays_out(0, "X-DISCONTINUITY", direction="left")
    assert table.hand(1) == "A-ARK A-REX P1917 T-MEMO"
    assert table.plays(0, "A-CURE").options(1) == {"hand:T-MEMO"}


def test_inside_two_miracles_a_memo_in_the_outer_small_hand_waits() -> None:
    table = scenario(
        hands={1: "T-MEMO"},
        artifacts={0: "A-REX"},
        small={0: "X-MIRACLE-BIBLICAL T-MEMO"},
        draw="A-CURE P1917",
    )
    table.plays_out(0, "X-MIRACLE-BIBLICAL", artifact="A-REX")
    table.plays(0, "A-CURE").answers(1, "T-MEMO")
    assert table.asked() == (0,)
    assert table.options(0) == set()


def test_a_universe_destroyed_leaves_plays_under_way_where_they_are() -> None:
    table = scenario(
        hands={0: "T-REWIND"}, discards="I-REVERSE-FATE", altered="1912 1936 1963 1980 1981"
    )
    table.plays_out(0, "T-REWIND").plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert [play.card for play in table.board.plays] == ["T-REWIND"]
    assert table.discards() == "I-REVERSE-FATE"
