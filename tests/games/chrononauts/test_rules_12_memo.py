import pytest

from domain.engine.redaction import redact, redact_event
from domain.games.chrononauts.events import CardPlayed, PlayEnded, PointPatched, TurnStarted
from tests.games.chrononauts.scenario import Table, scenario

MEMO = "T-MEMO"


def plays_an_artifact(*holders: int, seats: int = 4) -> Table:
    """Return a table of four on which seat 0 has played an artifact; these seats hold Memos."""
    hands = {0: "A-REX", **dict.fromkeys(holders, MEMO)}
    if 0 in holders:
        hands[0] = f"A-REX {MEMO}"
    return scenario(seats=seats, hands=hands).plays(0, "A-REX")


# When and what


def test_draws_and_discards_and_killing_time_open_no_window() -> None:
    table = scenario(hands={0: "P1868 P1917", 1: MEMO}, drawn=False)
    assert table.asked() == (0,)
    table.picks(0, ("discard:P1868",))
    assert table.asked() == (0,)
    table.picks(0, ("discard:P1917",))
    assert table.prompt(1) == "play"


@pytest.mark.parametrize(
    ("card", "target"),
    [
        ("A-REX", {}),
        ("I-REVERSE-FATE", {"linchpin": 1912}),
        ("P1868", {}),
        ("X-SELL", {"artifact": "A-ARK"}),
        ("X-MIRACLE-BIBLICAL", {"artifact": "A-ARK"}),
        ("X-DISCONTINUITY", {"direction": "left"}),
        ("X-TIME-VORTEX", {}),
        ("X-PARENTS", {"player": 1}),
        ("X-NEW-MISSION", {"player": 1}),
        ("X-GET-THERE-FIRST", {"artifact": "A-CURE"}),
        ("X-IT-NEVER-EXISTED", {"artifact": "A-CURE"}),
        ("T-FAST-FORWARD", {}),
        ("T-REWIND", {}),
        ("T-QUICK-TRIP", {}),
    ],
)
def test_any_card_being_played_can_be_cancelled_and_nothing_of_it_happens(
    card: str, target: dict[str, str | int]
) -> None:
    table = scenario(
        hands={0: card, 1: f"{MEMO} P1917"},
        altered="1865",
        artifacts={0: "A-ARK", 1: "A-CURE"},
        discards="A-VIDEO",
    )
    before = table.board
    table.plays(0, card, **target).answers(1, MEMO).passes()
    assert table.events()[:3] == (
        PlayEnded(seat=1, card=MEMO),
        PlayEnded(seat=0, card=card, cancelled=True),
        TurnStarted(seat=1),
    )
    after = table.board
    assert table.discards() == f"A-VIDEO {MEMO} {card}"
    assert (after.altered, after.patches) == (before.altered, before.patches)
    assert [one.artifacts for one in after.seats] == [one.artifacts for one in before.seats]
    assert [one.identity for one in after.seats] == [one.identity for one in before.seats]
    assert [one.mission for one in after.seats] == [one.mission for one in before.seats]
    assert table.hand(0) == ""


def test_the_memo_player_draws_nothing() -> None:
    table = plays_an_artifact(2)
    table.answers(2, MEMO).passes()
    assert table.hand(2) == ""


def test_the_player_gets_no_play_in_place_of_the_cancelled_one() -> None:
    table = scenario(hands={0: "A-REX A-ARK", 1: MEMO})
    table.plays(0, "A-REX").answers(1, MEMO).passes()
    assert table.hand(0) == "A-ARK"
    assert table.asked() == (1,)


def test_a_cancelled_patch_pays_no_card() -> None:
    table = scenario(hands={0: "P1868", 1: MEMO}, altered="1865")
    table.plays(0, "P1868").answers(1, MEMO).passes()
    assert table.hand(0) == ""
    assert table.open() == (1868,)


@pytest.mark.parametrize("card", ["X-SELL", "X-MIRACLE-FUTURE"])
def test_a_cancelled_sell_or_miracle_does_not_cost_its_artifact(card: str) -> None:
    table = scenario(hands={0: card, 1: MEMO}, artifacts={0: "A-ARK"})
    table.plays(0, card, artifact="A-ARK").answers(1, MEMO).passes()
    assert table.artifacts(0) == "A-ARK"


# Nested plays


