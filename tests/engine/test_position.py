"""The machinery of positions and of explanations, on the game without rules."""

from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.engine import agenda
from domain.engine.audit import causes
from domain.engine.decider import Choose, CreateMatch, carry_out, create
from domain.engine.errors import IllegalPosition
from domain.engine.events import MatchCreated, SeatConceded
from domain.engine.game import Fault, Layout, register
from domain.engine.layout import LayOut
from domain.engine.match import State, to_state
from domain.engine.position import Position, converted, to_board, to_position
from tests.engine.lab import LAB, Bench, Draw, Finish, Nest, Remember, Say, answer, ask, begin


class Words(Struct, frozen=True):
    """What was said, and how the position begins."""

    said: tuple[str, ...]
    begins: str = "ask"


def _begin(run: Any) -> None:
    match run.board.said[-1]:
        case "ask":
            run.push(0, (ask("one"),))
        case "end":
            run.push(0, (Finish(),))
        case _:
            run.push(0, (Say("x"),))


register(
    replace(
        LAB,
        name="lab-4",
        layout=Layout(
            words=Words,
            to_words=lambda board: Words(board.said),
            from_words=lambda words, blank, gone: replace(blank, said=words.said),
            begin=_begin,
        ),
    )
)


def state_of(*said: str) -> State[Bench]:
    position = Position(game="lab-4", ruleset=1, seats=2, board={"said": list(said)})
    _, match = create(CreateMatch("lab-4", 2))
    state = to_board(position, match)
    assert isinstance(state, State)
    return state


def test_a_position_without_a_program_begins_as_its_game_says() -> None:
    state = state_of("x", "ask")
    assert (state.asked, state.prompt, state.board.said) == ((0,), "menu", ("x", "ask"))


@pytest.mark.parametrize("said", ["end", "nothing more"])
def test_a_position_from_which_nothing_begins_asks_nobody(said: str) -> None:
    state = state_of(said)
    assert (state.asked, state.board.said) == ((), (said,))
    _, match = create(CreateMatch("lab-4", 2))
    with pytest.raises(IllegalPosition, match="pending: nobody has to choose"):
        carry_out(match, LayOut("position", state))


def test_a_field_that_may_be_left_out_is_no_fault() -> None:
    assert converted({"said": 1}, Words, "board")[1] == (
        Fault("board.said", "expected array, got int"),
    )


def test_a_program_that_goes_on_and_on_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    match = begin(ask("one"), Say("a"), Say("b"), Say("c"), Finish())
    laid = replace(match, laid=True)
    assert answer(laid, 0, "a").outcome is not None
    monkeypatch.setattr(agenda, "BUDGET", 2)
    with pytest.raises(IllegalPosition, match="the rules cannot go on from here"):
        carry_out(laid, Choose(0, laid.choice, (("a",),)))
    with pytest.raises(AssertionError, match="on and on"):
        carry_out(match, Choose(0, match.choice, (("a",),)))
    quiet = [Remember(word, ("x",)) for word in "abc"]
    monkeypatch.undo()
    match = begin(ask("one"), *quiet, Finish())
    monkeypatch.setattr(agenda, "BUDGET", 2)
    with pytest.raises(AssertionError, match="on and on"):
        carry_out(match, Choose(0, match.choice, (("a",),)))


def test_what_an_event_comes_from_is_the_frame_that_made_it() -> None:
    match = begin(ask("one"), Nest((Say("x"),), 1, "ace"), Draw(), ask("two"), Finish())
    run = carry_out(match, Choose(0, match.choice, (("a",),)))
    frames = causes(match, run.events)
    found = [None if frame is None else (frame.seat, frame.card) for frame in frames]
    assert found == [None, (1, "ace"), (0, None), (0, None)]


def test_several_commands_of_one_commit_are_carried_out_one_by_one() -> None:
    match = begin(ask("one"), Say("x"), ask("two"), Say("y"), ask("three"), Finish())
    run = carry_out(match, Choose(0, match.choice, (("a",), ("b",))))
    assert len(causes(match, run.events)) == len(run.events) == 6


def test_what_this_build_would_not_do_comes_from_nowhere() -> None:
    match = begin(ask("one"), Say("x"), Finish())
    run = carry_out(match, Choose(0, match.choice, (("a",),)))
    others = [run.events[0], SeatConceded(1)]
    assert causes(match, others) == (None, None)
    created = MatchCreated(game="lab", ruleset=1, seats=2, options={})
    assert causes(match, [created]) == (None,)
    assert causes(match, [SeatConceded(7)]) == (None,)


def test_a_game_that_explains_nothing_refuses_nothing() -> None:
    assert list(LAB.refused(begin(ask("one")), None)) == []  # type: ignore[arg-type]  # looks at nothing


def test_a_match_that_waits_is_written_down_with_its_program() -> None:
    _, match = create(CreateMatch("lab-4", 2))
    laid = carry_out(match, LayOut("position", state_of("ask"))).match
    position = to_position(laid)
    assert position.pending is not None
    assert position.pending.asked == (0,)
    again = to_board(position, match)
    assert again == to_state(laid)
