"""Every reason why a table cannot stand so, and no other."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.games.ancient_knowledge.board import (
    EMPTY,
    Aside,
    Board,
    Cell,
    PastCard,
    Thrown,
    Tile,
)
from domain.games.ancient_knowledge.faults import faults
from tests.games.ancient_knowledge.scenario import opening

BOARD: Board = opening(2, starting_hands="ready-made").match.board


def found(board: Board, before: Board = BOARD) -> set[str]:
    return {f"{fault.path}: {fault.reason}" for fault in faults(board, before)}


def seat(number: int, **changes: Any) -> Board:
    places = list(BOARD.seats)
    places[number] = replace(places[number], **changes)
    return replace(BOARD, seats=tuple(places))


def cell(at: int, card: str, knowledge: int = 0) -> tuple[Cell | None, ...]:
    return (*EMPTY[:at], Cell(card, knowledge), *EMPTY[at + 1 :])


def test_a_table_just_dealt_has_no_fault() -> None:
    assert found(BOARD) == set()


def test_another_table_is_not_looked_at_further() -> None:
    other = replace(BOARD, options=replace(BOARD.options, turn_cap=3), actions=9)
    assert found(other) == {"options: are not those of the match"}
    assert found(replace(BOARD, seats=BOARD.seats[:1])) == {"seats: there are 2, not 1"}


def test_cards_that_are_missing_or_too_many_are_named() -> None:
    held = BOARD.seats[0].hand[0]
    twice = replace(BOARD, deck=(*BOARD.deck[1:], held, "city_99"))
    assert found(twice) == {
        f"deck: {held} is there 2 times",
        "deck: city_99 is no card of this deck",
        f"deck: {BOARD.deck[0]} is missing",
    }
    one, two = BOARD.tech_decks
    assert found(replace(BOARD, tech_decks=(one[1:], two[1:]))) == {
        f"levelOne: {one[0]} is missing",
        f"levelTwo: {two[0]} is missing",
    }
    assert found(seat(0, techs=("alchemy",))) == {"seats[0].technologies: alchemy is no technology"}


@pytest.mark.parametrize(
    ("board", "reason"),
    [
        (
            replace(BOARD, tiles=(Tile(1, ("a", "b", "c", "d")), *BOARD.tiles[1:])),
            "tiles[0]: it shows 3 technologies at most",
        ),
        (
            replace(BOARD, flipped=True),
            "tiles: there are three, two of level I until one has been turned",
        ),
        (seat(0, hand=("city_01",) * 11), "seats[0].hand: it holds 10 cards at most"),
        (seat(0, artifacts=("artifact_01",) * 6), "seats[0].artifacts: there are 5 slots"),
        (seat(0, artifacts=("city_01",)), "seats[0].artifacts: city_01 is no artifact"),
        (
            seat(0, timeline=cell(0, "artifact_01")),
            "seats[0].timeline: artifact_01 is no monument",
        ),
        (
            seat(0, timeline=cell(3, "city_01")),
            "seats[0].timeline: city_01 lies over an empty slot of space 2",
        ),
        (
            seat(0, timeline=cell(0, "city_01", 1000)),
            "seats[0].timeline: city_01 has between 0 and 999 tokens",
        ),
        (seat(0, timeline=EMPTY[:4]), "seats[0].timeline: it has 12 slots"),
        (seat(0, past=(PastCard("artifact_01"),)), "seats[0].past: artifact_01 is no monument"),
        (seat(0, lost=-1), "seats[0].lostKnowledge: is between 0 and 999"),
        (replace(BOARD, turn=5), "turn: seat 5 takes no turn"),
        (replace(BOARD, start=5), "start: there is no seat 5"),
        (replace(BOARD, actions=3), "actions: a turn has two"),
        (
            replace(BOARD, declining="city_01"),
            "declining: city_01 is not on the timeline of the seat on turn",
        ),
        (
            replace(BOARD, discard=(Thrown("city_01", 4),)),
            "discards[0].knownTo: there is no seat 4",
        ),
        (
            replace(BOARD, asides=(Aside(4, "attic", (), True),)),
            "setAside[0].seat: there is no seat 4",
        ),
        (
            replace(BOARD, asides=(Aside(4, "attic", (), True),)),
            "setAside[0].deck: there is no deck attic",
        ),
    ],
)
def test_a_fault_is_named(board: Board, reason: str) -> None:
    assert reason in found(board)


def test_a_match_with_a_cap_has_ended_after_it() -> None:
    capped = opening(2, turn_cap=5).match.board
    assert found(replace(capped, turns=6), capped) == {"turns: the match ends after 5"}
