"""One POST to a receiver, with little patience: nothing is followed, next to nothing is read."""

import asyncio
import logging
import ssl
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Final

import httpcore
import httpx
from msgspec import Struct

from service.http import report
from service.store import StoreError
from service.webhooks.addresses import AddressRefused, Allowed, Guard, Resolve, resolve
from service.webhooks.shares import Busy, Shares, Trip
from service.webhooks.urls import Url, UrlFault

_SECONDS: Final = 10.0  # for everything: name, connection, answer
_CONNECT_SECONDS: Final = 5.0
_READ_BYTES: Final = 16 * 1024  # of an answer

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
    """Connections to receivers, a new one each time: where it leads is judged each time."""

    def __init__(
        self,
        allowed: Allowed,
        shares: Shares,
        resolve: Resolve = resolve,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        """Connect to what is allowed; certificates have to be of those trusted by the system."""
        self._allowed = allowed
        self._shares = shares
        self._resolve = resolve
        self._trusted = trusted

    async def send(
        self, text: str, client: str | None, headers: Mapping[str, str], body: bytes, now: float
    ) -> Reply:
        """Send a body for a client to a URL; `now`, in seconds, is what dates are compared with.

        Raises: Busy (there is no place for it now), StoreError.
        """
        try:
            url = self._allowed.read(text)
        except UrlFault:
            return Reply(None, "the address is no longer allowed")
        with Trip(self._shares, client, url.authority) as trip:
            reply = await self._post(url, trip, headers, body, now)
            if not reply.is_success:
                await trip.failed()
            return reply

    async def _post(
        self, url: Url, trip: Trip, headers: Mapping[str, str], body: bytes, now: float
    ) -> Reply:
        status, wait = None, 0
        words = {"host": url.authority, **headers}
        try:
            async with (
                asyncio.timeout(_SECONDS),
                self._pool(url, trip) as pool,
                pool.stream(
                    "POST",
                    httpcore.URL(
                        scheme=url.scheme, host=url.host, port=url.port, target=url.target
                    ),
                    headers=[(name.encode(), value.encode()) for name, value in words.items()],
                    content=body,
                    extensions={"timeout": _TIMEOUTS},
                ) as answer,
            ):
                status, wait = answer.status, _wait(answer.headers, now)
                left = _READ_BYTES
                async for piece in answer.aiter_stream():
                    left -= len(piece)
                    if left < 0:
                        break
        except (Busy, StoreError):
            raise
        except (TimeoutError, OSError, httpcore.TimeoutException) as error:
            reason = "it took too long" if isinstance(error, _TOO_LONG) else "could not connect"
            return Reply(status, reason, wait)
        except AddressRefused:
            # Clients hear the same as of an address that nobody answers at: where names lead inside
            # of this network is not theirs to learn. The path and the query may hold secrets.
            _log.warning("a webhook leads to no public address: %s", url.host)
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

    def _pool(self, url: Url, trip: Trip) -> httpcore.AsyncConnectionPool:
        if not url.is_plain and self._trusted is None:
            # When first needed: reading the certificates of the system takes a while.
            self._trusted = httpx.create_ssl_context()
        return httpcore.AsyncConnectionPool(
            ssl_context=self._trusted,
            max_keepalive_connections=0,
            network_backend=Guard(self._allowed, url.is_plain, self._resolve, trip),
        )


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
