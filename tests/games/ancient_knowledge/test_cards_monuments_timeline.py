"""Monuments that work in the timeline phase by a count: of tokens, lost knowledge or the past."""

import pytest

from domain.games.ancient_knowledge.events import (
    CardsDiscarded,
    CardsDrawn,
    DeckShuffled,
    KnowledgeRemoved,
    LostReduced,
)
from tests.games.ancient_knowledge.claims import QUIET, card, lone
from tests.games.ancient_knowledge.scenario import Scenario

DRAWN = CardsDrawn(seat=0, cards=("artifact_01",))
ORDERED = (
    *("megalith_29", "megalith_30", "megalith_31", "megalith_35"),
    *("pyramid_24", "pyramid_25", "pyramid_26", "pyramid_27", "pyramid_28"),
    *("pyramid_29", "pyramid_30", "pyramid_31"),
)


def laid() -> Scenario:
    return lone("tech_27").deck("artifact_01", "artifact_02")


@card("city_09")
@pytest.mark.parametrize(
    ("lost", "past", "drawn"),
    [(2, 1, True), (0, 3, True), (3, 1, False), (2, 0, False), (3, 0, False)],
)
def test_city_09_draws_with_little_lost_and_a_past(lost: int, past: int, drawn: bool) -> None:
    table = laid().timeline(0, "city_09").lost(0, lost).past_of(0, cities=past)
    assert table.at_timeline_phase(0).happened(CardsDrawn) == ((DRAWN,) if drawn else ())


def test_city_09_can_be_enabled_earlier_in_the_phase() -> None:
    table = laid().timeline(0, "city_09").timeline(0, "megalith_31").lost(0, 3).past(0, "city_01")
    at = table.at_timeline_phase(0)
    assert at.hints(0) == {"city_09": "would do nothing", "megalith_31": None}
    at.picks(0, "megalith_31")
    assert at.events[:2] == (LostReduced(seat=0, tokens=1), DRAWN)


@pytest.mark.parametrize("id", ["city_09", "pyramid_31"])
def test_no_card_is_drawn_with_ten_in_hand(id: str) -> None:
    table = laid().timeline(0, id).past_of(0, cities=1).hand(0, fill=10)
    assert table.at_timeline_phase(0).kinds() == QUIET


@card("pyramid_31")
def test_pyramid_31_draws_a_card() -> None:
    at = laid().timeline(0, "pyramid_31").at_timeline_phase(0)
    assert at.events[0] == DRAWN


def test_pyramid_31_draws_from_the_shuffled_discards_or_not_at_all() -> None:
    table = lone("tech_27").timeline(0, "pyramid_31").discard("city_01")
    at = table.at_timeline_phase(0)
    assert len(at.happened(DeckShuffled)) == 1
    assert at.hand(0) == {"city_01"}
    assert lone("tech_27").timeline(0, "pyramid_31").at_timeline_phase(0).kinds() == QUIET


@pytest.mark.parametrize(("hand", "cards"), [(10, 2), (3, 0)])
def test_a_draw_with_a_full_hand_or_without_cards_would_do_nothing(hand: int, cards: int) -> None:
    table = lone("tech_27").deck(*("artifact_01", "artifact_02")[:cards]).hand(0, fill=hand)
    at = table.timeline(0, "pyramid_31").timeline(0, "city_35").at_timeline_phase(0)
    assert at.hints(0) == {"city_35": None, "pyramid_31": "would do nothing"}


SUM = ("city_10", "pyramid_24")


@card(*SUM)
@pytest.mark.parametrize("id", SUM)
@pytest.mark.parametrize("tokens", [6, 8])
def test_a_monument_takes_up_to_two_tokens_from_eleven_in_all(id: str, tokens: int) -> None:
    table = laid().timeline(0, id, 3, 4).timeline(0, "city_20", 4, tokens)
    at = table.timeline(0, "city_18", 4, 1).at_timeline_phase(0)
    assert at.asks(0) == ("remove", {id: 4, "city_18": 1, "city_20": tokens}, (0, 2))
    assert at.fork().passes(0).kinds() == QUIET
    assert at.fork().picks(0, id).events[0] == KnowledgeRemoved(seat=0, tokens={id: 1})
    both = at.fork().picks(0, "city_20", "city_20")
    assert both.events[0] == KnowledgeRemoved(seat=0, tokens={"city_20": 2})
    at.picks(0, id, "city_18")
    assert at.events[0] == KnowledgeRemoved(seat=0, tokens={id: 1, "city_18": 1})


