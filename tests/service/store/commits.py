"""Commits, and waiting for things, for the tests of the store."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from service.store import Commit, EventStore, StoreUnavailable

LISTING = {"game": "toy", "status": "open"}
PATIENCE_SECONDS = 30.0


def commit(first: int, count: int = 1, command: str = "c", at: int = 1_000) -> Commit:
    events = b"[" + b",".join(b'{"n":%d}' % (first + i) for i in range(count)) + b"]"
    return Commit(first, count, at, 0, command, "d", events)


async def fill(store: EventStore, match_id: str, commits: int) -> None:
    """Append commits of one event each to an empty stream."""
    for version in range(commits):
        await store.append(match_id, version, commit(version + 1))


async def eventually(happens: Callable[[], Awaitable[bool]]) -> None:
    """Return once something happens; a store that is away just now counts as not yet."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            if await happens():
                return
        except StoreUnavailable:
            pass
        assert time.monotonic() < end, "it did not happen in time"
        await asyncio.sleep(0.01)


async def append_for_sure(
    store: EventStore, match_id: str, wanted: Commit, attempts: list[int]
) -> None:
    """Append as a service does: after doubt, look for the command id, then try again."""

    async def is_in() -> bool:
        log = await store.load(match_id, wanted.first - 1)
        if log:
            assert log[0] == wanted
            return True
        attempts.append(wanted.first)
        await store.append(match_id, wanted.first - 1, wanted)
        return True

    await eventually(is_in)
