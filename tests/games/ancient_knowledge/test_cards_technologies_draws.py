"""Technologies of level I that draw, straighten or give lost knowledge back."""

import pytest

from domain.games.ancient_knowledge.events import (
    ActionTaken,
    CardsDiscarded,
    CardsDrawn,
    LostReduced,
    MonumentsStraightened,
    TechnologyLearned,
)
from tests.games.ancient_knowledge.claims import IDLE_ARTIFACTS, card, each_card, lone
from tests.games.ancient_knowledge.scenario import Scenario
from tests.games.ancient_knowledge.table import Table

DECK = ("city_01", "city_02", "city_03", "city_04", "city_05")
DRAWS = {
    "tech_01": 3,
    "tech_02": 3,
    "tech_07": 4,
    "tech_08": 3,
    "tech_15": 3,
    "tech_18": 3,
    "tech_24": 3,
    "tech_25": 3,
}
LIMITED = [id for id in DRAWS if id != "tech_08"]


def open_to_all(tech: str) -> Scenario:
    table = lone(tech).deck(*DECK).artifacts(0, *IDLE_ARTIFACTS[:3])
    return table.past_of(0, cities=2, megaliths=2, pyramids=2)


def learned(table: Table, tech: str) -> tuple[ActionTaken, TechnologyLearned]:
    return ActionTaken(action="learn"), TechnologyLearned(seat=0, card=tech, tile=0)


@each_card(*DRAWS)
def test_a_technology_draws_cards_when_learned(id: str) -> None:
    table = open_to_all(id).at_action(0).picks(0, f"learn:{id}")
    drawn = CardsDrawn(seat=0, cards=DECK[: DRAWS[id]])
    assert table.events == (*learned(table, id), drawn)
    assert table.prompt(0) == "action"


@pytest.mark.parametrize("id", LIMITED)
def test_drawing_stops_at_ten_cards_in_hand(id: str) -> None:
    table = open_to_all(id).hand(0, fill=9).at_action(0).picks(0, f"learn:{id}")
    assert table.happened(CardsDrawn) == (CardsDrawn(seat=0, cards=("city_01",)),)
    full = open_to_all(id).hand(0, fill=10).at_action(0).picks(0, f"learn:{id}")
    assert full.events == learned(full, id)


@card("tech_05")
def test_tech_05_gives_a_lost_token_back_then_draws() -> None:
    table = lone("tech_05").deck(*DECK).lost(0, 2).at_action(0).picks(0, "learn:tech_05")
    assert table.events[2:] == (
        LostReduced(seat=0, tokens=1),
        CardsDrawn(seat=0, cards=("city_01",)),
    )


def test_tech_05_draws_without_lost_knowledge() -> None:
    table = lone("tech_05").deck(*DECK).at_action(0).picks(0, "learn:tech_05")
    assert table.events[2:] == (CardsDrawn(seat=0, cards=("city_01",)),)


@card("tech_09", "tech_23")
@pytest.mark.parametrize(
    ("id", "lost", "left"),
    [("tech_09", 3, 1), ("tech_09", 1, 0), ("tech_23", 5, 2), ("tech_23", 7, 4)],
)
def test_a_technology_gives_lost_knowledge_back(id: str, lost: int, left: int) -> None:
    table = lone(id).lost(0, lost).at_action(0).picks(0, f"learn:{id}")
    assert table.events[2:] == (LostReduced(seat=0, tokens=lost - left),)
    assert table.lost(0) == left


def test_tech_09_without_lost_knowledge_does_nothing() -> None:
    table = lone("tech_09").at_action(0).picks(0, "learn:tech_09")
    assert table.events == learned(table, "tech_09")


@card("tech_13")
@pytest.mark.parametrize("cities", [0, 1, 3])
def test_tech_13_draws_a_card_for_every_city_on_the_timeline(cities: int) -> None:
    table = lone("tech_13").deck(*DECK).past(0, "city_10").timeline(0, "pyramid_01")
    for city in ("city_06", "city_07", "city_08")[:cities]:
        table.timeline(0, city)
    at = table.at_action(0).picks(0, "learn:tech_13")
    assert at.hand(0) == set(DECK[:cities])


def test_tech_13_stops_at_ten_cards_in_hand() -> None:
    table = lone("tech_13").deck(*DECK).hand(0, fill=9)
    at = table.timeline(0, "city_06").timeline(0, "city_07").at_action(0)
    assert len(at.picks(0, "learn:tech_13").hand(0)) == 10


@card("tech_17")
def test_tech_17_offers_nought_to_three_cards_and_draws_as_many() -> None:
    hand = ("city_06", "city_07", "city_08", "city_09")
    table = lone("tech_17").deck(*DECK).hand(0, *hand).at_action(0).picks(0, "learn:tech_17")
    assert table.asks(0) == ("discard", dict.fromkeys(hand, 1), (0, 3))
    table.picks(0, "city_08", "city_06", "city_09")
    assert table.events == (
        CardsDiscarded(seat=0, cards=("city_08", "city_06", "city_09")),
        CardsDrawn(seat=0, cards=DECK[:3]),
    )


def test_tech_17_may_discard_nothing() -> None:
    table = lone("tech_17").deck(*DECK).hand(0, "city_06").at_action(0).picks(0, "learn:tech_17")
    assert table.asks(0) == ("discard", {"city_06": 1}, (0, 1))
    assert table.passes(0).events == ()
    assert table.prompt(0) == "action"


def test_tech_17_draws_all_it_discarded_with_a_full_hand() -> None:
    table = lone("tech_17").deck(*DECK).hand(0, "city_06", "city_07", "city_08", fill=7)
    at = table.at_action(0).picks(0, "learn:tech_17").picks(0, "city_06", "city_07", "city_08")
    assert len(at.hand(0)) == 10
    assert set(DECK[:3]) <= at.hand(0)


@card("tech_19")
@pytest.mark.parametrize("rotated", [0, 1, 2, 3])
def test_tech_19_straightens_two_without_asking_which(rotated: int) -> None:
    table = lone("tech_19").past(0, "city_10")
    table.past(0, *("city_06", "city_07", "city_08")[:rotated], rotated=True)
    at = table.at_action(0).picks(0, "learn:tech_19")
    assert at.prompt(0) == "action"
    assert len(at.rotated(0)) == max(0, rotated - 2)
    assert len(at.happened(MonumentsStraightened)) == min(1, rotated)
