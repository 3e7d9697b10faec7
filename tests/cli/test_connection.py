"""The connection of the load generator: kept open, closed when the service says so."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

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

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    connection = Connection(f"http://{host}:{port}")
    try:
        yield connection, requests
    finally:
        connection.close()
        server.close()


async def test_one_connection_carries_all_requests() -> None:
    async with _answering(_KEPT) as (connection, requests):
        for _ in range(3):
            answer = await connection.ask("GET", "/")
            assert (answer.status, answer.body) == (200, b"ok")
        assert requests == [3]


async def test_it_is_opened_again_when_the_service_says_it_closes() -> None:
    async with _answering(_LAST) as (connection, requests):
        for _ in range(3):
            assert (await connection.ask("GET", "/")).body == b"ok"
        assert requests == [1, 1, 1]
