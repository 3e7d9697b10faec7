"""Why a move cannot be made now: each reason, on a table where it is the one."""

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
