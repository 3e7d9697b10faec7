import pytest

from domain.engine.events import Fact, Outcome
from domain.games.chrononauts.events import (
    CardsDrawn,
    LinchpinTurned,
    PatchNullified,
    PlayEnded,
    PointPatched,
    UniverseDestroyed,
)
from domain.games.chrononauts.view import view
from tests.games.chrononauts.scenario import scenario

LATE = (1963, 1968, 1969, 1974, 1980, 1981, 1986, 1991, 1993, 1995, 1999)


@pytest.mark.parametrize("cause", ["1943", "1957", "1943 1957"])
def test_the_war_patch_is_played_like_any_patch_and_pays_a_card(cause: str) -> None:
    table = scenario(hands={0: "P1962"}, altered=cause, draw="A-REX")
    assert table.playable(0) == {"P1962"}
    table.plays_out(0, "P1962")
    assert table.events()[:2] == (
        PointPatched(year=1962, card="P1962"),
        CardsDrawn(seat=0, cards=("A-REX",)),
    )
    assert table.board.timeline.war


def test_the_war_is_never_automatic() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE"}, altered="1957")
    assert 1962 in table.open()
    assert not table.board.timeline.war
    assert {"1963", "1980", "1981", "1993"} <= table.targets(0, "I-REVERSE-FATE")


def test_everything_later_than_1962_is_out_of_reach() -> None:
    table = scenario(altered="1957", patches="P1962", draw="P1868", bare=True)
    points = view(table.match, 0).timeline
    assert tuple(point.year for point in points if not point.reachable) == LATE


def test_no_inverter_is_aimed_at_a_later_year() -> None:
    table = scenario(hands={0: "I-REVERSE-FATE I-HALT-ATTACK"}, altered="1957", patches="P1962")
    early = {"1865", "1912", "1914", "1915", "1936", "1937", "1941", "1943", "1957"}
    assert table.targets(0, "I-REVERSE-FATE") == early
    assert table.targets(0, "I-HALT-ATTACK") == {"1915", "1941"}


def test_an_inverter_with_late_targets_only_cannot_be_played() -> None:
    table = scenario(
        hands={0: "I-HALT-ATTACK"}, altered="1915 1941 1957", patches="P1962", discards="P1868"
    )
    assert table.playable(0) == set()


def test_no_patch_is_played_on_a_later_year_but_on_an_early_one() -> None:
    table = scenario(hands={0: "P1968 P1969 P1868"}, altered="1865 1957 1963", patches="P1962")
    assert table.paradoxes() == (1868, 1962, 1968, 1969, 1974)
    assert table.playable(0) == {"P1868"}


def test_an_identity_with_a_later_true_year_cannot_win() -> None:
    table = scenario(
        hands={0: "T-MEMO"},
        identities={0: "ID-FRUITY"},
        altered="1865 1912 1957",
        patches="P1868 P1933 P1962",
    )
    assert table.throws(0, "T-MEMO").outcome() is None


def test_squa_tront_wins_by_the_war() -> None:
    table = scenario(
        hands={0: "P1962"}, identities={0: "ID-SQUA-TRONT"}, altered="1937 1957", patches="P1950"
    )
    table.plays_out(0, "P1962")
    assert table.outcome() == Outcome(winners=(0,), reasons=("home",))


def test_later_paradoxes_do_not_count_during_the_war() -> None:
    altered = "1957 1963 1980 1981 1993"
    table = scenario(hands={0: "P1962"}, altered=altered)
    assert table.open() == (1962, 1968, 1969, 1986, 1991, 1995, 1999)
    table.plays_out(0, "P1962")
    assert table.open() == ()


def test_by_option_later_paradoxes_count_during_the_war() -> None:
    table = scenario(
        hands={0: "P1962"}, altered="1957 1963 1980 1981 1993", late_paradoxes_count=True
    )
    table.plays_out(0, "P1962")
    assert table.open() == (1968, 1969, 1986, 1991, 1995, 1999)


def test_at_most_eleven_paradoxes_are_open_during_the_war() -> None:
    every = "1865 1912 1914 1915 1936 1937 1941 1943 1957 1963 1980 1981 1993"
    table = scenario(altered=every, patches="P1962", draw="P1868", bare=True)
    assert len(table.paradoxes()) == 19
    assert len(table.open()) == 11


