"""From the outbox to the receivers: one attempt after the other, at most a day long.

What finds no place (see `shares`) comes back later, so receivers that hang keep no other waiting.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

import msgspec
from msgspec.structs import replace

from domain.engine.access import generation_of
from schema.webhooks import News, NewsData
from service import metrics
from service.http import report
from service.matches import Matches
from service.store import Parcel, StoreError
from service.tokens import short
from service.webhooks import hooks as h
from service.webhooks.relay import Notice, to_notice
from service.webhooks.sender import Reply, Sender
from service.webhooks.shares import AT_ONCE, Busy
from service.webhooks.signing import Signer, headers

DEADLINE: Final = "notice"

_IDLE_SECONDS: Final = 1.0
_GRACE_SECONDS: Final = 3.0  # for what is being sent when the process stops
_TAKE_OVER_SECONDS: Final = 5.0
_DEAD_MS: Final = 15_000  # longer than sending takes: who holds something so long has died
_FIRST_PAUSE_MS: Final = 5_000
_LONGEST_PAUSE_MS: Final = 6 * 3_600_000
_FIRST_TURN_MS: Final = 1_000  # when there was no place
_LONGEST_TURN_MS: Final = 300_000
_REPEATED_SECONDS: Final = 600  # in which a deadline may be due twice
_JITTER: Final = 0.2
_DAY_MS: Final = 86_400_000
_HOUR_MS: Final = 3_600_000
_GONE: Final = 410
_REMINDER_SECONDS: Final = 60.0

_log = logging.getLogger(__name__)


class Delivery:
    """What this process sends."""

    def __init__(
        self,
        matches: Matches,
        signer: Signer,
        sender: Sender,
        spread: Callable[[], float] = lambda: secrets.randbelow(1_000_001) / 1_000_000,
    ) -> None:
        """Send with `sender`; `spread` draws a number from 0 to 1 and spreads repeats in time."""
        self._matches = matches
        self._signer = signer
        self._sender = sender
        self._spread = spread
        self._consumer = secrets.token_urlsafe(12)
        self._sooner = asyncio.Event()
        self._running: set[asyncio.Task[None]] = set()
        self._take_over_at = 0.0

    def wake(self) -> None:
        """Look into the outbox soon."""
        self._sooner.set()

    async def due(self, match_id: str, rest: str) -> int | None:
        """Put a notice into the outbox again, as its time has come."""
        await self._matches.store.outbox.put(match_id, rest, _REPEATED_SECONDS)
        self.wake()
        return None

    async def run(self) -> None:
        """Send until cancelled."""
        tell_at = 0.0
        try:
            while True:
                self._sooner.clear()
                try:
                    if not await self.take():
                        await self._rest(_IDLE_SECONDS)
                    tell_at = 0.0
                except StoreError as error:
                    if time.monotonic() >= tell_at:
                        _log.warning("webhooks wait for the store: %s", error)
                        tell_at = time.monotonic() + _REMINDER_SECONDS
                    await self._rest(_IDLE_SECONDS)
        finally:
            if self._running:
                await asyncio.wait(self._running, timeout=_GRACE_SECONDS)
            for task in self._running:
                task.cancel()
            await asyncio.gather(*self._running, return_exceptions=True)

    async def take(self) -> int:
        """Begin to send some of what waits; return how many notices those are."""
        outbox, free = self._matches.store.outbox, AT_ONCE - len(self._running)
        if not free:
            return 0
        parcels = await outbox.take(self._consumer, free)
        if len(parcels) < free and time.monotonic() >= self._take_over_at:
            self._take_over_at = time.monotonic() + _TAKE_OVER_SECONDS
            parcels += await outbox.take_over(self._consumer, _DEAD_MS, free - len(parcels))
        for parcel in parcels:
            task = asyncio.create_task(self._handle(parcel))
            self._running.add(task)
            task.add_done_callback(self._ended)
        return len(parcels)

    async def drain(self) -> None:
        """Wait for what is being sent."""
        await asyncio.gather(*self._running)

    def _ended(self, task: asyncio.Task[None]) -> None:
        was_full = len(self._running) == AT_ONCE
        self._running.discard(task)
        if was_full:
            self.wake()

    async def _rest(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._sooner.wait()
        except TimeoutError:
            return

    async def _handle(self, parcel: Parcel) -> None:
        """Send, and settle the parcel when what follows from it is in the store."""
        try:
            notice = to_notice(parcel.words)
            hooks = await h.load(self._matches.store, parcel.match_id)
            for hook in hooks:
                if hook.id == notice.hook and hook.disabled is None:
                    await self._deliver(parcel.match_id, hook, notice)
            await self._matches.store.outbox.settle(parcel)
        except StoreError as error:
            # It is still held, and taken over later.
            _log.debug("a notice waits for the store: %s", error)
        except Exception as error:
            report(error)

    async def _deliver(self, match_id: str, hook: h.Hook, notice: Notice) -> None:
        match = (await self._matches.newest(match_id)).match
        if hook.bearer is not None and hook.bearer < generation_of(match, hook.seat):
            await self._disable(match_id, hook, "token_replaced")
            return
        now = self._matches.clock()
        try:
            reply = await self._send(match_id, hook, notice)
        except Busy as busy:
            if now < notice.at + _DAY_MS:
                pause = min(_FIRST_TURN_MS * 2 ** min(notice.round, 12), _LONGEST_TURN_MS)
                due = max(now, busy.until) + self._spread_out(pause)
                await self._again(match_id, notice, due)
                return
            reply = Reply(None, "too much is sent there")
        if reply is None:
            await self._disable(match_id, hook, "key_lost")
        else:
            await self._note(match_id, hook, notice, reply)

    async def _send(self, match_id: str, hook: h.Hook, notice: Notice) -> Reply | None:
        """Send to the receiver; None if there is nothing to sign with."""
        now = self._matches.clock()
        keys = [(hook.key, hook.generation)]
        if hook.overlap_end > now:
            keys.append((hook.previous_key, hook.generation - 1))
        found = [self._signer.secret(key, match_id, hook.id, number) for key, number in keys]
        if found[0] is None:
            return None
        body = body_of(match_id, notice)
        signing = [secret for secret in found if secret is not None]
        return await self._sender.send(
            hook.url,
            None if hook.by == h.ADMIN else hook.by or match_id,
            {
                "content-type": "application/json",
                "user-agent": "stele-webhooks/1",
                **headers(message_id(match_id, notice), now, body.decode(), signing),
            },
            body,
            now / 1000,
        )

    async def _note(self, match_id: str, hook: h.Hook, notice: Notice, reply: Reply) -> None:
        """Remember how it went, and come back to it where it failed."""
        metrics.sent(reply.is_success)
        store, now = self._matches.store, self._matches.clock()
        status = await h.status(store, match_id, hook.id)
        if reply.is_success:
            status = replace(status, succeeded_at=now, failing_since=0, failures=0)
            await h.set_status(store, match_id, hook.id, status)
            return
        status = replace(
            status,
            failed_at=now,
            failing_since=status.failing_since or now,
            reason=reply.reason,
            failures=status.failures + 1,
        )
        await h.set_status(store, match_id, hook.id, status)
        end = notice.at + _DAY_MS
        if reply.status == _GONE:
            await self._disable(match_id, hook, "gone")
        elif now < end:
            pause = min(_FIRST_PAUSE_MS * 3 ** min(notice.attempts, 12), _LONGEST_PAUSE_MS)
            pause = max(self._spread_out(pause), reply.wait * 1000)
            notice = replace(notice, attempts=notice.attempts + 1)
            await self._again(match_id, notice, min(now + pause, end))
        elif status.failing_since < notice.at + _HOUR_MS:
            await self._disable(match_id, hook, "failing")

    async def _again(self, match_id: str, notice: Notice, due: int) -> None:
        words = replace(notice, round=notice.round + 1).words()
        await self._matches.store.schedule(match_id, f"{DEADLINE}:{words}", due)

    async def _disable(self, match_id: str, hook: h.Hook, reason: h.Disabled) -> None:
        _log.warning("webhook %s of match %s is disabled: %s", hook.id, match_id, reason)
        await h.disable(self._matches.store, match_id, hook.id, reason, self._matches.clock())

    def _spread_out(self, pause: int) -> int:
        return int(pause * (1 - _JITTER + 2 * _JITTER * self._spread()))


def message_id(match_id: str, notice: Notice) -> str:
    """Return what receivers tell a repeat by."""
    words = (match_id, notice.hook, notice.type, str(notice.version))
    return "msg_" + short(sha256("\0".join(words).encode()).digest())


def body_of(match_id: str, notice: Notice) -> bytes:
    """Return what is sent: nothing that a spectator could not see."""
    at = datetime.fromtimestamp(notice.at / 1000, UTC)
    data = NewsData(match_id, notice.game, notice.version, notice.seat)
    stamp = at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return msgspec.json.encode(News(notice.type, stamp, data))
