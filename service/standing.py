"""The wish of a seat to pass every window by itself.

It is a setting beside the stream, for it stands in no event. With it stand the last commands that
changed it, so that a repeat changes nothing and gets the first answer.
"""

from typing import Final

import msgspec
from msgspec import Struct

from domain.engine.ids import Seat
from service.matches import Order, carried_before
from service.store import EventStore
from service.store.settings import change_setting

REMEMBERED: Final = 32  # commands of a seat


class Carried(Struct, frozen=True, array_like=True):
    """A command that was carried out when the match was at that version."""

    command: str
    digest: str
    version: int


class Wish(Struct, frozen=True, omit_defaults=True):
    """Whether a seat passes by itself, and the last commands that said so or not."""

    standing: bool = False
    carried: tuple[Carried, ...] = ()

    def version_of(self, order: Order) -> int | None:
        """Return the version at which a command was carried out, if it was.

        Raises:
            CommandReused: it was, with another body.
        """
        found = carried_before(self.carried, order)
        return None if found is None else found.version


_decode: Final = msgspec.json.Decoder(Wish | int).decode


async def wish_of(store: EventStore, match_id: str, seat: Seat) -> Wish:
    """Return what a seat wishes."""
    return _read(await store.get_setting(match_id, _key(seat)))


async def wish(
    store: EventStore, match_id: str, seat: Seat, standing: bool, order: Order, version: int
) -> None:
    """Let a seat pass by itself or be asked again, unless that command was carried out before.

    Raises: CommandReused, VersionConflict.
    """

    def edit(text: str | None) -> tuple[str | None, None]:
        known = _read(text)
        if known.version_of(order) is not None:
            return text, None
        carried = known.carried
        if order.digest:  # else the id is ours, and never comes again
            carried = (*carried, Carried(order.command, order.digest, version))[-REMEMBERED:]
        return msgspec.json.encode(Wish(standing, carried)).decode(), None

    await change_setting(store, match_id, _key(seat), edit)


def _read(text: str | None) -> Wish:
    if text is None:
        return Wish()
    found = _decode(text)
    return found if isinstance(found, Wish) else Wish(standing=True)  # as it was written once


def _key(seat: Seat) -> str:
    return f"standing:{seat}"
