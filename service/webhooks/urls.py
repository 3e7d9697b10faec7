"""The URL of a webhook, read once: it is judged, counted and connected to by its parts.

However somebody spells it, what is kept is one form: scheme and host in lower case, no dot at the
end, an address as it is written shortest, no port that goes without saying. Names of other scripts
come in their ASCII form (IDNA), so two names that look alike differ here, too.
"""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

Address = IPv4Address | IPv6Address

_HOST: Final = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*")
# What ends like this is read as an address, in whatever notation, and never as a name.
_NUMERIC: Final = re.compile(r"(.*\.)?([0-9]+|0x[0-9a-f]*)")
_PRINTABLE: Final = re.compile(r"[!-~]+")
_PORTS: Final = {"http": 80, "https": 443}


class UrlFault(ValueError):
    """What is wrong with a URL, as a sentence that goes on after its name."""


class Url(Struct, frozen=True):
    """A URL in its one form; `target` is the path and the query, as they came."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def is_plain(self) -> bool:
        """Tell whether it goes without TLS."""
        return self.scheme == "http"

    @property
    def address(self) -> Address | None:
        """Return the address that the host is, if it is no name."""
        return to_address(self.host)

    @property
    def authority(self) -> str:
        """Return host and port, as a `Host` header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"


def read(text: str) -> Url:
    """Return the URL that a text spells. Raises: UrlFault."""
    if not _PRINTABLE.fullmatch(text) or "\\" in text:
        raise UrlFault("is no URL: write what is not printable ASCII in percent-encoding")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise UrlFault("is no URL") from None
    if parts.scheme not in _PORTS or port == 0:
        raise UrlFault("is not the URL of a server: write https://host/path")
    address = to_address(host)
    if address is None:
        dotted, host = host, plain(host)
        if not _HOST.fullmatch(host) or dotted not in (host, f"{host}."):
            raise UrlFault("names no host; write names of other scripts in their ASCII form")
        if _NUMERIC.fullmatch(host):
            raise UrlFault("names an address in another form than 192.0.2.1")
    if "@" in parts.netloc:
        raise UrlFault("holds a user or password; put a secret into the path or query instead")
    if "#" in text:
        raise UrlFault("has a fragment, which no server gets to see")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Url(parts.scheme, str(address or host), port or _PORTS[parts.scheme], target)


def to_address(text: str) -> Address | None:
    """Return the address that a text is, if it is one."""
    try:
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def plain(host: str) -> str:
    """Return the form of a host's name that names are compared in."""
    return host.rstrip(".").lower()
