"""Is a stored match true? Play it again under this build and compare every event.

Theory of operation. The first event of a command tells which command it was: `match.created` was
`CreateMatch`, `choice.made` was `Choose`, `match.seat_conceded` was `Concede`, and so on. So the
audit needs nothing but the events: it reads the command off the next event, carries it out, and the
events that come of it have to be the next ones of the log, byte for byte in encoded form. A named
move with several steps is the same as its steps one by one, so each step is carried out by itself.
The first difference ends the audit: what comes after it follows from another match.

A log redacted for a viewer cannot be played again: the draws are missing. Of such a log the audit
says whether its events can be folded and whether the commitment holds once seed and salt show.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from domain.engine.chance import commitment
from domain.engine.codec import encode, type_of
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
    MatchCreated,
    MatchEnded,
    MatchStarted,
    SeatConceded,
    SeatFilled,
)
from domain.engine.game import game_of
from domain.engine.match import Match, evolve


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


def audit(commits: Iterable[Sequence[Event]]) -> Audit:
    """Replay a full log, given as the events of each commit in order."""
    match: Match[Any] | None = None
    version = 0
    try:
        for events in commits:
            done = 0
            while done < len(events):
                came, match = _carried_out(match, events[done], version + 1)
                _compare(came, events[done:], version)
                done += len(came)
                version += len(came)
        if match is None:
            raise _Mismatch(1, "there are no events")
    except _Mismatch as found:
        return Audit((found.problem,), match, replayed=True)
    return Audit((), match, replayed=True)


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
    match: Match[Any] | None, event: Event, version: int
) -> tuple[Sequence[Event], Match[Any]]:
    try:
        if match is None:
            if not isinstance(event, MatchCreated):
                raise _Mismatch(version, "a log begins with match.created")
            return _created(event, version)
        if isinstance(event, MatchStarted):
            _check_commitment(event.commitment, event.seed, event.salt, version)
        run = carry_out(match, _command(match, event, version))
    except DomainError as error:
        name, _ = type_of(event)
        raise _Mismatch(version, f"{name} is not allowed here: {error.message}") from None
    return run.events, run.match


def _created(event: MatchCreated, version: int) -> tuple[Sequence[Event], Match[Any]]:
    ruleset = game_of(event.game).ruleset
    if event.ruleset != ruleset:
        reason = f"ruleset {event.ruleset} is not the one of this build, {ruleset}"
        raise _Mismatch(version, reason)
    command = CreateMatch(event.game, event.seats, event.options, event.facts)
    first, match = create(command)
    return (first,), match


def _command(match: Match[Any], event: Event, version: int) -> Command:
    reader = _COMMANDS.get(type(event))
    if reader is None:
        name, _ = type_of(event)
        raise _Mismatch(version, f"no command begins with {name}: it is one event too many")
    return reader(match, event)


def _choose(match: Match[Any], event: ChoiceMade) -> Command:
    return Choose(event.seat, match.choice, (event.picks or (),))


# The value type says Any because each function takes its own event class.
_COMMANDS: dict[type[Event], Callable[[Match[Any], Any], Command]] = {
    SeatFilled: lambda _, event: TakeSeat(event.seat, event.player, event.bot),
    MatchStarted: lambda _, event: StartMatch(event.seed, event.salt),
    ChoiceMade: _choose,
    ChoiceExpired: lambda match, _: ExpireChoice(match.choice),
    SeatConceded: lambda _, event: Concede(event.seat),
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
        came, match = _carried_out(None, event, version)
        _compare(came, (event,), version - 1)
        return match
    # `evolve` trusts what was stored; what a stranger wrote can refer to anything.
    try:
        return evolve(match, event)
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError):
        name, _ = type_of(event)
        raise _Mismatch(version, f"{name} cannot happen to this match") from None