def test_patches_on_later_years_stay_and_match_nobody_until_the_war_is_over() -> None:
    table = scenario(
        hands={0: "P1962", 1: "I-RESTORE-HISTORY"},
        identities={0: "ID-BETTY", 1: "ID-YURI"},
        altered="1957 1963 1981",
        patches="P1968 P1969 P1991",
    )
    table.plays_out(0, "P1962")
    assert table.patches() == {1962: "P1962", 1968: "P1968", 1969: "P1969", 1991: "P1991"}
    assert table.outcome() is None
    table.plays_out(1, "I-RESTORE-HISTORY", linchpin=1957)
    assert table.patches() == {1968: "P1968", 1969: "P1969", 1991: "P1991"}
    assert table.outcome() == Outcome(winners=(1,), reasons=("home",))


def test_missions_and_the_tenth_card_win_during_the_war() -> None:
    war = {"altered": "1957", "patches": "P1962"}
    mission = scenario(
        hands={0: "A-REX"},
        missions={0: "M-DINOSAURS"},
        artifacts={0: "A-DINO-2 A-DINO-3"},
        altered=war["altered"],
        patches=war["patches"],
    )
    assert mission.plays_out(0, "A-REX").outcome() == Outcome((0,), ("mission",))
    eleven = "P1868 P1917 P1918 P1929 P1933 P1939 P1942 P1944 P1948 P1950 T-MEMO"
    power = scenario(hands={0: eleven}, altered=war["altered"], patches=war["patches"])
    assert power.throws(0, "T-MEMO").outcome() == Outcome((0,), ("power",))


def test_the_war_goes_on_while_one_cause_is_altered() -> None:
    table = scenario(hands={0: "I-RESTORE-HISTORY"}, altered="1943 1957", patches="P1962")
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1957)
    assert table.patches() == {1962: "P1962"}
    assert table.board.timeline.war


def test_the_war_ends_when_both_causes_are_restored_and_later_years_count_as_they_stand() -> None:
    table = scenario(hands={0: "I-RESTORE-HISTORY"}, altered="1943 1963 1980", patches="P1962")
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1943)
    assert table.events()[:2] == (
        LinchpinTurned(year=1943, side="true"),
        PatchNullified(year=1962, card="P1962"),
    )
    assert table.open() == (1968, 1969, 1999)
    assert not table.board.timeline.war


def test_1957_feeds_1969_across_the_war() -> None:
    table = scenario(hands={0: "I-RESTORE-HISTORY"}, altered="1943 1957", patches="P1962 P1969")
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1957)
    assert table.happened(PatchNullified) == (PatchNullified(year=1969, card="P1969"),)
    assert table.discards() == "P1969 I-RESTORE-HISTORY"


def test_1865_feeds_1974_across_the_war() -> None:
    table = scenario(
        hands={0: "I-RESTORE-HISTORY"}, altered="1865 1943 1963", patches="P1962 P1974"
    )
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1865)
    assert table.happened(PatchNullified) == (PatchNullified(year=1974, card="P1974"),)


def test_the_war_patch_and_late_patches_lost_with_it_go_in_one_settle() -> None:
    table = scenario(hands={0: "I-RESTORE-HISTORY"}, altered="1957", patches="P1962 P1969")
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1957)
    assert table.happened(PatchNullified) == (
        PatchNullified(year=1962, card="P1962"),
        PatchNullified(year=1969, card="P1969"),
    )


def test_the_universe_is_checked_again_when_the_war_ends() -> None:
    table = scenario(
        hands={0: "I-RESTORE-HISTORY"},
        altered="1865 1912 1915 1936 1957 1963 1980 1981 1993",
        patches="P1962",
    )
    assert len(table.open()) == 8
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1957)
    (destroyed,) = table.happened(UniverseDestroyed)
    assert destroyed == UniverseDestroyed(open=table.open())
    assert len(table.open()) == 15
    assert table.events()[-2:] == (PlayEnded(seat=0, card="I-RESTORE-HISTORY"), destroyed)


def test_a_condition_on_a_late_year_is_not_met_during_the_war() -> None:
    album = (Fact("A-VIDEO", "requires", "1980'"),)
    table = scenario(hands={0: "A-VIDEO"}, altered="1957 1980", patches="P1962", facts=album)
    assert table.playable(0) == set()
    true = (Fact("A-VIDEO", "requires", "1980"),)
    table = scenario(hands={0: "A-VIDEO"}, altered="1957", patches="P1962", facts=true)
    assert table.playable(0) == set()
