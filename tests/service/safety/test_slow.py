"""Who sends slowly, or takes nothing of an answer, is not waited for."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.types import Receive, Scope, Send

from domain.engine.chance import Chance
from service import connections
from service.store import EventStore
from tests.kit.service import lay
from tests.service.live.serving import PATIENCE, Served, serving, streaming
from tests.service.safety.raw import answers, head
from tests.service.transport.samples import Calls, client

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("address", ["/graphql", "/v1/matches"])
async def test_a_body_that_does_not_come_is_given_up(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def slow() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    monkeypatch.setattr("service.http.BODY_SECONDS", 0.05)
    async with client(Calls()) as http:
        response = await http.post(
            address, content=slow(), headers={"content-type": "application/json"}
        )
    assert response.status_code == 408
    assert "the body came too slowly" in response.text


@asynccontextmanager
async def asking(served: Served, request: bytes) -> AsyncIterator[None]:
    """Send a request on a connection with room for little, and take nothing of the answer."""
    (listener,) = served.server.servers[0].sockets
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # of connections to come
    host, _, port = served.address.partition(":")
    before = set(served.server.server_state.connections)
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect((host, int(port)))
        await connected(served, len(before) + 1)
        (new,) = served.server.server_state.connections - before
        new.transport.set_write_buffer_limits(high=1024)
        one.sendall(request)
        yield


async def connected(served: Served, count: int) -> None:
    """Wait until so many connections are open."""
    async with asyncio.timeout(PATIENCE):
        while len(served.server.server_state.connections) != count:  # noqa: ASYNC110  # none tells
            await asyncio.sleep(0.005)


async def test_who_takes_nothing_of_an_answer_is_cut(
    memory: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE_SECONDS", 0.3)
    async with (
        serving(memory, tmp_path) as served,
        asking(served, head("/v1/games/ancient_knowledge/cards")),
    ):
        await connected(served, 0)


async def test_who_takes_nothing_of_a_stream_is_cut_and_nobody_else_waits(
    memory: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "PATIENCE_SECONDS", 0.3)
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2, visibility="public", game="ancient_knowledge")
        for number in range(100):
            await table.step(Chance("slow", number))
        version = (await table.view())["version"]
        request = head(f"/v1/matches/{table.id}/events?after=0", accept="text/event-stream")
        async with streaming(served, table, None, after=version) as quick:
            async with asking(served, request):
                await served.opened(2)
                await served.opened(1)
                await connected(served, 1)
            step = await table.step(Chance("slow", 0))
            assert step is not None
            assert (await quick.events(step["version"]))[-1]["version"] == step["version"]


@pytest.mark.parametrize("address", ["/graphql", "/v1/matches"])
async def test_a_body_that_still_comes_when_the_server_stops_is_answered(
    memory: EventStore, tmp_path: Path, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    more = {"Content-Type": "application/json", "Content-Length": "100"}
    async with serving(memory, tmp_path) as served:
        served.server.config.timeout_graceful_shutdown = 0
        host, _, port = served.address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(head(address, "POST", **more) + b"{")
        await connected(served, 1)
        await under_way(served, 1)
        served.server.should_exit = True
        async with asyncio.timeout(PATIENCE):
            (answer,) = [answer async for answer in answers(reader)]
        writer.close()
    assert (answer.status, answer.code) == (503, "store_unavailable")
    assert answer.headers["retry-after"] == "1"
    assert [one.message for one in caplog.records if one.exc_info] == []


async def under_way(served: Served, count: int) -> None:
    """Wait until so many requests are answered."""
    async with asyncio.timeout(PATIENCE):
        while len(served.server.server_state.tasks) != count:  # noqa: ASYNC110  # none tells
            await asyncio.sleep(0.005)


async def test_an_answer_that_does_not_end_is_cut_when_the_server_stops(
    memory: EventStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x", "more_body": True})
        await asyncio.Event().wait()

    async with serving(memory, tmp_path) as served:
        served.app.router.default = endless
        served.server.config.timeout_graceful_shutdown = 0
        host, _, port = served.address.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(head("/endless"))
        async with asyncio.timeout(PATIENCE):
            await reader.readuntil(b"x")
            served.server.should_exit = True
            await reader.read()
        writer.close()
    assert [one.message for one in caplog.records if one.exc_info] == []
