"""One test a row of rules 19: what the sources leave open, as we settle it by default."""

from domain.engine.events import Outcome
from domain.games.chrononauts import GAME
from domain.games.chrononauts.cards.inverters import INVERTERS
from domain.games.chrononauts.cards.missions import MISSIONS
from tests.games.chrononauts.scenario import scenario

TEN = "P1868 P1917 P1918 P1929 P1933 P1939 P1942 P1944 P1948 P1950"
MEMO = "T-MEMO"


def test_row_1_each_1945_patch_has_the_conditions_of_the_stand_ins() -> None:
    every = "P1945-1 P1945-2 P1945-3"
    fitting = {
        altered: scenario(hands={0: every}, altered=altered).playable(0)
        for altered in ("1943", "1941", "1936")
    }
    assert fitting == {"1943": {"P1945-1"}, "1941": {"P1945-2"}, "1936": {"P1945-3"}}


def test_row_2_a_1945_patch_that_does_not_fit_is_not_playable() -> None:
    assert scenario(hands={0: "P1945-1"}, altered="1936").playable(0) == set()


def test_row_3_paradoxes_after_1962_do_not_count_during_the_war() -> None:
    table = scenario(altered="1957 1963", patches="P1962", draw="P1868", bare=True)
    assert table.open() == ()


def test_row_4_patches_after_1962_are_kept_during_the_war() -> None:
    table = scenario(hands={0: "P1962"}, altered="1957 1963", patches="P1968")
    assert table.plays_out(0, "P1962").patches() == {1962: "P1962", 1968: "P1968"}


def test_row_5_the_war_itself_is_no_paradox() -> None:
    table = scenario(altered="1957", patches="P1962", draw="P1868", bare=True)
    assert 1962 not in table.open()


def test_row_6_destruction_comes_before_victory() -> None:
    table = scenario(
        hands={0: f"I-REVERSE-FATE {TEN}"}, altered="1912 1936 1963 1980 1981", bare=True
    )
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.outcome() == Outcome((), ("universe_destroyed",))


def test_row_7_a_memo_may_answer_a_memo() -> None:
    table = scenario(hands={0: f"A-REX {MEMO}", 1: MEMO})
    table.plays(0, "A-REX").answers(1, MEMO)
    assert table.options(0) == {f"hand:{MEMO}"}


def test_row_8_a_cancelled_sell_costs_no_artifact() -> None:
    table = scenario(hands={0: "X-SELL", 1: MEMO}, artifacts={0: "A-REX"})
    assert table.plays(0, "X-SELL", artifact="A-REX").answers(1, MEMO).passes().artifacts(0)


def test_row_9_limited_inverters_have_the_targets_of_the_table() -> None:
    assert {card.id: card.turns for card in INVERTERS if card.turns} == {
        "I-PREVENT-ASSASSINATION": "1865' 1914' 1936 1963' 1980' 1981",
        "I-AVERT-DISASTER": "1912' 1915' 1937'",
        "I-HALT-ATTACK": "1915' 1941' 1993'",
        "I-SABOTAGE": "1937 1943' 1957'",
    }


def test_row_10_the_copies_are_those_of_the_stand_ins() -> None:
    counts = {card.id: card.count for card in scenario(hands={0: MEMO}).board.cards.play.values()}
    assert {card: count for card, count in counts.items() if count > 1} == {
        "I-REVERSE-FATE": 9,
        "I-RESTORE-HISTORY": 3,
        "I-PREVENT-ASSASSINATION": 3,
        "I-AVERT-DISASTER": 3,
        "T-REWIND": 3,
        "T-QUICK-TRIP": 2,
        "T-FAST-FORWARD": 2,
        "T-MEMO": 3,
        "X-GET-THERE-FIRST": 3,
        "X-IT-NEVER-EXISTED": 2,
        "X-SELL": 2,
        "X-DISCONTINUITY": 2,
    }


def test_row_11_there_are_six_kinds_of_inverters() -> None:
    assert len(INVERTERS) == 6


def test_row_12_what_was_filled_in_says_so() -> None:
    filled = {card.id for card in MISSIONS if card.provenance.get("slots") == "stand-in"}
    known = {"M-MONA-DINOSAUR", "M-ALL-MONAS"}
    assert filled == {card.id for card in MISSIONS} - known


def test_row_13_sell_draws_two_and_with_the_bonus_three() -> None:
    for artifact, size in (("A-ARK", 2), ("A-REX", 3)):
        table = scenario(hands={0: "X-SELL"}, artifacts={0: artifact})
        table.plays_out(0, "X-SELL", artifact=artifact)
        assert len(table.board.seats[0].hand) == size


def test_row_14_the_player_of_discontinuity_chooses_its_direction() -> None:
    table = scenario(hands={0: "X-DISCONTINUITY"})
    assert table.targets(0, "X-DISCONTINUITY") == {"left", "right"}


def test_row_15_1944_needs_both_causes() -> None:
    for altered, paradox in (("1936", False), ("1941", False), ("1936 1941", True)):
        table = scenario(altered=altered, draw="P1868", bare=True)
        assert (1944 in table.paradoxes()) == paradox


def test_row_16_ten_cards_by_discontinuity_count_at_the_end_of_the_own_turn_only() -> None:
    for cards, wins in ((TEN, True), (TEN.removesuffix(" P1950"), False)):
        table = scenario(hands={0: f"X-DISCONTINUITY {cards}"}, draw="A-REX")
        table.plays_out(0, "X-DISCONTINUITY", direction="left")
        assert table.outcome() is None
        table.throws(1, "A-REX")
        assert (table.outcome() is not None) == wins


def test_row_17_victory_is_claimed_by_itself() -> None:
    table = scenario(hands={0: f"{MEMO} {TEN}"})
    assert table.throws(0, MEMO).outcome() == Outcome((0,), ("power",))


def test_row_18_the_hand_set_aside_for_a_miracle_counts_once_it_is_back() -> None:
    table = scenario(hands={0: TEN}, small={0: f"{MEMO} A-REX"})
    table.throws(0, MEMO).throws(0, "A-REX")
    assert table.outcome() == Outcome((0,), ("power",))


def test_row_19_artifaxx_has_no_ten_card_victory_and_deals_three() -> None:
    table = scenario(hands={0: "A-REX"}, variant="artifaxx")
    assert table.board.options.hand_victory == 0


def test_row_20_solonauts_is_lost_with_thirteen_paradoxes() -> None:
    table = scenario(
        seats=1,
        variant="solonauts",
        hands={0: "I-REVERSE-FATE"},
        altered="1912 1936 1963 1980 1981",
        waiting="ID-ANDY",
    )
    table.plays(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.outcome() == Outcome((), ("universe_destroyed",), (0,))


def test_row_21_six_may_play_and_seven_may_not() -> None:
    assert GAME.seats == range(1, 7)
