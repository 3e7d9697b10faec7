"""A cancellation is never lost on the way through the client, whenever it arrives."""

import asyncio

import pytest

from service.store import RedisStore
from tests.kit.servers import running_server

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("warm", [False, True])
async def test_a_task_that_is_cancelled_in_the_store_ends(warm: bool) -> None:
    with running_server() as server:
        moments = 0
        while True:
            store = RedisStore(server.url)
            if warm:
                await store.load("m")
            task = asyncio.create_task(store.load("m", 3))
            for _ in range(moments):
                await asyncio.sleep(0)
            done = task.done()
            task.cancel()
            await asyncio.wait((task,))
            await store.close()
            if done:
                break
            assert task.cancelled(), moments
            moments += 1
        assert moments > 3
