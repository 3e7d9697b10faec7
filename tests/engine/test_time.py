"""Time that runs out, as the core sees it: a command like any other, and two events for it."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.audit import audit
from domain.engine.choices import answers
from domain.engine.decider import (
    Choose,
    Command,
    CreateMatch,
    ExpireChoice,
    carry_out,
    create,
    decide,
    open_choice,
)
from domain.engine.effects import Ask, Who
from domain.engine.errors import DomainError
from domain.engine.events import (
    ChoiceMade,
    ChoiceOffered,
    Event,
    MatchCreated,
    SeatConceded,
    Spectators,
    TimeRanOut,
    TurnLimit,
)
from domain.engine.layout import LayOut
from domain.engine.match import Match, to_state
from domain.engine.playout import opening
from domain.engine.terms import RunOut
from domain.engine.undo import is_free
from tests.engine.lab import Bench, Finish, Menu, Report, Said, ask, begin
from tests.games.toy.game import TOY

BOT, CONCEDE = TurnLimit(60, "bot"), TurnLimit(60, "concede")
PROGRAM = (ask("word", Who.ALL, words=("a", "b", "c")), Report(), Finish())


def limited(limit: TurnLimit | None, match: Match[Bench] | None = None) -> Match[Bench]:
    return replace(match or begin(*PROGRAM), limit=limit)


WINDOW = limited(BOT, begin(Ask(Menu(min=0), "word", Who.OTHERS, window=True), Finish()))


def test_the_answer_of_the_bot_follows_the_time_that_ran_out() -> None:
    match = limited(BOT)
    run = carry_out(match, RunOut(1, match.choice, ("b",)))
    assert run.events == [TimeRanOut(1), ChoiceMade(1, ("b",))]
    assert run.match.asked == (0,)
    events = decide(run.match, RunOut(0, match.choice, ("c",)))
    assert events[:2] == (TimeRanOut(0), ChoiceMade(0, ("c",)))
    assert isinstance(events[2], Said)


def test_a_seat_without_time_concedes_where_that_is_the_rule() -> None:
    match = limited(CONCEDE)
    run = carry_out(match, RunOut(1, match.choice))
    assert run.events[:2] == [TimeRanOut(1), SeatConceded(1)]
    assert run.match.places[1].conceded


CHOICE = limited(BOT).choice
OVER = limited(BOT, begin(Finish()))
REFUSALS: dict[str, tuple[Match[Bench], Command, str]] = {
    "without a limit": (limited(None), RunOut(0, CHOICE, ("a",)), "illegal_choice"),
    "of a window": (WINDOW, RunOut(1, WINDOW.choice, ()), "illegal_choice"),
    "at a stale choice": (limited(BOT), RunOut(0, CHOICE - 1, ("a",)), "unknown_choice"),
    "of a seat that is not asked": (WINDOW, RunOut(0, WINDOW.choice, ()), "unknown_choice"),
    "of no seat": (limited(BOT), RunOut(7, CHOICE, ("a",)), "unknown_seat"),
    "for a bot without picks": (limited(BOT), RunOut(0, CHOICE), "illegal_choice"),
    "for a bot that cheats": (limited(BOT), RunOut(0, CHOICE, ("z",)), "illegal_choice"),
    "for a bot where it concedes": (limited(CONCEDE), RunOut(0, CHOICE, ("a",)), "illegal_choice"),
    "when it is over": (OVER, RunOut(0, OVER.choice, ()), "match_finished"),
    "before the start": (
        create(CreateMatch("lab", 2, limit=BOT))[1],
        RunOut(0, 0, ()),
        "match_not_started",
    ),
}


@pytest.mark.parametrize("what", REFUSALS)
def test_no_time_runs_out(what: str) -> None:
    match, command, code = REFUSALS[what]
    with pytest.raises(DomainError) as refusal:
        decide(match, command)
    assert refusal.value.code == code


def test_a_window_of_a_position_waits_for_the_start() -> None:
    _, table = create(CreateMatch("lab", 2))
    laid = carry_out(table, LayOut("position", to_state(WINDOW))).match
    with pytest.raises(DomainError) as refusal:
        decide(laid, ExpireChoice(laid.choice))
    assert refusal.value.code == "match_not_started"


@pytest.mark.parametrize("seconds", [-1, 0, 14 * 86_400 + 1, 10**30])
def test_a_limit_has_limits(seconds: int) -> None:
    with pytest.raises(DomainError) as refusal:
        create(CreateMatch("lab", 2, limit=TurnLimit(seconds, "bot")))
    assert (refusal.value.code, refusal.value.detail) == (
        "invalid_options",
        {"seconds": [1, 1_209_600]},
    )


@pytest.mark.parametrize("delay", [-1, 0, 21])
def test_spectators_are_not_behind_for_ever(delay: int) -> None:
    with pytest.raises(DomainError) as refusal:
        create(CreateMatch("lab", 2, spectators=Spectators(delay)))
    assert (refusal.value.code, refusal.value.detail) == ("invalid_options", {"delay": [1, 20]})


def test_the_terms_of_a_match_stand_in_its_first_event() -> None:
    event, match = create(CreateMatch("lab", 2, limit=BOT, spectators=Spectators(3)))
    assert (event.limit, event.spectators) == (BOT, Spectators(3))
    assert (match.limit, match.spectators) == (BOT, Spectators(3))
    assert create(CreateMatch("lab", 2, spectators=Spectators()))[1].spectators == Spectators()


def test_what_a_bot_answered_is_not_taken_back_for_nothing() -> None:
    match = limited(BOT, begin(ask("word"), ask("other"), Finish()))
    move = Choose(0, match.choice, (("a",),))
    own = tuple(decide(match, move))
    after = carry_out(match, move).match
    assert is_free(match, own, 0)
    assert not is_free(match, (*own, *decide(after, RunOut(0, after.choice, ("a",)))), 0)


def log(limit: TurnLimit | None) -> list[tuple[Event, ...]]:
    """Return the commits of a match in which seat 0 runs out of time, then answer for the rest."""
    events, match = opening(TOY.name, 3, "7e" * 16)
    first = events[0]
    assert isinstance(first, MatchCreated)
    commits: list[tuple[Event, ...]] = [(replace(first, limit=limit),)]
    commits += [(event,) for event in events[1:4]]
    commits.append(tuple(events[4:]))
    match = replace(match, limit=limit)
    seat = match.asked[0]
    picks = None if limit == CONCEDE else next(answers(_open(match, seat)))
    return [*commits, tuple(decide(match, RunOut(seat, match.choice, picks)))]


def _open(match: Match[Any], seat: int) -> Any:
    choice = open_choice(match, seat)
    assert choice is not None
    return choice


@pytest.mark.parametrize("limit", [BOT, CONCEDE])
def test_a_log_with_time_that_ran_out_is_true(limit: TurnLimit) -> None:
    assert audit(log(limit)).problems == ()


def test_a_log_is_false_where_something_else_happens_than_was_agreed() -> None:
    for limit, other in ((BOT, CONCEDE), (CONCEDE, BOT), (BOT, None), (CONCEDE, None)):
        true = log(limit)
        first = true[0][0]
        assert isinstance(first, MatchCreated)
        (problem,) = audit([(replace(first, limit=other),), *true[1:]]).problems
        assert problem.version == sum(map(len, true[:-1])) + 1
        assert "match.time_ran_out is not allowed here" in problem.reason


def test_a_log_is_false_where_nothing_happens_when_time_runs_out() -> None:
    true = log(BOT)
    at = sum(map(len, true[:-1]))
    (problem,) = audit([*true[:-1], true[-1][:1]]).problems
    assert problem.version == at + 1
    without_pick = (true[-1][0], *true[-1][2:])
    (problem,) = audit([*true[:-1], without_pick]).problems
    assert problem.version == at + 1


def test_a_limit_out_of_range_makes_a_log_false() -> None:
    true = log(BOT)
    first = true[0][0]
    assert isinstance(first, MatchCreated)
    (problem,) = audit([(replace(first, limit=TurnLimit(0, "bot")),), *true[1:]]).problems
    assert problem.version == 1


def test_old_matches_have_all_the_time() -> None:
    match = begin(*PROGRAM)
    assert (match.limit, match.spectators) == (None, None)
    assert isinstance(opening(TOY.name, 3, "7e" * 16)[0][-1], ChoiceOffered)
