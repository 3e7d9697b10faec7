"""Setting a table as a whole: what can stand on it, and what the log says of it."""

from typing import Any

import pytest
from msgspec import Raw
from msgspec.structs import replace

from domain.engine.audit import audit
from domain.engine.codec import codec, encode
from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    CreateMatch,
    StartMatch,
    TakeSeat,
    carry_out,
    create,
)
from domain.engine.effects import Ask, Seq, Who
from domain.engine.errors import IllegalPosition, MatchNotOpen, SeatGone, SeatsEmpty
from domain.engine.events import Event, MatchRestored
from domain.engine.game import Fault, Game, register
from domain.engine.ids import Picks
from domain.engine.layout import LayOut
from domain.engine.match import Match, State, to_state
from domain.engine.playout import at_random, plies
from domain.engine.redaction import redact
from tests.engine.lab import LAB, SEED, Bench, Hand, Menu, Say, answer, ask, begin, offered
from tests.kit.laws import check_redaction, check_round_trip, viewers
from tests.kit.matches import CASES, Case, walk

START = StartMatch(SEED, SEED * 2)


def laid_out(state: State[Any], game: str = "lab", seats: int = 2, **options: Any) -> Match[Any]:
    """Return a match of another table with the state on it, before its start."""
    _, match = create(CreateMatch(game, seats, options))
    return carry_out(match, LayOut("fork", state, "other", 9)).match


def seated(match: Match[Any]) -> Match[Any]:
    for seat, place in enumerate(match.places):
        if not place.conceded:
            match = carry_out(match, TakeSeat(seat, f"player {seat}")).match
    return match


def faulty(state: State[Any], seats: int = 2) -> list[str]:
    """Return the faults for which the state is refused."""
    with pytest.raises(IllegalPosition) as refused:
        laid_out(state, seats=seats)
    errors = refused.value.detail["errors"]
    assert isinstance(errors, list)
    return [f"{one['path']}: {one['message']}" for one in errors]


def test_a_match_goes_on_where_the_other_one_stood() -> None:
    before = answer(begin(ask("one"), Say("x"), ask("two"), Say("y"), ask("three")), 0, "a")
    match = laid_out(to_state(before))
    assert not match.started
    assert match.board.said == ("x",)
    with pytest.raises(SeatsEmpty):
        carry_out(match, START)
    match = carry_out(seated(match), START).match
    assert match.board.said == ("x",)
    assert offered(match, 0) == ("a", "b")
    assert answer(match, 0, "a").board.said == ("x", "y")


def test_a_table_is_set_before_the_start_only() -> None:
    match = begin(ask("one"))
    with pytest.raises(MatchNotOpen):
        carry_out(match, LayOut("fork", to_state(match)))


def test_who_had_conceded_stays_away() -> None:
    before = carry_out(begin(ask("one", Who.ALL), ask("two"), seats=3), Concede(2)).match
    match = laid_out(to_state(before), seats=3)
    assert [place.conceded for place in match.places] == [False, False, True]
    with pytest.raises(SeatGone):
        carry_out(match, TakeSeat(2, "somebody"))
    match = carry_out(seated(match), START).match
    assert match.asked == before.asked
    assert [place.player for place in match.places] == ["player 0", "player 1", None]


def test_a_state_that_asks_nobody_is_refused() -> None:
    before = begin(ask("one"))
    assert faulty(replace(to_state(before), asked=())) == ["pending: nobody has to choose"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"asked": (2,)}, "names a seat that is not there"),
        ({"asked": (-1,)}, "names a seat that is not there"),
        ({"gone": (0,)}, "asks a seat that has answered or conceded"),
        ({"answers": ((0, ("a",)),)}, "asks a seat that has answered or conceded"),
        ({"asked": (), "gone": (0, 1)}, "nobody has to choose"),
        ({"agenda": Raw(b"[]")}, "the rules cannot go on from here"),
        ({"agenda": Raw(b'{"x":1}')}, "the rules cannot go on from here"),
        ({"agenda": Raw(b'[[0,null,[["say","x"]],{}]]')}, "the rules cannot go on from here"),
        ({"agenda": Raw(b'[[0,null,[["fly","x"]],{}]]')}, "the rules cannot go on from here"),
    ],
)
def test_what_the_rules_cannot_go_on_from_is_refused(change: dict[str, Any], reason: str) -> None:
    (fault,) = faulty(replace(to_state(begin(ask("one"))), **change))
    assert fault.startswith(f"pending: {reason}")


