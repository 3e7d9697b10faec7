"""Seats that the service plays."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from domain.engine.chance import Chance
from domain.engine.choices import Choice, Option, answers
from domain.engine.codec import encode
from domain.engine.decider import open_choice
from domain.engine.match import Match
from domain.engine.playout import opening, plies
from service.bots import pick
from service.store import Commit, EventStore, MemoryStore
from tests.kit.service import Clock, answered, finished, lay, service, until

pytestmark = pytest.mark.anyio

SEED = "b0" * 16
BOTS = {0: "random", 1: "greedy", 2: "random", 3: "greedy"}


async def test_bots_alone_play_to_the_end(http: httpx.AsyncClient) -> None:
    table = await lay(http, 4, BOTS, options={"turnCap": 60})
    view = await finished(table)
    assert view["outcome"] is not None


async def test_bots_alone_keep_nobody_waiting(http: httpx.AsyncClient) -> None:
    tables = [await lay(http, 4, BOTS, options={"turnCap": 30}) for _ in range(5)]
    views = [await table.view() for table in tables]
    # Each was asked while bots played: requests come in between, and no match waits for another.
    assert any(view["status"] == "running" for view in views)
    for table in tables:
        await finished(table)


async def test_a_person_plays_against_bots(http: httpx.AsyncClient) -> None:
    table = await lay(http, 4, {1: "greedy", 2: "random", 3: "greedy"}, options={"turnCap": 30})
    chance = Chance(SEED, 0)
    async with asyncio.timeout(60):
        while (await table.view())["status"] != "finished":
            if await table.next_seat() is not None:
                result = await table.step(chance)
                # The answer is the person's own: the bots come after it.
                assert result is None or {event["seat"] for event in result["events"]} == {0}
            else:
                await asyncio.sleep(0.001)


async def test_bots_go_on_in_another_process(tmp_path: Path) -> None:
    store, clock = MemoryStore(), Clock()
    async with service(store, tmp_path, clock) as client:
        table = await lay(client, 4, BOTS, options={"turnCap": 30})
    version = await store.last_version(table.id)
    due = await store.next_due()
    assert due is not None
    clock.now = due
    async with service(store, tmp_path, clock) as client:
        table.client = client
        await finished(table)
        assert await store.last_version(table.id) > version


async def test_two_processes_do_not_disturb_each_other(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path) as one, service(memory, tmp_path) as other:
        tables = [await lay(one, 4, BOTS, options={"turnCap": 20}) for _ in range(3)]
        for table in tables:
            answered(await other.get(f"/v1/matches/{table.id}", headers=table.bearer("owner")))
        for table in tables:
            await finished(table)
        for table in tables:
            commands = [commit.command for commit in await memory.load(table.id)]
            assert len(set(commands)) == len(commands)


def test_a_bot_looks_at_nothing_but_what_its_seat_sees() -> None:
    _, match = opening("chrononauts", 3, SEED)
    for kind in ("random", "greedy"):
        for number, (_, _, after) in enumerate(plies(match, SEED, limit=60)):
            if after.outcome is not None:
                break
            for seat in after.asked:
                choice = open_choice(after, seat)
                assert choice is not None
                chance = [Chance(SEED, number), Chance(SEED, number)]
                known = pick(after, choice, kind, chance[0])
                assert known == pick(blinded(after, seat), choice, kind, chance[1])


def blinded(match: Match[Any], seat: int) -> Match[Any]:
    """Return the match with other hands and piles mixed."""
    board = match.board
    seats = tuple(
        one if number == seat else replace(one, hand=tuple("P1868" for _ in one.hand))
        for number, one in enumerate(board.seats)
    )
    draw = replace(board.draw, cards=board.draw.cards[::-1])
    return replace(match, seed="00" * 16, board=replace(board, seats=seats, draw=draw))


def test_greedy_breaks_ties_by_chance_alone() -> None:
    _, match = opening("chrononauts", 2, SEED)
    options = tuple(Option(str(year)) for year in (1917, 1918, 1931))
    choice = Choice(1, 0, "artifact", options, 1, 1)
    found = {pick(match, choice, "greedy", Chance(SEED, number)) for number in range(50)}
    assert found == set(answers(choice))
    assert encode(match)


class Broken(MemoryStore):
    """A store whose next append fails in a way that nobody foresaw."""

    broken = False

    async def append(
        self, match_id: str, expected: int, commit: Commit, hooked: bool | None = None
    ) -> None:
        if self.broken:
            self.broken = False
            raise RuntimeError("a card: P1868")
        await super().append(match_id, expected, commit, hooked)


async def test_a_bot_that_fails_is_reported_and_goes_on_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store, clock = Broken(), Clock()
    async with service(store, tmp_path, clock) as client:
        table = await lay(client, 2, {0: "random", 1: "random"}, options={"turnCap": 6})
        store.broken = True
        await until(lambda: one_report(caplog))
        clock.now += 6_000
        await finished(table)
    assert "RuntimeError at " in caplog.text
    assert "P1868" not in caplog.text


async def one_report(caplog: pytest.LogCaptureFixture) -> bool | None:
    return "RuntimeError" in caplog.text or None
