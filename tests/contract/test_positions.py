"""Positions: export, set up, export gives the same; what was reached by play has no fault."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.engine.codec import codec, encode
from domain.engine.decider import Command, CreateMatch, StartMatch, TakeSeat, carry_out, create
from domain.engine.game import Fault, game_of
from domain.engine.layout import LayOut
from domain.engine.match import Match, State, to_state
from domain.engine.playout import at_random, plies
from domain.engine.position import Position, converted, to_board, to_position
from tests.kit.matches import CASES, Case, by_liking, seed_of, walk

START = StartMatch(seed_of(5), seed_of(5) * 2)
PLAYED = [case for case in CASES if game_of(case.game).layout is not None]
every_case = pytest.mark.parametrize("case", PLAYED, ids=str)


def positions(case: Case, count: int = 12) -> list[Match[Any]]:
    found = []
    for number, chooser in ((1, at_random), (2, by_liking)):
        steps = list(walk(case, number, chooser, concede=6, expire=5))
        found += [step.after for step in steps[:: max(1, len(steps) // count)]]
    return [match for match in found if match.outcome is None]


def set_up(position: Position) -> Match[Any]:
    """Return the match that begins with a position, through its JSON."""
    text = msgspec.json.encode(position)
    again, faults = converted(msgspec.json.decode(text), Position, "")
    assert faults == ()
    assert again == position
    _, match = create(CreateMatch(position.game, position.seats, position.options, position.facts))
    state = to_board(position, match)
    assert isinstance(state, State), state
    return carry_out(match, LayOut("position", state)).match


@every_case
def test_what_was_exported_and_set_up_is_exported_the_same(case: Case) -> None:
    for match in positions(case):
        exported = to_position(match)
        laid = set_up(exported)
        assert to_position(laid) == exported
        assert to_state(laid) == to_state(match)


@every_case
def test_no_board_that_was_reached_has_a_fault(case: Case) -> None:
    game = game_of(case.game)
    for number in range(2):
        for step in walk(case, number, concede=8, expire=5):
            _, blank = create(CreateMatch(case.game, case.seats, case.options))
            if step.after.outcome is None:
                assert game.faults(step.after.board, blank.board) == ()


@every_case
def test_a_position_can_be_played_on(case: Case) -> None:
    for match in positions(case, 3):
        laid = set_up(to_position(match))
        commands: list[Command] = [
            TakeSeat(seat, "player") for seat in laid.seats if not laid.places[seat].conceded
        ]
        for command in (*commands, START):
            laid = carry_out(laid, command).match
        for _, _, after in plies(laid, seed_of(3), limit=10):
            assert after.version


@every_case
def test_without_a_program_the_seat_on_turn_begins(case: Case) -> None:
    game = game_of(case.game)
    for match in positions(case, 4):
        frames = codec(case.game).frames(match.agenda)
        if match.prompt not in ("play", "action") or len(frames) > 1 or frames[0].bound:
            continue
        short = replace(to_position(match), pending=None)
        _, table = create(CreateMatch(case.game, case.seats, match.options))
        state = to_board(short, table)
        assert isinstance(state, State)
        assert state.asked == match.asked
        assert game.faults(state.board, table.board) == ()


def test_a_position_before_the_deal_or_after_the_end_asks_nobody() -> None:
    _, match = create(CreateMatch("chrononauts", 2))
    assert to_position(match).pending is None


def test_a_game_without_words_has_no_positions() -> None:
    (case,) = (case for case in CASES if case.game == "toy")
    with pytest.raises(LookupError, match="toy has no positions"):
        to_position(next(iter(walk(case, 1))).after)


def faults_of(change: dict[str, Any], game: str = "chrononauts") -> dict[str, str]:
    """Return what is wrong with the shape of a position that is changed in these places."""
    case = next(case for case in PLAYED if case.game == game and case.seats > 1)
    whole = msgspec.json.decode(encode(to_position(positions(case, 2)[0])))
    for path, value in change.items():
        node: Any = whole
        *names, last = path.split(".")
        for name in names:
            node = node[int(name)] if name.isdigit() else node[name]
        if value is None:
            del node[last]
        else:
            node[last] = value
    position, found = converted(whole, Position, "")
    if not found:
        _, match = create(CreateMatch(game, position.seats, position.options))
        state = to_board(position, match)
        found = state if isinstance(state, tuple) else ()
    return {fault.path: fault.reason for fault in found}


def test_every_fault_of_shape_is_named_by_its_path() -> None:
    found = faults_of({"v": 2, "ruleset": "one", "extra": 1, "game": None})
    assert found == {
        "v": "invalid enum value 2",
        "ruleset": "expected int, got str",
        "extra": "is unknown",
        "game": "is missing",
    }
    found = faults_of(
        {"board.seats.0.hand": [1], "board.seats.1.gold": 2, "board.turn": -1, "board.turns": None}
    )
    assert found == {
        "board.seats[0].hand[0]": "expected str, got int",
        "board.seats[1].gold": "is unknown",
        "board.turn": "expected int >= 0",
        "board.turns": "is missing",
    }
    assert faults_of({"pending.program": [7]}) == {
        "pending.program": "is none that an export has written"
    }
    assert converted(7, Position, "") == (None, (Fault("", "expected object, got int"),))
