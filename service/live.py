"""Live feeds: one reader a process, one channel a watched match, one cursor a subscriber.

Theory of operation. The store tells of every commit, whoever appended it (`EventStore.follow`); one
task of this process listens. A notice stirs the *channel* of its match, if anybody here watches it:
the channel loads what is newer than its version, keeps the last commits in its *tail*, and wakes
its *followers*. A notice can get lost, but never unnoticed: after each interruption the store says
`MISSED`, and every channel loads. A channel that is opened loads once, for what was appended
between the look at the match and the first notice.

A follower is a cursor, the version that its subscriber has seen, and nothing else: no queue that
could grow. It takes the commits after its cursor out of the tail, or, if it lags or resumes, from
the store. So it gets every event once, by version, however often notices come or are lost.

What followers get are *updates*: the events of one commit as one viewer sees them, made once for
all followers with the same eyes; and each way of writing an update down (a line, a frame of one
GraphQL document) is made once, too. A thousand spectators cost one redaction and one encoding.

Where spectators are behind, they have a channel of their own, stirred like the other one: what it
loads waits until `shown` gives it to them.

The eyes are those of `events` at the same moment: while a match runs, those of the seat or of a
spectator; once it is over, everybody's.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from contextlib import aclosing
from functools import partial
from typing import Final

from domain.engine.codec import codec
from domain.engine.events import MatchEnded, TokenReplaced
from domain.engine.ids import Seat, Viewer
from schema import types as t
from schema.errors import Unauthenticated, VersionConflict
from service import auth, views
from service.auth import Principal
from service.matches import Matches, shown
from service.snapshots import Snapshot
from service.store import MISSED, Commit, EventStore, StoreUnavailable

_TAIL: Final = 32  # commits that a channel keeps
_WAYS: Final = 16  # in which an update is kept written down
_PAUSE_SECONDS: Final = 0.5

_log = logging.getLogger(__name__)

Replaced = Callable[[str, TokenReplaced], None]
"""Told of a token of a match that has been replaced."""


def check_reached(snapshot: Snapshot, after: int) -> None:
    """Refuse to go on after a version that nobody can have seen: the store was restored since.

    Raises: VersionConflict.
    """
    if after > snapshot.version:
        raise VersionConflict(
            f"the match is at version {snapshot.version}, so it cannot go on after {after}",
            version=snapshot.version,
        )


class Update:
    """What some subscribers are told; each way of writing it down is made once."""

    __slots__ = ("_written", "value")

    def __init__(self, value: t.MatchUpdate) -> None:
        self.value = value
        self._written: dict[Hashable, bytes] = {}

    def written(self, way: Hashable, write: Callable[[t.MatchUpdate], bytes]) -> bytes:
        """Return the update written down in that way."""
        made = self._written.get(way)
        if made is None:
            made = write(self.value)
            # What clients think up must not fill the memory.
            if len(self._written) < _WAYS:
                self._written[way] = made
        return made


class Batch:
    """One commit, and the updates made of it."""

    __slots__ = ("_made", "commit", "game")

    def __init__(self, commit: Commit, game: str) -> None:
        self.commit = commit
        self.game = game
        self._made: dict[Viewer, Update] = {}

    def update(self, viewer: Viewer, after: int) -> Update:
        """Return the events later than a version, as the viewer sees them."""
        if after >= self.commit.first:
            return self._make(viewer, after)
        if viewer not in self._made:
            self._made[viewer] = self._make(viewer, self.commit.first - 1)
        return self._made[viewer]

    def _make(self, viewer: Viewer, after: int) -> Update:
        commit = self.commit
        events = codec(self.game).events(commit.events)[after + 1 - commit.first :]
        shown = views.to_events(events, after + 1, commit.at, commit.seat, viewer, self.game)
        return Update(t.MatchUpdate(version=commit.last, view=None, events=shown))


class Channel:
    """One match that somebody here watches, up to its end or up to where spectators may see it."""

    def __init__(
        self,
        store: EventStore,
        snapshot: Snapshot,
        replaced: Replaced = lambda *_: None,
        end: Callable[[], Awaitable[int]] | None = None,
    ) -> None:
        self.match_id = snapshot.match_id
        self.game = snapshot.match.game
        self.version = snapshot.version
        self.over = snapshot.match.outcome is not None
        self.failure: Exception | None = None
        self.followers: set[Follower] = set()
        self._store = store
        self._replaced = replaced
        self._void: list[TokenReplaced] = []
        self._end = end
        self.is_behind = end is not None
        self._loaded = snapshot.version
        self._waiting: deque[tuple[Commit, bool]] = deque()  # loaded, not to be seen yet
        self._tail: deque[Batch] = deque(maxlen=_TAIL)
        self._views: dict[Seat | None, Update] = {}
        self._loading = asyncio.Lock()
        self._stale = False
        self._task: asyncio.Task[None] | None = None

    def stir(self, first: int = 0) -> None:
        """Load what is new, soon, unless `first` is known; 0: there may be something."""
        if first and first <= self._loaded:
            return
        self._stale = True
        if self._task is None:
            self._task = asyncio.create_task(self._catch_up())

    def is_void(self, principal: Principal) -> bool:
        """Tell whether a token was replaced since the channel was opened."""
        return any(auth.is_voided(principal, event.seat, event.generation) for event in self._void)

    def close(self) -> None:
        """Stop loading."""
        if self._task is not None:
            self._task.cancel()

    async def since(self, after: int) -> list[Batch]:
        """Return the commits with an event later than a version."""
        if after >= self.version:
            return []
        if not self._reaches(after):
            # Those who resume together load once.
            async with self._loading:
                if not self._reaches(after):
                    # What is newer than the channel comes with its next notice.
                    commits = await self._store.load(self.match_id, after, self.version)
                    batches = [Batch(commit, self.game) for commit in commits]
                    self._keep(batches)
                    return batches
        found: list[Batch] = []
        for batch in reversed(self._tail):
            if batch.commit.last <= after:
                break
            found.append(batch)
        return found[::-1]

    def view(self, snapshot: Snapshot, seat: Seat | None, viewer: Viewer) -> Update:
        """Return the board for a seat, made once for all who sit there."""
        known = self._views.get(seat)
        if known is None or known.value.version != snapshot.version:
            view = views.to_view(snapshot, seat, viewer)
            known = Update(t.MatchUpdate(version=snapshot.version, view=view, events=()))
            self._views[seat] = known
        return known

    def _reaches(self, after: int) -> bool:
        return bool(self._tail) and self._tail[0].commit.first <= after + 1

    def _keep(self, batches: list[Batch]) -> None:
        """Take a longer tail for a shorter one, where it ends alike."""
        if batches and batches[-1].commit.last == self.version and len(batches) <= _TAIL:
            self._tail = deque(batches, _TAIL)

    async def _catch_up(self) -> None:
        try:
            while self._stale:
                self._stale = False
                try:
                    await self._load()
                except StoreUnavailable as error:
                    _log.warning("a feed waits for the store: %s", error)
                    await asyncio.sleep(_PAUSE_SECONDS)
                    self._stale = True
                    continue
                except Exception as error:
                    self.failure = error
                for follower in self.followers:
                    follower.wake()
        finally:
            self._task = None

    async def _load(self) -> None:
        """Take in what is new, and show what may be seen of it by now."""
        self._take(await self._store.load(self.match_id, self._loaded))
        self._show(self._loaded if self._end is None else await self._end())

    def _take(self, commits: tuple[Commit, ...]) -> None:
        for commit in commits:
            if commit.last <= self._loaded:
                continue
            self._loaded = commit.last
            events = codec(self.game).events(commit.events)
            ends = any(isinstance(event, MatchEnded) for event in events)
            self._waiting.append((commit, ends))
            for event in events:
                if isinstance(event, TokenReplaced):
                    # Before anybody wakes up: what comes after it is not for the old token.
                    self._void.append(event)
                    self._replaced(self.match_id, event)

    def _show(self, end: int) -> None:
        while self._waiting and self._waiting[0][0].last <= end:
            commit, ends = self._waiting.popleft()
            self._tail.append(Batch(commit, self.game))
            self.version = commit.last
            self.over = self.over or ends


class Follower:
    """One subscriber's cursor; `close` it."""

    def __init__(
        self,
        channel: Channel,
        seat: Seat | None,
        version: int,
        leave: Callable[["Follower"], None],
    ) -> None:
        self.version = version
        self._leave = leave
        self._channel = channel
        self._seat = seat
        self._ahead: deque[Batch] = deque()
        self._news = asyncio.Event()
        self._stopped = False

    @property
    def finished(self) -> bool:
        """Whether the match is over and nothing is left to tell."""
        return self._channel.over and self.version >= self._channel.version

    def wake(self) -> None:
        """Look again whether there is something to tell."""
        self._news.set()

    def stop(self) -> None:
        """End, though the match goes on."""
        self._stopped = True
        self.wake()

    def close(self) -> None:
        """Let go of the match."""
        self._leave(self)

    def view(self, snapshot: Snapshot) -> Update:
        """Return the board, as `match` gives it."""
        viewer: Viewer = "all" if snapshot.match.outcome is not None else self._seat
        return self._channel.view(snapshot, self._seat, viewer)

    async def next(self) -> Update | None:
        """Return the next update; None when there will be none, or it was stopped.

        Nothing is lost when a wait is cancelled. Raises: StoreUnavailable, StoreRegressed.
        """
        channel = self._channel
        while not self._stopped:
            self._news.clear()
            if channel.failure is not None:
                raise channel.failure
            if not self._ahead:
                self._ahead.extend(await channel.since(self.version))
            while self._ahead:
                batch = self._ahead.popleft()
                if batch.commit.last > self.version:
                    update = batch.update("all" if channel.over else self._seat, self.version)
                    self.version = batch.commit.last
                    return update
            if channel.over:
                return None
            await self._news.wait()
        return None

    async def news(self) -> None:
        """Return when there is something to tell, or will never be."""
        while not (self._stopped or self._channel.over or self._channel.failure):
            self._news.clear()
            if self._channel.version > self.version:
                return
            await self._news.wait()


