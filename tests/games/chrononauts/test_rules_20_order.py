import pytest

from domain.engine.events import Outcome
from domain.engine.redaction import redact
from domain.games.chrononauts.events import (
    CardsDrawn,
    DrawPileShuffled,
    LinchpinTurned,
    PatchNullified,
    PlayEnded,
    PointPatched,
    SecretReplaced,
    SecretShown,
    SecretsShuffled,
    TurnStarted,
)
from tests.games.chrononauts.scenario import scenario

NINE = "P1868 P1917 P1918 P1929 P1933 P1939 P1942 P1944 P1948"
LOST = Outcome((), ("universe_destroyed",))

# Order of things


def test_patches_fall_off_together_and_one_universe_check_follows() -> None:
    table = scenario(
        hands={0: "I-RESTORE-HISTORY"},
        altered="1865 1957 1963 1980 1981 1993",
        patches="P1962 P1969",
        paradox_limit=8,
    )
    assert table.open() == (1868,)
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1957)
    assert table.events() == (
        LinchpinTurned(year=1957, side="true"),
        PatchNullified(year=1962, card="P1962"),
        PlayEnded(seat=0, card="I-RESTORE-HISTORY"),
        *table.events()[3:],
    )
    assert table.patches() == {1969: "P1969"}
    assert len(table.open()) == 7
    assert table.outcome() is None


def test_a_patch_lies_on_its_year_before_its_bonus_is_drawn_and_the_bonus_has_no_window() -> None:
    table = scenario(hands={0: "P1962", 1: "T-MEMO"}, altered="1957", draw="A-REX A-ARK")
    table.plays(0, "P1962").passes()
    assert table.events() == (
        PointPatched(year=1962, card="P1962"),
        CardsDrawn(seat=0, cards=("A-REX",)),
        TurnStarted(seat=1),
        CardsDrawn(seat=1, cards=("A-ARK",)),
    )


@pytest.mark.parametrize("card", ["X-SELL", "X-MIRACLE-FUTURE"])
def test_the_artifact_is_discarded_before_the_draw_and_may_be_shuffled_in(card: str) -> None:
    table = scenario(hands={0: card}, artifacts={0: "A-ARK"}, draw="P1868", bare=True)
    table.plays_out(0, card, artifact="A-ARK")
    shuffled = table.happened(DrawPileShuffled)[0]
    assert shuffled == DrawPileShuffled(cards=("A-ARK",), discards=True)
    hand = table.hand(0) if card == "X-SELL" else table.small(0)
    assert hand == "A-ARK P1868"


def test_the_thirteenth_paradox_ends_a_fast_forward_before_its_second_play() -> None:
    table = scenario(hands={0: "T-FAST-FORWARD I-REVERSE-FATE"}, altered="1912 1936 1963 1980 1981")
    table.plays_out(0, "T-FAST-FORWARD").plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.outcome() == LOST
    assert table.asked() == ()


def test_the_thirteenth_paradox_ends_a_miracle_before_its_discard() -> None:
    table = scenario(small={0: "I-REVERSE-FATE P1868"}, altered="1912 1936 1963 1980 1981")
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.outcome() == LOST


def test_the_thirteenth_paradox_ends_a_rewind_while_it_is_being_played() -> None:
    table = scenario(
        hands={0: "T-REWIND"}, discards="I-REVERSE-FATE", altered="1912 1936 1963 1980 1981"
    )
    table.plays_out(0, "T-REWIND").plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.outcome() == LOST


@pytest.mark.parametrize("how", ["cancelled", "discarded", "killed time"])
def test_victory_is_checked_whatever_became_of_the_play(how: str) -> None:
    table = scenario(
        hands={0: "A-REX P1868", 1: "T-MEMO"},
        identities={0: "ID-BETTY"},
        altered="1963",
        patches="P1968 P1969",
    )
    match how:
        case "cancelled":
            table.plays(0, "A-REX").answers(1, "T-MEMO").passes()
        case "discarded":
            table.throws(0, "A-REX")
        case _:
            table.kills_time(0, "A-REX", "P1868")
    assert table.outcome() == Outcome((0,), ("home",))


# Empty piles and hands


def test_the_discards_are_reshuffled_when_a_draw_is_called_for_and_not_before() -> None:
    table = scenario(hands={0: "A-REX", 1: "A-ARK"}, draw="P1868", discards="P1917", bare=True)
    table.plays_out(0, "A-REX")
    assert (table.draw_pile(), table.discards()) == ("", "P1917")
    table.plays_out(1, "A-ARK")
    assert len(table.happened(DrawPileShuffled)) == 1


