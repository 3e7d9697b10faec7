"""Whatever somebody writes into a position or a log, the rules refuse it or can go on from it."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw
from msgspec.structs import replace

from domain.engine.agenda import BUDGET
from domain.engine.audit import audit
from domain.engine.chance import Chance
from domain.engine.codec import encode
from domain.engine.decider import (
    Choose,
    CreateMatch,
    StartMatch,
    TakeSeat,
    carry_out,
    create,
    is_window,
    open_choice,
)
from domain.engine.errors import IllegalPosition
from domain.engine.events import Event, MatchRestored
from domain.engine.layout import LayOut, faults
from domain.engine.match import Match, State, evolve, to_state
from domain.engine.moves import all_moves, refusals
from domain.engine.playout import at_random, opening, plies
from domain.engine.position import Position, converted, to_board, to_position
from domain.engine.redaction import redact
from service.bots import pick
from tests.kit.matches import CASES, Case, seed_of, walk

PLAYED = [case for case in CASES if case.game != "toy"]
SEED = seed_of(8)
every_case = pytest.mark.parametrize("case", PLAYED, ids=str)


@every_case
def test_whatever_is_pending_in_a_match_can_be_pending(case: Case) -> None:
    _, blank = create(CreateMatch(case.game, case.seats, case.options))
    for number in range(3):
        for step in walk(case, number, concede=9 if number else 0, expire=5):
            if step.after.outcome is None:
                assert faults(blank, to_state(step.after)) == ()


@cache
def pool(game: str) -> tuple[dict[str, Any], ...]:
    """Return positions of two seats that random matches have come to."""
    found = []
    for number in range(6):
        _, match = opening(game, 2, seed_of(number))
        for at, (_, _, after) in enumerate(plies(match, seed_of(number), limit=60)):
            if at % 3 == number % 3 and after.outcome is None:
                found.append(msgspec.json.decode(encode(to_position(after))))
    return tuple(found)


def places(node: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value in JSON."""
    yield path
    items: Iterable[tuple[Any, Any]] = ()
    if isinstance(node, dict):
        items = node.items()
    elif isinstance(node, list):
        items = enumerate(node)
    for key, value in items:
        yield from places(value, (*path, key))


