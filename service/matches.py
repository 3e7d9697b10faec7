"""Load, decide, append: the only way in which a match changes.

Theory of operation. A `Snapshot` is a match folded up to some version, with what the service has to
know about its commits. Snapshots are kept for the matches used last. One is never trusted to be the
newest: an append names the version it follows, so a process that was overtaken learns it
(`VersionConflict`), loads what it missed and decides again; a read asks the store for the last
version first, one cheap round trip.

`commit` carries out one command. Under the lock of its match (of this process):

1. Was the command id used before? Then the stored commit is the answer, if it carried the same
   body; nothing is decided again.
2. Does the snapshot have the expected version, if one was given?
3. Decide. A refusal counts only if the snapshot is the newest: else load, and decide again.
4. Tell the watchers what is about to open, for deadlines must be in the store before the choice.
5. Append. After a conflict, report it to a client that named a version; else begin again, at most
   `_ATTEMPTS` times.

What a command answers is fixed before the first attempt (`Order.choice`), so that an answer meant
for one choice is never given to a later one. After a time-out nobody knows whether the commit is in
the store: the snapshot is dropped, and the same command id finds out.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar
from weakref import WeakValueDictionary

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.agenda import Run
from domain.engine.codec import codec, encode
from domain.engine.errors import DomainError, UnknownChoice
from domain.engine.events import Event
from domain.engine.ids import Seat
from domain.engine.match import Match
from schema import errors
from service import metrics
from service import store as s
from service.auth import (
    Principal,
    check_access,
    check_current,
    check_visible,
    is_spectator,
    no_match,
)
from service.snapshots import Record, Snapshot, advanced, folded, followed
from service.telemetry import Trace, untraced
from service.watchers import Alerts, Watcher
from service.webhooks.turns import is_alerting

_ATTEMPTS: Final = 4  # the first one, and three more after conflicts
_CAPACITY: Final = 1_000  # matches
PUBLIC: Final = "public"  # setting of a match that everybody may see
UNTIMED: Final = "untimed"  # setting of a match whose time limit does not count


class Order(Struct, frozen=True, kw_only=True):
    """One command on its way: its stored id, the digest of its body, and who acts.

    `expected` is the version that the client has seen, `choice` the choice that was open when the
    command arrived; neither is given for commands that do not depend on them. The token of the
    `bearer` has to count still when the command is carried out, or answered again.
    """

    command: str
    digest: str
    seat: Seat | None
    expected: int | None = None
    choice: int | None = None
    bearer: Principal | None = None


class Done(Struct, frozen=True):
    """A commit that is in the store, and the match right after it."""

    snapshot: Snapshot
    first: int
    at: int
    seat: Seat | None
    events: Sequence[Event]


Decide = Callable[[Match[Any]], Run[Any]]


def now_ms() -> int:
    """Return the time of the service's clock."""
    return time.time_ns() // 1_000_000


def new_command() -> str:
    """Return an id for a command that the client gave none; it looks like all stored ones."""
    return secrets.token_urlsafe(16)


