"""What the log says about access: tokens that were replaced, and an owner who looked into it."""

from typing import Any

from msgspec import Struct

from domain.engine.agenda import Run
from domain.engine.errors import SeatsEmpty, UnknownSeat
from domain.engine.events import LogOpened, TokenReplaced
from domain.engine.ids import Seat
from domain.engine.match import Match


class ReplaceToken(Struct, frozen=True):
    """Make the token of a seat, or of the owner (no seat), void for a new one."""

    seat: Seat | None


class OpenLog(Struct, frozen=True):
    """Note that the owner looks into the full log."""


def generation_of(match: Match[Any], seat: Seat | None) -> int:
    """Return the generation of the token that counts for a seat, or for the owner (no seat)."""
    return match.generation if seat is None else match.places[seat].generation


def replace_token(run: Run[Any], command: ReplaceToken) -> None:
    """Let the next generation of a token begin.

    Raises:
        UnknownSeat: there is no such seat.
        SeatsEmpty: nobody sits there who could have a token.
    """
    seat = command.seat
    if seat is not None:
        if seat not in run.match.seats:
            raise UnknownSeat(f"there is no seat {seat}", seats=len(run.match.places))
        place = run.match.places[seat]
        if place.player is None or place.bot is not None:
            raise SeatsEmpty("nobody with a token sits there", seats=[seat])
    run.emit(TokenReplaced(seat=seat, generation=generation_of(run.match, seat) + 1))


def open_log(run: Run[Any]) -> None:
    """Tell everybody; once is enough, for it counts from then on."""
    run.emit(LogOpened())
