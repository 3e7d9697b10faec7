from collections import Counter

import pytest

from domain.engine.events import Outcome
from domain.games.chrononauts.events import (
    LinchpinTurned,
    PatchNullified,
    PlayEnded,
    UniverseDestroyed,
)
from domain.games.chrononauts.timeline import LINCHPINS
from tests.games.chrononauts.scenario import scenario
from tests.games.chrononauts.test_rules_05_ripples import ALL_STATES, paradoxes

LOST = Outcome(winners=(), reasons=("universe_destroyed",))
TWELVE = "1912 1936 1963 1980 1981"


def test_the_thirteenth_open_paradox_ends_the_game_at_once_and_everybody_loses() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered=TWELVE)
    assert len(table.open()) == 11
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    opened = (1868, 1929, 1933, 1939, 1942, 1945, 1948, 1968, 1969, 1974, 1986, 1991, 1999)
    assert table.events() == (
        LinchpinTurned(year=1865, side="altered"),
        PlayEnded(seat=0, card="I-REVERSE-FATE"),
        UniverseDestroyed(open=opened),
    )
    assert table.outcome() == LOST


def test_twelve_open_paradoxes_are_endured() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered=TWELVE)
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1914)
    assert len(table.open()) == 12
    assert table.outcome() is None


def test_more_than_thirteen_destroy_the_universe_too() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered="1865 1912 1914 1941 1963 1980 1981")
    assert len(table.open()) == 11
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1936)
    assert len(table.open()) == 15
    assert table.outcome() == LOST


def test_patched_paradoxes_do_not_count() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered=TWELVE, patches="P1929")
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert (len(table.paradoxes()), len(table.open())) == (13, 12)
    assert table.outcome() is None


@pytest.mark.parametrize(
    ("limit", "outcome"), [(13, LOST), (0, Outcome(winners=(0,), reasons=("home",)))]
)
def test_destruction_comes_before_the_victory_of_the_one_who_caused_it(
    limit: int, outcome: Outcome
) -> None:
    table = scenario(
        hands={0: "I-REVERSE-FATE"},
        identities={0: "ID-RENEE"},
        altered="1865 1912 1914 1936 1963 1980 1981",
        patches="P1929 P1948",
        paradox_limit=limit,
    )
    assert len(table.open()) == 12
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1993)
    assert table.outcome() == outcome


def test_a_patch_nullified_by_a_flip_counts_in_the_same_settle() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered="1912 1914 1941 1963", patches="P1945-2")
    before = set(table.open())
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1936)
    assert set(table.open()) - before == {1939, 1942, 1944, 1945, 1948}
    assert table.happened(PatchNullified) == (PatchNullified(year=1945, card="P1945-2"),)


def test_the_counts_over_all_states_are_those_of_the_rules() -> None:
    sizes = [(len(altered), len(paradoxes(altered))) for altered in ALL_STATES]
    assert sum(size >= 13 for _, size in sizes) == 1636
    most: Counter[int] = Counter()
    for altered, size in sizes:
        most[altered] = max(most[altered], size)
    assert [most[count] for count in range(14)] == [
        *(0, 4, 6, 8, 10, 11, 13, 14, 15, 16, 17, 18, 19, 19)
    ]
    assert [altered for altered, size in sizes if size == 19] == [12, 12, 13]
    assert min(altered for altered, size in sizes if size >= 13) == 6


def test_one_flip_adds_at_most_four_paradoxes() -> None:
    sizes = {altered: len(paradoxes(altered)) for altered in ALL_STATES}
    rises = [
        sizes[tuple(sorted((*altered, year)))] - size
        for altered, size in sizes.items()
        for year in LINCHPINS
        if year not in altered
    ]
    assert max(rises) == 4


def test_the_limit_can_be_moved_or_taken_off() -> None:
    for limit, lost in ((11, False), (4, True), (3, True), (0, False)):
        table = scenario(hands={0: "I-REVERSE-FATE"}, paradox_limit=limit)
        table.plays_out(0, "I-REVERSE-FATE", linchpin=1936)
        assert (table.outcome() == LOST) == lost


def test_a_limit_of_nineteen_means_all_of_them() -> None:
    every = "1865 1912 1914 1915 1936 1937 1941 1943 1957 1963 1980 1981"
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered=every, paradox_limit=19)
    assert len(table.open()) == 18
    assert table.plays_out(0, "I-REVERSE-FATE", linchpin=1993).outcome() == LOST