def test_a_rewind_can_be_cancelled_as_such() -> None:
    table = scenario(hands={0: "T-REWIND", 1: MEMO}, discards="A-REX")
    table.plays(0, "T-REWIND").answers(1, MEMO).passes()
    assert table.discards() == f"A-REX {MEMO} T-REWIND"


@pytest.mark.parametrize("card", ["T-REWIND", "T-QUICK-TRIP"])
def test_a_memo_may_wait_for_the_card_that_is_fetched_and_the_timewarp_is_spent(
    card: str,
) -> None:
    table = scenario(hands={0: card, 1: MEMO}, discards="A-REX", draw="A-REX")
    table.plays_out(0, card).plays(0, "A-REX").answers(1, MEMO).passes()
    assert table.discards().split()[-3:] == [MEMO, "A-REX", card]
    assert table.artifacts(0) == ""


def test_cancelling_the_first_play_of_a_fast_forward_leaves_the_second() -> None:
    table = scenario(hands={0: "T-FAST-FORWARD", 1: MEMO}, draw="A-REX A-ARK")
    table.plays_out(0, "T-FAST-FORWARD").plays(0, "A-REX").answers(1, MEMO).passes()
    assert table.options(0) == {"play:A-ARK", "discard:A-ARK"}
    table.plays_out(0, "A-ARK")
    assert table.artifacts(0) == "A-ARK"


def test_each_play_of_a_miracle_has_its_own_window() -> None:
    table = scenario(
        hands={0: "X-MIRACLE-BIBLICAL", 1: MEMO},
        artifacts={0: "A-ARK"},
        draw="A-REX A-VIDEO P1868",
    )
    table.plays_out(0, "X-MIRACLE-BIBLICAL", artifact="A-ARK")
    table.plays(0, "A-REX").answers(1, MEMO).passes()
    assert table.options(0) == {"play:A-VIDEO", "discard:A-VIDEO", "discard:P1868"}
    table.plays_out(0, "A-VIDEO")
    assert table.artifacts(0) == "A-VIDEO"


# Chains


@pytest.mark.parametrize(("memos", "happens"), [(0, True), (1, False), (2, True), (3, False)])
def test_one_memo_cancels_two_let_through_three_cancel_again(memos: int, happens: bool) -> None:
    table = plays_an_artifact(1, 2, 3)
    for seat in range(1, memos + 1):
        table.answers(seat, MEMO).passes(*table.asked())
    if table.prompt(0) == "respond" or memos == 0:
        table.passes()
    assert (table.artifacts(0) == "A-REX") == happens
    assert table.board.plays == ()


def test_a_player_may_answer_a_memo_aimed_at_the_own_play() -> None:
    table = plays_an_artifact(0, 1, seats=2)
    table.answers(1, MEMO)
    assert table.options(0) == {f"hand:{MEMO}"}
    table.answers(0, MEMO).passes()
    assert table.artifacts(0) == "A-REX"
    assert table.discards() == f"{MEMO} {MEMO}"


def test_nobody_may_answer_the_own_play_or_the_own_memo() -> None:
    table = plays_an_artifact(0, 1, 2)
    assert sorted(table.asked()) == [1, 2, 3]
    table.answers(1, MEMO).passes(2, 3)
    assert sorted(table.asked()) == [0, 2, 3]


def test_third_players_may_answer_on_either_side() -> None:
    table = plays_an_artifact(1, 2, 3)
    table.answers(1, MEMO).passes(2, 3)
    table.answers(2, MEMO).passes(0, 3)
    assert sorted(table.asked()) == [0, 1, 3]
    table.answers(3, MEMO).passes(0, 1)
    table.passes()
    assert table.artifacts(0) == ""
    assert table.discards() == f"{MEMO} {MEMO} {MEMO} A-REX"


def test_the_memos_are_unwound_last_first() -> None:
    table = plays_an_artifact(1, 2, seats=3)
    table.answers(1, MEMO).passes(2).answers(2, MEMO).passes(0).passes()
    assert table.events()[:3] == (
        PlayEnded(seat=2, card=MEMO),
        PlayEnded(seat=1, card=MEMO),
        PlayEnded(seat=0, card="A-REX", to="table"),
    )


def test_the_same_player_may_use_two_memos_in_a_chain() -> None:
    table = scenario(hands={0: f"A-REX {MEMO}", 1: f"{MEMO} {MEMO}"})
    table.plays(0, "A-REX").answers(1, MEMO).answers(0, MEMO).answers(1, MEMO).passes()
    assert table.artifacts(0) == ""
    assert table.discards() == f"{MEMO} {MEMO} {MEMO} A-REX"


