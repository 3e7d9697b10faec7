"""Undo: what a seat takes back, or agrees to, folded from the log of its match."""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from domain.engine.agenda import Run
from domain.engine.codec import codec
from domain.engine.decider import carry_out, fold
from domain.engine.events import Event
from domain.engine.ids import Seat
from domain.engine.match import Match
from domain.engine.undo import AnswerUndo, Undo, last_move
from schema import errors
from schema import inputs as i
from schema import types as t
from service import auth
from service.auth import Principal
from service.matches import Decide, Matches, Order
from service.moves import Moves

_ATTEMPTS: Final = 4


class MovedOn(Exception):
    """The match is no longer at the version that its log was read at."""


class Log(Struct, frozen=True):
    """The events of a match, commit by commit, up to a version."""

    version: int
    commits: tuple[Sequence[Event], ...]

    def at(self, version: int) -> Match[Any]:
        """Return the match as it was at a version, from 1 on."""
        return fold([event for events in self.commits for event in events][:version])


async def read(matches: Matches, match_id: str) -> Log:
    """Return the log up to the newest version."""
    snapshot = await matches.newest(match_id)
    decode = codec(snapshot.match.game).events
    stored = await matches.store.load(match_id)
    commits = tuple([decode(one.events) for one in stored if one.last <= snapshot.version])
    return Log(snapshot.version, commits)


def decision(log: Log, seat: Seat, agreed: bool | None) -> Decide:
    """Return what decides an undo of a seat, or its answer to one that another seat asked for.

    It raises `MovedOn` for a match that is at another version than the log.
    """

    def decide(match: Match[Any]) -> Run[Any]:
        if match.version != log.version:
            raise MovedOn
        if agreed is not None:
            earlier = match if match.undo is None else log.at(match.undo.version)
            return carry_out(match, AnswerUndo(seat, agreed, earlier))
        move = last_move(log.commits, seat)
        if move is None:
            return carry_out(match, Undo(seat, match, ()))  # says why not
        return carry_out(match, Undo(seat, log.at(move.version), move.since))

    return decide


async def undo(
    matches: Matches, moves: Moves, principal: Principal, arguments: i.UndoInput
) -> t.MoveResult:
    """Take the last move of the caller's seat back, or answer for the seat.

    Raises: IllegalUndo, Busy, and what every move raises.
    """
    seat = auth.seat_of(principal)
    auth.check_access(principal, arguments.match_id)
    for _ in range(_ATTEMPTS):
        log = await read(matches, arguments.match_id)
        try:
            decide = decision(log, seat, arguments.agree)
            return await moves.make("undo", principal, arguments, decide)
        except MovedOn:
            continue
    raise errors.Busy("others changed the match at the same time; send the command again")


async def consent(matches: Matches, match_id: str, order: Order) -> None:
    """Agree for a bot to what somebody asked for."""
    seat = order.seat
    assert seat is not None, "bots have seats"
    log = await read(matches, match_id)
    try:
        await matches.commit(match_id, order, decision(log, seat, agreed=True))
    except MovedOn:
        return  # whoever moved wakes the bots again
