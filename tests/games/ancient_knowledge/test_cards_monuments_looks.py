"""Monuments that look at the builder deck or put technologies away."""

import pytest

from domain.games.ancient_knowledge.events import (
    AsideClosed,
    CardsSetAside,
    CardTaken,
    DeckShuffled,
    MonumentDeclined,
    TechnologyBottomed,
    TileRefilled,
)
from tests.games.ancient_knowledge.claims import card, lone
from tests.games.ancient_knowledge.scenario import Scenario, scenario

DECK = ("megalith_01", "city_01", "artifact_01", "pyramid_01", "city_02", "city_03")


def revealing(*deck: str) -> Scenario:
    return lone("tech_27").deck(*deck).timeline(0, "pyramid_33", 1, 1)


@card("pyramid_33")
def test_pyramid_33_turns_cards_over_until_two_cities_have_come() -> None:
    at = revealing(*DECK).at_decline_phase(0)
    turned = at.happened(CardsSetAside)
    assert turned == tuple(
        CardsSetAside(seat=0, deck="builder", cards=(id,), public=True, more=number > 0)
        for number, id in enumerate(DECK[:5])
    )
    for viewer in (1, None):
        told = at.seen_by(viewer)
        assert tuple(event for event in told if isinstance(event, CardsSetAside)) == turned
    assert at.hand(0) == {"city_01", "city_02"}
    closed = AsideClosed(cards=("megalith_01", "artifact_01", "pyramid_01"), looker=0, public=True)
    index = at.events.index(closed)
    assert at.events[index + 1] == MonumentDeclined(seat=0, card="pyramid_33", lost=1)
    assert at.board.deck == ("city_03",)


def test_pyramid_33_turns_nothing_over_with_ten_cards_in_hand() -> None:
    at = revealing(*DECK).hand(0, fill=10).at_decline_phase(0)
    assert at.happened(CardsSetAside) == ()
    assert at.board.deck == DECK


def test_pyramid_33_ends_after_the_first_city_with_nine_cards_in_hand() -> None:
    at = revealing(*DECK).hand(0, fill=9).at_decline_phase(0)
    assert at.happened(CardTaken) == (
        CardTaken(seat=0, card="city_01", into=("city_01",), looker=0, public=True),
    )
    assert at.board.deck == DECK[2:]


def test_pyramid_33_shuffles_the_old_discards_in_but_not_what_it_turned_over() -> None:
    at = revealing("megalith_01").discard("city_01", "pyramid_01").at_decline_phase(0)
    assert len(at.happened(DeckShuffled)) == 1
    assert at.hand(0) == {"city_01"}
    assert set(at.discards()) == {"megalith_01", "pyramid_01"}
    assert at.board.deck == ()


def test_pyramid_33_keeps_the_city_found_when_deck_and_discards_run_out() -> None:
    at = revealing("city_01", "pyramid_01").at_decline_phase(0)
    assert (at.hand(0), at.discards()) == ({"city_01"}, ("pyramid_01",))
    none = revealing("pyramid_01").at_decline_phase(0)
    assert (none.hand(0), none.discards()) == (set(), ("pyramid_01",))
    nothing = revealing().at_decline_phase(0)
    assert nothing.happened(CardsSetAside) == ()
    assert nothing.past(0) == ("pyramid_33",)


def test_pyramid_33_created_in_its_space_declines_in_the_same_turn() -> None:
    table = lone("tech_27").deck(*DECK).hand(0, "pyramid_33", "artifact_12", "artifact_13")
    at = table.at_action(0, 2).picks(0, "create:pyramid_33@1")
    at.picks(0, "artifact_12", "artifact_13")
    assert at.past(0) == ("pyramid_33",)
    assert at.hand(0) == {"city_01", "city_02"}


EIGHT = tuple(f"city_{number:02}" for number in range(1, 9))


def looking(*deck: str) -> Scenario:
    return lone("tech_27").deck(*deck).timeline(0, "pyramid_34", 1, 1)


