"""Requests byte by byte, and the answers to them until the connection is closed."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from tests.service.live.serving import Served

SECONDS = 10.0


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        assert self.headers["content-type"] == "application/problem+json", self
        problem: dict[str, Any] = json.loads(self.body)
        assert problem["status"] == self.status
        return str(problem["code"])


async def sent(served: Served, *pieces: bytes, ends: bool = False) -> list[Answer]:
    """Send bytes, piece by piece, and then, if it `ends`, no more; return all answers."""
    host, _, port = served.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        for piece in pieces:
            writer.write(piece)
            await asyncio.sleep(0.01)  # so that it comes by itself
        if ends:
            writer.write_eof()
        async with asyncio.timeout(SECONDS):
            return [answer async for answer in answers(reader)]
    finally:
        writer.close()


async def answers(reader: asyncio.StreamReader) -> AsyncIterator[Answer]:
    while line := await reader.readline():
        headers: dict[str, str] = {}
        while (header := (await reader.readline()).decode().strip()) != "":
            name, _, value = header.partition(": ")
            headers[name.lower()] = value
        length = int(headers.get("content-length", 0))
        yield Answer(int(line.split()[1]), headers, await reader.readexactly(length))


def head(path: str = "/healthz", method: str = "GET", **headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in {"Host": "x", **headers}.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def handshake(path: str = "/graphql", method: str = "GET", **headers: str) -> bytes:
    usual = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Protocol": "graphql-transport-ws",
    }
    return head(path, method, **{**usual, **headers})


LAST = head(Connection="close")