# Windows


def test_everybody_else_is_asked_holders_and_non_holders_alike() -> None:
    table = plays_an_artifact(2)
    assert sorted(table.asked()) == [1, 2, 3]
    assert table.options(1) == set()
    assert table.bounds(1) == (0, 0)
    assert table.options(2) == {f"hand:{MEMO}"}


@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_of_several_answers_the_first_from_the_active_players_left_counts(turn: int) -> None:
    others = [(turn + step) % 4 for step in (1, 2, 3)]
    hands = {turn: "A-REX", others[1]: MEMO, others[2]: MEMO}
    table = scenario(seats=4, turn=turn, hands=hands).plays(turn, "A-REX")
    table.answers(others[2], MEMO).answers(others[1], MEMO).passes(others[0])
    assert table.events() == (CardPlayed(seat=others[1], card=MEMO),)
    assert table.hand(others[2]) == MEMO
    assert sorted(table.asked()) == sorted({0, 1, 2, 3} - {others[1]})


def test_the_active_player_comes_last_when_several_answer_a_memo() -> None:
    table = plays_an_artifact(0, 1, 2, seats=3)
    table.answers(1, MEMO).passes(2)
    table.answers(0, MEMO).answers(2, MEMO)
    assert table.events() == (CardPlayed(seat=2, card=MEMO),)


def test_answers_to_a_memo_are_ranked_from_the_active_players_left_too() -> None:
    table = plays_an_artifact(1, 2, 3)
    table.passes(1, 3).answers(2, MEMO)
    table.answers(3, MEMO).answers(1, MEMO).passes(0)
    assert table.events() == (CardPlayed(seat=1, card=MEMO),)


def test_nothing_tells_a_window_with_a_holder_from_one_without() -> None:
    seen = []
    for holders in ((), (2,)):
        table = plays_an_artifact(*holders)
        seen.append([redact(table.match, viewer) for viewer in (0, 1, 3, None)])
        table.passes()
        assert not table.happened(CardPlayed)
    without, with_one = seen
    for one, other in zip(without, with_one, strict=True):
        assert one.asked == other.asked
        assert one.choice == other.choice
        assert one.prompt == other.prompt
        assert one.version == other.version


def test_an_answer_shows_to_nobody_before_all_have_answered() -> None:
    table = plays_an_artifact(1, 2)
    table.answers(1, MEMO)
    assert table.events() == ()
    for viewer in (0, 2, 3, None):
        assert redact(table.match, viewer).answers == ((1, None),)


def test_no_answer_in_time_counts_as_a_pass() -> None:
    table = plays_an_artifact(1, 2)
    table.passes(1).expires()
    assert table.artifacts(0) == "A-REX"


def test_an_answer_given_before_the_time_was_up_counts() -> None:
    table = plays_an_artifact(1, 2)
    table.answers(2, MEMO).expires()
    assert table.events() == (CardPlayed(seat=2, card=MEMO),)


# Hands during a Miracle


def test_a_memo_in_the_set_aside_hand_or_in_the_small_one_may_answer() -> None:
    for source in ("hand", "small"):
        table = scenario(hands={0: MEMO, 1: MEMO}, small={0: f"A-REX P1868 {MEMO}"})
        assert table.playable(0) == {"A-REX"}
        table.plays(0, "A-REX").answers(1, MEMO)
        assert table.options(0) == {f"hand:{MEMO}", f"small:{MEMO}"}
        table.answers(0, MEMO, source)
        wanted = CardPlayed(seat=0, card=MEMO, source="hand" if source == "hand" else "small")
        assert table.events() == (wanted,)
        table.passes()
        assert table.artifacts(0) == "A-REX"
        left = ("", f"P1868 {MEMO}") if source == "hand" else (MEMO, "P1868")
        assert (table.hand(0), table.small(0)) == left


def test_it_is_too_late_once_any_part_of_the_effect_has_happened() -> None:
    table = scenario(hands={0: "P1868", 1: MEMO}, altered="1865")
    table.plays(0, "P1868").passes()
    assert PointPatched(year=1868, card="P1868") in table.events()
    assert table.prompt(1) == "play"
    assert f"play:{MEMO}" not in table.options(1)


def test_a_memo_played_shows_which_seat_played_it() -> None:
    event = CardPlayed(seat=1, card=MEMO)
    assert redact_event(event, None, "chrononauts") == event
