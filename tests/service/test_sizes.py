"""A whole board is a small answer, at any size of table and at any time of a match."""

import gzip

import pytest

from domain.engine.match import Match
from domain.engine.playout import opening, plies
from domain.games import GAMES
from service.http import encoded
from service.snapshots import Snapshot
from service.views import to_moves, to_view

LARGEST = 16 * 1024
BETWEEN = 9  # plies between two looks
SIZES = [(game.name, seats) for game in GAMES for seats in game.seats if seats > 1]


def snapshot(match: Match[object]) -> Snapshot:
    now = 1_700_000_000_000
    return Snapshot(
        match_id="m" * 22,
        match=match,
        created_at=now,
        at=now,
        opened_at=now,
        public=True,
        records={},
    )


@pytest.mark.parametrize(("game", "seats"), SIZES)
def test_a_whole_board_stays_below_16_kib(game: str, seats: int) -> None:
    largest = dict.fromkeys(("board", "both", "packed"), 0)
    for seed in ("00" * 16, "5e" * 16):
        _, start = opening(game, seats, seed)
        match = start
        for number, (_, _, match) in enumerate(plies(start, seed)):
            if number % BETWEEN and match.outcome is None:
                continue
            shot = snapshot(match)
            for seat in range(seats):
                board = encoded(to_view(shot, seat, seat))
                both = board + encoded(to_moves(shot, seat))
                packed = gzip.compress(both, 6)
                found = {"board": len(board), "both": len(both), "packed": len(packed)}
                largest = {name: max(size, found[name]) for name, size in largest.items()}
        assert match.outcome is not None, "it was looked at to the end"
    print(game, seats, largest)
    assert largest["board"] < LARGEST
    assert largest["packed"] < LARGEST / 4