def value_at(node: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        node = node[key]
    return node


NUMBERS = st.sampled_from([-1, 0, 1, 2, 9, 10**9, 10**30])


@st.composite
def hostile(draw: st.DrawFn, game: str) -> dict[str, Any]:
    """Write something else into what is pending: a number, a part of another match, many of one."""
    some = st.sampled_from(pool(game)).map(deepcopy)
    position: dict[str, Any] = draw(some)
    for _ in range(draw(st.integers(1, 3))):
        pending = position["pending"]
        *way, last = draw(st.sampled_from(list(places(pending))[1:]))
        around, old = value_at(pending, tuple(way)), value_at(pending, (*way, last))
        other = draw(some)["pending"]
        match draw(st.sampled_from(("number", "other", "alike", "many", "board"))):
            case "number":
                around[last] = draw(NUMBERS)
            case "other":
                around[last] = value_at(other, draw(st.sampled_from(list(places(other)))))
            case "alike":
                same = [at for at in places(other) if at[-1:] == (last,)]
                around[last] = value_at(other, draw(st.sampled_from(same or [()])))
            case "many" if isinstance(old, list):
                around[last] = old * draw(st.sampled_from((0, 2, 3, 2000)))
            case _:
                position["board"] = draw(some)["board"]
    return position


def begun(written: dict[str, Any]) -> Match[Any] | None:
    """Return the match that begins with a position, started; `None` if it is refused."""
    position, found = converted(written, Position, "")
    if found:
        return None
    _, match = create(CreateMatch(position.game, position.seats, position.options))
    state = to_board(position, match)
    if not isinstance(state, State):
        return None
    if faults(match, state):
        with pytest.raises(IllegalPosition):
            carry_out(match, LayOut("position", state))
        return None
    match = carry_out(match, LayOut("position", state)).match
    laid = msgspec.json.decode(encode(to_position(match)))
    if position.pending is not None:
        assert laid == msgspec.json.decode(encode(position))
    for seat in match.seats:
        if not match.places[seat].conceded:
            match = carry_out(match, TakeSeat(seat, "somebody", "greedy")).match
    return carry_out(match, StartMatch(SEED, SEED * 2)).match


def play_on(match: Match[Any], kind: str, plies: int = 8) -> None:
    """Let bots and readers at the match; nothing but a `DomainError` may come of it."""
    for number in range(plies):
        if match.outcome is not None:
            return
        seat = match.asked[0]
        choice = open_choice(match, seat)
        assert choice is not None
        assert all_moves(redact(match, seat), choice)
        refusals(redact(match, seat), choice)
        picks = pick(match, choice, kind, Chance(SEED, number))
        run = carry_out(match, Choose(seat, choice.id, (picks,)))
        assert len(run.events) <= BUDGET
        match = run.match


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
@given(st.data(), st.sampled_from(["random", "greedy"]))
def test_a_hostile_position_is_refused_or_played(game: str, data: st.DataObject, kind: str) -> None:
    match = begun(data.draw(hostile(game)))
    if match is not None:
        with suppress(IllegalPosition):
            play_on(match, kind)


HOSTILE = {
    "chrononauts": [
        ["draw", -1],
        ["draw", 10**9],
        ["grant_plays", 10**9],
        *([["shuffle_draw"]] * 3000,),
        ["take_back"],
        ["new_secret", "identity"],
    ],
    "ancient_knowledge": [
        ["draw_keep", 1, 10**9],
        ["draw", ["floor_div", 0, 1]],
        ["draw", ["mul", 10**9, 10**9]],
        ["draw_keep", 8, 1],
        *([["skip_phase"]] * 3000,),
    ],
}


EVERY_PROGRAM = [
    pytest.param(game, effect, id=f"{game}-{number}")
    for game, effects in HOSTILE.items()
    for number, effect in enumerate(effects)
]


def asks_then(game: str, effect: Any) -> tuple[Match[Any], list[Any]]:
    """Return a match in which a turn begins, and a program that does something else after it."""
    _, match = opening(game, 2, SEED)
    match = next(
        after
        for _, _, after in plies(match, SEED)
        if after.prompt in ("play", "action") and len(json.loads(bytes(after.agenda))) == 1
    )
    (frame,) = json.loads(bytes(match.agenda))
    more = effect if isinstance(effect[0], list) else [effect]
    seat, card, (ask, *rest), bound = frame
    return match, [[seat, card, [ask, *more, *rest], bound]]


@pytest.mark.parametrize(("game", "effect"), EVERY_PROGRAM)
def test_a_program_that_no_card_has_is_refused(game: str, effect: Any) -> None:
    match, program = asks_then(game, effect)
    _, blank = create(CreateMatch(game, 2, match.options))
    state = replace(to_state(match), agenda=Raw(encode(program)))
    (fault,) = faults(blank, state)
    assert fault.path in ("pending", "pending.program[0]")
    position = to_position(match)
    assert position.pending is not None
    position = replace(position, pending=replace(position.pending, program=program))
    assert begun(msgspec.json.decode(encode(position))) is None


@pytest.mark.parametrize(("game", "effect"), EVERY_PROGRAM)
def test_what_was_stored_before_breaks_nothing_but_its_own_match(game: str, effect: Any) -> None:
    """A build that refused less may have let it stand; then the rules stumble, but they stop."""
    match, program = asks_then(game, effect)
    state = replace(to_state(match), agenda=Raw(encode(program)))
    first, table = create(CreateMatch(game, 2, match.options))
    restored = MatchRestored("position", Raw(encode(state)))
    commits: list[tuple[Event, ...]] = [(first,), (restored,)]
    table = evolve(table, restored)
    for command in (TakeSeat(0, "a"), TakeSeat(1, "b"), StartMatch(SEED, SEED * 2)):
        run = carry_out(table, command)
        commits.append(tuple(run.events))
        table = run.match
    assert audit(commits).problems[0].version == 2
    seat = table.asked[0]
    with suppress(IllegalPosition):
        is_window(table)
        choice = open_choice(table, seat)
        assert choice is not None
        picks = at_random(table, choice, Chance(SEED, 1))
        run = carry_out(table, Choose(seat, choice.id, (picks,)))
        assert len(run.events) < BUDGET


def test_what_nobody_asks_of_these_seats_is_named() -> None:
    _, match = opening("chrononauts", 3, SEED)
    match = next(
        after for _, _, after in plies(match, SEED) if after.prompt == "respond" and after.answers
    )
    _, blank = create(CreateMatch("chrononauts", 3, match.options))
    whole = to_state(match)
    assert faults(blank, whole) == ()
    ((first, _),) = whole.answers
    owner = next(iter(set(match.seats) - {first, *whole.asked}))
    wrong = replace(
        whole,
        prompt="play",
        asked=(*whole.asked, owner),
        answers=((first, ("hand:T-REWIND",)),),
    )
    assert {fault.path for fault in faults(blank, wrong)} == {
        "pending.prompt",
        "pending.asked",
        "pending.answers",
    }
    frames = json.loads(bytes(whole.agenda))
    deep = replace(whole, agenda=Raw(encode([*frames[:1] * 80, *frames])))
    assert [fault.reason for fault in faults(blank, deep)] == ["has more than 64 parts"]
