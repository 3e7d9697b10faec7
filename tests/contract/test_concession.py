"""A seat may leave at any moment: at every kind of choice, in windows, chains and nested plays."""

from collections.abc import Iterator
from typing import Any

import pytest

from domain.engine.chance import Chance
from domain.engine.codec import codec
from domain.engine.decider import Concede, carry_out, open_choice
from domain.engine.match import Match
from domain.engine.playout import at_random
from tests.kit.laws import (
    cards_on,
    check_legality,
    check_moves,
    check_redaction,
    check_round_trip,
)
from tests.kit.matches import CASES, Case, Step, by_liking, next_command, walk

PER_KIND = 1


def kinds_of_choice(case: Case) -> Iterator[Match[Any]]:
    """Yield positions of every kind: what is asked, how deep in plays, how many have answered."""
    found: dict[tuple[str | None, int, bool], int] = {}
    for number in range(8):
        for step in walk(case, number, by_liking if number % 4 == 3 else at_random):
            match = step.after
            if match.outcome is None:
                depth = len(codec(match.game).frames(match.agenda))
                kind = (match.prompt, depth, bool(match.answers))
                found[kind] = found.get(kind, 0) + 1
                if found[kind] <= PER_KIND:
                    yield match


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_seat_may_leave_at_every_kind_of_choice(case: Case) -> None:
    for match in kinds_of_choice(case):
        for seat in match.seats:
            leave_and_go_on(match, seat)


def leave_and_go_on(match: Match[Any], seat: int) -> None:
    cards = cards_on(match)
    run = carry_out(match, Concede(seat))
    step = Step(match, Concede(seat), tuple(run.events), run.match)
    for more in range(8):
        for before, event, after in step.folds():
            check_redaction(before, event, after)
            assert cards_on(after) == cards, event
        check_round_trip(step.after, step.events)
        if step.after.outcome is not None:
            return
        assert seat not in step.after.asked
        assert open_choice(step.after, seat) is None
        if more == 0:
            check_legality(step.after)
            check_moves(step.after)
        command = next_command(step.after, Chance(f"on {seat}", step.after.version), at_random)
        run = carry_out(step.after, command)
        step = Step(step.after, command, tuple(run.events), run.match)


@pytest.mark.parametrize("case", [case for case in CASES if case.seats > 1], ids=str)
def test_the_last_one_left_wins(case: Case) -> None:
    match = next(walk(case, 0)).after
    *leaving, last = match.seats
    for seat in leaving:
        match = carry_out(match, Concede(seat)).match
    assert match.outcome is not None
    assert match.outcome.winners == (last,)
