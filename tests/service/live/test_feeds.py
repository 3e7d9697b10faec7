"""Exactly once, in order, without a gap, on any process; and each thing made once only."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from domain.engine.chance import Chance
from schema import errors, subscriptions
from service import views
from service.auth import Principal
from service.failures import told
from service.live import Batch, Channel, Live
from service.matches import Matches
from service.store import (
    MISSED,
    Commit,
    EventStore,
    MemoryStore,
    Notice,
    RedisStore,
    StoreRegressed,
    StoreUnavailable,
)
from tests.kit.servers import running_server
from tests.kit.service import Table, answered, lay, pick, service
from tests.service.live.serving import (
    Follower,
    Pieces,
    Served,
    connected,
    serving,
    streaming,
    token_of,
)

pytestmark = pytest.mark.anyio

SEED = "17" * 16
SPECTATOR = Principal("anonymous")


async def played(served: Served, plies: int, **more: Any) -> Table:
    """Lay a match out and play a little."""
    table = await lay(served.client, 3, visibility="public", **more)
    chance = Chance(SEED, 0)
    for _ in range(plies):
        await table.step(chance)
    return table


async def page(table: Table, who: Any, after: int = 0) -> list[Any]:
    found: list[Any] = answered(await table.get("/events", who, after=after, limit=1000))["events"]
    return found


async def test_a_subscriber_gets_the_board_and_then_every_event(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await played(served, 3)
        async with connected(served.socket_url, table.tokens[1]) as follower:
            await follower.subscribe(table.id)
            first = await follower.update()
            assert first["view"]["viewer"] == 1
            assert first["events"] == []
            assert first["version"] == first["view"]["version"]
            chance = Chance(SEED, 1)
            for _ in range(10):
                await table.step(chance)
            version = (await table.view())["version"]
            assert await follower.events(version) == await page(table, 1, first["version"])


async def test_a_match_that_ends_shows_its_board_and_completes(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await played(served, 3)
        async with connected(served.socket_url) as follower:
            await follower.subscribe(table.id)
            start = (await follower.update())["version"]
            answered(await table.post("/concede", {}, 0))
            last = answered(await table.post("/concede", {}, 1))["version"]
            events = await follower.events(last)
            assert [event["version"] for event in events] == list(range(start + 1, last + 1))
            assert events[-1]["type"] == "match.finished"
            end = await follower.update()
            assert (end["version"], end["view"]["status"]) == (last, "finished")
            assert await follower.update() is None
            for after, expected in ((None, [last]), (last, [last]), (last - 1, [last, last])):
                await follower.subscribe(table.id, after)
                versions = []
                while (update := await follower.update()) is not None:
                    versions.append(update["version"])
                assert versions == expected


class Feed:
    """What one client has been told of a match, however often it had to come back."""

    def __init__(self, served: Served, table: Table, who: int | None, after: int) -> None:
        self.served = served
        self.table = table
        self.who = who
        self.after = after
        self.events: list[Any] = []

    @property
    def version(self) -> int:
        """The last version told."""
        return self.events[-1]["version"] if self.events else self.after

    async def come_and_go(self) -> None:
        """Subscribe for three commits, go, and come back, until the match is over."""
        token = token_of(self.table, self.who)
        while True:
            async with connected(self.served.socket_url, token) as follower:
                await follower.subscribe(self.table.id, self.version)
                for _ in range(3):
                    update = await follower.update()
                    if update is None:
                        return
                    self.events += update["events"]

    async def listen(self) -> None:
        """Read a stream until the match is over."""
        media = "application/x-ndjson"
        async with streaming(self.served, self.table, self.who, media, self.after) as stream:
            while (event := await stream.event()) is not None:
                self.events.append(event)


async def test_it_resumes_after_any_version_while_others_write(tmp_path: Path) -> None:
    """Two processes on one store: one plays, clients of both come and go."""
    with running_server() as server:
        stores = [RedisStore(server.url), RedisStore(server.url)]
        async with serving(stores[0], tmp_path) as here, serving(stores[1], tmp_path) as there:
            table = await played(here, 8)
            begun = (await table.view())["version"]
            feeds = [
                Feed(served, table, who, after)
                for served, who, after in (
                    (here, 0, 0),
                    (there, 0, 5),
                    (there, None, begun),
                    (there, 2, 1),
                    (here, 1, 3),
                    (there, 1, begun - 1),
                    (there, None, 0),
                )
            ]

            async def write() -> dict[int | None, list[Any]]:
                """Play on, and end the match when everybody has seen all of it."""
                chance = Chance(SEED, 2)
                for _ in range(25):
                    await table.step(chance)
                version = (await table.view())["version"]
                while min(feed.version for feed in feeds) < version:  # noqa: ASYNC110  # of tasks
                    await asyncio.sleep(0.01)
                pages = {who: await page(table, who) for who in (0, 1, 2, None)}
                for seat in (0, 1):
                    answered(await table.post("/concede", {}, seat))
                return pages

            reading = [feed.come_and_go() for feed in feeds[:4]]
            reading += [feed.listen() for feed in feeds[4:]]
            async with asyncio.timeout(60):
                pages, *_ = await asyncio.gather(write(), *reading)
            last = (await table.view())["version"]
            for feed in feeds:
                versions = [event["version"] for event in feed.events]
                assert versions == list(range(feed.after + 1, last + 1))
                seen = pages[feed.who][feed.after :]
                assert feed.events[: len(seen)] == seen


async def test_it_cannot_go_on_after_what_has_not_happened(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await played(served, 0)
        version = (await table.view())["version"]
        async with connected(served.socket_url) as follower:
            await follower.subscribe(table.id, version + 1)
            message = await follower.receive()
        (error,) = message["payload"]
        assert (message["type"], error["extensions"]["code"]) == ("error", "version_conflict")
        assert error["extensions"]["version"] == version


async def test_a_private_match_is_followed_with_a_token_only(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table, other = await lay(served.client), await lay(served.client)
        for token, code in ((None, "match_not_found"), (other.tokens[0], "forbidden")):
            async with connected(served.socket_url, token) as follower:
                await follower.subscribe(table.id)
                (error,) = (await follower.receive())["payload"]
                assert error["extensions"]["code"] == code
            response = await served.client.get(
                f"/v1/matches/{table.id}/events",
                headers={"Accept": "text/event-stream"}
                | ({"Authorization": f"Bearer {token}"} if token else {}),
            )
            assert response.json()["code"] == code


async def test_an_event_is_shown_and_written_once_for_all_with_the_same_eyes(
    memory: EventStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[Any] = []
    rendered: list[object] = []
    to_events, render = views.to_events, subscriptions._render

    def counting_to_events(*arguments: Any) -> Any:
        shown.append(arguments[4])
        return to_events(*arguments)

    def counting_render(*arguments: Any) -> Any:
        rendered.append(arguments)
        return render(*arguments)

    async with serving(memory, tmp_path) as served, AsyncExitStack() as stack:
        table = await played(served, 0)
        seat, version = await table.next_seat(), (await table.view())["version"]
        assert seat is not None
        move = pick(await table.legal(seat), Chance(SEED, 1))
        monkeypatch.setattr(subscriptions, "_render", counting_render)
        followers = []
        for token in (None, table.tokens[0], table.tokens[1]):
            for number in range(8):
                follower = await stack.enter_async_context(connected(served.socket_url, token))
                # How far each has come does not matter.
                after = version - number % 3
                await follower.subscribe(table.id, after)
                if after < version:
                    await follower.events(version)
                followers.append(follower)
        rendered.clear()
        monkeypatch.setattr(views, "to_events", counting_to_events)
        last = answered(await table.move(seat, move))["version"]
        for follower in followers:
            await follower.events(last)
        for first in (0, 8, 16):
            assert len({follower.frames[-1] for follower in followers[first : first + 8]}) == 1
        assert len(rendered) == 3
        # The fourth is the answer to the move.
        assert Counter(shown) == Counter([None, 0, 1, seat])


class Counting(MemoryStore):
    """A store that counts who listens to it, and who reads."""

    def __init__(self) -> None:
        super().__init__()
        self.listeners = 0
        self.loads = 0

    async def follow(self) -> AsyncGenerator[Notice, None]:
        self.listeners += 1
        async for notice in super().follow():
            yield notice

    async def load(
        self, match_id: str, after: int = 0, until: int | None = None
    ) -> tuple[Commit, ...]:
        self.loads += 1
        return await super().load(match_id, after, until)


async def test_one_reader_of_a_process_serves_all_feeds(tmp_path: Path) -> None:
    store = Counting()
    async with serving(store, tmp_path) as served, AsyncExitStack() as stack:
        table = await played(served, 0)
        version = (await table.view())["version"]
        feeds: list[Follower | Pieces] = []
        polls = []
        for seat in (0, 1, 2):
            for _ in range(4):
                follower = await stack.enter_async_context(
                    connected(served.socket_url, table.tokens[seat])
                )
                await follower.subscribe(table.id, version)
                opened = streaming(served, table, seat, after=version)
                feeds += [follower, await stack.enter_async_context(opened)]
                address = f"/v1/matches/{table.id}/events?after={version}&wait=20"
                polling = served.net.get(address, headers=table.bearer(seat))
                polls.append(asyncio.create_task(polling))
        await served.opened(36)
        mover = await table.next_seat()
        assert mover is not None
        move = pick(await table.legal(mover), Chance(SEED, 1))
        store.loads = 0
        last = answered(await table.move(mover, move))["version"]
        for feed in feeds:
            assert (await feed.events(last))[-1]["version"] == last
        for poll in polls:
            assert answered(await poll)["version"] == last
        assert store.listeners == 1
        # The channel reads once; what polls answer is a page, which each reads.
        assert store.loads <= 1 + len(polls)


class Gated(MemoryStore):
    """A store whose notices and answers a test holds back."""

    def __init__(self) -> None:
        super().__init__()
        self.notices: asyncio.Queue[Notice] = asyncio.Queue()
        self.failure: Exception | None = None
        self.loads = 0

    async def follow(self) -> AsyncGenerator[Notice, None]:
        while True:
            yield await self.notices.get()

    async def load(
        self, match_id: str, after: int = 0, until: int | None = None
    ) -> tuple[Commit, ...]:
        self.loads += 1
        if self.failure is not None:
            raise self.failure
        return await super().load(match_id, after, until)


async def gated(directory: Path) -> tuple[Gated, Matches, Live, str]:
    """Return a store with a match in it, and feeds that nobody has told anything."""
    store = Gated()
    async with service(store, directory) as client:
        table = await lay(client, 2, visibility="public")
    matches = Matches(store)
    return store, matches, Live(matches), table.id


async def grow(store: Gated, match_id: str) -> int:
    """Append a commit that only the store knows of; its last version."""
    log = store._logs[match_id]
    filler = log[-1].events
    commit = Commit(log[-1].last + 1, log[-1].count, 0, None, f"c{len(log)}", "", filler)
    await store.append(match_id, log[-1].last, commit)
    return commit.last


async def test_missed_notices_are_made_good(tmp_path: Path) -> None:
    store, matches, live, match_id = await gated(tmp_path)
    running = asyncio.create_task(live.run())
    snapshot = await matches.newest(match_id)
    follower = live.follow(snapshot, SPECTATOR, snapshot.version)
    waiting = asyncio.create_task(follower.next())
    await asyncio.sleep(0.01)
    for _ in range(3):
        last = await grow(store, match_id)
    await asyncio.sleep(0.01)
    assert not waiting.done()
    store.notices.put_nowait(MISSED)
    versions = []
    update = await asyncio.wait_for(waiting, 5)
    while True:
        assert update is not None
        versions += [event.version for event in update.value.events]
        if versions[-1] == last:
            break
        update = await asyncio.wait_for(follower.next(), 5)
    assert versions == list(range(snapshot.version + 1, last + 1))
    # What is known already is not loaded again, whatever is told, and of whatever match.
    loads = store.loads
    for notice in ((match_id, last), (match_id, 1), ("another", 1)):
        store.notices.put_nowait(notice)
    await asyncio.sleep(0.01)
    assert store.loads == loads
    follower.close()
    store.notices.put_nowait((match_id, last + 1))
    await asyncio.sleep(0.01)
    assert store.loads == loads
    running.cancel()


async def test_a_store_that_is_away_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.live._PAUSE_SECONDS", 0.01)
    store, matches, live, match_id = await gated(tmp_path)
    snapshot = await matches.newest(match_id)
    store.failure = StoreUnavailable("away")
    follower = live.follow(snapshot, SPECTATOR, snapshot.version)
    last = await grow(store, match_id)
    waiting = asyncio.create_task(follower.next())
    await asyncio.sleep(0.05)
    assert not waiting.done()
    store.failure = None
    update = await asyncio.wait_for(waiting, 5)
    assert update is not None
    assert update.value.version == last
    follower.close()


@pytest.mark.parametrize(
    ("failure", "expected"),
    [(StoreRegressed(9, 3), errors.StoreRegressed), (ZeroDivisionError(), ZeroDivisionError)],
)
async def test_a_failure_for_good_is_told_to_all(
    tmp_path: Path, failure: Exception, expected: type[Exception]
) -> None:
    store, matches, live, match_id = await gated(tmp_path)
    snapshot = await matches.newest(match_id)
    store.failure = failure
    followers = [live.follow(snapshot, SPECTATOR, snapshot.version) for _ in range(2)]
    for follower in followers:
        with pytest.raises(expected), told():
            await asyncio.wait_for(follower.next(), 5)
        await asyncio.wait_for(follower.news(), 5)
        follower.close()


async def test_those_who_resume_together_load_once(tmp_path: Path) -> None:
    store, matches, live, match_id = await gated(tmp_path)
    snapshot = await matches.newest(match_id)
    followers = [live.follow(snapshot, SPECTATOR, 0) for _ in range(50)]
    await asyncio.sleep(0.01)
    store.loads = 0
    updates = await asyncio.gather(*(follower.next() for follower in followers))
    assert store.loads == 1
    assert len({id(update) for update in updates}) == 1


async def test_a_feed_that_is_closed_ends_at_once(tmp_path: Path) -> None:
    _, matches, live, match_id = await gated(tmp_path)
    snapshot = await matches.newest(match_id)
    follower = live.follow(snapshot, SPECTATOR, snapshot.version)
    waiting = asyncio.create_task(follower.next())
    await asyncio.sleep(0.01)
    live.close()
    assert await asyncio.wait_for(waiting, 5) is None
    late = live.follow(snapshot, SPECTATOR, 0)
    assert await late.next() is None
    assert not late.finished


async def test_what_clients_think_up_does_not_fill_the_memory(tmp_path: Path) -> None:
    store, matches, _, match_id = await gated(tmp_path)
    snapshot = await matches.newest(match_id)
    (commit, *_) = await store.load(match_id)
    update = Batch(commit, snapshot.match.game).update(None, 0)
    for number in range(100):
        assert update.written(number, lambda _: b"once") == b"once"
    assert len(update._written) == 16
    channel = Channel(store, snapshot)
    for _ in range(100):
        channel._take((Commit(channel.version + 1, 1, 0, None, "c", "", b"[]"),))
        channel._show(channel.version + 1)
    assert len(channel._tail) == 32
