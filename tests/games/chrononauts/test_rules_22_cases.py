"""The test cases of rules 22, number by number."""

import pytest

from domain.engine.events import Outcome
from domain.games.chrononauts.events import PatchNullified
from tests.games.chrononauts.scenario import scenario

LOST = Outcome((), ("universe_destroyed",))
MEMO = "T-MEMO"
TURN, RESTORE = "I-REVERSE-FATE", "I-RESTORE-HISTORY"


def test_case_1_1963_alone_and_with_1865() -> None:
    table = scenario(hands={0: TURN, 1: TURN})
    table.plays_out(0, TURN, linchpin=1963)
    assert table.paradoxes() == (1968, 1969)
    table.plays_out(1, TURN, linchpin=1865)
    assert table.paradoxes() == (1868, 1968, 1969, 1974)


def test_case_2_1969_patched_over_two_causes() -> None:
    table = scenario(
        hands={0: RESTORE, 1: RESTORE}, altered="1957 1963", patches="P1969", draw="A-REX"
    )
    table.plays_out(0, RESTORE, linchpin=1957)
    assert table.patches() == {1969: "P1969"}
    table.plays_out(1, RESTORE, linchpin=1963)
    assert table.patches() == {}
    assert table.hand(1) == "A-REX"  # drawn at the beginning of the turn


def test_case_3_the_tokyo_patch_goes_and_does_not_return() -> None:
    table = scenario(hands={0: TURN, 1: RESTORE}, altered="1943", patches="P1945-1")
    table.plays_out(0, TURN, linchpin=1941)
    assert (table.patches(), table.open()) == ({}, (1945, 1962))
    table.plays_out(1, RESTORE, linchpin=1941)
    assert (table.patches(), table.open()) == ({}, (1945, 1962))


def test_case_4_1936_alone_and_with_1941() -> None:
    table = scenario(hands={0: TURN, 1: TURN})
    table.plays_out(0, TURN, linchpin=1936)
    assert table.paradoxes() == (1939, 1942, 1945, 1948)
    table.plays_out(1, TURN, linchpin=1941)
    assert table.paradoxes() == (1939, 1942, 1944, 1945, 1948)


@pytest.mark.parametrize(("patches", "open_now", "outcome"), [("", 13, LOST), ("P1868", 12, None)])
def test_case_5_exactly_thirteen_or_one_patch_earlier_twelve(
    patches: str, open_now: int, outcome: Outcome | None
) -> None:
    table = scenario(hands={0: TURN}, altered="1865 1912 1936 1963 1980", patches=patches)
    table.plays_out(0, TURN, linchpin=1981)
    assert len(table.open()) == open_now
    assert table.outcome() == outcome


def test_case_6_the_war_from_beginning_to_end() -> None:
    table = scenario(
        seats=3, hands={0: TURN, 1: RESTORE, 2: RESTORE}, altered="1957 1963", patches="P1962"
    )
    assert "1963" not in table.targets(0, TURN)
    table.plays_out(0, TURN, linchpin=1943).plays_out(1, RESTORE, linchpin=1957)
    assert table.patches() == {1962: "P1962"}
    assert table.open() == (1945,)
    table.plays_out(2, RESTORE, linchpin=1943)
    assert table.patches() == {}
    assert table.open() == (1968, 1969)


@pytest.mark.parametrize("also", ["", "1936", "1941", "1943"])
def test_case_7_betty(also: str) -> None:
    table = scenario(
        hands={0: MEMO}, identities={0: "ID-BETTY"}, altered=f"1963 {also}", patches="P1968 P1969"
    )
    table.throws(0, MEMO)
    assert table.outcome() == (None if also else Outcome((0,), ("home",)))


@pytest.mark.parametrize("cause", ["1943", "1957"])
@pytest.mark.parametrize("spoilt", ["", "1912", "1915"])
def test_case_8_squa_tront(cause: str, spoilt: str) -> None:
    table = scenario(
        hands={0: MEMO},
        identities={0: "ID-SQUA-TRONT"},
        altered=f"1937 {cause} {spoilt}",
        patches="P1950 P1962",
    )
    table.throws(0, MEMO)
    assert table.outcome() == (None if spoilt else Outcome((0,), ("home",)))


