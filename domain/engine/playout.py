"""Matches played by a seeded chooser: for laws, golden files and benchmarks."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from domain.engine.chance import Chance
from domain.engine.choices import Choice, answers
from domain.engine.decider import (
    Choose,
    CreateMatch,
    StartMatch,
    TakeSeat,
    carry_out,
    create,
    open_choice,
)
from domain.engine.events import Event
from domain.engine.ids import Picks, Scalar
from domain.engine.match import Match

ANSWER_LIMIT = 256
"""How many legal answers a chooser looks at; sets larger than this are cut, not sampled."""

Chooser = Callable[[Match[Any], Choice, Chance], Picks]


def at_random(match: Match[Any], choice: Choice, chance: Chance) -> Picks:
    """Pick one of the legal answers, each as likely as the other."""
    legal = tuple(islice(answers(choice), ANSWER_LIMIT))
    return legal[chance.below(len(legal))]


def opening(
    game: str, seats: int, seed: str, options: dict[str, Scalar] | None = None
) -> tuple[list[Event], Match[Any]]:
    """Return a match of that game just after its start, and the events so far."""
    first, match = create(CreateMatch(game=game, seats=seats, options=options or {}))
    events: list[Event] = [first]
    for seat in range(seats):
        run = carry_out(match, TakeSeat(seat=seat, player=f"player {seat}"))
        events += run.events
        match = run.match
    run = carry_out(match, StartMatch(seed=seed, salt=seed * 2))
    return events + run.events, run.match


def plies(
    match: Match[Any], seed: str, choose: Chooser = at_random, limit: int = 100_000
) -> Iterator[tuple[Choose, tuple[Event, ...], Match[Any]]]:
    """Yield one ply after the other until the match is over or `limit` plies are played.

    The seat to choose is the first one asked; its answer depends on `seed` and the version only.
    """
    for _ in range(limit):
        if match.outcome is not None:
            return
        seat = match.asked[0]
        choice = open_choice(match, seat)
        assert choice is not None
        picks = choose(match, choice, Chance(seed, match.version))
        command = Choose(seat=seat, choice=choice.id, steps=(picks,))
        run = carry_out(match, command)
        match = run.match
        yield command, tuple(run.events), match


def perft(match: Match[Any], depth: int) -> int:
    """Count the sequences of `depth` legal answers from here (fewer where the match ends)."""
    if depth == 0 or match.outcome is not None:
        return 1
    seat = match.asked[0]
    choice = open_choice(match, seat)
    assert choice is not None
    return sum(
        perft(carry_out(match, Choose(seat, choice.id, (picks,))).match, depth - 1)
        for picks in answers(choice)
    )
