"""Measured in this process: the rules alone, without store or network."""

import time
from statistics import median

from bench.size import Size
from domain.engine.decider import fold
from domain.engine.events import Event
from domain.engine.playout import opening, plies
from domain.games import GAMES

_ROUNDS = 3


def playout(game: str, size: Size) -> float | None:
    """Return decisions a second of random playouts: every legal answer is listed, one is taken.

    The median of three rounds over the same matches, of every number of seats in turn.
    """
    known = {one.name: one for one in GAMES}
    if game not in known:
        return None
    seats = [count for count in known[game].seats if count > 1]
    rates = []
    for _ in range(_ROUNDS):
        decisions, began = 0, time.perf_counter()
        for number in range(size.playouts):
            seed = f"{number:032x}"
            _, match = opening(game, seats[number % len(seats)], seed)
            decisions += sum(1 for _ in plies(match, seed))
        rates.append(decisions / (time.perf_counter() - began))
    return median(rates)


def folding(size: Size) -> float:
    """Return events a second when a decoded match of Chrononauts is folded; median of rounds."""
    logs = [_events(number, seats) for number, seats in enumerate((2, 3, 4, 6))]
    rates = []
    for _ in range(size.folds):
        began = time.perf_counter()
        for events in logs:
            fold(events)
        rates.append(sum(map(len, logs)) / (time.perf_counter() - began))
    return median(rates)


def _events(number: int, seats: int) -> list[Event]:
    seed = f"{number:032x}"
    events, match = opening("chrononauts", seats, seed)
    for _, made, _ in plies(match, seed):
        events += made
    return events
