import pytest

from domain.engine.errors import MatchFinished, SeatGone
from domain.engine.events import Outcome
from domain.engine.redaction import redact
from domain.games.chrononauts.events import (
    ArtifactTaken,
    CardPlayed,
    HandsMoved,
    PlayEnded,
    SeatLeft,
    SecretReplaced,
    TurnStarted,
)
from tests.games.chrononauts.scenario import Table, opening, scenario

MEMO = "T-MEMO"


# What is left


def test_hand_and_artifacts_are_discarded_and_the_secrets_are_shown() -> None:
    table = scenario(
        seats=3,
        hands={0: "A-REX", 1: "P1974 T-MEMO"},
        artifacts={1: "A-ARK A-CURE"},
        identities={1: "ID-YURI"},
        missions={1: "M-RELICS"},
        discards="P1868",
    )
    table.concedes(1)
    assert table.events()[1:] == (
        SeatLeft(seat=1, hand=("P1974", MEMO), identity=("ID-YURI",), mission=("M-RELICS",)),
    )
    board = redact(table.match, 0).board
    assert board.draw.discards == ("P1868", "P1974", MEMO, "A-ARK", "A-CURE")
    assert board.identities.discards == ("ID-YURI",)
    assert board.missions.discards == ("M-RELICS",)
    assert (table.hand(1), table.artifacts(1)) == ("", "")
    assert board.seats[1].gone


def test_the_small_hands_of_a_miracle_are_discarded_too() -> None:
    table = scenario(seats=3, hands={0: "P1868"}, small={0: "A-REX P1917"})
    table.concedes(0)
    assert table.discards() == "P1868 A-REX P1917 X-MIRACLE-FUTURE"
    assert table.board.seats[0].small == ()


def test_hands_go_first_then_artifacts_then_plays_under_way_newest_first() -> None:
    table = scenario(seats=3, hands={0: "P1868"}, small={0: "A-REX P1917"}, artifacts={0: "A-ARK"})
    table.plays(0, "A-REX").concedes(0)
    assert table.discards() == "P1868 P1917 A-ARK A-REX X-MIRACLE-FUTURE"


def test_a_mona_lisa_that_leaves_stops_outranking_the_others() -> None:
    table = scenario(
        seats=3,
        hands={0: MEMO},
        missions={0: "M-MONA-DINOSAUR"},
        artifacts={0: "A-MONA-OBVIOUS A-REX A-SHAKESPEARE", 1: "A-MONA-REAL"},
    )
    table.concedes(1).throws(0, MEMO)
    assert table.outcome() == Outcome((0,), ("mission",))


def test_what_a_seat_left_behind_can_come_back_by_rewind() -> None:
    table = scenario(seats=3, hands={0: "T-REWIND A-REX", 1: "P1868"}, altered="1865")
    assert "play:T-REWIND" not in table.options(0)
    table.concedes(1).plays_out(0, "T-REWIND")
    assert table.playable(0) == {"P1868"}


def test_a_seat_that_left_does_not_return() -> None:
    table = scenario(seats=3, hands={0: "A-REX"}).concedes(1)
    with pytest.raises(SeatGone):
        table.concedes(1)


# Whose turn it is


def test_the_turn_of_a_seat_that_leaves_passes_without_a_victory_check() -> None:
    table = scenario(
        seats=3,
        hands={0: "A-REX"},
        identities={0: "ID-BETTY"},
        altered="1963",
        patches="P1968 P1969",
        draw="P1868",
    )
    table.concedes(0)
    assert table.outcome() is None
    assert table.happened(TurnStarted) == (TurnStarted(seat=1),)


def test_the_turn_order_skips_seats_that_left() -> None:
    table = scenario(seats=4, hands={0: "A-REX", 3: "A-ARK"}).concedes(1).concedes(2)
    table.plays_out(0, "A-REX")
    assert table.happened(TurnStarted) == (TurnStarted(seat=3),)


def test_leaving_at_the_last_turn_of_a_cap_ends_the_match() -> None:
    table = scenario(seats=3, hands={0: "A-REX"}, turn_cap=1).concedes(0)
    assert table.outcome() == Outcome((), ("turn_cap",))


