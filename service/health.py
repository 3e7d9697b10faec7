"""Whether the service lives, and whether it can do its work."""

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.types import Health
from service.http import encoded
from service.store import EventStore, StoreError

_PATIENCE_SECONDS: Final = 1.0
_HEADERS: Final = {"Cache-Control": "no-store"}


def routes(store: EventStore) -> list[Route]:
    """Return the routes that an orchestrator asks."""

    async def alive(_: Request) -> Response:
        return _answer(True)

    async def ready(_: Request) -> Response:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await store.ping()
        except (StoreError, TimeoutError):
            return _answer(False)
        return _answer(True)

    return [Route("/healthz", alive), Route("/readyz", ready)]


def _answer(well: bool) -> Response:
    body = encoded(Health(status="ok" if well else "unavailable"))
    if well:
        return Response(body, 200, _HEADERS, "application/json")
    return Response(body, 503, {**_HEADERS, "Retry-After": "1"}, "application/json")
