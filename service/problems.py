"""Errors over REST: problem details (RFC 9457) with the code, and whether a retry can help."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from domain.engine.errors import DomainError
from schema.errors import (
    ApiError,
    Internal,
    Malformed,
    MethodNotAllowed,
    NotFound,
    Refusal,
    StoreUnavailable,
    row_of,
)
from service.http import encoded, report, respond

PROBLEM = "application/problem+json"
RETRY_SECONDS = 1
_STOPS = "the service stops; send it again, with the same command id"
_NOTHING = "there is nothing at this address"

Endpoint = Callable[[Request], Awaitable[Response]]


def problem(request: HTTPConnection, error: Refusal) -> Response:
    """Return the answer that tells of an error."""
    return respond(request, written(error), row_of(error).status, PROBLEM, error_headers(error))


def written(error: Refusal) -> bytes:
    """Return the body that tells of an error."""
    row = row_of(error)
    body = {
        "type": row.doc,
        "title": row.meaning,
        "status": row.status,
        "code": row.code,
        "detail": error.message,
        "retryable": row.retryable,
    }
    # Details come last and never replace a standard member.
    return encoded({**body, **error.detail, **body})


async def refuse(scope: Scope, receive: Receive, send: Send, error: Refusal) -> None:
    """Answer a request, or the handshake of a web socket, with an error."""
    if scope["type"] == "http" or "websocket.http.response" in scope.get("extensions", {}):
        await problem(HTTPConnection(scope), error)(scope, receive, send)
    else:
        await send({"type": "websocket.close"})


class Stopped:
    """Middleware that tells whoever still waits when the server stops and waits no longer.

    Nothing else cancels a request: not even a client that is gone.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        has_started = False

        async def sending(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, sending)
        except asyncio.CancelledError:
            if scope["type"] == "http" and not has_started:
                await refuse(scope, receive, send, StoreUnavailable(_STOPS))


async def nowhere(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer where no route leads to."""
    await refuse(scope, receive, send, NotFound(_NOTHING))


def error_headers(error: Refusal) -> Mapping[str, str]:
    headers = {"Cache-Control": "no-store"}
    row = row_of(error)
    if row.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if row.retryable or row.status == 503:
        headers["Retry-After"] = str(error.detail.get("retryAfter", RETRY_SECONDS))
    allow = error.detail.get("allow")
    if row.status == 405 and isinstance(allow, list):
        headers["Allow"] = ", ".join(str(method) for method in allow)
    return headers


def internal(error: Exception) -> Internal:
    """Log a mistake of ours and return what may be told of it."""
    return Internal(
        "the service failed; its log has the reason under this id", requestId=report(error)
    )


class Guarded:
    """An endpoint with every failure turned into an answer.

    It is an application of its own: what Starlette wraps around a function would do this again.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive, send)
        await (await self._answer(request))(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        try:
            return await self._endpoint(request)
        except (ApiError, DomainError) as error:
            return problem(request, error)
        except ClientDisconnect:
            return problem(request, Malformed("the body ended early"))
        except Exception as error:
            return problem(request, internal(error))


async def _http_exception(request: Request, error: Exception) -> Response:
    """Answer for Starlette, which knows no such address or method."""
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return problem(request, NotFound(_NOTHING))
    if error.status_code == 405:
        allow = list(_methods(request))
        if request.method == "OPTIONS":
            return options(request, allow)
        return problem(
            request, MethodNotAllowed(f"this address takes {' or '.join(allow)}", allow=allow)
        )
    return problem(request, Malformed(HTTPStatus(error.status_code).phrase))


def options(request: Request, allow: Iterable[str]) -> Response:
    """Return which methods an address takes."""
    headers = {"Allow": ", ".join((*allow, "OPTIONS")), "Cache-Control": "no-store"}
    return respond(request, b"", 204, PROBLEM, headers)


def _methods(request: Request) -> tuple[str, ...]:
    app = request.scope["app"]
    assert isinstance(app, Starlette)
    found = [
        route
        for route in app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    ]
    # `/matches/import` also has the form of `/matches/{matchId}`: what is written out counts.
    path = min((route.path for route in found), key=lambda path: path.count("{"))
    return tuple(sorted({m for route in found if route.path == path for m in route.methods or ()}))


async def _exception(request: Request, error: Exception) -> Response:
    refused = error if isinstance(error, ApiError | DomainError) else internal(error)
    return problem(request, refused)


EXCEPTION_HANDLERS: Mapping[type[Exception], Callable[[Request, Exception], Awaitable[Response]]]
EXCEPTION_HANDLERS = {
    HTTPException: _http_exception,
    ApiError: _exception,
    DomainError: _exception,
    Exception: _exception,
}


async def awaited(value: object) -> object:
    """Return the value, awaited if it is to be."""
    return await value if inspect.isawaitable(value) else value
