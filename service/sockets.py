"""GraphQL over web sockets: the protocol `graphql-transport-ws`, and no other.

Theory of operation. A socket has one task that reads and handles messages in order, and one for
each operation under way. Nobody waits for a slow reader: an operation that cannot get rid of a
frame for some seconds closes its socket, with a code that says so; the subscriber comes back with
the last version that arrived. A socket on which nothing was heard for a while is asked for a sign
of life, then closed. Timers do that, not tasks, so a quiet socket costs little.

A page of another origin is refused before the socket opens. The token comes with
`connection_init`, where a browser can put it, or in the header of the handshake; never in the URL.
Queries and mutations run, too, in the way that they run over HTTP.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import ExitStack, aclosing, contextmanager, suppress
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from graphql import GraphQLError
from msgspec import Struct
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketDisconnected
from strawberry.subscriptions import GRAPHQL_TRANSPORT_WS_PROTOCOL

from domain.engine.errors import DomainError
from schema.errors import (
    ApiError,
    Forbidden,
    Malformed,
    NotFound,
    ProviderUnavailable,
    RateLimited,
    Unauthenticated,
)
from schema.graphql import Api
from schema.subscriptions import Asked, Refused, is_subscription, subscribe
from service.auth import ANONYMOUS, Principal
from service.bearers import Bearers
from service.http import Authenticate, decode_object, encoded, report
from service.messages import Message, asked_of, id_of, with_token
from service.problems import awaited, refuse

BAD_REQUEST: Final = 4400
UNAUTHORIZED: Final = 4401
FORBIDDEN: Final = 4403
NO_SUBPROTOCOL: Final = 4406
NO_INIT: Final = 4408
DUPLICATE: Final = 4409
SILENT: Final = 4410
TOO_MANY_INITS: Final = 4429
TOO_MANY_SOCKETS: Final = 4430
TOO_SLOW: Final = 4499
NO_PROVIDER: Final = 4503
TOO_LARGE: Final = 1009
FAILED: Final = 1011

_LONGEST_REASON: Final = 120  # bytes; the protocol has room for 123

Admit = Callable[[object, str], Awaitable[None]]
Execute = Callable[[object, Asked], Awaitable[dict[str, object]]]


class Limits(Struct, frozen=True):
    """How patient a socket is, in seconds, and how much it takes."""

    init: float = 10.0
    ping: float = 20.0
    silence: float = 60.0
    slow: float = 10.0
    watch: float = 5.0  # between two looks at these
    operations: int = 64
    message: int = 64 * 1024  # characters


class Sockets:
    """The web sockets of GraphQL: an ASGI application."""

    def __init__(
        self,
        schema: Api,
        authenticate: Authenticate,
        admit: Admit,
        execute: Execute,
        bearers: Bearers,
        origins: tuple[str, ...] = (),
        limits: Limits | None = None,
    ) -> None:
        self.schema = schema
        self.authenticate = authenticate
        self.admit = admit
        self.execute = execute
        self.bearers = bearers
        self.limits = limits or Limits()
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        websocket = WebSocket(scope, receive, send)
        try:
            with self.bearers.place():
                self._check_origin(websocket)
                await Socket(websocket, self).run()
        except (Forbidden, RateLimited) as error:
            await refuse(scope, receive, send, error)

    def _check_origin(self, websocket: WebSocket) -> None:
        """Refuse pages from elsewhere; who sends no origin is no browser."""
        origin = websocket.headers.get("origin")
        if origin is None or "*" in self._origins or origin in self._origins:
            return
        if _host_of(origin) != websocket.headers.get("host"):
            raise Forbidden("pages of this origin may not open a socket here")


class Socket:
    """One web socket."""

    def __init__(self, websocket: WebSocket, sockets: Sockets) -> None:
        self._websocket = websocket
        self._sockets = sockets
        self._limits = sockets.limits
        self._loop = asyncio.get_running_loop()
        self._principal: object = None
        self._held = ExitStack()
        self._is_acknowledged = False
        self._is_closed = False
        self._heard = self._loop.time()
        self._sending = 0  # messages that wait for the reader
        self._moved = self._heard  # when the last of them got away
        self._pinged = self._heard
        self._operations: dict[str, asyncio.Task[None]] = {}
        self._following = 0  # subscriptions among them
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def run(self) -> None:
        """Serve until the socket is closed, by whomever."""
        offered = self._websocket.scope["subprotocols"]
        if GRAPHQL_TRANSPORT_WS_PROTOCOL not in offered:
            await self._websocket.accept()
            await self._close(NO_SUBPROTOCOL, "the subprotocol is graphql-transport-ws")
            return
        await self._websocket.accept(GRAPHQL_TRANSPORT_WS_PROTOCOL)
        self._timer = self._loop.call_later(self._limits.init, self._no_init)
        try:
            with self._held, suppress(WebSocketDisconnect, WebSocketDisconnected):
                while not self._is_closed:
                    message = await self._websocket.receive()
                    if message["type"] == "websocket.disconnect":
                        break
                    self._heard = self._loop.time()
                    await self._handle(message.get("text"))
        finally:
            self._is_closed = True
            self._timer.cancel()
            left = {*self._operations.values(), *self._tasks} - {asyncio.current_task()}
            for task in left:
                task.cancel()
            if left:
                await asyncio.wait(left)

    async def _handle(self, text: str | None) -> None:
        try:
            if text is None:
                raise Malformed("a message is text")
            if len(text) > self._limits.message:
                await self._close(TOO_LARGE, f"a message has {self._limits.message} characters")
                return
            message = decode_object(text)
            match message.get("type"):
                case "connection_init":
                    await self._init(message)
                case "ping":
                    await self._answer_ping(message)
                case "pong":
                    pass
                case "subscribe":
                    await self._subscribe(message)
                case "complete":
                    task = self._operations.pop(id_of(message), None)
                    if task is not None:
                        self._later(task)
                        task.cancel()
                case _:
                    raise Malformed("a message has a type of graphql-transport-ws")
        except Malformed as error:
            await self._close(BAD_REQUEST, error.message)
        except Exception as error:
            report(error)
            await self._close(FAILED, "the service failed; its log has the reason")

    async def _init(self, message: Message) -> None:
        if self._principal is not None:
            await self._close(TOO_MANY_INITS, "Too many initialisation requests")
            return
        payload = message.get("payload")
        if not isinstance(payload, dict | None):
            raise Malformed("the payload of connection_init is an object")
        self._principal = ANONYMOUS
        try:
            connection = with_token(self._websocket, payload or {})
            self._principal = await awaited(self._sockets.authenticate(connection))
            if isinstance(self._principal, Principal):
                if not await self._sockets.bearers.is_still_valid(self._principal):
                    raise Unauthenticated("this token was replaced by a newer one")
                bearing = self._sockets.bearers.bearing(self._principal, self._revoked)
                self._held.enter_context(bearing)
        except (Unauthenticated, Forbidden) as error:
            await self._close(FORBIDDEN, error.message)
            return
        except RateLimited as error:
            await self._close(TOO_MANY_SOCKETS, error.message)
            return
        except ProviderUnavailable as error:
            await self._close(NO_PROVIDER, error.message)
            return
        self._is_acknowledged = True
        self._watch()
        await self._send(b'{"type":"connection_ack"}')

    async def _answer_ping(self, message: Message) -> None:
        payload = message.get("payload")
        if not isinstance(payload, dict | None):
            raise Malformed("the payload of a ping is an object")
        pong = {"type": "pong"} if payload is None else {"type": "pong", "payload": payload}
        await self._send(encoded(pong))

    async def _subscribe(self, message: Message) -> None:
        if not self._is_acknowledged:
            await self._close(UNAUTHORIZED, "Unauthorized")
            return
        id = id_of(message)
        try:
            asked = asked_of(message, self._sockets.schema)
        except NotFound as error:
            await self._send(self._errors(id, [self._told(error)]))
            return
        if id in self._operations:
            await self._close(DUPLICATE, f"Subscriber for {id} already exists")
            return
        if len(self._operations) >= self._limits.operations:
            full = RateLimited("this socket has as many operations under way as it may")
            await self._send(self._errors(id, [self._told(full)]))
            return
        self._operations[id] = asyncio.create_task(self._operate(id, asked))

    async def _operate(self, id: str, asked: Asked) -> None:
        """Run an operation until it has nothing more to say."""
        head = b'{"id":%b,"type":"next","payload":' % encoded(id)
        try:
            await self._sockets.admit(self._principal, asked.document)
            if is_subscription(self._sockets.schema, asked):
                with self._place():
                    source = await subscribe(self._sockets.schema, asked, self._principal)
                    async with aclosing(source.updates) as updates:
                        async for update in updates:
                            payload = update.written(source.key, source.render)
                            await self._send(head + payload + b"}")
            else:
                result = await self._sockets.execute(self._principal, asked)
                await self._send(head + encoded(result) + b"}")
            last = b'{"id":%b,"type":"complete"}' % encoded(id)
        except Refused as refused:
            last = self._errors(id, refused.errors)
        except Exception as error:
            last = self._errors(id, [self._told(error)])
        # The id is free before the client learns that the operation is over.
        self._finish(id)
        await self._send(last)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """Hold a place for a subscription; the first has the socket's. Raises: RateLimited."""
        bearers, principal = self._sockets.bearers, self._principal
        self._following += 1
        try:
            with ExitStack() as held:
                if self._following > 1:
                    held.enter_context(bearers.place())
                    if isinstance(principal, Principal):
                        held.enter_context(bearers.bearing(principal, partial(self._revoked)))
                yield
        finally:
            self._following -= 1

    def _finish(self, id: str) -> None:
        task = asyncio.current_task()
        if task is not None and self._operations.get(id) is task:
            del self._operations[id]
            self._later(task)

    def _errors(self, id: str, errors: list[GraphQLError]) -> bytes:
        payload = [error.formatted for error in errors]
        return encoded({"id": id, "type": "error", "payload": payload})

    def _told(self, error: Exception) -> GraphQLError:
        known = isinstance(error, ApiError | DomainError)
        message = str(error) if known else "the service failed"
        return self._sockets.schema.told(GraphQLError(message, original_error=error))

    async def _send(self, frame: bytes) -> None:
        """Send a message; `_watch` closes the socket of somebody who reads too slowly."""
        if self._is_closed:
            return
        if not self._sending:
            self._moved = self._loop.time()
        self._sending += 1
        try:
            await self._websocket.send_text(frame.decode())
        except (WebSocketDisconnect, RuntimeError):
            # Gone, or closed while this waited.
            self._is_closed = True
        finally:
            self._sending -= 1
            self._moved = self._loop.time()

    async def _close(self, code: int, reason: str) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        cut = reason.encode()[:_LONGEST_REASON].decode(errors="ignore")
        with suppress(TimeoutError, WebSocketDisconnect, WebSocketDisconnected):
            async with asyncio.timeout(self._limits.slow):
                await self._websocket.close(code, cut)

    def _no_init(self) -> None:
        self._begin(self._close(NO_INIT, "Connection initialisation timeout"))

    def _revoked(self) -> None:
        self._begin(self._close(FORBIDDEN, "the token is not valid any more"))

    def _watch(self) -> None:
        """Look at the socket again and again: who reads slowly, who says nothing."""
        assert self._timer is not None
        self._timer.cancel()
        now = self._loop.time()
        if self._sending and now - self._moved >= self._limits.slow:
            self._begin(self._close(TOO_SLOW, "too slow; subscribe again after the last version"))
            return
        silence = now - self._heard
        if silence >= self._limits.silence:
            self._begin(self._close(SILENT, "nothing was heard for too long"))
            return
        if min(silence, now - self._pinged) >= self._limits.ping and not self._sending:
            self._pinged = now
            self._begin(self._send(b'{"type":"ping"}'))
        self._timer = self._loop.call_later(self._limits.watch, self._watch)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        self._later(self._loop.create_task(work))

    def _later(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None
