"""Events as a stream over HTTP: JSON lines, or Server-Sent Events.

Both carry, event for event, the bytes that a page of `events` carries. A stream goes on until the
match is over; an empty line or a comment now and then shows that it lives. It is cut by whatever
happens to the connection, and goes on with the last version that arrived.
"""

import asyncio
from collections.abc import AsyncGenerator, Coroutine
from contextlib import ExitStack, aclosing, suppress
from typing import Any, Final, Protocol, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from schema import types as t
from schema.errors import ApiError
from schema.inputs import Arguments, EventsArguments
from schema.operations import EVENT_STREAM
from schema.validation import faulty
from service.bearers import Bearers
from service.failures import told
from service.http import SECURITY_HEADERS, encoded
from service.live import Follower

HEARTBEAT_SECONDS: Final = 15.0
RETRY_MS: Final = 2_000  # before a browser connects again

T = TypeVar("T")


class Feeds(Protocol):
    """Where streams come from."""

    bearers: Bearers

    async def follow(self, principal: Any, arguments: EventsArguments) -> Follower:
        """Return a follower of the events after a version."""


async def stream(
    request: Request, feeds: Feeds, media: str, principal: Any, arguments: Arguments
) -> Response:
    """Return the answer that streams what follows a version.

    Raises: Malformed, VersionConflict, RateLimited, and what `events` raises.
    """
    assert isinstance(arguments, EventsArguments)
    seen = request.headers.get("last-event-id") if media == EVENT_STREAM else None
    if seen:
        if not (seen.isascii() and seen.isdecimal() and len(seen) < _LONGEST_VERSION):
            raise faulty({"Last-Event-ID": "names no version; it is a number"})
        arguments = arguments.model_copy(update={"after": int(seen)})
    follower = await feeds.follow(principal, arguments)
    with ExitStack() as stack:
        stack.callback(follower.close)
        stack.enter_context(feeds.bearers.place())
        stack.enter_context(feeds.bearers.bearing(principal, follower.stop))
        if seen and follower.finished:
            return Response(status_code=204, headers=_HEADERS)  # a browser then asks no more
        return Stream(follower, media, stack.pop_all())


class Stream(Response):
    """An answer that goes on until the match is over or the client is gone."""

    def __init__(self, follower: Follower, media: str, held: ExitStack) -> None:
        super().__init__(status_code=200, headers={**_HEADERS, "Content-Type": media})
        del self.headers["content-length"]
        self._follower = follower
        self._held = held
        self._is_sse = media == EVENT_STREAM

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._held, suppress(ClientDisconnect):
            await unless_gone(receive, self._run(scope, send))

    async def _run(self, scope: Scope, send: Send) -> None:
        start = {"status": self.status_code, "headers": self.raw_headers}
        await send({"type": "http.response.start", **start})
        if scope["method"] != "HEAD":
            # What goes wrong now can only end the stream; it goes on with another request.
            async with aclosing(self._pieces()) as pieces:
                with suppress(ApiError), told():
                    async for piece in pieces:
                        await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _pieces(self) -> AsyncGenerator[bytes, None]:
        follower, is_sse = self._follower, self._is_sse
        if is_sse:
            yield b"retry: %d\n\n" % RETRY_MS
        while not follower.finished:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    update = await follower.next()
            except TimeoutError:
                yield b":\n\n" if is_sse else b"\n"
                continue
            if update is None:
                return
            yield update.written(*(_SSE if is_sse else _LINES))
        if is_sse:
            yield b'event: finished\ndata: {"version":%d}\n\n' % follower.version


async def unless_gone(receive: Receive, work: Coroutine[Any, Any, T]) -> T:
    """Return what the work gives; it is cancelled at once when the client goes away.

    Raises: ClientDisconnect.
    """
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientDisconnect
    finally:
        for one in (task, gone):
            one.cancel()
        await asyncio.wait((task, gone))
        if not task.cancelled():
            task.exception()  # nobody is left to tell


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _to_lines(update: t.MatchUpdate) -> bytes:
    return b"".join(encoded(event) + b"\n" for event in update.events)


def _to_sse(update: t.MatchUpdate) -> bytes:
    return b"".join(
        b"id: %d\ndata: %b\n\n" % (event.version, encoded(event)) for event in update.events
    )


_LINES: Final = ("lines", _to_lines)
_SSE: Final = ("sse", _to_sse)
_LONGEST_VERSION: Final = 12  # characters
_HEADERS: Final = {
    **SECURITY_HEADERS,
    "Cache-Control": "no-store",
    "Vary": "Accept, Accept-Encoding, Authorization",
    "X-Accel-Buffering": "no",  # a proxy that collects pieces would hold them back
}
