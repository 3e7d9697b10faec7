"""How long to measure: long enough to mean something, or a moment, to see that it runs."""

from msgspec import Struct


class Size(Struct, frozen=True):
    """Matches, repetitions and seconds of every measurement."""

    playouts: int = 30
    folds: int = 20
    loads: int = 300
    warm_up: float = 2.0
    seconds: float = 8.0
    queries: float = 3.0
    matches: int = 32
    old_matches: int = 8
    old_version: int = 1000
    pairs: int = 400
    starts: int = 3
    subscribers: int = 1000
    events: int = 40


FULL = Size()
TINY = Size(
    playouts=1,
    folds=1,
    loads=2,
    warm_up=0.1,
    seconds=0.3,
    queries=0.1,
    matches=4,
    old_matches=1,
    old_version=80,
    pairs=4,
    starts=1,
    subscribers=20,
    events=3,
)