@pytest.mark.parametrize("id", SUM)
def test_it_does_nothing_with_ten_tokens_in_all(id: str) -> None:
    table = laid().timeline(0, id, 3, 4).timeline(0, "city_20", 4, 6).timeline(1, "city_18", 4, 9)
    assert table.at_timeline_phase(0).kinds() == QUIET


def test_a_removal_earlier_in_the_phase_can_bring_the_sum_below_eleven() -> None:
    table = laid().timeline(0, "city_10", 3, 5).timeline(0, "pyramid_24", 4, 6)
    at = table.at_timeline_phase(0)
    assert at.asks(0) == ("next", {"city_10": 1, "pyramid_24": 1}, (1, 1))
    at.picks(0, "city_10").picks(0, "pyramid_24")
    assert at.kinds() == ["KnowledgeRemoved", *QUIET]


@card("pyramid_29")
@pytest.mark.parametrize(
    ("lost", "past", "able"), [(4, 1, True), (0, 2, True), (5, 1, False), (4, 0, False)]
)
def test_pyramid_29_takes_a_token_with_little_lost_and_a_past(
    lost: int, past: int, able: bool
) -> None:
    table = laid().timeline(0, "pyramid_29", 5, 3).timeline(0, "city_20", 4, 2).lost(0, lost)
    at = table.past_of(0, cities=past).at_timeline_phase(0)
    if not able:
        assert at.kinds() == QUIET
        return
    assert at.asks(0) == ("remove", {"city_20": 2, "pyramid_29": 3}, (1, 1))
    removed = KnowledgeRemoved(seat=0, tokens={"pyramid_29": 1})
    assert at.picks(0, "pyramid_29").events[0] == removed


def test_pyramid_29_does_nothing_without_tokens() -> None:
    table = laid().timeline(0, "pyramid_29", 5, 0).past_of(0, cities=1)
    assert table.at_timeline_phase(0).kinds() == QUIET


@card("pyramid_30")
def test_pyramid_30_takes_a_token_off_another_monument() -> None:
    table = laid().timeline(0, "pyramid_30", 5, 4).timeline(0, "city_20", 4, 2)
    at = table.timeline(0, "city_18", 2, 1).at_timeline_phase(0)
    assert at.asks(0) == ("remove", {"city_18": 1, "city_20": 2}, (1, 1))
    at.picks(0, "city_20")
    assert at.events[0] == KnowledgeRemoved(seat=0, tokens={"city_20": 1})


def test_pyramid_30_does_nothing_if_no_other_monument_has_tokens() -> None:
    table = laid().timeline(0, "pyramid_30", 5, 4).timeline(0, "city_20", 4, 0)
    assert table.at_timeline_phase(0).kinds() == QUIET


# Each card: what it needs and what is one short of it (lost tokens and megaliths of the past).
SHEDS = {
    "megalith_29": ((5, 0), (4, 3)),
    "megalith_30": ((2, 3), (2, 2)),
    "megalith_31": ((1, 0), (0, 4)),
}
MORE = {"megalith_29": (9, 0), "megalith_30": (2, 5), "megalith_31": (9, 0)}


@card(*SHEDS)
@pytest.mark.parametrize("id", SHEDS)
def test_a_monument_gives_one_lost_token_back(id: str) -> None:
    (lost, megaliths), short = SHEDS[id]
    table = laid().timeline(0, id, 5).lost(0, lost).past_of(0, megaliths=megaliths, cities=1)
    at = table.at_timeline_phase(0)
    assert at.events[0] == LostReduced(seat=0, tokens=1)
    assert at.lost(0) == lost - 1
    missing = laid().timeline(0, id, 5).lost(0, short[0]).past_of(0, megaliths=short[1])
    assert missing.at_timeline_phase(0).kinds() == QUIET


