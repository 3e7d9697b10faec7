"""Every measurement, one after the other."""

from collections.abc import Callable, Mapping

from bench import core, served, stored
from bench.size import Size

Figures = dict[str, float | None]


def _playouts(size: Size) -> Figures:
    games = ("chrononauts", "ancient_knowledge")
    return {f"playout.{game}": core.playout(game, size) for game in games}


# name of a measurement: the figures it gives
MEASUREMENTS: Mapping[str, Callable[[Size], Figures]] = {
    "playout": _playouts,
    "fold": lambda size: {"fold": core.folding(size)},
    "load": lambda size: {"load.p50": stored.cold_load(size)},
    "rest": lambda size: {**served.loaded("rest", size)},
    "graphql": lambda size: {**served.loaded("graphql", size)},
    "views": lambda size: {**served.loaded("views", size)},
    "subscribers": lambda size: {**served.loaded("subscribers", size)},
    "growth": lambda size: {**served.loaded("growth", size)},
    "ready": lambda size: {"ready": served.ready(size)},
}


def measure(names: list[str], size: Size, advance: Callable[[int], None]) -> Figures:
    """Return the figures of the measurements named."""
    figures: Figures = {}
    for name in names:
        figures |= MEASUREMENTS[name](size)
        advance(1)
    return figures
