"""Whether the service lives, and whether it can do its work."""

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.types import Health
from service.http import encoded, respond
from service.store import EventStore, StoreError

_PATIENCE_SECONDS: Final = 1.0
_UNWELL: Final = {"Cache-Control": "no-store", "Retry-After": "1"}


def routes(store: EventStore) -> list[Route]:
    """Return the routes that an orchestrator asks."""

    async def alive(request: Request) -> Response:
        return _answer(request, well=True)

    async def ready(request: Request) -> Response:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await store.ping()
        except (StoreError, TimeoutError):
            return _answer(request, well=False)
        return _answer(request, well=True)

    return [Route("/healthz", alive), Route("/readyz", ready)]


def _answer(request: Request, well: bool) -> Response:
    body = encoded(Health(status="ok" if well else "unavailable"))
    headers = {"Cache-Control": "no-store"} if well else _UNWELL
    return respond(request, body, 200 if well else 503, "application/json", headers)
