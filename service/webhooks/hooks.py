"""The webhooks of a match: one setting beside the stream, changed as a whole or not at all.

A seat has its own, which hear of its turns; the owner has those of the match, which hear of every
turn of a person. Nobody sees those of others. How sending went is a setting for each webhook, so
that whoever sends and whoever changes it do not get into each other's way.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.ids import Seat
from schema.inputs import NewsType
from service.store import HOOKS, EventStore, VersionConflict

Disabled = Literal["gone", "failing", "key_lost", "token_replaced"]
Hooks = tuple["Hook", ...]
T = TypeVar("T")

_ATTEMPTS: Final = 8


class Hook(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A webhook. Times are in milliseconds since 1970.

    It hears of what comes after version `since`. Its secret follows from `key` and `generation`;
    that of the generation before counts until `overlap_end`. `bearer` is the generation of the
    token that it was made with: it ends with that. `command` made it or rotated it last.
    """

    id: str
    seat: Seat | None
    url: str
    events: tuple[NewsType, ...]
    created_at: int
    since: int
    key: str
    generation: int = 0
    previous_key: str = ""
    overlap_end: int = 0
    bearer: int | None = None
    command: str = ""
    disabled: Disabled | None = None
    disabled_at: int = 0


class Status(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How sending went: the last success, the last failure, and failures since that success.

    `failing_since` is the time of the first of these, 0 if there is none.
    """

    succeeded_at: int = 0
    failed_at: int = 0
    failing_since: int = 0
    reason: str = ""
    failures: int = 0


_decode: Final = msgspec.json.Decoder(tuple[Hook, ...]).decode
_decode_status: Final = msgspec.json.Decoder(Status).decode


async def load(store: EventStore, match_id: str) -> Hooks:
    """Return the webhooks of a match."""
    text = await store.get_setting(match_id, HOOKS)
    return () if text is None else _decode(text)


async def change(
    store: EventStore, match_id: str, edit: Callable[[Hooks], tuple[Hooks, T]]
) -> tuple[Hooks, T]:
    """Put other webhooks in the place of those that there are; return them and the edit's result.

    Raises: VersionConflict (others change them all the time), and what `edit` raises.
    """
    for _ in range(_ATTEMPTS):
        text = await store.get_setting(match_id, HOOKS)
        before = () if text is None else _decode(text)
        after, result = edit(before)
        if after == before:
            return after, result
        new = msgspec.json.encode(after).decode() if after else None
        if await store.swap_setting(match_id, HOOKS, text, new):
            return after, result
    raise VersionConflict(0)


async def disable(
    store: EventStore, match_id: str, hook_id: str, reason: Disabled, at: int
) -> None:
    """Send nothing to a webhook any more."""

    def edit(hooks: Hooks) -> tuple[Hooks, None]:
        off = {"disabled": reason, "disabled_at": at}
        return tuple(replace(one, **off) if one.id == hook_id else one for one in hooks), None

    await change(store, match_id, edit)


async def status(store: EventStore, match_id: str, hook_id: str) -> Status:
    """Return how sending went so far."""
    text = await store.get_setting(match_id, _key(hook_id))
    return Status() if text is None else _decode_status(text)


async def set_status(store: EventStore, match_id: str, hook_id: str, status: Status | None) -> None:
    """Note how sending went; None forgets it."""
    text = None if status is None else msgspec.json.encode(status).decode()
    await store.set_setting(match_id, _key(hook_id), text)


def _key(hook_id: str) -> str:
    return f"webhook:{hook_id}"
