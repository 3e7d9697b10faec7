"""Turns that are limited: they end in time, once, whatever happens to processes and clocks."""

import asyncio
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from service.app import create_app
from service.clocks import KIND, Clocks
from service.deadlines import Deadlines
from service.matches import Matches
from service.store import EventStore, MemoryStore, StoreUnavailable
from service.tokens import Keyring
from tests.kit.service import (
    Clock,
    Table,
    answered,
    lay,
    pick,
    refused,
    service,
    settings_for,
    until,
)

pytestmark = pytest.mark.anyio

SEED = "7e" * 16
KEY = b"k" * 32
BOT = {"seconds": 60, "then": "bot"}
CONCEDE = {"seconds": 60, "then": "concede"}
AK: dict[str, Any] = {"game": "ancient_knowledge", "options": {"startingHands": "ready-made"}}


@pytest.fixture(autouse=True)
def _same_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every match of a test the same id."""
    numbers = count()
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: f"{next(numbers):0{size}}")


class Process:
    """What settles deadlines in one process of the service, without its loop."""

    def __init__(self, store: EventStore, clock: Clock) -> None:
        self.matches = Matches(store, clock)
        keys = Keyring((KEY,))
        self.deadlines = Deadlines(self.matches, keys, (0.8, 2.5), {})
        clocks = Clocks(self.matches, keys, self.deadlines.schedule)
        self.deadlines.settles(KIND, clocks.due)
        self.matches.watchers += [self.deadlines, clocks]

    async def settle(self) -> None:
        """Settle everything due."""
        while await self.deadlines.settle():
            pass


@asynccontextmanager
async def quiet(
    store: EventStore, directory: Path, clock: Clock
) -> AsyncIterator[httpx.AsyncClient]:
    """Run the service without what goes on beside the requests: a `Process` does that."""
    transport = httpx.ASGITransport(create_app(settings_for(directory), store, clock))
    async with httpx.AsyncClient(transport=transport, base_url="http://stele") as client:
        yield client


def seat_of(view: dict[str, Any], seat: int) -> dict[str, Any]:
    found: dict[str, Any] = view["seats"][seat]
    return found


async def ran_out(store: EventStore, match_id: str) -> int:
    """Return how often time has run out."""
    commits = await store.load(match_id)
    return sum(b"match.time_ran_out" in commit.events for commit in commits)


async def to_choice(table: Table, number: int = 0) -> dict[str, Any]:
    """Play at random until a seat has to choose on time; the view then."""
    for _ in range(100):
        view = await table.view()
        if any(seat["deadline"] for seat in view["seats"]):
            return view
        await table.step(Chance(SEED, number + view["version"]))
    raise AssertionError("nobody has to choose on time")


async def test_a_match_says_how_long_a_turn_may_take(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, turnLimit=BOT)
    view = await to_choice(table)
    assert view["turnLimit"] == BOT
    (seat,) = view["awaiting"]
    events = answered(await table.get("/events", "owner"))["events"]
    assert seat_of(view, seat)["deadline"] == events[-1]["at"] + 60_000
    assert seat_of(view, 1 - seat)["deadline"] is None
    assert view["deadline"] is None
    assert (await table.legal(seat))["deadline"] == events[-1]["at"] + 60_000
    assert (await table.legal(1 - seat))["deadline"] is None
    free = await lay(http, 2)
    view = await free.view()
    assert view["turnLimit"] is None
    assert [seat["deadline"] for seat in view["seats"]] == [None, None]


@pytest.mark.parametrize(
    "limit",
    [
        {"seconds": 0, "then": "bot"},
        {"seconds": 2_000_000, "then": "bot"},
        {"seconds": 60, "then": "sleep"},
        {"seconds": 60},
        60,
    ],
)
async def test_a_limit_that_makes_no_sense_is_refused(http: httpx.AsyncClient, limit: Any) -> None:
    body = {"game": "chrononauts", "seats": 2, "turnLimit": limit}
    response = await http.post("/v1/matches", json=body)
    assert refused(response) == (400, "malformed")
    assert all(error["path"].startswith("turnLimit") for error in response.json()["errors"])


async def test_a_bot_answers_and_the_player_comes_back(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=BOT, **AK)
        view = await to_choice(table)
        seat, version, turn = view["awaiting"][0], view["version"], view["board"]["turns"]
        clock.now = seat_of(view, seat)["deadline"] - 1
        await process.settle()
        assert (await table.view())["version"] == version
        clock.now += 1
        await process.settle()
        view = await table.view()
        # The rest of the turn goes by at once; the next seat has all its time.
        assert view["board"]["turns"] == turn + 1
        assert view["awaiting"] == [1 - seat]
        assert seat_of(view, 1 - seat)["deadline"] == clock.now + 60_000
        events = answered(await table.get("/events", seat, after=version))["events"]
        assert events[0]["type"] == "match.time_ran_out"
        assert events[0]["data"] == {"seat": seat}
        assert (events[0]["at"], events[0]["seat"]) == (clock.now, None)
        assert events[1]["type"] == "choice.made"
        assert events[1]["data"]["picks"]
        others = answered(await table.get("/events", "owner", after=version))["events"]
        assert "picks" not in others[1]["data"]
        clock.now += 60_000
        await process.settle()
        view = await table.view()
        assert view["awaiting"] == [seat]
        legal = await table.legal(seat)
        assert legal["deadline"] == clock.now + 60_000
        answered(await table.move(seat, pick(legal, Chance(SEED, 0))))


async def test_choices_of_one_turn_share_its_time(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=BOT, **AK)
        view = await to_choice(table)
        seat, turn, end = view["awaiting"][0], view["board"]["turns"], clock.now + 60_000
        seen = 0
        while view["board"]["turns"] == turn:
            if view["awaiting"] != [seat]:  # a card asks somebody else, whose time is its own
                await table.step(Chance(SEED, seen))
                view = await table.view()
                continue
            assert seat_of(view, seat)["deadline"] == end
            clock.now += 1_000
            result = await table.step(Chance(SEED, seen))
            assert result is not None
            assert result["deadline"] == (end if result["choice"] else None)
            seen += 1
            view = await table.view()
        assert seen > 1
        assert view["awaiting"] == [1 - seat]
        assert seat_of(view, 1 - seat)["deadline"] == clock.now + 60_000


async def test_each_seat_has_its_own_time(memory: EventStore, tmp_path: Path) -> None:
    """Of those who choose at the same time each one that is late is answered for."""
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 3, game="ancient_knowledge", turnLimit=BOT)
        view = await table.view()
        assert sorted(view["awaiting"]) == [0, 1, 2]
        end = clock.now + 60_000
        assert [seat["deadline"] for seat in view["seats"]] == [end] * 3
        clock.now += 1_000
        answered(await table.move(1, pick(await table.legal(1), Chance(SEED, 0))))
        view = await table.view()
        assert [seat["deadline"] for seat in view["seats"]] == [end, None, end]
        clock.now = end
        await process.settle()
        assert await ran_out(memory, table.id) == 2
        assert (await table.view())["board"]["phase"] == "actions"


async def test_windows_cost_nobody_any_time(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 3, turnLimit={"seconds": 5, "then": "concede"})
        view = await table.to_window(Chance(SEED, 0))
        version = view["version"]
        assert [seat["deadline"] for seat in view["seats"]] == [None] * 3
        for seat in view["awaiting"]:
            legal = await table.legal(seat)
            assert legal["deadline"] == view["deadline"] == clock.now + 30_000
        clock.now += 29_999
        await process.settle()
        assert (await table.view())["version"] == version
        clock.now += 1
        await process.settle()
        events = answered(await table.get("/events", "owner", after=version))["events"]
        assert events[0]["type"] == "choice.expired"
        view = await to_choice(table)
        assert seat_of(view, view["awaiting"][0])["deadline"] == clock.now + 5_000
    assert not await ran_out(memory, table.id)


async def test_a_seat_without_time_concedes(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=CONCEDE)
        view = await to_choice(table)
        clock.now += 60_000
        await process.settle()
        after = await table.view()
        assert after["status"] == "finished"
        assert after["outcome"]["winners"] == [1 - view["awaiting"][0]]
        events = answered(await table.get("/events", after=view["version"]))["events"]
        types = [event["type"] for event in events]
        assert types[:2] == ["match.time_ran_out", "match.seat_conceded"]


@pytest.mark.parametrize(
    ("then", "means"),
    [
        ("bot", "A bot answers instead, until the turn is over."),
        ("concede", "That means giving up."),
    ],
)
async def test_it_is_explained_what_time_that_runs_out_means(
    memory: EventStore, tmp_path: Path, then: str, means: str
) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit={"seconds": 60, "then": then})
        view = await to_choice(table)
        (seat,) = view["awaiting"]
        clock.now += 60_000
        await process.settle()
        said = (
            f"The time that seat {seat} had in that turn was up (limit: 60 seconds a turn). {means}"
        )
        for version in (view["version"] + 1, view["version"] + 2):
            why = answered(await table.get(f"/events/{version}/explain", "owner"))
            assert why["text"].splitlines()[-1] == said
        ja = await table.get(f"/events/{view['version'] + 1}/explain", "owner", locale="ja")
        assert "1ターン60秒" in answered(ja)["text"]
        before = answered(await table.get(f"/events/{view['version']}/explain", "owner"))
        assert "limit" not in before["text"]


async def test_a_bot_that_sits_has_no_clock(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    async with service(memory, tmp_path, clock) as client:
        table = await lay(client, 2, {0: "random", 1: "random"}, turnLimit=BOT)

        async def over() -> dict[str, Any] | None:
            view = await table.view()
            assert [seat["deadline"] for seat in view["seats"]] == [None, None]
            return view if view["outcome"] else None

        await until(over)
    assert not await ran_out(memory, table.id)


async def test_the_move_that_comes_second_is_refused(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=BOT)
        view = await to_choice(table)
        seat, version = view["awaiting"][0], view["version"]
        legal = await table.legal(seat)
        clock.now += 60_000
        # Late, but before anybody looked at the clock: the move counts.
        answered(await table.move(seat, pick(legal, Chance(SEED, 0))))
        await process.settle()
        assert not await ran_out(memory, table.id)
        view = await to_choice(table)
        seat, version = view["awaiting"][0], view["version"]
        legal = await table.legal(seat)
        choice = {"type": "choose", "choice": legal["choice"]["id"]}
        picks = [legal["choice"]["options"][0]["id"]]
        clock.now += 60_000
        await process.settle()
        assert await ran_out(memory, table.id) >= 1
        response = await table.move(seat, {**choice, "picks": picks})
        assert refused(response) in [(409, "not_your_turn"), (409, "unknown_choice")]
        body = {**choice, "picks": picks, "expectedVersion": version}
        response = await table.move(seat, body)
        assert refused(response) == (412, "version_conflict")
        assert response.json()["events"][0]["type"] == "match.time_ran_out"


async def test_two_processes_end_a_turn_once(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 3, game="ancient_knowledge", turnLimit=BOT)
    processes = [Process(memory, clock) for _ in range(3)]
    clock.now += 60_000
    # One of them holds a lease, the others look by themselves, as after it has ended.
    clocks = [Clocks(one.matches, Keyring((KEY,)), one.deadlines.schedule) for one in processes]
    snapshot = await processes[0].matches.newest(table.id)
    rest = f"{snapshot.match.choice}:{snapshot.opened_at}"
    await asyncio.gather(
        *(one.due(table.id, rest) for one in clocks), *(one.settle() for one in processes)
    )
    assert await ran_out(memory, table.id) == 3
    commits = [one for one in await memory.load(table.id) if b"time_ran_out" in one.events]
    assert len({commit.command for commit in commits}) == 3


class Dying(MemoryStore):
    """A store that stops answering after some calls, as to a process that was killed."""

    calls = 10**9

    def _count(self) -> None:
        self.calls -= 1
        if self.calls < 0:
            raise StoreUnavailable("the process is dead")

    async def claim_due(self, *arguments: Any) -> Any:
        self._count()
        return await super().claim_due(*arguments)

    async def schedule(self, *arguments: Any) -> None:
        self._count()
        await super().schedule(*arguments)

    async def append(self, *arguments: Any) -> None:
        self._count()
        await super().append(*arguments)

    async def done(self, *arguments: Any) -> None:
        self._count()
        await super().done(*arguments)


@pytest.mark.parametrize("calls", range(1, 12))
async def test_a_turn_ends_wherever_a_process_dies(tmp_path: Path, calls: int) -> None:
    store, clock = Dying(), Clock()
    async with quiet(store, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=BOT, **AK)
        view = await to_choice(table)
    turn = view["board"]["turns"]
    clock.now += 60_000
    store.calls = calls
    with suppress(StoreUnavailable):
        await Process(store, clock).settle()
    store.calls = 10**9
    clock.now += 30_000  # leases end
    process = Process(store, clock)
    await process.settle()
    snapshot = await process.matches.newest(table.id)
    while snapshot.match.board.turns == turn:
        # A card of this turn asks the other seat, which has its own time.
        assert snapshot.match.asked == (1 - view["awaiting"][0],)
        clock.now += 60_000
        await process.settle()
        snapshot = await process.matches.newest(table.id)
    assert snapshot.match.board.turns == turn + 1
    choices = [commit.command for commit in await store.load(table.id)]
    assert len(set(choices)) == len(choices)


async def test_a_clock_that_lost_its_deadline_gets_one_when_it_is_loaded(tmp_path: Path) -> None:
    store, clock = MemoryStore(), Clock()
    async with quiet(store, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=BOT)
        view = await to_choice(table)
    for deadline in await store.claim_due(clock.now + 10**9, 1, 100):
        await store.done(deadline)
    process = Process(store, clock)
    await process.matches.newest(table.id)
    await process.settle()
    assert await store.next_due() == seat_of(view, view["awaiting"][0])["deadline"]


async def test_a_far_deadline_is_looked_at_in_between(memory: EventStore, tmp_path: Path) -> None:
    """So those of choices that were answered long ago go away."""
    clock = Clock()
    process = Process(memory, clock)
    days = {"seconds": 3 * 86_400, "then": "concede"}
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=days)
        view = await to_choice(table)
    assert await memory.next_due() == clock.now + 3_600_000
    for _ in range(3 * 24 - 1):
        clock.now += 3_600_000
        await process.settle()
        assert await memory.last_version(table.id) == view["version"]
    clock.now += 3_600_000
    await process.settle()
    assert await ran_out(memory, table.id) == 1
    assert await memory.next_due() is None


async def test_a_clock_set_back_ends_no_turn_twice(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=BOT)
        view = await to_choice(table)
    clock.now += 86_400_000  # forward by a day
    await process.settle()
    first = await ran_out(memory, table.id)
    assert first >= 1
    clock.now -= 86_400_000  # and back
    await process.settle()
    snapshot = await process.matches.newest(table.id)
    assert await ran_out(memory, table.id) == first
    # Nobody loses time by it: what was opened in the future has all of it.
    assert snapshot.version > view["version"]
    assert snapshot.at == clock.now + 86_400_000


async def test_an_undo_gives_no_time_back(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=BOT, **AK)
        view = await to_choice(table)
        seat, end = view["awaiting"][0], clock.now + 60_000
        clock.now += 7_000
        answered(await table.move(seat, pick(await table.legal(seat), Chance(SEED, 3))))
        undone = answered(await table.post("/undo", {}, seat))
        assert undone["events"][-1]["type"] == "match.restored"
        view = await table.view()
        assert view["awaiting"] == [seat]
        assert seat_of(view, seat)["deadline"] == end


@pytest.mark.parametrize("then", ["bot", "concede"])
@pytest.mark.parametrize(
    "more",
    [
        {"game": "chrononauts", "options": {"courtesySwap": True, "turnCap": 25}},
        {"game": "ancient_knowledge"},
    ],
    ids=["chrononauts", "ancient_knowledge"],
)
async def test_a_match_comes_to_its_end_without_any_player(
    memory: EventStore, tmp_path: Path, more: dict[str, Any], then: str
) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 3, turnLimit={"seconds": 30, "then": then}, **more)
    for _ in range(1_000):
        due = await memory.next_due()
        if due is None:
            break
        clock.now = max(clock.now, due)
        await process.settle()
    snapshot = await process.matches.newest(table.id)
    assert snapshot.match.outcome is not None
    assert await ran_out(memory, table.id) > 1
    async with quiet(memory, tmp_path, clock) as client:
        text = (await client.get(f"/v1/matches/{table.id}/log")).text
        # A log is taken in only if it verifies from the first line to the last.
        answered(
            await client.post(
                "/v1/matches/import",
                content=text,
                headers={"content-type": "application/x-ndjson"},
            )
        )


async def test_a_match_taken_in_running_stands_still(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2, turnLimit=CONCEDE)
        await to_choice(table)
        text = (await table.get("/log", "owner")).text
        headers = {"content-type": "application/x-ndjson"}
        taken = await client.post("/v1/matches/import", content=text, headers=headers)
        copy = Table(client, answered(taken))
        clock.now += 3_600_000
        await process.settle()
        assert (await table.view())["status"] == "finished"
        view = await copy.view()
        assert (view["status"], view["turnLimit"]) == ("running", CONCEDE)
        assert [seat["deadline"] for seat in view["seats"]] == [None, None]
        fork = Table(client, answered(await copy.post("/fork", {"at": view["version"]}, "owner")))
        assert (await fork.view())["turnLimit"] is None


async def test_a_position_waits_for_its_start(memory: EventStore, tmp_path: Path) -> None:
    clock = Clock()
    process = Process(memory, clock)
    async with quiet(memory, tmp_path, clock) as client:
        table = await lay(client, 2)
        await table.step(Chance(SEED, 0))
        answered(await table.post("/concede", {}, 0))
        at = (await table.view())["version"]
        for version in range(at, 0, -1):
            document = (await table.get("/position", "owner", at=version)).json()
            if document.get("pending") and not document["conceded"]:
                break
        begun = await lay(client, 2, sit=False, position=document, turnLimit=CONCEDE)
        clock.now += 3_600_000
        await process.settle()
        view = await begun.view()
        assert (view["status"], view["seats"][0]["deadline"]) == ("open", None)
        for seat in (0, 1):
            await begun.sit(seat)
        view = await to_choice(begun)
        assert seat_of(view, view["awaiting"][0])["deadline"] == clock.now + 60_000
        clock.now += 60_000
        await process.settle()
        assert (await begun.view())["status"] == "finished"


async def test_the_service_ends_turns_by_itself(tmp_path: Path) -> None:
    async with service(MemoryStore(), tmp_path) as client:
        table = await lay(client, 2, turnLimit={"seconds": 1, "then": "concede"})

        async def over() -> dict[str, Any] | None:
            view = await table.view()
            return view if view["outcome"] else None

        await until(over)
        events = answered(await table.get("/events"))["events"]
        assert "match.time_ran_out" in [event["type"] for event in events]
