"""The edge: what is refused before anything is looked at, and how much is done at once.

A page in a browser reaches a service on loopback under a name of its own (DNS rebinding), and then
passes for a page of the service. So where `hosts` are given, the service goes by those alone. An
encoded slash in a path is refused: proxies and routes would not agree on what it names.

A process works on so many requests at once. One more is told to come back rather than made to wait
with all the others; where clients are limited, so is one too many of an address. What waits for
events takes no part in this, as it does no work: feeds have places of their own (`bearers.py`).
Whoever asks for the health of the service gets an answer.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from schema.errors import ApiError, Malformed, Misdirected, NotFound, Overloaded, RateLimited
from service.problems import refuse

ALWAYS: Final = frozenset({"/healthz", "/readyz", "/metrics"})
ANY: Final = "*"


class Edge:
    """Middleware that lets in what the service goes by, and not too much of it."""

    def __init__(
        self, app: ASGIApp, hosts: tuple[str, ...], most: int, most_each: int | None = None
    ) -> None:
        """Work on `most` requests at once, and on `most_each` of one address, if that is given."""
        self._app = app
        self._hosts = frozenset(map(str.lower, hosts))
        self._most = most
        self._most_each = most if most_each is None else most_each
        self._networks: Counter[str] = Counter()  # from which they come
        self.present = 0  # requests under way that are not set apart

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        _host.set(client[0] if client else "")
        if scope["path"] in ALWAYS:
            await self._app(scope, receive, send)
        elif (error := self._refusal(scope)) is not None:
            await refuse(scope, receive, send, error)
        elif scope["type"] == "websocket":
            await self._app(scope, receive, send)
        else:
            visit = Visit(self, client_network())
            visit.enter()
            token = _visit.set(visit)
            try:
                await self._app(scope, receive, send)
            finally:
                _visit.reset(token)
                visit.leave()

    def count(self, network: str, by: int) -> None:
        """Take note of a request that has come, or of one less."""
        self.present += by
        self._networks[network] += by
        if not self._networks[network]:
            del self._networks[network]

    def _refusal(self, scope: Scope) -> ApiError | None:
        if self.present >= self._most and scope["type"] == "http":
            return Overloaded("there is too much to do here; send the request again")
        network = client_network()
        if network and self._networks[network] >= self._most_each and scope["type"] == "http":
            return RateLimited("your address has enough requests under way", retryAfter=1)
        given = [value for name, value in scope["headers"] if name == b"host"]
        if len(given) > 1 or (not given and scope.get("http_version") == "1.1"):
            return Malformed("Host: has to be there once")
        if self._hosts and ANY not in self._hosts and _name(*given) not in self._hosts:
            return Misdirected("this service does not go by that host; STELE_HOSTS lists its names")
        path = scope.get("raw_path") or b""
        if b"%" in path and b"%2f" in path.lower():
            return NotFound("there is nothing at this address")
        return None


@lru_cache(maxsize=256)
def _name(host: bytes = b"") -> str:
    """Return the name in a Host header, without the port."""
    text = host.decode("latin-1").lower()
    name, _, port = text.rpartition(":")
    return name if name and port.isdecimal() else text


_host: ContextVar[str] = ContextVar("host", default="")


def client_network() -> str:
    """Return the address, or network, of the client whose request is under way; "" if unknown."""
    return network(_host.get())


@lru_cache(maxsize=4096)
def network(host: str) -> str:
    """Return what one client's addresses share: of IPv6, the first 64 bits."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return address.exploded[:19]
    return host


class Visit:
    """A request under way."""

    __slots__ = ("_apart", "_edge", "_network")

    def __init__(self, edge: Edge, network: str) -> None:
        self._edge = edge
        self._network = network
        self._apart = 0

    def enter(self) -> None:
        """Be counted."""
        self._edge.count(self._network, 1)

    def leave(self) -> None:
        """Be counted no more."""
        self._edge.count(self._network, -1)

    @contextmanager
    def apart(self) -> Iterator[None]:
        """Be counted no more while parts of the request wait, however many do."""
        self._apart += 1
        if self._apart == 1:
            self.leave()
        try:
            yield
        finally:
            self._apart -= 1
            if self._apart == 0:
                self.enter()


_visit: ContextVar[Visit | None] = ContextVar("visit", default=None)


def apart() -> AbstractContextManager[None]:
    """Let the request that is under way wait without being in the way of others."""
    visit = _visit.get()
    return nullcontext() if visit is None else visit.apart()
