"""Connections that wait for nobody: uvicorn's protocols with an end to their patience.

Who does not read what is written holds a connection, its buffer and a task. So a peer that takes
nothing for a while is cut, with all that it had open. And a web socket can be closed although its
reader is slow: the close frame then goes behind what is buffered, for who reads on finds it there,
and who does not is cut.

When the server is told to stop, its connections tell the application, which ends what would go on
for ever: it does so by calling `closing` out of the state of its lifespan.
"""

import asyncio
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

CLOSING: Final = "closing"  # in the state of the lifespan: what to call when the server stops
PATIENCE_SECONDS: Final = 20.0  # with a peer that takes nothing
LAST_SECONDS: Final = 3.0  # to take what is buffered before a close
_LENGTH_16: Final = 126  # says that the length follows in 16 bits


class Http(HttpToolsProtocol):
    """An HTTP connection."""

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
