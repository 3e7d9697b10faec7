"""Who sends slowly is not waited for."""

import asyncio
from collections.abc import AsyncIterator

import pytest

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
