"""What the outbox on a stream does beside what every outbox promises."""

import asyncio

import pytest

from service.store import RedisStore, outbox
from tests.kit.servers import Server

pytestmark = pytest.mark.anyio


async def test_consumers_that_died_long_ago_are_forgotten(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RedisStore(server.url)
    await store.outbox.put("m", "a")
    (held,) = await store.outbox.take("holds", 1)
    await store.outbox.take("gone", 1)
    monkeypatch.setattr(outbox, "_FORGET_MS", -1)
    await store.outbox.take_over("alive", 60_000, 1)
    names = server.ask("XINFO", "CONSUMERS", "stele:{outbox}:stream", "pods")
    assert "holds" in str(names)
    assert "gone" not in str(names)
    await store.outbox.settle(held)
    assert server.ask("XLEN", "stele:{outbox}:stream") == 0
    await store.close()


async def test_many_begin_at_once(server: Server) -> None:
    store = RedisStore(server.url)
    await store.outbox.put("m", "a")
    takes = await asyncio.gather(*(store.outbox.take(str(who), 1) for who in range(8)))
    assert sorted(map(len, takes)) == [0] * 7 + [1]
    await store.close()


async def test_what_a_crash_left_half_settled_comes_back_to_nobody(server: Server) -> None:
    store = RedisStore(server.url)
    await store.outbox.put("m", "a")
    (held,) = await store.outbox.take("dead", 1)
    server.ask("XDEL", "stele:{outbox}:stream", held.id)
    assert await store.outbox.take_over("alive", 0, 10) == ()
    pending = server.ask("XPENDING", "stele:{outbox}:stream", "pods")
    assert "dead" not in str(pending)
    await store.close()


async def test_a_server_that_forgot_everything_begins_anew(server: Server) -> None:
    store = RedisStore(server.url)
    assert await store.outbox.take("one", 1) == ()
    server.ask("FLUSHALL")
    await store.outbox.put("m", "a")
    assert [parcel.words for parcel in await store.outbox.take("one", 1)] == ["a"]
    await store.close()


async def test_what_is_counted_or_remembered_is_forgotten(server: Server) -> None:
    store = RedisStore(server.url)
    for _ in range(2):
        await store.outbox.spend("a", 1, 60)
    await store.outbox.put("m", "a", 30)
    await store.outbox.put("m", "b")
    keys = str(server.ask("KEYS", "*")).replace("b'", "'")
    left = sorted(
        int(str(server.ask("TTL", key))) for key in keys.strip("[]").replace("'", "").split(", ")
    )
    assert left[0] == -1  # the outbox itself
    assert 0 < left[1] <= 30 < left[2] <= 60 < 47 * 3600 < left[3] <= 48 * 3600
    await store.close()
