"""Is a stored match true? Play it again under this build and compare every event.

Theory of operation. The first event of a command tells which command it was: `match.created` was
`CreateMatch`, `choice.made` was `Choose`, `match.seat_conceded` was `Concede`, and so on. So the
audit needs nothing but the events: it reads the command off the next event, carries it out, and the
events that come of it have to be the next ones of the log, byte for byte in encoded form. A named
move with several steps is the same as its steps one by one, so each step is carried out by itself.
The first difference ends the audit: what comes after it follows from another match.

A log redacted for a viewer cannot be played again: the draws are missing. Of such a log the audit
says whether its events can be folded and whether the commitment holds once seed and salt show.

An undo goes back to a state that the log has had before, so the audit keeps the match after every
commit. A fork or a position brings a state from elsewhere: it is taken as it is if it could stand
on a table, and what a stranger wrote can make the rules stumble over it; that is a problem, too.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from domain.engine.access import OpenLog, ReplaceToken
from domain.engine.chance import commitment
from domain.engine.codec import Frame, encode, type_of
from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    CreateMatch,
    ExpireChoice,
    StartMatch,
    TakeSeat,
    carry_out,
    create,
)
from domain.engine.errors import DomainError
from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    Event,
    LogOpened,
    MatchCreated,
    MatchEnded,
    MatchRestored,
    MatchStarted,
    SeatConceded,
    SeatFilled,
    TimeRanOut,
    TokenReplaced,
    UndoAnswered,
    UndoAsked,
)
from domain.engine.game import game_of
from domain.engine.ids import Seat
from domain.engine.layout import LayOut
from domain.engine.match import Match, evolve, state_of
from domain.engine.stumbles import STUMBLES
from domain.engine.terms import RunOut
from domain.engine.undo import AnswerUndo, Undo, last_move


class Problem(Struct, frozen=True):
    """The first event that is not as it should be, and why."""

    version: int
    reason: str


class Audit(Struct, frozen=True):
    """What an audit found: the problems, none if the log is true, and the match as far as it goes.

    `replayed` is false where only visible events could be folded.
    """

    problems: tuple[Problem, ...]
    match: Match[Any] | None
    replayed: bool


class _Mismatch(Exception):
    def __init__(self, version: int, reason: str) -> None:
        self.problem = Problem(version, reason)


class _History:
    """The commits that have passed, and the match after each of them by its version."""

    def __init__(self) -> None:
        self.commits: list[Sequence[Event]] = []
        self.matches: dict[int, Match[Any]] = {}

    def add(self, events: Sequence[Event], match: Match[Any]) -> None:
        self.commits.append(events)
        self.matches[match.version] = match

    def undo(self, seat: Seat, version: int) -> Undo | None:
        """Return the undo of the last move of a seat, if it goes back to that version."""
        move = last_move(self.commits, seat)
        if move is None or move.version != version:
            return None
        return Undo(seat, self.matches[version], move.since)


def audit(commits: Iterable[Sequence[Event]]) -> Audit:
    """Replay a full log, given as the events of each commit in order."""
    match: Match[Any] | None = None
    history, version = _History(), 0
    try:
        for events in commits:
            done = 0
            while done < len(events):
                came, match = _carried_out(match, events[done:], version + 1, history)
                _compare(came, events[done:], version)
                done += len(came)
                version += len(came)
            if match is not None:
                history.add(events, match)
        if match is None:
            raise _Mismatch(1, "there are no events")
    except _Mismatch as found:
        return Audit((found.problem,), match, replayed=True)
    return Audit((), match, replayed=True)


def causes(match: Match[Any], events: Sequence[Event]) -> tuple[Frame | None, ...]:
    """Return the frame in which each event of a commit happened, by carrying it out again.

    `None` for what no frame made happen, and from where this build would do something else on.
    """
    frames: list[Frame | None] = []
    try:
        while len(frames) < len(events):
            rest, version = events[len(frames) :], match.version + 1
            run = carry_out(match, _command(match, rest, version, _History()))
            _compare(run.events, rest, match.version)
            frames += run.frames
            match = run.match
    except (DomainError, _Mismatch, *STUMBLES):
        frames += [None] * (len(events) - len(frames))
    return tuple(frames)


def audit_redacted(events: Iterable[Event]) -> Audit:
    """Fold a log redacted for a viewer, and check the commitment where seed and salt show."""
    match: Match[Any] | None = None
    version = 0
    try:
        for event in events:
            version += 1
            match = _folded(match, event, version)
            if isinstance(event, MatchEnded):
                _check_commitment(match.commitment, event.seed, event.salt, version)
        if match is None:
            raise _Mismatch(1, "there are no events")
    except _Mismatch as found:
        return Audit((found.problem,), match, replayed=False)
    return Audit((), match, replayed=False)


def _carried_out(
    match: Match[Any] | None, events: Sequence[Event], version: int, history: _History
) -> tuple[Sequence[Event], Match[Any]]:
    event = events[0]
    name, _ = type_of(event)
    try:
        if match is None:
            if not isinstance(event, MatchCreated):
                raise _Mismatch(version, "a log begins with match.created")
            return _created(event, version)
        if isinstance(event, MatchStarted):
            _check_commitment(event.commitment, event.seed, event.salt, version)
        run = carry_out(match, _command(match, events, version, history))
    except DomainError as error:
        raise _Mismatch(version, f"{name} is not allowed here: {error.message}") from None
    except STUMBLES:
        raise _Mismatch(version, f"{name} cannot happen to this match") from None
    return run.events, run.match


def _created(event: MatchCreated, version: int) -> tuple[Sequence[Event], Match[Any]]:
    ruleset = game_of(event.game).ruleset
    if event.ruleset != ruleset:
        reason = (
            f"ruleset {event.ruleset} is not the one of this build, {ruleset}; "
            "only a build that has it can play the match again"
        )
        raise _Mismatch(version, reason)
    terms = (event.facts, event.account, event.limit, event.spectators)
    command = CreateMatch(event.game, event.seats, event.options, *terms)
    first, match = create(command)
    return (first,), match


def _command(
    match: Match[Any], events: Sequence[Event], version: int, history: _History
) -> Command:
    event = events[0]
    if isinstance(event, TimeRanOut):
        return _ran_out(match, event, events[1:2])
    reader = _COMMANDS.get(type(event))
    command = None if reader is None else reader(match, event, history)
    if command is None:
        name, _ = type_of(event)
        reason = "it is one event too many" if reader is None else "there is no such move"
        raise _Mismatch(version, f"no command begins with {name}: {reason}")
    return command


def _ran_out(match: Match[Any], event: TimeRanOut, after: Sequence[Event]) -> Command:
    """Return the command that the clock gave: the picks of the bot stand in the event after it."""
    picks = [(one.picks or ()) for one in after if isinstance(one, ChoiceMade)]
    return RunOut(event.seat, match.choice, picks[0] if picks else None)


def _choose(match: Match[Any], event: ChoiceMade, _: _History) -> Command:
    return Choose(event.seat, match.choice, (event.picks or (),))


def _restored(match: Match[Any], event: MatchRestored, history: _History) -> Command | None:
    if event.why != "undo":
        return LayOut(event.why, state_of(match.game, event.state), event.match, event.version)
    undos = (history.undo(seat, event.version) for seat in match.seats)
    return next((undo for undo in undos if undo is not None), None)


def _undo_asked(_: Match[Any], event: UndoAsked, history: _History) -> Command | None:
    return history.undo(event.seat, event.version)


def _undo_answered(match: Match[Any], event: UndoAnswered, history: _History) -> Command:
    earlier = match if match.undo is None else history.matches[match.undo.version]
    return AnswerUndo(event.seat, event.agreed, earlier)


# The value type says Any because each function takes its own event class.
_COMMANDS: dict[type[Event], Callable[[Match[Any], Any, _History], Command | None]] = {
    SeatFilled: lambda _, event, __: TakeSeat(event.seat, event.player, event.bot, event.account),
    MatchStarted: lambda _, event, __: StartMatch(event.seed, event.salt),
    ChoiceMade: _choose,
    ChoiceExpired: lambda match, _, __: ExpireChoice(match.choice),
    SeatConceded: lambda _, event, __: Concede(event.seat),
    MatchRestored: _restored,
    UndoAsked: _undo_asked,
    UndoAnswered: _undo_answered,
    TokenReplaced: lambda _, event, __: ReplaceToken(event.seat),
    LogOpened: lambda _, __, ___: OpenLog(),
}


def _compare(came: Sequence[Event], stored: Sequence[Event], before: int) -> None:
    for number, wanted in enumerate(came):
        version = before + number + 1
        name, _ = type_of(wanted)
        if number == len(stored):
            raise _Mismatch(version, f"{name} is missing: the commit ends before it")
        other, _ = type_of(stored[number])
        if name != other:
            raise _Mismatch(version, f"{other} where the rules make {name}")
        if encode(wanted) != encode(stored[number]):
            fields = ", ".join(_different(wanted, stored[number]))
            raise _Mismatch(version, f"{name} has another result than the rules make: {fields}")


def _different(one: Event, other: Event) -> list[str]:
    assert isinstance(one, Struct)
    names = one.__struct_fields__
    return [name for name in names if getattr(one, name) != getattr(other, name)]


def _check_commitment(given: str | None, seed: str | None, salt: str | None, version: int) -> None:
    if seed is None or salt is None:
        raise _Mismatch(version, "seed and salt are missing: the log is not full")
    try:
        true = commitment(seed, salt)
    except ValueError:
        raise _Mismatch(version, "seed and salt are not hexadecimal") from None
    if given != true:
        raise _Mismatch(version, "the shuffle commitment is not that of seed and salt")


def _folded(match: Match[Any] | None, event: Event, version: int) -> Match[Any]:
    if match is None:
        came, match = _carried_out(None, (event,), version, _History())
        _compare(came, (event,), version - 1)
        return match
    try:
        return evolve(match, event)
    except STUMBLES:
        name, _ = type_of(event)
        raise _Mismatch(version, f"{name} cannot happen to this match") from None
