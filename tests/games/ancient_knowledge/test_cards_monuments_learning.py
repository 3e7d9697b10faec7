"""Monuments that let their owner learn."""

import pytest

from domain.games.ancient_knowledge.events import (
    CardsDrawn,
    CardsSetAside,
    KnowledgeRemoved,
    LostReduced,
    MonumentDeclined,
    TechDeckShuffled,
    TechnologyBottomed,
    TechnologyLearned,
    TileRefilled,
)
from tests.games.ancient_knowledge.claims import card, lone
from tests.games.ancient_knowledge.scenario import Scenario, scenario
from tests.games.ancient_knowledge.table import Table

GRANTING = ("pyramid_09", "pyramid_10", "pyramid_14")
DECLINING = ("megalith_34", "pyramid_09", "pyramid_10")


def asked(table: Scenario, id: str, tokens: int = 2) -> Table:
    """Let the card offer a technology."""
    if id == "pyramid_14":
        return table.hand(0, id).at_action(0).picks(0, f"create:{id}@3")
    return table.timeline(0, id, 1, tokens).at_decline_phase(0)


@card(*GRANTING)
@pytest.mark.parametrize("id", GRANTING)
def test_a_monument_may_learn_a_displayed_technology_whose_requirement_is_met(id: str) -> None:
    table = lone("tech_09").tile(1, "tech_05", "tech_02").tile(2, "tech_30", "tech_44")
    at = asked(table.lost(0, 9).deck("city_01"), id)
    assert at.asks(0) == ("learn", {"tech_05": 1, "tech_09": 1, "tech_30": 1}, (0, 1))
    assert at.fork().passes(0).techs(0) == set()
    at.picks(0, "tech_30")
    assert at.events[0] == TechnologyLearned(seat=0, card="tech_30", tile=2)
    assert at.techs(0) == {"tech_30"}


@pytest.mark.parametrize("id", GRANTING)
def test_it_is_not_offered_if_nothing_can_be_learned(id: str) -> None:
    at = asked(lone("tech_02").tile(2, "tech_30"), id)
    assert at.prompt(0) != "learn"
    assert at.techs(0) == set()


@card("megalith_34")
def test_megalith_34_may_learn_any_displayed_technology_whatever_it_requires() -> None:
    shown = ("tech_02", "tech_09", "tech_39", "tech_45")
    at = asked(lone(shown[0]).tile(1, shown[1]).tile(2, *shown[2:]), "megalith_34")
    assert at.asks(0) == ("learn", dict.fromkeys(shown, 1), (0, 1))
    assert at.fork().passes(0).techs(0) == set()
    at.picks(0, "tech_39")
    assert at.events[0] == TechnologyLearned(seat=0, card="tech_39", tile=2)


@pytest.mark.parametrize("id", [*GRANTING, "megalith_34"])
def test_it_is_a_normal_learn_with_refill_effect_and_reactions(id: str) -> None:
    table = scenario().tile(0, "tech_09", "tech_02").artifacts(0, "artifact_20").lost(0, 5)
    table.tile(1, "tech_01", "tech_07", "tech_18").tile(2, "tech_45", "tech_39", "tech_38")
    table.tech_deck(1, "tech_15", "tech_24", "tech_25").deck("city_01")
    at = asked(table, id).picks(0, "tech_09")
    assert at.events[:4] == (
        TechnologyLearned(seat=0, card="tech_09", tile=0),
        TileRefilled(tile=0, discarded=("tech_02",), dealt=("tech_15", "tech_24", "tech_25")),
        LostReduced(seat=0, tokens=2),
        CardsDrawn(seat=0, cards=("city_01",)),
    )


@pytest.mark.parametrize("id", DECLINING)
def test_the_technology_may_take_tokens_off_the_declining_card(id: str) -> None:
    tech = "tech_20" if id == "megalith_34" else "tech_06"
    at = asked(lone(tech), id, tokens=2)
    assert at.past(0) == ()
    at.picks(0, tech)
    assert at.events[1:3] == (
        KnowledgeRemoved(seat=0, tokens={id: 1}),
        MonumentDeclined(seat=0, card=id, lost=1),
    )


def test_pyramid_09_does_not_count_itself_among_the_past() -> None:
    at = asked(lone("tech_02").past(0, "pyramid_13"), "pyramid_09")
    assert at.past(0) == ("pyramid_13", "pyramid_09")


@pytest.mark.parametrize("id", ["pyramid_09", "pyramid_10"])
def test_what_declined_first_counts_for_the_requirement(id: str) -> None:
    table = lone("tech_15").past(0, "city_06").timeline(0, "city_11", 1, 0)
    at = table.timeline(0, id, 1, 0).at_decline_phase(0)
    assert at.fork().picks(0, id).techs(0) == set()
    at.picks(0, "city_11")
    assert at.asks(0) == ("learn", {"tech_15": 1}, (0, 1))


def test_megalith_34_sees_the_tile_that_the_first_of_two_flipped() -> None:
    table = scenario().past_of(0, cities=6).timeline(0, "city_11", 1, 0)
    at = table.timeline(0, "megalith_34", 1, 0).at_decline_phase(0)
    before = at.fork().picks(0, "megalith_34")
    at.picks(0, "city_11").picks(0, "tile:0")
    shown = {tech for tile in at.board.tiles for tech in tile.techs}
    assert at.options(0) == shown
    assert before.options(0) != shown