class Matches:
    """The matches of a store."""

    def __init__(
        self,
        store: s.EventStore,
        clock: Callable[[], int] = now_ms,
        capacity: int = _CAPACITY,
    ) -> None:
        self.store = store
        self.clock = clock
        self.watchers: list[Watcher] = []
        self.alerts: Alerts | None = None
        self.trace: Trace = untraced
        self._capacity = capacity
        self._snapshots: OrderedDict[str, Snapshot] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def remembered(self, match_id: str) -> Snapshot | None:
        """Return what this process knows of a match; it may have moved on since."""
        return self._snapshots.get(match_id)

    async def newest(self, match_id: str) -> Snapshot:
        """Return the match at its newest version.

        Raises: MatchNotFound, StoreUnavailable.
        """
        known = self._snapshots.get(match_id)
        if known is not None:
            version = await self.store.last_version(match_id)
            known = self._snapshots.get(match_id)
            if known is not None and known.version >= version:
                self._snapshots.move_to_end(match_id)
                return known
        async with self._lock(match_id):
            return await self._refreshed(match_id)

    async def admitted(self, principal: Principal, match_id: str) -> Snapshot:
        """Return the match at its newest version for the bearer of a token of it.

        Raises: Forbidden, Unauthenticated, MatchNotFound, StoreUnavailable.
        """
        check_access(principal, match_id)
        snapshot = await self.newest(match_id)
        check_current(principal, snapshot.match)
        return snapshot

    async def visible(self, principal: Principal, match_id: str) -> Snapshot:
        """Return the match at the newest version that someone may see.

        Raises: Forbidden, Unauthenticated, MatchNotFound, StoreUnavailable.
        """
        snapshot = await self.admitted(principal, match_id)
        check_visible(principal, match_id, snapshot.match, snapshot.public)
        return shown(principal, snapshot)

    async def at(self, snapshot: Snapshot, version: int, whole: bool = False) -> Snapshot:
        """Return the match as it was at an earlier version, from 1 on.

        `whole`: before the commit that the version is in the middle of, where nothing is pending.
        """
        loaded = await self.store.load(snapshot.match_id, until=version)
        if whole:
            version = max([one.last for one in loaded if one.last <= version], default=version)
        return folded(
            snapshot.match_id,
            loaded,
            public=snapshot.public,
            timed=snapshot.timed,
            version=version,
        )

    async def create(
        self,
        match_id: str,
        commit: s.Commit,
        public: bool,
        words: Mapping[str, str] | None = None,
    ) -> bool:
        """Append the first commit of a match; say whether it was there before.

        `words` are more about it for the index of matches.

        Raises:
            CommandReused: it was, and with another first commit.
        """
        listing = {**(words or {}), "visibility": PUBLIC if public else "private"}
        was_there = False
        try:
            await self.store.create(match_id, commit, listing)
        except s.VersionConflict:
            first = (await self.store.load(match_id))[0]
            if first.digest != commit.digest:
                raise reused() from None
            was_there = True
        if public:
            # Opened last: a creation that fails or is refused never opens a match to everybody, and
            # the repeat of one that broke off here opens it.
            await self.store.set_setting(match_id, PUBLIC, "1")
        return was_there

    async def commit(self, match_id: str, order: Order, decide: Decide) -> Done:
        """Carry out one command, as the head of this module tells.

        Raises:
            DomainError: the core refuses it.
            MatchNotFound, VersionConflict, CommandReused, Busy, StoreUnavailable.
        """
        async with self._lock(match_id):
            known = self._snapshots.get(match_id)
            fresh = known is None
            if known is None:
                known = await self._refreshed(match_id)
            attempts = _ATTEMPTS
            while attempts:
                record = known.records.get(order.command)
                if record is not None and not fresh:
                    # Whether the token still counts is asked of the store, as for what is new.
                    known, fresh = await self._refreshed(match_id), True
                try:
                    if order.bearer is not None:
                        check_current(order.bearer, known.match)
                    if record is not None:
                        return await self._repeated(known, order, record)
                    _check(known, order)
                    run = decide(known.match)
                except (DomainError, errors.Unauthenticated, errors.VersionConflict):
                    if fresh:
                        raise
                    known, fresh = await self._refreshed(match_id), True
                    continue
                try:
                    return await self._appended(known, order, run)
                except s.VersionConflict as error:
                    if order.expected is not None:
                        raise _conflict(error.current) from None
                    known, fresh = await self._refreshed(match_id), True
                    attempts -= 1
                except s.HookedChanged:
                    known = replace(known, hooked=not known.hooked)
                    self._remember(known)
                    attempts -= 1
        raise errors.Busy("others changed the match at the same time; send the command again")

    async def _appended(self, known: Snapshot, order: Order, run: Run[Any]) -> Done:
        at = max(self.clock(), known.at)
        match_id, first = known.match_id, known.version + 1
        commit = s.Commit(
            first=first,
            count=len(run.events),
            at=at,
            seat=order.seat,
            command=order.command,
            digest=order.digest,
            events=encode(run.events),
        )
        alerts = self.alerts
        hooked = known.hooked if alerts and is_alerting(run.match.game, run.events) else None
        try:
            for watcher in self.watchers:
                await watcher.before(match_id, known.match, run.match, at)
            if alerts and hooked:
                await alerts.before(match_id, first, at)
            with self.trace("commit"):
                await self.store.append(match_id, known.version, commit, hooked)
        except (s.VersionConflict, s.HookedChanged):
            raise
        except BaseException:
            # It may be in the store or not; whoever needs the match next finds out.
            self._snapshots.pop(match_id, None)
            raise
        metrics.committed()
        known.records[order.command] = Record(first, commit.last, order.digest)
        snapshot = followed(known, run.match, at)
        self._remember(snapshot)
        self._tell(snapshot)
        if alerts and hooked:
            alerts.after(match_id, first, at)
        return Done(snapshot, first, at, order.seat, run.events)

    async def _repeated(self, known: Snapshot, order: Order, record: Record) -> Done:
        """Return the answer to a command that was carried out before."""
        if record.digest != order.digest:
            raise reused()
        commits = await self.store.load(known.match_id, until=record.last)
        snapshot = folded(
            known.match_id, commits, public=known.public, timed=known.timed, version=record.last
        )
        commit = next(one for one in commits if one.first == record.first)
        events = codec(known.match.game).events(commit.events)
        return Done(snapshot, record.first, commit.at, commit.seat, events)

    async def _refreshed(self, match_id: str) -> Snapshot:
        """Load what this process has not seen, under the lock of the match."""
        known = self._snapshots.get(match_id)
        if known is None:
            commits, public = await asyncio.gather(
                self.store.load(match_id), self.store.get_setting(match_id, PUBLIC)
            )
            if not commits:
                raise no_match(match_id)
            snapshot = folded(match_id, commits, public=public is not None)
            if snapshot.match.limit is not None:
                untimed = await self.store.get_setting(match_id, UNTIMED)
                snapshot = replace(snapshot, timed=untimed is None)
            # Whoever appended last may have died since, so the watchers look at it afresh.
            before = replace(snapshot.match, choice=0)
            for watcher in self.watchers:
                await watcher.before(match_id, before, snapshot.match, snapshot.opened_at)
            self._remember(snapshot)
            self._tell(snapshot)
            return snapshot
        commits = await self.store.load(match_id, known.version)
        if any(commit.last > known.version for commit in commits):
            known = advanced(known, commits)
            self._remember(known)
        return known

    def _remember(self, snapshot: Snapshot) -> None:
        self._snapshots[snapshot.match_id] = snapshot
        self._snapshots.move_to_end(snapshot.match_id)
        if len(self._snapshots) > self._capacity:
            self._snapshots.popitem(last=False)

    def _tell(self, snapshot: Snapshot) -> None:
        for watcher in self.watchers:
            watcher.after(snapshot.match_id, snapshot.match)

    def _lock(self, match_id: str) -> asyncio.Lock:
        # Weak: a lock lives as long as somebody holds it or waits for it.
        lock = self._locks.get(match_id)
        if lock is None:
            lock = self._locks[match_id] = asyncio.Lock()
        return lock


