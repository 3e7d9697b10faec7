"""Processes that are killed or told to stop while clients follow a match."""

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from domain.engine.audit import audit
from domain.engine.chance import Chance
from domain.engine.events import TimeRanOut
from schema.log import read
from service.cli.connection import Connection
from tests.kit.processes import Process, running
from tests.kit.servers import running_server, short_directory
from tests.kit.service import SIGNING_KEY, Table, lay, until
from tests.service.live.serving import Follower, connected

pytestmark = pytest.mark.anyio

CHANCE = Chance("31" * 16, 0)


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory


def socket_of(process: Process) -> str:
    return f"ws://127.0.0.1:{process.port}/graphql"


async def test_a_subscriber_goes_on_elsewhere_when_its_process_is_killed(data_dir: Path) -> None:
    with running_server() as server, ExitStack() as stack:
        shared: dict[str, Any] = {"STELE_REDIS_URL": server.url, "STELE_SIGNING_KEYS": SIGNING_KEY}
        first = stack.enter_context(running(data_dir / "first", **shared))
        second = stack.enter_context(running(data_dir / "second", **shared))
        client = httpx.AsyncClient(base_url=second.url)
        table = await lay(client, 2)
        events: list[Any] = []

        async def follow(follower: Follower) -> None:
            while True:
                update = await follower.update()
                events.extend(update["events"])

        async with connected(socket_of(first), table.tokens[0]) as follower:
            await follower.subscribe(table.id, 0)
            following = asyncio.create_task(follow(follower))
            for number in range(12):
                await table.step(CHANCE)
                if number == 6:
                    assert first._process is not None
                    first._process.send_signal(signal.SIGKILL)
            with pytest.raises(ConnectionClosed):
                await following
        version = (await table.view())["version"]
        seen = events[-1]["version"]
        assert seen < version
        async with connected(socket_of(second), table.tokens[0]) as follower:
            await follower.subscribe(table.id, seen)
            events += await follower.events(version)
        page = (await table.get("/events", 0, limit=1000)).json()
        assert events == page["events"]
        await client.aclose()


async def test_turns_end_in_time_though_a_process_is_killed(data_dir: Path) -> None:
    """Nobody moves: two processes see to the clocks, then one; nothing is answered twice."""
    with running_server() as server, ExitStack() as stack:
        shared: dict[str, Any] = {"STELE_REDIS_URL": server.url, "STELE_SIGNING_KEYS": SIGNING_KEY}
        first = stack.enter_context(running(data_dir / "first", **shared))
        second = stack.enter_context(running(data_dir / "second", **shared))
        async with httpx.AsyncClient(base_url=second.url) as client:
            limit = {"seconds": 1, "then": "bot"}
            table = await lay(client, 2, game="ancient_knowledge", turnLimit=limit)

            async def turn(number: int) -> bool | None:
                await asyncio.sleep(0.05)
                return (await table.view())["board"]["turns"] >= number or None

            await until(partial(turn, 2))
            assert first._process is not None
            first._process.send_signal(signal.SIGKILL)
            await until(partial(turn, 4))
            log = read((await table.get("/log", "owner")).content)
    assert audit(log.commits()).problems == ()
    late = [entry for entry in log.entries if isinstance(entry.event, TimeRanOut)]
    assert len(late) > 3
    assert len({entry.command for entry in late}) == len(late)


async def are_open(client: httpx.AsyncClient, feeds: int) -> bool | None:
    metrics = (await client.get("/metrics")).text
    return f"stele_feeds_open {feeds}.0" in metrics or None


@pytest.mark.parametrize("workers", [1, 2])
async def test_a_process_that_stops_says_so_and_keeps_nobody_waiting(
    data_dir: Path, workers: int
) -> None:
    with running(data_dir / "d", workers=workers) as process:
        async with (
            httpx.AsyncClient(base_url=process.url, timeout=20) as client,
            connected(socket_of(process)) as quiet,
        ):
            table: Table = await lay(client, 2, visibility="public")
            version = (await table.view())["version"]
            path = f"/v1/matches/{table.id}/events?after={version}"
            async with connected(socket_of(process), table.tokens[0]) as follower:
                await follower.subscribe(table.id)
                assert (await follower.update())["view"]
                headers = {"Accept": "text/event-stream", **table.bearer(0)}
                stream = await client.send(
                    client.build_request("GET", path, headers=headers), stream=True
                )
                lines = stream.aiter_lines()
                assert await anext(lines) == "retry: 2000"
                connection = Connection(process.url)
                polling = asyncio.create_task(
                    connection.ask("GET", f"{path}&wait=30", table.bearer(1))
                )
                await until(partial(are_open, client, 4))
                began = asyncio.get_running_loop().time()
                stopping = asyncio.create_task(asyncio.to_thread(process.stop))
                for socket in (follower, quiet):
                    with pytest.raises(ConnectionClosed) as caught:
                        await socket.receive()
                    assert caught.value.rcvd is not None
                    assert caught.value.rcvd.code == 1012
                assert [line async for line in lines] == [""]
                await stream.aclose()
                answer = await polling
                assert answer.status == 200
                assert json.loads(answer.body)["events"] == []
                connection.close()
                assert await stopping == 0
                assert asyncio.get_running_loop().time() - began < 25, "less than a poll"
