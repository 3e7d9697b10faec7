from domain.games.chrononauts.cards.timewarps import TIMEWARPS
from domain.games.chrononauts.events import (
    CardPlayed,
    CardsDrawn,
    DrawPileShuffled,
    PlayEnded,
    PointPatched,
    TurnStarted,
)
from tests.games.chrononauts.claims import card
from tests.games.chrononauts.scenario import scenario


@card("T-REWIND")
def test_rewind_plays_a_card_out_of_the_discard_pile() -> None:
    table = scenario(
        hands={0: "T-REWIND"}, altered="1963", discards="T-MEMO P1968 A-REX P1917", draw="A-ARK"
    )
    table.plays(0, "T-REWIND").passes()
    assert table.options(0) == {"play:A-REX", "play:P1968"}
    assert table.bounds(0) == (1, 1)
    table.plays(0, "P1968")
    assert table.events() == (CardPlayed(seat=0, card="P1968", source="discard"),)
    table.passes()
    assert table.events()[:3] == (
        PointPatched(year=1968, card="P1968"),
        CardsDrawn(seat=0, cards=("A-ARK",)),
        PlayEnded(seat=0, card="T-REWIND"),
    )
    assert table.discards() == "T-MEMO A-REX P1917 T-REWIND"
    assert table.hand(0) == "A-ARK"


def test_rewind_is_not_playable_with_nothing_to_fetch() -> None:
    for discards in ("", "T-MEMO T-QUICK-TRIP T-FAST-FORWARD T-REWIND", "P1968 I-RESTORE-HISTORY"):
        table = scenario(hands={0: "T-REWIND"}, discards=discards)
        assert table.options(0) == {"discard:T-REWIND"}


@card("T-QUICK-TRIP")
def test_quick_trip_plays_a_card_out_of_the_draw_pile_and_shuffles_it() -> None:
    table = scenario(
        hands={0: "T-QUICK-TRIP"},
        draw="P1917 A-REX T-REWIND I-AVERT-DISASTER",
        discards="A-ARK",
        bare=True,
    )
    table.plays(0, "T-QUICK-TRIP").passes()
    assert table.options(0) == {"play:A-REX", "play:I-AVERT-DISASTER"}
    assert table.shown(0) == ("A-REX", "I-AVERT-DISASTER", "P1917", "T-REWIND")
    table.plays(0, "A-REX").passes()
    ended, shuffled, over = table.events()[:3]
    assert ended == PlayEnded(seat=0, card="A-REX", to="table")
    assert isinstance(shuffled, DrawPileShuffled)
    assert not shuffled.discards
    assert sorted(map(str, shuffled.cards)) == ["I-AVERT-DISASTER", "P1917", "T-REWIND"]
    assert over == PlayEnded(seat=0, card="T-QUICK-TRIP")
    assert table.discards() == "A-ARK T-QUICK-TRIP"


@card("T-FAST-FORWARD")
def test_fast_forward_draws_two_and_grants_two_plays() -> None:
    table = scenario(hands={0: "T-FAST-FORWARD"}, draw="A-REX A-ARK P1868")
    table.plays(0, "T-FAST-FORWARD").passes()
    assert table.events() == (
        CardsDrawn(seat=0, cards=("A-REX", "A-ARK")),
        PlayEnded(seat=0, card="T-FAST-FORWARD"),
    )
    assert table.options(0) == {"play:A-ARK", "play:A-REX", "discard:A-ARK", "discard:A-REX"}
    table.plays_out(0, "A-REX")
    assert table.options(0) == {"play:A-ARK", "discard:A-ARK"}
    table.plays_out(0, "A-ARK")
    assert TurnStarted(seat=1) in table.events()
    assert table.artifacts(0) == "A-REX A-ARK"


@card("T-MEMO")
def test_memo_cancels_a_played_inverter() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE", 1: "T-MEMO"})
    table.plays(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.asked() == (1,)
    assert table.options(1) == {"hand:T-MEMO"}
    assert table.bounds(1) == (0, 1)
    table.answers(1, "T-MEMO")
    assert table.events() == (CardPlayed(seat=1, card="T-MEMO"),)
    assert table.asked() == (0,)
    table.passes()
    assert table.events()[:3] == (
        PlayEnded(seat=1, card="T-MEMO"),
        PlayEnded(seat=0, card="I-REVERSE-FATE", cancelled=True),
        TurnStarted(seat=1),
    )
    assert table.paradoxes() == ()
    assert table.discards() == "T-MEMO I-REVERSE-FATE"


def test_memo_on_the_own_turn_can_only_be_discarded() -> None:
    assert scenario(hands={0: "T-MEMO"}).options(0) == {"discard:T-MEMO"}


def test_the_deck_has_so_many_of_each_timewarp() -> None:
    assert {card.id: card.count for card in TIMEWARPS} == {
        "T-REWIND": 3,
        "T-QUICK-TRIP": 2,
        "T-FAST-FORWARD": 2,
        "T-MEMO": 3,
    }
