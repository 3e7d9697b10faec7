"""The store behind Sentinel: a primary that can be lost."""

from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager

import pytest

from service.store import MISSED, Durability, RedisStore, StoreUnavailable
from tests.kit.servers import SentinelGroup, running_sentinel
from tests.service.store.commits import append_for_sure, commit, fill

pytestmark = pytest.mark.anyio


@pytest.fixture
def group() -> Iterator[SentinelGroup]:
    with running_sentinel() as group:
        yield group


@asynccontextmanager
async def opened(group: SentinelGroup, durability: Durability) -> AsyncIterator[RedisStore]:
    store = RedisStore(group.url, durability)
    try:
        yield store
    finally:
        await store.close()


async def test_replica_takes_over_without_losing_replicated_commits(group: SentinelGroup) -> None:
    async with opened(group, "replicated") as store, aclosing(store.follow()) as notices:
        assert await anext(notices) == MISSED
        await fill(store, "m", 20)
        assert [await anext(notices) for _ in range(20)] == [("m", i) for i in range(1, 21)]
        group.primary.kill()
        with pytest.raises(StoreUnavailable):
            await store.append("m", 20, commit(21))
    # The survivor has no replica, so from here on only a weaker promise can be kept.
    async with opened(group, "everysec") as store:
        await append_for_sure(store, "m", commit(21), [])
        assert [loaded.first for loaded in await store.load("m")] == list(range(1, 22))
    with group.replica.client() as client:
        assert client.info("replication")["role"] == "master"


async def test_follower_finds_the_new_primary(group: SentinelGroup) -> None:
    async with opened(group, "everysec") as store, aclosing(store.follow()) as notices:
        assert await anext(notices) == MISSED
        group.primary.kill()
        assert await anext(notices) == MISSED
        await append_for_sure(store, "m", commit(1), [])
        assert await anext(notices) == ("m", 1)


async def test_sentinel_that_is_away_is_unavailable() -> None:
    store = RedisStore("redis+sentinel://127.0.0.1:1/main")
    with pytest.raises(StoreUnavailable):
        await store.ping()
    await store.close()