def test_case_9_an_opponent_completes_my_identity() -> None:
    table = scenario(
        hands={0: "P1968", 1: MEMO}, identities={1: "ID-BETTY"}, altered="1963", patches="P1969"
    )
    assert table.plays_out(0, "P1968").outcome() is None
    assert table.throws(1, MEMO).outcome() == Outcome((1,), ("home",))


def test_case_10_nine_cards_at_the_start_of_my_turn() -> None:
    nine = "P1868 P1917 P1918 P1929 P1933 P1939 P1942 P1944 P1948"
    table = scenario(hands={0: nine}, altered="1865", draw="P1950 P1968 P1969", drawn=False)
    assert len(table.board.seats[0].hand) == 10
    table.plays_out(0, "P1868")
    assert table.outcome() == Outcome((0,), ("power",))
    table = scenario(hands={0: nine}, altered="1865", draw="P1950 P1968", drawn=False)
    assert table.throws(0, "P1868").outcome() is None


@pytest.mark.parametrize(
    ("real", "own", "wins"),
    [
        ("hand", "A-MONA-EXCELLENT", True),
        ("hand", "A-MONA-OBVIOUS", False),
        ("table", "A-MONA-EXCELLENT", False),
        ("table", "A-MONA-REAL", True),
    ],
)
def test_case_11_which_mona_lisa_convinces(real: str, own: str, wins: bool) -> None:
    monas = {"A-MONA-EXCELLENT", "A-MONA-OBVIOUS"} | ({"A-MONA-REAL"} if real == "table" else set())
    table = scenario(
        hands={0: MEMO, 1: "A-MONA-REAL" if real == "hand" else ""},
        missions={0: "M-MONA-DINOSAUR"},
        artifacts={0: f"{own} A-REX A-SHAKESPEARE", 1: " ".join(sorted(monas - {own}))},
    )
    assert (table.throws(0, MEMO).outcome() is not None) == wins


def test_case_12_memo_on_the_first_card_of_a_fast_forward_or_on_itself() -> None:
    table = scenario(hands={0: "T-FAST-FORWARD", 1: MEMO}, draw="A-REX A-ARK")
    table.plays_out(0, "T-FAST-FORWARD").plays(0, "A-REX").answers(1, MEMO).passes()
    assert table.asked() == (0,)
    table.plays_out(0, "A-ARK")
    assert table.artifacts(0) == "A-ARK"
    table = scenario(hands={0: "T-FAST-FORWARD", 1: MEMO}, draw="A-REX A-ARK")
    table.plays(0, "T-FAST-FORWARD").answers(1, MEMO).passes()
    assert table.hand(0) == ""
    assert table.asked() == (1,)


@pytest.mark.parametrize("card", ["T-REWIND", "T-QUICK-TRIP"])
def test_case_13_no_timewarp_is_fetched(card: str) -> None:
    warps = "T-FAST-FORWARD T-REWIND T-QUICK-TRIP T-MEMO A-REX"
    table = scenario(hands={0: card}, discards=warps, draw=warps, bare=True)
    assert table.plays_out(0, card).options(0) == {"play:A-REX"}


def test_case_14_limited_inverters_work_one_way() -> None:
    table = scenario(hands={0: "I-HALT-ATTACK"}).plays_out(0, "I-HALT-ATTACK", linchpin=1915)
    assert table.paradoxes() == (1917, 1933)
    halt = scenario(hands={0: "I-HALT-ATTACK"}, altered="1915")
    assert "1915" not in halt.targets(0, "I-HALT-ATTACK")
    prevent = scenario(hands={0: "I-PREVENT-ASSASSINATION"})
    assert "1936" not in prevent.targets(0, "I-PREVENT-ASSASSINATION")
    table = scenario(hands={0: "I-PREVENT-ASSASSINATION"}, altered="1936")
    table.plays_out(0, "I-PREVENT-ASSASSINATION", linchpin=1936)
    assert table.paradoxes() == ()


def test_case_15_five_more_open_ones_by_one_flip() -> None:
    table = scenario(hands={0: TURN}, altered="1912 1914 1941 1963 1980 1981", patches="P1945-2")
    assert len(table.open()) == 8
    table.plays_out(0, TURN, linchpin=1936)
    assert len(table.open()) == 13
    assert table.outcome() == LOST