@pytest.mark.parametrize("moment", ["play", "second discard", "target", "fetch", "fetch target"])
def test_a_seat_that_leaves_while_it_chooses_leaves_nothing_under_way(moment: str) -> None:
    table = scenario(
        seats=3, hands={0: "T-REWIND I-REVERSE-FATE A-REX"}, discards="I-SABOTAGE", draw="P1868"
    )
    if moment == "second discard":
        table.picks(0, ("discard:A-REX",))
    elif moment == "target":
        table.picks(0, ("play:I-REVERSE-FATE",))
    elif moment != "play":
        table.plays_out(0, "T-REWIND")
    if moment == "fetch target":
        table.picks(0, ("play:I-SABOTAGE",))
    table.concedes(0)
    assert table.board.plays == ()
    assert table.asked() == (1,)
    assert table.prompt(1) == "play"
    assert table.paradoxes() == ()


def test_an_unfinished_play_comes_to_nothing() -> None:
    table = scenario(seats=3, hands={0: "A-REX", 1: MEMO}).plays(0, "A-REX")
    table.concedes(0)
    assert table.events()[2:4] == (
        PlayEnded(seat=0, card="A-REX", cancelled=True),
        TurnStarted(seat=1),
    )
    assert table.prompt(1) == "play"


def test_a_whole_chain_falls_with_the_play_beneath_it() -> None:
    table = scenario(seats=3, hands={0: "T-REWIND", 1: MEMO, 2: MEMO}, discards="A-REX")
    table.plays_out(0, "T-REWIND").plays(0, "A-REX")
    table.answers(1, MEMO).passes(2).answers(2, MEMO).passes(0)
    table.concedes(0)
    assert table.happened(PlayEnded) == (
        PlayEnded(seat=2, card=MEMO, cancelled=True),
        PlayEnded(seat=1, card=MEMO, cancelled=True),
        PlayEnded(seat=0, card="A-REX", cancelled=True),
        PlayEnded(seat=0, card="T-REWIND", cancelled=True),
    )
    assert table.board.plays == ()


def test_plays_that_were_granted_are_lost_with_their_seat() -> None:
    table = scenario(seats=3, hands={0: "T-FAST-FORWARD"}, draw="A-REX A-ARK P1868")
    table.plays_out(0, "T-FAST-FORWARD").concedes(0)
    assert table.asked() == (1,)


# Windows


def test_an_open_window_counts_as_passed_by_the_seat_that_left() -> None:
    table = scenario(seats=3, hands={0: "A-REX", 1: MEMO}).plays(0, "A-REX")
    table.passes(2).concedes(1)
    assert table.artifacts(0) == "A-REX"


def test_an_answer_of_a_seat_that_left_does_not_count() -> None:
    table = scenario(seats=3, hands={0: "A-REX", 1: MEMO}).plays(0, "A-REX")
    table.answers(1, MEMO).concedes(1).passes(2)
    assert table.artifacts(0) == "A-REX"
    assert table.discards() == MEMO


def test_the_others_keep_their_open_window() -> None:
    table = scenario(seats=4, hands={0: "A-REX", 3: MEMO}).plays(0, "A-REX")
    choice = table.match.choice
    table.concedes(1)
    assert table.match.choice == choice
    assert sorted(table.asked()) == [2, 3]
    table.answers(3, MEMO).passes(2)
    assert table.events() == (CardPlayed(seat=3, card=MEMO),)


def test_a_memo_whose_player_leaves_is_gone_and_the_play_may_be_answered_anew() -> None:
    table = scenario(seats=4, hands={0: "A-REX", 1: MEMO, 2: MEMO}).plays(0, "A-REX")
    table.answers(1, MEMO).answers(2, MEMO).passes(3)
    table.concedes(1)
    assert table.happened(PlayEnded) == (PlayEnded(seat=1, card=MEMO, cancelled=True),)
    assert sorted(table.asked()) == [2, 3]
    table.answers(2, MEMO).passes(3).passes()
    assert table.artifacts(0) == ""
    assert table.discards() == f"{MEMO} {MEMO} A-REX"


def test_a_memo_on_a_memo_whose_player_leaves_lets_the_lower_memo_be_answered_anew() -> None:
    table = scenario(seats=4, hands={0: f"A-REX {MEMO}", 1: MEMO, 2: MEMO}).plays(0, "A-REX")
    table.answers(1, MEMO).passes(2, 3).answers(2, MEMO).passes(0, 3)
    table.concedes(2)
    assert sorted(table.asked()) == [0, 3]
    table.answers(0, MEMO).passes(3).passes()
    assert table.artifacts(0) == "A-REX"


