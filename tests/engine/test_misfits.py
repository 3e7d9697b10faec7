"""What is said of the arguments of a refused move: which is wrong, and what there is instead."""

import pytest

from domain.engine.choices import Offer, Option, to_choice
from domain.engine.game import Domain, Move
from domain.engine.ids import Json
from domain.engine.misfits import Misfit, misfit, picked


def play(**arguments: Json) -> Move:
    return Move("play", arguments, ())


HAND = Domain(("a", "b", "c"), (1, 1, 1), min=1, max=2)
LOADED = Domain(("m", "n"), (2, 1), min=1, max=3)
RECORD = Move(
    "record",
    {"cards": ("a",), "from": [{"monument": "m", "tokens": 1}]},
    (),
    {"cards": HAND, "from": LOADED},
)
PLAYS = [
    play(card="x", year=1865),
    play(card="x", year=1912),
    play(card="y"),
    play(card=None, source="hand"),
]
KILLS = [Move("kill", {"cards": [one, two]}, ()) for one, two in ("ab", "ac", "dd")]
PAID = [
    Move("build", {"card": "x", "space": space, "payment": ("a",)}, (), {"payment": domain})
    for space, domain in ((1, HAND), (2, LOADED))
]


@pytest.mark.parametrize(
    ("moves", "given", "path", "reason"),
    [
        (PLAYS, {"card": "z"}, "card", "is not offered; there are x, y"),
        (PLAYS, {"card": "x", "year": 3}, "year", "is not offered; there are 1865, 1912"),
        (PLAYS, {"card": "x"}, "year", "is missing; there are 1865, 1912"),
        (PLAYS, {"card": "y", "year": 1865}, "year", "is not for this move now; leave it out"),
        ([play(card=None)], {"card": "x"}, "card", "is not for this move now; leave it out"),
        (KILLS, {"cards": ["a", "z"]}, "cards.1", "is not offered; there are a, b, c, d"),
        (KILLS, {"cards": ["a"]}, "cards", "names 1; it takes 2"),
        (KILLS, {"cards": ["a", "a"]}, "cards", "names a 2 times; at most 1"),
        (KILLS, {"cards": ["b", "c"]}, "cards", "do not go together now"),
        ([RECORD], {"cards": ["a", "b", "c"]}, "cards", "names 3; it takes 1 to 2"),
        (
            [RECORD],
            {"cards": ["a"], "from": [{"monument": "m", "tokens": 1}, {"monument": "z"}]},
            "from.1.monument",
            "is not offered; there are m, n",
        ),
        (
            [RECORD],
            {"from": [{"monument": "m", "tokens": 2}, {"monument": "m", "tokens": 1}]},
            "from",
            "names m 3 times; at most 2",
        ),
        (PAID, {"card": "x", "space": 2, "payment": ["a"]}, "payment.0", "is not offered; "),
        (PAID, {"card": "x"}, "space", "is missing; there are 1, 2"),
    ],
)
def test_the_argument_that_does_not_fit_is_named(
    moves: list[Move], given: dict[str, Json], path: str, reason: str
) -> None:
    found = misfit(moves, given)
    assert found is not None
    assert found.path == path
    assert found.reason.startswith(reason)


@pytest.mark.parametrize(
    ("moves", "given"),
    [
        ([], {"card": "x"}),
        (PLAYS, {"card": "y"}),
        (PLAYS, {"card": "x", "year": 1865}),
        (KILLS, {"cards": ["c", "a"]}),
        ([RECORD], {"cards": ["b"], "from": [{"monument": "n", "tokens": 1}]}),
        (PAID, {"card": "x", "space": 1}),
    ],
)
def test_where_no_argument_alone_is_to_blame_none_is(
    moves: list[Move], given: dict[str, Json]
) -> None:
    assert misfit(moves, given) is None


def test_picks_are_an_argument_like_others() -> None:
    options = tuple(Option(f"o{number}") for number in range(15))
    move = picked(to_choice(7, 0, "menu", Offer(options, 1, 2), None))
    listed = ", ".join(f"o{number}" for number in range(12))
    assert misfit([move], {"picks": ("o1", "?")}) == Misfit(
        "picks.1", f"is not offered; there are {listed} and 3 more"
    )
    assert misfit([move], {"picks": ()}) == Misfit("picks", "names 0; it takes 1 to 2")
    nothing = picked(to_choice(7, 0, "menu", Offer((), 0, 0), None))
    assert misfit([nothing], {"picks": ("?",)}) == Misfit(
        "picks.0", "is not offered; there is nothing"
    )
