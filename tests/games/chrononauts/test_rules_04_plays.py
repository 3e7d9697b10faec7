import pytest

from domain.games.chrononauts.events import (
    CardPlayed,
    CardsDrawn,
    LinchpinTurned,
    PlayEnded,
    PointPatched,
)
from tests.games.chrononauts.scenario import scenario


def test_an_artifact_stays_in_front_of_its_player() -> None:
    table = scenario(hands={0: "A-REX"})
    assert table.plays_out(0, "A-REX").artifacts(0) == "A-REX"


def test_an_inverter_goes_to_the_discard_pile_after_the_turn_of_a_linchpin() -> None:
    table = scenario(hands={0: "I-AVERT-DISASTER"})
    table.plays_out(0, "I-AVERT-DISASTER", linchpin=1912)
    assert table.events()[:2] == (
        LinchpinTurned(year=1912, side="altered"),
        PlayEnded(seat=0, card="I-AVERT-DISASTER"),
    )


def test_a_patch_stays_on_its_year_and_draws_a_card_at_once() -> None:
    table = scenario(hands={0: "P1868"}, altered="1865", draw="A-REX")
    table.plays_out(0, "P1868")
    assert table.events()[:2] == (
        PointPatched(year=1868, card="P1868"),
        CardsDrawn(seat=0, cards=("A-REX",)),
    )


def test_an_action_or_timewarp_goes_to_the_discard_pile_after_its_effect() -> None:
    table = scenario(hands={0: "X-SELL"}, artifacts={0: "A-ARK"})
    table.plays_out(0, "X-SELL", artifact="A-ARK")
    assert table.discards() == "A-ARK X-SELL"


@pytest.mark.parametrize(
    "card",
    [
        "I-RESTORE-HISTORY",
        "P1868",
        "T-MEMO",
        "T-REWIND",
        "X-GET-THERE-FIRST",
        "X-IT-NEVER-EXISTED",
        "X-MIRACLE-BIBLICAL",
        "X-MIRACLE-FUTURE",
        "X-SELL",
    ],
)
def test_a_card_without_a_legal_target_can_only_be_discarded(card: str) -> None:
    assert scenario(hands={0: card}, discards="T-FAST-FORWARD").options(0) == {f"discard:{card}"}


@pytest.mark.parametrize(
    "card", ["T-FAST-FORWARD", "X-DISCONTINUITY", "X-NEW-MISSION", "X-PARENTS", "X-TIME-VORTEX"]
)
def test_a_card_that_needs_no_target_can_always_be_played(card: str) -> None:
    table = scenario(hands={0: card}, bare=True)
    assert table.options(0) == {f"discard:{card}", f"play:{card}"}


def test_the_target_is_announced_before_anybody_answers() -> None:
    table = scenario(hands={0: "X-SELL"}, artifacts={0: "A-ARK A-REX"})
    table.plays(0, "X-SELL", artifact="A-REX")
    assert table.events() == (CardPlayed(seat=0, card="X-SELL", targets={"artifact": "A-REX"}),)
    assert table.board.plays[0].targets == {"artifact": "A-REX"}
    assert table.artifacts(0) == "A-ARK A-REX"


@pytest.mark.parametrize("card", ["T-REWIND", "T-QUICK-TRIP"])
def test_the_card_to_be_fetched_is_chosen_after_the_window_on_the_timewarp(card: str) -> None:
    table = scenario(hands={0: card, 1: "T-MEMO"}, discards="A-REX", draw="A-ARK")
    table.plays(0, card)
    assert table.events() == (CardPlayed(seat=0, card=card),)
    assert table.prompt(1) == "respond"
    table.passes()
    assert table.prompt(0) == "fetch"
    table.plays(0, "A-REX" if card == "T-REWIND" else "A-ARK")
    assert table.prompt(1) == "respond"


def test_the_targets_of_a_fetched_card_are_announced_with_it() -> None:
    table = scenario(hands={0: "T-REWIND"}, discards="I-AVERT-DISASTER")
    table.plays_out(0, "T-REWIND").plays(0, "I-AVERT-DISASTER", linchpin=1915)
    assert table.events() == (
        CardPlayed(seat=0, card="I-AVERT-DISASTER", source="discard", targets={"linchpin": "1915"}),
    )


def test_a_card_being_played_lies_in_no_pile() -> None:
    table = scenario(hands={0: "T-REWIND"}, discards="A-REX")
    table.plays(0, "T-REWIND")
    assert table.hand(0) == ""
    assert table.discards() == "A-REX"
    table.passes().plays(0, "A-REX")
    assert [play.card for play in table.board.plays] == ["T-REWIND", "A-REX"]
    assert table.discards() == table.artifacts(0) == ""


def test_a_sell_being_played_is_not_shuffled_in_by_its_own_draw() -> None:
    table = scenario(
        hands={0: "X-SELL"}, artifacts={0: "A-ARK"}, discards="P1868", draw="P1917", bare=True
    )
    table.plays_out(0, "X-SELL", artifact="A-ARK")
    assert "X-SELL" not in table.hand(0).split()
    assert table.discards() == "X-SELL"


def test_the_plays_of_a_fast_forward_come_after_its_card_is_in_its_place() -> None:
    table = scenario(hands={0: "T-FAST-FORWARD"}, draw="A-REX A-ARK")
    table.plays_out(0, "T-FAST-FORWARD")
    assert table.board.plays == ()
    assert table.discards() == "T-FAST-FORWARD"


def test_plays_granted_inside_a_fetched_miracle_wait_until_the_timewarp_is_over_too() -> None:
    table = scenario(
        hands={0: "T-REWIND"},
        artifacts={0: "A-REX"},
        discards="X-MIRACLE-FUTURE",
        draw="T-FAST-FORWARD P1868 A-ARK A-CURE",
    )
    table.plays_out(0, "T-REWIND").plays_out(0, "X-MIRACLE-FUTURE", artifact="A-REX")
    table.plays_out(0, "T-FAST-FORWARD").throws(0, "P1868")
    assert table.events()[-2:] == (
        PlayEnded(seat=0, card="X-MIRACLE-FUTURE"),
        PlayEnded(seat=0, card="T-REWIND"),
    )
    assert table.playable(0) == {"A-ARK", "A-CURE"}