def test_a_memo_further_down_whose_player_leaves_counts_as_cancelled() -> None:
    table = scenario(seats=4, hands={0: "A-REX", 1: MEMO, 2: MEMO, 3: MEMO}).plays(0, "A-REX")
    table.answers(1, MEMO).passes(2, 3).answers(2, MEMO).passes(0, 3)
    table.concedes(1).passes(0).answers(3, MEMO).passes()
    assert table.artifacts(0) == "A-REX"
    assert table.board.plays == ()


def test_a_memo_of_a_seat_that_left_goes_as_soon_as_it_is_the_topmost_card() -> None:
    table = scenario(seats=4, hands={0: "A-REX", 1: MEMO, 2: MEMO, 3: MEMO}).plays(0, "A-REX")
    table.answers(1, MEMO).passes(2, 3).answers(2, MEMO).passes(0, 3)
    table.concedes(1).concedes(2)
    assert table.happened(PlayEnded) == (
        PlayEnded(seat=2, card=MEMO, cancelled=True),
        PlayEnded(seat=1, card=MEMO, cancelled=True),
    )
    assert table.asked() == (3,)
    table.answers(3, MEMO).passes()
    assert table.artifacts(0) == ""
    assert table.discards() == f"{MEMO} {MEMO} {MEMO} A-REX"


def test_a_bystander_who_leaves_a_chain_changes_nothing_else() -> None:
    table = scenario(seats=4, hands={0: "A-REX", 1: MEMO}).plays(0, "A-REX")
    table.answers(1, MEMO).passes(2, 3)
    table.concedes(3).passes()
    assert table.artifacts(0) == ""


# Targets that leave


@pytest.mark.parametrize("card", ["X-GET-THERE-FIRST", "X-IT-NEVER-EXISTED"])
def test_a_play_whose_artifact_has_left_does_nothing(card: str) -> None:
    table = scenario(seats=3, hands={0: card}, artifacts={1: "A-REX"})
    table.plays(0, card, artifact="A-REX").concedes(1).passes()
    assert table.happened(ArtifactTaken) == ()
    assert table.artifacts(0) == ""
    assert table.discards() == f"A-REX {card}"


def test_a_play_aimed_at_a_player_who_has_left_does_nothing() -> None:
    table = scenario(seats=3, hands={0: "X-PARENTS"})
    table.plays(0, "X-PARENTS", player=1).concedes(1).passes()
    assert table.happened(SecretReplaced) == ()
    assert table.discards() == "X-PARENTS"


def test_targets_that_left_are_offered_no_more() -> None:
    table = scenario(
        seats=4, hands={0: "X-GET-THERE-FIRST X-PARENTS"}, artifacts={1: "A-REX", 2: "A-ARK"}
    )
    table.concedes(1)
    assert table.targets(0, "X-PARENTS") == {"seat:0", "seat:2", "seat:3"}
    table.picks(0, ("play:X-GET-THERE-FIRST",))
    assert table.options(0) == {"A-ARK"}


def test_a_card_whose_last_target_leaves_while_it_is_chosen_is_chosen_anew() -> None:
    table = scenario(seats=3, hands={0: "X-GET-THERE-FIRST A-ARK"}, artifacts={1: "A-REX"})
    table.picks(0, ("play:X-GET-THERE-FIRST",)).concedes(1)
    assert table.happened(CardPlayed) == ()
    assert table.options(0) == {"discard:A-ARK", "discard:X-GET-THERE-FIRST", "play:A-ARK"}
    table.plays_out(0, "A-ARK")
    assert table.hand(0) == "X-GET-THERE-FIRST"


def test_a_card_whose_target_is_being_chosen_is_chosen_anew_whatever_has_left() -> None:
    table = scenario(seats=3, hands={0: "I-REVERSE-FATE"}).picks(0, ("play:I-REVERSE-FATE",))
    table.concedes(1)
    assert table.happened(CardPlayed) == ()
    assert table.options(0) == {"discard:I-REVERSE-FATE", "play:I-REVERSE-FATE"}
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.open() == (1868,)


