"""Windows: they close in time, once; and a standing pass looks like a person."""

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from service.bots import Bots
from service.deadlines import Deadlines
from service.matches import Matches
from service.standing import REMEMBERED, wish_of
from service.store import Deadline, EventStore, MemoryStore, StoreUnavailable
from service.tokens import Keyring
from tests.kit.service import Clock, Table, answered, lay, refused, service, until

pytestmark = pytest.mark.anyio

SEED = "7e" * 16
KEY = b"k" * 32
SOON, LATE = 800, 2_500


class Process:
    """What settles deadlines in one process of the service, without its loop."""

    def __init__(self, store: EventStore, clock: Clock) -> None:
        self.clock = clock
        self.matches = Matches(store, clock)
        keys = Keyring((KEY,))
        bots = Bots(self.matches, keys)
        seconds = (SOON / 1000, LATE / 1000)
        self.deadlines = Deadlines(self.matches, keys, seconds, {"bots": bots.due})
        self.matches.watchers += [self.deadlines]

    async def settle(self) -> int:
        """Settle everything due; return how much that was."""
        count = 0
        while settled := await self.deadlines.settle():
            count += settled
        return count


async def passed(table: Table, version: int) -> dict[str, Any]:
    """Return the view once the match has moved on from a version."""

    async def look() -> dict[str, Any] | None:
        view = await table.view()
        return None if view["version"] == version else view

    return await until(look)


async def expired(store: EventStore, match_id: str) -> int:
    """Return how many windows have closed by themselves."""
    commits = await store.load(match_id)
    return sum(b"choice.expired" in commit.events for commit in commits)


async def test_a_window_shows_when_it_closes(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, options={"windowSeconds": 7})
    assert (await table.view())["deadline"] is None
    view = await table.to_window(Chance(SEED, 0))
    opened = answered(await table.get("/events", "owner"))["events"][-1]
    assert opened["type"] == "choice.offered"
    assert view["deadline"] == opened["at"] + 7_000


