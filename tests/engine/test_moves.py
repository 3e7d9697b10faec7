"""What is listed for a choice: never nothing, and nothing that does not answer it."""

import pytest

from domain.engine.choices import Choice, Offer, Option, to_choice
from domain.engine.game import Domain, Move
from domain.engine.ids import Picks
from domain.engine.moves import all_moves
from tests.engine.lab import ask, begin


def listed(*options: Option, min: int = 1, max: int = 1) -> tuple[Move, ...]:
    """Return what the laboratory, which names no moves, lists for a choice."""
    choice: Choice = to_choice(7, 0, "menu", Offer(options, min, max), None)
    return all_moves(begin(ask("one")), choice)


def picks(moves: tuple[Move, ...]) -> list[Picks]:
    return [move.steps[0] for move in moves]


A, B, TWICE = Option("a"), Option("b"), Option("c", limit=2)


def test_a_body_is_complete() -> None:
    (move, _) = listed(A, B)
    assert move == Move("choose", {"choice": 7, "picks": ("a",)}, (("a",),))


@pytest.mark.parametrize(
    ("options", "min", "max", "wanted"),
    [
        ((A, B, TWICE), 1, 1, [("a",), ("b",), ("c",)]),
        ((A, B), 0, 1, [("a",), ("b",), ()]),
        ((), 0, 1, [()]),
        ((), 1, 1, [()]),
        ((A, B), 0, 0, [()]),
        ((A, B), 2, 2, [("a", "b")]),
        ((TWICE,), 2, 2, [("c", "c")]),
    ],
)
def test_few_answers_are_listed_one_by_one(
    options: tuple[Option, ...], min: int, max: int, wanted: list[Picks]
) -> None:
    moves = listed(*options, min=min, max=max)
    assert picks(moves) == wanted
    assert not any(move.domains for move in moves)


def test_many_answers_are_a_domain_with_the_first_of_them() -> None:
    (move,) = listed(A, B, TWICE, min=2, max=3)
    assert move.steps == (("a", "b"),)
    assert move.domains == {"picks": Domain(("a", "b", "c"), (1, 1, 2), min=2, max=3)}


def test_passing_is_listed_beside_a_domain() -> None:
    some, none = listed(A, B, TWICE, min=0, max=2)
    assert some.domains == {"picks": Domain(("a", "b", "c"), (1, 1, 2), min=1, max=2)}
    assert (some.steps, none.steps) == ((("a",),), ((),))
