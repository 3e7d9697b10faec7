"""Why a move cannot be made now: each reason, on a table where it is the one."""

import pytest

from domain.engine.decider import open_choice
from domain.engine.redaction import redact
from domain.games.ancient_knowledge.catalogue import BUILDER
from domain.games.ancient_knowledge.reasons import RULES, refused
from tests.games.ancient_knowledge.scenario import Scenario, scenario
from tests.games.ancient_knowledge.table import Table


def reasons(table: Table, seat: int = 0) -> dict[str, str]:
    """Return the code for every move, or card, that the seat cannot use."""
    choice = open_choice(table.match, seat)
    assert choice is not None
    found = {one.card or one.move: one.code for one in refused(redact(table.match, seat), choice)}
    assert all(code in RULES.refusals for code in found.values())
    return found


def monument(locked: bool, cost: int) -> str:
    return next(
        card.id
        for card in BUILDER.values()
        if card.kind == "monument" and card.locked == locked and card.cost == cost
    )


def test_with_nothing_on_the_board_there_is_nothing_to_archive_or_excavate() -> None:
    found = reasons(scenario().hand(0, "artifact_01").at_action(0))
    assert found["recordKnowledge"] == "nothing_to_archive"
    assert found["tapMonuments"] == "nothing_to_excavate"


def test_technologies_on_display_want_their_requirement() -> None:
    table = scenario().at_action(0)
    found = reasons(table)
    shown = [tech for tile in table.match.board.tiles for tech in tile.techs]
    assert shown
    assert all(found[tech] == "requirement_not_met" for tech in shown)


def test_a_card_that_costs_more_than_the_hand_is_refused() -> None:
    dear = monument(locked=False, cost=2)
    assert reasons(scenario().hand(0, dear, monument(True, 0)).at_action(0))[dear] == (
        "cost_too_high"
    )


def full(spaces: list[int], but: str) -> Scenario:
    laid = scenario()
    cards = [one for one in BUILDER.values() if one.kind == "monument" and one.id != but]
    for number, space in enumerate([*spaces, *spaces]):
        laid = laid.timeline(0, cards[number].id, space=space)
    return laid


def test_a_locked_monument_wants_its_own_space() -> None:
    card = monument(locked=True, cost=0)
    laid = full([BUILDER[card].space], card)
    table = laid.hand(0, card, fill=3).at_action(0)
    assert reasons(table)[card] == "locked_space_full"


def test_distance_can_cost_too_much() -> None:
    card = monument(locked=False, cost=0)
    laid = full([BUILDER[card].space], card)
    table = laid.hand(0, card).at_action(0)
    assert reasons(table)[card] == "no_space_affordable"


def test_a_full_timeline_and_full_slots_take_nothing_more() -> None:
    card = monument(locked=False, cost=0)
    laid = full([1, 2, 3, 4, 5, 6], card)
    table = laid.hand(0, card, fill=3).at_action(0)
    assert reasons(table)[card] == "no_free_slot"
    slots = [f"artifact_0{number}" for number in range(1, 6)]
    table = scenario().artifacts(0, *slots).hand(0, "artifact_06", fill=4).at_action(0)
    assert reasons(table)["artifact_06"] == "no_free_slot"


@pytest.mark.parametrize(
    ("source", "space", "fitting"),
    [("megalith_16", 2, "artifact_12"), ("megalith_27", 3, "megalith_13")],
)
def test_a_bonus_creation_tells_first_of_the_kind_that_it_asks_for(
    source: str, space: int, fitting: str
) -> None:
    """Rules 6.1: what costs more than the hand holds matters only for that kind."""
    table = scenario().hand(0, source, "artifact_12", "megalith_13", "city_24").at_action(0)
    found = reasons(table.plays(0, "playCard", card=source, space=space))
    others = dict.fromkeys(("artifact_12", "megalith_13", "city_24"), "not_asked_for")
    assert found == {**others, fitting: "cost_too_high"}


def test_ancient_greek_asks_for_an_artifact_among_the_cards_that_it_shows() -> None:
    laid = scenario().bare().deck("city_03", "artifact_12", "artifact_01").tile(1).tile(2)
    table = laid.tile(0, "tech_22", "tech_01", "tech_02").hand(0, "city_04").at_action(0)
    found = reasons(table.plays(0, "learnTechnology", technology="tech_22"))
    assert found == {"city_03": "not_asked_for", "artifact_12": "cost_too_high"}


def test_poulnabrone_dolmen_asks_for_a_monument() -> None:
    laid = scenario().past_of(0, cities=11).timeline(0, "megalith_36")
    table = laid.hand(0, "pyramid_24", "artifact_01", "city_03").at_action(0)
    found = reasons(table.plays(0, "playCard", card="pyramid_24", space=3))
    assert found == {"artifact_01": "not_asked_for", "city_03": "cost_too_high"}
