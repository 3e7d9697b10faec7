"""One match played in this process by bots, and its full log."""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from msgspec import Struct

from domain.engine.chance import Chance
from domain.engine.choices import Choice
from domain.engine.decider import CreateMatch, StartMatch, TakeSeat, carry_out, create
from domain.engine.events import Event, Outcome
from domain.engine.ids import Picks, Scalar, Seat
from domain.engine.match import Match
from domain.engine.playout import Chooser, at_random, plies
from schema.log import Entry, Log, to_header
from service.bots import pick

PLY_LIMIT = 100_000
STEP = 1000
"""Milliseconds between two commits: simulated matches have a clock of their own, from 1970 on."""


class Plan(Struct, frozen=True):
    """What to play; match `number` of a plan is always the same match."""

    game: str
    seats: int
    options: dict[str, Scalar]
    bot: str
    seed: int


class Played(Struct, frozen=True):
    """A match that has been played; `outcome` is `None` where it found no end."""

    plies: int
    outcome: Outcome | None
    log: Log


def greedily(match: Match[Any], choice: Choice, chance: Chance) -> Picks:
    """Answer like the greedy bot of the service, by what the seat may see."""
    return pick(match, choice, "greedy", chance)


BOTS: Mapping[str, Chooser] = {"random": at_random, "greedy": greedily}


def play(plan: Plan, number: int) -> Played:
    """Play match `number` of the plan."""
    seed = _secret(plan, number, "seed")[:32]
    salt = _secret(plan, number, "salt")
    commits: list[tuple[Seat | None, tuple[Event, ...]]] = []
    first, match = create(CreateMatch(plan.game, plan.seats, plan.options))
    commits.append((None, (first,)))
    for seat in range(plan.seats):
        run = carry_out(match, TakeSeat(seat, f"{plan.bot} {seat}", plan.bot))
        match = run.match
        commits.append((seat, tuple(run.events)))
    run = carry_out(match, StartMatch(seed, salt))
    match = run.match
    commits.append((None, tuple(run.events)))
    count = 0
    for chosen, events, after in plies(match, seed, BOTS[plan.bot], PLY_LIMIT):
        match, count = after, count + 1
        commits.append((chosen.seat, events))
    return Played(plies=count, outcome=match.outcome, log=_log(name(plan, number), match, commits))


def name(plan: Plan, number: int) -> str:
    """Return the id of match `number` of the plan."""
    return f"{plan.game}-{plan.seats}-{plan.bot}-{plan.seed}-{number:05}"


def _secret(plan: Plan, number: int, what: str) -> str:
    return sha256(f"{what} of {name(plan, number)}".encode()).hexdigest()


def _log(
    match_id: str, match: Match[Any], commits: list[tuple[Seat | None, tuple[Event, ...]]]
) -> Log:
    entries: list[Entry] = []
    for at, (seat, events) in enumerate(commits):
        for event in events:
            entries.append(Entry(len(entries) + 1, at * STEP, seat, f"c{at}", event))
    return Log(header=to_header(match_id, match, 0, "all"), entries=tuple(entries))