def test_a_small_card_whose_last_target_leaves_while_it_is_chosen_is_chosen_anew() -> None:
    table = scenario(seats=3, small={0: "X-GET-THERE-FIRST A-ARK"}, artifacts={1: "A-REX"})
    table.picks(0, ("play:X-GET-THERE-FIRST",)).concedes(1)
    assert table.options(0) == {"discard:A-ARK", "discard:X-GET-THERE-FIRST", "play:A-ARK"}


def test_a_fetched_card_whose_last_target_leaves_while_it_is_chosen_is_fetched_anew() -> None:
    table = scenario(
        seats=3, hands={0: "T-REWIND"}, artifacts={1: "A-REX"}, discards="X-IT-NEVER-EXISTED"
    )
    table.plays_out(0, "T-REWIND").picks(0, ("play:X-IT-NEVER-EXISTED",)).concedes(1)
    assert table.prompt(0) == "fetch"
    assert table.options(0) == {"play:A-REX"}
    table.plays_out(0, "A-REX")
    assert table.discards() == "X-IT-NEVER-EXISTED T-REWIND"


def test_a_rewind_that_finds_nothing_any_more_is_spent() -> None:
    table = scenario(
        seats=3,
        hands={0: "T-REWIND", 1: "P1868"},
        artifacts={1: "A-REX"},
        discards="X-IT-NEVER-EXISTED",
    )
    table.plays(0, "T-REWIND").concedes(1)
    table.passes()
    assert table.playable(0) == {"A-REX"}


# Hands that move


def test_discontinuity_skips_seats_that_left() -> None:
    table = scenario(
        seats=4, hands={0: "X-DISCONTINUITY P1868", 2: "A-REX", 3: "A-ARK"}, draw="P1917"
    )
    table.concedes(1).plays_out(0, "X-DISCONTINUITY", direction="left")
    moved = HandsMoved(how="left", hands=(("A-ARK",), (), ("P1868",), ("A-REX",)))
    assert table.happened(HandsMoved) == (moved,)


def test_time_vortex_skips_seats_that_left() -> None:
    table = scenario(
        seats=4, hands={0: "X-TIME-VORTEX P1868", 2: "A-REX A-ARK A-CURE"}, draw="P1917"
    )
    table.concedes(1).plays_out(0, "X-TIME-VORTEX")
    (moved,) = table.happened(HandsMoved)
    assert isinstance(moved, HandsMoved)
    assert [len(hand) for hand in moved.hands] == [2, 0, 1, 1]


def test_discontinuity_after_a_concession_in_its_window_skips_that_seat() -> None:
    table = scenario(seats=3, hands={0: "X-DISCONTINUITY P1868", 2: "A-REX"})
    table.plays(0, "X-DISCONTINUITY", direction="right").concedes(1).passes()
    moved = HandsMoved(how="right", hands=(("A-REX",), (), ("P1868",)))
    assert table.happened(HandsMoved) == (moved,)


# The last ones


def test_one_seat_left_wins() -> None:
    table = scenario(seats=3, hands={0: "A-REX"}).concedes(1)
    assert table.outcome() is None
    assert table.concedes(0).outcome() == Outcome((2,), ("last_one_left",))


def test_the_last_one_wins_in_the_middle_of_a_window_and_nothing_is_left_under_way() -> None:
    table = scenario(hands={0: "A-REX", 1: MEMO}).plays(0, "A-REX").answers(1, MEMO)
    table.concedes(1)
    assert table.outcome() == Outcome((0,), ("last_one_left",))
    assert table.board.plays == ()
    with pytest.raises(MatchFinished):
        table.concedes(0)


# Before the first turn


def test_a_seat_may_leave_during_the_courtesy_swap() -> None:
    for leaver in range(3):
        table = Table(opening(3, courtesy_swap=True))
        first = table.board.turn
        stayers = [seat for seat in range(3) if seat != leaver]
        table.picks(stayers[0], ("swap",)).concedes(leaver)
        table.picks(stayers[1], ())
        expected = (first + 1) % 3 if first == leaver else first
        assert table.asked() == (expected,)
        assert table.prompt(expected) == "play"


def test_a_seat_that_asked_for_a_swap_and_left_gets_none() -> None:
    table = Table(opening(3, courtesy_swap=True))
    table.picks(1, ("swap",)).concedes(1).picks(0, ()).picks(2, ())
    assert table.board.seats[1].identity == ()
