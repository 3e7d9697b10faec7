import pytest

from domain.engine.decider import CreateMatch, create
from domain.engine.errors import InvalidOptions
from domain.engine.events import Outcome
from tests.games.chrononauts.scenario import opening, scenario


def test_only_artifacts_actions_timewarps_and_missions_are_used() -> None:
    board = opening(3, variant="artifaxx").board
    cards = [str(card) for one in board.seats for card in one.hand]
    cards += [str(card) for card in board.draw.cards]
    assert {card[0] for card in cards} == {"A", "X", "T"}
    kinds = [card for card in board.cards.play.values() if card.id[0] in "AXT"]
    assert len(cards) == sum(card.count for card in kinds if card.id != "X-PARENTS")
    assert "X-PARENTS" not in cards
    assert board.identities.cards == ()
    assert [one.identity for one in board.seats] == [()] * 3
    assert [len(one.mission) for one in board.seats] == [1] * 3


def test_three_cards_each_and_one_more_for_the_first_turn() -> None:
    board = opening(4, variant="artifaxx").board
    assert sorted(len(one.hand) for one in board.seats) == [3, 3, 3, 4]


@pytest.mark.parametrize("seats", range(2, 5))
def test_two_to_four_players(seats: int) -> None:
    assert len(opening(seats, variant="artifaxx").places) == seats


@pytest.mark.parametrize("seats", [1, 5, 6])
def test_other_numbers_of_players_are_refused(seats: int) -> None:
    with pytest.raises(InvalidOptions, match="artifaxx takes 2 to 4 seats"):
        create(CreateMatch("chrononauts", seats, {"variant": "artifaxx"}))


def test_a_mission_wins_and_ten_cards_do_not() -> None:
    ten = "A-REX A-DINO-2 A-DINO-3 A-MONA-REAL A-VIDEO A-RONGO X-SELL X-SELL T-REWIND T-MEMO"
    table = scenario(hands={0: f"{ten} A-CURE"}, variant="artifaxx")
    assert table.plays_out(0, "A-CURE").outcome() is None
    table = scenario(
        hands={0: "A-ARK"},
        missions={0: "M-RELICS"},
        artifacts={0: "A-CROWN A-RELIC-3"},
        variant="artifaxx",
    )
    assert table.plays_out(0, "A-ARK").outcome() == Outcome((0,), ("mission",))


def test_the_ten_card_victory_can_be_switched_on() -> None:
    options = create(CreateMatch("chrononauts", 2, {"variant": "artifaxx", "handVictory": 10}))
    assert options[0].options["handVictory"] == 10
    assert (
        create(CreateMatch("chrononauts", 2, {"variant": "artifaxx"}))[0].options["handVictory"]
        == 0
    )


def test_time_is_killed_as_usual() -> None:
    table = scenario(hands={0: "A-REX A-ARK"}, draw="A-CURE", variant="artifaxx")
    table.kills_time(0, "A-REX", "A-ARK")
    assert table.hand(0) == "A-CURE"


def test_rewind_and_quick_trip_fetch_artifacts_and_actions() -> None:
    table = scenario(
        hands={0: "T-REWIND"},
        artifacts={0: "A-VIDEO"},
        discards="A-REX X-SELL T-MEMO",
        variant="artifaxx",
    )
    assert table.plays_out(0, "T-REWIND").playable(0) == {"A-REX", "X-SELL"}
    table = scenario(
        hands={0: "T-QUICK-TRIP"},
        draw="A-REX X-DISCONTINUITY T-MEMO",
        bare=True,
        variant="artifaxx",
    )
    assert table.plays_out(0, "T-QUICK-TRIP").playable(0) == {"A-REX", "X-DISCONTINUITY"}
