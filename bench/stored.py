"""Measured against a private server: loading a match that this process has not seen."""

import asyncio
import tempfile
import time
from pathlib import Path
from statistics import median

from bench.size import Size
from service.cli.playing import Plan, play
from service.matches import Matches
from service.store import Commit, EmbeddedServer, RedisStore
from service.transfer import to_commits

EVENTS = 400
_MATCHES = 4


def cold_load(size: Size) -> float:
    """Return the median time, in milliseconds, to load and fold a match of about 400 events."""
    with tempfile.TemporaryDirectory(prefix="st-") as directory:
        server = EmbeddedServer(Path(directory))
        server.start()
        try:
            return asyncio.run(_cold_load(server.url, size))
        finally:
            server.stop()


async def _cold_load(url: str, size: Size) -> float:
    store = RedisStore(url)
    try:
        for number in range(_MATCHES):
            commits = _commits(number)
            await store.create(f"m{number}", commits[0], {"visibility": "private"})
            for commit in commits[1:]:
                await store.append(f"m{number}", commit.first - 1, commit)
        times = []
        for number in range(size.loads):
            matches = Matches(store)
            began = time.perf_counter()
            await matches.newest(f"m{number % _MATCHES}")
            times.append(time.perf_counter() - began)
        return 1000 * median(times)
    finally:
        await store.close()


def _commits(number: int) -> list[Commit]:
    plan = Plan("chrononauts", 2 + number, {}, "random", 1)
    played = (play(plan, at).log for at in range(100))
    log = next(one for one in played if one.header.events > EVENTS)
    return [commit for commit in to_commits(log, "") if commit.last <= EVENTS]