async def test_no_answer_in_time_passes(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with service(memory, tmp_path, clock) as client:
        table = await lay(client, 3)
        view = await table.to_window(Chance(SEED, 0))
    asked, version = view["awaiting"], view["version"]
    assert await process.settle() == 0
    clock.now = view["deadline"] - 1
    await process.settle()
    assert await memory.last_version(table.id) == version
    clock.now += 1
    await process.settle()
    snapshot = await process.matches.newest(table.id)
    async with service(memory, tmp_path, clock) as client:
        table.client = client
        events = answered(await table.get("/events", "owner", after=version))["events"]
    assert events[0]["type"] == "choice.expired"
    assert events[0]["data"] == {"seats": asked}
    assert (events[0]["at"], events[0]["seat"]) == (clock.now, None)
    assert snapshot.match.choice != view["version"]


async def test_two_processes_close_a_window_once(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    async with service(memory, tmp_path, clock) as client:
        table = await lay(client, 2)
        view = await table.to_window(Chance(SEED, 0))
    processes = [Process(memory, clock) for _ in range(3)]
    clock.now = view["deadline"]
    await asyncio.gather(*(process.settle() for process in processes))
    assert await expired(memory, table.id) == 1


class Dying(MemoryStore):
    """A store that stops answering after some calls, as to a process that was killed."""

    calls = 10**9

    def _count(self) -> None:
        self.calls -= 1
        if self.calls < 0:
            raise StoreUnavailable("the process is dead")

    async def claim_due(self, now_ms: int, lease_ms: int, limit: int) -> tuple[Deadline, ...]:
        self._count()
        return await super().claim_due(now_ms, lease_ms, limit)

    async def get_setting(self, match_id: str, key: str) -> str | None:
        self._count()
        return await super().get_setting(match_id, key)

    async def append(
        self, match_id: str, expected: int, commit: Any, hooked: bool | None = None
    ) -> None:
        self._count()
        await super().append(match_id, expected, commit, hooked)

    async def done(self, deadline: Deadline) -> None:
        self._count()
        await super().done(deadline)


@pytest.mark.parametrize("calls", range(1, 8))
async def test_a_window_closes_wherever_a_process_dies(tmp_path: Path, calls: int) -> None:
    store, clock = Dying(), Clock()
    async with service(store, tmp_path, clock) as client:
        table = await lay(client, 2)
        view = await table.to_window(Chance(SEED, 0))
    clock.now = view["deadline"]
    store.calls = calls
    with suppress(StoreUnavailable):
        await Process(store, clock).settle()
    store.calls = 10**9
    clock.now += 60_000
    await Process(store, clock).settle()
    assert await expired(store, table.id) == 1


async def test_a_deadline_of_a_window_that_never_opened_is_dropped() -> None:
    store, clock = MemoryStore(), Clock()
    process = Process(store, clock)
    await store.schedule("nothing", f"window:9:{clock.now}", clock.now)
    assert await process.settle() == 1
    assert await store.next_due() is None


async def test_a_deadline_waits_for_an_append_under_way(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    async with service(memory, tmp_path, clock) as client:
        table = await lay(client, 2)
        version = (await table.view())["version"]
    process = Process(memory, clock)
    await memory.schedule(table.id, f"window:{version + 3}:{clock.now}", clock.now)
    await process.settle()
    due = await memory.next_due()
    assert due is not None
    assert clock.now < due <= clock.now + 2_000
    clock.now += 120_000
    await process.settle()
    assert await memory.next_due() is None


async def test_a_window_that_lost_its_deadline_gets_one_when_it_is_loaded(
    tmp_path: Path,
) -> None:
    store, clock = MemoryStore(), Clock()
    async with service(store, tmp_path, clock) as client:
        table = await lay(client, 2)
        view = await table.to_window(Chance(SEED, 0))
    for deadline in await store.claim_due(clock.now + 10**9, 1, 100):
        await store.done(deadline)
    assert await store.next_due() is None
    await Process(store, clock).matches.newest(table.id)
    assert await store.next_due() == view["deadline"] - 30_000 + SOON


async def test_a_window_of_a_position_opens_with_the_start(
    memory: EventStore, tmp_path: Path
) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with service(memory, tmp_path, clock) as client:
        table = await lay(client, 2)
        await table.to_window(Chance(SEED, 0))
        document = answered(await table.get("/position", "admin"))
        for deadline in await memory.claim_due(clock.now + 10**9, 1, 100):
            await memory.done(deadline)
        begun = await lay(client, 2, sit=False, position=document)
        await begun.sit(0)
        clock.now += 3_600_000
        await process.settle()
        view = await begun.view()
        assert (view["status"], await memory.next_due()) == ("open", None)
        await begun.sit(1)
        view = await begun.view()
        assert (view["status"], view["deadline"]) == ("running", clock.now + 30_000)
        await process.settle()
        assert (await begun.view())["version"] == view["version"]
    clock.now += 30_000
    await process.settle()
    assert await expired(memory, begun.id) == 1


async def test_a_standing_pass_answers_after_a_while(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with service(memory, tmp_path, clock) as client:
        table = await lay(client, 3)
        for seat in range(3):
            before = await table.view()
            result = answered(await table.move(seat, {"type": "respond", "standing": True}))
            assert (result["version"], result["events"]) == (before["version"], [])
        view = await table.to_window(Chance(SEED, 0))
    opened, asked = clock.now, view["awaiting"]
    clock.now = opened + SOON - 1
    await process.settle()
    assert await memory.last_version(table.id) == view["version"]
    clock.now = opened + LATE
    await process.settle()
    commits = [commit for commit in await memory.load(table.id) if commit.first > view["version"]]
    assert sorted(commit.seat for commit in commits if commit.seat is not None) == sorted(asked)
    assert all(b"choice.made" in commit.events for commit in commits)


async def test_each_standing_pass_takes_a_time_of_its_own(
    memory: EventStore, tmp_path: Path
) -> None:
    # Times are drawn by match and choice: with others two of them can be the same.
    clock = Clock()
    process = Process(memory, clock)
    async with service(memory, tmp_path, clock) as client:
        table = await lay(client, 6, commandId="a-match-of-this-test")
        for seat in range(6):
            answered(await table.move(seat, {"type": "respond", "standing": True}))
        view = await table.to_window(Chance(SEED, 0))
    opened = clock.now
    for clock.now in range(opened, opened + LATE + 1, 10):
        await process.settle()
    commits = [commit for commit in await memory.load(table.id) if commit.first > view["version"]]
    times = [commit.at - opened for commit in commits]
    assert len(set(times)) == 5
    assert all(SOON <= time <= LATE + 10 for time in times)


async def test_a_standing_pass_can_be_taken_back(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with service(memory, tmp_path, clock) as client:
        table = await lay(client, 2)
        for standing in (True, False):
            for seat in range(2):
                answered(await table.move(seat, {"type": "respond", "standing": standing}))
        view = await table.to_window(Chance(SEED, 0))
    clock.now += LATE + 1
    await process.settle()
    assert await memory.last_version(table.id) == view["version"]


async def test_standing_in_an_open_window_passes_at_once(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3)
    view = await table.to_window(Chance(SEED, 0))
    seat = view["awaiting"][0]
    body = {"type": "respond", "standing": True, "commandId": "once"}
    result = answered(await table.move(seat, body))
    assert [event["type"] for event in result["events"]] == ["choice.made"]
    assert answered(await table.move(seat, body)) == result
    illegal = {"type": "respond", "card": "no such card", "standing": True}
    other = view["awaiting"][1]
    assert refused(await table.move(other, illegal)) == (422, "illegal_move")


async def test_every_wish_is_remembered(memory: EventStore, http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)

    async def wished(standing: bool, command: str) -> httpx.Response:
        body = {"type": "respond", "standing": standing, "commandId": command}
        return await table.move(0, body)

    async def stands() -> bool:
        return (await wish_of(memory, table.id, 0)).standing

    first = answered(await wished(True, "s-1"))
    assert await stands()
    await table.step(Chance(SEED, 0))
    assert answered(await wished(False, "s-2"))["version"] > first["version"]
    assert answered(await wished(True, "s-1")) == first
    assert not await stands()
    for command in ("s-1", "s-2"):
        other = await wished(command == "s-2", command)
        assert refused(other) == (409, "command_reused")
    assert not await stands()
    for number in range(REMEMBERED):
        answered(await wished(False, f"more-{number}"))
    answered(await wished(True, "s-1"))
    assert await stands()


async def test_a_wish_is_carried_out_by_the_repeat_if_the_process_died_before(
    tmp_path: Path,
) -> None:
    class Failing(MemoryStore):
        fails = False

        async def swap_setting(
            self, match_id: str, key: str, before: str | None, after: str | None
        ) -> bool:
            if self.fails:
                raise StoreUnavailable("gone")
            return await super().swap_setting(match_id, key, before, after)

    store = Failing()
    async with service(store, tmp_path) as client:
        table = await lay(client, 2)
        view = await table.to_window(Chance(SEED, 0))
        seat = view["awaiting"][0]
        body = {"type": "respond", "standing": True, "commandId": "once"}
        store.fails = True
        assert refused(await table.move(seat, body)) == (503, "store_unavailable")
        store.fails = False
        result = answered(await table.move(seat, body))
        assert [event["type"] for event in result["events"]][:1] == ["choice.made"]
        assert (await wish_of(store, table.id, seat)).standing


async def test_a_wish_of_an_earlier_build_is_read(memory: EventStore) -> None:
    await memory.set_setting("m", "standing:1", "1")
    assert (await wish_of(memory, "m", 1)).standing
    assert not (await wish_of(memory, "m", 0)).standing


async def test_the_service_closes_windows_by_itself(tmp_path: Path) -> None:
    async with service(MemoryStore(), tmp_path) as client:
        table = await lay(client, 2, options={"windowSeconds": 1})
        view = await table.to_window(Chance(SEED, 0))
        later = await passed(table, view["version"])
        events = answered(await table.get("/events", "owner", after=view["version"]))["events"]
        assert events[0]["type"] == "choice.expired"
        assert 0 <= events[0]["at"] - view["deadline"] < 1_000
        assert later["deadline"] is None or later["deadline"] > view["deadline"]


async def test_the_service_passes_for_whoever_wishes(tmp_path: Path) -> None:
    async with service(MemoryStore(), tmp_path) as client:
        table = await lay(client, 2)
        for seat in range(2):
            answered(await table.move(seat, {"type": "respond", "standing": True}))
        view = await table.to_window(Chance(SEED, 0))
        await passed(table, view["version"])
        events = answered(await table.get("/events", "owner", after=view["version"]))["events"]
        assert events[0]["type"] == "choice.made"
        assert events[0]["seat"] == view["awaiting"][0]
