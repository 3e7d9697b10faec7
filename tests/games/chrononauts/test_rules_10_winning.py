import pytest

from domain.engine.events import Fact, Outcome
from domain.engine.redaction import redact
from domain.games.chrononauts.events import SecretShown, VictoryClaimed
from tests.games.chrononauts.scenario import Table, scenario

TEN = "P1868 P1917 P1918 P1929 P1933 P1939 P1942 P1944 P1948 P1950"


def test_home_is_checked_at_the_end_of_the_own_turn() -> None:
    table = scenario(
        hands={0: "P1969"}, identities={0: "ID-BETTY"}, altered="1963", patches="P1968"
    )
    assert table.plays(0, "P1969").outcome() is None
    assert table.passes().outcome() == Outcome((0,), ("home",))


def test_a_mission_may_list_four_artifacts_of_which_any_three_suffice() -> None:
    facts = (Fact("M-RELICS", "slots", "A-ARK A-CROWN A-RELIC-3 A-REX"),)
    for own, wins in (
        ("A-ARK A-CROWN A-RELIC-3", True),
        ("A-ARK A-CROWN A-REX", True),
        ("A-CROWN A-RELIC-3 A-REX", True),
        ("A-ARK A-REX", False),
        ("A-ARK A-REX A-CURE", False),
    ):
        table = scenario(
            hands={0: "T-MEMO"}, missions={0: "M-RELICS"}, artifacts={0: own}, facts=facts
        )
        assert (table.throws(0, "T-MEMO").outcome() is not None) == wins


def test_one_artifact_fills_one_slot_only() -> None:
    facts = (Fact("M-FORGERY", "slots", "mona-lisa forgery A-MONA-OBVIOUS"),)
    for own, wins in (
        ("A-MONA-OBVIOUS A-MONA-EXCELLENT", False),
        ("A-MONA-OBVIOUS A-CURE A-REX", False),
        ("A-MONA-OBVIOUS A-MONA-EXCELLENT A-MONA-REAL", True),
    ):
        table = scenario(
            hands={0: "T-MEMO"}, missions={0: "M-FORGERY"}, artifacts={0: own}, facts=facts
        )
        assert (table.throws(0, "T-MEMO").outcome() is not None) == wins


def throws_with(hand: str, needed: int = 10) -> Table:
    return scenario(hands={0: f"{hand} T-MEMO"}, hand_victory=needed).throws(0, "T-MEMO")


def test_ten_cards_in_hand_win() -> None:
    assert throws_with(TEN).outcome() == Outcome((0,), ("power",))
    assert throws_with(f"{TEN} P1968").outcome() == Outcome((0,), ("power",))
    assert throws_with(TEN.removesuffix(" P1950")).outcome() is None


def test_identity_mission_and_artifacts_do_not_count_as_cards_in_hand() -> None:
    nine = TEN.removesuffix(" P1950")
    table = scenario(hands={0: f"{nine} A-REX"}, artifacts={0: "A-ARK A-CURE"})
    assert table.plays_out(0, "A-REX").outcome() is None


def test_nobody_wins_during_somebody_elses_turn() -> None:
    table = scenario(
        hands={0: "P1969", 1: "T-MEMO"}, identities={1: "ID-BETTY"}, altered="1963", patches="P1968"
    )
    table.plays_out(0, "P1969")
    assert table.outcome() is None
    table.throws(1, "T-MEMO")
    assert table.outcome() == Outcome((1,), ("home",))


def test_what_a_seat_needed_must_still_be_there_at_the_end_of_its_own_turn() -> None:
    table = scenario(
        hands={0: "P1969", 1: "I-RESTORE-HISTORY"},
        identities={1: "ID-BETTY"},
        altered="1963",
        patches="P1968",
    )
    table.plays_out(0, "P1969").plays_out(1, "I-RESTORE-HISTORY", linchpin=1963)
    assert table.outcome() is None


