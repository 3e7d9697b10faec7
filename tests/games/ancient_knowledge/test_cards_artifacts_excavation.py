"""Artifacts that react to excavations and to the end of the decline phase."""

import pytest

from domain.games.ancient_knowledge.events import (
    CardsDiscarded,
    CardsDrawn,
    KnowledgeRemoved,
    MonumentsRotated,
    TechnologyLearned,
)
from tests.games.ancient_knowledge.claims import card, lone
from tests.games.ancient_knowledge.scenario import Scenario
from tests.games.ancient_knowledge.table import Table

DECK = tuple(f"megalith_{number:02}" for number in range(1, 13))
PAST = ("city_07", "city_08", "city_11", "city_18")


def owning(*artifacts: str, tech: str = "tech_09", seats: int = 2) -> Scenario:
    return lone(tech, seats).deck(*DECK).artifacts(0, *artifacts).past(0, *PAST)


def excavates(table: Scenario, count: int) -> Table:
    return table.at_action(0).picks(0, "excavate").picks(0, *PAST[:count])


def drawn(count: int) -> CardsDrawn:
    return CardsDrawn(seat=0, cards=DECK[:count])


def rotated(count: int) -> MonumentsRotated:
    return MonumentsRotated(seat=0, cards=PAST[:count])


@card("artifact_16")
@pytest.mark.parametrize("count", [3, 4])
def test_artifact_16_learns_after_an_excavation_of_three_or_more(count: int) -> None:
    at = excavates(owning("artifact_16").tile(1, "tech_06", "tech_01"), count)
    assert at.events == (rotated(count), drawn(2 * count))
    assert at.asks(0) == ("learn", {"tech_06": 1, "tech_09": 1}, (1, 1))
    assert at.picks(0, "tech_06").happened(TechnologyLearned) == (
        TechnologyLearned(seat=0, card="tech_06", tile=1),
    )
    assert at.prompt(0) == "action"  # once, however many were rotated


def test_artifact_16_does_nothing_after_an_excavation_of_two() -> None:
    assert excavates(owning("artifact_16"), 2).prompt(0) == "action"


def test_artifact_16_is_skipped_if_nothing_can_be_learned() -> None:
    assert excavates(owning("artifact_16", tech="tech_45"), 3).prompt(0) == "action"


def test_artifact_16_judges_the_hand_after_the_draw() -> None:
    at = excavates(owning("artifact_16", tech="tech_08").tile(2, "tech_36").hand(0, fill=1), 3)
    assert at.prompt(0) == "action"
    full = excavates(owning("artifact_16", tech="tech_36").hand(0, fill=4), 3)
    assert full.asks(0) == ("learn", {"tech_36": 1}, (1, 1))


def test_artifact_16_counts_as_learning_for_reactions() -> None:
    at = excavates(owning("artifact_16", "artifact_20"), 3).picks(0, "tech_09")
    assert at.happened(CardsDrawn) == (CardsDrawn(seat=0, cards=("megalith_07",)),)


@card("artifact_25")
def test_artifact_25_may_give_up_the_draw_of_two_for_up_to_six_tokens() -> None:
    table = owning("artifact_25").timeline(0, "city_20", 3, 4).timeline(0, "pyramid_13", 4, 5)
    at = excavates(table, 2)
    assert at.events == (rotated(2),)
    assert at.asks(0) == ("may", {"yes": 1}, (0, 1))
    assert at.fork().passes(0).events == (drawn(4),)
    at.picks(0, "yes")
    assert at.asks(0) == ("remove", {"city_20": 4, "pyramid_13": 5}, (0, 6))
    assert at.fork().passes(0).events == ()
    picks = ["city_20"] * 2 + ["pyramid_13"] * 4
    removed = KnowledgeRemoved(seat=0, tokens={"city_20": 2, "pyramid_13": 4})
    assert at.picks(0, *picks).events == (removed,)
    assert at.hand(0) == set()


@pytest.mark.parametrize("count", [1, 3, 4])
def test_artifact_25_is_offered_at_exactly_two(count: int) -> None:
    at = excavates(owning("artifact_25").timeline(0, "city_20", 3, 4), count)
    assert at.events == (rotated(count), drawn(2 * count))
    assert at.prompt(0) == "action"


def test_artifact_25_is_not_offered_without_tokens() -> None:
    at = excavates(owning("artifact_25").timeline(0, "city_20", 3, 0), 2)
    assert at.events == (rotated(2), drawn(4))


def test_artifact_25_gives_up_six_cards_with_artifact_29() -> None:
    table = owning("artifact_25", "artifact_29").timeline(0, "city_20", 3, 4)
    assert excavates(table, 2).passes(0).events == (drawn(6),)
    other = owning("artifact_25", "artifact_29").timeline(0, "city_20", 3, 4)
    assert excavates(other, 2).picks(0, "yes").picks(0, "city_20").hand(0) == set()


