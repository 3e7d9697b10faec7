"""Fair shares: how much goes at once, and in a minute, to whom and for whom.

Theory of operation. An attempt to send is a *trip*. It takes a place in what this process does for
the *client* who made the webhook: an account, or the network of an address, as for rates. When it
is known where a name leads, it takes one of the places of the *spot* that it is about to connect
to: an address, or of IPv6 a network, whatever the host is called. Spots are shared: neither one
host nor one client gets all places there. Who finds no place comes back later and holds up nobody.

What a client sends to one spot is counted for all processes together, minute by minute: an attempt
counts once, a failure as many. So a client can neither flood somebody by many matches nor go on
knocking where nobody wants it, and what it does there leaves the budgets of others alone.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from ipaddress import IPv6Address
from types import TracebackType
from typing import Any, Final, Self

from service.edge import network
from service.store import Outbox
from service.webhooks.urls import Address

AT_ONCE: Final = 128

_CLIENT: Final = 16
_LOOKUPS: Final = 16  # of a client; one that hangs counts until it ends, however long it takes
_SPOT: Final = 8
_CLIENT_AT_SPOT: Final = 6
_HOST_AT_SPOT: Final = 4
_BUDGET: Final = 1_200  # of a client at a spot, each minute
_FAILURE: Final = 20  # attempts that a failure counts as
_MINUTE: Final = 60  # seconds

Key = tuple[str, ...]
Lookup = Coroutine[Any, Any, Sequence[str]]


class Busy(Exception):
    """There is no place now; there may be one at a time, in milliseconds since 1970, or soon."""

    def __init__(self, until: int = 0) -> None:
        super().__init__("too much is sent there")
        self.until = until


class Shares:
    """The places of this process, and the budgets of all."""

    def __init__(self, outbox: Outbox, clock: Callable[[], int]) -> None:
        """Count in the outbox, by a clock in milliseconds since 1970."""
        self._outbox = outbox
        self._clock = clock
        self._taken: Counter[Key] = Counter()

    def take(self, places: dict[Key, int]) -> None:
        """Take a place of each kind, of which there are so many, or none. Raises: Busy."""
        if any(self._taken[key] >= most for key, most in places.items()):
            raise Busy
        self._taken.update(places.keys())

    def leave(self, places: dict[Key, int]) -> None:
        """Let others have the places."""
        for key in places:
            self._taken[key] -= 1
            if not self._taken[key]:
                del self._taken[key]

    async def spend(self, client: str, spot: str, amount: int) -> None:
        """Take so much out of the budget of a client. Raises: Busy (it was spent), StoreError."""
        minute = self._clock() // (_MINUTE * 1000)
        name = f"{client}:{spot}:{minute}"
        if await self._outbox.spend(name, amount, 2 * _MINUTE) > _BUDGET:
            raise Busy((minute + 1) * _MINUTE * 1000)


class Trip:
    """What one attempt takes up; leave it with `with`. No client: one that has no limit."""

    def __init__(self, shares: Shares, client: str | None, host: str) -> None:
        """Go to a host, with its port, for a client."""
        self._shares = shares
        self._client = client
        self._host = host
        self._own: dict[Key, int] = {} if client is None else {("client", client): _CLIENT}
        self._there: dict[Key, int] = {}
        self._visited: list[str] = []

    def __enter__(self) -> Self:
        """Raises: Busy."""
        self._shares.take(self._own)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.leave()
        self._shares.leave(self._own)

    async def look_up(self, lookup: Callable[[], Lookup]) -> Sequence[str]:
        """Return where a name leads. Raises: Busy, OSError."""
        places: dict[Key, int] = {}
        if self._client is not None:
            places["lookup", self._client] = _LOOKUPS
        self._shares.take(places)
        looking = asyncio.create_task(lookup())

        def ended(looked: asyncio.Task[Sequence[str]]) -> None:
            self._shares.leave(places)
            if not looked.cancelled():
                looked.exception()  # whoever asked may have gone

        looking.add_done_callback(ended)
        return await asyncio.shield(looking)

    async def enter(self, address: Address) -> None:
        """Take a place where the address is, and leave the last one. Raises: Busy, StoreError."""
        self.leave()
        spot = spot_of(address)
        there: dict[Key, int] = {("spot", spot): _SPOT, ("host", spot, self._host): _HOST_AT_SPOT}
        if self._client is not None:
            there["part", spot, self._client] = _CLIENT_AT_SPOT
        self._shares.take(there)
        self._there = there
        if self._client is not None:
            await self._shares.spend(self._client, spot, 1)
            self._visited.append(spot)

    def leave(self) -> None:
        """Let others have the place."""
        self._shares.leave(self._there)
        self._there = {}

    async def failed(self) -> None:
        """Count what failed wherever this trip led. Raises: StoreError."""
        for spot in self._visited:
            assert self._client is not None
            with suppress(Busy):
                await self._shares.spend(self._client, spot, _FAILURE - 1)


def spot_of(address: Address) -> str:
    """Return what connections are counted by: an address; of IPv6, its network."""
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or address
    return network(str(address))
