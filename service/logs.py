"""What the service writes about itself: one line an event on stderr, in UTC.

A line of a request has method, path, status, duration and request id. Query strings, headers and
bodies are never written: they hold tokens and cards.
"""

import logging
import re
import secrets
import sys
import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service import metrics
from service.terminal import escaped

_access = logging.getLogger("service.access")
_ID: Final = re.compile(rb"[A-Za-z0-9_.-]{1,64}")
OWN: Final = "stele-start"
"""The user agent of a starting service that asks whether it is ready; nobody else has to know."""

_FORMAT: Final = "%(asctime)s.%(msecs)03dZ %(levelname)s %(name)s: %(message)s"


def configure(level: str) -> None:
    """Write from this level on; libraries from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Formatter(_FORMAT))
    # No line has them, and to find them out takes time.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None  # nor a place in the code: see "Optimization" in the logging HOWTO
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("service").setLevel(level.upper())


class _Formatter(logging.Formatter):
    """Writes times in UTC, and each second once; and nothing that is no text."""

    _second = 0
    _text = ""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802  # as it is named there
        second = int(record.created)
        if second != self._second:
            self._second = second
            self._text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        return self._text

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # as it is named there
        return escaped(super().formatMessage(record))


class AccessLog:
    """Gives every request an id, sends it back, and notes what came of it when it is over."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = _given(scope) or secrets.token_hex(8).encode()
        began = time.perf_counter()
        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id)]
            await send(message)

        try:
            await self._app(scope, receive, sending)
        finally:
            seconds = time.perf_counter() - began
            metrics.observe(scope, status, seconds)
            if _access.isEnabledFor(logging.INFO) and not _is_own(scope):
                _access.info(
                    "%s %s %d %.1fms %s",
                    scope["method"],
                    ascii(scope["path"])[1:-1],
                    status,
                    seconds * 1000,
                    request_id.decode(),
                )


def _is_own(scope: Scope) -> bool:
    # By path too, so that nobody keeps anything else out of the log by this name.
    return scope["path"] == "/readyz" and (b"user-agent", OWN.encode()) in scope["headers"]


def _given(scope: Scope) -> bytes | None:
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _ID.fullmatch(value):
            given: bytes = value
            return given
    return None
