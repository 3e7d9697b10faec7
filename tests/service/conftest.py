import os
import secrets
from collections.abc import AsyncIterator
from hashlib import sha512
from pathlib import Path

import httpx
import pytest

from service.store import EventStore, MemoryStore
from tests.kit.service import service


@pytest.fixture(autouse=True)
def _deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal every match of a test alike, and the same in every run, so that none is green by luck.

    `STELE_TEST_DEALS` names other deals: to look for tests that need a lucky one.
    """
    name = f"{os.environ.get('STELE_TEST_DEALS', '')} {request.node.nodeid}"
    digits = sha512(name.encode()).hexdigest()
    monkeypatch.setattr(secrets, "token_hex", lambda size: digits[: 2 * size])


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
