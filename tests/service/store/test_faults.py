"""What a store does when its server dies, hangs, fills up, forgets or cannot promise."""

import asyncio
import os
import resource
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from service.store import (
    MISSED,
    Durability,
    EmbeddedServer,
    Parcel,
    RedisStore,
    StoreDamaged,
    StoreRegressed,
    StoreUnavailable,
    VersionConflict,
    lanes,
)
from service.store.seen import Seen
from tests.kit.servers import Server, running_server
from tests.service.store.commits import LISTING, append_for_sure, commit, eventually, fill

pytestmark = pytest.mark.anyio

UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)


@asynccontextmanager
async def opened(url: str, durability: Durability = "everysec") -> AsyncIterator[RedisStore]:
    store = RedisStore(url, durability)
    try:
        yield store
    finally:
        await store.close()


async def test_killed_server_keeps_every_acknowledged_append_once(data_dir: Path) -> None:
    matches, length = 16, 150
    attempts: list[int] = []

    async def play(store: RedisStore, match_id: str) -> None:
        for first in range(1, 2 * length, 2):
            await append_for_sure(store, match_id, commit(first, 2, command=str(first)), attempts)

    async def strike(server: EmbeddedServer) -> None:
        for share in (0.2, 0.4, 0.6):
            await eventually(partial(_is_at_least, attempts, share * matches * length))
            pid = server.pid
            if pid is not None:
                os.kill(pid, signal.SIGKILL)

    with EmbeddedServer(data_dir) as server:
        async with opened(server.url) as store:
            games = (play(store, f"m{i}") for i in range(matches))
            await asyncio.gather(strike(server), *games)
        async with opened(server.url) as reader:
            for i in range(matches):
                commands = [loaded.command for loaded in await reader.load(f"m{i}")]
                assert commands == [str(first) for first in range(1, 2 * length, 2)]


async def test_dead_server_is_unavailable_to_every_method(server: Server) -> None:
    async with opened(server.url) as store:
        await store.create("m", commit(1), LISTING)
        await store.schedule("m", "turn", 1)
        (deadline,) = await store.claim_due(1, 1, 1)
        server.kill()
        for call in (
            lambda: store.append("m", 1, commit(2)),
            lambda: store.create("n", commit(1), LISTING),
            lambda: store.load("m"),
            lambda: store.last_version("m"),
            lambda: store.exists("m"),
            lambda: store.matches(),
            lambda: store.set_listing("m", LISTING),
            lambda: store.get_setting("m", "k"),
            lambda: store.set_setting("m", "k", "v"),
            lambda: store.swap_setting("m", "k", None, "v"),
            lambda: store.schedule("m", "turn", 1),
            lambda: store.unschedule("m", "turn"),
            lambda: store.outbox.put("m", "w"),
            lambda: store.outbox.take("c", 1),
            lambda: store.outbox.take_over("c", 1, 1),
            lambda: store.outbox.settle(Parcel("0-1", "m", "w")),
            lambda: store.claim_due(1, 1, 1),
            lambda: store.done(deadline),
            lambda: store.next_due(),
            lambda: store.ping(),
        ):
            with pytest.raises(StoreUnavailable):
                await call()
        server.start()
        await store.append("m", 1, commit(2))
        assert [loaded.first for loaded in await store.load("m")] == [1, 2]


