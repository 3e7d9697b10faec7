"""The store on a cluster of three nodes."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager
from functools import partial

import pytest

from service.store import (
    HOOKS,
    MISSED,
    Durability,
    HookedChanged,
    RedisStore,
    StoreUnavailable,
    VersionConflict,
    lanes,
)
from tests.kit.servers import Cluster, Server, running_cluster
from tests.service.store.commits import LISTING, append_for_sure, commit, eventually, fill

pytestmark = pytest.mark.anyio

MATCHES = [f"m{i}" for i in range(12)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running_cluster(3, "--appendonly", "yes") as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def _empty(cluster: Cluster) -> None:
    for node in cluster.nodes:
        node.ask("FLUSHALL")


@asynccontextmanager
async def opened(
    cluster: Cluster, durability: Durability = "everysec"
) -> AsyncIterator[RedisStore]:
    store = RedisStore(cluster.url, durability)
    try:
        yield store
    finally:
        await store.close()


async def test_matches_live_on_all_nodes(cluster: Cluster) -> None:
    async with opened(cluster) as store:
        await asyncio.gather(*(fill(store, match_id, 20) for match_id in MATCHES))
        for match_id in MATCHES:
            assert [loaded.first for loaded in await store.load(match_id)] == list(range(1, 21))
        with pytest.raises(VersionConflict):
            await store.append("m0", 3, commit(4))
    assert {cluster.node_of(_log(match_id)).port for match_id in MATCHES} == {
        node.port for node in cluster.nodes
    }


async def test_index_settings_and_deadlines_work_across_slots(cluster: Cluster) -> None:
    async with opened(cluster) as store:
        for at, match_id in enumerate(MATCHES):
            await store.create(match_id, commit(1, at=at), LISTING)
            await store.set_setting(match_id, "seat-0", match_id)
            await store.schedule(match_id, "turn", at)
        listed = await store.matches(limit=5)
        assert [listing.match_id for listing in listed] == MATCHES[:-6:-1]
        assert [await store.get_setting(id, "seat-0") for id in MATCHES] == MATCHES
        claimed = await store.claim_due(100, 10, 100)
        assert [deadline.match_id for deadline in claimed] == MATCHES
        for deadline in claimed:
            await store.done(deadline)
        assert await store.next_due() is None


async def test_outbox_and_webhooks_work_across_slots(cluster: Cluster) -> None:
    async with opened(cluster) as store:
        for match_id in MATCHES:
            await store.append(match_id, 0, commit(1), hooked=False)
            assert await store.swap_setting(match_id, HOOKS, None, "[]")
            with pytest.raises(HookedChanged):
                await store.append(match_id, 1, commit(2), hooked=False)
            await store.append(match_id, 1, commit(2), hooked=True)
            for _ in range(2):
                await store.outbox.put(match_id, "words")
        held = await store.outbox.take("one", 5)
        held += await store.outbox.take("two", 100)
        assert [parcel.match_id for parcel in held] == MATCHES
        for parcel in await store.outbox.take_over("three", 0, 100):
            await store.outbox.settle(parcel)
        assert await store.outbox.take_over("three", 0, 100) == ()


async def test_follower_hears_of_commits_on_every_node(cluster: Cluster) -> None:
    async with opened(cluster) as store, aclosing(store.follow()) as notices:
        assert await anext(notices) == MISSED
        for match_id in MATCHES:
            await store.append(match_id, 0, commit(1))
        heard = {await anext(notices) for _ in MATCHES}
        assert heard == {(match_id, 1) for match_id in MATCHES}


@pytest.mark.parametrize("durability", ["everysec", "always"])
async def test_moved_slot_is_followed(cluster: Cluster, durability: Durability) -> None:
    async with opened(cluster, durability) as store:
        await fill(store, "m", 3)
        slot = cluster.nodes[0].ask("CLUSTER", "KEYSLOT", _log("m"))
        assert isinstance(slot, int)
        old = cluster.node_of(_log("m"))
        new = next(node for node in cluster.nodes if node is not old)
        _move(cluster, slot, old, new)
        try:
            attempts: list[int] = []
            for first in range(4, 8):
                await append_for_sure(store, "m", commit(first), attempts)
            assert [loaded.first for loaded in await store.load("m")] == list(range(1, 8))
            if durability == "everysec":
                assert attempts == [4, 5, 6, 7]
        finally:
            _move(cluster, slot, new, old)


async def test_always_waits_on_the_node_of_the_match(cluster: Cluster) -> None:
    async with opened(cluster, "always") as store:
        await asyncio.gather(*(fill(store, match_id, 2) for match_id in MATCHES))
    for node in cluster.nodes:
        with node.client() as client:
            assert client.info("commandstats")["cmdstat_waitaof"]["calls"] > 0


async def test_replicated_is_unavailable_without_replicas(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(lanes.WAITS, "replicated", ("WAIT", 1, 50))
    async with opened(cluster, "replicated") as store:
        with pytest.raises(StoreUnavailable, match="not confirmed"):
            await store.append("m", 0, commit(1))


async def test_dead_node_is_unavailable_and_comes_back(cluster: Cluster) -> None:
    async with opened(cluster) as store:
        await asyncio.gather(*(fill(store, match_id, 3) for match_id in MATCHES))
        node = cluster.node_of(_log("m0"))
        node.kill()
        with pytest.raises(StoreUnavailable):
            await store.append("m0", 3, commit(4))
        with pytest.raises(StoreUnavailable):
            await store.load("m0")
        node.start()
        for match_id in MATCHES:
            await append_for_sure(store, match_id, commit(4), [])
            assert [loaded.first for loaded in await store.load(match_id)] == [1, 2, 3, 4]
        await eventually(partial(_is_whole, store))


async def test_cluster_without_any_node_is_unavailable() -> None:
    store = RedisStore("redis+cluster://127.0.0.1:1,127.0.0.1:2")
    for call in (store.ping, partial(store.append, "m", 0, commit(1))):
        with pytest.raises(StoreUnavailable):
            await call()
    await store.close()


def _log(match_id: str) -> str:
    return f"stele:{{{match_id}}}:log"


async def _is_whole(store: RedisStore) -> bool:
    await store.ping()
    return True


def _move(cluster: Cluster, slot: int, old: Server, new: Server) -> None:
    """Move a slot with its keys, as an operator's resharding does."""
    names = {node: _text(node.ask("CLUSTER", "MYID")) for node in (old, new)}
    new.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", names[old])
    old.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", names[new])
    keys = old.ask("CLUSTER", "GETKEYSINSLOT", slot, 100)
    assert isinstance(keys, list)
    for key in keys:
        old.ask("MIGRATE", "127.0.0.1", new.port, _text(key), 0, 5_000)
    for node in (new, old, *cluster.nodes):
        node.ask("CLUSTER", "SETSLOT", slot, "NODE", names[new])


def _text(value: object) -> str:
    assert isinstance(value, bytes)
    return value.decode()
