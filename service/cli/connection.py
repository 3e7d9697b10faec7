"""One HTTP/1.1 connection that is kept open: one request at a time, nothing more.

A load generator shares its machine with the service that it measures, so it has to cost little: on
the parser that the service itself uses, a request costs a tenth of what a general client spends.
It follows no redirect and knows no proxy; it only ever talks to the address that it is given.
"""

import asyncio
import ssl
from collections.abc import Mapping
from urllib.parse import urlsplit

import httptools
from msgspec import Struct

_PIECE = 1 << 16
_SECONDS = 15.0


class ConnectionLost(Exception):
    """No answer came; the request may have been carried out or not."""


class Answer(Struct, frozen=True):
    """An answer; the names of its headers are in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes


class Connection:
    """A connection to one service; it is opened when it is needed, again after each loss."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        self._secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port or (443 if self._secure else 80)
        self._prefix = parts.path.rstrip("/")
        self._authority = parts.netloc.rpartition("@")[2]
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Answer:
        """Send a request and return the answer.

        Raises:
            ConnectionLost: no answer within 15 seconds, or the connection broke.
        """
        lines = [f"{method} {self._prefix}{path} HTTP/1.1", f"Host: {self._authority}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        if body:
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        request = "\r\n".join(lines).encode() + b"\r\n\r\n" + body
        try:
            async with asyncio.timeout(_SECONDS):
                return await self._exchange(request)
        except (OSError, TimeoutError, httptools.HttpParserError) as error:
            self.close()
            raise ConnectionLost(str(error)) from error
        except BaseException:
            self.close()
            raise

    async def _exchange(self, request: bytes) -> Answer:
        if self._writer is None:
            context = ssl.create_default_context() if self._secure else None
            self._reader, self._writer = await asyncio.open_connection(
                self._host, self._port, ssl=context
            )
        assert self._reader is not None
        self._writer.write(request)
        incoming = _Incoming()
        while not incoming.complete:
            piece = await self._reader.read(_PIECE)
            if not piece:
                raise ConnectionResetError("the service closed the connection")
            incoming.parser.feed_data(piece)
        if not incoming.stays_open:
            self.close()
        status = incoming.parser.get_status_code()
        return Answer(status, incoming.headers, b"".join(incoming.pieces))

    def close(self) -> None:
        """Let go of the connection."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


class _Incoming:
    """One answer, and the parser that calls this while it reads it."""

    def __init__(self) -> None:
        self.parser = httptools.HttpResponseParser(self)
        self.stays_open = False
        self.headers: dict[str, str] = {}
        self.pieces: list[bytes] = []
        self.complete = False

    def on_header(self, name: bytes, value: bytes) -> None:
        self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_body(self, piece: bytes) -> None:
        self.pieces.append(piece)

    def on_message_complete(self) -> None:
        # Once it is complete, the parser has forgotten how it began.
        self.stays_open = self.parser.should_keep_alive()
        self.complete = True
