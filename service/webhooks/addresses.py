"""Where webhooks may go: nowhere inside of a network, unless the operator allows it.

A URL is looked at twice. When it is registered, for its form and for an address that it names. When
something is sent, its name is resolved, each address is judged, and the connection goes to the very
address that was judged; so a name that changes its mind in between gains nothing. Certificates are
still those of the name.
"""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

import httpcore

Address = IPv4Address | IPv6Address
Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

_HOST: Final = re.compile(r"[A-Za-z0-9_-]{1,63}(\.[A-Za-z0-9_-]{1,63})*\.?")
# What ends like this is read as an address, in whatever notation, and never as a name.
_NUMERIC: Final = re.compile(r"(.*\.)?([0-9]+|0[xX][0-9a-fA-F]*)\.?")
_PRINTABLE: Final = re.compile(r"[!-~]+")
_UNICAST: Final = ip_network("2000::/3")
_MOST_TRIED: Final = 3
# Threads of its own: names that take long to resolve keep nobody else waiting.
_RESOLVERS: Final = ThreadPoolExecutor(8, "resolve")


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
                self._hosts.add(_plain(word))

    def fault(self, url: str) -> str | None:
        """Return what is wrong with the URL of a webhook, if anything is by its look."""
        if not _PRINTABLE.fullmatch(url) or "\\" in url:
            return "is no URL: write what is not printable ASCII in percent-encoding"
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return "is no URL"
        address = _address(host)
        if parts.scheme not in ("http", "https") or port == 0:
            return "is not the URL of a server: write https://host/path"
        if address is None and not _HOST.fullmatch(host):
            return "names no host; write names of other scripts in their ASCII form"
        if address is None and _NUMERIC.fullmatch(host):
            return "names an address in another form than 192.0.2.1"
        if "@" in parts.netloc:
            return "holds a user or password; put a secret into the path or query instead"
        if "#" in url:
            return "has a fragment, which no server gets to see"
        if parts.scheme == "http" and not self._may_be_plain(host, address):
            return "is not encrypted; write https://"
        named = address or (ip_address("127.0.0.1") if _plain(host) == "localhost" else None)
        if named is not None and not self.allows(host, named):
            return "names an address that is not public"
        return None

    def allows(self, host: str, address: Address, is_plain: bool = False) -> bool:
        """Tell whether a host may be reached at an address; plain: without TLS."""
        if _plain(host) in self._hosts or any(address in network for network in self._networks):
            return True
        return not is_plain and is_public(address)

    def _may_be_plain(self, host: str, address: Address | None) -> bool:
        if address is not None:
            return self.allows(host, address, is_plain=True)
        # A name may lead into an allowed network; where it leads shows when something is sent.
        return _plain(host) in self._hosts or bool(self._networks)


class Guard(httpcore.AsyncNetworkBackend):
    """Connects to addresses that are allowed, and to no other."""

    def __init__(self, allowed: Allowed, is_plain: bool, resolve: Resolve) -> None:
        self._allowed = allowed
        self._is_plain = is_plain
        self._resolve = resolve
        self._inner = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # as httpcore calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raise AddressRefused, or connect to the first allowed address that answers."""
        try:
            found = [host] if _address(host) else await self._resolve(host, port)
        except OSError as error:
            raise httpcore.ConnectError("the name does not resolve") from error
        good = [one for one in dict.fromkeys(found) if self._is_allowed(host, one)]
        if not good:
            raise AddressRefused("no public address")
        failure: Exception | None = None
        for one in good[:_MOST_TRIED]:
            try:
                return await self._inner.connect_tcp(one, port, timeout, None, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        assert failure is not None
        raise failure

    def _is_allowed(self, host: str, text: str) -> bool:
        address = _address(text)
        return address is not None and self._allowed.allows(host, address, self._is_plain)


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


def _address(text: str) -> Address | None:
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def _plain(host: str) -> str:
    return host.rstrip(".").lower()
