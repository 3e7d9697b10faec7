from domain.engine.events import Fact
from tests.games.chrononauts.scenario import scenario


def test_an_artifact_useless_for_the_own_mission_may_be_played() -> None:
    table = scenario(hands={0: "A-REX"}, missions={0: "M-RELICS"})
    assert table.playable(0) == {"A-REX"}


def test_artifacts_on_the_table_have_no_powers_to_use() -> None:
    table = scenario(hands={0: "T-MEMO"}, artifacts={0: "A-REX A-MONA-REAL"})
    assert table.options(0) == {"discard:T-MEMO"}


def test_an_artifact_stays_until_sold_used_stolen_or_destroyed() -> None:
    table = scenario(
        seats=2,
        hands={0: "X-SELL", 1: "X-GET-THERE-FIRST"},
        artifacts={0: "A-ARK A-REX"},
        draw="P1868 P1917 P1918 P1929",
    )
    table.plays_out(0, "X-SELL", artifact="A-ARK")
    assert table.artifacts(0) == "A-REX"
    table.plays_out(1, "X-GET-THERE-FIRST", artifact="A-REX")
    assert (table.artifacts(0), table.artifacts(1)) == ("", "A-REX")


def test_a_condition_may_name_a_patch_or_a_true_year() -> None:
    for requires, altered, patches, playable in (
        ("1939'", "", "", False),
        ("1939'", "1936", "", False),
        ("1939'", "1936", "P1939", True),
        ("1939", "", "", True),
        ("1939", "1936", "", False),
        ("1980' 1981", "1980", "", True),
        ("1980' 1981", "1980 1981", "", False),
    ):
        table = scenario(
            hands={0: "A-CURE"},
            altered=altered,
            patches=patches,
            facts=(Fact("A-CURE", "requires", requires),),
        )
        assert (table.playable(0) == {"A-CURE"}) == playable


def test_a_condition_is_tested_for_a_fetched_artifact_too() -> None:
    table = scenario(
        hands={0: "T-REWIND"},
        discards="A-CURE",
        facts=(Fact("A-CURE", "requires", "1980'"),),
    )
    assert table.playable(0) == set()
