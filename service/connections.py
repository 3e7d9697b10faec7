"""Connections that wait for nobody: uvicorn's protocols with an end to their patience.

Who sends the head of a request slowly, or none, holds a connection; so it has to come within some
seconds, and may not be large. What is no HTTP is refused like any other mistake of a client, behind
the answers that are under way; and so is a handshake of a web socket that is none. A handshake is a
head like any other, parsed once and under the same limits, and goes to the application as a whole.

Who does not read what is written holds a connection, its buffer and a task. So a peer that takes
nothing for a while is cut, with all that it had open. And a web socket can be closed although its
reader is slow: the close frame then goes behind what is buffered, for who reads on finds it there,
and who does not is cut.

When the server is told to stop, its connections tell the application, which ends what would go on
for ever: it does so by calling `closing` out of the state of its lifespan.
"""

import asyncio
import re
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import uvicorn
from httptools import HttpParserError, HttpParserInvalidMethodError, HttpParserUpgrade, parse_url
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.exceptions import InvalidHandshake
from websockets.frames import CloseCode
from websockets.http11 import Request
from websockets.protocol import State

from schema.errors import (
    ApiError,
    HeadersTooLarge,
    Malformed,
    MethodNotAllowed,
    Misdirected,
    Overloaded,
    Refusal,
    TooSlow,
    row_of,
)
from service.http import SECURITY_HEADERS
from service.problems import PROBLEM, error_headers, written

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application, ASGISendEvent

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
    _piece = b""  # has come now
    _running: RequestResponseCycle | None = None  # the request that is answered, or was last
    _socket: "Socket"  # that the handshake asks for

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def data_received(self, data: bytes) -> None:
        if self._is_over:
            return
        # Most requests come in one piece, and need neither timer nor sum.
        is_more, self._piece = self._is_in_head, data
        self._parse()
        if self._is_over:
            return
        if self._is_in_head and is_more:
            self._came += len(data)
            if self._came > HEAD_BYTES:
                self._refuse(_HEAD_TOO_LARGE)
                return
        if self._late is None and (self._is_in_head or self._is_idle()):
            self._late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _parse(self) -> None:
        """Read what has come; what is wrong with it is told to the client, and to nobody else."""
        self._unset_keepalive_if_required()
        while self._piece:
            piece, rest = self._piece, b""
            try:
                self.parser.feed_data(piece)
            except HttpParserError as error:
                self._refuse(_mistake(error, piece))
            except HttpParserUpgrade as upgrade:
                if self._should_upgrade():
                    self.handle_websocket_upgrade()
                else:
                    # It asks for a protocol that is not spoken; go on with what comes behind it.
                    rest = piece[upgrade.args[0] :]
            self._piece = rest

    def eof_received(self) -> None:
        # Who has sent a whole request and then closes is gone: it could not be told from one that
        # still listens, and what waits for events would wait for nobody.
        if not self._is_over and (self._is_in_head or self._is_in_body()):
            self._refuse(_ENDED_EARLY)

    def on_message_begin(self) -> None:
        self._is_in_head, self._came = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
        if self._came + len(self._piece) > HEAD_BYTES:
            head = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
            if head > HEAD_BYTES:
                raise HeadersTooLarge(_LARGEST)
        if not self.url.startswith(b"/"):
            self._check_host()
        if self.parser.should_upgrade() and self._should_upgrade():
            self._socket = self._asked_for()
        super().on_headers_complete()
        self._is_in_head = False

    def _check_host(self) -> None:
        """Refuse an absolute address of another host than the header has."""
        address = parse_url(self.url)
        if address.host:
            host = b"[%b]" % address.host if b":" in address.host else address.host
            authority = b"%b:%d" % (host, address.port) if address.port else host
            if [authority.lower()] != [v.lower() for name, v in self.headers if name == b"host"]:
                raise Misdirected("the address names another host than the Host header")

    def _asked_for(self) -> "Socket":
        """Return the web socket that the head is the handshake of."""
        given = dict(self.headers)
        has_body = given.get(b"content-length", b"0") != b"0" or b"transfer-encoding" in given
        if has_body or not self._is_idle():
            raise Malformed(_HANDSHAKE)
        address = parse_url(self.url)
        handshake = Request(
            (address.path + (b"?" + address.query if address.query else b"")).decode("ascii"),
            Headers((name.decode("latin-1"), v.decode("latin-1")) for name, v in self.headers),
            self.parser.get_method().decode("ascii"),
            f"HTTP/{self.parser.get_http_version()}",
        )
        socket = Socket(self.config, self.server_state, self.app_state)
        try:
            socket.conn.process_request(handshake)
        except InvalidHandshake:
            raise Malformed(_HANDSHAKE) from None
        socket.handshake = handshake
        return socket

    def handle_websocket_upgrade(self) -> None:
        self._is_over = True
        self.connections.discard(self)
        self._socket.connection_made(self.transport)
        self.transport.set_protocol(self._socket)
        self._socket.begin()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: "ASGI3Application") -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def _is_idle(self) -> bool:
        return getattr(self.cycle, "response_complete", True)

    def _is_in_body(self) -> bool:
        return not self._is_in_head and not self._is_idle() and self.cycle.more_body

    def _give_up(self) -> None:
        self._refuse(_HEAD_TOO_SLOW if self._is_in_head else None)

    def _refuse(self, error: Refusal | None) -> None:
        """Say why and close, behind the answers under way; take what still comes meanwhile."""
        self._is_over = True
        _forget(self._late)
        self.flow.resume_reading()
        last: RequestResponseCycle | None = self.cycle
        if self._is_in_body():
            # Its body is what is wrong, so this answers the last request.
            if last is not None and last is self._running:
                last.disconnected = True
                last.message_event.set()
                self._end(None if last.response_started else error)
                return
            self.pipeline.popleft()
            last = self.pipeline[0][0] if self.pipeline else self._running
        if last is None or last.response_complete:
            self._end(error if self._is_in_head else None)
        else:
            last.on_response = lambda: self._end(error)

    def _end(self, error: Refusal | None) -> None:
        if self.transport.is_closing():
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
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        _tell(self.app_state)
        super().shutdown()


