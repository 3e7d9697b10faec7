"""The URLs of stores: what is wrong with one is told without a word of it.

It may hold a password.
"""

import re
from ipaddress import ip_address
from typing import Final
from urllib.parse import unquote, urlsplit

_SCHEMES: Final = ("redis", "rediss", "unix", "redis+cluster", "redis+sentinel")
_SEVERAL: Final = {
    "redis+cluster": "redis+cluster://host:6379,host:6380",
    "redis+sentinel": "redis+sentinel://host:26379,host:26380/name",
}
# What an operator may choose; what else the client takes, such as to send again what failed, it
# would take to the harm of the matches.
_OPTIONS: Final = frozenset({
    "db", "username", "password", "client_name", "health_check_interval",
    "socket_connect_timeout", "socket_keepalive", "socket_timeout",
    "ssl_ca_certs", "ssl_ca_data", "ssl_ca_path", "ssl_cert_reqs", "ssl_certfile",
    "ssl_check_hostname", "ssl_ciphers", "ssl_keyfile", "ssl_min_version", "ssl_password",
})  # fmt: skip
_PLACE: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([\w.-]+))(?::([0-9]{1,5}))?")
_LAST_PORT: Final = 65_535
_LONGEST_SOCKET_PATH: Final = 107  # bytes
_HINT: Final = "in a user name or password, write / as %2F, ? as %3F, # as %23, [ as %5B"


def check(url: str) -> None:
    """Check that a URL has one of the forms that are known.

    Raises:
        ValueError: says why not, in our words alone.
    """
    scheme, mark, rest = url.partition("://")
    if scheme not in _SCHEMES or not mark or not rest:
        raise ValueError(f"not a URL that begins with one of {', '.join(_SCHEMES)}")
    if not rest.isprintable() or " " in rest:
        raise ValueError("a URL has no spaces, which are written %20, and no control characters")
    try:
        _check(scheme, rest)
        urlsplit(url)  # which the client reads it with, and which takes fewer
    except _Wrong as error:
        # What follows an @ was meant to be the host, so that more stands before it than should.
        raise ValueError(f"{error}; {_HINT}" if "@" in rest else str(error)) from None
    except ValueError:
        raise ValueError(f"not a URL that can be read; {_HINT}") from None


class _Wrong(Exception):
    """Why a URL is none."""


def _check(scheme: str, rest: str) -> None:
    address, _, query = rest.partition("?")
    authority, _, path = address.partition("/")
    places = authority.rpartition("@")[2]
    if "#" in rest:
        raise _Wrong("a URL of a store has no part behind #")
    if scheme in _SEVERAL:
        _check_several(scheme, places, path, is_more="?" in rest)
        return
    names = {option.partition("=")[0] for option in query.split("&") if option}
    if names - _OPTIONS:
        raise _Wrong("an option behind ? is none of those in docs/settings.md")
    if scheme == "unix":
        _check_socket(places, unquote(path))
        return
    _check_place(places)
    if not re.fullmatch(r"[0-9]{0,9}", path):
        raise _Wrong("behind the host there may be the number of a database, and nothing else")


def _check_several(scheme: str, places: str, path: str, is_more: bool) -> None:
    form = f"write it like {_SEVERAL[scheme]}"
    for place in places.split(","):
        if not _check_place(place):
            raise _Wrong(f"a host has no port: {form}")
    if is_more:
        raise _Wrong(f"there can be no options behind ?: {form}")
    if scheme == "redis+cluster" and path not in ("", "0"):
        raise _Wrong(f"a cluster has no numbered databases: {form}")
    if scheme == "redis+sentinel" and ("/" in path or not path):
        raise _Wrong(f"it does not name the master: {form}")


def _check_place(place: str) -> bool:
    """Check a host, with or without a port; say whether there is one."""
    found = _PLACE.fullmatch(place)
    if found is None:
        raise _Wrong("it has to name a host, and a port, if any, by its number")
    address, name, port = found.groups()
    try:
        ip_address(address) if name is None else name.encode("idna")
    except ValueError:
        raise _Wrong("it names a host that cannot be") from None
    if port is not None and not 1 <= int(port) <= _LAST_PORT:
        raise _Wrong(f"a port is a number from 1 to {_LAST_PORT}")
    return port is not None


def _check_socket(place: str, path: str) -> None:
    if place or not path or "\0" in path:
        raise _Wrong("the path of a socket begins with /: write unix:///run/redis.sock")
    if len(path.encode()) >= _LONGEST_SOCKET_PATH:
        raise _Wrong(f"the path of a socket may have {_LONGEST_SOCKET_PATH} bytes")
