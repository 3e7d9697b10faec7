"""Where webhooks may go: nowhere inside of a network, unless the operator allows it.

A URL is looked at twice. When it is registered, for its form and for an address that it names. When
something is sent, its name is resolved, each address is judged, and the connection goes to the very
address that was judged; so a name that changes its mind in between gains nothing. Certificates are
still those of the name.
"""

import asyncio
import socket
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any, Final

import httpcore

from service.webhooks.shares import AT_ONCE, Busy, Lookup, Trip
from service.webhooks.urls import Address, Url, UrlFault, plain, read, to_address

Resolve = Callable[[str, int], Lookup]

_UNICAST: Final = ip_network("2000::/3")
_MOST_TRIED: Final = 3
# Threads of its own, one for each that asks: names that take long keep nobody else waiting.
_RESOLVERS: Final = ThreadPoolExecutor(AT_ONCE, "resolve")


class AddressRefused(httpcore.ConnectError):
    """A name leads to no address that may be connected to."""


class Allowed:
    """The hosts and networks that may be reached although they are not public, also without TLS."""

    def __init__(self, words: Iterable[str] = ()) -> None:
        self._networks = []
        self._hosts = set()
        for word in words:
            try:
                self._networks.append(ip_network(word, strict=False))
            except ValueError:
                self._hosts.add(plain(word))

    def read(self, text: str) -> Url:
        """Return the URL of a webhook. Raises: UrlFault (it may not be, by its look)."""
        url = read(text)
        if url.is_plain and not self._may_be_plain(url):
            raise UrlFault("is not encrypted; write https://")
        named = url.address or (ip_address("127.0.0.1") if url.host == "localhost" else None)
        if named is not None and not self.allows(url.host, named):
            raise UrlFault("names an address that is not public")
        return url

    def allows(self, host: str, address: Address, is_plain: bool = False) -> bool:
        """Tell whether a host may be reached at an address; plain: without TLS."""
        if plain(host) in self._hosts or any(address in network for network in self._networks):
            return True
        return not is_plain and is_public(address)

    def _may_be_plain(self, url: Url) -> bool:
        if url.address is not None:
            return self.allows(url.host, url.address, is_plain=True)
        # A name may lead into an allowed network; where it leads shows when something is sent.
        return url.host in self._hosts or bool(self._networks)


class Guard(httpcore.AsyncNetworkBackend):
    """Connects to addresses that are allowed and where the trip finds a place, and to no other."""

    def __init__(self, allowed: Allowed, is_plain: bool, resolve: Resolve, trip: Trip) -> None:
        self._allowed = allowed
        self._is_plain = is_plain
        self._resolve = resolve
        self._trip = trip
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # as httpcore calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first allowed address that answers.

        Raises: AddressRefused, Busy, StoreError, and what httpcore raises.
        """
        failure: Exception | None = None
        for one in (await self._found(host, port))[:_MOST_TRIED]:
            try:
                await self._trip.enter(one)
                return await self._inner.connect_tcp(str(one), port, timeout, None, socket_options)
            except Busy as error:
                failure = failure or error
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure or AddressRefused("no public address")

    async def _found(self, host: str, port: int) -> list[Address]:
        """Return the addresses of a host that are allowed."""
        try:
            named = to_address(host)
            texts = (
                [host] if named else await self._trip.look_up(partial(self._resolve, host, port))
            )
        except OSError as error:
            raise httpcore.ConnectError("the name does not resolve") from error
        found = [to_address(text) for text in dict.fromkeys(texts)]
        return [one for one in found if one and self._allowed.allows(host, one, self._is_plain)]


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a name, as the system resolves it. Raises: OSError."""
    ask = partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    found = await asyncio.get_running_loop().run_in_executor(_RESOLVERS, ask)
    return [str(place[0]) for *_, place in found]


def is_public(address: Address) -> bool:
    """Tell whether an address belongs to one host of the internet, and to no network inside."""
    if isinstance(address, IPv4Address):
        return address.is_global and not address.is_multicast
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address.sixtofour is not None:
        return is_public(address.sixtofour)
    # What lies outside is local, or stands for an address of another kind.
    return address in _UNICAST and address.is_global
