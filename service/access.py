"""Tokens replaced and issued, and logs opened: what the owner and the seats do about access."""

from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from domain.engine.access import OpenLog, ReplaceToken, generation_of
from domain.engine.agenda import Run
from domain.engine.decider import carry_out
from domain.engine.errors import MatchFinished
from domain.engine.match import Match
from schema import errors
from schema import inputs as i
from schema import types as t
from service import auth
from service.auth import Principal
from service.matches import Matches, Order
from service.moves import to_order
from service.snapshots import Snapshot
from service.tokens import Keyring, short


class Access:
    """The access to the matches of one store."""

    def __init__(self, matches: Matches, keys: Keyring) -> None:
        self._matches = matches
        self._keys = keys

    async def rotate(self, principal: Principal, arguments: i.RotateTokenInput) -> t.RotatedToken:
        """Replace a token.

        Whether the token of the caller counts is asked only if the command has not been carried out
        before: a repeat, with the token that it made void, gets the new one again.
        """
        match_id, seat = arguments.match_id, arguments.seat
        auth.check_access(principal, match_id)
        if principal.kind == "seat" and seat is None:
            seat = principal.seat
        if seat is None or seat != auth.own_seat(principal):
            auth.check_owner(principal, "the owner, or the seat itself")
        if principal.issued:
            raise errors.Forbidden("a token that was issued replaces none; the seat's own one does")
        auth.check_secret(arguments.command_id)

        def decide(match: Match[Any]) -> Run[Any]:
            auth.check_current(principal, match)
            return carry_out(match, ReplaceToken(seat))

        order = replace(to_order("rotateToken", principal, None, arguments), bearer=None)
        done = await self._matches.commit(match_id, order, decide)
        generation = generation_of(done.snapshot.match, seat)
        return t.RotatedToken(
            match_id=match_id,
            version=done.snapshot.version,
            seat=seat,
            token=self._keys.owner_token(match_id, generation)
            if seat is None
            else self._keys.seat_token(match_id, seat, generation),
        )

    def issue(
        self, principal: Principal, snapshot: Snapshot, arguments: i.IssueTokenInput
    ) -> t.IssuedToken:
        """Issue a token that lasts no longer than the one that asks for it."""
        seat = arguments.seat
        if seat is None:
            auth.check_owner(principal)
        elif seat != auth.seat_of(principal):
            raise errors.Forbidden("a token of a seat is issued by the seat itself")
        ends = None if arguments.seconds is None else self._keys.until(arguments.seconds)
        known = [one for one in (ends, principal.expires) if one is not None]
        bearer = Principal(
            "spectator" if seat is None else "seat",
            snapshot.match_id,
            seat,
            generation_of(snapshot.match, seat),
            reads=seat is None or arguments.scope == "read",
            expires=min(known, default=None),
            issued=True,
        )
        return t.IssuedToken(
            match_id=snapshot.match_id,
            seat=seat,
            scope="read" if bearer.reads else "play",
            expires=None if bearer.expires is None else bearer.expires * 1000,
            token=self._keys.limited(bearer),
        )

    async def open_log(self, principal: Principal, snapshot: Snapshot) -> Snapshot:
        """Return the match with a log that says that its owner looks into it."""
        if snapshot.match.opened:
            return snapshot
        match_id = snapshot.match_id
        command = short(self._keys.derive("opened", match_id))
        order = Order(command=command, digest="", seat=None, bearer=principal)
        with suppress(MatchFinished):
            await self._matches.commit(match_id, order, lambda match: carry_out(match, OpenLog()))
        return await self._matches.visible(principal, match_id)
