from itertools import product

from domain.games.chrononauts.events import PatchNullified
from domain.games.chrononauts.timeline import LINCHPINS, RIPPLEPOINTS, timeline
from tests.games.chrononauts.scenario import scenario

ALL_STATES = tuple(
    tuple(year for year, turned in zip(LINCHPINS, sides, strict=True) if turned)
    for sides in product((False, True), repeat=len(LINCHPINS))
)


def paradoxes(altered: tuple[int, ...]) -> set[int]:
    """Return the paradoxes of a state, written out year by year from the rules."""
    a = {year: year in altered for year in LINCHPINS}
    shown = {
        1868: a[1865],
        1917: a[1915],
        1918: a[1914],
        1929: a[1912],
        1933: a[1912] or a[1915],
        1939: a[1936],
        1942: a[1936],
        1944: a[1936] and a[1941],
        1945: a[1936] or a[1941] or a[1943],
        1948: a[1936],
        1950: a[1937],
        1962: a[1943] or a[1957],
        1968: a[1963],
        1969: a[1957] or a[1963],
        1974: a[1865] and a[1963],
        1986: a[1980] and a[1981],
        1991: a[1981],
        1995: a[1993],
        1999: a[1980],
    }
    return {year for year, paradox in shown.items() if paradox}


def test_every_one_of_the_8192_states_shows_the_paradoxes_of_the_rules() -> None:
    assert len(ALL_STATES) == 8192
    for altered in ALL_STATES:
        line = timeline(altered, (), "and", False)
        assert line.paradoxes == paradoxes(altered)
        assert line.open == tuple(sorted(paradoxes(altered)))


def test_with_1944_read_as_or_only_1944_differs() -> None:
    for altered in ALL_STATES:
        or_1944 = 1936 in altered or 1941 in altered
        expected = paradoxes(altered) - {1944} | ({1944} if or_1944 else set())
        assert timeline(altered, (), "or", False).paradoxes == expected


def test_there_are_19_ripplepoints_and_13_linchpins() -> None:
    assert len(RIPPLEPOINTS) == 19
    assert len(LINCHPINS) == 13


def test_an_or_year_stays_a_paradox_while_one_cause_is_left_and_its_patch_stays() -> None:
    table = scenario(hands={0: "I-RESTORE-HISTORY"}, altered="1957 1963", patches="P1969")
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1957)
    assert table.patches() == {1969: "P1969"}
    assert 1969 in table.paradoxes()


def test_an_and_year_closes_when_either_cause_is_restored_and_its_patch_is_lost() -> None:
    for year in (1865, 1963):
        table = scenario(hands={0: "I-RESTORE-HISTORY"}, altered="1865 1963", patches="P1974")
        table.plays_out(0, "I-RESTORE-HISTORY", linchpin=year)
        assert table.happened(PatchNullified) == (PatchNullified(year=1974, card="P1974"),)
        assert 1974 not in table.paradoxes()


def test_an_or_year_does_not_turn_over_again_when_its_second_cause_is_altered() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered="1912")
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1915)
    assert table.paradoxes() == (1917, 1929, 1933)


def test_a_linchpin_turned_there_and_back_within_a_turn_nullifies_patches_in_between() -> None:
    table = scenario(
        hands={0: "T-FAST-FORWARD I-REVERSE-FATE"},
        altered="1865",
        patches="P1868",
        draw="I-REVERSE-FATE P1917",
    )
    table.plays_out(0, "T-FAST-FORWARD")
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.happened(PatchNullified) == (PatchNullified(year=1868, card="P1868"),)
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.open() == (1868,)
    assert table.patches() == {}


def test_patches_that_lose_their_footing_together_go_in_order_of_year() -> None:
    table = scenario(
        hands={0: "I-RESTORE-HISTORY"}, altered="1936", patches="P1948 P1939 P1945-3 P1942"
    )
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1936)
    assert table.discards() == "P1939 P1942 P1945-3 P1948 I-RESTORE-HISTORY"


def test_a_ripplepoint_is_no_target_of_any_inverter() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered="1865")
    assert not table.targets(0, "I-REVERSE-FATE") & {str(year) for year in RIPPLEPOINTS}
