"""Matches to test laws on: which games and set-ups there are, and seeded walks through them."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from domain.engine.chance import Chance
from domain.engine.choices import Choice, answers
from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    ExpireChoice,
    carry_out,
    is_window,
    open_choice,
)
from domain.engine.events import Event
from domain.engine.game import Game, game_of
from domain.engine.ids import Picks, Scalar
from domain.engine.match import Match, evolve
from domain.engine.playout import ANSWER_LIMIT, Chooser, at_random, opening
from domain.engine.redaction import redact
from domain.games import GAMES
from tests.games.toy.game import TOY

ALL_GAMES: tuple[Game[Any], ...] = (*GAMES, TOY)


class Case(NamedTuple):
    """A game set up in one way."""

    game: str
    seats: int
    options: dict[str, Scalar]

    def __str__(self) -> str:
        """Return a name for the test report."""
        words = [f"{name}={value}" for name, value in self.options.items()]
        return "-".join([self.game, str(self.seats), *words])


# A random match need not end, hence the caps.
_LISTED: tuple[Case, ...] = (
    Case("toy", 3, {}),
    Case("chrononauts", 1, {"variant": "solonauts"}),
    Case("chrononauts", 2, {"turnCap": 30}),
    Case("chrononauts", 3, {"turnCap": 30, "courtesySwap": True}),
    Case("chrononauts", 4, {"turnCap": 30, "preset": "sheet"}),
    Case("chrononauts", 5, {"turnCap": 30}),
    Case("chrononauts", 6, {"turnCap": 30}),
    Case("chrononauts", 2, {"turnCap": 40, "variant": "artifaxx"}),
    Case("chrononauts", 4, {"turnCap": 40, "variant": "artifaxx", "preset": "sheet"}),
)

CASES: tuple[Case, ...] = (
    *_LISTED,
    *(
        Case(game.name, seats, {})
        for game in ALL_GAMES
        for seats in game.seats
        if game.name not in {case.game for case in _LISTED}
    ),
)
"""Every set-up that the laws are tested on; a game not listed is taken as it comes."""


class Step(NamedTuple):
    """One command carried out."""

    before: Match[Any]
    command: Command
    events: tuple[Event, ...]
    after: Match[Any]

    def folds(self) -> Iterator[tuple[Match[Any], Event, Match[Any]]]:
        """Yield each event between the match before and after it."""
        match = self.before
        for event in self.events:
            after = evolve(match, event)
            yield match, event, after
            match = after


def seed_of(number: int) -> str:
    """Return the seed of that number: 128 bits in hexadecimal."""
    return f"{number:032x}"


def by_liking(match: Match[Any], choice: Choice, chance: Chance) -> Picks:
    """Pick as the greedy bot does: what it likes best, knowing what its seat may see."""
    seen = redact(match, choice.seat)
    like = game_of(match.game).greedy
    legal = legal_answers(choice)
    best = max(like(seen, choice, picks) for picks in legal)
    liked = [picks for picks in legal if like(seen, choice, picks) == best]
    return liked[chance.below(len(liked))]


def legal_answers(choice: Choice) -> tuple[Picks, ...]:
    """Return the first legal answers of a choice."""
    return tuple(picks for picks, _ in zip(answers(choice), range(ANSWER_LIMIT), strict=False))


def walk(
    case: Case,
    number: int,
    choose: Chooser = at_random,
    concede: int = 0,
    expire: int = 0,
    limit: int = 2_000,
) -> Iterator[Step]:
    """Play a match: any seat that is asked answers, in any order.

    In `concede` of a thousand steps some seat concedes instead; in `expire` of a hundred steps at
    an open window its time is up.
    """
    _, match = opening(case.game, case.seats, seed_of(number), case.options)
    for _ in range(limit):
        if match.outcome is not None:
            return
        command = next_command(
            match, Chance(f"walk {number}", match.version), choose, concede, expire
        )
        run = carry_out(match, command)
        yield Step(match, command, tuple(run.events), run.match)
        match = run.match


def next_command(
    match: Match[Any], chance: Chance, choose: Chooser, concede: int = 0, expire: int = 0
) -> Command:
    """Return what happens next in a walk."""
    if chance.below(1000) < concede:
        live = [seat for seat, place in enumerate(match.places) if not place.conceded]
        return Concede(live[chance.below(len(live))])
    if chance.below(100) < expire and is_window(match):
        return ExpireChoice(match.choice)
    seat = match.asked[chance.below(len(match.asked))]
    choice = open_choice(match, seat)
    assert choice is not None, "a seat that is asked has an open choice"
    return Choose(seat, choice.id, (choose(match, choice, chance),))
