"""The outbox on a stream: a consumer group shares it out, and takes over what a dead consumer held.

An entry has the fields m (match id) and w (words) and leaves the stream when it is settled, so the
stream holds what is under way and nothing else.
"""

from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from typing import Any, Final

from redis.exceptions import ResponseError

from service.store.base import Parcel, StoreUnavailable
from service.store.keys import Keys
from service.store.scripts import POST, SPEND

_GROUP: Final = "pods"
_FORGET_MS: Final = 3_600_000  # a consumer that has not been heard of so long and holds nothing

Entry = tuple[bytes, dict[bytes, bytes] | None]


class RedisOutbox:
    """An `Outbox` on Redis or Valkey; `ask` and `run` send a command or a script."""

    def __init__(
        self, ask: Callable[..., Awaitable[Any]], run: Callable[..., Awaitable[Any]], keys: Keys
    ) -> None:
        self._ask = ask
        self._run = run
        self._keys = keys

    async def put(self, match_id: str, words: str, seconds: int = 2 * 24 * 3600) -> None:
        digest = sha256(f"{match_id} {words}".encode()).hexdigest()[:32]
        keys = (self._keys.outbox, self._keys.posted(digest))
        await self._run(POST, keys, seconds, match_id, words)

    async def take(self, consumer: str, limit: int) -> tuple[Parcel, ...]:
        group = ("GROUP", _GROUP, consumer, "COUNT", limit, "STREAMS", self._keys.outbox, ">")
        answer = await self._asked("XREADGROUP", *group)
        return _parcels(answer[0][1] if answer else ())

    async def take_over(self, consumer: str, idle_ms: int, limit: int) -> tuple[Parcel, ...]:
        place = (self._keys.outbox, _GROUP, consumer, idle_ms, "0", "COUNT", limit)
        answer = await self._asked("XAUTOCLAIM", *place)
        await self._forget()
        return _parcels(answer[1])

    async def settle(self, parcel: Parcel) -> None:
        # In this order nothing stays behind: what is held and not there, `take_over` lets go.
        await self._ask("XDEL", self._keys.outbox, parcel.id)
        await self._ask("XACK", self._keys.outbox, _GROUP, parcel.id)

    async def spend(self, name: str, amount: int, seconds: int) -> int:
        return int(await self._run(SPEND, (self._keys.spent(name),), amount, seconds))

    async def _asked(self, *command: str | int) -> Any:
        """Send a command of the group, which is made when it is not there yet."""
        try:
            return await self._ask(*command)
        except StoreUnavailable as error:
            if not _says(error, "NOGROUP"):
                raise
        try:
            await self._ask("XGROUP CREATE", self._keys.outbox, _GROUP, "0", "MKSTREAM")
        except StoreUnavailable as error:
            if not _says(error, "BUSYGROUP"):  # somebody else was quicker
                raise
        return await self._ask(*command)

    async def _forget(self) -> None:
        """Remove consumers that have died long ago: each start of a process makes a new one."""
        consumers: Sequence[dict[str, Any]] = await self._ask(
            "XINFO CONSUMERS", self._keys.outbox, _GROUP
        )
        for one in consumers:
            if one["pending"] == 0 and one["idle"] > _FORGET_MS:
                await self._ask("XGROUP DELCONSUMER", self._keys.outbox, _GROUP, one["name"])


def _says(error: StoreUnavailable, code: str) -> bool:
    return isinstance(error.__cause__, ResponseError) and code in str(error.__cause__)


def _parcels(entries: Sequence[Entry]) -> tuple[Parcel, ...]:
    return tuple(
        Parcel(id.decode(), fields[b"m"].decode(), fields[b"w"].decode())
        for id, fields in entries
        if fields  # None: an older server tells of what was deleted
    )
