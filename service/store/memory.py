"""The store in memory, for tests of what uses a store; it forgets everything with the process."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Mapping

from service.store.base import (
    HOOKS,
    MISSED,
    Commit,
    Deadline,
    HookedChanged,
    Listing,
    Notice,
    Parcel,
    VersionConflict,
)


class MemoryOutbox:
    """An `Outbox` for one process."""

    def __init__(self) -> None:
        self._put: set[tuple[str, str]] = set()
        self._new: list[Parcel] = []
        self._held: dict[str, tuple[Parcel, float]] = {}
        self._spent: Counter[str] = Counter()

    async def put(self, match_id: str, words: str, seconds: int = 0) -> None:
        if (match_id, words) not in self._put:
            self._put.add((match_id, words))
            self._new.append(Parcel(str(len(self._put)), match_id, words))

    async def take(self, consumer: str, limit: int) -> tuple[Parcel, ...]:
        taken, self._new = tuple(self._new[:limit]), self._new[limit:]
        return self._hold(taken)

    async def take_over(self, consumer: str, idle_ms: int, limit: int) -> tuple[Parcel, ...]:
        latest = time.monotonic() - idle_ms / 1000
        idle = [parcel for parcel, since in self._held.values() if since <= latest]
        return self._hold(tuple(idle[:limit]))

    async def settle(self, parcel: Parcel) -> None:
        self._held.pop(parcel.id, None)

    async def spend(self, name: str, amount: int, seconds: int) -> int:
        self._spent[name] += amount
        return self._spent[name]

    def _hold(self, parcels: tuple[Parcel, ...]) -> tuple[Parcel, ...]:
        self._held |= {parcel.id: (parcel, time.monotonic()) for parcel in parcels}
        return parcels


class MemoryStore:
    """An `EventStore` for one process."""

    def __init__(self) -> None:
        self.outbox = MemoryOutbox()
        self._logs: dict[str, list[Commit]] = {}
        self._index: dict[str, int] = {}
        self._listings: dict[str, dict[str, str]] = {}
        self._settings: dict[tuple[str, str], str] = {}
        self._deadlines: dict[tuple[str, str], tuple[int, bool]] = {}  # time, is it a lease
        self._followers: set[asyncio.Queue[Notice]] = set()

    async def append(
        self, match_id: str, expected: int, commit: Commit, hooked: bool | None = None
    ) -> None:
        assert commit.first == expected + 1
        assert commit.count > 0
        log = self._logs.get(match_id, [])
        current = log[-1].last if log else 0
        if current != expected:
            raise VersionConflict(current)
        if hooked not in (None, (match_id, HOOKS) in self._settings):
            raise HookedChanged("the match has got webhooks, or has none any more")
        self._logs[match_id] = [*log, commit]
        for follower in self._followers:
            follower.put_nowait((match_id, commit.first))

    async def create(self, match_id: str, commit: Commit, listing: Mapping[str, str]) -> None:
        if not listing:
            raise ValueError("a listing has at least one field")
        await self.append(match_id, 0, commit)
        self._index[match_id] = commit.at
        self._listings[match_id] = dict(listing)

    async def load(
        self, match_id: str, after: int = 0, until: int | None = None
    ) -> tuple[Commit, ...]:
        log = self._logs.get(match_id, ())
        end = until if until is not None else log[-1].last if log else 0
        return tuple(commit for commit in log if commit.last > after and commit.first <= end)

    async def last_version(self, match_id: str) -> int:
        log = self._logs.get(match_id)
        return log[-1].last if log else 0

    async def exists(self, match_id: str) -> bool:
        return match_id in self._logs

    async def matches(self, after: str | None = None, limit: int = 50) -> tuple[Listing, ...]:
        latest_first = sorted(self._index, key=lambda id: (self._index[id], id), reverse=True)
        if after is not None:
            if after not in self._index:
                return ()
            latest_first = latest_first[latest_first.index(after) + 1 :]
        return tuple(
            Listing(match_id, self._index[match_id], dict(self._listings[match_id]))
            for match_id in latest_first[:limit]
        )

    async def set_listing(self, match_id: str, listing: Mapping[str, str]) -> None:
        self._listings.setdefault(match_id, {}).update(listing)

    async def get_setting(self, match_id: str, key: str) -> str | None:
        return self._settings.get((match_id, key))

    async def set_setting(self, match_id: str, key: str, value: str | None) -> None:
        if value is None:
            self._settings.pop((match_id, key), None)
        else:
            self._settings[match_id, key] = value

    async def swap_setting(
        self, match_id: str, key: str, before: str | None, after: str | None
    ) -> bool:
        if await self.get_setting(match_id, key) != before:
            return False
        await self.set_setting(match_id, key, after)
        return True

    async def schedule(self, match_id: str, key: str, due_ms: int) -> None:
        self._deadlines[match_id, key] = (due_ms, False)

    async def unschedule(self, match_id: str, key: str) -> None:
        self._deadlines.pop((match_id, key), None)

    async def claim_due(self, now_ms: int, lease_ms: int, limit: int) -> tuple[Deadline, ...]:
        # A lease counts half a millisecond more, as in the store on Redis.
        due = sorted(
            (time + 0.5 * leased, place)
            for place, (time, leased) in self._deadlines.items()
            if time + 0.5 * leased <= now_ms
        )
        end = now_ms + lease_ms
        for _, place in due[:limit]:
            self._deadlines[place] = (end, True)
        return tuple(Deadline(match_id, key, end) for _, (match_id, key) in due[:limit])

    async def done(self, deadline: Deadline) -> None:
        place = deadline.match_id, deadline.key
        if self._deadlines.get(place) == (deadline.lease_end, True):
            del self._deadlines[place]

    async def next_due(self) -> int | None:
        return min((time + leased for time, leased in self._deadlines.values()), default=None)

    async def follow(self) -> AsyncGenerator[Notice, None]:
        queue: asyncio.Queue[Notice] = asyncio.Queue()
        self._followers.add(queue)
        try:
            yield MISSED
            while True:
                yield await queue.get()
        finally:
            self._followers.discard(queue)

    async def ping(self) -> None:
        pass

    async def close(self) -> None:
        pass
