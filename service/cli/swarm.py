"""`stele swarm`: bots as clients play whole matches over HTTP, for figures and for endurance."""

import argparse
import asyncio
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import uvloop
from msgspec import Struct

from service.cli.connection import Connection, ConnectionLost
from service.cli.console import (
    DONE,
    NO,
    Refused,
    Subparsers,
    WrongUsage,
    add_json,
    called,
    command,
    positive,
    print_json,
    progress,
)
from service.cli.player import Failed, Player, Sample, Stopped
from service.cli.remote import add_url, checked_url
from service.terminal import complain, say

MATCHES = 20
SHOWN = 10
"""Errors that are printed; all are counted."""


class Report(Struct, frozen=True, rename="camel"):
    """What `--json` prints; `matches` counts those played to their end."""

    game: str
    matches: int
    moves: int
    seconds: float
    moves_per_second: float
    p50_ms: float = msgspec.field(name="p50Ms")
    p95_ms: float = msgspec.field(name="p95Ms")
    p99_ms: float = msgspec.field(name="p99Ms")
    errors: int


class Tally:
    """What the players report while they play."""

    def __init__(self, record: Callable[[Sample], None] | None) -> None:
        self.seconds: list[float] = []
        self.finished: list[str] = []
        self.errors: list[str] = []
        self._record = record

    def played(self, sample: Sample) -> None:
        """Take note of a move."""
        self.seconds.append(sample.seconds)
        if self._record is not None:
            self._record(sample)

    def failed(self, reason: str) -> None:
        """Take note of an error."""
        self.errors.append(reason)


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = command(
        subparsers,
        "swarm",
        "Play whole matches over HTTP, every seat of them; repeats what a restart of the service "
        "interrupts.",
        "stele swarm --url http://127.0.0.1:8000 --game chrononauts --matches 20 --concurrency 8",
        run,
    )
    add_url(parser)
    parser.add_argument("--game", default="chrononauts", help="the game (default: %(default)s)")
    parser.add_argument("--seats", type=positive, default=3, help="seats (default: %(default)s)")
    parser.add_argument(
        "--matches",
        type=positive,
        help=f"matches (default: {MATCHES}, or as many as fit into --duration)",
    )
    parser.add_argument(
        "--concurrency", type=positive, default=8, help="at a time (default: %(default)s)"
    )
    parser.add_argument("--duration", type=positive, metavar="S", help="stop after S seconds")
    parser.add_argument("--seed", type=int, default=0, help="of the bots (default: %(default)s)")
    parser.add_argument(
        "--record", type=Path, metavar="F", help="write every acknowledged move as a JSON line"
    )
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, print the report, and say no if there were errors."""
    url = checked_url(arguments.url)
    try:
        record = open(arguments.record, "wb") if arguments.record else None  # noqa: SIM115
    except OSError as error:
        raise WrongUsage(f"--record {arguments.record}: {error.strerror}") from None
    tally = Tally(_writer(record) if record else None)
    try:
        seconds = uvloop.run(_swarm(url, arguments, tally))
    finally:
        if record is not None:
            record.close()
    report = _report(arguments.game, tally, seconds)
    if arguments.json:
        print_json(report)
    else:
        _print(report, tally, url)
    for reason in tally.errors[:SHOWN]:
        complain(reason)
    return NO if tally.errors else DONE


def _writer(file: Any) -> Callable[[Sample], None]:
    def write(sample: Sample) -> None:
        file.write(msgspec.json.encode(sample) + b"\n")
        file.flush()

    return write


async def _swarm(url: str, arguments: argparse.Namespace, tally: Tally) -> float:
    await _check(url, arguments.game)
    began = time.monotonic()
    end = began + arguments.duration if arguments.duration else float("inf")
    matches = arguments.matches
    if matches is None:
        matches = None if arguments.duration else MATCHES
    numbers: Iterator[int] = iter(range(matches)) if matches is not None else count()
    setup = {"game": arguments.game, "seats": arguments.seats, "visibility": "public"}
    with progress(arguments.game, matches, arguments.json) as advance:

        async def work(worker: int) -> None:
            chance = Random(f"{arguments.seed} {worker}")
            player = Player(
                url, chance, tally.played, tally.failed, lambda: time.monotonic() >= end
            )
            await _play_all(player, setup, numbers, tally, advance, end)
            player.close()

        async with asyncio.TaskGroup() as group:
            for worker in range(arguments.concurrency):
                group.create_task(work(worker))
    return time.monotonic() - began


async def _play_all(
    player: Player,
    setup: dict[str, Any],
    numbers: Iterator[int],
    tally: Tally,
    advance: Callable[[int], None],
    end: float,
) -> None:
    for _ in numbers:
        if time.monotonic() >= end:
            return
        try:
            match_id = await player.play(setup)
        except Failed as failed:
            tally.failed(str(failed))
            continue
        except Stopped:
            return
        if match_id is not None:
            tally.finished.append(match_id)
        advance(1)


async def _check(url: str, game: str) -> None:
    """Refuse at once if nobody answers there, or nobody who knows the game."""
    connection = Connection(url)
    try:
        answer = await connection.ask("GET", f"/v1/games/{game}")
    except ConnectionLost:
        raise Refused(
            f"no service answers at {url}: start one with `stele serve` or name it with --url"
        ) from None
    finally:
        connection.close()
    if answer.status != 200:
        raise Refused(f"the service at {url} plays no {game}: name another game with --game")


def _report(game: str, tally: Tally, seconds: float) -> Report:
    return Report(
        game=game,
        matches=len(tally.finished),
        moves=len(tally.seconds),
        seconds=round(seconds, 3),
        moves_per_second=round(len(tally.seconds) / seconds, 1),
        p50_ms=percentile(tally.seconds, 50),
        p95_ms=percentile(tally.seconds, 95),
        p99_ms=percentile(tally.seconds, 99),
        errors=len(tally.errors),
    )


def percentile(seconds: list[float], percent: int) -> float:
    """Return the percentile of measured seconds, in milliseconds (0 if there are none)."""
    if not seconds:
        return 0.0
    at = min(len(seconds) - 1, len(seconds) * percent // 100)
    return round(1000 * sorted(seconds)[at], 2)


def _print(report: Report, tally: Tally, url: str) -> None:
    say(
        f"{report.game}: {report.matches:,} matches, {report.moves:,} moves in "
        f"{report.seconds:.1f} s, {report.moves_per_second:,.0f} moves/s"
    )
    say(f"p50 {report.p50_ms} ms, p95 {report.p95_ms} ms, p99 {report.p99_ms} ms")
    say(f"errors {report.errors}")
    if tally.finished:
        say(f"see one: {called()} export {tally.finished[-1]} --url {url} --out match.jsonl")
