import pytest

from domain.engine.events import Fact
from domain.games.chrononauts.events import CardsDrawn
from domain.games.chrononauts.victory import most_convincing
from tests.games.chrononauts.scenario import Table, scenario

REAL, EXCELLENT, OBVIOUS = "A-MONA-REAL", "A-MONA-EXCELLENT", "A-MONA-OBVIOUS"
REST = "A-REX A-SHAKESPEARE"


def ends_turn(mission: str, own: str, theirs: str = "", reading: str = "by-mission") -> bool:
    table = scenario(
        hands={0: "T-MEMO"}, missions={0: mission}, artifacts={0: own, 1: theirs}, mona_lisa=reading
    )
    return table.throws(0, "T-MEMO").outcome() is not None


@pytest.mark.parametrize(
    ("lying", "best"),
    [
        ("", None),
        (OBVIOUS, OBVIOUS),
        (EXCELLENT, EXCELLENT),
        (f"{OBVIOUS} {EXCELLENT}", EXCELLENT),
        (f"{OBVIOUS} {EXCELLENT} {REAL}", REAL),
        (f"{OBVIOUS} {REAL}", REAL),
    ],
)
def test_the_most_convincing_is_the_best_on_the_table_over_all_players(
    lying: str, best: str | None
) -> None:
    for mine in (0, 1):
        table = scenario(hands={0: "T-MEMO"}, artifacts={mine: lying})
        assert most_convincing(table.board) == best


def test_all_three_mona_lisas_count_whatever_their_rank() -> None:
    assert ends_turn("M-ALL-MONAS", f"{OBVIOUS} {REAL} {EXCELLENT}")
    assert not ends_turn("M-ALL-MONAS", f"{OBVIOUS} {EXCELLENT}", REAL)


@pytest.mark.parametrize("forgery", [EXCELLENT, OBVIOUS])
def test_either_forgery_counts_whatever_else_lies_on_the_table(forgery: str) -> None:
    assert ends_turn("M-FORGERY", f"{forgery} A-CURE A-DINO-2", REAL)
    assert ends_turn("M-FORGERY", f"{forgery} A-CURE A-DINO-2 {REAL}")


def test_the_real_thing_is_no_forgery() -> None:
    assert not ends_turn("M-FORGERY", f"{REAL} A-CURE A-DINO-2")


@pytest.mark.parametrize(
    ("own", "theirs", "wins"),
    [
        (OBVIOUS, "", True),
        (OBVIOUS, EXCELLENT, False),
        (EXCELLENT, OBVIOUS, True),
        (EXCELLENT, REAL, False),
        (f"{EXCELLENT} {REAL}", OBVIOUS, True),
        (REAL, f"{EXCELLENT} {OBVIOUS}", True),
    ],
)
def test_the_mona_lisa_is_only_the_most_convincing_one_in_play(
    own: str, theirs: str, wins: bool
) -> None:
    assert ends_turn("M-MONA-DINOSAUR", f"{own} {REST}", theirs) == wins


def test_a_forgery_counts_again_once_the_better_one_is_destroyed() -> None:
    table = scenario(
        hands={0: "X-IT-NEVER-EXISTED"},
        missions={0: "M-MONA-DINOSAUR"},
        artifacts={0: f"{OBVIOUS} {REST}", 1: REAL},
    )
    assert table.plays_out(0, "X-IT-NEVER-EXISTED", artifact=REAL).outcome() is not None


def test_a_better_one_stolen_into_another_row_still_outranks() -> None:
    table = scenario(
        seats=3,
        hands={0: "X-GET-THERE-FIRST", 1: "T-MEMO"},
        missions={1: "M-MONA-DINOSAUR"},
        artifacts={1: f"{OBVIOUS} {REST}", 2: REAL},
    )
    table.plays_out(0, "X-GET-THERE-FIRST", artifact=REAL).throws(1, "T-MEMO")
    assert table.outcome() is None


def test_paintings_in_hands_and_discards_do_not_matter() -> None:
    table = scenario(
        hands={0: "T-MEMO", 1: REAL},
        missions={0: "M-MONA-DINOSAUR"},
        artifacts={0: f"{OBVIOUS} {REST}"},
        discards=EXCELLENT,
    )
    assert table.throws(0, "T-MEMO").outcome() is not None


def sells(own: str, theirs: str) -> Table:
    table = scenario(
        hands={0: "X-SELL"}, artifacts={0: own, 1: theirs}, draw="P1868 P1917 P1918 P1929"
    )
    return table.plays_out(0, "X-SELL", artifact=own)


def test_selling_pays_the_bonus_only_for_the_most_convincing_one() -> None:
    three = CardsDrawn(seat=0, cards=("P1868", "P1917", "P1918"))
    assert three in sells(REAL, EXCELLENT).events()
    assert three in sells(EXCELLENT, OBVIOUS).events()
    assert three not in sells(EXCELLENT, REAL).events()


@pytest.mark.parametrize("mission", ["M-ALL-MONAS", "M-FORGERY"])
def test_in_the_sheets_reading_these_missions_keep_the_published_one(mission: str) -> None:
    own = f"{OBVIOUS} {REAL} {EXCELLENT} A-CURE A-DINO-2"
    assert ends_turn(mission, own, reading="genuine-only")


def test_in_the_sheets_reading_a_single_painting_named_counts_only_if_it_is_the_best() -> None:
    facts = (Fact("M-MIXED-1", "slots", f"{EXCELLENT} A-CROWN A-WISDOM-2"),)
    for theirs, reading, wins in (
        ("", "genuine-only", True),
        (OBVIOUS, "genuine-only", True),
        (REAL, "genuine-only", False),
        (REAL, "by-mission", True),
    ):
        table = scenario(
            hands={0: "T-MEMO"},
            missions={0: "M-MIXED-1"},
            artifacts={0: f"{EXCELLENT} A-CROWN A-WISDOM-2", 1: theirs},
            facts=facts,
            mona_lisa=reading,
        )
        assert (table.throws(0, "T-MEMO").outcome() is not None) == wins
