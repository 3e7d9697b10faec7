"""Monuments that react to learning or to creating artifacts, and the one that eases learning."""

import pytest

from domain.games.ancient_knowledge.events import CardsDrawn, KnowledgeRemoved, LostReduced
from tests.games.ancient_knowledge.claims import IDLE_ARTIFACTS, card, lone
from tests.games.ancient_knowledge.scenario import Scenario, scenario

# Each card: a technology that it reacts to, and one of another type.
LISTENING = {
    "city_11": ("tech_11", "tech_09"),
    "megalith_22": ("tech_20", "tech_09"),
    "pyramid_21": ("tech_09", "tech_11"),
}
ALL = (*LISTENING, "megalith_26")
DRAWN = CardsDrawn(seat=0, cards=("city_01",))


def laid(id: str, space: int = 5, tokens: int = 2, seat: int = 0) -> Scenario:
    table = lone(LISTENING.get(id, ("tech_27",))[0]).deck("city_01", "city_02")
    return table.timeline(seat, id, space, tokens)


def triggered(table: Scenario, id: str, seat: int = 0) -> str:
    """Return the action that makes the card react, and lay what it needs."""
    if id in LISTENING:
        return f"learn:{LISTENING[id][0]}"
    table.hand(seat, "artifact_12", "artifact_13")
    return "create:artifact_13"


@card(*ALL)
@pytest.mark.parametrize("id", ALL)
def test_a_monument_takes_a_token_off_any_monument_then_draws(id: str) -> None:
    table = laid(id).timeline(0, "pyramid_13", 4, 3).timeline(0, "pyramid_14", 6, 0)
    pick = triggered(table, id)
    at = table.at_action(0).picks(0, pick)
    # The technologies have taken one off the first two.
    tokens = 1 if id in ("city_11", "megalith_22") else 2
    assert at.asks(0) == ("remove", {id: tokens, "pyramid_13": 3}, (1, 1))
    own = at.fork().picks(0, id)
    assert own.events == (KnowledgeRemoved(seat=0, tokens={id: 1}), DRAWN)
    at.picks(0, "pyramid_13")
    assert at.events == (KnowledgeRemoved(seat=0, tokens={"pyramid_13": 1}), DRAWN)
    assert at.prompt(0) == "action"


@pytest.mark.parametrize("id", ALL)
def test_without_any_token_the_card_is_still_drawn(id: str) -> None:
    table = laid(id, tokens=0)
    pick = triggered(table, id)
    assert table.at_action(0).picks(0, pick).events[-1] == DRAWN


@pytest.mark.parametrize("id", ALL)
def test_its_draw_stops_at_ten_cards_in_hand(id: str) -> None:
    table = laid(id, tokens=0)
    pick = triggered(table, id)
    held = 8 if id not in LISTENING else 10
    at = table.hand(0, fill=held).at_action(0)
    assert len(at.picks(0, pick).happened(CardsDrawn)) == (0 if id in LISTENING else 1)


@pytest.mark.parametrize("id", LISTENING)
def test_another_type_of_technology_does_not_trigger_it(id: str) -> None:
    table = lone(LISTENING[id][1]).deck("city_01").timeline(0, id, 5, 2).at_action(0)
    assert table.picks(0, f"learn:{LISTENING[id][1]}").prompt(0) == "action"
    assert table.happened(CardsDrawn) == ()


@pytest.mark.parametrize("id", ALL)
def test_what_an_opponent_does_never_triggers_it(id: str) -> None:
    table = laid(id)
    pick = triggered(table, id, seat=1)
    at = table.at_action(1).picks(1, pick)
    assert at.asked == (1,)
    assert at.happened(CardsDrawn) == ()


@pytest.mark.parametrize("id", ALL)
def test_it_stops_working_when_it_leaves_the_timeline(id: str) -> None:
    table = lone(LISTENING.get(id, ("tech_27",))[0]).deck("city_01").past(0, id)
    pick = triggered(table, id)
    assert table.at_action(0).picks(0, pick).happened(CardsDrawn) == ()


@pytest.mark.parametrize("id", LISTENING)
def test_learning_through_an_effect_triggers_it(id: str) -> None:
    at = laid(id, tokens=0).hand(0, "pyramid_14").at_action(0).picks(0, "create:pyramid_14@3")
    at.picks(0, LISTENING[id][0])
    assert at.prompt(0) == "remove"