async def test_hanging_server_is_unavailable_after_a_while(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.connect._ANSWER_SECONDS", 0.2)
    async with opened(server.url) as store:
        await store.append("m", 0, commit(1))
        os.kill(server.pid, signal.SIGSTOP)
        doubtful = commit(2, command="doubtful")
        with pytest.raises(StoreUnavailable):
            await store.append("m", 1, doubtful)
        os.kill(server.pid, signal.SIGCONT)
        await append_for_sure(store, "m", doubtful, [])
        assert await store.load("m") == (commit(1), doubtful)


async def test_server_that_forgot_its_scripts_is_taught_again(server: Server) -> None:
    async with opened(server.url) as store:
        await fill(store, "m", 2)
        server.ask("SCRIPT", "FLUSH")
        await asyncio.gather(*(fill(store, f"n{i}", 3) for i in range(10)))
        server.ask("SCRIPT", "FLUSH")
        await store.schedule("m", "turn", 1)
        assert len(await store.claim_due(1, 1, 1)) == 1


async def test_full_memory_is_unavailable_until_there_is_room(server: Server) -> None:
    async with opened(server.url) as store:
        await store.append("m", 0, commit(1))
        server.ask("CONFIG", "SET", "maxmemory", 1)
        with pytest.raises(StoreUnavailable):
            await store.append("m", 1, commit(2))
        with pytest.raises(StoreUnavailable):
            await store.ping()
        assert await store.load("m") == (commit(1),)
        server.ask("CONFIG", "SET", "maxmemory", 0)
        await store.ping()
        await store.append("m", 1, commit(2))


async def test_damaged_entry_is_named_and_others_can_be_read(server: Server) -> None:
    async with opened(server.url) as store:
        await store.append("m", 0, commit(1))
        await store.append("n", 0, commit(1))
        server.ask("XADD", "stele:{m}:log", "2-0", "n", "x")
        with pytest.raises(StoreDamaged, match="match m cannot be read"):
            await store.load("m")
        assert await store.load("n") == (commit(1),)


@pytest.mark.parametrize("appendfsync", ["everysec", "always"])
async def test_full_disk_is_unavailable_and_loses_nothing(data_dir: Path, appendfsync: str) -> None:
    # The kernel refuses to let the file grow, as a full disk would. With `always` the server ends
    # itself then, and is started again (with the limit gone, as if there were room).
    with EmbeddedServer(data_dir, "always" if appendfsync == "always" else "everysec") as server:
        async with opened(server.url) as store:
            acknowledged: list[int] = []
            await fill_on(store, "m", 0, 3, acknowledged)
            assert server.pid is not None
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (2_000, resource.RLIM_INFINITY))
            with pytest.raises(StoreUnavailable):
                await fill_on(store, "m", 3, 1_000, acknowledged)
            if appendfsync == "everysec":
                with pytest.raises(StoreUnavailable):
                    await store.append("m", len(acknowledged), commit(len(acknowledged) + 1))
                assert len(await store.load("m")) >= len(acknowledged)
                resource.prlimit(server.pid, resource.RLIMIT_FSIZE, UNLIMITED)
            await append_for_sure(store, "m", commit(len(acknowledged) + 1), [])
            log = await store.load("m")
    with EmbeddedServer(data_dir) as server:
        async with opened(server.url) as store:
            assert await store.load("m") == log
            assert [loaded.first for loaded in log] == [*acknowledged, len(acknowledged) + 1]


async def test_read_only_server_is_unavailable(server: Server) -> None:
    with running_server("--replicaof", "127.0.0.1 1") as replica:
        async with opened(replica.url) as store:
            with pytest.raises(StoreUnavailable):
                await store.append("m", 0, commit(1))


async def test_store_that_lost_commits_is_refused(server: Server) -> None:
    async with opened(server.url) as store:
        await fill(store, "m", 3)
        shutil.copytree(server.directory / "appendonlydir", server.directory / "backup")
        await fill_on(store, "m", 3, 6, [])
        server.kill()
        shutil.rmtree(server.directory / "appendonlydir")
        shutil.move(server.directory / "backup", server.directory / "appendonlydir")
        server.start()
        await eventually(partial(_is_answering, store))
        for call in (
            lambda: store.append("m", 3, commit(4)),  # would fit, and would fork the match
            lambda: store.append("m", 6, commit(7)),
            lambda: store.load("m"),
            lambda: store.load("m", 6),
            lambda: store.load("m", 3),
            lambda: store.last_version("m"),
        ):
            with pytest.raises(StoreRegressed) as refused:
                await call()
            assert (refused.value.seen, refused.value.found) == (6, 3)
        await store.append("other", 0, commit(1))
    async with opened(server.url) as newcomer:
        assert await newcomer.last_version("m") == 3


async def test_match_that_vanished_is_refused(server: Server) -> None:
    async with opened(server.url) as store:
        await fill(store, "m", 3)
        server.ask("FLUSHALL")
        with pytest.raises(StoreRegressed):
            await store.append("m", 0, commit(1))
        with pytest.raises(StoreRegressed):
            await store.exists("m")


async def test_only_the_latest_versions_are_remembered() -> None:
    seen = Seen(capacity=2)
    for match_id in ("a", "b", "a", "c"):
        seen.note(match_id, 0, 5)
    assert [seen.floor(match_id) for match_id in ("a", "b", "c")] == [5, 0, 5]


@pytest.mark.parametrize("match_id", ["", "a b", "a{b}", "é", "x" * 65, "a\n"])
async def test_match_id_that_would_break_a_key_is_refused(server: Server, match_id: str) -> None:
    async with opened(server.url) as store:
        with pytest.raises(ValueError, match="a match id has"):
            await store.append(match_id, 0, commit(1))


