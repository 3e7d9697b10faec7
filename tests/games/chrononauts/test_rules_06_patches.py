from domain.games.chrononauts.events import CardsDrawn, PatchNullified
from tests.games.chrononauts.scenario import scenario


def test_a_patch_is_playable_only_on_its_own_year() -> None:
    table = scenario(hands={0: "P1868 P1917"}, altered="1865")
    assert table.playable(0) == {"P1868"}


def test_a_patch_is_never_playable_on_a_true_side() -> None:
    assert scenario(hands={0: "P1868"}).playable(0) == set()


def test_a_patch_is_never_playable_on_a_patch() -> None:
    table = scenario(hands={0: "P1945-3"}, altered="1936", patches="P1945-3")
    assert table.playable(0) == set()


def test_a_patch_fetched_by_rewind_pays_a_card_too() -> None:
    table = scenario(hands={0: "T-REWIND"}, altered="1865", discards="P1868", draw="A-REX")
    table.plays_out(0, "T-REWIND").plays_out(0, "P1868")
    assert CardsDrawn(seat=0, cards=("A-REX",)) in table.events()


def test_a_patched_year_does_not_count_as_open() -> None:
    table = scenario(altered="1865 1914", patches="P1868", draw="P1917", bare=True)
    assert table.paradoxes() == (1868, 1918)
    assert table.open() == (1918,)


def test_nobody_gets_anything_for_a_patch_that_is_nullified() -> None:
    table = scenario(hands={0: "I-RESTORE-HISTORY"}, altered="1865", patches="P1868", draw="A-REX")
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1865)
    assert table.happened(PatchNullified) == (PatchNullified(year=1868, card="P1868"),)
    assert table.hand(0) == ""
    assert table.hand(1) == "A-REX"  # the card that begins the turn


def test_a_year_that_becomes_a_paradox_again_is_open_and_its_patch_does_not_return() -> None:
    table = scenario(
        hands={0: "I-REVERSE-FATE", 1: "I-REVERSE-FATE"}, altered="1865", patches="P1868"
    )
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    table.plays_out(1, "I-REVERSE-FATE", linchpin=1865)
    assert table.open() == (1868,)
    assert table.patches() == {}


def test_a_nullified_patch_can_come_back_by_rewind() -> None:
    table = scenario(
        hands={0: "I-RESTORE-HISTORY", 1: "T-REWIND"}, altered="1865 1936", patches="P1868 P1939"
    )
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1936)
    table.plays_out(1, "T-REWIND")
    assert table.playable(1) == {"I-RESTORE-HISTORY"}


def test_no_action_takes_a_patch_off() -> None:
    table = scenario(
        hands={0: "X-IT-NEVER-EXISTED"},
        altered="1865",
        patches="P1868",
        artifacts={1: "A-REX"},
    )
    assert table.targets(0, "X-IT-NEVER-EXISTED") == {"A-REX"}
