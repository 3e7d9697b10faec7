"""Why a card cannot be played now: each reason, on a table where it is the one."""

import pytest

from domain.engine.decider import open_choice
from domain.engine.events import Fact
from domain.engine.redaction import redact
from domain.games.chrononauts.reasons import RULES, refused
from tests.games.chrononauts.scenario import Table, scenario


def reasons(table: Table, seat: int = 0) -> dict[str | None, str]:
    """Return the code for every card that the seat cannot play."""
    choice = open_choice(table.match, seat)
    assert choice is not None
    found = {one.card: one.code for one in refused(redact(table.match, seat), choice)}
    assert all(code in RULES.refusals for code in found.values())
    return found


@pytest.mark.parametrize(
    ("hand", "more", "code"),
    [
        ("T-MEMO", {}, "answer_only"),
        ("P1868", {}, "no_open_paradox"),
        ("P1868", {"altered": "1865"}, None),
        ("P1945-1", {"altered": "1936"}, "sides_do_not_fit"),
        ("X-SELL", {}, "no_artifact"),
        ("A-REX", {}, None),
    ],
)
def test_a_card_in_hand_says_why_not(hand: str, more: dict[str, str], code: str | None) -> None:
    table = scenario(hands={0: f"{hand} I-REVERSE-FATE"}, **more)  # type: ignore[arg-type]  # zones as words
    assert reasons(table).get(hand) == code
    assert ("play:" + hand in table.options(0)) == (code is None)


def test_a_condition_that_does_not_hold_is_named() -> None:
    facts = (Fact("A-VIDEO", "requires", "1980'"),)
    table = scenario(hands={0: "A-VIDEO I-REVERSE-FATE"}, facts=facts)
    assert reasons(table) == {"A-VIDEO": "condition_not_met"}


def test_the_war_puts_later_years_out_of_reach() -> None:
    table = scenario(hands={0: "P1968 I-REVERSE-FATE"}, altered="1936 1941 1963", patches="P1962")
    assert reasons(table)["P1968"] == "out_of_reach"


def test_in_a_window_only_answers_count() -> None:
    table = scenario(hands={0: "A-REX", 1: "T-MEMO P1868"}).plays(0, "A-REX")
    assert reasons(table, 1) == {"P1868": "no_answer"}


@pytest.mark.parametrize("card", ["T-REWIND", "T-QUICK-TRIP"])
def test_a_card_that_cannot_be_fetched_says_why_not(card: str) -> None:
    cards = "A-REX T-FAST-FORWARD T-MEMO P1868 X-SELL"
    where = "discards" if card == "T-REWIND" else "draw"
    table = scenario(hands={0: card}, bare=True, **{where: cards})  # type: ignore[arg-type]  # zones as words
    table.plays_out(0, card)
    assert table.playable(0) == {"A-REX"}
    assert reasons(table) == {
        "T-FAST-FORWARD": "not_to_be_fetched",
        "T-MEMO": "answer_only",
        "P1868": "no_open_paradox",
        "X-SELL": "no_artifact",
    }


def test_other_questions_refuse_nothing() -> None:
    table = scenario(hands={0: "A-REX P1868 P1939"}).picks(0, ("discard:P1868",))
    assert table.prompt(0) == "kill_time"
    assert reasons(table) == {}
