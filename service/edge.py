"""The edge: what is refused before anything is looked at, and how much is done at once.

A page in a browser reaches a service on loopback under a name of its own (DNS rebinding), and then
passes for a page of the service. So where `hosts` are given, the service goes by those alone. An
encoded slash in a path is refused: proxies and routes would not agree on what it names.

A process works on so many requests at once. One more is told to come back rather than made to wait
with all the others. What waits for events takes no part in this, as it does no work: feeds have
places of their own (`bearers.py`). Whoever asks for the health of the service gets an answer.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from schema.errors import ApiError, Malformed, Misdirected, NotFound, Overloaded
from service.problems import refuse

ALWAYS: Final = frozenset({"/healthz", "/readyz", "/metrics"})
ANY: Final = "*"


class Edge:
    """Middleware that lets in what the service goes by, and not too much of it."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], most: int) -> None:
        self._app = app
        self._hosts = frozenset(map(str.lower, hosts))
        self._most = most
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
            self.present += 1
            token = _edge.set(self)
            try:
                await self._app(scope, receive, send)
            finally:
                _edge.reset(token)
                self.present -= 1

    def _refusal(self, scope: Scope) -> ApiError | None:
        if self.present >= self._most and scope["type"] == "http":
            return Overloaded("there is too much to do here; send the request again")
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


_edge: ContextVar[Edge | None] = ContextVar("edge", default=None)


@contextmanager
def apart() -> Iterator[None]:
    """Let the request that is under way wait without being in the way of others."""
    edge = _edge.get()
    if edge is None:
        yield
        return
    edge.present -= 1
    try:
        yield
    finally:
        edge.present += 1
