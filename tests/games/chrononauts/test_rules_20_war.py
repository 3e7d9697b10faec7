import pytest

from domain.engine.events import Fact
from domain.games.chrononauts.events import PatchNullified
from tests.games.chrononauts.scenario import scenario


def test_an_inverter_on_an_early_linchpin_works_as_always_and_late_years_settle() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered="1865 1957 1963", patches="P1962 P1974")
    assert not {"1963", "1980", "1981", "1993"} & table.targets(0, "I-REVERSE-FATE")
    table.plays_out(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.happened(PatchNullified) == (PatchNullified(year=1974, card="P1974"),)
    assert table.discards() == "P1974 I-REVERSE-FATE"


def test_early_patches_are_played_as_always() -> None:
    table = scenario(hands={0: "P1917 P1968"}, altered="1915 1957 1963", patches="P1962")
    assert table.playable(0) == {"P1917"}


@pytest.mark.parametrize(
    ("card", "targets"),
    [
        ("X-SELL", {"A-ARK"}),
        ("X-MIRACLE-BIBLICAL", {"A-ARK"}),
        ("X-GET-THERE-FIRST", {"A-CURE"}),
        ("X-IT-NEVER-EXISTED", {"A-ARK", "A-CURE"}),
        ("X-DISCONTINUITY", {"left", "right"}),
        ("X-PARENTS", {"seat:0", "seat:1"}),
        ("X-NEW-MISSION", {"seat:0", "seat:1"}),
    ],
)
def test_actions_work_as_always(card: str, targets: set[str]) -> None:
    table = scenario(
        hands={0: card}, altered="1957", patches="P1962", artifacts={0: "A-ARK", 1: "A-CURE"}
    )
    assert table.targets(0, card) == targets


def test_an_artifact_on_the_table_stays_though_its_condition_is_out_of_reach() -> None:
    table = scenario(
        hands={0: "P1962"},
        altered="1957 1980",
        artifacts={0: "A-VIDEO"},
        facts=(Fact("A-VIDEO", "requires", "1980'"),),
    )
    assert table.plays_out(0, "P1962").artifacts(0) == "A-VIDEO"


@pytest.mark.parametrize("card", ["T-REWIND", "T-QUICK-TRIP"])
def test_no_late_patch_can_be_fetched(card: str) -> None:
    table = scenario(
        hands={0: card},
        altered="1865 1957 1963",
        patches="P1962",
        discards="P1968 P1868",
        draw="P1968 P1868",
        bare=True,
    )
    assert table.plays_out(0, card).playable(0) == {"P1868"}


def test_if_the_first_play_ends_the_war_the_second_sees_the_open_timeline() -> None:
    table = scenario(
        hands={0: "T-FAST-FORWARD I-RESTORE-HISTORY P1968"},
        altered="1957 1963",
        patches="P1962",
    )
    table.plays_out(0, "T-FAST-FORWARD")
    assert "P1968" not in table.playable(0)
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1957)
    assert "P1968" in table.playable(0)


def test_a_memo_can_stop_the_war_patch_while_it_is_played() -> None:
    table = scenario(hands={0: "P1962", 1: "T-MEMO"}, altered="1957")
    table.plays(0, "P1962").answers(1, "T-MEMO").passes()
    assert not table.board.timeline.war
    assert table.open() == (1962, 1969)


def test_an_identity_drawn_during_the_war_may_be_unwinnable_until_it_ends() -> None:
    table = scenario(
        hands={0: "X-PARENTS", 1: "I-RESTORE-HISTORY"},
        identity_pile="ID-BETTY",
        altered="1957 1963",
        patches="P1962 P1968 P1969",
    )
    assert table.plays_out(0, "X-PARENTS", player=0).outcome() is None
    table.plays_out(1, "I-RESTORE-HISTORY", linchpin=1957)
    assert table.outcome() is None
    table.throws(0, table.hand(0).split()[0])
    assert table.outcome() is not None
