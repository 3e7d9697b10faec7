from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from service.store import EventStore, MemoryStore
from tests.kit.service import service


@pytest.fixture
def memory() -> EventStore:
    return MemoryStore()


@pytest.fixture
async def http(
    anyio_backend: str, memory: EventStore, tmp_path: Path
) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the service on a store in memory."""
    async with service(memory, tmp_path) as client:
        yield client