@pytest.mark.parametrize("id", LISTENING)
def test_the_own_effect_comes_first_then_reactions_in_any_order(id: str) -> None:
    tech = {"city_11": "tech_11", "megalith_22": "tech_23", "pyramid_21": "tech_09"}[id]
    table = lone(tech).deck("city_01", "city_02").timeline(0, id, 5, 2).lost(0, 5)
    at = table.artifacts(0, "artifact_20").at_action(0).picks(0, f"learn:{tech}")
    kind = KnowledgeRemoved if id == "city_11" else LostReduced
    assert isinstance(at.events[2], kind)
    assert at.asks(0) == ("next", {id: 1, "artifact_20": 1}, (1, 1))
    assert at.picks(0, "artifact_20").events == (DRAWN,)
    assert at.prompt(0) == "remove"


def test_megalith_26_does_not_react_to_monuments() -> None:
    at = laid("megalith_26").hand(0, "city_12").at_action(0).picks(0, "create:city_12@1")
    assert at.prompt(0) == "action"


def test_reactions_to_one_artifact_are_ordered_by_the_owner() -> None:
    table = laid("megalith_26").timeline(0, "pyramid_20", 3, 4).tile(1, "tech_09")
    at = table.hand(0, "artifact_13").at_action(0).picks(0, "create:artifact_13")
    assert at.asks(0) == ("next", {"megalith_26": 1, "pyramid_20": 1}, (1, 1))
    at.picks(0, "pyramid_20").picks(0, "tech_09")
    assert at.source(0) == "megalith_26"


@card("pyramid_20")
def test_pyramid_20_may_learn_when_an_artifact_is_created() -> None:
    table = lone("tech_09").deck("city_01").tile(1, "tech_02", "tech_15").lost(0, 3)
    table.tech_deck(1, "tech_01", "tech_07", "tech_18")
    table.timeline(0, "pyramid_20", 3, 4).hand(0, "artifact_20")
    at = table.at_action(0).picks(0, "create:artifact_20")
    assert at.asks(0) == ("learn", {"tech_09": 1}, (0, 1))
    assert at.fork().passes(0).techs(0) == set()
    at.picks(0, "tech_09")
    assert at.kinds()[:2] == ["TechnologyLearned", "TileRefilled"]  # a normal learn
    assert at.lost(0) == 1
    assert at.happened(CardsDrawn) == (DRAWN,)  # and the new artifact reacts


def test_pyramid_20_sees_the_new_artifact_in_requirements() -> None:
    table = lone("tech_01").timeline(0, "pyramid_20", 3).artifacts(0, *IDLE_ARTIFACTS[:2])
    at = table.hand(0, "artifact_20").at_action(0).picks(0, "create:artifact_20")
    assert at.asks(0) == ("learn", {"tech_01": 1}, (0, 1))


def test_pyramid_20_is_not_offered_if_nothing_can_be_learned() -> None:
    at = lone("tech_02").timeline(0, "pyramid_20", 3).hand(0, "artifact_20").at_action(0)
    assert at.picks(0, "create:artifact_20").prompt(0) == "action"


@pytest.mark.parametrize("zone", ["past", "opponent"])
def test_pyramid_20_works_on_the_owners_timeline_only(zone: str) -> None:
    table = lone("tech_09").hand(0, "artifact_20")
    table = table.past(0, "pyramid_20") if zone == "past" else table.timeline(1, "pyramid_20")
    at = table.at_action(0).picks(0, "create:artifact_20")
    assert at.asked == (0,)
    assert at.prompt(0) == "action"


@card("pyramid_19")
def test_pyramid_19_lowers_one_number_of_a_requirement() -> None:
    table = scenario().tile(0, "tech_15", "tech_25", "tech_24").past(0, "city_06", "megalith_10")
    plain = table.at_action(0)
    assert plain.options(0, "learn:") == set()
    eased = scenario().tile(0, "tech_15", "tech_25", "tech_24").past(0, "city_06", "megalith_10")
    at = eased.timeline(0, "pyramid_19").at_action(0)
    assert {"tech_15", "tech_25"} <= at.options(0, "learn:")
    assert "tech_24" not in at.options(0, "learn:")


def test_pyramid_19_serves_learning_granted_by_other_cards() -> None:
    table = lone("tech_15").past(0, "city_06").timeline(0, "pyramid_19", 4)
    at = table.timeline(0, "pyramid_09", 1).at_decline_phase(0)
    assert at.asks(0) == ("learn", {"tech_15": 1}, (0, 1))


@pytest.mark.parametrize("zone", ["past", "hand", "opponent"])
def test_pyramid_19_works_on_the_owners_timeline_only(zone: str) -> None:
    table = lone("tech_15").past(0, "city_06")
    match zone:
        case "past":
            table.past(0, "pyramid_19")
        case "hand":
            table.hand(0, "pyramid_19")
        case _:
            table.timeline(1, "pyramid_19")
    assert table.at_action(0).options(0, "learn:") == set()
