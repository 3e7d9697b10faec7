from itertools import combinations

import pytest

from domain.games.chrononauts.cards.timeline import POINTS
from domain.games.chrononauts.events import LinchpinTurned
from tests.games.chrononauts.scenario import scenario

# What one altered linchpin alone turns into paradoxes.
RIPPLES = {
    1865: (1868,),
    1912: (1929, 1933),
    1914: (1918,),
    1915: (1917, 1933),
    1936: (1939, 1942, 1945, 1948),
    1937: (1950,),
    1941: (1945,),
    1943: (1945, 1962),
    1957: (1962, 1969),
    1963: (1968, 1969),
    1980: (1999,),
    1981: (1991,),
    1993: (1995,),
}

# The smallest sets of altered linchpins that turn a ripplepoint into a paradox.
CAUSES = {
    1868: ((1865,),),
    1917: ((1915,),),
    1918: ((1914,),),
    1929: ((1912,),),
    1933: ((1912,), (1915,)),
    1939: ((1936,),),
    1942: ((1936,),),
    1944: ((1936, 1941),),
    1945: ((1936,), (1941,), (1943,)),
    1948: ((1936,),),
    1950: ((1937,),),
    1962: ((1943,), (1957,)),
    1968: ((1963,),),
    1969: ((1957,), (1963,)),
    1974: ((1865, 1963),),
    1986: ((1980, 1981),),
    1991: ((1981,),),
    1995: ((1993,),),
    1999: ((1980,),),
}

INDEX = {
    "A": (1865, 1868, 1912, 1914, 1915, 1917, 1918, 1929),
    "B": (1933, 1936, 1937, 1939, 1941, 1942, 1943, 1944),
    "C": (1945, 1948, 1950, 1957, 1962, 1963, 1968, 1969),
    "D": (1974, 1980, 1981, 1986, 1991, 1993, 1995, 1999),
}


@pytest.mark.parametrize("year", RIPPLES)
def test_a_linchpin_turned_ripples_to_exactly_these_years(year: int) -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"})
    table.plays_out(0, "I-REVERSE-FATE", linchpin=year)
    assert table.events()[0] == LinchpinTurned(year=year, side="altered")
    assert table.paradoxes() == table.open() == RIPPLES[year]


@pytest.mark.parametrize("year", RIPPLES)
def test_a_linchpin_turned_back_leaves_history_as_it_was(year: int) -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered=str(year))
    assert table.paradoxes() == RIPPLES[year]
    table.plays_out(0, "I-REVERSE-FATE", linchpin=year)
    assert table.events()[0] == LinchpinTurned(year=year, side="true")
    assert table.paradoxes() == ()


@pytest.mark.parametrize("year", CAUSES)
def test_a_ripplepoint_is_a_paradox_exactly_for_its_causes(year: int) -> None:
    hangs_on = sorted({cause for causes in CAUSES[year] for cause in causes})
    for size in range(len(hangs_on) + 1):
        for altered in combinations(hangs_on, size):
            table = scenario(altered=" ".join(map(str, altered)), bare=True, draw="P1868")
            caused = any(set(causes) <= set(altered) for causes in CAUSES[year])
            assert (year in table.paradoxes()) == caused


@pytest.mark.parametrize("row", INDEX)
def test_a_row_of_the_timeline_holds_eight_points_in_order_of_year(row: str) -> None:
    points = [point for point in POINTS if point.index.startswith(row)]
    assert tuple(point.year for point in points) == INDEX[row]
    assert [point.index for point in points] == [f"{row}{column}" for column in range(1, 9)]


def test_every_point_has_its_test() -> None:
    assert [point.year for point in POINTS] == sorted({*RIPPLES, *CAUSES})
    assert {point.year for point in POINTS if point.linchpin} == set(RIPPLES)
