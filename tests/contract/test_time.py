"""A match whose seats run out of time again and again obeys the laws, and its log verifies."""

from typing import Any, Literal

import pytest
from msgspec.structs import replace

from domain.engine.audit import audit, audit_redacted
from domain.engine.chance import Chance
from domain.engine.decider import carry_out, fold, is_window, open_choice
from domain.engine.events import Event, MatchCreated, TimeRanOut, TurnLimit
from domain.engine.match import Match
from domain.engine.playout import at_random, opening
from domain.engine.redaction import redact_event
from domain.engine.terms import RunOut
from tests.kit.laws import check_redaction, check_round_trip, viewers
from tests.kit.matches import CASES, Case, Step, next_command, seed_of

SEED = 3


def next_step(match: Match[Any], chance: Chance) -> Step:
    """Let a seat run out of time in every third step, or whatever else may happen."""
    command = next_command(match, chance, at_random, concede=2, expire=10)
    if not is_window(match) and chance.below(3) == 0:
        seat = match.asked[chance.below(len(match.asked))]
        choice = open_choice(match, seat)
        assert choice is not None
        assert match.limit is not None
        picks = at_random(match, choice, chance) if match.limit.then == "bot" else None
        command = RunOut(seat, match.choice, picks)
    run = carry_out(match, command)
    return Step(match, command, tuple(run.events), run.match)


@pytest.mark.parametrize("then", ["bot", "concede"])
@pytest.mark.parametrize("case", CASES, ids=str)
def test_time_runs_out_within_the_laws(case: Case, then: Literal["bot", "concede"]) -> None:
    events, _ = opening(case.game, case.seats, seed_of(SEED), case.options)
    first = events[0]
    assert isinstance(first, MatchCreated)
    start = 1 + case.seats
    log: list[Event] = [replace(first, limit=TurnLimit(60, then)), *events[1:]]
    commits = [*[(event,) for event in log[:start]], tuple(log[start:])]
    match = fold(log)
    while match.outcome is None:
        step = next_step(match, Chance("time", match.version))
        for before, event, after in step.folds():
            if isinstance(event, TimeRanOut):
                check_redaction(before, event, after)
        check_round_trip(step.after, step.events)
        commits.append(step.events)
        log += step.events
        match = step.after
    assert fold(log) == match
    assert any(isinstance(event, TimeRanOut) for event in log)
    assert audit(commits).problems == ()
    for viewer in viewers(match):
        if viewer != "all":
            shown = [redact_event(event, viewer, case.game) for event in log]
            assert audit_redacted(shown).problems == ()