STRANGE = "is nothing that the rules leave to be done here"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"prompt": "hand"}, "pending.prompt: is not menu"),
        ({"asked": (1,)}, "pending.asked: are not those who still have to choose"),
        ({"asked": (0, 1)}, "pending.asked: are not those who still have to choose"),
        ({"answers": ((1, ()),)}, "pending.answers: seat 1 cannot have picked that"),
        (
            {"agenda": Raw(b'[[9,null,[["ask",["menu"],"one"]],{}]]')},
            f"pending.program[0]: {STRANGE}",
        ),
        (
            {"agenda": Raw(encode([[0, None, [], {}], [0, None, [ask("one")], {}]]))},
            f"pending.program[0]: {STRANGE}",
        ),
        (
            {"agenda": Raw(encode([[0, None, [ask("one")], {}]] * 65))},
            "pending.program: has more than 64 parts",
        ),
    ],
)
def test_what_nobody_asks_is_refused(change: dict[str, Any], fault: str) -> None:
    assert faulty(replace(to_state(begin(ask("one"))), **change)) == [fault]


@pytest.mark.parametrize(
    ("picks", "refused"), [(("a",), False), ((), False), (("z",), True), (None, True)]
)
def test_only_what_could_be_picked_is_an_answer(picks: Picks | None, refused: bool) -> None:
    state = to_state(answer(begin(ask("one", Who.ALL)), 0, "a"))
    changed = replace(state, answers=((0, picks),))
    if refused:
        assert faulty(changed) == ["pending.answers: seat 0 cannot have picked that"]
    else:
        assert laid_out(changed).answers == changed.answers


def test_who_was_offered_nothing_has_picked_nothing() -> None:
    state = to_state(begin(ask("one", Who.ALL, seats=(1,))))
    assert state.asked == (1,)
    assert faulty(replace(state, answers=((0, ("a",)),))) == [
        "pending.answers: seat 0 cannot have picked that"
    ]


def test_who_has_conceded_may_have_answered_before() -> None:
    before = answer(begin(ask("one", Who.ALL), ask("two"), seats=3), 0, "a")
    before = carry_out(before, Concede(0)).match
    assert laid_out(to_state(before), seats=3).answers == ((0, ("a",)),)


def test_a_game_names_what_it_does_not_leave() -> None:
    register(replace(LAB, name="lab-5", strange=lambda board, frames: [len(frames) - 1]))
    _, match = create(CreateMatch("lab-5", 2, {}))
    with pytest.raises(IllegalPosition, match=r"pending\.program\[0\]: is nothing that the rules"):
        carry_out(match, LayOut("position", to_state(begin(ask("one")))))


def test_a_seat_that_is_offered_nothing_is_not_asked() -> None:
    agenda = Raw(encode([[0, None, [Ask(Menu(words=()), "one")], {}]]))
    state = replace(to_state(begin(ask("one"))), agenda=agenda)
    assert faulty(state) == ["pending.asked: are not those who still have to choose"]
    asked = Raw(encode([[0, None, [Ask(Menu(words=(), always=True), "one")], {}]]))
    assert laid_out(replace(state, agenda=asked)).asked == (0,)
    hand = Raw(encode([[0, None, [Ask(Hand(), "one")], {}]]))
    torn = replace(state, agenda=hand, board=Bench())
    assert faulty(torn) == ["pending: the rules cannot go on from here"]


def game_with(name: str, found: Any) -> Game[Any]:
    game = replace(LAB, name=name, faults=found)
    register(game)
    return game


def test_every_fault_that_a_game_finds_is_named_once() -> None:
    fault = Fault("said", "too loud")
    game_with("lab-2", lambda board, blank: (fault, Fault("hands", "odd"), fault))
    state = replace(to_state(begin(ask("one"))), asked=())
    _, match = create(CreateMatch("lab-2", 2, {}))
    with pytest.raises(IllegalPosition) as refused:
        carry_out(match, LayOut("position", state))
    assert refused.value.detail["errors"] == [
        {"path": "said", "message": "too loud"},
        {"path": "hands", "message": "odd"},
        {"path": "pending", "message": "nobody has to choose"},
    ]
    assert refused.value.message == (
        "this cannot stand on the table: said: too loud; hands: odd; pending: nobody has to choose"
    )


