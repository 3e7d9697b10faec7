"""A setting that is changed as a whole or not at all."""

from collections.abc import Callable
from typing import Final, TypeVar

from service.store.base import EventStore, VersionConflict

T = TypeVar("T")

_ATTEMPTS: Final = 8


async def change_setting(
    store: EventStore, match_id: str, key: str, edit: Callable[[str | None], tuple[str | None, T]]
) -> T:
    """Put another value in the place of the one that there is; return the edit's result.

    Raises: VersionConflict (others change it all the time), and what `edit` raises.
    """
    for _ in range(_ATTEMPTS):
        before = await store.get_setting(match_id, key)
        after, result = edit(before)
        if after == before or await store.swap_setting(match_id, key, before, after):
            return result
    raise VersionConflict(0)
