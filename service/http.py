"""What REST and GraphQL share: reading a body with suspicion, and answering.

A body is read piece by piece up to a limit, must be UTF-8 and JSON without duplicate keys, NaN or
absurd nesting. Whatever else goes wrong is told to the client by its code, or, where the mistake is
ours, by an id alone: the log has the place under that id, but neither words nor values.
"""

import asyncio
import json
import logging
import math
import re
import secrets
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Protocol, TypeAlias

import msgspec
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from schema.errors import Malformed, TooLarge, TooSlow, WrongMediaType
from service.packing import Packed, is_packed

Handler: TypeAlias = Callable[..., Awaitable[object]]
"""Takes the principal and the arguments of an operation, gives its result."""

Authenticate: TypeAlias = Callable[[HTTPConnection], object]
"""Gives the principal of a request, at once or awaited. Raises: Unauthenticated."""

JSON = "application/json"
MAX_DEPTH = 32  # of nested arrays and objects; what clients send needs 4
BODY_SECONDS = 30.0  # that a body may take to arrive
SMALL_BODY = 256 * 1024  # bytes; only a log is larger

log = logging.getLogger("service")


class Settings(Protocol):
    """What the transports need to know."""

    @property
    def max_body_bytes(self) -> int: ...


SECURITY_HEADERS: Mapping[str, str] = {
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
}


async def read_body(request: Request, limit: int) -> bytes:
    """Return the body.

    Raises:
        TooLarge: it has more than `limit` bytes; the rest is not read.
        TooSlow: it has not come within `BODY_SECONDS`.
    """
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced[:20]) > limit:
        raise _too_large(limit)
    pieces: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size > limit:
                    raise _too_large(limit)
                pieces.append(piece)
    except TimeoutError:
        raise TooSlow("the body came too slowly") from None
    return b"".join(pieces)


def _too_large(limit: int) -> TooLarge:
    return TooLarge(f"a body may have {limit} bytes here", maxBytes=limit)


def media_type(request: Request, allowed: tuple[str, ...]) -> str:
    """Return the media type of the body, in lower case.

    Raises:
        WrongMediaType: it is none of these, not UTF-8, or compressed.
    """
    name, *parameters = request.headers.get("content-type", "").lower().split(";")
    name = name.strip()
    for parameter in parameters:
        key, _, value = parameter.strip().partition("=")
        if key == "charset" and value.strip('"') not in ("utf-8", "utf8"):
            raise WrongMediaType("the body must be UTF-8")
    if name not in allowed:
        raise WrongMediaType(f"send the body as {' or '.join(allowed)}", accept=list(allowed))
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise WrongMediaType("the body must not be compressed")
    return name


def decode_text(body: bytes) -> str:
    """Return the text of a body. Raises: Malformed."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise Malformed(f"the body is not UTF-8 (byte {error.start})") from None


def decode_object(text: str) -> dict[str, object]:
    """Return the JSON object that a text holds.

    Raises:
        Malformed: it is not JSON, not an object, repeats a key, or nests too deeply.
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_unique, parse_constant=_constant, parse_float=_finite
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Malformed(f"the body is not JSON: {error.msg} ({where})") from None
    except RecursionError:
        raise _too_deep() from None
    except ValueError:  # a number with thousands of digits
        raise Malformed("the body holds a number that is too long") from None
    if not isinstance(value, dict):
        raise Malformed("the body must be a JSON object")
    if text.count("{") + text.count("[") > MAX_DEPTH:
        _check_depth(value)
    if re.search(r"\\u[dD][89a-fA-F]", text):
        _check_unicode(value)
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        faults = [{"path": key, "message": "is repeated"} for key in _repeated(pairs)]
        raise Malformed("the body repeats a key", errors=faults)
    return value


def _repeated(pairs: list[tuple[str, object]]) -> list[str]:
    """Return the first ten keys that come again; to name all of thousands would take long."""
    seen: set[str] = set()
    found: dict[str, None] = {}
    for key, _ in pairs:
        if key in seen:
            found[key[:64]] = None
            if len(found) == 10:
                break
        seen.add(key)
    return sorted(found)


def _constant(name: str) -> float:
    raise Malformed(f"the body is not JSON: {name} is no number")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise Malformed("the body holds a number that is too large")
    # To JSON Schema, 5.0 is an integer.
    return int(number) if number.is_integer() else number


def _check_depth(value: object) -> None:
    level: list[object] = [value]
    for _ in range(MAX_DEPTH + 1):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise _too_deep()


def _inside(value: object) -> Iterator[object]:
    match value:
        case dict():
            yield from value.values()
        case list():
            yield from value
        case _:
            return


def _too_deep() -> Malformed:
    return Malformed(f"the body nests more than {MAX_DEPTH} arrays and objects")


def _check_unicode(value: object) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Malformed("the body holds half of a surrogate pair") from None


def encoded(value: object) -> bytes:
    """Return a value as JSON."""
    return _ENCODER.encode(value)


_ENCODER = msgspec.json.Encoder()


def respond(
    request: HTTPConnection,
    body: bytes,
    status: int,
    media: str,
    headers: Mapping[str, str],
    pack: bool = False,
) -> Response:
    """Return an answer; one to HEAD has the headers of the body and not the body.

    `pack` lets it be compressed: see `packing.py` for what must not be.
    """
    if pack and is_packed(request, body):
        return Packed(body, status, {**SECURITY_HEADERS, **headers}, media)
    response = Response(body, status, {**SECURITY_HEADERS, **headers}, media)
    if request.scope.get("method") == "HEAD":  # a web socket has no method
        response.body = b""
    return response


def unchanged(headers: Mapping[str, str]) -> Response:
    """Return the answer that what the client holds is still so; it may name little else."""
    return Response(None, 304, headers)


def report(error: BaseException) -> str:
    """Log where a mistake of ours happened and return the id under which it stands there.

    The message of the exception may hold cards or tokens, so it is left out.
    """
    incident = secrets.token_hex(8)
    frames = traceback.extract_tb(error.__traceback__)
    places = " < ".join(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[::-1])
    log.error("%s: %s at %s", incident, type(error).__name__, places)
    return incident
