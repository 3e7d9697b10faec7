"""A whole board is a small answer, at any size of table, at any time of a match, to anybody.

The figures are those that the guide for mobile clients promises.
"""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from domain.engine.ids import Scalar, Viewer
from domain.engine.match import Match
from domain.engine.playout import opening, plies
from domain.games import GAMES
from service.http import encoded
from service.snapshots import Snapshot
from service.views import to_moves, to_view

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "mobile.md"
CONTRACT = 16 * 1024
BETWEEN = 9  # plies between two looks
VARIANTS = (("artifaxx", 2), ("artifaxx", 4), ("solonauts", 1))
SIZES: list[tuple[str, int, dict[str, Scalar]]] = [
    (game.name, seats, {}) for game in GAMES for seats in game.seats if seats > 1
]
SIZES += [("chrononauts", seats, {"variant": variant}) for variant, seats in VARIANTS]


def promised() -> tuple[int, int]:
    """Return what the guide says of board and moves with gzip, and of the board without, in KB."""
    packed, plain = re.findall(r"below (\d+) KB", GUIDE.read_text("utf-8"))
    return int(packed), int(plain)


def snapshot(match: Match[Any]) -> Snapshot:
    now = 1_700_000_000_000
    return Snapshot(
        match_id="m" * 24,
        match=match,
        created_at=now,
        at=now,
        opened_at=now,
        public=True,
        records={},
    )


@pytest.mark.parametrize(("game", "seats", "options"), SIZES, ids=str)
def test_a_whole_board_is_as_small_as_promised(
    game: str, seats: int, options: dict[str, Scalar]
) -> None:
    largest = dict.fromkeys(("board", "both", "packed"), 0)
    for seed in ("00" * 16, "5e" * 16):
        _, start = opening(game, seats, seed, options)
        match = start
        for number, (_, _, match) in enumerate(plies(start, seed)):
            if number % BETWEEN and match.outcome is None:
                continue
            shot = snapshot(match)
            for seat in (*range(seats), None):
                viewer: Viewer = seat if match.outcome is None else "all"
                both = board = encoded(to_view(shot, seat, viewer))
                if seat is not None:
                    both = board + encoded(to_moves(shot, seat))
                packed = gzip.compress(both, 6)
                found = {"board": len(board), "both": len(both), "packed": len(packed)}
                largest = {name: max(size, found[name]) for name, size in largest.items()}
        assert match.outcome is not None, "it was looked at to the end"
    print(game, seats, options, largest)
    packed_most, plain_most = promised()
    assert largest["board"] < plain_most * 1000 < CONTRACT
    assert largest["packed"] < packed_most * 1000
