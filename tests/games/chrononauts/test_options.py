import pytest

from domain.engine.decider import CreateMatch, create
from domain.engine.errors import InvalidOptions
from domain.engine.ids import Scalar
from domain.games.chrononauts import GAME
from domain.games.chrononauts.options import PRESETS, Options
from tests.games.chrononauts.scenario import opening, scenario

DEFAULTS: dict[str, Scalar] = {
    "variant": "standard",
    "handVictory": 10,
    "paradoxLimit": 13,
    "killTime": "discard-first",
    "monaLisa": "by-mission",
    "courtesySwap": False,
    "windowSeconds": 30,
    "lateParadoxesCount": False,
    "misfit1945": "forbidden",
    "ripple1944": "and",
    "restoringTargets": True,
    "newMissionTarget": "any",
    "discontinuity": "choice",
    "sellDraws": 2,
    "sellBonusDraws": 3,
    "turnCap": 0,
    "soloCharacters": 8,
    "soloHand": 5,
}


def created(seats: int = 2, **options: Scalar) -> dict[str, Scalar]:
    return create(CreateMatch("chrononauts", seats, options))[0].options


def refused(options: dict[str, Scalar], seats: int = 2) -> str:
    with pytest.raises(InvalidOptions) as error:
        create(CreateMatch("chrononauts", seats, options))
    assert error.value.code == "invalid_options"
    return error.value.message


def test_options_left_out_take_their_published_values() -> None:
    assert created() == created(preset="published") == DEFAULTS


def test_the_preset_of_the_sheet_changes_four_values() -> None:
    changed = {
        "handVictory": 11,
        "paradoxLimit": 19,
        "killTime": "draw-first",
        "monaLisa": "genuine-only",
    }
    assert created(preset="sheet") == {**DEFAULTS, **changed}
    assert set(PRESETS) == {"published", "sheet"}


def test_a_value_named_beside_a_preset_wins_over_it() -> None:
    assert created(preset="sheet", handVictory=12)["handVictory"] == 12


def test_artifaxx_plays_without_the_ten_card_victory_whatever_the_preset() -> None:
    assert created(variant="artifaxx")["handVictory"] == 0
    assert created(variant="artifaxx", preset="sheet")["handVictory"] == 0
    assert created(variant="artifaxx", handVictory=9)["handVictory"] == 9


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("variant", ["standart", 1]),
        ("handVictory", [-1, 81, "ten", True]),
        ("paradoxLimit", [-1, 20]),
        ("killTime", ["draw", False]),
        ("monaLisa", ["real"]),
        ("courtesySwap", [1, "yes"]),
        ("windowSeconds", [0, 86_401]),
        ("lateParadoxesCount", [0]),
        ("misfit1945", ["allowed"]),
        ("ripple1944", ["xor"]),
        ("restoringTargets", ["no"]),
        ("newMissionTarget", ["others"]),
        ("discontinuity", ["right"]),
        ("sellDraws", [0, 11]),
        ("sellBonusDraws", [0, 11]),
        ("turnCap", [-1, 100_001]),
        ("soloCharacters", [0, 15]),
        ("soloHand", [0, 21]),
        ("preset", ["default", 3]),
    ],
)
def test_a_bad_value_is_refused_and_the_option_is_named(name: str, values: list[Scalar]) -> None:
    for value in values:
        assert name in refused({name: value})


def test_an_unknown_option_is_refused_by_name() -> None:
    assert "paradoxLimitt" in refused({"paradoxLimitt": 13})
    assert "hand_victory" in refused({"hand_victory": 10})


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"variant": "foo"}, 'variant: one of artifaxx, solonauts, standard, not "foo"'),
        ({"handVictory": 81}, "handVictory: a whole number from 0 to 80, not 81"),
        ({"courtesySwap": 1}, "courtesySwap: true or false, not 1"),
        ({"preset": "foo"}, 'preset: one of published, sheet, not "foo"'),
        ({"soloHand": "x" * 99}, f'soloHand: a whole number from 1 to 20, not "{"x" * 39}…'),
    ],
)
def test_a_refusal_says_what_an_option_may_be(option: dict[str, Scalar], sentence: str) -> None:
    assert refused(option) == sentence


def test_a_refusal_names_every_option_that_is_wrong() -> None:
    with pytest.raises(InvalidOptions) as error:
        GAME.configure(2, {"variant": "foo", "killTime": "draw-first", "soloHand": 0, "x": 1}, ())
    assert error.value.detail["options"] == ["variant", "soloHand", "x"]
    assert "soloHand: a whole number from 1 to 20, not 0" in error.value.message
    assert "x: there is no such option; there are variant, handVictory, " in error.value.message


def test_every_option_is_tested_and_described() -> None:
    assert set(Options.__struct_encode_fields__) == set(DEFAULTS)


@pytest.mark.parametrize(
    ("variant", "allowed"),
    [("standard", (2, 3, 4, 5, 6)), ("artifaxx", (2, 3, 4)), ("solonauts", (1,))],
)
def test_each_variant_takes_its_number_of_seats(variant: str, allowed: tuple[int, ...]) -> None:
    for seats in GAME.seats:
        if seats in allowed:
            assert created(seats, variant=variant)["variant"] == variant
        else:
            assert f"variant {variant} takes" in refused({"variant": variant}, seats)


def test_the_window_is_as_long_as_the_option_says() -> None:
    assert opening(window_seconds=5).board.options.window_seconds == 5


# Options whose readings no other module compares.


@pytest.mark.parametrize(("reading", "shown"), [("and", False), ("or", True)])
def test_1944_hangs_on_both_or_on_either(reading: str, shown: bool) -> None:
    for cause in ("1936", "1941"):
        table = scenario(altered=cause, draw="P1868", bare=True, ripple_1944=reading)
        assert (1944 in table.paradoxes()) == shown


@pytest.mark.parametrize("reading", ["and", "or"])
def test_the_patch_on_1944_follows_the_reading(reading: str) -> None:
    table = scenario(
        hands={0: "I-RESTORE-HISTORY"},
        altered="1936 1941",
        patches="P1944",
        ripple_1944=reading,
    )
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1936)
    assert (table.patches() == {1944: "P1944"}) == (reading == "or")


@pytest.mark.parametrize(("artifact", "size"), [("A-ARK", 1), ("A-REX", 4)])
def test_sell_draws_what_the_options_say(artifact: str, size: int) -> None:
    table = scenario(hands={0: "X-SELL"}, artifacts={0: artifact}, sell_draws=1, sell_bonus_draws=4)
    table.plays_out(0, "X-SELL", artifact=artifact)
    assert len(table.board.seats[0].hand) == size


def test_late_paradoxes_that_count_can_destroy_the_universe_during_the_war() -> None:
    for late, lost in ((True, True), (False, False)):
        table = scenario(
            hands={0: "I-REVERSE-FATE"},
            altered="1865 1912 1936 1957 1963 1980 1981",
            patches="P1962",
            late_paradoxes_count=late,
            paradox_limit=14,
        )
        table.plays_out(0, "I-REVERSE-FATE", linchpin=1914)
        assert (table.outcome() is not None) == lost