async def test_overtaken_answers_are_no_regression(server: Server) -> None:
    async with opened(server.url) as store:

        async def race() -> None:
            for version in range(100):
                try:
                    await store.append("m", version, commit(version + 1))
                except VersionConflict:
                    await store.last_version("m")

        await asyncio.gather(*(race() for _ in range(20)))
        assert len(await store.load("m")) == 100


async def test_crash_between_index_and_log_shows_no_match(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def crash(*_: object) -> int:
        raise StoreUnavailable("the service died here")

    async with opened(server.url) as store:
        await store.create("before", commit(1, at=1), LISTING)
        with monkeypatch.context() as patch:
            patch.setattr(lanes.Lanes, "run", crash)
            with pytest.raises(StoreUnavailable):
                await store.create("m", commit(1, at=2), LISTING)
        await store.create("after", commit(1, at=3), LISTING)
        assert [listing.match_id for listing in await store.matches(limit=2)] == ["after", "before"]
        await store.create("m", commit(1, at=9), LISTING)
        assert [listing.match_id for listing in await store.matches()] == ["after", "m", "before"]


async def test_caller_that_gives_up_disturbs_no_other(server: Server) -> None:
    async with opened(server.url) as store:
        impatient = [asyncio.create_task(fill(store, f"m{i}", 50)) for i in range(10)]
        patient = [asyncio.create_task(fill(store, f"n{i}", 50)) for i in range(10)]
        await eventually(lambda: store.exists("m0"))
        for task in impatient:
            task.cancel()
        await asyncio.gather(*patient)
        for i in range(10):
            log = await store.load(f"m{i}")
            assert [loaded.first for loaded in log] == list(range(1, len(log) + 1))


async def test_always_waits_for_the_disk(server: Server) -> None:
    async with opened(server.url, "always") as store:
        await store.append("m", 0, commit(1))
    assert await _was_called(server, "waitaof")


async def test_always_is_unavailable_without_a_log_on_disk() -> None:
    with running_server() as forgetful:
        async with opened(forgetful.url, "always") as store:
            with pytest.raises(StoreUnavailable):
                await store.append("m", 0, commit(1))


async def test_replicated_is_unavailable_without_a_replica(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(lanes.WAITS, "replicated", ("WAIT", 1, 50))
    async with opened(server.url, "replicated") as store:
        with pytest.raises(StoreUnavailable, match="not confirmed"):
            await store.append("m", 0, commit(1))


async def test_follower_is_told_that_it_may_have_missed_something(server: Server) -> None:
    async with opened(server.url) as store, aclosing(store.follow()) as notices:
        assert await anext(notices) == MISSED
        await store.append("m", 0, commit(1))
        assert await anext(notices) == ("m", 1)
        server.kill()
        server.start()
        async with opened(server.url) as other:
            await other.append("m", 1, commit(2))
        assert await anext(notices) == MISSED
        assert await store.load("m", 1) == (commit(2),)
        await store.append("m", 2, commit(3))
        assert await anext(notices) == ("m", 3)


async def test_silent_follower_checks_its_connection(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.follow._SILENCE_SECONDS", 0.05)
    async with opened(server.url) as store, aclosing(store.follow()) as notices:
        assert await anext(notices) == MISSED
        late = asyncio.ensure_future(anext(notices))
        await eventually(partial(_was_called, server, "ping", 5))
        await store.append("m", 0, commit(1))
        assert await late == ("m", 1)
        waiting = asyncio.ensure_future(anext(notices))
        os.kill(server.pid, signal.SIGSTOP)
        await asyncio.wait([waiting], timeout=0.5)
        os.kill(server.pid, signal.SIGCONT)
        assert await waiting == MISSED


async def fill_on(
    store: RedisStore, match_id: str, start: int, end: int, acknowledged: list[int]
) -> None:
    """Append commits of one event each, noting their versions."""
    for version in range(start + 1, end + 1):
        await store.append(match_id, version - 1, commit(version))
        acknowledged.append(version)


async def _is_answering(store: RedisStore) -> bool:
    await store.exists("another")
    return True


async def _is_at_least(values: list[int], wanted: float) -> bool:
    return len(values) >= wanted


async def _was_called(server: Server, command: str, times: int = 1) -> bool:
    with server.client() as client:
        calls: int = client.info("commandstats").get(f"cmdstat_{command}", {}).get("calls", 0)
    return calls >= times
