"""Who has something open here that lasts, and how to end it: sockets, streams, long polls.

There are so many places in a process, and so many for the bearer of one token. Where clients are
limited, one address has its part of the places, so that nobody can take them all from there. A
token that stops being valid ends what was opened with it: each bearer is looked at again every few
seconds; one whose token was replaced in a match that somebody follows here, at once.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from domain.engine.events import TokenReplaced
from schema.errors import RateLimited
from service import metrics
from service.auth import ANONYMOUS, Principal, is_voided
from service.edge import apart, client_network
from service.http import report

IsStillValid = Callable[[Principal], Awaitable[bool]]
End = Callable[[], None]

PLACES: Final = 5_000
PLACES_EACH: Final = 32
PLACES_ADDRESS: Final = PLACES // 4
_CHECK_SECONDS: Final = 15.0
_RETRY_SECONDS: Final = 5


async def always(principal: Principal) -> bool:
    """Say that a token stays valid for ever."""
    return True


class Bearers:
    """The bearers of what is open."""

    def __init__(
        self,
        is_still_valid: IsStillValid = always,
        places: int = PLACES,
        places_each: int = PLACES_EACH,
        places_address: int | None = None,
    ) -> None:
        """Know nobody yet; where clients are not limited, an address may have all places."""
        self.is_still_valid = is_still_valid
        self._places = places
        self._places_each = places_each
        self._places_address = places if places_address is None else places_address
        self.taken = 0  # places of this process
        self._addresses: Counter[str] = Counter()
        self._open: dict[Principal, set[End]] = {}

    @contextmanager
    def place(self) -> Iterator[None]:
        """Take one of the places of this process, for the client that asks. Raises: RateLimited."""
        if self.taken >= self._places:
            raise _full("this process has as many feeds open as it can")
        address = client_network()
        if address and self._addresses[address] >= self._places_address:
            raise _full("your address has as many feeds open as it may")
        self.taken += 1
        self._addresses[address] += 1
        metrics.opened(1)
        try:
            with apart():
                yield
        finally:
            self.taken -= 1
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]
            metrics.opened(-1)

    @contextmanager
    def bearing(self, principal: Principal, end: End) -> Iterator[None]:
        """Have something open for a principal, and call `end` when its token is no longer valid.

        Raises: RateLimited.
        """
        if principal == ANONYMOUS:
            yield
            return
        if self._held(principal) >= self._places_each:
            raise _full("this token has as many feeds open as it may")
        ends = self._open.setdefault(principal, set())
        ends.add(end)
        try:
            yield
        finally:
            ends.discard(end)
            if not ends:
                self._open.pop(principal, None)

    def _held(self, principal: Principal) -> int:
        """Return how many places a bearer has; an account has its own, whatever its tokens."""
        if principal.account is None:
            return len(self._open.get(principal, ()))
        held = (ends for one, ends in self._open.items() if one.account == principal.account)
        return sum(map(len, held))

    def end_replaced(self, match_id: str, event: TokenReplaced) -> None:
        """End what was opened with the tokens that a newer one has replaced."""
        for principal in list(self._open):
            if principal.match_id == match_id and is_voided(
                principal, event.seat, event.generation
            ):
                self._end(principal)

    async def run(self) -> None:
        """Look at the bearers again and again until cancelled."""
        while True:
            await asyncio.sleep(_CHECK_SECONDS)
            try:
                await self.check()
            except Exception as error:
                report(error)

    async def check(self) -> None:
        """End what was opened with tokens that are not valid any more."""
        for principal in list(self._open):
            if not await self.is_still_valid(principal):
                self._end(principal)

    def _end(self, principal: Principal) -> None:
        for end in list(self._open.get(principal, ())):
            end()


def _full(message: str) -> RateLimited:
    return RateLimited(f"{message}; close some, or try again later", retryAfter=_RETRY_SECONDS)
