"""Whether the service lives, whether it can do its work, and what it has done.

Metrics are for administrators, and for programs on this machine that reach the service themselves:
not through a proxy beside it, nor under a name that a page in a browser has made up.
"""

import asyncio
import re
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from schema.errors import Unauthenticated
from schema.types import Health
from service import metrics
from service.auth import Principal
from service.http import Authenticate, encoded, respond
from service.problems import Guarded, awaited
from service.settings import is_loopback
from service.store import EventStore, StoreError

_PATIENCE_SECONDS: Final = 1.0
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-real-ip", "via")
_PORT: Final = re.compile(r":\d+$")
_UNWELL: Final = {"Cache-Control": "no-store", "Retry-After": "1"}


def routes(store: EventStore, authenticate: Authenticate) -> list[Route]:
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

    async def measured(request: Request) -> Response:
        principal = await awaited(authenticate(request))
        is_admin = isinstance(principal, Principal) and principal.kind == "admin"
        if not is_admin and not _is_local(request):
            raise Unauthenticated("metrics are for the token of an administrator")
        # In a thread: with several processes it reads the files of all.
        body = await asyncio.to_thread(metrics.text)
        return respond(request, body, 200, metrics.MEDIA, {"Cache-Control": "no-store"}, pack=True)

    return [
        Route("/healthz", alive, name="health"),
        Route("/readyz", ready, name="health"),
        Route("/metrics", Guarded(measured), methods=["GET"], name="health"),
    ]


def _is_local(request: Request) -> bool:
    is_direct = not any(name in request.headers for name in _FORWARDED)
    peer = request.client.host if request.client is not None else ""
    name = _PORT.sub("", request.headers.get("host", ""))
    return is_direct and is_loopback(peer) and is_loopback(name.strip("[]"))


def _answer(request: Request, well: bool) -> Response:
    body = encoded(Health(status="ok" if well else "unavailable"))
    headers = {"Cache-Control": "no-store"} if well else _UNWELL
    return respond(request, body, 200 if well else 503, "application/json", headers)
