"""What is news: the turns in a log and its end, from its public events alone."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from domain.engine.events import Event, MatchEnded
from domain.engine.game import game_of
from domain.engine.ids import Seat
from service.store import Commit

_ENDED: Final = "match.finished"  # the event of the engine
_RESTORED: Final = "match.restored"


class News(Struct, frozen=True):
    """That a turn of a seat began, or that the match ended (no seat), at a version.

    `number` counts the turns that lead to this one, itself included; what an undo took back does
    not count, so that a turn which begins anew after it has the same number.
    """

    version: int
    at: int  # milliseconds since 1970
    number: int
    seat: Seat | None


class _Glimpse(Struct, frozen=True):
    """As much of a stored event as has to be known; cheaper than the whole."""

    type: str
    seat: Seat | None = None
    why: str = ""
    version: int = 0


_decode: Final = msgspec.json.Decoder(tuple[_Glimpse, ...]).decode


def is_alerting(game: str, events: Sequence[Event]) -> bool:
    """Tell whether a commit of these events brings news."""
    kinds = {type(event) for event in events}
    return MatchEnded in kinds or game_of(game).begins in kinds


def news(game: str, commits: Sequence[Commit]) -> Iterator[News]:
    """Yield all news of a log, in order; a turn that began and was taken back is among them."""
    begins = _tag(game_of(game).begins)
    counts = [0]  # by version: the turns that lead to it
    for commit in commits:
        for event in _decode(commit.events):
            count = counts[-1]
            if event.type.partition("@")[0] == begins:
                count += 1
                yield News(len(counts), commit.at, count, event.seat)
            elif event.type == _RESTORED and event.why == "undo":
                count = counts[min(event.version, len(counts) - 1)]
            elif event.type == _ENDED:
                yield News(len(counts), commit.at, count, None)
            counts.append(count)


def is_told_again(all_news: Sequence[News], one: News, since: int) -> bool:
    """Tell whether the same turn began before, later than a version, and was taken back."""
    return one.seat is not None and any(
        (other.number, other.seat) == (one.number, one.seat) and since < other.version < one.version
        for other in all_news
    )


def _tag(event: type[Event] | None) -> str | None:
    if event is None:
        return None
    return str(event.__struct_config__.tag).partition("@")[0]  # type: ignore[attr-defined]  # events are Structs
