"""Every reason why a table cannot stand so, and no other."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.chrononauts.board import Board, Pile, PlayUnderWay
from domain.games.chrononauts.faults import faults
from tests.games.chrononauts.scenario import opening

MATCH = opening(2)
BOARD: Board = MATCH.board


def found(board: Board, before: Board = BOARD) -> set[str]:
    return {f"{fault.path}: {fault.reason}" for fault in faults(board, before)}


def seat(number: int, **changes: Any) -> Board:
    places = list(BOARD.seats)
    places[number] = replace(places[number], **changes)
    return replace(BOARD, seats=tuple(places))


def test_a_table_just_dealt_has_no_fault() -> None:
    assert found(BOARD) == set()


def test_another_table_is_not_looked_at_further() -> None:
    other = replace(BOARD, options=replace(BOARD.options, hand_victory=3), altered=(1,))
    assert found(other) == {"options: are not those of the match"}
    assert found(replace(BOARD, seats=BOARD.seats[:1])) == {"seats: there are 2, not 1"}


def test_cards_that_are_missing_or_too_many_are_named() -> None:
    top, *rest = BOARD.draw.cards
    short = replace(BOARD, draw=Pile(tuple(rest)))
    assert {one.partition(":")[0] for one in found(short)} == {"drawPile"}
    twice = replace(BOARD, draw=Pile((*BOARD.draw.cards, "P1868", "X-NOTHING")))
    assert found(twice) == {
        "drawPile: P1868 is there 2 times, of 1",
        "drawPile: X-NOTHING is no card of this deck",
    }
    assert top is not None
    bare = replace(BOARD, identities=Pile(), missions=Pile())
    paths = {one.partition(":")[0] for one in found(bare)}
    assert paths == {"identityPile", "missionPile"}


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (replace(BOARD, altered=(1914, 1865)), "altered: the years are not in order"),
        (replace(BOARD, altered=(1868,)), "altered: 1868 is no linchpin"),
        (replace(BOARD, turn=7), "turn: seat 7 takes no turn"),
        (seat(0, shown=("hand",)), "seats[0].shown: hand is no secret of a seat"),
        (seat(1, gone=True), "seats[1]: who has conceded has no cards"),
        (
            replace(BOARD, plays=(PlayUnderWay(5, "P1868"),)),
            "plays[0].seat: there is no seat 5",
        ),
        (
            seat(1 - BOARD.turn, small=(("P1868",),)),
            f"seats[{1 - BOARD.turn}].smallHands: only the seat on turn has small hands",
        ),
        (seat(0, artifacts=("P1868",)), "seats[0].artifacts: P1868 is no artifact"),
        (
            replace(BOARD, patches=((1868, "P1868"), (1868, "P1868"))),
            "patches: the years are not in order",
        ),
        (replace(BOARD, patches=((1868, "P1917"),)), "patches: P1917 is no patch of 1868"),
        (
            replace(BOARD, patches=((1868, "P1868"),)),
            "patches: P1868 lies on 1868, which does not show its paradox",
        ),
    ],
)
def test_a_fault_is_named(board: Board, reason: str) -> None:
    assert reason in found(board)


def test_a_match_with_a_cap_has_ended_after_it() -> None:
    capped = opening(2, turn_cap=5).board
    assert found(replace(capped, turns=6), capped) == {"turns: the match ends after 5"}


def test_a_universe_that_is_destroyed_is_no_table() -> None:
    brittle = opening(2, paradox_limit=1).board
    assert found(replace(brittle, altered=(1865,)), brittle) == {
        "altered: 1 open paradoxes have destroyed the universe"
    }


def test_solonauts_counts_its_characters() -> None:
    solo = opening(1, variant="solonauts").board
    assert found(solo, solo) == set()
    fewer = replace(solo, waiting=solo.waiting[1:])
    assert found(fewer, solo) == {
        f"waiting: there are {len(solo.waiting) - 1} cards, not {len(solo.waiting)}"
    }
