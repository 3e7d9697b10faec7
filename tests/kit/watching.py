"""Feeds in this process, without a network: what arrives of them up to a version."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message

PATIENCE = 20.0
PROTOCOL = "graphql-transport-ws"


class Arrived(NamedTuple):
    """Status and headers of an answer, and all of its body that came."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


def scope_of(type: str, path: str, headers: dict[str, str], **more: Any) -> dict[str, Any]:
    """Return what a server tells an application of a request."""
    words = {"host": "stele", **headers}
    return {
        "type": type,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(name.lower().encode(), word.encode()) for name, word in words.items()],
        "client": ("127.0.0.1", 123),
        "server": ("stele", 80),
        **more,
    }


async def streamed(
    app: ASGIApp, path: str, headers: dict[str, str], version: int, **params: Any
) -> Arrived:
    """Read a stream of events until a version has come, then go."""
    request: Message | None = {"type": "http.request", "body": b"", "more_body": False}
    enough = asyncio.Event()
    pieces: list[bytes] = []
    start: Message = {}

    async def receive() -> Message:
        nonlocal request
        if request is not None:
            first, request = request, None
            return first
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
            return
        pieces.append(message["body"])
        if b'"version":%d,' % version in b"".join(pieces) or not message.get("more_body"):
            enough.set()

    query = urlencode(params).encode()
    scope = scope_of("http", path, headers, method="GET", scheme="http", query_string=query)
    async with asyncio.timeout(PATIENCE):
        await app(scope, receive, send)
    told = [(name.decode(), word.decode()) for name, word in start["headers"]]
    return Arrived(start["status"], told, b"".join(pieces))


async def subscribed(
    app: ASGIApp,
    document: str,
    variables: dict[str, Any],
    token: str | None,
    is_enough: Callable[[Any], bool],
) -> bytes:
    """Subscribe over a web socket until there has come enough, then go; all frames."""
    payload = {} if token is None else {"authorization": f"Bearer {token}"}
    asked = {"query": document, "variables": variables}
    waiting: list[Message] = [
        {"type": "websocket.connect"},
        _text({"type": "connection_init", "payload": payload}),
        _text({"type": "subscribe", "id": "1", "payload": asked}),
    ]
    enough = asyncio.Event()
    frames: list[str] = []

    async def receive() -> Message:
        if waiting:
            return waiting.pop(0)
        await enough.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            frames.append(message["text"])
            told = json.loads(message["text"])
            if told["type"] == "next" and not is_enough(told["payload"]["data"]):
                return
            if told["type"] != "connection_ack":
                enough.set()
        elif message["type"] != "websocket.accept":
            enough.set()

    scope = scope_of("websocket", "/graphql", {}, scheme="ws", subprotocols=[PROTOCOL])
    async with asyncio.timeout(PATIENCE):
        await app(scope, receive, send)
    return "\n".join(frames).encode()


def _text(message: dict[str, Any]) -> Message:
    return {"type": "websocket.receive", "text": json.dumps(message)}
