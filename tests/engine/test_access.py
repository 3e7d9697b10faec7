"""Tokens that are replaced and logs that are opened stand in the log for everybody to see."""

from typing import Any

import pytest

import domain.games  # noqa: F401  # makes the games known
from domain.engine.access import OpenLog, ReplaceToken, generation_of
from domain.engine.audit import audit
from domain.engine.decider import CreateMatch, StartMatch, TakeSeat, carry_out, create, decide
from domain.engine.errors import MatchFinished, SeatsEmpty, UnknownSeat
from domain.engine.events import LogOpened, MatchEnded, Outcome, TokenReplaced
from domain.engine.match import Match, evolve
from domain.engine.redaction import redact, redact_event
from domain.engine.undo import is_free

SEED, SALT = "5e" * 16, "5a" * 32


def opened(*commands: Any) -> tuple[list[Any], Match[Any]]:
    event, match = create(CreateMatch("chrononauts", 3, account="owner's"))
    commits: list[Any] = [(event,)]
    for command in (TakeSeat(0, "Ann", account="ann's"), TakeSeat(1, "bot", "random"), *commands):
        run = carry_out(match, command)
        commits.append(tuple(run.events))
        match = run.match
    return commits, match


def test_a_token_is_replaced_generation_by_generation() -> None:
    _, match = opened()
    assert decide(match, ReplaceToken(0)) == (TokenReplaced(seat=0, generation=1),)
    _, match = opened(ReplaceToken(0), ReplaceToken(0), ReplaceToken(None))
    assert [generation_of(match, seat) for seat in (0, 1, None)] == [2, 0, 1]
    assert (match.account, match.places[0].account) == ("owner's", "ann's")


def test_only_a_seat_with_a_player_has_a_token() -> None:
    _, match = opened()
    with pytest.raises(UnknownSeat):
        decide(match, ReplaceToken(7))
    for seat in (1, 2):
        with pytest.raises(SeatsEmpty):
            decide(match, ReplaceToken(seat))


def test_a_log_that_was_opened_stays_opened() -> None:
    _, match = opened(OpenLog())
    assert match.opened
    assert decide(match, OpenLog()) == (LogOpened(),)


def test_everybody_sees_it_and_nobody_learns_a_card_by_it() -> None:
    _, match = opened()
    for event in (TokenReplaced(seat=0, generation=1), LogOpened()):
        assert is_free(match, [event], 0)
        for viewer in (None, 0, 1):
            assert redact_event(event, viewer, "chrononauts") == event
            folded = evolve(redact(match, viewer), event)
            assert folded == redact(evolve(match, event), viewer)


def test_it_is_replayed() -> None:
    commits, match = opened(
        ReplaceToken(0), TakeSeat(2, "Cy"), StartMatch(SEED, SALT), ReplaceToken(None), OpenLog()
    )
    found = audit(commits)
    assert found.problems == ()
    assert found.match == match
    wrong = [*commits, (TokenReplaced(seat=0, generation=9),)]
    (problem,) = audit(wrong).problems
    assert "generation" in problem.reason


def test_nothing_is_replaced_after_the_end() -> None:
    _, match = opened(TakeSeat(2, "Cy"), StartMatch(SEED, SALT))
    ended = evolve(match, MatchEnded(Outcome((), ("draw",)), SEED, SALT))
    for command in (ReplaceToken(0), OpenLog()):
        with pytest.raises(MatchFinished):
            decide(ended, command)
