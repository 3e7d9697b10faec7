"""The webhooks of a match: one setting beside the stream, changed as a whole or not at all.

A seat has its own, which hear of its turns; the owner has those of the match, which hear of every
turn of a person. Nobody sees those of others. With them stand the last commands that made one or
rotated its secret, so that a repeat changes nothing and gets the first answer. How sending went is
a setting for each webhook, so that whoever sends and whoever changes it do not get into each
other's way.
"""

from collections.abc import Callable
from typing import Final, Literal, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.ids import Seat
from schema.webhooks import NewsType
from service.matches import Order, carried_before
from service.store import HOOKS, EventStore
from service.store.settings import change_setting

Disabled = Literal["gone", "failing", "key_lost", "token_replaced"]
T = TypeVar("T")

ADMIN: Final = "admin"
REMEMBERED: Final = 32  # commands of a seat, and of the owner


class Hook(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A webhook. Times are in milliseconds since 1970.

    It hears of what comes after version `since`. Its secret follows from `key` and `generation`;
    that of the generation before counts until `overlap_end`. `bearer` is the generation of the
    token that it was made with: it ends with that. `by` stands for the client who made it, whose
    share of what is sent it counts for: `ADMIN` has no limit, and nobody is the match itself.
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
    by: str = ""
    disabled: Disabled | None = None
    disabled_at: int = 0


Hooks = tuple[Hook, ...]


class Carried(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command that was carried out at a time, and what follows the secret that it answered."""

    command: str
    digest: str
    at: int
    seat: Seat | None
    hook: str
    key: str
    generation: int
    overlap_end: int = 0


class Book(Struct, frozen=True, omit_defaults=True):
    """The webhooks of a match, and the last commands about them."""

    hooks: Hooks = ()
    carried: tuple[Carried, ...] = ()

    def find(self, order: Order) -> Carried | None:
        """Return what is remembered of a command, if it was carried out.

        Raises:
            CommandReused: it was, with another body.
        """
        return carried_before(self.carried, order)

    def after(self, hooks: Hooks, hook: Hook, order: Order, at: int) -> "Book":
        """Return the book with other webhooks, and with the command that gave `hook` its secret."""
        if not order.digest:  # its id is ours, and never comes again
            return Book(hooks, self.carried)
        new = Carried(
            command=order.command,
            digest=order.digest,
            at=at,
            seat=hook.seat,
            hook=hook.id,
            key=hook.key,
            generation=hook.generation,
            overlap_end=hook.overlap_end,
        )
        own = [one for one in self.carried if one.seat == hook.seat]
        dropped = own[: max(0, len(own) + 1 - REMEMBERED)]
        kept = (one for one in self.carried if one not in dropped)
        return Book(hooks, (*kept, new))


class Status(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How sending went: the last success, the last failure, and failures since that success.

    `failing_since` is the time of the first of these, 0 if there is none.
    """

    succeeded_at: int = 0
    failed_at: int = 0
    failing_since: int = 0
    reason: str = ""
    failures: int = 0


_decode: Final = msgspec.json.Decoder(Book | Hooks).decode
_decode_status: Final = msgspec.json.Decoder(Status).decode


async def load(store: EventStore, match_id: str) -> Hooks:
    """Return the webhooks of a match."""
    return _read(await store.get_setting(match_id, HOOKS)).hooks


async def change(
    store: EventStore, match_id: str, edit: Callable[[Book], tuple[Book, T]]
) -> tuple[Hooks, T]:
    """Put another book in the place of the one there is; return its webhooks, the edit's result.

    Raises: VersionConflict (others change them all the time), and what `edit` raises.
    """

    def write(text: str | None) -> tuple[str | None, tuple[Hooks, T]]:
        before = _read(text)
        after, result = edit(before)
        if after != before:
            text = msgspec.json.encode(after).decode() if after != Book() else None
        return text, (after.hooks, result)

    return await change_setting(store, match_id, HOOKS, write)


async def disable(
    store: EventStore, match_id: str, hook_id: str, reason: Disabled, at: int
) -> None:
    """Send nothing to a webhook any more."""

    def edit(book: Book) -> tuple[Book, None]:
        off = {"disabled": reason, "disabled_at": at}
        hooks = (replace(one, **off) if one.id == hook_id else one for one in book.hooks)
        return Book(tuple(hooks), book.carried), None

    await change(store, match_id, edit)


async def status(store: EventStore, match_id: str, hook_id: str) -> Status:
    """Return how sending went so far."""
    text = await store.get_setting(match_id, _key(hook_id))
    return Status() if text is None else _decode_status(text)


async def set_status(store: EventStore, match_id: str, hook_id: str, status: Status | None) -> None:
    """Note how sending went; None forgets it."""
    text = None if status is None else msgspec.json.encode(status).decode()
    await store.set_setting(match_id, _key(hook_id), text)


def _read(text: str | None) -> Book:
    found = Book() if text is None else _decode(text)
    return found if isinstance(found, Book) else Book(found)  # as it was written once


def _key(hook_id: str) -> str:
    return f"webhook:{hook_id}"
