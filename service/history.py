"""What has happened in a match: pages of events, and what a refusal tells of them."""

from typing import Final

import msgspec

from domain.engine.codec import codec
from domain.engine.errors import DomainError
from schema import types as t
from schema.errors import ApiError, Refusal, row_of
from schema.inputs import Arguments
from service import auth, views
from service.auth import Principal
from service.matches import Matches
from service.snapshots import Snapshot
from service.store import StoreError

_CONFLICTS: Final = (409, 412)
_MOST: Final = 200  # events that a refusal tells of


async def events_after(
    matches: Matches, principal: Principal, snapshot: Snapshot, after: int, limit: int
) -> tuple[t.EventView, ...]:
    """Return the events after a version, up to the version of the snapshot."""
    found: list[t.EventView] = []
    if after >= snapshot.version:
        return ()
    viewer = auth.viewer_of(principal, snapshot.match)
    game = snapshot.match.game
    until = min(snapshot.version, after + limit)
    for commit in await matches.store.load(snapshot.match_id, after, until):
        skip = max(0, after + 1 - commit.first)
        events = codec(game).events(commit.events)[skip:]
        first = commit.first + skip
        found += views.to_events(events, first, commit.at, commit.seat, viewer, game)
    return tuple(found[:limit])


async def situated(
    matches: Matches, principal: Principal, arguments: Arguments, error: Refusal
) -> Refusal:
    """Return a refusal that says how far its match has come, if it conflicts with that.

    Where the client says what it has seen, by the version it expects or the choice it answers, it
    is told what has happened since. Who does not see the match is told nothing more.
    """
    match_id: str | None = getattr(arguments, "match_id", None)
    if match_id is None or row_of(error).status not in _CONFLICTS:
        return error
    seen: int | None = getattr(arguments, "expected_version", None)
    if seen is None:
        seen = getattr(arguments, "choice", None)  # called by the version that offered it
    try:
        snapshot = await matches.visible(principal, match_id)
        more = {"version": snapshot.version}
        if seen is not None:
            happened = await events_after(matches, principal, snapshot, seen, _MOST)
            more["events"] = msgspec.to_builtins(happened)
    except (ApiError, DomainError, StoreError):
        return error
    return type(error)(error.message, **{**error.detail, **more})
