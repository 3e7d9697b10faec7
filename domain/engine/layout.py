"""Setting a table as a whole: a fork of another match, or a position.

The state comes from elsewhere, so it is looked at from all sides first, and every fault is named at
once: those of the engine here, those of a game by its own `faults`.
"""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.engine.agenda import Run, offer, waiting
from domain.engine.codec import Frame, codec, encode
from domain.engine.errors import IllegalPosition, MatchNotOpen
from domain.engine.events import MatchRestored
from domain.engine.game import Fault, game_of
from domain.engine.ids import Json
from domain.engine.match import Match, State

STUMBLES = (
    *(LookupError, ValueError, TypeError, AttributeError, AssertionError),
    *(RecursionError, msgspec.MsgspecError),
)
"""What `evolve` and the rules may raise over something that they did not make themselves."""


class LayOut(Struct, frozen=True):
    """Set the table of a match that has not started: a fork of another match, or a position."""

    why: Literal["fork", "position"]
    state: State[Any]
    match: str | None = None
    version: int = 0


def lay_out(run: Run[Any], command: LayOut) -> None:
    """Set the table.

    Raises:
        MatchNotOpen: the match has started.
        IllegalPosition: the state cannot stand on this table; `errors` names every fault.
    """
    if run.match.started:
        raise MatchNotOpen("the match has started")
    found = faults(run.match, command.state)
    if found:
        raise illegal(found)
    state = Raw(encode(command.state))
    run.emit(
        MatchRestored(why=command.why, state=state, match=command.match, version=command.version)
    )


def illegal(found: tuple[Fault, ...]) -> IllegalPosition:
    """Return the refusal that names every fault."""
    errors: list[Json] = [{"path": fault.path, "message": fault.reason} for fault in found]
    reasons = "; ".join(f"{fault.path}: {fault.reason}" for fault in found)
    return IllegalPosition(f"this cannot stand on the table: {reasons}", errors=errors)


def faults(match: Match[Any], state: State[Any]) -> tuple[Fault, ...]:
    """Return every reason why a state cannot stand on the table of a match that is laid out."""
    found = (*_game_faults(match, state), *(Fault("pending", why) for why in _waits(match, state)))
    return tuple(dict.fromkeys(found))


def _game_faults(match: Match[Any], state: State[Any]) -> tuple[Fault, ...]:
    try:
        return game_of(match.game).faults(state.board, match.board)
    except STUMBLES:
        return (Fault("", "the board does not hold together"),)


def _waits(match: Match[Any], state: State[Any]) -> Iterator[str]:
    """Yield what is wrong with who is asked, and with what remains to be done."""
    asked = state.asked
    involved = (*asked, *[seat for seat, _ in state.answers])
    if not {*involved, *state.gone} <= set(match.seats):
        yield "names a seat that is not there"
    elif len(set(involved)) != len(involved) or set(asked) & set(state.gone):
        yield "asks a seat that has answered or conceded"
    elif not asked:
        yield "nobody has to choose"
    elif not _is_answerable(match, state):
        yield "the rules cannot go on from here"


def _is_answerable(match: Match[Any], state: State[Any]) -> bool:
    """Tell whether every seat that is asked is offered something, on the table as it stands."""
    try:
        frames: tuple[Frame, ...] = codec(match.game).frames(state.agenda)
        frame, ask = waiting(frames)
        table = replace(match, board=state.board)
        offers = [offer(table, seat, frame, ask) for seat in state.asked]
    except STUMBLES:
        return False
    here = all(frame.seat in match.seats for frame in frames)
    return here and all(one.options or one.always for one in offers)
