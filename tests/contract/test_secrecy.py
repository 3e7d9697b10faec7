"""The secrecy law: whoever looks cannot tell two worlds apart that differ in hidden cards only.

What is compared is written at `check_secrecy` in `tests/kit/laws.py`.
"""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from domain.engine.agenda import Scope
from domain.engine.chance import Chance
from domain.engine.choices import Offer
from domain.engine.game import Game, register
from domain.engine.ids import Viewer
from domain.engine.match import Match
from domain.engine.playout import at_random
from domain.engine.redaction import redact
from domain.engine.worlds import face_down
from tests.games.toy.game import TOY, hushes
from tests.games.toy.words import Look, Respond
from tests.kit.laws import check_secrecy, decks_of, other_world
from tests.kit.matches import CASES, Case, Step, by_liking, walk

WALKS = range(6)
EVERY = 4
"""How many steps of a walk lie between two positions: 10 to 50 positions a walk."""
MOST = 160
"""Positions of one set-up, evenly spread where the walks are longer."""
PARTS = 4
"""So many tests share the positions of one set-up: comparing all takes long on a busy machine."""


def positions(case: Case) -> list[Step]:
    found: list[Step] = []
    for number in WALKS:
        chooser = by_liking if number % 3 == 2 else at_random
        walked = walk(case, number, chooser, concede=3 * (number % 2), expire=5)
        found += [step for at, step in enumerate(walked) if at % EVERY == number % EVERY]
    apart = max(1, len(found) / MOST)
    return [found[int(at * apart)] for at in range(min(MOST, len(found)))]


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("case", CASES, ids=str)
def test_nothing_tells_two_worlds_apart(case: Case, part: int) -> None:
    compared = 0
    for at, step in list(enumerate(positions(case)))[part::PARTS]:
        match = step.after
        for viewer in some_viewers(match, at):
            compared += check_secrecy(match, viewer, Chance(f"worlds {at}", match.version))
    assert compared > 0


def some_viewers(match: Match[Any], at: int) -> tuple[Viewer, ...]:
    """Return a seat that has to choose, another one in its turn, now and then the spectator."""
    seats = dict.fromkeys((*match.asked[:1], at % len(match.places)))
    return (*seats, None) if at % 5 == 0 else tuple(seats)


def test_a_thousand_positions_are_compared() -> None:
    counts = Counter({str(case): len(positions(case)) for case in CASES})
    assert counts.total() >= 1_000
    assert min(counts.values()) >= 20


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_other_world_differs_and_holds_the_same_cards(case: Case) -> None:
    """Guards the law against worlds that only look exchanged."""
    different = 0
    for at, step in enumerate(positions(case)[:40]):
        match = step.after
        for viewer in (0, None):
            other = other_world(match, viewer, Chance(f"worlds {at}", match.version))
            seen = redact(match, viewer).board
            here, there = list(face_down(match.board, seen)), list(face_down(other.board, seen))
            assert [spot.path for spot in here] == [spot.path for spot in there]
            assert Counter(spot.card for spot in here) == Counter(spot.card for spot in there)
            decks = decks_of(match)
            assert [decks[spot.card] for spot in here] == [decks[spot.card] for spot in there]
            different += here != there
    assert different > 40


def leaks(game: Game[Any]) -> bool:
    register(game)
    for number in range(20):
        for step in walk(Case(game.name, 3, {}), number):
            try:
                check_secrecy(step.after, 0, Chance("leaks", step.after.version))
            except AssertionError:
                return True
    return False


def test_a_window_that_asks_holders_only_is_found() -> None:
    def holders(scope: Scope[Any], question: Any) -> Offer:
        return replace(hushes(scope, question), always=False)

    assert not leaks(replace(TOY, name="toy-2"))
    assert leaks(replace(TOY, name="toy-3", offers={**TOY.offers, Respond: holders}))


def test_options_in_the_order_of_hidden_cards_are_found() -> None:
    def unsorted(scope: Scope[Any], question: Any) -> Offer:
        return replace(TOY.offers[Look](scope, question), shown=scope.board.pile)

    assert leaks(replace(TOY, name="toy-4", offers={**TOY.offers, Look: unsorted}))
