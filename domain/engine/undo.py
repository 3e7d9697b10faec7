"""Taking a move back: freely while nothing came of it that a seat can know, else by consent.

An undo does not cut the log: it adds an event that sets the table as it stood. The state comes with
the command, folded from the same log, so that deciding stays a function of its arguments.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from msgspec import Raw, Struct

from domain.engine.agenda import Run
from domain.engine.codec import encode
from domain.engine.errors import IllegalUndo
from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    Event,
    MatchRestored,
    SeatConceded,
    TimeRanOut,
    UndoAnswered,
    UndoAsked,
)
from domain.engine.ids import Seat
from domain.engine.match import Match, evolve, to_state
from domain.engine.worlds import learns, opens_answers


class Undo(Struct, frozen=True):
    """Go back to `earlier`, the match before the seat's last move; `since` happened after it."""

    seat: Seat
    earlier: Match[Any]
    since: tuple[Event, ...]


class AnswerUndo(Struct, frozen=True):
    """Agree to the undo that somebody asked for, or refuse; `earlier` is what it goes back to."""

    seat: Seat
    agreed: bool
    earlier: Match[Any]


class Move(NamedTuple):
    """A move that can be taken back: the version before it, and what happened since."""

    version: int
    since: tuple[Event, ...]


def last_move(commits: Sequence[Sequence[Event]], seat: Seat) -> Move | None:
    """Return the last move of a seat that still counts; the log is given by its commits.

    What an undo has taken back counts no more: the search goes on where the table was set back to.
    """
    ends = [0, *accumulate(len(commit) for commit in commits)]
    places = {version: at for at, version in enumerate(ends)}
    since: tuple[Event, ...] = ()
    at = len(commits)
    while at:
        first, last = commits[at - 1][0], commits[at - 1][-1]
        if isinstance(last, MatchRestored) and last.why == "undo":
            # Only a log made by hand goes back to where no commit ends.
            back = places.get(last.version, at)
            at = back if back < at else 0
            continue
        since = (*commits[at - 1], *since)
        at -= 1
        if isinstance(first, ChoiceMade) and first.seat == seat:
            return Move(ends[at], since)
    return None


def undo(run: Run[Any], command: Undo) -> None:
    """Take the move back, or ask the others.

    Raises:
        IllegalUndo: an undo is being asked for already, or the seat has made no move to take back.
    """
    if run.match.undo is not None:
        raise IllegalUndo("an undo is being asked for already", seat=run.match.undo.seat)
    moved = any(
        isinstance(event, ChoiceMade) and event.seat == command.seat for event in command.since
    )
    if not moved or any(isinstance(event, SeatConceded) for event in command.since):
        raise IllegalUndo("there is no move of this seat to take back")
    if is_free(command.earlier, command.since, command.seat):
        _restore(run, command.earlier)
    else:
        run.emit(UndoAsked(seat=command.seat, version=command.earlier.version))
        _settle(run, command.earlier)


def answer_undo(run: Run[Any], command: AnswerUndo) -> None:
    """Agree or refuse; with the last consent the move is taken back.

    Raises:
        IllegalUndo: nobody asks this seat.
    """
    asked = run.match.undo
    if asked is None or command.seat in (asked.seat, *asked.agreed):
        raise IllegalUndo("nobody asks this seat for an undo")
    assert command.earlier.version == asked.version, "what was asked for is what is restored"
    run.emit(UndoAnswered(seat=command.seat, agreed=command.agreed))
    _settle(run, command.earlier)


def _settle(run: Run[Any], earlier: Match[Any]) -> None:
    asked = run.match.undo
    if asked is not None and not set(run.live()) - {asked.seat, *asked.agreed}:
        _restore(run, earlier)


def _restore(run: Run[Any], earlier: Match[Any]) -> None:
    state = Raw(encode(to_state(earlier)))
    run.emit(MatchRestored(why="undo", state=state, version=earlier.version))


def is_free(before: Match[Any], events: Iterable[Event], seat: Seat) -> bool:
    """Tell whether a seat may take back what happened without asking anybody.

    Nobody else has answered anything since, and no time has run out. The seat has learned nothing:
    no card that lay face down for it and no secret answer has come to light, and nothing was drawn
    or shuffled.
    """
    for event in events:
        if isinstance(event, ChoiceMade) and event.seat != seat:
            return False
        if isinstance(event, ChoiceExpired | TimeRanOut) or opens_answers(before, event):
            return False
        if learns(before, event, seat):
            return False
        before = evolve(before, event)
    return True