class Socket(WebSocketsSansIOProtocol):
    """A web socket."""

    handshake: Request
    _patience: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Give the application the handshake, which is read already."""
        super().data_received(_BLANK)

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(self.handshake)

    def data_received(self, data: bytes) -> None:
        if self.handshake_complete:
            super().data_received(data)
        else:
            self.transport.close()  # it talks before it was answered

    def send_receive_event_to_app(self) -> None:
        if self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.conn.fail(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
                return
        super().send_receive_event_to_app()

    def send_500_response(self) -> None:
        if self.initial_response is None and not self.handshake_complete:
            self.handshake_complete = self.disconnected = True
            self.transport.write(_answer(_NO_SOCKET, self.default_headers))

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
        if not self.transport.is_closing():
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
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True  # refused: there is no more to come

    def _is_plain(self) -> bool:
        is_open = self.conn.state is State.OPEN and not self.disconnected and not self.close_sent
        return is_open and self.handshake_complete and not self.conn.extensions


_LARGEST: Final = f"address and headers may have {HEAD_BYTES} bytes"
_HEAD_TOO_LARGE: Final = HeadersTooLarge(_LARGEST)
_HEAD_TOO_SLOW: Final = TooSlow("the headers came too slowly")
_NO_HTTP: Final = Malformed("this is not HTTP/1.1")
_ENDED_EARLY: Final = Malformed("the request ended early")
_HANDSHAKE: Final = (
    "the handshake of a web socket is a GET of HTTP/1.1 without a body, "
    "with a Sec-WebSocket-Key and Sec-WebSocket-Version: 13"
)
_NO_SOCKET: Final = Overloaded("no web socket can be opened here now; try again")
_BLANK: Final = b"GET / HTTP/1.1\r\n\r\n"
_UNKNOWN_LINE: Final = re.compile(
    rb"^(?!(?:%b) )[A-Za-z-]+ [!-~]+ HTTP/\d\.\d\r?$" % b"|".join(map(str.encode, METHODS)), re.M
)
_UNKNOWN_METHOD: Final = MethodNotAllowed("there is no such method", allow=[*METHODS])


def _mistake(error: HttpParserError, piece: bytes) -> Refusal:
    """Return what is wrong with what cannot be parsed."""
    match error:
        case HttpParserInvalidMethodError() if _UNKNOWN_LINE.search(piece):
            return _UNKNOWN_METHOD
        case HttpParserError(__context__=ApiError() as refusal):
            return refusal
        case _:
            return _NO_HTTP


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
