"""The service on a real socket in this process, and clients that follow a match."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import uvicorn
import websockets
from starlette.applications import Starlette
from websockets.asyncio.client import ClientConnection
from websockets.typing import Subprotocol

from service.app import create_app
from service.bearers import Bearers
from service.connections import config
from service.matches import now_ms
from service.sockets import Limits
from service.store import EventStore
from tests.kit.service import Table, Who, settings_for

PROTOCOL = Subprotocol("graphql-transport-ws")
UPDATES = """subscription ($m: String!, $after: Int) {
  matchUpdates(matchId: $m, after: $after) {
    version
    view { version status viewer choice { id } board { __typename } }
    events { version type v at seat data }
  }
}"""
PATIENCE = 20.0


class Served(NamedTuple):
    """A running service: `client` reaches it without the network, `net` as others do."""

    client: httpx.AsyncClient
    net: httpx.AsyncClient
    address: str
    bearers: Bearers
    server: uvicorn.Server
    app: Starlette

    @property
    def socket_url(self) -> str:
        return f"ws://{self.address}/graphql"

    async def opened(self, count: int) -> None:
        """Wait until so many feeds are open."""
        async with asyncio.timeout(PATIENCE):
            while self.bearers.taken != count:  # noqa: ASYNC110  # the service tells nobody
                await asyncio.sleep(0.002)


@asynccontextmanager
async def serving(
    store: EventStore,
    directory: Path,
    bearers: Bearers | None = None,
    limits: Limits | None = None,
    clock: Callable[[], int] = now_ms,
    **more: Any,
) -> AsyncIterator[Served]:
    """Run the service on a store, as `stele serve` does, on a port of its own."""
    bearers = bearers or Bearers()
    settings = settings_for(directory, **more)
    app = create_app(settings, store, clock, bearers=bearers, limits=limits)
    server = uvicorn.Server(config(app, timeout_graceful_shutdown=5))
    # Asyncio asks a socket that is of TCP by name to send at once; others wait for the last ACK.
    with socket.socket(proto=socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(1024)
        host, port = listener.getsockname()
        running = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            while not server.started:
                await asyncio.sleep(0.002)
                assert not running.done(), running.exception()
            address = f"{host}:{port}"
            near = httpx.ASGITransport(app)
            limits_of_client = httpx.Limits(max_connections=None)
            async with (
                httpx.AsyncClient(transport=near, base_url="http://stele") as client,
                httpx.AsyncClient(
                    base_url=f"http://{address}", timeout=PATIENCE, limits=limits_of_client
                ) as net,
            ):
                yield Served(client, net, address, bearers, server, app)
        finally:
            server.should_exit = True
            await running


class Follower:
    """A client of the subscription."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []

    async def send(self, type: str, **more: Any) -> None:
        await self.socket.send(json.dumps({"type": type, **more}))

    async def receive(self) -> Any:
        async with asyncio.timeout(PATIENCE):
            frame = await self.socket.recv()
        assert isinstance(frame, str)
        self.frames.append(frame)
        return json.loads(frame)

    async def subscribe(
        self, match_id: str, after: int | None = None, id: str = "1", document: str = UPDATES
    ) -> None:
        variables = {"m": match_id, "after": after}
        await self.send("subscribe", id=id, payload={"query": document, "variables": variables})

    async def update(self) -> Any:
        """Return the next update, None if the operation is complete."""
        while (message := await self.receive())["type"] == "ping":
            await self.send("pong")
        if message["type"] == "complete":
            return None
        assert message["type"] == "next", message
        return message["payload"]["data"]["matchUpdates"]

    async def events(self, version: int) -> list[Any]:
        """Return the events up to a version; boards are left out."""
        found: list[Any] = []
        while not found or found[-1]["version"] < version:
            update = await self.update()
            assert update is not None
            found += update["events"]
        return found


@asynccontextmanager
async def connected(url: str, token: str | None = None, **more: Any) -> AsyncIterator[Follower]:
    """Open a socket, with the token in its first message.

    The client takes all that comes: one whose queue is full reads no answer to its close either,
    so that going would last ten seconds.
    """
    more = {"max_queue": None, **more}
    async with websockets.connect(url, subprotocols=[PROTOCOL], **more) as opened:
        follower = Follower(opened)
        payload = {} if token is None else {"authorization": f"Bearer {token}"}
        await follower.send("connection_init", payload=payload)
        assert await follower.receive() == {"type": "connection_ack"}
        yield follower


def token_of(table: Table, who: Who) -> str | None:
    """Return the token of a viewer."""
    header = table.bearer(who).get("Authorization")
    return None if header is None else header.removeprefix("Bearer ")


class Pieces:
    """What arrives of a stream, event by event."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self.text = ""
        self._lines = response.aiter_lines()

    async def line(self) -> str | None:
        """Return the next line, None at the end."""
        async with asyncio.timeout(PATIENCE):
            line = await anext(self._lines, None)
        self.text += f"{line}\n"
        return line

    async def event(self) -> Any:
        """Return the next event of either kind of stream, None at the end."""
        while (line := await self.line()) is not None:
            if line.startswith("data: "):
                return json.loads(line.removeprefix("data: "))
            if line.startswith("{"):
                return json.loads(line)
        return None

    async def events(self, version: int) -> list[Any]:
        """Return the events up to a version."""
        found: list[Any] = []
        while not found or found[-1]["version"] < version:
            event = await self.event()
            assert event is not None
            found.append(event)
        return found


@asynccontextmanager
async def streaming(
    served: Served,
    table: Table,
    who: Who,
    media: str = "text/event-stream",
    after: int = 0,
    seen: str | None = None,
) -> AsyncIterator[Pieces]:
    """Open a stream of events."""
    sent = {**table.bearer(who), "Accept": media}
    if seen is not None:
        sent["Last-Event-ID"] = seen
    path = f"/v1/matches/{table.id}/events"
    async with served.net.stream("GET", path, headers=sent, params={"after": after}) as response:
        yield Pieces(response)
