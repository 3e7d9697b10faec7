"""The store on Redis streams: one stream a match, one entry a commit.

An entry has the id `<first version>-0` and the fields n (events in it), t (time), s (seat),
c (command id), d (digest) and e (events). It is written by one script that compares the exact
last version first; see `scripts`. The client repeats no write: after a time-out nobody knows
whether it happened, and only the caller can find out, by the command id.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any, Final

from redis.exceptions import NoScriptError

from service.store.base import (
    Commit,
    Deadline,
    Durability,
    HookedChanged,
    Listing,
    Notice,
    StoreDamaged,
    StoreUnavailable,
    VersionConflict,
)
from service.store.connect import cancellable, connect, translated
from service.store.follow import notices
from service.store.keys import Keys
from service.store.lanes import WAITS, Call, Lanes
from service.store.outbox import RedisOutbox
from service.store.scripts import APPEND, CLAIM, DONE, SWAP, VERSION, Script
from service.store.seen import Seen

_PROBE_MS: Final = 60_000
_PAGE: Final = 500  # commits read at once
_READERS: Final = 32  # requests under way at once, beside the appends

Entry = tuple[bytes, dict[bytes, bytes]]


class RedisStore:
    """An `EventStore` on Redis or Valkey: single, Sentinel or cluster. Make it inside the loop."""

    def __init__(
        self, url: str, durability: Durability = "everysec", prefix: str = "stele"
    ) -> None:
        self._client, self._close = connect(url)
        self._keys = Keys(prefix)
        self._appends = Lanes(self._client, APPEND, WAITS[durability])
        self._versions = Lanes(self._client, VERSION)
        self._seen = Seen()
        self._turnstile = asyncio.Semaphore(_READERS)
        self.outbox = RedisOutbox(self._ask, self._run, self._keys)

    async def append(
        self, match_id: str, expected: int, commit: Commit, hooked: bool | None = None
    ) -> None:
        await self._append(match_id, expected, commit, {}, hooked)

    async def create(self, match_id: str, commit: Commit, listing: Mapping[str, str]) -> None:
        if not listing:
            raise ValueError("a listing has at least one field")
        # The index lives in another slot, so it is written in a step of its own, and first. A
        # crash in between leaves an index entry without a listing, which `matches` skips. The
        # other order would leave a match that no list ever shows.
        await self._ask("ZADD", self._keys.index, "NX", commit.at, match_id)
        await self._append(match_id, 0, commit, listing)

    async def load(
        self, match_id: str, after: int = 0, until: int | None = None
    ) -> tuple[Commit, ...]:
        floor = self._seen.floor(match_id)
        commits = await self._load_from(match_id, after + 1, until)
        found = commits[-1].last if commits else 0
        if after and (not commits or commits[0].first > after + 1):
            before = await self._last_commit(match_id, str(after))
            if before is not None:
                found = max(found, before.last)
                if before.last > after:
                    commits.insert(0, before)
        if until is None:
            self._seen.note(match_id, floor, found)
        return tuple(commits)

    async def last_version(self, match_id: str) -> int:
        floor = self._seen.floor(match_id)
        found = await self._versions.run((1, self._keys.log(match_id)))
        self._seen.note(match_id, floor, found)
        return found

    async def exists(self, match_id: str) -> bool:
        return await self.last_version(match_id) > 0

    async def matches(self, after: str | None = None, limit: int = 50) -> tuple[Listing, ...]:
        listings: list[Listing] = []
        while missing := limit - len(listings):
            start = 0
            if after is not None:
                rank: int | None = await self._ask("ZREVRANK", self._keys.index, after)
                if rank is None:
                    break
                start = rank + 1
            entries: Sequence[bytes] = await self._ask(
                "ZRANGE", self._keys.index, start, start + missing - 1, "REV"
            )
            listings += await self._listings([entry.decode() for entry in entries])
            if len(entries) < missing:
                break
            after = entries[-1].decode()
        return tuple(listings)

    async def set_listing(self, match_id: str, listing: Mapping[str, str]) -> None:
        await self._ask("HSET", self._keys.listing(match_id), *_to_words(listing))

    async def get_setting(self, match_id: str, key: str) -> str | None:
        value: bytes | None = await self._ask("HGET", self._keys.settings(match_id), key)
        return None if value is None else value.decode()

    async def set_setting(self, match_id: str, key: str, value: str | None) -> None:
        settings = self._keys.settings(match_id)
        if value is None:
            await self._ask("HDEL", settings, key)
        else:
            await self._ask("HSET", settings, key, value)

    async def swap_setting(
        self, match_id: str, key: str, before: str | None, after: str | None
    ) -> bool:
        words = [
            word for value in (before, after) for word in (int(value is not None), value or "")
        ]
        swapped: int = await self._run(SWAP, (self._keys.settings(match_id),), key, *words)
        return bool(swapped)

    async def schedule(self, match_id: str, key: str, due_ms: int) -> None:
        await self._ask("ZADD", self._keys.deadlines, due_ms, f"{match_id} {key}")

    async def unschedule(self, match_id: str, key: str) -> None:
        await self._ask("ZREM", self._keys.deadlines, f"{match_id} {key}")

    async def claim_due(self, now_ms: int, lease_ms: int, limit: int) -> tuple[Deadline, ...]:
        end = now_ms + lease_ms
        claimed: Sequence[bytes] = await self._run(
            CLAIM, (self._keys.deadlines,), now_ms, _lease_score(end), limit
        )
        places = (member.decode().partition(" ") for member in claimed)
        return tuple(Deadline(match_id, key, end) for match_id, _, key in places)

    async def done(self, deadline: Deadline) -> None:
        member = f"{deadline.match_id} {deadline.key}"
        await self._run(DONE, (self._keys.deadlines,), member, _lease_score(deadline.lease_end))

    async def next_due(self) -> int | None:
        first: Sequence[tuple[bytes, float]] = await self._ask(
            "ZRANGE", self._keys.deadlines, 0, 0, "WITHSCORES", withscores=True
        )
        return int(first[0][1] + 0.5) if first else None

    def follow(self) -> AsyncGenerator[Notice, None]:
        return notices(self._client, self._keys.commits)

    async def ping(self) -> None:
        await self._ask("SET", self._keys.probe, 1, "PX", _PROBE_MS)

    async def close(self) -> None:
        await self._appends.close()
        await self._versions.close()
        await self._close()

    async def _append(
        self,
        match_id: str,
        expected: int,
        commit: Commit,
        listing: Mapping[str, str],
        hooked: bool | None = None,
    ) -> None:
        assert commit.first == expected + 1
        assert commit.count > 0
        keys = [self._keys.log(match_id)]
        if listing:
            keys.append(self._keys.listing(match_id))
        elif hooked is not None:
            keys.append(self._keys.settings(match_id))
        floor = self._seen.floor(match_id)
        notice = f"{match_id} {commit.first}"
        seat = "" if commit.seat is None else commit.seat
        envelope: Call = (
            commit.count,
            commit.at,
            seat,
            commit.command,
            commit.digest,
            commit.events,
        )
        known = "" if hooked is None else int(hooked)
        guard: Call = (expected, floor, self._keys.commits, notice, known)
        found = await self._appends.run((len(keys), *keys, *guard, *envelope, *_to_words(listing)))
        if found < 0:
            raise HookedChanged("the match has got webhooks, or has none any more")
        self._seen.note(match_id, floor, found)
        if found != expected:
            raise VersionConflict(found)
        self._seen.note(match_id, floor, commit.last)

    async def _load_from(self, match_id: str, version: int, until: int | None) -> list[Commit]:
        """Return the commits whose first version is at least `version`, at most `until`."""
        commits: list[Commit] = []
        end = "+" if until is None else str(until)
        while True:
            page: Sequence[Entry] = await self._ask(
                "XRANGE", self._keys.log(match_id), f"{version}-0", end, "COUNT", _PAGE
            )
            commits += [_to_commit(match_id, entry) for entry in page]
            if len(page) < _PAGE:
                return commits
            version = commits[-1].last + 1

    async def _last_commit(self, match_id: str, end: str) -> Commit | None:
        """Return the last commit whose first version is at most `end`."""
        page: Sequence[Entry] = await self._ask(
            "XREVRANGE", self._keys.log(match_id), end, "-", "COUNT", 1
        )
        return _to_commit(match_id, page[0]) if page else None

    async def _listings(self, match_ids: Sequence[str]) -> list[Listing]:
        """Return the listings of those matches that have one."""
        if not match_ids:
            return []
        with translated():
            async with self._turnstile:
                pipeline = self._client.pipeline(transaction=False)
                for match_id in match_ids:
                    pipeline.execute_command("ZSCORE", self._keys.index, match_id)
                    pipeline.execute_command("HGETALL", self._keys.listing(match_id))
                answers = await pipeline.execute()
        return [
            Listing(match_id, int(at), {k.decode(): v.decode() for k, v in fields.items()})
            for match_id, at, fields in zip(match_ids, answers[::2], answers[1::2], strict=True)
            if fields
        ]

    async def _run(self, script: Script, keys: tuple[str, ...], *args: str | int) -> Any:
        try:
            return await self._ask("EVALSHA", script.sha, len(keys), *keys, *args)
        except StoreUnavailable as error:
            if not isinstance(error.__cause__, NoScriptError):
                raise
            return await self._ask("EVAL", script.text, len(keys), *keys, *args)

    async def _ask(self, *command: str | int, **options: bool) -> Any:
        """Send one command; what it answers, the caller knows."""
        with translated(), cancellable():
            async with self._turnstile:
                return await self._client.execute_command(*command, **options)


def _to_commit(match_id: str, entry: Entry) -> Commit:
    try:
        return _read(*entry)
    except (KeyError, ValueError) as error:
        raise StoreDamaged(match_id) from error


def _read(id: bytes, fields: dict[bytes, bytes]) -> Commit:
    seat = fields[b"s"]
    return Commit(
        first=int(id.partition(b"-")[0]),
        count=int(fields[b"n"]),
        at=int(fields[b"t"]),
        seat=int(seat) if seat else None,
        command=fields[b"c"].decode(),
        digest=fields[b"d"].decode(),
        events=fields[b"e"],
    )


def _to_words(fields: Mapping[str, str]) -> list[str]:
    return [word for field in fields.items() for word in field]


def _lease_score(end: int) -> str:
    """Return the score of a claimed deadline: never equal to one that was scheduled."""
    return f"{end}.5"
