"""Windows that close by themselves, and seats that pass without being asked.

Theory of operation. When a window opens, one deadline for it goes into the store *before* the
commit that opens it: `window:<choice>:<time>`. If that commit comes to nothing, the deadline finds
no window and is dropped. Any process may find a deadline due; the store gives it to one, for the
time of a lease, and gives it to another if the first has not settled it by then. What is to be done
then follows from the match and the clock alone, so doing it twice is harmless:

- A seat with a *standing pass* gives its answer after a delay of its own, drawn uniformly, known
  only to the service and the same for whoever computes it. Whether others have answered makes no
  difference, so it looks like a person who thinks for a moment. The wish for it stands in no event
  (see `standing`), and the pass itself is an ordinary command.
- When the time of the window is up, whoever has not answered has passed: `ExpireChoice`.

Until then the deadline is moved to the next of these moments. The deadline `bots` is a sign of life
(see `bots`).
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from domain.engine.agenda import Run
from domain.engine.decider import Choose, ExpireChoice, carry_out, is_window
from domain.engine.errors import DomainError
from domain.engine.ids import Seat
from domain.engine.match import Match
from schema.errors import ApiError, MatchNotFound
from service.http import report
from service.matches import Matches, Order
from service.snapshots import Snapshot, opens
from service.standing import wish_of
from service.store import Deadline, StoreError
from service.tokens import Keyring, short
from service.views import window_ms

Due = Callable[[str, str], Awaitable[int | None]]
"""Takes the match and the rest of the key; gives when to come back, if at all."""

RETRY_MS: Final = 1_000
_LEASE_MS: Final = 10_000
_LIMIT: Final = 64  # claimed at once
_LONGEST_SLEEP: Final = 1.0  # seconds: somebody else's deadline may need us
_PAUSE_SECONDS: Final = 0.5
_REMINDER_SECONDS: Final = 60.0
_PATIENCE_MS: Final = 60_000  # an append that has not come by then never comes

_log = logging.getLogger(__name__)


class Deadlines:
    """The deadlines that this process sets, and those that it finds due; a `Watcher`."""

    def __init__(
        self,
        matches: Matches,
        keys: Keyring,
        pass_seconds: tuple[float, float],
        others: Mapping[str, Due],
    ) -> None:
        self._matches = matches
        self._keys = keys
        self._soonest, self._latest = (int(seconds * 1000) for seconds in pass_seconds)
        self._others = dict(others)
        self._sooner = asyncio.Event()
        self._next = 0  # when the loop wakes up by itself; 0 while it does not sleep
        self._scheduled: list[int] = []  # what was set since the loop last looked

    def settles(self, kind: str, due: Due) -> None:
        """Let somebody settle the deadlines whose keys begin with that kind."""
        self._others[kind] = due

    async def before(self, match_id: str, before: Match[Any], after: Match[Any], at: int) -> None:
        """Set the deadline of a window that is about to open."""
        if opens(before, after) and after.started and is_window(after):
            due = at + min(self._soonest, window_ms(after))
            await self.schedule(match_id, f"window:{after.choice}:{at}", due)

    def after(self, match_id: str, match: Match[Any]) -> None:
        """Nothing to do: the deadline is set."""

    async def run(self) -> None:
        """Settle what becomes due until cancelled."""
        tell_at = 0.0
        while True:
            try:
                settled = await self.settle()
                tell_at = 0.0
                if not settled:
                    await self._sleep()
            except StoreError as error:
                # It tries often, to go on soon, but says so now and then only.
                if time.monotonic() >= tell_at:
                    _log.warning("deadlines wait for the store: %s", error)
                    tell_at = time.monotonic() + _REMINDER_SECONDS
                await asyncio.sleep(_PAUSE_SECONDS)

    async def settle(self) -> int:
        """Settle some of what is due now; return how many deadlines that were."""
        self._sooner.clear()
        self._next = 0
        self._scheduled.clear()
        store = self._matches.store
        claimed = await store.claim_due(self._matches.clock(), _LEASE_MS, _LIMIT)
        await asyncio.gather(*(self._settle(deadline) for deadline in claimed))
        return len(claimed)

    async def _sleep(self) -> None:
        """Wait until something is due, here or elsewhere."""
        due = await self._matches.store.next_due()
        now = self._matches.clock()
        dues = self._scheduled if due is None else [*self._scheduled, due]
        self._next = min([now + int(_LONGEST_SLEEP * 1000), *dues])
        try:
            async with asyncio.timeout(max(0.001, (self._next - now) / 1000)):
                await self._sooner.wait()
        except TimeoutError:
            return

    async def schedule(self, match_id: str, key: str, due: int) -> None:
        """Set or move a deadline."""
        await self._matches.store.schedule(match_id, key, due)
        self._scheduled.append(due)
        if due < self._next:
            self._sooner.set()

    async def _settle(self, deadline: Deadline) -> None:
        """Do what is due now, then move the deadline or be done with it."""
        match_id, key = deadline.match_id, deadline.key
        try:
            kind, _, rest = key.partition(":")
            if kind == "window":
                choice, _, at = rest.partition(":")
                due = await self._window(match_id, int(choice), int(at))
            elif kind in self._others:
                due = await self._others[kind](match_id, rest)
            else:
                return  # of a newer build; it is left to a process that knows it
            if due is None:
                await self._matches.store.done(deadline)
            else:
                await self.schedule(match_id, key, due)
        except MatchNotFound:
            await self._matches.store.done(deadline)
        except StoreError:
            pass  # the lease ends, and it is due again
        except Exception as error:
            report(error)

    async def _window(self, match_id: str, choice: int, at: int) -> int | None:
        """Settle a window as far as it is time; return when to come back, if at all."""
        known = await still_open(self._matches, match_id, choice, at)
        if not isinstance(known, Snapshot):
            return known
        if not known.match.started or not is_window(known.match):
            return None
        end = known.opened_at + window_ms(known.match)
        waiting: list[int] = []
        for seat in known.match.asked:
            if known.match.places[seat].bot:
                continue
            if not (await wish_of(self._matches.store, match_id, seat)).standing:
                continue
            due = known.opened_at + self._delay(match_id, choice, seat)
            if due > self._matches.clock():
                waiting.append(due)
            else:
                await self._pass(match_id, choice, seat)
        if self._matches.clock() < end:
            return min([end, *waiting])
        await self._expire(match_id, choice)
        known = self._matches.remembered(match_id) or known
        return None if is_past(known, choice) else self._matches.clock() + RETRY_MS

    def _delay(self, match_id: str, choice: int, seat: Seat) -> int:
        secret = self._keys.derive("delay", match_id, choice, seat)
        span = self._latest - self._soonest + 1
        return self._soonest + int.from_bytes(secret[:8], "big") % span

    async def _pass(self, match_id: str, choice: int, seat: Seat) -> None:
        def decide(match: Match[Any]) -> Run[Any]:
            return carry_out(match, Choose(seat, choice, ((),)))

        await self._command(match_id, choice, seat, decide)

    async def _expire(self, match_id: str, choice: int) -> None:
        def decide(match: Match[Any]) -> Run[Any]:
            return carry_out(match, ExpireChoice(choice))

        await self._command(match_id, choice, None, decide)

    async def _command(
        self,
        match_id: str,
        choice: int,
        seat: Seat | None,
        decide: Callable[[Match[Any]], Run[Any]],
    ) -> None:
        command = short(self._keys.derive("clock", match_id, choice, seat))
        order = Order(command=command, digest="", seat=seat, choice=choice)
        try:
            await self._matches.commit(match_id, order, decide)
        except (DomainError, ApiError) as error:
            # Answered, conceded or over meanwhile: then there is nothing to do.
            _log.debug("a deadline came late: %s", type(error).__name__)


async def still_open(
    matches: Matches, match_id: str, choice: int, at: int
) -> Snapshot | int | None:
    """Return the match with the choice open in it, else when to look again, if at all.

    `at` is when the choice was about to be offered. Raises: MatchNotFound.
    """
    known = matches.remembered(match_id)
    if known is not None and is_past(known, choice):
        return None
    known = await matches.newest(match_id)
    if known.version < choice:
        # The append that was to open it is under way, or never was.
        now = matches.clock()
        return now + RETRY_MS if now < at + _PATIENCE_MS else None
    return None if is_past(known, choice) else known


def is_past(known: Snapshot, choice: int) -> bool:
    """Say whether the choice can never be open again."""
    if known.version < choice:
        return False
    return known.match.choice != choice or not known.match.asked
