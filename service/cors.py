"""Which pages of other origins may use the API from a browser: none, unless named.

Tokens travel in a header that a page has to set itself, never in cookies, so no answer allows
credentials. For web sockets, which ask no leave beforehand, see `sockets.py`.
"""

from typing import Final

from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

_SENT: Final = (
    "Authorization",
    "Content-Type",
    "Idempotency-Key",
    "If-Match",
    "If-None-Match",
    "Last-Event-ID",
    "X-Request-ID",
)
# By `Date`, clients tell how long they have (docs/mobile.md).
_SHOWN: Final = ("Date", "ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-ID")
_KEPT_SECONDS: Final = 600


def cors(origins: tuple[str, ...]) -> list[Middleware]:
    """Return the middleware that opens the API to pages of these origins; none for none."""
    if not origins:
        return []
    return [
        Middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "POST", "DELETE"],
            allow_headers=list(_SENT),
            expose_headers=list(_SHOWN),
            max_age=_KEPT_SECONDS,
        )
    ]
