"""One POST to a receiver, with little patience: nothing is followed, next to nothing is read."""

import asyncio
import logging
import ssl
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final
from urllib.parse import urlsplit

import httpcore
import httpx
from msgspec import Struct

from service.http import report
from service.webhooks.addresses import AddressRefused, Allowed, Guard, Resolve, resolve

_SECONDS: Final = 10.0  # for everything: name, connection, answer
_CONNECT_SECONDS: Final = 5.0
_READ_BYTES: Final = 16 * 1024  # of an answer, so that its connection can be used again
_CONNECTIONS: Final = 128
_KEPT: Final = 32
_KEPT_SECONDS: Final = 30.0

_TIMEOUTS: Final = {"connect": _CONNECT_SECONDS, "read": _SECONDS, "write": _SECONDS}
_LONGEST_WAIT: Final = 86_400  # seconds

_log = logging.getLogger(__name__)


class Reply(Struct, frozen=True):
    """What came of it: a status, or the reason why there is none; seconds to wait, if asked for."""

    status: int | None
    reason: str = ""
    wait: int = 0

    @property
    def is_success(self) -> bool:
        """Tell whether the receiver took it."""
        return self.status is not None and 200 <= self.status < 300


class Sender:
    """Connections to receivers."""

    def __init__(
        self,
        allowed: Allowed,
        resolve: Resolve = resolve,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        """Connect to what is allowed; certificates have to be of those trusted by the system."""
        self._allowed = allowed
        self._resolve = resolve
        self._trusted = trusted
        self._pools: dict[bool, httpcore.AsyncConnectionPool] = {}

    async def send(self, url: str, headers: Mapping[str, str], body: bytes, now: float) -> Reply:
        """Send a body; `now`, in seconds, is what a date to wait for is compared with."""
        if self._allowed.fault(url) is not None:
            return Reply(None, "the address is no longer allowed")
        status, wait = None, 0
        words = [(name.encode(), value.encode()) for name, value in headers.items()]
        try:
            async with (
                asyncio.timeout(_SECONDS),
                self._pool(url.startswith("http:")).stream(
                    "POST", url, headers=words, content=body, extensions={"timeout": _TIMEOUTS}
                ) as answer,
            ):
                status, wait = answer.status, _wait(answer.headers, now)
                left = _READ_BYTES
                async for piece in answer.aiter_stream():
                    left -= len(piece)
                    if left < 0:
                        break
        except (TimeoutError, OSError, httpcore.TimeoutException) as error:
            reason = "it took too long" if isinstance(error, _TOO_LONG) else "could not connect"
            return Reply(status, reason, wait)
        except AddressRefused:
            # Clients hear the same as of an address that nobody answers at: where names lead inside
            # of this network is not theirs to learn. The path and the query may hold secrets.
            _log.warning("a webhook leads to no public address: %s", urlsplit(url).hostname)
            return Reply(None, "could not connect")
        except (httpcore.NetworkError, ssl.SSLError) as error:
            is_tls = isinstance(error.__cause__, ssl.SSLError) or "SSL" in str(error)
            return Reply(status, "no trusted TLS connection" if is_tls else "could not connect")
        except (httpcore.ProtocolError, httpcore.UnsupportedProtocol):
            return Reply(status, "the answer is no HTTP")
        except Exception as error:
            # Whatever a receiver brings about is a failure of that attempt, and nothing more.
            report(error)
            return Reply(status, "it failed")
        return Reply(status, f"status {status}", wait)

    async def close(self) -> None:
        """Let go of every connection."""
        for pool in self._pools.values():
            await pool.aclose()

    def _pool(self, is_plain: bool) -> httpcore.AsyncConnectionPool:
        # Made when first needed: reading the certificates of the system takes a while.
        pool = self._pools.get(is_plain)
        if pool is None:
            pool = self._pools[is_plain] = httpcore.AsyncConnectionPool(
                ssl_context=None if is_plain else self._trusted or httpx.create_ssl_context(),
                max_connections=_CONNECTIONS,
                max_keepalive_connections=_KEPT,
                keepalive_expiry=_KEPT_SECONDS,
                network_backend=Guard(self._allowed, is_plain, self._resolve),
            )
        return pool


_TOO_LONG: Final = (TimeoutError, httpcore.TimeoutException)


def _wait(headers: list[tuple[bytes, bytes]], now: float) -> int:
    """Return the seconds that `Retry-After` asks for; 0 if it does not, or says nonsense."""
    text = next((value for name, value in headers if name.lower() == b"retry-after"), b"").decode(
        "latin-1"
    )
    if text.isascii() and text.isdecimal():
        return min(int(text[:9]), _LONGEST_WAIT)
    try:
        seconds = parsedate_to_datetime(text).timestamp() - now
    except (ValueError, OverflowError):
        return 0
    return max(0, min(int(seconds), _LONGEST_WAIT))
