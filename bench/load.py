"""The load generator: `python -m bench.load URL WHAT SIZE PID` prints figures as JSON.

It knows what it may answer from what moves answer, so that hardly a request is not a move: two
seats, and whoever passes on the other's play is the next to play. Only moves are timed.
"""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from random import Random
from statistics import median

import msgspec
import uvloop

from bench.size import Size
from bench.subscribers import subscribers
from bench.tables import Graphql, Rest, Table, Transport, laid_out
from service.cli.connection import Connection

_TURNS = "discard:"


async def moves(url: str, transport: Transport, size: Size, name: str) -> dict[str, float]:
    """Return rate and p99 of moves in `size.matches` matches at a time."""
    times: list[float] = []
    total = 0
    began = time.perf_counter()
    start, end = began + size.warm_up, began + size.warm_up + size.seconds

    async def play(number: int) -> None:
        nonlocal total
        chance, connection = Random(number), Connection(url)
        while time.perf_counter() < end:
            table = await laid_out(connection, 2)
            while not table.over and time.perf_counter() < end:
                picks = await table.answer(connection, chance)
                sent = time.perf_counter()
                await transport.move(connection, table, picks)
                now = time.perf_counter()
                total += 1
                if start <= sent and now <= end:
                    times.append(now - sent)
        connection.close()

    await asyncio.gather(*(play(number) for number in range(size.matches)))
    rate = len(times) / size.seconds
    return {f"{name}.rate": rate, f"{name}.p99": 1000 * percentile(times, 99), "decisions": total}


async def views(url: str, size: Size) -> dict[str, float]:
    """Return rates of reading boards: four seats, played for a while."""
    chance, connection = Random(0), Connection(url)
    tables = []
    for _ in range(size.matches):
        table = await laid_out(connection, 4)
        for _ in range(40):
            if not table.over:
                picks = await table.answer(connection, chance)
                await Rest().move(connection, table, picks)
        tables.append(table)
    connection.close()
    kinds: dict[str, Callable[[Table, Connection], Awaitable[None]]] = {
        "view.graphql": lambda table, one: table.view_graphql(one),
        "view.rest": lambda table, one: table.view(one),
        "view.unchanged": lambda table, one: table.view_unchanged(one),
    }
    return {name: await _rate(url, tables, read, size) for name, read in kinds.items()}


async def _rate(
    url: str,
    tables: list[Table],
    read: Callable[[Table, Connection], Awaitable[None]],
    size: Size,
) -> float:
    count = 0
    end = time.perf_counter() + size.queries

    async def repeat(table: Table) -> None:
        nonlocal count
        connection = Connection(url)
        while time.perf_counter() < end:
            await read(table, connection)
            count += 1
        connection.close()

    await asyncio.gather(*(repeat(table) for table in tables))
    return count / size.queries


async def growth(url: str, size: Size) -> dict[str, float]:
    """Return how much longer a move takes in an old match than in a young one.

    All matches play the same turns, a discard and a pass, so that only their age differs; moves of
    old and young ones alternate.
    """
    connection = Connection(url)
    endless = {"handVictory": 0, "paradoxLimit": 0}

    async def turn(table: Table) -> float:
        """Return the seconds of the discard that begins a turn; get the turn over with."""
        picks = await table.answer(connection, None, _TURNS)
        sent = time.perf_counter()
        await Rest().move(connection, table, picks)
        seconds = time.perf_counter() - sent
        seat = table.seat
        while table.seat == seat:
            await Rest().move(connection, table, await table.answer(connection, None, "never"))
        return seconds

    old = [await laid_out(connection, 2, endless) for _ in range(size.old_matches)]
    for table in old:
        while table.version < size.old_version:
            await turn(table)
    ages: tuple[list[float], list[float]] = ([], [])
    young: Table | None = None
    for number in range(size.pairs):
        if young is None or young.version > 60:
            young = await laid_out(connection, 2, endless)
        for times, table in zip(ages, (young, old[number % len(old)]), strict=True):
            times.append(await turn(table))
    connection.close()
    return {"growth": median(ages[1]) / median(ages[0])}


def percentile(times: list[float], percent: int) -> float:
    """Return the percentile of the times, 0 if there are none."""
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)] if times else 0.0


async def _run(url: str, what: str, size: Size, pid: int) -> dict[str, float]:
    match what:
        case "rest":
            return await moves(url, Rest(), size, what)
        case "graphql":
            return await moves(url, Graphql(), size, what)
        case "views":
            return await views(url, size)
        case "growth":
            return await growth(url, size)
        case "subscribers":
            return await subscribers(url, size, pid)
        case _:
            raise SystemExit(f"there is no load {what}")


if __name__ == "__main__":
    address, load, text, pid = sys.argv[1:5]
    size = msgspec.json.decode(text, type=Size)
    figures = uvloop.run(_run(address, load, size, int(pid)))
    print(msgspec.json.encode(figures).decode())