@card("artifact_29")
@pytest.mark.parametrize("count", [1, 2, 3])
def test_artifact_29_draws_three_for_every_rotated_monument(count: int) -> None:
    assert excavates(owning("artifact_29"), count).events == (rotated(count), drawn(3 * count))


def test_artifact_29_stops_at_ten_cards_in_hand() -> None:
    at = excavates(owning("artifact_29").hand(0, fill=8), 2)
    assert at.happened(CardsDrawn) == (drawn(2),)


@card("artifact_34")
def test_artifact_34_makes_every_opponent_discard_two_after_three() -> None:
    table = owning("artifact_34", seats=4).hand(1, "city_01", "city_02", "city_03")
    table.hand(2, "city_04").hand(3, "city_05", "city_06", "city_09")
    at = excavates(table, 3)
    assert at.events == (rotated(3), drawn(6))
    assert at.asked == (1, 3)
    assert at.asks(1) == ("forced_discard", {"city_01": 1, "city_02": 1, "city_03": 1}, (2, 2))
    assert at.asks(3) == ("forced_discard", {"city_05": 1, "city_06": 1, "city_09": 1}, (2, 2))
    at.picks(1, "city_01", "city_03").picks(3, "city_09", "city_05")
    assert at.happened(CardsDiscarded) == (
        CardsDiscarded(seat=1, cards=("city_01", "city_03")),
        CardsDiscarded(seat=2, cards=("city_04",)),
        CardsDiscarded(seat=3, cards=("city_09", "city_05")),
    )


@pytest.mark.parametrize("hand", [1, 2])
def test_artifact_34_takes_a_hand_of_two_or_less_without_asking(hand: int) -> None:
    at = excavates(owning("artifact_34").hand(1, *("city_01", "city_02")[:hand]), 3)
    assert at.hand(1) == set()
    assert at.prompt(0) == "action"


@pytest.mark.parametrize("count", [2, 4])
def test_artifact_34_is_triggered_by_exactly_three(count: int) -> None:
    at = excavates(owning("artifact_34").hand(1, "city_01", "city_02", "city_03"), count)
    assert at.asked == (0,)
    assert len(at.hand(1)) == 3


def declining(*tokens: int) -> Scenario:
    table = lone("tech_01").deck(*DECK).artifacts(0, "artifact_32")
    for monument, knowledge in zip(("city_20", "city_18"), tokens, strict=False):
        table.timeline(0, monument, 1, knowledge)
    return table


@card("artifact_32")
@pytest.mark.parametrize(("tokens", "cards"), [(2, 0), (3, 2), (5, 2), (6, 4), (9, 6)])
def test_artifact_32_draws_two_for_every_three_tokens_lost(tokens: int, cards: int) -> None:
    at = declining(tokens).at_decline_phase(0)
    assert at.happened(CardsDrawn) == ((drawn(cards),) if cards else ())
    assert at.kinds()[-2:] == ["TimelineSlid", "TurnStarted"]


def test_artifact_32_counts_the_total_of_the_phase() -> None:
    at = declining(2, 1).at_decline_phase(0).picks(0, "city_20")
    assert at.kinds()[-3:] == ["CardsDrawn", "TimelineSlid", "TurnStarted"]
    assert at.hand(0) == set(DECK[:2])


def test_artifact_32_stops_at_ten_cards_in_hand() -> None:
    at = declining(9).hand(0, fill=9).at_decline_phase(0)
    assert at.happened(CardsDrawn) == (drawn(1),)


def test_artifact_32_carries_nothing_over_to_the_next_turn() -> None:
    at = declining(2).timeline(0, "city_11", 2, 1).at_decline_phase(0)
    at.searches(1, 2).searches(0, 2)
    assert at.lost(0) == 3
    assert len(at.hand(0)) == 2  # the searches


def test_artifact_32_ignores_tokens_of_a_monument_that_discarded_itself() -> None:
    at = declining().timeline(0, "city_25", 1, 6).at_decline_phase(0)
    assert at.happened(CardsDrawn) == ()
    assert at.discards() == ("city_25",)


def test_artifact_32_does_nothing_when_the_phase_is_skipped() -> None:
    table = declining(6).hand(0, "city_30")
    at = table.at_action(0, 2).picks(0, "create:city_30@3")
    assert at.happened(CardsDrawn) == ()
    assert at.kinds()[-2:] == ["DeclineSkipped", "TurnStarted"]


def test_artifact_32_ignores_knowledge_lost_before_the_phase() -> None:
    assert declining(0).lost(0, 12).at_decline_phase(0).happened(CardsDrawn) == ()
