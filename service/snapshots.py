"""A match folded up to some version, with what the service has to know about its commits.

Most of that follows from the time of each commit: since when a choice has been open and, where
turns are limited, how much of its time each seat has used. Where spectators are behind, the
snapshots that they may still see are kept, too; other matches pay nothing for either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.codec import codec
from domain.engine.decider import fold, is_window
from domain.engine.ids import Seat
from domain.engine.match import Match, turn_of
from service import store as s


class Record(Struct, frozen=True, gc=False):
    """What is remembered of a commit, to answer a repeated command."""

    first: int
    last: int
    digest: str


class Snapshot(Struct, frozen=True, kw_only=True):
    """A match at a version; times are in milliseconds since 1970 UTC.

    `at` is the time of the last commit, `opened_at` that of the commit which opened the choice that
    is open. `records` are those of all commits by command id; snapshots of one match share them.
    `used` is the time that each seat has used in this turn, before the open choice; `timed` is
    false where limits do not count; `behind` is what spectators see of it, where that is less.
    `hooked`: somebody has a webhook. It is not looked up: an append that has to know corrects it.
    """

    match_id: str
    match: Match[Any]
    created_at: int
    at: int
    opened_at: int
    public: bool
    records: dict[str, Record]
    used: tuple[int, ...] = ()
    timed: bool = True
    behind: Behind | None = None
    hooked: bool = False

    @property
    def version(self) -> int:
        """The version of the match."""
        return self.match.version


class Behind(Struct, frozen=True):
    """The last turns as spectators see them, the earliest first; `begun` have begun so far.

    Each is the match as it stood when a turn began, the first one that before its start. What an
    undo takes back has begun all the same, so that they never go back.
    """

    turns: tuple[Snapshot, ...]
    begun: int


def opens(before: Match[Any], after: Match[Any]) -> bool:
    """Tell whether the open choice is another one; of a match laid out it waits for the start."""
    return after.choice not in (0, before.choice) or (after.started and not before.started)


def followed(before: Snapshot, match: Match[Any], at: int) -> Snapshot:
    """Return the snapshot after a commit that made this match, at that time."""
    opened_at = at if opens(before.match, match) else before.opened_at
    after = replace(before, match=match, at=at, opened_at=opened_at)
    if match.limit is None and match.spectators is None:
        return after
    used = () if match.limit is None else _used(before, after)
    behind = None if match.spectators is None else _behind(before, after)
    return replace(after, used=used, behind=behind)


def _used(before: Snapshot, after: Snapshot) -> tuple[int, ...]:
    """Return what each seat has used of its time; every turn, whosever it is, begins anew."""
    old, new = before.match, after.match
    if not old.started or turn_of(new).number != turn_of(old).number:
        return (0,) * len(new.places)
    used = list(before.used)
    if old.asked and not is_window(old):
        for seat in old.asked:
            if seat not in new.asked or new.choice != old.choice:
                used[seat] += after.at - before.opened_at
    return tuple(used)


def _behind(before: Snapshot, after: Snapshot) -> Behind | None:
    old, new = before.match, after.match
    if not new.started or new.spectators is None:
        return None
    known = before.behind or Behind((before,), turn_of(old).number)
    begun = max(known.begun, turn_of(new).number)
    if new.spectators.delay is None or begun == known.begun:
        return replace(known, begun=begun)
    seen = replace(after, behind=None)
    turns = (*known.turns, *(seen,) * (begun - known.begun))
    return Behind(turns[-new.spectators.delay - 1 :], begun)


def deadline(snapshot: Snapshot, seat: Seat) -> int | None:
    """Return when the time of a seat is up: none where it does not have to choose, or has time.

    A bot has no deadline, and a window has one of its own.
    """
    match = snapshot.match
    limit = match.limit
    if limit is None or not snapshot.timed or seat not in match.asked or not match.started:
        return None
    if match.places[seat].bot is not None or is_window(match):
        return None
    return snapshot.opened_at + max(0, limit.seconds * 1000 - snapshot.used[seat])


@contextmanager
def _reading(match_id: str) -> Iterator[None]:
    """Tell of stored events that cannot be read or make no match."""
    try:
        yield
    except Exception as error:
        raise s.StoreDamaged(match_id) from error


class _Head(Struct, frozen=True):
    game: str = ""


def folded(
    match_id: str,
    commits: Sequence[s.Commit],
    *,
    public: bool,
    timed: bool = True,
    version: int | None = None,
) -> Snapshot:
    """Return the match that the commits make, up to a version if one is given."""
    first = commits[0]
    with _reading(match_id):
        game = msgspec.json.decode(first.events, type=list[_Head])[0].game
        match = fold(codec(game).events(first.events)[:1])
    begun = Snapshot(
        match_id=match_id,
        match=match,
        created_at=first.at,
        at=first.at,
        opened_at=first.at,
        public=public,
        records={},
        timed=timed,
    )
    return advanced(begun, commits, version)


def advanced(
    snapshot: Snapshot, commits: Sequence[s.Commit], version: int | None = None
) -> Snapshot:
    """Return the match after these commits; the first may be known in part."""
    for commit in commits:
        if version is not None and commit.first > version:
            break
        match = snapshot.match
        stop = commit.count if version is None else version - commit.first + 1
        with _reading(snapshot.match_id):
            events = codec(match.game).events(commit.events)
            if len(events) != commit.count:
                raise ValueError("a commit has other events than it says")
            match = fold(events[match.version - commit.first + 1 : stop], match)
        snapshot.records[commit.command] = Record(commit.first, commit.last, commit.digest)
        snapshot = followed(snapshot, match, commit.at)
    return snapshot
