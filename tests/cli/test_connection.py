"""The connection of the load generator: kept open, closed when the service says so."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from service.cli.connection import Connection

_KEPT = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
_LAST = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"


@asynccontextmanager
async def _answering(answer: bytes) -> AsyncIterator[tuple[Connection, list[int]]]:
    """Serve that answer to every request; the list has the requests of each connection."""
    requests: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        number = len(requests)
        requests.append(0)
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                requests[number] += 1
                writer.write(answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        connection = Connection(f"http://{host}:{port}")
        try:
            yield connection, requests
        finally:
            connection.close()


@pytest.mark.parametrize(("answer", "expected"), [(_KEPT, [3]), (_LAST, [1, 1, 1])])
def test_a_connection_lasts_as_long_as_the_service_says(answer: bytes, expected: list[int]) -> None:
    async def ask() -> list[int]:
        async with _answering(answer) as (connection, requests):
            for _ in range(3):
                got = await connection.ask("GET", "/")
                assert (got.status, got.body) == (200, b"ok")
            return requests

    assert asyncio.run(ask()) == expected