def shown(principal: Principal, snapshot: Snapshot) -> Snapshot:
    """Return the newest that someone may see of a match: the one place that decides it.

    Spectators may be behind. Once the match is over nothing is left to hide.
    """
    behind = snapshot.behind
    if behind is None or snapshot.match.outcome is not None or not is_spectator(principal):
        return snapshot
    return behind.turns[0]


def _check(known: Snapshot, order: Order) -> None:
    """Refuse a command that was meant for an earlier version or choice."""
    if order.expected is not None and order.expected != known.version:
        raise _conflict(known.version)
    if order.choice not in (None, known.match.choice) and known.match.outcome is None:
        raise UnknownChoice("what this was to answer has been answered", choice=order.choice)


def _conflict(current: int) -> errors.VersionConflict:
    return errors.VersionConflict(f"the match is at version {current}", version=current)


class Carried(Protocol):
    """What is remembered of a command that was carried out beside the stream."""

    @property
    def command(self) -> str: ...

    @property
    def digest(self) -> str: ...


C = TypeVar("C", bound=Carried)


def carried_before(carried: Iterable[C], order: Order) -> C | None:
    """Return what is remembered of a command, if it was carried out.

    Raises:
        CommandReused: it was, with another body.
    """
    for one in carried:
        if one.command == order.command:
            if one.digest != order.digest:
                raise reused()
            return one
    return None


def reused() -> errors.CommandReused:
    """Return the refusal of a command id that carried another body before."""
    return errors.CommandReused("this command id was used for another command; send a new one")