def test_several_ways_at_once_are_one_win_named_in_order() -> None:
    table = scenario(
        hands={0: f"{TEN} T-MEMO"},
        identities={0: "ID-BETTY"},
        missions={0: "M-RELICS"},
        artifacts={0: "A-ARK A-CROWN A-RELIC-3"},
        altered="1963",
        patches="P1968 P1969",
    )
    table.throws(0, "T-MEMO")
    assert table.events()[1:] == (
        VictoryClaimed(seat=0, ways=("home", "mission", "power")),
        SecretShown(which="identity", seat=0, card="ID-BETTY"),
        SecretShown(which="mission", seat=0, card="M-RELICS"),
    )
    assert table.outcome() == Outcome((0,), ("home", "mission", "power"))


def test_the_card_that_wins_is_shown_and_the_other_secret_is_not() -> None:
    table = scenario(
        hands={0: "T-MEMO"},
        missions={0: "M-RELICS"},
        identities={0: "ID-ANDY"},
        artifacts={0: "A-ARK A-CROWN A-RELIC-3"},
    )
    table.throws(0, "T-MEMO")
    seen = redact(table.match, 1).board.seats[0]
    assert seen.mission == ("M-RELICS",)
    assert seen.identity == (None,)


def test_a_claim_cannot_be_answered() -> None:
    table = scenario(
        hands={0: "A-REX", 1: "T-MEMO"},
        missions={0: "M-DINOSAURS"},
        artifacts={0: "A-DINO-2 A-DINO-3"},
    )
    table.plays(0, "A-REX").passes()
    assert table.asked() == ()
    assert table.outcome() == Outcome((0,), ("mission",))


def test_victory_is_claimed_by_itself_even_if_nothing_was_played() -> None:
    table = scenario(
        hands={0: "T-MEMO P1868 P1917"},
        missions={0: "M-RELICS"},
        artifacts={0: "A-ARK A-CROWN A-RELIC-3"},
    )
    table.kills_time(0, "T-MEMO", "P1868")
    assert table.outcome() == Outcome((0,), ("mission",))


def test_an_identity_replaced_in_the_turn_is_the_one_that_is_checked() -> None:
    table = scenario(
        hands={0: "X-PARENTS"},
        identities={0: "ID-ANDY"},
        identity_pile="ID-BETTY",
        altered="1963",
        patches="P1968 P1969",
    )
    table.plays_out(0, "X-PARENTS", player=0)
    assert table.outcome() == Outcome((0,), ("home",))


def test_an_identity_given_up_in_the_turn_does_not_win_any_more() -> None:
    table = scenario(
        hands={0: "X-PARENTS"},
        identities={0: "ID-BETTY"},
        identity_pile="ID-ANDY",
        altered="1963",
        patches="P1968 P1969",
    )
    assert table.plays_out(0, "X-PARENTS", player=0).outcome() is None


def test_a_mission_replaced_in_the_turn_is_the_one_that_is_checked() -> None:
    table = scenario(
        hands={0: "X-NEW-MISSION"},
        missions={0: "M-WISDOM"},
        mission_pile="M-RELICS",
        artifacts={0: "A-ARK A-CROWN A-RELIC-3"},
    )
    table.plays_out(0, "X-NEW-MISSION", player=0)
    assert table.outcome() == Outcome((0,), ("mission",))


def test_there_is_no_hand_limit() -> None:
    table = scenario(hands={0: "A-REX", 1: f"{TEN} T-MEMO T-REWIND"})
    table.plays_out(0, "A-REX")
    assert table.outcome() is None
    assert len(table.board.seats[1].hand) == 13


@pytest.mark.parametrize(("needed", "wins"), [(0, False), (10, True), (11, False)])
def test_the_number_of_cards_that_win_is_an_option(needed: int, wins: bool) -> None:
    assert (throws_with(TEN, needed).outcome() is not None) == wins


def test_a_win_by_power_shows_no_card_of_the_hand() -> None:
    table = throws_with(TEN)
    assert redact(table.match, 1).board.seats[0].hand == (None,) * 10
