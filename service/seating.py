"""Seats of a match that are taken: by a player with an invite or without, by a bot."""

import secrets
from typing import Any

from msgspec.structs import replace

from domain.engine.access import generation_of
from domain.engine.agenda import Run
from domain.engine.decider import StartMatch, TakeSeat, carry_out
from domain.engine.errors import SeatTaken
from domain.engine.ids import Seat
from domain.engine.match import Match
from schema import errors
from schema import inputs as i
from schema import types as t
from service import auth
from service.auth import Principal
from service.matches import Matches
from service.moves import to_order
from service.tokens import Keyring


class Seating:
    """The seats of the matches of one store."""

    def __init__(self, matches: Matches, keys: Keyring) -> None:
        self._matches = matches
        self._keys = keys

    async def take(self, principal: Principal, arguments: i.TakeSeatInput) -> t.TakenSeat:
        """With an invite that seat; as the owner, or in a public match, any; a bot by the owner.

        An account takes one seat, which it then plays without another token.
        """
        match_id, wanted = arguments.match_id, arguments.seat
        if arguments.invite is not None or principal.kind == "invite":
            guest = self._guest(principal, arguments)
            wanted = guest.seat
            principal = replace(guest, account=principal.account)
        snapshot = await self._matches.visible(principal, match_id)
        if arguments.bot is not None:
            auth.check_owner(principal)
        else:
            is_guest = principal.kind in ("invite", "admin") or auth.is_owner(principal)
            if not is_guest and not snapshot.public:
                raise errors.Forbidden("this match takes players by invite")
            # The owner knows every invite, and must not get the token of who used one.
            auth.check_secret(arguments.command_id)
        order = to_order("takeSeat", principal, None, arguments)
        names: tuple[str, ...] = ()
        if principal.account is not None and arguments.bot is None:
            names = self._keys.bindings(match_id, principal.account)

        def decide(match: Match[Any]) -> Run[Any]:
            if any(place.account in names for place in match.places):
                raise SeatTaken("this account has a seat already")
            seat = _free_seat(match) if wanted is None else wanted
            player = arguments.bot or arguments.player
            run = carry_out(match, TakeSeat(seat, player, arguments.bot, next(iter(names), None)))
            if is_full(run.match):
                started = carry_out(run.match, start())
                started.events[:0] = run.events
                return started
            return run

        done = await self._matches.commit(match_id, order, decide)
        seat: Seat = getattr(done.events[0], "seat", 0)
        generation = generation_of(done.snapshot.match, seat)
        return t.TakenSeat(
            match_id=match_id,
            version=done.snapshot.version,
            seat=seat,
            token=None if arguments.bot else self._keys.seat_token(match_id, seat, generation),
            started=done.snapshot.match.started,
        )

    def _guest(self, principal: Principal, arguments: i.TakeSeatInput) -> Principal:
        """Return the bearer of the invite, which may be sent as the token, too."""
        guest: Principal | None = principal
        if arguments.invite is not None:
            guest = self._keys.read(arguments.invite)
        if guest is None or guest.kind != "invite" or guest.match_id != arguments.match_id:
            raise errors.Forbidden("the invite is not one of this match")
        if arguments.seat not in (None, guest.seat):
            raise errors.Forbidden("the invite is for another seat")
        return guest


def _free_seat(match: Match[Any]) -> Seat:
    """Return the first free seat; if there is none, any, for the core says why not."""
    free = (
        seat
        for seat, place in enumerate(match.places)
        if place.player is None and not place.conceded
    )
    return next(free, 0)


def is_full(match: Match[Any]) -> bool:
    """Tell whether nobody is waited for any more, so that the match starts."""
    return all(place.player is not None or place.conceded for place in match.places)


def start() -> StartMatch:
    """Return the command that starts a match, with fresh secrets."""
    return StartMatch(seed=secrets.token_hex(16), salt=secrets.token_hex(32))
