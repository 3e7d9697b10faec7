"""What an account is in a match, and whether a bearer's token still counts."""

from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from domain.engine.match import Match
from schema.errors import MatchNotFound, Unauthenticated
from service.auth import Principal
from service.matches import Matches
from service.store import StoreError
from service.tokens import Keyring


class Roles:
    """The roles of bearers in the matches of one store."""

    def __init__(self, matches: Matches, keys: Keyring) -> None:
        self._matches = matches
        self._keys = keys

    async def of(self, principal: Principal, match_id: str) -> Principal:
        """Return the bearer with its role in a match; only an account's has to be looked for.

        What a process remembers of a match will do where the account has a seat, for it keeps it.
        In a match that does not exist it has none. Raises: StoreUnavailable.
        """
        if principal.account is None:
            return principal
        names = self._keys.bindings(match_id, principal.account)
        known = self._matches.remembered(match_id)
        role = principal if known is None else _role(principal, known.match, names)
        if role.seat is None:
            with suppress(MatchNotFound):
                role = _role(principal, (await self._matches.newest(match_id)).match, names)
        return role

    async def still_counts(self, principal: Principal) -> bool:
        """Tell whether a token is valid still; while the store does not answer, it counts."""
        if self._keys.is_over(principal):
            return False
        if principal.match_id is None:
            return True
        try:
            await self._matches.admitted(principal, principal.match_id)
        except (Unauthenticated, MatchNotFound):
            return False
        except StoreError:
            return True
        return True


def _role(principal: Principal, match: Match[Any], names: tuple[str, ...]) -> Principal:
    seats = (seat for seat, place in enumerate(match.places) if place.account in names)
    return replace(principal, seat=next(seats, None), owns=match.account in names)