@card("pyramid_34")
def test_pyramid_34_keeps_exactly_one_of_eight_cards_in_secret() -> None:
    at = looking(*EIGHT, "city_10").at_decline_phase(0)
    assert at.happened(CardsSetAside) == (CardsSetAside(seat=0, deck="builder", cards=EIGHT),)
    assert CardsSetAside(seat=0, deck="builder", cards=(None,) * 8) in at.seen_by(1)
    assert at.asks(0) == ("take", dict.fromkeys(EIGHT, 1), (1, 1))
    assert (at.past(0), at.lost(0)) == ((), 0)
    at.picks(0, "city_03")
    assert at.hand(0) == {"city_03"}
    assert at.discards() == (*EIGHT[:2], *EIGHT[3:])
    assert at.kinds()[:3] == ["CardTaken", "AsideClosed", "MonumentDeclined"]


def test_pyramid_34_looks_at_nothing_with_ten_cards_in_hand() -> None:
    at = looking(*EIGHT).hand(0, fill=10).at_decline_phase(0)
    assert at.happened(CardsSetAside) == ()
    assert at.past(0) == ("pyramid_34",)


def test_pyramid_34_shuffles_the_discards_in_and_sees_fewer_if_there_are_fewer() -> None:
    at = looking("city_01", "city_02").discard("city_03", "city_04").at_decline_phase(0)
    assert len(at.happened(DeckShuffled)) == 1
    assert at.asks(0) == ("take", dict.fromkeys(EIGHT[:4], 1), (1, 1))


def kethek(table: Scenario) -> Scenario:
    return table.hand(0, "pyramid_35")


@card("pyramid_35")
def test_pyramid_35_puts_two_displayed_technologies_under_their_decks() -> None:
    table = scenario().tile(0, "tech_01", "tech_02", "tech_07")
    table.tile(1, "tech_05", "tech_06", "tech_09").tile(2, "tech_39", "tech_45", "tech_38")
    at = kethek(table).at_action(0).picks(0, "create:pyramid_35@2")
    shown = {tech for tile in at.board.tiles for tech in tile.techs}
    assert at.asks(0) == ("bottom", dict.fromkeys(sorted(shown), 1), (1, 1))
    bottomed = TechnologyBottomed(level=2, card="tech_45", under=("tech_45",), looker=0, tile=2)
    assert at.picks(0, "tech_45").events == (bottomed,)
    assert at.options(0) == shown - {"tech_45"}
    at.picks(0, "tech_01")
    assert at.board.tech_decks[0][-1] == "tech_01"
    assert at.board.tech_decks[1][-1] == "tech_45"
    assert at.techs(0) == set()
    assert at.prompt(0) == "action"


def test_pyramid_35_takes_both_of_one_tile_and_the_second_may_have_just_appeared() -> None:
    table = (
        lone("tech_01").tile(0, "tech_01", "tech_02").tech_deck(1, "tech_05", "tech_06", "tech_07")
    )
    at = kethek(table).at_action(0).picks(0, "create:pyramid_35@2")
    at.picks(0, "tech_01")
    refilled = TileRefilled(tile=0, discarded=("tech_02",), dealt=("tech_05", "tech_06", "tech_07"))
    assert refilled in at.events
    assert {"tech_05", "tech_06", "tech_07"} <= at.options(0)
    at.picks(0, "tech_06")
    assert at.board.tech_decks[0][-1] == "tech_06"


def test_pyramid_35_is_dealt_as_many_as_there_are() -> None:
    table = lone("tech_01").tile(0).tile(2, "tech_39", "tech_45")
    at = kethek(table).at_action(0).picks(0, "create:pyramid_35@2").picks(0, "tech_39")
    assert set(at.board.tiles[2].techs) == {"tech_39", "tech_45"}


@pytest.mark.parametrize("shown", [0, 1])
def test_pyramid_35_ends_when_no_technology_is_displayed(shown: int) -> None:
    table = lone("tech_01") if shown else lone("tech_01").tile(0)
    at = kethek(table).at_action(0).picks(0, "create:pyramid_35@2")
    if shown:
        at.picks(0, "tech_01")  # it comes back: the deck holds nothing else
        assert at.asks(0) == ("bottom", {"tech_01": 1}, (1, 1))
        at.picks(0, "tech_01")
    assert at.prompt(0) == "action"
