"""A thousand spectators of one match: how long an event takes to reach each, and what each costs.

The clients share a machine with the service, so they do as little as a client can: they find where
a frame ends, and note the time.
"""

import asyncio
import resource
import subprocess
import time
from random import Random
from urllib.parse import urlsplit

import msgspec

from bench.size import Size
from bench.tables import Rest, laid_out
from service.cli.connection import Connection

_DOCUMENT = (
    "subscription ($m: String!, $after: Int) { matchUpdates(matchId: $m, after: $after) "
    "{ version view { version } events { version type v at seat data } } }"
)
_AT_ONCE = 50  # connections that are being opened
_PATIENCE = 30.0
_HANDSHAKE = (
    "GET /graphql HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n"
)


class Subscriber(asyncio.Protocol):
    """A client of graphql-transport-ws that counts frames and notes when the last one came."""

    def __init__(self) -> None:
        self.frames = 0
        self.last = 0.0
        self.lost = False
        self.opened = asyncio.Event()
        self._left = b""

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True

    def data_received(self, data: bytes) -> None:
        self.last = time.perf_counter()
        data = self._left + data
        if not self.opened.is_set():
            head, end, data = data.partition(b"\r\n\r\n")
            if not end:
                self._left = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head[:200]
            self.opened.set()
        at = 0
        while (size := _frame(data, at)) and at + size <= len(data):
            self.frames += 1
            at += size
        self._left = data[at:]


def _message(value: object) -> bytes:
    """Return a message as a frame; a mask of zeros leaves it as it is."""
    body = msgspec.json.encode(value)
    return b"\x81" + bytes([0x80 | 126]) + len(body).to_bytes(2, "big") + bytes(4) + body


def _frame(data: bytes, at: int) -> int:
    """Return the size of the frame that begins there, 0 if not even that can be told."""
    if len(data) < at + 10:
        return 2 + data[at + 1] if len(data) > at + 1 and data[at + 1] < 126 else 0
    length = data[at + 1]
    if length == 126:
        return 4 + int.from_bytes(data[at + 2 : at + 4], "big")
    if length == 127:
        return 10 + int.from_bytes(data[at + 2 : at + 10], "big")
    return 2 + length


async def subscribers(url: str, size: Size, pid: int) -> dict[str, float]:
    """Return the p99 of the time from a move to its frame, and the memory of a subscriber.

    Raises:
        RuntimeError: a subscriber was lost, or did not get a frame in time.
    """
    _allow_files(size.subscribers + 200)
    connection = Connection(url)
    table = await laid_out(connection, 2, {"handVictory": 0, "paradoxLimit": 0}, "public")
    chance = Random(7)
    for _ in range(10):
        await Rest().move(connection, table, await table.answer(connection, chance))
    before = _memory(pid)
    opened = await _open(url, table.match_id, size.subscribers)
    clients = [client for _, client in opened]
    delays: list[float] = []
    for number in range(size.events):
        picks = await table.answer(connection, chance)
        sent = time.perf_counter()
        await Rest().move(connection, table, picks)
        await _received(clients, number + 3)
        delays += [client.last - sent for client in clients]
        await asyncio.sleep(0.02)
    after = _memory(pid)
    for transport, _ in opened:
        transport.abort()
    connection.close()
    delays.sort()
    p99 = delays[len(delays) * 99 // 100]
    grown = max(after - before, 0)
    return {"subscribers.p99": 1000 * p99, "subscribers.memory": grown / size.subscribers}


async def _open(url: str, match_id: str, count: int) -> list[tuple[asyncio.Transport, Subscriber]]:
    """Return subscribers that have the acknowledgement and the board."""
    parts = urlsplit(url)
    loop, gate = asyncio.get_running_loop(), asyncio.Semaphore(_AT_ONCE)

    async def one() -> tuple[asyncio.Transport, Subscriber]:
        async with gate:
            transport, client = await loop.create_connection(
                Subscriber, str(parts.hostname), parts.port or 80
            )
            transport.write(_HANDSHAKE.format(host=parts.netloc).encode())
            async with asyncio.timeout(_PATIENCE):
                await client.opened.wait()
            payload = {"query": _DOCUMENT, "variables": {"m": match_id}}
            transport.write(_message({"type": "connection_init"}))
            transport.write(_message({"type": "subscribe", "id": "1", "payload": payload}))
            await _received([client], 2)
            return transport, client

    return list(await asyncio.gather(*(one() for _ in range(count))))


async def _received(clients: list[Subscriber], frames: int) -> None:
    end = time.perf_counter() + _PATIENCE
    while any(client.frames < frames for client in clients):
        if time.perf_counter() > end or any(client.lost for client in clients):
            raise RuntimeError("a subscriber was lost, or did not get a frame in time")
        await asyncio.sleep(0.005)


def _memory(pid: int) -> float:
    """Return the resident memory of a process, in KiB."""
    asked = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, text=True, check=True
    )
    return float(asked.stdout)


def _allow_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))
