"""Technologies of level I that touch tokens and monuments on the timeline, or opponents."""

import pytest

from domain.games.ancient_knowledge.events import (
    CardsDiscarded,
    CardsDrawn,
    KnowledgeAdded,
    KnowledgeRemoved,
    MonumentDeclined,
    MonumentMoved,
    MonumentsSwapped,
    TechnologyBottomed,
    TileRefilled,
)
from tests.games.ancient_knowledge.claims import IDLE_ARTIFACTS, card, lone
from tests.games.ancient_knowledge.scenario import scenario

CATEGORIES = {"tech_06": "pyramid", "tech_11": "city", "tech_20": "megalith"}


@card(*CATEGORIES)
@pytest.mark.parametrize("id", CATEGORIES)
def test_a_technology_takes_a_token_off_every_monument_of_a_category(id: str) -> None:
    table, category = lone(id).timeline(1, f"{CATEGORIES[id]}_30", 3, 4), CATEGORIES[id]
    for at, (number, tokens) in enumerate([("06", 2), ("09", 1), ("10", 0)]):
        table.timeline(0, f"city_{number}", 1 + at, tokens)
        table.timeline(0, f"pyramid_{number}", 1 + at, tokens)
        table.timeline(0, f"megalith_{number}", 4 + at, tokens)
    at_action = table.at_action(0).picks(0, f"learn:{id}")
    taken = KnowledgeRemoved(seat=0, tokens={f"{category}_06": 1, f"{category}_09": 1})
    assert at_action.events[2:] == (taken,)


@pytest.mark.parametrize("id", CATEGORIES)
def test_monuments_without_tokens_are_unaffected(id: str) -> None:
    table = lone(id).timeline(0, f"{CATEGORIES[id]}_06", 3, 0).at_action(0)
    assert table.picks(0, f"learn:{id}").events[2:] == ()


@card("tech_10")
def test_tech_10_moves_a_monument_to_a_free_place_in_another_space() -> None:
    table = lone("tech_10").timeline(0, "city_35", 4, 2).timeline(0, "city_06", 4, 1)
    table.timeline(0, "city_07", 5, 3).timeline(0, "city_08", 5, 0)
    at = table.at_action(0).picks(0, "learn:tech_10")
    assert at.prompt(0) == "move"
    assert at.bounds(0) == (1, 1)
    below, above = {1, 2, 3, 6}, {1, 2, 3, 4, 6} - {4}
    assert at.options(0) == {
        f"{id}>{space}"
        for id, spaces in (
            ("city_35", below),
            ("city_06", above),
            ("city_07", below),
            ("city_08", above),
        )
        for space in spaces
    }
    at.picks(0, "city_35>6")
    assert at.events == (MonumentMoved(seat=0, card="city_35", space=6),)
    assert at.timeline(0)["city_35"] == "6L k2"
    assert at.timeline(0)["city_06"] == "4L k1"


def test_tech_10_does_nothing_on_an_empty_timeline() -> None:
    assert lone("tech_10").at_action(0).picks(0, "learn:tech_10").events[2:] == ()