def test_pyramid_10_learns_one_after_the_other_and_the_first_may_enable_the_second() -> None:
    table = lone("tech_12").tile(2, "tech_35").techs(0, "tech_10", "tech_11")
    at = asked(table, "pyramid_10")
    assert at.asks(0) == ("learn", {"tech_12": 1}, (0, 1))
    at.picks(0, "tech_12")
    assert at.asks(0) == ("learn", {"tech_35": 1}, (0, 1))
    assert at.fork().passes(0).techs(0) == {"tech_10", "tech_11", "tech_12"}
    at.picks(0, "tech_35")
    assert at.techs(0) == {"tech_10", "tech_11", "tech_12", "tech_35"}
    assert at.asked == (1,)


def test_pyramid_10_may_learn_the_second_only_or_neither() -> None:
    at = asked(lone("tech_09"), "pyramid_10").passes(0)
    assert at.asks(0) == ("learn", {"tech_09": 1}, (0, 1))
    neither = at.fork().passes(0)
    assert neither.past(0) == ("pyramid_10",)
    assert at.picks(0, "tech_09").techs(0) == {"tech_09"}


def test_pyramid_10_sees_the_refill_of_its_first_learn() -> None:
    table = lone("tech_09").tile(0, "tech_09", "tech_02").tile(1, "tech_01", "tech_07")
    at = asked(table.tech_deck(1, "tech_05", "tech_06", "tech_15"), "pyramid_10")
    assert at.picks(0, "tech_09").options(0) == {"tech_05", "tech_06"}


SEVEN = ("tech_30", "tech_45", "tech_44", "tech_39", "tech_38", "tech_43", "tech_32")


def niches(*deck: str, lost: int = 15) -> Scenario:
    table = lone("tech_02").timeline(0, "pyramid_07", 1, 1).lost(0, lost)
    return table.tech_deck(2, *deck).deck("city_01")


@card("pyramid_07")
def test_pyramid_07_learns_one_of_the_seven_topmost_it_qualifies_for() -> None:
    at = niches(*SEVEN, "tech_28").at_decline_phase(0)
    aside = CardsSetAside(seat=0, deck="tech_deck_2", cards=SEVEN)
    assert at.happened(CardsSetAside) == (aside,)
    assert at.seen_by(1)[2] == CardsSetAside(seat=0, deck="tech_deck_2", cards=(None,) * 7)
    assert at.asks(0) == ("learn", {"tech_30": 1, "tech_44": 1}, (1, 1))
    assert at.shown(0) == set(SEVEN)
    assert at.past(0) == ()
    at.picks(0, "tech_44")
    assert at.events == (TechnologyLearned(seat=0, card="tech_44"),)
    assert at.options(0) == set(SEVEN) - {"tech_44"}


def test_pyramid_07_puts_the_rest_under_the_deck_in_an_order_of_choice() -> None:
    at = niches(*SEVEN, "tech_28").at_decline_phase(0).picks(0, "tech_44")
    order = ("tech_32", "tech_30", "tech_43", "tech_45", "tech_39", "tech_38")
    for named in order[:4]:
        assert at.bounds(0) == (1, 1)
        at.picks(0, named)
    assert at.picks(0, order[4]).kinds()[:4] == [
        "TechnologyBottomed",
        "TechnologyBottomed",
        "AsideClosed",
        "MonumentDeclined",
    ]
    assert at.board.tech_decks[1] == ("tech_28", *order)


def test_pyramid_07_learns_nothing_if_it_qualifies_for_none() -> None:
    at = niches("tech_45", "tech_39", lost=0).at_decline_phase(0)
    assert at.asks(0) == ("learn", {}, (0, 0))
    assert at.shown(0) == {"tech_45", "tech_39"}
    at.passes(0).picks(0, "tech_39")
    assert at.board.tech_decks[1] == ("tech_39", "tech_45")
    assert at.techs(0) == set()


@pytest.mark.parametrize("deck", [("tech_30", "tech_45"), ()])
def test_pyramid_07_shuffles_the_discards_in_to_complete_the_seven(deck: tuple[str, ...]) -> None:
    rest = tuple(tech for tech in SEVEN if tech not in deck)
    at = niches(*deck).tech_discard(2, *rest).at_decline_phase(0)
    assert len(at.happened(TechDeckShuffled)) == 1
    assert at.shown(0) == set(SEVEN)


def test_pyramid_07_does_nothing_without_any_card() -> None:
    at = niches().at_decline_phase(0)
    assert at.past(0) == ("pyramid_07",)
    assert at.asked == (1,)


def test_pyramid_07_is_eased_by_pyramid_19() -> None:
    at = niches(*SEVEN, lost=14).timeline(0, "pyramid_19").at_decline_phase(0)
    assert at.options(0) == {"tech_30", "tech_44"}
    assert niches(*SEVEN, lost=14).at_decline_phase(0).options(0) == {"tech_30"}


def test_pyramid_07_leaves_the_tiles_alone_and_triggers_reactions() -> None:
    table = niches("tech_30", "tech_45").tile(2, "tech_29").artifacts(0, "artifact_20")
    at = table.at_decline_phase(0).picks(0, "tech_30")
    assert at.happened(CardsDrawn) == (CardsDrawn(seat=0, cards=("city_01",)),)
    assert at.happened(TileRefilled) == ()
    assert at.board.tiles[2].techs == ("tech_29",)


def test_pyramid_07_sees_what_the_first_of_two_lost() -> None:
    at = niches("tech_30", "tech_45", lost=8).timeline(0, "city_11", 1, 1).at_decline_phase(0)
    assert at.fork().picks(0, "pyramid_07").options(0) == set()
    assert at.picks(0, "city_11").options(0) == {"tech_30"}


def test_technologies_go_under_the_deck_unseen_by_the_others() -> None:
    at = niches("tech_45", "tech_39", lost=0).at_decline_phase(0).passes(0).picks(0, "tech_39")
    told = [event for event in at.seen_by(1) if isinstance(event, TechnologyBottomed)]
    assert [event.card for event in told] == [None, None]
