"""What is wrong with a move that is refused: the first argument that no move offered goes with.

An argument with a domain names ids: as a list, or as a list of objects that each hold an id and how
often it counts (`[{"pile": "a", "tokens": 2}]`). A list without a domain is compared with all that
the moves offer at its place; its order does not matter.

All that is said comes from the moves that the seat may send, so it tells the seat nothing new.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from domain.engine.choices import Choice
from domain.engine.game import Domain, Move
from domain.engine.ids import Json

_MOST_LISTED: Final = 12


class Misfit(Struct, frozen=True):
    """An argument by its path, and what is wrong with it."""

    path: str
    reason: str


def misfit(moves: Sequence[Move], given: Mapping[str, Json]) -> Misfit | None:
    """Return what is wrong with the arguments, where these are the moves of that type.

    `None` if no argument alone is to blame, or no move of that type is offered at all.
    """
    named = {name: value for name, value in given.items() if value is not None}
    for name, value in named.items():
        fitting = [move for move in moves if _fits(move, name, value)]
        if moves and not fitting:
            return _wrong(moves, name, value)
        moves = fitting
    missing = sorted({name for move in moves for name in _needed(move)} - named.keys())
    if not missing or any(named.keys() >= _needed(move) for move in moves):
        return None
    return Misfit(missing[0], f"is missing; {_there_are(_offered(moves, missing[0]))}")


def picked(choice: Choice) -> Move:
    """Return the general form as a move: its picks have the options for a domain."""
    ids = tuple(option.id for option in choice.options)
    limits = tuple(option.limit for option in choice.options)
    domain = Domain(source=ids, limits=limits, min=choice.min, max=choice.max)
    return Move("choose", {"picks": ()}, (), {"picks": domain})


def _needed(move: Move) -> set[str]:
    named = {name for name, value in move.arguments.items() if value is not None}
    return named - move.domains.keys()


def _fits(move: Move, name: str, value: Json) -> bool:
    if name in move.domains:
        return _beyond(name, value, move.domains[name]) is None
    offered = move.arguments.get(name)
    if isinstance(offered, Sequence) and not isinstance(offered, str):
        return Counter(_ids(offered)) == Counter(_ids(value))
    return bool(offered == value)


def _wrong(moves: Sequence[Move], name: str, value: Json) -> Misfit:
    """Return why no move has this value."""
    for move in moves:
        if name in move.domains:
            found = _beyond(name, value, move.domains[name])
            assert found is not None, "it does not fit"
            return found
    offered = _offered(moves, name)
    if not offered:
        return Misfit(name, "is not for this move now; leave it out")
    lists = [one for one in offered if isinstance(one, Sequence) and not isinstance(one, str)]
    if not lists:
        return Misfit(name, f"is not offered; {_there_are(offered)}")
    counts = [Counter(_ids(one)) for one in lists]
    most = {key: max(one[key] for one in counts) for one in counts for key in sorted(one)}
    sizes = [one.total() for one in counts]
    domain = Domain(tuple(most), tuple(most.values()), min(sizes), max(sizes))
    return _beyond(name, value, domain) or Misfit(name, "do not go together now")


def _offered(moves: Sequence[Move], name: str) -> list[Json]:
    found = [move.arguments.get(name) for move in moves]
    return [value for value in found if value is not None]


def _beyond(name: str, value: Json, domain: Domain) -> Misfit | None:
    """Return what of a value lies outside of a domain, if anything does."""
    limits = dict(zip(domain.source, domain.limits, strict=True))
    for path, id, _ in _entries(value):
        if id not in limits:
            return Misfit(f"{name}.{path}", f"is not offered; {_there_are(domain.source)}")
    counts = Counter(_ids(value))
    for id, count in counts.items():
        if count > limits[id]:
            return Misfit(name, f"names {id} {count} times; at most {limits[id]}")
    total = counts.total()
    if domain.min <= total <= domain.max:
        return None
    wanted = f"{domain.min}" if domain.min == domain.max else f"{domain.min} to {domain.max}"
    return Misfit(name, f"names {total}; it takes {wanted}")


def _entries(value: Json) -> Iterator[tuple[str, str, int]]:
    """Yield each id with its path and how often it counts."""
    for number, entry in enumerate(value if isinstance(value, Sequence) else ()):
        if isinstance(entry, Mapping):
            times = sum(one for one in entry.values() if isinstance(one, int))
            for name, id in entry.items():
                if isinstance(id, str):
                    yield f"{number}.{name}", id, times
        else:
            yield str(number), str(entry), 1


def _ids(value: Json) -> Iterator[str]:
    for _, id, times in _entries(value):
        yield from (id for _ in range(times))


def _there_are(offered: Sequence[Json]) -> str:
    words = list(dict.fromkeys(str(one) for one in offered))
    more = f" and {len(words) - _MOST_LISTED} more" if len(words) > _MOST_LISTED else ""
    return f"there are {', '.join(words[:_MOST_LISTED])}{more}" if words else "there is nothing"
