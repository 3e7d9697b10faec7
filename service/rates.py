"""How often a client may ask, counted for all processes together.

Theory of operation. Time is cut into windows. Each client has two budgets in each: one of moves,
one of everything else, so that reading never costs somebody the turn. A budget belongs to the token
of a match, or, where the request is about no match of a token, to the address it came from (of
IPv6, to the network), because tokens of new matches are free; so whatever makes a match costs the
address. Tokens that a match hands out later bring nothing new: all of one seat share its budget.
And all tokens that one address uses have ten budgets together, however many matches they are of.

Tokens that are not valid cost the address, too. Once it has sent as many as it may, a guess at the
token of an administrator is not even answered with yes; tokens that nobody can guess go on.

A process counts by itself and tells the store, which adds up what all processes count: at once when
a budget is first touched in a window, then after each twentieth of it. So a request costs no round
trip but for one in many, and all processes together let through at most a twentieth each too many.
While the store does not answer, every process goes on with what it knows: the limit gets wider, but
nobody is locked out, and the store is left alone for some seconds.
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from contextvars import ContextVar
from inspect import isawaitable
from typing import Any, Final, NoReturn, Protocol

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from schema.errors import RateLimited, Unauthenticated
from schema.graphql import Feed
from schema.operations import OPERATIONS, SUBSCRIPTIONS, Kind
from service.auth import ADMIN, Principal
from service.edge import client_network
from service.http import Authenticate
from service.store.connect import account_of

MOVES: Final = "moves"
OTHERS: Final = "requests"
FAILURES: Final = "failures"  # to tell who asks
MOVE: Final = "choose"  # the general form of all
LOG: Final = "importMatch"  # what costs by its size
NEW_DOCUMENT: Final = "document"  # of GraphQL: it costs as much as an operation

_CROWD: Final = 10  # budgets for all who ask from one address
_TOGETHER: Final = "{}-of-address"
_ACCOUNT: Final = "account."
_PARTS: Final = 20  # of a budget that a process spends before it asks the others
_CLIENTS: Final = 20_000  # whose budgets are remembered
_PAUSE_SECONDS: Final = 5.0  # after a failure of the store
_PATIENCE_SECONDS: Final = 0.25

_MOVES: Final = frozenset(row.name for row in OPERATIONS if row.kind is Kind.MOVE) | {"concede"}
_WEIGHED: Final = frozenset(row.name for row in OPERATIONS if row.takes is not None)
_WEIGHT: Final = 8 * 1024  # bytes
_MAKING: Final = frozenset(
    row.name for row in OPERATIONS if "owner_token" in getattr(row.result, "__struct_fields__", ())
)
_OF_A_MATCH: Final = (
    frozenset(row.name for row in OPERATIONS if "{matchId}" in row.path)
    | frozenset(row.name for row in SUBSCRIPTIONS)  # each follows a match
) - _MAKING

_log = logging.getLogger(__name__)


class Counters(Protocol):
    """Where processes add up what they count, such as a storage of `limits`."""

    async def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Add to a counter that lives some seconds; return its value."""
        ...


class Budget:
    """What one client has spent in one window."""

    __slots__ = ("limit", "spent", "untold", "window")

    def __init__(self, limit: int, window: int) -> None:
        self.limit = limit
        self.window = window
        self.spent = 0
        self.untold = 0


class Receipt:
    """The narrowest budget that a request has touched."""

    __slots__ = ("left", "limit", "name", "refused", "seconds")

    def __init__(self) -> None:
        self.name = ""
        self.limit = 0
        self.left = 0
        self.seconds = 0
        self.refused = False


_receipt: ContextVar[Receipt | None] = ContextVar("receipt", default=None)