def test_a_game_that_stumbles_over_a_board_refuses_it() -> None:
    game_with("lab-3", lambda board, blank: board.said[7])
    _, match = create(CreateMatch("lab-3", 2, {}))
    with pytest.raises(IllegalPosition, match="the board does not hold together"):
        carry_out(match, LayOut("position", to_state(begin(ask("one")))))


def _laid(case: Case, state: State[Any]) -> tuple[list[tuple[Event, ...]], Match[Any]]:
    """Return the commits of a match that begins with the state, and the match."""
    event, match = create(CreateMatch(case.game, case.seats, case.options))
    commits: list[tuple[Event, ...]] = [(event,)]
    commands: list[Command] = [LayOut("fork", state, "other", 9)]
    commands += [TakeSeat(seat, "player") for seat in match.seats if seat not in state.gone]
    for command in (*commands, START):
        run = carry_out(match, command)
        (one,) = run.events
        check_redaction(match, one, run.match)
        check_round_trip(run.match, tuple(run.events))
        commits.append(tuple(run.events))
        match = run.match
    return commits, match


@pytest.mark.parametrize("case", CASES, ids=str)
def test_every_position_can_be_set_up_again_and_played_on(case: Case) -> None:
    steps = [step for step in walk(case, 3, concede=8) if step.after.outcome is None]
    for step in steps[:: max(1, len(steps) // 6)]:
        state = to_state(step.after)
        assert codec(case.game).state(Raw(encode(state))) == state
        commits, match = _laid(case, state)
        assert to_state(match) == state
        for viewer in viewers(match):
            here, there = redact(match, viewer), redact(step.after, viewer)
            assert (here.board, here.prompt, here.asked) == (there.board, there.prompt, there.asked)
        for _, events, after in plies(match, SEED, at_random, 5):
            commits.append(events)
            match = after
        found = audit(commits)
        assert found.problems == ()
        assert found.match == match


def test_a_log_with_a_state_that_cannot_be_is_found() -> None:
    event, match = create(CreateMatch("lab", 2, {}))
    state = to_state(begin(ask("one")))
    restored = carry_out(match, LayOut("position", state)).events[0]
    assert isinstance(restored, MatchRestored)
    assert audit([(event,), (restored,)]).problems == ()
    for text, reason in (
        (b'{"board":{}}', "match.restored is not allowed here: this cannot stand on the table"),
        (b'{"board":7}', "match.restored cannot happen to this match"),
    ):
        (problem,) = audit([(event,), (replace(restored, state=Raw(text)),)]).problems
        assert problem.reason.startswith(reason)


def test_a_program_that_stumbles_is_found() -> None:
    """What a stranger wrote may be well formed and make no sense."""
    event, match = create(CreateMatch("lab", 2, {}))
    nest = Raw(encode([[0, None, [ask("one"), Seq((Say("x"),))], {}], [0, None, [ask("one")], {}]]))
    state = replace(to_state(begin(ask("one"))), agenda=nest)
    commits: list[tuple[Event, ...]] = [(event,)]
    for command in (LayOut("position", state), TakeSeat(0, "a"), TakeSeat(1, "b"), START):
        run = carry_out(match, command)
        match = run.match
        commits.append(tuple(run.events))
    made = carry_out(match, _choose(match)).events[:1]
    (problem,) = audit([*commits, tuple(made)]).problems
    assert problem.reason.startswith("choice.offered is missing")
    ends = replace(state, agenda=Raw(encode([[0, None, [ask("one")], {}]])))
    restored = carry_out(create(CreateMatch("lab", 2, {}))[1], LayOut("position", ends)).events
    (problem,) = audit([commits[0], tuple(restored), *commits[2:], tuple(made)]).problems
    assert problem.reason == ("choice.made is not allowed here: the rules cannot go on from here")


def _choose(match: Match[Any]) -> Command:
    return Choose(0, match.choice, (("a",),))
