"""Connections that wait for nobody: uvicorn's protocols with an end to their patience.

Who sends the head of a request slowly, or none, holds a connection; so it has to come within some
seconds, and may not be large. What is no HTTP is refused like any other mistake of a client.

Who does not read what is written holds a connection, its buffer and a task. So a peer that takes
nothing for a while is cut, with all that it had open. And a web socket can be closed although its
reader is slow: the close frame then goes behind what is buffered, for who reads on finds it there,
and who does not is cut.

When the server is told to stop, its connections tell the application, which ends what would go on
for ever: it does so by calling `closing` out of the state of its lifespan.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from httptools import HttpParserError, HttpParserInvalidMethodError
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from schema.errors import (
    HeadersTooLarge,
    Malformed,
    MethodNotAllowed,
    Refusal,
    TooSlow,
    row_of,
)
from service.http import SECURITY_HEADERS
from service.problems import PROBLEM, error_headers, written

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

METHODS: Final = ("DELETE", "GET", "HEAD", "OPTIONS", "POST")
CLOSING: Final = "closing"  # in the state of the lifespan: what to call when the server stops
HEAD_SECONDS: Final = 10.0  # for the first line and the headers of a request
HEAD_BYTES: Final = 32 * 1024
PATIENCE_SECONDS: Final = 20.0  # with a peer that takes nothing
LAST_SECONDS: Final = 3.0  # to take what is buffered before a close
KEEP_ALIVE_SECONDS: Final = 65  # longer than proxies keep a connection that they may use again
LONGEST_MESSAGE: Final = 128 * 1024  # bytes, of a web socket
_LENGTH_16: Final = 126  # says that the length follows in 16 bits


def config(app: Callable[..., Any] | str, **more: Any) -> uvicorn.Config:
    """Return how to serve an application on such connections."""
    return uvicorn.Config(
        app,
        http=Http,
        ws=Socket,
        ws_max_size=LONGEST_MESSAGE,
        ws_ping_interval=None,  # the protocol above has pings of its own
        ws_per_message_deflate=False,  # it would cost more memory than all the rest of a socket
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        access_log=False,
        log_config=None,
        server_header=False,
        **more,
    )


class Http(HttpToolsProtocol):
    """An HTTP connection."""

    _patience: asyncio.TimerHandle | None = None
    _late: asyncio.TimerHandle | None = None  # runs while a head is to come
    _is_in_head = False
    _is_over = False  # refused, or a web socket now
    _came = 0  # bytes of the head that came before
    _comes = 0  # bytes that have come now

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def data_received(self, data: bytes) -> None:
        if self._is_over:
            return
        # Most requests come in one piece, and need neither timer nor sum.
        is_more, self._comes = self._is_in_head, len(data)
        super().data_received(data)
        if self._is_over:
            return
        if self._is_in_head and is_more:
            self._came += len(data)
            if self._came > HEAD_BYTES:
                self._refuse(_HEAD_TOO_LARGE)
                return
        if self._late is None and (self._is_in_head or self._is_idle()):
            self._late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def on_message_begin(self) -> None:
        self._is_in_head, self._came = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._is_in_head = False
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if self._came + self._comes > HEAD_BYTES:
            head = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
            if head > HEAD_BYTES:
                raise HeadersTooLarge("")
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        self._is_over = True
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        match sys.exception():
            case HttpParserInvalidMethodError():
                self._refuse(_UNKNOWN_METHOD)
            case HttpParserError(__context__=HeadersTooLarge()):
                self._refuse(_HEAD_TOO_LARGE)
            case _:
                self._refuse(_NO_HTTP)

    def _is_idle(self) -> bool:
        return getattr(self.cycle, "response_complete", True)

    def _give_up(self) -> None:
        self._refuse(_HEAD_TOO_SLOW if self._is_in_head else None)

    def _refuse(self, error: Refusal | None) -> None:
        """Say why and close, if no other answer is under way; take what still comes meanwhile."""
        self._is_over = True
        if self.transport.is_closing() or not self._is_idle():
            self.transport.close()
            return
        if error is not None:
            self.transport.write(_answer(error, self.server_state.default_headers))
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self._late = self.loop.call_later(LAST_SECONDS, self.transport.close)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._patience = self.loop.call_later(PATIENCE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _forget(self._patience)

    def connection_lost(self, exc: Exception | None) -> None:
        _forget(self._patience)
        _forget(self._late)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        _tell(self.app_state)
        super().shutdown()


class Socket(WebSocketsSansIOProtocol):
    """A web socket."""

    _patience: asyncio.TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._patience = self.loop.call_later(PATIENCE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        _forget(self._patience)

    def connection_lost(self, exc: Exception | None) -> None:
        _forget(self._patience)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        _tell(self.app_state)
        super().shutdown()

    async def send(self, message: "ASGISendEvent") -> None:
        if message["type"] == "websocket.send" and self.writable.is_set() and self._is_plain():
            # What the library would write, without its objects: a frame costs half as much.
            self.transport.write(_frame((message.get("text") or "").encode()))
            return
        if message["type"] == "websocket.close" and not self.writable.is_set():
            self.writable.set()
            _forget(self._patience)
            self._patience = self.loop.call_later(LAST_SECONDS, self.transport.abort)
        await super().send(message)

    def _is_plain(self) -> bool:
        is_open = self.conn.state is State.OPEN and not self.disconnected and not self.close_sent
        return is_open and self.handshake_complete and not self.conn.extensions


_HEAD_TOO_LARGE: Final = HeadersTooLarge(f"address and headers may have {HEAD_BYTES} bytes")
_HEAD_TOO_SLOW: Final = TooSlow("the headers came too slowly")
_NO_HTTP: Final = Malformed("this is not HTTP/1.1")
_UNKNOWN_METHOD: Final = MethodNotAllowed("there is no such method", allow=[*METHODS])


def _answer(error: Refusal, more: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return an answer to what never became a request."""
    body, status = written(error), row_of(error).status
    headers = {
        **SECURITY_HEADERS,
        **error_headers(error),
        "Content-Type": PROBLEM,
        "Content-Length": str(len(body)),
        "Connection": "close",
    }
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}".encode()]
    lines += [b"%b: %b" % pair for pair in more]
    lines += [f"{name}: {value}".encode() for name, value in headers.items()]
    return b"\r\n".join([*lines, b"", body])


def _frame(text: bytes) -> bytes:
    """Return a text frame of a server."""
    size = len(text)
    if size < _LENGTH_16:
        return b"\x81" + size.to_bytes(1, "big") + text
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big") + text
    return b"\x81\x7f" + size.to_bytes(8, "big") + text


def _forget(timer: asyncio.TimerHandle | None) -> None:
    if timer is not None:
        timer.cancel()


def _tell(state: dict[str, Any]) -> None:
    closing = state.get(CLOSING)
    if closing is not None:
        closing()