@pytest.mark.parametrize("id", MORE)
def test_it_gives_one_back_beyond_its_threshold_too(id: str) -> None:
    lost, megaliths = MORE[id]
    table = laid().timeline(0, id, 5).lost(0, lost).past_of(0, megaliths=megaliths)
    assert table.at_timeline_phase(0).lost(0) == lost - 1


@pytest.mark.parametrize("id", ["megalith_30", "megalith_31"])
def test_it_does_nothing_without_lost_knowledge(id: str) -> None:
    table = laid().timeline(0, id, 5).past_of(0, megaliths=3)
    assert table.at_timeline_phase(0).kinds() == QUIET


@card("city_35")
def test_city_35_makes_its_owner_discard_a_card() -> None:
    at = laid().timeline(0, "city_35").hand(0, "city_20", "city_18").at_timeline_phase(0)
    assert at.asks(0) == ("discard", {"city_18": 1, "city_20": 1}, (1, 1))
    at.picks(0, "city_20")
    assert at.events[0] == CardsDiscarded(seat=0, cards=("city_20",))


def test_city_35_does_nothing_with_an_empty_hand_and_may_come_first() -> None:
    assert laid().timeline(0, "city_35").at_timeline_phase(0).kinds() == QUIET
    at = laid().timeline(0, "city_35").artifacts(0, "artifact_35").at_timeline_phase(0)
    assert at.hints(0) == {"artifact_35": None, "city_35": "would do nothing"}
    first = at.fork().picks(0, "city_35")
    assert first.hand(0) == {"artifact_01"}
    assert at.picks(0, "artifact_35").asks(0) == ("discard", {"artifact_01": 1}, (1, 1))


def test_city_35_is_created_in_space_four_only() -> None:
    at = laid().hand(0, "city_35", fill=3).at_action(0)
    assert at.options(0, "create:city_35@") == {"4"}


@card("city_36")
@pytest.mark.parametrize(("cities", "tokens", "less"), [(4, 8, 2), (6, 2, 2), (4, 1, 1)])
def test_city_36_takes_two_off_itself_with_four_cities_in_the_past(
    cities: int, tokens: int, less: int
) -> None:
    table = laid().timeline(0, "city_36", 3, tokens).timeline(0, "city_20", 4, 3)
    table.past_of(0, cities=cities)
    removed = KnowledgeRemoved(seat=0, tokens={"city_36": less})
    assert table.at_timeline_phase(0).events[0] == removed


def test_city_36_does_not_count_cities_on_the_timeline() -> None:
    table = laid().timeline(0, "city_36", 3, 8).timeline(0, "city_20").timeline(0, "city_18")
    assert table.past_of(0, cities=3, pyramids=2).at_timeline_phase(0).kinds() == QUIET


@pytest.mark.parametrize("id", ORDERED)
def test_a_timeline_effect_runs_once_in_an_order_of_choice(id: str) -> None:
    table = laid().deck("artifact_03").lost(0, 4).past_of(0, megaliths=3).timeline(0, id, 2, 4)
    other = "city_35"
    table.timeline(0, other, 5, 2).hand(0, "city_01").timeline(0, "city_20", 2, 9)
    table.timeline(0, "megalith_10", 1, 5).timeline(0, "city_18", 3, 5)
    at = table.at_timeline_phase(0)
    assert at.options(0) == {id, other}
    at.picks(0, id)
    while at.prompt(0) == "remove":
        at.picks(0, "city_20")
    assert at.prompt(0) == "discard"  # the only one left
    assert at.picks(0, "city_01").kinds()[:2] == ["CardsDiscarded", "DeclineStarted"]


@pytest.mark.parametrize(
    ("id", "lost", "enables"), [("pyramid_29", 5, True), ("megalith_29", 5, False)]
)
def test_an_earlier_effect_of_the_phase_can_switch_it_on_or_off(
    id: str, lost: int, enables: bool
) -> None:
    table = laid().timeline(0, id, 5, 3).timeline(0, "megalith_31").lost(0, lost).past(0, "city_01")
    at = table.at_timeline_phase(0)
    assert at.hints(0)[id] == ("would do nothing" if enables else None)
    at.picks(0, "megalith_31")
    assert at.prompt(0) == ("remove" if enables else None)
    assert at.lost(0) == lost - 1