def test_with_both_piles_empty_the_turn_goes_on() -> None:
    table = scenario(hands={0: "A-REX", 1: "A-ARK"}, bare=True)
    table.plays_out(0, "A-REX")
    assert table.prompt(1) == "play"


def test_with_no_card_in_hand_the_play_is_skipped() -> None:
    table = scenario(hands={0: "A-REX", 2: "A-ARK"}, seats=3, bare=True)
    table.plays_out(0, "A-REX")
    assert table.happened(TurnStarted) == (TurnStarted(seat=1), TurnStarted(seat=2))
    assert table.asked() == (2,)


def test_a_seat_without_a_card_may_still_win_at_the_end_of_its_turn() -> None:
    table = scenario(
        hands={0: "A-REX"},
        identities={1: "ID-BETTY"},
        altered="1963",
        patches="P1968 P1969",
        bare=True,
    )
    assert table.plays_out(0, "A-REX").outcome() == Outcome((1,), ("home",))


@pytest.mark.parametrize("order", ["discard-first", "draw-first"])
def test_one_card_in_hand_may_be_played_or_discarded_but_kills_no_time(order: str) -> None:
    table = scenario(hands={0: "A-REX"}, kill_time=order)
    assert table.options(0) == {"play:A-REX", "discard:A-REX"}
    table.picks(0, ("discard:A-REX",))
    assert table.asked() == (1,)


def test_a_memo_alone_on_the_own_turn_must_be_discarded() -> None:
    assert scenario(hands={0: "T-MEMO"}).options(0) == {"discard:T-MEMO"}


def test_an_empty_identity_deck_is_made_of_its_discards_without_the_card_just_shown() -> None:
    table = scenario(
        hands={0: "X-PARENTS"},
        identities={0: "ID-YURI", 1: "ID-BETTY"},
        identity_pile="",
        identity_discards="ID-ANDY ID-TIMMY",
    )
    table.plays_out(0, "X-PARENTS", player=1)
    shuffled, replaced = table.events()[:2]
    assert isinstance(shuffled, SecretsShuffled)
    assert sorted(map(str, shuffled.cards)) == ["ID-ANDY", "ID-TIMMY"]
    assert replaced == SecretReplaced(
        which="identity", seat=1, shown="ID-BETTY", drawn=shuffled.cards[:1]
    )
    assert table.board.identities.cards == shuffled.cards[1:]
    assert table.board.identities.discards == ("ID-BETTY",)


def test_an_empty_mission_deck_is_made_of_its_discards_without_the_card_just_shown() -> None:
    table = scenario(
        hands={0: "X-NEW-MISSION"},
        missions={0: "M-RELICS", 1: "M-WISDOM"},
        mission_pile="",
        mission_discards="M-FORGERY",
    )
    table.plays_out(0, "X-NEW-MISSION", player=0)
    assert table.events()[:2] == (
        SecretsShuffled(which="mission", cards=("M-FORGERY",)),
        SecretReplaced(which="mission", seat=0, shown="M-RELICS", drawn=("M-FORGERY",)),
    )
    assert table.board.missions.discards == ("M-RELICS",)


def test_with_nothing_to_draw_the_player_keeps_the_identity_known_to_all() -> None:
    table = scenario(hands={0: "X-PARENTS"}, identities={1: "ID-YURI"}, identity_pile="")
    table.plays_out(0, "X-PARENTS", player=1)
    assert table.events()[0] == SecretShown(which="identity", seat=1, card="ID-YURI")
    assert redact(table.match, 0).board.seats[1].identity == ("ID-YURI",)
    assert redact(table.match, 0).board.seats[1].mission == (None,)


def test_with_nothing_to_draw_the_player_keeps_the_mission_known_to_all() -> None:
    table = scenario(hands={0: "X-NEW-MISSION"}, missions={1: "M-RELICS"}, mission_pile="")
    table.plays_out(0, "X-NEW-MISSION", player=1)
    assert table.events()[0] == SecretShown(which="mission", seat=1, card="M-RELICS")
    assert redact(table.match, 0).board.seats[1].mission == ("M-RELICS",)
    assert redact(table.match, 0).board.seats[1].identity == (None,)


def test_quick_trip_cannot_be_played_on_an_empty_draw_pile() -> None:
    table = scenario(hands={0: "T-QUICK-TRIP"}, discards="A-REX", bare=True)
    assert table.options(0) == {"discard:T-QUICK-TRIP"}