class Rates:
    """The budgets of all clients, as this process knows them."""

    def __init__(
        self,
        limit: int,
        seconds: int,
        counters: Counters | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Let each client make `limit` moves and as many other requests in so many seconds."""
        self.limit = limit
        self.seconds = seconds
        self._counters = counters
        self._clock = clock
        self._budgets: dict[tuple[str, str], Budget] = {}
        self._silent_until = 0.0

    async def spend(self, principal: object, operation: str, times: int = 1) -> None:
        """Take an operation out of the budget of whoever asks; admins have no limit.

        Raises: RateLimited.
        """
        if isinstance(principal, Principal) and principal.kind == "admin":
            return
        may_hold_a_move = operation == NEW_DOCUMENT and _may_move(principal)
        if may_hold_a_move and self._is_spent((_client(principal, operation), OTHERS)):
            operation = MOVE  # which nothing else is to hinder
        name = MOVES if operation in _MOVES else OTHERS
        client, address = _client(principal, operation), client_network()
        await self._take((client, name), times)
        is_of_match = client != address and not client.startswith(_ACCOUNT)
        if address and is_of_match:
            await self._take((address, _TOGETHER.format(name)), times, self.limit * _CROWD)

    def _is_spent(self, key: tuple[str, str]) -> bool:
        budget, window = self._budgets.get(key), self._clock() // self.seconds
        return budget is not None and budget.window == window and budget.spent >= budget.limit

    async def _take(self, key: tuple[str, str], times: int, limit: int | None = None) -> None:
        """Take so much out of a budget, all or nothing. Raises: RateLimited."""
        now = self._clock()
        window, passed = divmod(now, self.seconds)
        budget = self._budgets.get(key)
        if budget is None or budget.window != window:
            budget = self._budgets[key] = Budget(limit or self.limit, int(window))
            if len(self._budgets) > _CLIENTS:
                self._forget(int(window))
        is_refused = budget.spent + times > budget.limit
        if not is_refused:
            budget.spent += times
            budget.untold += times
            step = max(1, budget.limit // _PARTS)
            if budget.untold == budget.spent or budget.untold >= step:
                await self._tell(key, budget, now)
                is_refused = budget.spent > budget.limit
        seconds = int(self.seconds - passed) + 1
        if limit is None or is_refused:  # how much others ask is nobody's business
            self._note(key[1], budget, seconds, is_refused)
        if is_refused:
            raise RateLimited(
                f"{budget.limit} {key[1]} in {self.seconds} seconds are too many; "
                f"go on in {seconds} seconds",
                retryAfter=seconds,
            )

    async def weigh(self, principal: object, operation: str, size: int) -> None:
        """Take what an operation costs more because so many bytes came with it.

        Each 8 KiB of a log to verify cost as much as a request; half a budget is the most.

        Raises:
            RateLimited: there is not enough left; nothing more was taken.
        """
        if operation in _WEIGHED and (times := min(size // _WEIGHT, self.limit // 2)):
            await self.spend(principal, operation, times)

    def charging(self, authenticate: Authenticate) -> Authenticate:
        """Return what tells who asks, and charges the address where that fails."""

        def charged(connection: HTTPConnection) -> object:
            try:
                found = authenticate(connection)
            except Unauthenticated as error:
                return self._failed(error)
            return self._checked(found) if found is ADMIN or isawaitable(found) else found

        return charged

    async def _checked(self, found: object) -> object:
        try:
            principal = await found if isawaitable(found) else found
        except Unauthenticated as error:
            await self._failed(error)
        if principal is ADMIN:
            key = (client_network(), FAILURES)
            if self._is_spent(key):
                await self._take(key, 1)  # says when to go on
        return principal

    async def _failed(self, error: Unauthenticated) -> NoReturn:
        await self._take((client_network(), FAILURES), 1)
        raise error

    def counted(self, name: str, feed: Feed) -> Feed:
        """Return the feed, opened only if that is within the budget."""

        async def opened(principal: object, arguments: object) -> AsyncGenerator[object, None]:
            await self.spend(principal, name)
            async with aclosing(feed(principal, arguments)) as updates:
                async for update in updates:
                    yield update

        return opened

    def _note(self, name: str, budget: Budget, seconds: int, is_refused: bool) -> None:
        receipt = _receipt.get()
        if receipt is None:
            return
        left = max(0, budget.limit - budget.spent)
        if not receipt.name or left < receipt.left or is_refused:
            receipt.name, receipt.limit = name, budget.limit
            receipt.left, receipt.seconds = left, seconds
        receipt.refused = receipt.refused or is_refused

    async def _tell(self, key: tuple[str, str], budget: Budget, now: float) -> None:
        if self._counters is None or now < self._silent_until:
            return
        told, budget.untold = budget.untold, 0
        before = budget.spent
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                total = await self._counters.incr(
                    f"{key[0]}:{key[1]}:{budget.window}", self.seconds + 1, told
                )
        except Exception as error:  # whatever it is, it must not become the client's trouble
            budget.untold += told
            self._silent_until = now + _PAUSE_SECONDS
            _log.warning("rates are counted by process: %s", type(error).__name__)
            return
        # What was spent here meanwhile is not in the total.
        budget.spent = max(budget.spent, total + budget.spent - before)

    def _forget(self, window: int) -> None:
        """Drop past windows, and if need be the oldest budgets."""
        for key in [key for key, budget in self._budgets.items() if budget.window != window]:
            del self._budgets[key]
        while len(self._budgets) > _CLIENTS:
            del self._budgets[next(iter(self._budgets))]


def _may_move(principal: object) -> bool:
    return isinstance(principal, Principal) and principal.kind in ("seat", "account")


def _client(principal: object, operation: str) -> str:
    if isinstance(principal, Principal) and principal.account is not None:
        return f"{_ACCOUNT}{principal.account}"
    if isinstance(principal, Principal) and principal.match_id and operation in _OF_A_MATCH:
        return f"{principal.kind}.{principal.match_id}.{principal.seat}"
    return client_network()


class RateHeaders:
    """Tells the client of a request what is left of its budget."""

    def __init__(self, app: ASGIApp, rates: Rates) -> None:
        self._app = app
        self._rates = rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        receipt = Receipt()
        _receipt.set(receipt)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and receipt.name:
                rates, headers = self._rates, MutableHeaders(scope=message)
                policy = f'"{receipt.name}";q={receipt.limit};w={rates.seconds}'
                headers["RateLimit-Policy"] = policy
                headers["RateLimit"] = f'"{receipt.name}";r={receipt.left};t={receipt.seconds}'
                if receipt.refused:
                    headers["Retry-After"] = str(receipt.seconds)
            await send(message)

        await self._app(scope, receive, sending)


def counters(url: str) -> tuple[Counters, Callable[[], Awaitable[object]]]:
    """Return the counters in a store, by its URL, and what closes them."""
    # Imported here, for it takes time and not every service counts.
    from limits.aio.storage import RedisClusterStorage, RedisSentinelStorage, RedisStorage

    scheme = url.partition("://")[0]
    kind = {"redis+cluster": RedisClusterStorage, "redis+sentinel": RedisSentinelStorage}
    address = url.replace("unix://", "redis+unix://", 1) if scheme == "unix" else url
    more: dict[str, Any] = {**account_of(url)} if scheme in kind else {}
    if scheme == "redis+sentinel":
        # What the servers ask for is no business of those that watch them.
        more["sentinel_kwargs"] = {"username": None, "password": None}
    storage = kind.get(scheme, RedisStorage)(
        f"async+{address}", implementation="redispy", key_prefix="stele:rate", **more
    )

    async def close() -> None:
        await storage.bridge.get_connection().aclose()
        for sentinel in getattr(getattr(storage.bridge, "sentinel", None), "sentinels", ()):
            await sentinel.aclose()

    return storage, close