def test_tech_10_does_nothing_without_a_free_slot_in_another_space() -> None:
    table = lone("tech_10")
    for number in range(12):
        table.timeline(0, f"pyramid_{number + 1:02}", number // 2 + 1)
    assert table.at_action(0).picks(0, "learn:tech_10").events[2:] == ()


def test_tech_10_moves_a_lone_monument_within_one_free_slot() -> None:
    table = lone("tech_10")
    for number in range(11):
        table.timeline(0, f"pyramid_{number + 1:02}", number // 2 + 1)
    at = table.at_action(0).picks(0, "learn:tech_10")
    assert at.options(0) == {f"pyramid_{number:02}>6" for number in range(1, 11)}


@pytest.mark.parametrize("by", ["pyramid_09", "megalith_34"])
def test_tech_10_in_decline_spares_the_declining_and_moves_another_into_decline(by: str) -> None:
    table = lone("tech_10").timeline(0, by, 1, 0).timeline(0, "city_20", 3, 2)
    at = table.at_decline_phase(0)
    assert at.asks(0) == ("learn", {"tech_10": 1}, (0, 1))
    at.picks(0, "tech_10")
    assert at.options(0) == {f"city_20>{space}" for space in (1, 2, 4, 5, 6)}
    at.picks(0, "city_20>1")
    assert at.happened(MonumentDeclined) == (
        MonumentDeclined(seat=0, card=by, lost=0),
        MonumentDeclined(seat=0, card="city_20", lost=2),
    )


@card("tech_16")
def test_tech_16_exchanges_two_monuments_with_their_tokens() -> None:
    table = lone("tech_16").timeline(0, "city_35", 4, 1).timeline(0, "city_06", 2, 3)
    at = table.timeline(0, "city_07", 2, 5).at_action(0).picks(0, "learn:tech_16")
    assert at.asks(0) == ("swap", {"city_35": 1, "city_06": 1, "city_07": 1}, (2, 2))
    at.picks(0, "city_35", "city_07")
    assert at.events == (MonumentsSwapped(seat=0, one="city_35", other="city_07"),)
    assert at.timeline(0) == {"city_06": "2L k3", "city_35": "2U k1", "city_07": "4L k5"}


def test_tech_16_exchanges_the_slots_of_one_space() -> None:
    table = lone("tech_16").timeline(0, "city_06", 2, 3).timeline(0, "city_07", 2, 5)
    at = table.at_action(0).picks(0, "learn:tech_16").picks(0, "city_06", "city_07")
    assert at.timeline(0) == {"city_07": "2L k5", "city_06": "2U k3"}


@pytest.mark.parametrize("monuments", [0, 1])
def test_tech_16_does_nothing_with_fewer_than_two_monuments(monuments: int) -> None:
    table = lone("tech_16").timeline(1, "city_07")
    if monuments:
        table.timeline(0, "city_06")
    assert table.at_action(0).picks(0, "learn:tech_16").events[2:] == ()


@pytest.mark.parametrize("by", ["pyramid_09", "megalith_34"])
def test_tech_16_in_decline_spares_the_declining_and_swaps_another_into_decline(by: str) -> None:
    table = lone("tech_16").timeline(0, by, 1, 0).timeline(0, "city_06", 1, 1)
    at = table.timeline(0, "city_07", 3, 2).at_decline_phase(0).picks(0, by)
    at.picks(0, "tech_16")
    assert at.asks(0) == ("swap", {"city_06": 1, "city_07": 1}, (2, 2))
    at.picks(0, "city_06", "city_07")
    assert at.past(0) == (by, "city_07")
    assert at.timeline(0) == {"city_06": "2L k1"}


@card("tech_12")
@pytest.mark.parametrize("artifacts", [1, 3, 5])
def test_tech_12_takes_exactly_a_token_for_every_artifact(artifacts: int) -> None:
    table = lone("tech_12").artifacts(0, *IDLE_ARTIFACTS[:artifacts])
    at = table.timeline(0, "city_06", 2, 4).timeline(0, "city_07", 3, 2).at_action(0)
    at.picks(0, "learn:tech_12")
    assert at.asks(0) == ("remove", {"city_06": 4, "city_07": 2}, (artifacts, artifacts))
    assert at.refusal(0, *["city_06"] * (artifacts - 1)) == "illegal_choice"
    picks = ["city_07", *["city_06"] * (artifacts - 1)]
    at.picks(0, *picks)
    assert at.timeline(0) == {"city_06": f"2L k{5 - artifacts}", "city_07": "3L k1"}


def test_tech_12_takes_all_tokens_if_there_are_fewer() -> None:
    table = lone("tech_12").artifacts(0, *IDLE_ARTIFACTS[:5]).timeline(0, "city_06", 2, 2)
    at = table.timeline(0, "city_07", 3, 1).at_action(0).picks(0, "learn:tech_12")
    assert at.asks(0) == ("remove", {"city_06": 2, "city_07": 1}, (3, 3))


@pytest.mark.parametrize(("artifacts", "tokens"), [(0, 2), (3, 0)])
def test_tech_12_does_nothing_without_artifact_or_token(artifacts: int, tokens: int) -> None:
    table = lone("tech_12").artifacts(0, *IDLE_ARTIFACTS[:artifacts])
    at = table.timeline(0, "city_06", 2, tokens).at_action(0).picks(0, "learn:tech_12")
    assert at.events[2:] == ()
    assert at.prompt(0) == "action"


@card("tech_14")
def test_tech_14_takes_exactly_three_off_one_monument_of_five_or_more() -> None:
    table = lone("tech_14").timeline(0, "city_06", 2, 4).timeline(0, "city_07", 3, 5)
    at = table.timeline(0, "pyramid_13", 4, 9).at_action(0).picks(0, "learn:tech_14")
    assert at.asks(0) == ("remove", {"city_07:3": 1, "pyramid_13:3": 1}, (1, 1))
    at.picks(0, "city_07:3")
    assert at.events == (KnowledgeRemoved(seat=0, tokens={"city_07": 3}),)


def test_tech_14_does_nothing_if_no_monument_has_five_tokens() -> None:
    table = lone("tech_14").timeline(0, "city_06", 2, 4).timeline(0, "city_07", 3, 4)
    assert table.at_action(0).picks(0, "learn:tech_14").events[2:] == ()


@card("tech_21")
def test_tech_21_puts_a_token_on_a_monument_of_every_opponent_then_draws() -> None:
    table = lone("tech_21", seats=4).deck("city_01", "city_02").timeline(1, "city_06", 2, 0)
    table.timeline(1, "city_07", 3, 30).timeline(3, "city_08", 5, 1).timeline(0, "city_09", 4)
    at = table.at_action(0).picks(0, "learn:tech_21")
    assert at.asks(0) == ("add", {"city_06": 1, "city_07": 1}, (1, 1))
    added = KnowledgeAdded(seat=1, card="city_07", tokens=1)
    assert at.picks(0, "city_07").events == (added,)
    assert at.asks(0) == ("add", {"city_08": 1}, (1, 1))
    at.picks(0, "city_08")
    assert at.events == (
        KnowledgeAdded(seat=3, card="city_08", tokens=1),
        CardsDrawn(seat=0, cards=("city_01",)),
    )


def test_tech_21_may_choose_a_monument_without_tokens() -> None:
    table = lone("tech_21").deck("city_01").timeline(1, "city_06", 2, 0).at_action(0)
    at = table.picks(0, "learn:tech_21").picks(0, "city_06")
    assert at.timeline(1) == {"city_06": "2L k1"}


def test_tech_21_draws_even_if_no_token_can_be_placed() -> None:
    at = lone("tech_21").deck("city_01").at_action(0).picks(0, "learn:tech_21")
    assert at.events[2:] == (CardsDrawn(seat=0, cards=("city_01",)),)


@card("tech_26")
def test_tech_26_lets_all_opponents_discard_one_card_at_the_same_time() -> None:
    table = lone("tech_26", seats=4).hand(0, "city_05").hand(1, "city_06", "city_07")
    at = table.hand(3, "city_08", "city_09").at_action(0).picks(0, "learn:tech_26")
    assert at.asked == (1, 3)
    assert at.asks(1) == ("forced_discard", {"city_06": 1, "city_07": 1}, (1, 1))
    assert at.asks(3) == ("forced_discard", {"city_08": 1, "city_09": 1}, (1, 1))
    assert at.picks(3, "city_09").discards() == ()
    at.picks(1, "city_06")
    assert at.happened(CardsDiscarded) == (
        CardsDiscarded(seat=1, cards=("city_06",)),
        CardsDiscarded(seat=3, cards=("city_09",)),
    )
    assert at.hand(0) == {"city_05"}


def test_tech_26_asks_nobody_with_one_card_or_none() -> None:
    at = lone("tech_26", seats=3).hand(1, "city_06").at_action(0).picks(0, "learn:tech_26")
    assert at.events[2:] == (CardsDiscarded(seat=1, cards=("city_06",)),)


@card("tech_27")
def test_tech_27_puts_a_displayed_technology_of_level_two_under_its_deck() -> None:
    table = scenario().past_of(0, cities=5).tile(0, "tech_27", "tech_01", "tech_02")
    table.tile(2, "tech_28", "tech_29", "tech_30").tech_deck(2, "tech_31")
    at = table.at_action(0).picks(0, "learn:tech_27")
    assert at.asks(0) == ("bottom", {"tech_28": 1, "tech_29": 1, "tech_30": 1}, (1, 1))
    at.picks(0, "tech_29")
    bottomed = TechnologyBottomed(level=2, card="tech_29", under=("tech_29",), looker=0, tile=2)
    assert at.events == (bottomed,)
    assert at.board.tiles[2].techs == ("tech_28", "tech_30")
    assert at.board.tech_decks[1][0] == "tech_31"
    assert at.board.tech_decks[1][-1] == "tech_29"


def test_tech_27_lets_the_tile_be_refilled_when_one_is_left() -> None:
    table = lone("tech_27").past_of(0, cities=5).tile(2, "tech_28", "tech_29")
    at = table.tech_deck(2, "tech_30", "tech_31", "tech_32", "tech_33").at_action(0)
    at.picks(0, "learn:tech_27").picks(0, "tech_28")
    refilled = TileRefilled(tile=2, discarded=("tech_29",), dealt=("tech_30", "tech_31", "tech_32"))
    assert at.events[1:] == (refilled,)
    assert at.board.tech_decks[1] == ("tech_33", "tech_28")


def test_tech_27_comes_after_the_refill_of_the_tile_it_was_learned_from() -> None:
    table = (
        lone("tech_27")
        .past_of(0, cities=5)
        .tile(0, "tech_27", "tech_01")
        .tile(1, "tech_07", "tech_08")
    )
    table.tile(2, "tech_28", "tech_29", "tech_30").tech_deck(1, "tech_02", "tech_03", "tech_04")
    at = table.at_action(0).picks(0, "learn:tech_27")
    assert at.kinds() == ["ActionTaken", "TechnologyLearned", "TileRefilled"]
    assert at.board.tiles[0].techs == ("tech_02", "tech_03", "tech_04")
    assert at.prompt(0) == "bottom"


def test_tech_27_after_the_flip_offers_both_tiles_of_level_two() -> None:
    table = lone("tech_27").past_of(0, cities=5).tile(1, "tech_28").tile(2, "tech_29", "tech_30")
    at = table.set(flipped=True).at_action(0).picks(0, "learn:tech_27")
    assert at.options(0) == {"tech_28", "tech_29", "tech_30"}


def test_tech_27_does_nothing_if_no_technology_of_level_two_is_displayed() -> None:
    at = lone("tech_27").past_of(0, cities=5).at_action(0).picks(0, "learn:tech_27")
    assert at.kinds() == ["ActionTaken", "TechnologyLearned"]
    assert at.prompt(0) == "action"
