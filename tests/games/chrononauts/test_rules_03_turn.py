import pytest

from domain.engine.redaction import redact
from domain.games.chrononauts.events import CardDiscarded, CardsDrawn, TurnStarted
from tests.games.chrononauts.scenario import scenario


def test_a_turn_begins_with_drawing_one_card() -> None:
    table = scenario(hands={0: "P1868"}, draw="A-REX P1917", drawn=False)
    assert table.events() == (CardsDrawn(seat=0, cards=("A-REX",)),)
    assert table.options(0) == {"play:A-REX", "discard:A-REX", "discard:P1868"}
    assert table.bounds(0) == (1, 1)


def test_the_play_is_compulsory() -> None:
    assert scenario(hands={0: "A-REX"}).refusal(0, ()) == "illegal_choice"


def test_one_play_ends_the_turn() -> None:
    table = scenario(hands={0: "A-REX A-ARK"}, draw="P1868")
    table.plays_out(0, "A-REX")
    assert table.events()[1:] == (TurnStarted(seat=1), CardsDrawn(seat=1, cards=("P1868",)))


def test_a_player_who_could_play_may_discard() -> None:
    table = scenario(hands={0: "A-REX A-ARK"}, draw="P1868")
    table.throws(0, "A-REX")
    assert table.discards() == "A-REX"
    assert table.hand(0) == "A-ARK"
    assert table.asked() == (1,)


def test_killing_time_discards_two_and_then_draws_one() -> None:
    table = scenario(hands={0: "P1868 P1917 P1918"}, draw="P1929 A-REX")
    assert table.options(0) == {"discard:P1868", "discard:P1917", "discard:P1918"}
    table.picks(0, ("discard:P1917",))
    assert table.prompt(0) == "kill_time"
    assert table.options(0) == {"discard:P1868", "discard:P1918"}
    assert table.bounds(0) == (0, 1)
    table.picks(0, ("discard:P1868",))
    assert table.events()[:2] == (
        CardDiscarded(seat=0, card="P1868"),
        CardsDrawn(seat=0, cards=("P1929",)),
    )
    assert table.hand(0) == "P1918 P1929"
    assert table.discards() == "P1917 P1868"


def test_killing_time_leaves_the_hand_as_large_as_before_the_turn() -> None:
    table = scenario(hands={0: "P1868 P1917 P1918"}, draw="P1929 P1933", drawn=False)
    table.kills_time(0, "P1868", "P1917")
    assert len(table.board.seats[0].hand) == 3


def test_after_a_play_no_time_can_be_killed() -> None:
    table = scenario(hands={0: "A-REX P1868 P1917"})
    table.plays_out(0, "A-REX")
    assert table.asked() == (1,)


@pytest.mark.parametrize("first", [True, False])
def test_time_can_be_killed_at_each_play_of_a_fast_forward(first: bool) -> None:
    table = scenario(hands={0: "T-FAST-FORWARD P1868 P1917 A-ARK"}, draw="A-REX P1918 P1929 P1933")
    table.plays_out(0, "T-FAST-FORWARD")
    if first:
        table.kills_time(0, "P1868", "P1917").plays_out(0, "A-REX")
    else:
        table.plays_out(0, "A-REX").kills_time(0, "P1868", "P1917")
    assert table.hand(0) == "A-ARK P1918 P1929"
    assert table.artifacts(0) == "A-REX"
    assert table.asked() == (1,)


def test_time_can_be_killed_at_both_plays_of_a_fast_forward() -> None:
    table = scenario(
        hands={0: "T-FAST-FORWARD P1868 P1917"}, draw="A-REX P1918 P1929 P1933", drawn=True
    )
    table.plays_out(0, "T-FAST-FORWARD")
    table.kills_time(0, "P1868", "P1917").kills_time(0, "A-REX", "P1918")
    assert table.hand(0) == "P1929 P1933"
    assert table.asked() == (1,)


def test_drawing_first_the_card_drawn_may_be_the_one_thrown_away() -> None:
    table = scenario(hands={0: "P1868 P1917"}, draw="P1929 A-REX", kill_time="draw-first")
    table.picks(0, ("discard:P1917",))
    assert table.options(0) == {"kill_time"}
    assert table.bounds(0) == (0, 1)
    table.picks(0, ("kill_time",))
    assert table.events() == (CardsDrawn(seat=0, cards=("P1929",)),)
    assert table.options(0) == {"discard:P1868", "discard:P1929"}
    assert table.bounds(0) == (1, 1)
    table.picks(0, ("discard:P1929",))
    assert table.hand(0) == "P1868"
    assert table.asked() == (1,)


def test_drawing_first_time_need_not_be_killed() -> None:
    table = scenario(hands={0: "P1868 P1917"}, kill_time="draw-first")
    table.picks(0, ("discard:P1917",), ())
    assert table.hand(0) == "P1868"
    assert table.asked() == (1,)


def test_everybody_sees_the_discard_pile_and_the_sizes_of_hands_and_draw_pile() -> None:
    table = scenario(hands={0: "P1868", 1: "A-REX A-ARK"}, discards="P1917 T-MEMO")
    for viewer in (0, 1, None):
        seen = redact(table.match, viewer).board
        assert seen.draw.discards == ("P1917", "T-MEMO")
        assert [len(one.hand) for one in seen.seats] == [1, 2]
        assert len(seen.draw.cards) == len(table.board.draw.cards)


def test_hands_are_secret() -> None:
    table = scenario(hands={0: "P1868", 1: "A-REX A-ARK"})
    assert redact(table.match, 0).board.seats[1].hand == (None, None)
    assert redact(table.match, 1).board.seats[1].hand == ("A-REX", "A-ARK")