def test_quick_trip_that_finds_nothing_playable_is_spent_and_the_pile_is_shuffled() -> None:
    table = scenario(
        hands={0: "T-QUICK-TRIP"}, draw="P1868 T-MEMO T-REWIND", discards="A-REX", bare=True
    )
    assert table.playable(0) == {"T-QUICK-TRIP"}
    table.plays_out(0, "T-QUICK-TRIP")
    assert table.options(0) == set()
    assert table.bounds(0) == (0, 0)
    assert table.shown(0) == ("P1868", "T-MEMO", "T-REWIND")
    table.picks(0, ())
    shuffled, ended = table.events()[:2]
    assert isinstance(shuffled, DrawPileShuffled)
    assert ended == PlayEnded(seat=0, card="T-QUICK-TRIP")
    assert table.discards() == "A-REX T-QUICK-TRIP"


def test_quick_trip_must_take_something_playable_if_there_is_any() -> None:
    table = scenario(hands={0: "T-QUICK-TRIP"}, draw="P1868 A-REX", bare=True)
    table.plays_out(0, "T-QUICK-TRIP")
    assert table.bounds(0) == (1, 1)
    assert table.refusal(0, ()) == "illegal_choice"


def test_rewind_cannot_be_played_with_nothing_playable_among_the_discards() -> None:
    table = scenario(hands={0: "T-REWIND"}, discards="P1868 X-SELL")
    assert table.options(0) == {"discard:T-REWIND"}


@pytest.mark.parametrize(
    ("draw", "choices"),
    [
        ("A-REX A-VIDEO P1868", ["play:A-REX", "play:A-VIDEO", "discard:P1868"]),
        ("A-REX A-VIDEO", ["play:A-REX", "play:A-VIDEO", "discard:A-ARK"]),
        ("A-REX", ["play:A-REX", "play:A-ARK"]),
    ],
)
def test_a_miracle_with_a_short_pile_does_as_much_as_it_can(draw: str, choices: list[str]) -> None:
    table = scenario(hands={0: "X-MIRACLE-BIBLICAL"}, artifacts={0: "A-ARK"}, draw=draw, bare=True)
    table.plays_out(0, "X-MIRACLE-BIBLICAL", artifact="A-ARK")
    for pick in choices:
        assert pick in table.options(0)
        table.picks(0, (pick,))
        if table.prompt(1) == "respond":
            table.passes()
    assert table.asked() == (1,)
    assert table.board.seats[0].small == ()


def test_a_miracle_may_draw_its_own_artifact() -> None:
    table = scenario(
        hands={0: "X-MIRACLE-BIBLICAL", 1: "A-REX"},
        artifacts={0: "A-VIDEO"},
        bare=True,
    )
    table.plays_out(0, "X-MIRACLE-BIBLICAL", artifact="A-VIDEO")
    # Only the artifact itself was there to be drawn.
    assert table.small(0) == "A-VIDEO"
    table.throws(0, "A-VIDEO")
    assert table.asked() == (1,)


# Hands above ten


def test_ten_cards_in_mid_turn_are_nothing() -> None:
    table = scenario(hands={0: f"{NINE} T-FAST-FORWARD"}, draw="A-REX A-ARK A-CURE")
    table.plays_out(0, "T-FAST-FORWARD")
    assert len(table.board.seats[0].hand) == 11
    table.plays_out(0, "A-REX").plays_out(0, "A-ARK")
    assert table.outcome() is None


def test_ten_cards_on_somebody_elses_turn_are_nothing() -> None:
    table = scenario(hands={0: "X-DISCONTINUITY P1950", 1: f"{NINE} A-REX"}, draw="A-VIDEO A-CURE")
    table.plays_out(0, "X-DISCONTINUITY", direction="left")
    assert table.outcome() == Outcome((0,), ("power",))
    table = scenario(hands={0: f"X-DISCONTINUITY {NINE} P1950"}, draw="A-REX")
    table.plays_out(0, "X-DISCONTINUITY", direction="left")
    assert len(table.board.seats[1].hand) == 11
    assert table.outcome() is None
    table.throws(1, "A-REX")
    assert table.outcome() == Outcome((1,), ("power",))


# Endless games


def test_a_turn_cap_ends_the_match_without_a_winner() -> None:
    table = scenario(hands={0: "T-MEMO", 1: "T-MEMO"}, draw="P1868", turn_cap=2)
    table.throws(0, "T-MEMO")
    assert table.outcome() is None
    table.throws(1, "T-MEMO")
    assert table.outcome() == Outcome((), ("turn_cap",))


def test_a_victory_at_the_last_turn_counts_before_the_cap() -> None:
    table = scenario(
        hands={0: "T-MEMO"},
        identities={0: "ID-BETTY"},
        altered="1963",
        patches="P1968 P1969",
        turn_cap=1,
    )
    assert table.throws(0, "T-MEMO").outcome() == Outcome((0,), ("home",))
