"""The documentation and GraphiQL: files that are made or vendored, handed out as they are.

Nothing on a page comes from another host, and the content security policy says so. The pages of the
documentation run no script at all. GraphiQL is at `/graphql`, for who asks for HTML there; a client
that asks for anything else reaches GraphQL itself.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Scope

from service.http import respond, unchanged
from service.packing import GZIP, is_packed, pack

PREFIX: Final = "/docs"
GRAPHIQL: Final = "/graphql"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}
CACHED: Final = "public, max-age=300"

_CLOSED: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
POLICY: Final = f"{_CLOSED}; style-src 'self'; img-src 'self'"
GRAPHIQL_POLICY: Final = (
    f"{_CLOSED}; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "style-src 'self' 'unsafe-inline'"  # its editor writes styles of its own into the page
)


class File(NamedTuple):
    """What is handed out."""

    body: bytes
    packed: bytes
    tag: str
    media: str
    policy: str


def routes(graphiql: bool) -> list[BaseRoute]:
    """Return the routes of the pages; with GraphiQL only where it is switched on.

    Who opens the service itself in a browser is led to the documentation.
    """
    found: list[BaseRoute] = [
        Route(address, _endpoint(file, POLICY), methods=["GET"], name="pages")
        for address, file in _files()
    ]
    found.append(PageRoute("/", _to_documentation, methods=["GET"], name="pages"))
    if graphiql:
        page = _endpoint(_static() / "graphiql.html", GRAPHIQL_POLICY)
        found.append(PageRoute(GRAPHIQL, page, methods=["GET"], name="pages"))
    return found


def _to_documentation(request: Request) -> Response:
    headers = {"Location": PREFIX, "Vary": "Accept"}
    return respond(request, b"", 302, TYPES[".txt"], headers)


class PageRoute(Route):
    """A route for browsers only: it matches a GET that asks for HTML by name."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match who asks for a page, and let everybody else pass."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return Match.NONE, {}
        accept = Request(scope).headers.get("accept", "")
        return super().matches(scope) if "text/html" in accept else (Match.NONE, {})


def _files() -> Iterator[tuple[str, Traversable]]:
    """Yield the address of every file but the page of GraphiQL."""
    for address, file in _below(files(__package__) / "site", PREFIX):
        name = address.removesuffix(".html").removesuffix(".txt")
        yield name.removesuffix("/index"), file
    for address, file in _below(_static(), f"{PREFIX}/static"):
        if not address.endswith(".html"):
            yield address, file


def _below(folder: Traversable, prefix: str) -> Iterator[tuple[str, Traversable]]:
    for file in folder.iterdir():
        address = f"{prefix}/{file.name}"
        if file.is_dir():
            yield from _below(file, address)
        else:
            yield address, file


def _static() -> Traversable:
    return files(__package__) / "static"


def _endpoint(source: Traversable, policy: str) -> Callable[[Request], Response]:
    media = TYPES[source.name[source.name.rindex(".") :]]
    return endpoint_of(source.read_bytes, media, policy)


def endpoint_of(
    read: Callable[[], bytes], media: str, policy: str = _CLOSED
) -> Callable[[Request], Response]:
    """Return the endpoint that hands out what is read: once, at the first request."""

    @cache
    def made() -> File:
        body = read()
        return File(body, pack(body), f'"{hashlib.sha256(body).hexdigest()[:32]}"', media, policy)

    # Not a coroutine: reading and packing happen once, and in a thread.
    def endpoint(request: Request) -> Response:
        return _handed_out(request, made())

    return endpoint


def _handed_out(request: Request, file: File) -> Response:
    headers = {
        "Content-Security-Policy": file.policy,
        "Cache-Control": CACHED,
        "ETag": file.tag,
        "Vary": "Accept, Accept-Encoding",
    }
    if file.tag in request.headers.get("if-none-match", ""):
        return unchanged(headers)
    if is_packed(request, file.body):
        headers["Content-Encoding"] = GZIP
        return respond(request, file.packed, 200, file.media, headers)
    return respond(request, file.body, 200, file.media, headers)
