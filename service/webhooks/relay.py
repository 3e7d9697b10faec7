"""From the log to the outbox: a notice for every webhook that a commit brings news for."""

import asyncio
import logging
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from domain.engine.ids import Seat
from domain.engine.match import Place
from schema.webhooks import NewsType
from service.http import report
from service.matches import Matches
from service.store import StoreError
from service.webhooks import hooks as h
from service.webhooks.turns import News, is_told_again, news

DEADLINE: Final = "webhook"

_LEASE_MS: Final = 5_000
_AGAIN_MS: Final = 1_000
_PATIENCE_MS: Final = 60_000  # an append that has not come by then never comes
_TASKS: Final = 2

_log = logging.getLogger(__name__)


class Notice(Struct, frozen=True):
    """What is to be sent to one webhook.

    `attempts` were made; `round` counts how often it went into the outbox before.
    """

    hook: str
    game: str
    type: NewsType
    version: int
    at: int  # milliseconds since 1970: when it happened
    seat: Seat | None
    attempts: int = 0
    round: int = 0

    def words(self) -> str:
        """Return the notice as words for the outbox or a deadline."""
        seat = "" if self.seat is None else self.seat
        words = (self.hook, self.game, self.type, self.version, self.at, seat)
        return ":".join(map(str, (*words, self.attempts, self.round)))


def to_notice(words: str) -> Notice:
    """Return the notice that the words stand for."""
    hook, game, type, version, at, seat, attempts, round = words.split(":")
    return Notice(
        hook,
        game,
        "turn.started" if type == "turn.started" else "match.finished",
        int(version),
        int(at),
        int(seat) if seat else None,
        int(attempts),
        int(round),
    )


class Relay:
    """The `Alerts` of this process."""

    def __init__(self, matches: Matches, wake: Callable[[], None]) -> None:
        """Call `wake` when there is something new in the outbox."""
        self._matches = matches
        self._wake = wake
        self._queue: asyncio.Queue[tuple[str, int, int]] = asyncio.Queue()

    async def before(self, match_id: str, first: int, at: int) -> None:
        due = self._matches.clock() + _LEASE_MS
        await self._matches.store.schedule(match_id, _key(first, at), due)

    def after(self, match_id: str, first: int, at: int) -> None:
        self._queue.put_nowait((match_id, first, at))

    async def due(self, match_id: str, rest: str) -> int | None:
        """Relay what a process left behind; return when to look again, if at all."""
        first, at = map(int, rest.split(":"))
        if await self._matches.store.last_version(match_id) < first:
            now = self._matches.clock()
            return now + _AGAIN_MS if now < at + _PATIENCE_MS else None
        await self.relay(match_id, first)
        return None

    async def run(self) -> None:
        """Relay what this process has committed until cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(_TASKS):
                group.create_task(self._run())

    async def relay(self, match_id: str, first: int) -> None:
        """Put the notices of the commit that begins with version `first` into the outbox."""
        store = self._matches.store
        hooks = [one for one in await h.load(store, match_id) if one.disabled is None]
        if not hooks:
            return
        match = (self._matches.remembered(match_id) or await self._matches.newest(match_id)).match
        commits = await store.load(match_id)
        last = next((one.last for one in commits if one.first == first), 0)
        known = tuple(news(match.game, commits))
        for one in known:
            if first <= one.version <= last:
                for notice in _notices(match.game, match.places, hooks, known, one):
                    await store.outbox.put(match_id, notice.words())
        self._wake()

    async def _run(self) -> None:
        while True:
            match_id, first, at = await self._queue.get()
            try:
                await self.relay(match_id, first)
                await self._matches.store.unschedule(match_id, _key(first, at))
            except StoreError as error:
                _log.debug("a notice waits for its deadline: %s", error)
            except Exception as error:
                report(error)


def _notices(
    game: str, places: tuple[Place, ...], hooks: list[h.Hook], known: tuple[News, ...], one: News
) -> Iterator[Notice]:
    if one.seat is not None and places[one.seat].bot is not None:
        return  # nobody has to be called
    type: NewsType = "match.finished" if one.seat is None else "turn.started"
    for hook in hooks:
        is_about = one.seat is None or hook.seat in (None, one.seat)
        is_new = hook.since < one.version and not is_told_again(known, one, hook.since)
        if type in hook.events and is_about and is_new:
            yield Notice(hook.id, game, type, one.version, one.at, one.seat)


def _key(first: int, at: int) -> str:
    return f"{DEADLINE}:{first}:{at}"
