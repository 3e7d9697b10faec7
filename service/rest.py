"""REST: one route for each row of the table of operations, and one for all moves.

The path of a request: accept → principal → arguments → unchanged? → handler → encode once. A view
carries its version as `ETag`; as it differs from viewer to viewer it also varies by
`Authorization` and no shared cache keeps it. What everyone may see carries a hash.
"""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.errors import NotAcceptable
from schema.operations import BY_NAME, OPERATIONS, Kind, Operation, check_names
from schema.types import LogFile
from schema.validation import Words, faulty
from service.arguments import from_body, from_query, to_arguments
from service.http import JSON, Authenticate, Handler, Settings, encoded, respond, unchanged
from service.negotiation import choose
from service.problems import Guarded, awaited
from service.rates import Rates
from service.streams import Feeds, stream, unless_gone

PREFIX = "/v1"

VersionOf: TypeAlias = Callable[..., Awaitable[int]]
"""Takes what the handler takes and tells, cheaply, which version its answer would have."""

MOVES = {row.name: row for row in OPERATIONS if row.kind is Kind.MOVE}
PUBLIC = {row.name for row in OPERATIONS if row.method == "GET" and "/matches" not in row.path}
VERSIONED = {
    row.name
    for row in OPERATIONS
    if row.method == "GET" and "version" in getattr(row.result, "__struct_fields__", ())
}

NEVER = {"Cache-Control": "no-store"}
VARY = {"Vary": "Accept, Accept-Encoding, Authorization"}
PRIVATE = {"Cache-Control": "private, no-cache", **VARY}
# A new build may bring other cards.
SHARED = {"Cache-Control": "public, max-age=300", "Vary": "Accept-Encoding"}


def routes(
    handlers: Mapping[str, Handler],
    authenticate: Authenticate,
    settings: Settings,
    version_of: VersionOf | None = None,
    feeds: Feeds | None = None,
    rates: Rates | None = None,
) -> list[Route]:
    """Return the routes of all operations.

    `version_of` answers conditional reads of a match without making the view; streams come from
    `feeds`; `rates` limits how often somebody asks.

    Raises:
        LookupError: an operation has no handler, or a handler no operation.
    """
    check_names(handlers)
    service = Service(handlers, authenticate, settings, version_of, feeds, rates)
    reads = [
        Route(PREFIX + row.path, Guarded(service.reader(row)), methods=["GET"], name=row.name)
        for row in OPERATIONS
        if row.method == "GET"
    ]
    writes = [
        Route(PREFIX + row.path, Guarded(service.writer(row)), methods=[row.method], name=row.name)
        for row in OPERATIONS
        if row.method in ("POST", "DELETE") and row.kind is not Kind.MOVE
    ]
    path = PREFIX + BY_NAME["choose"].path
    # Moves first: they are what a running match asks for.
    return [Route(path, Guarded(service.mover()), methods=["POST"], name="move"), *reads, *writes]


class Service:
    """What every endpoint needs."""

    def __init__(
        self,
        handlers: Mapping[str, Handler],
        authenticate: Authenticate,
        settings: Settings,
        version_of: VersionOf | None,
        feeds: Feeds | None,
        rates: Rates | None,
    ) -> None:
        self._handlers = handlers
        self._authenticate = authenticate
        self._limit = settings.max_body_bytes
        self._version_of = version_of
        self._feeds = feeds
        self._rates = rates

    async def _admit(self, request: Request, operation: str) -> object:
        """Return who asks. Raises: Unauthenticated, RateLimited."""
        principal = await awaited(self._authenticate(request))
        if self._rates is not None:
            await self._rates.spend(principal, operation)
        return principal

    def reader(self, row: Operation) -> Callable[[Request], Awaitable[Response]]:
        """Return the endpoint of a query."""

        async def read(request: Request) -> Response:
            streams = row.streams if self._feeds else ()
            offers = (row.media, JSON) if row.media else (JSON, *streams)
            media = _accepted(request, offers)
            principal = await self._admit(request, row.name)
            arguments = to_arguments(request, row, from_query(request, row.arguments))
            if self._feeds and media in streams:
                return await stream(request, self._feeds, media, principal, arguments)
            waits = getattr(arguments, "wait", 0)
            # An earlier version shows more once the match is over, so that its tag is its content.
            versioned = row.name in VERSIONED and getattr(arguments, "at", None) is None
            seen = request.headers.get("if-none-match")
            if seen and self._version_of and versioned and not waits:
                tag = f'"{await self._version_of(principal, arguments)}"'
                if _matches(seen, tag):
                    return unchanged({**PRIVATE, "ETag": tag})
            work = self._handlers[row.name](principal, arguments)
            result = await (unless_gone(request.receive, _awaiting(work)) if waits else work)
            return _answer(request, row, media, result, versioned)

        return read

    def writer(self, row: Operation) -> Callable[[Request], Awaitable[Response]]:
        """Return the endpoint of a mutation."""

        async def write(request: Request) -> Response:
            media = _accepted(request, (JSON,))
            principal = await self._admit(request, row.name)
            words = await from_body(request, self._limit, row.takes)
            arguments = to_arguments(request, row, words)
            if self._rates is not None and row.takes is not None:
                await self._rates.weigh(principal, row.name, len(str(words["text"])))
            result = await self._handlers[row.name](principal, arguments)
            return respond(request, encoded(result), row.status, media, NEVER)

        return write

    def mover(self) -> Callable[[Request], Awaitable[Response]]:
        """Return the endpoint of all moves."""

        async def move(request: Request) -> Response:
            media = _accepted(request, (JSON,))
            principal = await self._admit(request, "choose")
            words = await from_body(request, self._limit)
            row = _move(words)
            arguments = to_arguments(request, row, words)
            result = await self._handlers[row.name](principal, arguments)
            return respond(request, encoded(result), row.status, media, NEVER, pack=True)

        return move


async def _awaiting(work: Awaitable[object]) -> object:
    return await work


def _move(words: Words) -> Operation:
    name = words.pop("type", None)
    row = MOVES.get(name) if isinstance(name, str) else None
    if row is None:
        raise faulty({"type": f"name a move: {', '.join(MOVES)}"})
    return row


def _answer(
    request: Request, row: Operation, media: str, result: object, versioned: bool
) -> Response:
    if row.media is not None:
        headers = {**NEVER, **VARY}
        if media == row.media:
            assert isinstance(result, LogFile)
            return respond(request, result.text.encode(), row.status, media, headers, pack=True)
        return respond(request, encoded(result), row.status, media, headers, pack=True)
    if versioned:
        tag, headers = f'"{getattr(result, "version", 0)}"', dict(PRIVATE)
        body = None
    else:
        body = encoded(result)
        tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
        headers = dict(SHARED if row.name in PUBLIC else PRIVATE)
    headers["ETag"] = tag
    seen = request.headers.get("if-none-match")
    if seen and _matches(seen, tag):
        return unchanged(headers)
    body = encoded(result) if body is None else body
    return respond(request, body, row.status, media, headers, pack=True)


def _matches(seen: str, tag: str) -> bool:
    """Tell whether `If-None-Match` names the tag, strong or weak."""
    words = [word.strip() for word in seen.split(",")]
    return "*" in words or any(word.removeprefix("W/") == tag for word in words)


def _accepted(request: Request, offers: tuple[str, ...]) -> str:
    accept = request.headers.get("accept", "*/*")
    media = choose(accept[:1000], offers)
    if media is None:
        raise NotAcceptable(f"the answer is {' or '.join(offers)}", offers=list(offers))
    return media
