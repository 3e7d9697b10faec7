"""Two processes on one store, one of which is killed while turns begin."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from tests.kit.processes import running
from tests.kit.receiver import Receiver
from tests.kit.servers import running_server, short_directory
from tests.kit.service import SIGNING_KEY, answered, lay, until

pytestmark = pytest.mark.anyio


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory


async def test_the_death_of_a_process_loses_no_notice(data_dir: Path, receiver: Receiver) -> None:
    chance = Chance("72" * 16, 0)
    with running_server() as server, ExitStack() as stack:
        shared: dict[str, Any] = {
            "STELE_REDIS_URL": server.url,
            "STELE_SIGNING_KEYS": SIGNING_KEY,
            "STELE_WEBHOOKS_ALLOW": "127.0.0.1",
        }
        first = stack.enter_context(running(data_dir / "first", **shared))
        second = stack.enter_context(running(data_dir / "second", **shared))
        async with (
            httpx.AsyncClient(base_url=first.url, timeout=30) as dying,
            httpx.AsyncClient(base_url=second.url, timeout=30) as living,
        ):
            tables = [await lay(dying, 2) for _ in range(4)]
            for table in tables:
                path = receiver.url(f"/{table.id}")
                answered(await table.post("/webhooks", {"url": path}, "owner"))
            for _ in range(6):
                await asyncio.gather(*(table.step(chance) for table in tables))
            # What was just acknowledged may be told or not, by whoever is left.
            assert first._process is not None
            first._process.send_signal(signal.SIGKILL)
            for table in tables:
                table.client = living
                await table.step(chance)
                answered(await table.post("/concede", {}, 0))

            for table in tables:
                page = answered(await table.get("/events", "owner", limit=1000))["events"]
                began = [one for one in page if one["type"] == "chrononauts.turn_started"][1:]
                expected = {(one["version"], one["data"]["seat"]) for one in began}
                assert expected
                expected.add((page[-1]["version"], None))

                async def all_told(
                    path: str = f"/{table.id}", expected: set[Any] = expected
                ) -> bool | None:
                    news = [one.body["data"] for one in receiver.of(path)]
                    found = {(one["version"], one["seat"]) for one in news}
                    assert found <= expected
                    return found == expected or None

                await until(all_told)