def test_case_16_the_end_of_the_war_is_the_end_of_everything() -> None:
    late = "1957 1963 1980 1981 1993"
    assert len(scenario(altered=late, draw="P1868", bare=True).open()) == 7
    table = scenario(hands={0: "P1962"}, altered=late)
    table.plays_out(0, "P1962")
    assert table.open() == ()
    every = f"{late} 1865 1912 1914 1915 1936 1937 1941"
    table = scenario(hands={0: RESTORE}, altered=every, patches="P1962")
    assert len(table.open()) == 11
    table.plays_out(0, RESTORE, linchpin=1957)
    assert len(table.open()) == 18
    assert table.outcome() == LOST


def test_case_17_three_memos_in_a_row_and_two() -> None:
    table = scenario(seats=2, hands={0: f"A-REX {MEMO}", 1: f"{MEMO} {MEMO}"})
    table.plays(0, "A-REX").answers(1, MEMO)
    assert table.options(1) == set()
    table.answers(0, MEMO)
    assert table.options(0) == set()
    table.answers(1, MEMO).passes()
    assert table.discards() == f"{MEMO} {MEMO} {MEMO} A-REX"
    table = scenario(seats=2, hands={0: f"A-REX {MEMO}", 1: MEMO})
    table.plays(0, "A-REX").answers(1, MEMO).answers(0, MEMO).passes()
    assert table.artifacts(0) == "A-REX"


def test_case_18_a_memo_on_the_fetched_patch() -> None:
    table = scenario(
        hands={0: "T-REWIND", 1: MEMO},
        identities={0: "ID-RENEE"},
        altered="1865 1912 1936",
        patches="P1929 P1948",
        discards="P1868",
        bare=True,
    )
    table.plays_out(0, "T-REWIND").plays(0, "P1868").answers(1, MEMO).passes()
    assert table.discards() == f"{MEMO} P1868 T-REWIND"
    assert table.hand(0) == ""
    assert table.outcome() == Outcome((0,), ("home",))


def test_case_19_a_cancelled_sell_and_one_that_draws_its_own_artifact() -> None:
    table = scenario(hands={0: "X-SELL", 1: MEMO}, artifacts={0: "A-ARK"})
    table.plays(0, "X-SELL", artifact="A-ARK").answers(1, MEMO).passes()
    assert table.artifacts(0) == "A-ARK"
    table = scenario(hands={0: "X-SELL"}, artifacts={0: "A-ARK"}, draw="P1868", bare=True)
    assert table.plays_out(0, "X-SELL", artifact="A-ARK").hand(0) == "A-ARK P1868"


def test_case_20_a_patch_of_a_seat_that_left_comes_back() -> None:
    table = scenario(seats=3, hands={0: "T-REWIND", 1: "P1974"}, altered="1865 1963")
    table.concedes(1)
    assert table.discards() == "P1974"
    table.plays_out(0, "T-REWIND").plays_out(0, "P1974")
    assert table.patches() == {1974: "P1974"}
    table = scenario(
        seats=3, hands={0: "A-REX", 1: "P1974"}, altered="1865 1963", bare=True
    ).concedes(1)
    assert table.plays_out(0, "A-REX").hand(2) == "P1974"


def test_case_21_the_patch_on_1969_goes_during_the_war() -> None:
    table = scenario(hands={0: RESTORE}, altered="1943 1957", patches="P1962 P1969")
    table.plays_out(0, RESTORE, linchpin=1957)
    assert table.happened(PatchNullified) == (PatchNullified(year=1969, card="P1969"),)
    assert table.discards() == f"P1969 {RESTORE}"


def test_case_22_the_three_ways_to_win() -> None:
    """The sums of the case are those of the catalogue (`tests/catalogue/test_published.py`)."""
    ten = "P1868 P1917 P1918 P1929 P1933 P1939 P1942 P1944 P1948 P1950"
    won = [
        scenario(
            hands={0: MEMO}, identities={0: "ID-BETTY"}, altered="1963", patches="P1968 P1969"
        ),
        scenario(
            hands={0: MEMO}, missions={0: "M-RELICS"}, artifacts={0: "A-ARK A-CROWN A-RELIC-3"}
        ),
        scenario(hands={0: f"{MEMO} {ten}"}),
    ]
    reasons = [table.throws(0, MEMO).outcome() for table in won]
    assert reasons == [Outcome((0,), (way,)) for way in ("home", "mission", "power")]
