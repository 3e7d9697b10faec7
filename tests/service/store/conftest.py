import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from redis import Redis

from service.store import EmbeddedServer, EventStore, MemoryStore, RedisStore
from tests.kit.servers import Server, running_server, short_directory

GIVEN_URL = os.environ.get("STELE_TEST_REDIS_URL", "")


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory / "data"


@pytest.fixture(scope="module")
def embedded() -> Iterator[EmbeddedServer]:
    with short_directory() as directory, EmbeddedServer(directory) as server:
        yield server


@pytest.fixture
def server() -> Iterator[Server]:
    with running_server("--appendonly", "yes") as server:
        yield server


@pytest.fixture(params=["memory", "embedded", *(["given"] if GIVEN_URL else [])])
async def store(
    request: pytest.FixtureRequest, anyio_backend: str, embedded: EmbeddedServer
) -> AsyncIterator[EventStore]:
    """Each store in turn, empty."""
    if request.param == "memory":
        yield MemoryStore()
        return
    url = embedded.url if request.param == "embedded" else GIVEN_URL
    prefix = f"test-{uuid4().hex}"
    store = RedisStore(url, prefix=prefix)
    yield store
    await store.close()
    await asyncio.to_thread(forget, url, prefix)


def forget(url: str, prefix: str) -> None:
    """Remove the keys of one test from a server that is not ours."""
    if url.startswith(("redis://", "rediss://", "unix://")):
        with Redis.from_url(url) as client:
            for key in client.scan_iter(f"{prefix}:*"):
                client.delete(key)