class Live:
    """The channels of this process, and what listens for them."""

    def __init__(self, matches: Matches, replaced: Replaced = lambda *_: None) -> None:
        self._matches = matches
        self._replaced = replaced
        self._channels: dict[tuple[str, bool], Channel] = {}  # by match, and by being behind
        self.closing = False

    async def run(self) -> None:
        """Listen until cancelled."""
        async with aclosing(self._matches.store.follow()) as notices:
            async for notice in notices:
                match_id, first = notice
                if notice == MISSED:
                    for channel in self._channels.values():
                        channel.stir()
                    continue
                for is_behind in (False, True):
                    if (match_id, is_behind) in self._channels:
                        self._channels[match_id, is_behind].stir(first)

    def follow(self, snapshot: Snapshot, principal: Principal, after: int) -> Follower:
        """Return a follower of a match that the principal may see; close it in the end.

        Raises:
            VersionConflict: the match has not come as far as `after`.
            Unauthenticated: the token was replaced just now.
        """
        check_reached(snapshot, after)
        match_id = snapshot.match_id
        is_behind = snapshot.match.spectators is not None and auth.is_spectator(principal)
        channel = self._channels.get((match_id, is_behind))
        if channel is None:
            end = partial(self._end, match_id, principal) if is_behind else None
            channel = Channel(self._matches.store, snapshot, self._replaced, end)
            self._channels[match_id, is_behind] = channel
            channel.stir()
        if channel.is_void(principal):
            raise Unauthenticated("this token was replaced by a newer one")
        follower = Follower(channel, auth.own_seat(principal), after, partial(self._leave, channel))
        channel.followers.add(follower)
        if self.closing:
            follower.stop()
        return follower

    def close(self) -> None:
        """End every feed; clients go on elsewhere."""
        self.closing = True
        for channel in self._channels.values():
            for follower in channel.followers:
                follower.stop()

    async def _end(self, match_id: str, principal: Principal) -> int:
        return shown(principal, await self._matches.newest(match_id)).version

    def _leave(self, channel: Channel, follower: Follower) -> None:
        channel.followers.discard(follower)
        place = channel.match_id, channel.is_behind
        if not channel.followers and self._channels.get(place) is channel:
            del self._channels[place]
            channel.close()
