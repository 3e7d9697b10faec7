import pytest

from domain.engine.events import Outcome
from domain.engine.redaction import redact
from domain.games.chrononauts.events import (
    CardDiscarded,
    CardsDrawn,
    CharacterHome,
    DrawPileShuffled,
    PatchNullified,
    PointPatched,
    UniverseDestroyed,
)
from tests.games.chrononauts.scenario import Table, opening, scenario


def solo(
    hand: str,
    waiting: str,
    altered: str = "",
    patches: str = "",
    draw: str = "",
    home: str = "",
    turn_cap: int = 0,
) -> Table:
    return scenario(
        seats=1,
        variant="solonauts",
        bare=True,
        hands={0: hand},
        waiting=waiting,
        altered=altered,
        patches=patches,
        draw=draw,
        home=home,
        turn_cap=turn_cap,
    )


def test_only_the_41_inverters_and_patches_are_used() -> None:
    board = opening(1, variant="solonauts").board
    cards = [str(card) for card in (*board.seats[0].hand, *board.draw.cards)]
    assert len(cards) == 41
    assert {card[0] for card in cards} == {"I", "P"}
    assert board.missions.cards == board.identities.cards == ()


def test_eight_identities_and_a_hand_of_five_lie_open() -> None:
    match = opening(1, variant="solonauts")
    assert len(match.board.waiting) == len(set(match.board.waiting)) == 8
    assert len(match.board.seats[0].hand) == 5
    assert redact(match, None).board.seats[0].hand == match.board.seats[0].hand
    assert match.board.seats[0].identity == match.board.seats[0].mission == ()


def test_a_patch_pays_no_card_and_the_hand_is_refilled() -> None:
    table = solo("P1868 P1917 P1918 P1929 P1933", "ID-ANDY", altered="1865", draw="P1942 P1944")
    table.plays(0, "P1868")
    assert table.events()[1:3] == (
        PointPatched(year=1868, card="P1868"),
        CardsDrawn(seat=0, cards=("P1942",), open=True),
    )
    assert table.hand(0) == "P1917 P1918 P1929 P1933 P1942"


def test_any_card_may_be_thrown_away_and_nothing_more_is_asked() -> None:
    table = solo("P1868 I-REVERSE-FATE", "ID-ANDY", draw="P1942 P1944 P1950 P1968")
    assert table.options(0) == {
        *("discard:P1868", "discard:I-REVERSE-FATE", "play:I-REVERSE-FATE"),
    }
    table.picks(0, ("discard:I-REVERSE-FATE",))
    assert table.events()[:2] == (
        CardDiscarded(seat=0, card="I-REVERSE-FATE"),
        CardsDrawn(seat=0, cards=("P1942", "P1944", "P1950", "P1968"), open=True),
    )
    assert table.prompt(0) == "play"


def test_no_window_is_opened() -> None:
    table = solo("I-REVERSE-FATE P1868", "ID-ANDY")
    table.plays(0, "I-REVERSE-FATE", linchpin=1865)
    assert table.prompt(0) == "play"
    assert table.open() == (1868,)


def test_a_character_goes_home_as_soon_as_its_years_match_and_stays_there() -> None:
    table = solo("P1969 I-RESTORE-HISTORY", "ID-BETTY ID-ANDY", altered="1963", patches="P1968")
    table.plays(0, "P1969")
    assert table.happened(CharacterHome) == (CharacterHome(card="ID-BETTY"),)
    assert (table.board.waiting, table.board.home) == (("ID-ANDY",), ("ID-BETTY",))
    table.plays(0, "I-RESTORE-HISTORY", linchpin=1963)
    assert table.happened(PatchNullified) != ()
    assert table.board.home == ("ID-BETTY",)


def test_several_may_go_home_at_once() -> None:
    table = solo(
        "P1995 P1868",
        "ID-YITZCHAK ID-ANDY ID-MR-X",
        altered="1936 1937 1993",
        patches="P1942 P1950",
    )
    table.plays(0, "P1995")
    assert table.happened(CharacterHome) == (
        CharacterHome(card="ID-YITZCHAK"),
        CharacterHome(card="ID-MR-X"),
    )
    assert table.board.waiting == ("ID-ANDY",)


def test_all_home_before_the_cards_run_out_wins() -> None:
    table = solo("P1969", "ID-BETTY", altered="1963", patches="P1968", home="ID-ANDY ID-YURI")
    table.plays(0, "P1969")
    assert table.outcome() == Outcome(winners=(0,), reasons=("all_home",), scores=(3,))


def test_the_last_cards_in_hand_are_played_on_and_then_it_is_lost() -> None:
    table = solo("P1868 P1917 I-REVERSE-FATE", "ID-ANDY", home="ID-YURI")
    table.plays(0, "I-REVERSE-FATE", linchpin=1865).plays(0, "P1868")
    assert table.outcome() is None
    table.picks(0, ("discard:P1917",))
    assert table.outcome() == Outcome(winners=(), reasons=("cards_ran_out",), scores=(1,))


def test_the_last_card_of_all_may_win() -> None:
    table = solo("P1969", "ID-BETTY", altered="1963", patches="P1968")
    assert table.plays(0, "P1969").outcome() == Outcome((0,), ("all_home",), (1,))


def test_there_is_one_pass_through_the_deck() -> None:
    table = solo("P1868 P1917", "ID-ANDY")
    table.picks(0, ("discard:P1868",))
    assert table.happened(DrawPileShuffled) == ()
    assert table.hand(0) == "P1917"


@pytest.mark.parametrize("size", [6, 7])
def test_hand_and_characters_can_be_more_or_fewer(size: int) -> None:
    board = opening(1, variant="solonauts", solo_hand=size, solo_characters=size + 4).board
    assert len(board.seats[0].hand) == size
    assert len(board.waiting) == size + 4


def test_thirteen_paradoxes_are_a_loss_even_for_somebody_who_would_be_home() -> None:
    table = solo(
        "I-REVERSE-FATE P1868",
        "ID-RENEE ID-ANDY",
        altered="1865 1912 1914 1936 1963 1980 1981",
        patches="P1929 P1948",
        home="ID-YURI",
    )
    table.plays(0, "I-REVERSE-FATE", linchpin=1993)
    assert table.happened(UniverseDestroyed) != ()
    assert table.happened(CharacterHome) == ()
    assert table.outcome() == Outcome((), ("universe_destroyed",), (1,))


def test_squa_tront_goes_home_during_the_war_and_others_do_not() -> None:
    table = solo(
        "P1962 P1868",
        "ID-SQUA-TRONT ID-YURI ID-BETTY",
        altered="1937 1957 1981",
        patches="P1950 P1969 P1991",
        home="",
    )
    table.plays(0, "P1962")
    assert table.happened(CharacterHome) == (CharacterHome(card="ID-SQUA-TRONT"),)


def test_giving_up_ends_the_match_without_a_winner() -> None:
    table = solo("P1868 P1917", "ID-ANDY", home="ID-YURI")
    assert table.concedes(0).outcome() == Outcome((), ("conceded",), (1,))


def test_a_turn_cap_holds_for_steps_too() -> None:
    table = solo("P1868 P1917 P1918", "ID-ANDY", turn_cap=2)
    table.picks(0, ("discard:P1868",))
    assert table.outcome() is None
    table.picks(0, ("discard:P1917",))
    assert table.outcome() == Outcome((), ("turn_cap",), (0,))
