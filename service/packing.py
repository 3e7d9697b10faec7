"""Answers compressed with gzip, for who takes it, where it helps and tells nothing.

The length of a compressed text says how much of it repeats, so whoever sees lengths on the wire and
gets words of his own into an answer beside a secret can guess the secret piece by piece (BREACH).
Tokens, invites and secrets stand only in answers of mutations that are no moves, and those are
never compressed; nor are refusals, which may repeat what was sent. Streams are left alone, too: a
piece is small and has to leave at once.

A tag names the version or the content, compressed or not, as no part of an answer can be asked for.
"""

import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from anyio.to_thread import run_sync
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from schema.operations import OPERATIONS, Kind
from service.negotiation import takes

PACKED: Final = frozenset(row.name for row in OPERATIONS if row.kind is not Kind.MUTATION)
"""The operations whose answers are compressed."""

GZIP: Final = "gzip"
SMALL: Final = 1400  # bytes; such an answer goes in one packet as it is
LARGE: Final = 64 * 1024  # bytes; compressing more would keep others waiting
_LEVEL: Final = 6
_WITH_HEADER: Final = 16 + zlib.MAX_WBITS


def pack(body: bytes) -> bytes:
    """Return the body with gzip; the same for the same body."""
    return zlib.compress(body, _LEVEL, _WITH_HEADER)


@lru_cache(maxsize=32)
def pack_once(body: bytes) -> bytes:
    """Return a body that everyone gets with gzip."""
    return pack(body)


def are_packed(fields: Iterable[str]) -> bool:
    """Tell whether answers with these fields of GraphQL's root are compressed."""
    return all(name in PACKED or name.startswith("__") for name in fields)


def is_packed(request: HTTPConnection, body: bytes) -> bool:
    """Tell whether the client gets this body compressed."""
    return len(body) > SMALL and takes(_accepted(request), GZIP)


def _accepted(request: HTTPConnection) -> str:
    return request.headers.get("accept-encoding", "")[:1000]


class Packed(Response):
    """An answer with gzip; a large one is compressed in a thread."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = bytes(self.body)
        way = pack_once if self.headers.get("cache-control", "").startswith("public") else pack
        packed = way(body) if len(body) <= LARGE else await run_sync(way, body)
        self.headers["Content-Encoding"] = GZIP
        self.headers["Content-Length"] = str(len(packed))
        self.body = b"" if scope["method"] == "HEAD" else packed
        await super().__call__(scope, receive, send)
