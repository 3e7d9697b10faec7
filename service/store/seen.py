"""The highest version this process has seen of each match, to notice a store that lost some."""

from collections import OrderedDict

from service.store.base import StoreRegressed


class Seen:
    """A bounded memory of versions; the match touched longest ago is forgotten first.

    Requests overtake each other, so an answer is compared with what was seen *before* its request
    was sent.
    """

    def __init__(self, capacity: int = 20_000) -> None:
        self._capacity = capacity
        self._versions: OrderedDict[str, int] = OrderedDict()

    def floor(self, match_id: str) -> int:
        """Return the version that the store cannot be below."""
        return self._versions.get(match_id, 0)

    def note(self, match_id: str, floor: int, found: int) -> None:
        """Remember a version found. Raises: StoreRegressed if it is below `floor`."""
        if found < floor:
            raise StoreRegressed(floor, found)
        if found > self._versions.get(match_id, 0):
            self._versions[match_id] = found
        if match_id in self._versions:
            self._versions.move_to_end(match_id)
        if len(self._versions) > self._capacity:
            self._versions.popitem(last=False)
