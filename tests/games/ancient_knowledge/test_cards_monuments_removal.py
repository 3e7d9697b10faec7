"""Monuments that take tokens off when they are created."""

import pytest

from domain.games.ancient_knowledge.events import (
    ArtifactDiscarded,
    CardsDiscarded,
    CardsDrawn,
    KnowledgeRemoved,
    MonumentDeclined,
)
from tests.games.ancient_knowledge.claims import card, lone
from tests.games.ancient_knowledge.scenario import Scenario


def laid() -> Scenario:
    return lone("tech_27").deck("artifact_01", "artifact_02")


EVERY = {"city_20": ("city", 2, 0), "megalith_23": ("megalith", 5, 1)}
OF = {
    "city": ("city_24", "city_18", "city_11"),
    "megalith": ("megalith_20", "megalith_22", "megalith_30"),
}


@card(*EVERY)
@pytest.mark.parametrize("id", EVERY)
def test_a_created_monument_takes_a_token_off_every_other_of_its_category(id: str) -> None:
    category, space, cost = EVERY[id]
    a, b, empty = OF[category]
    table = laid().hand(0, id, "city_01").timeline(0, a, 3, 3).timeline(0, b, 4, 1)
    table.timeline(0, empty, 5, 0).timeline(0, "pyramid_13", 6, 9).timeline(1, "city_06", 2, 2)
    at = table.timeline(1, "megalith_31", 2, 2).at_action(0).picks(0, f"create:{id}@{space}")
    if cost:
        at.picks(0, "city_01")
    assert at.events[-1] == KnowledgeRemoved(seat=0, tokens={a: 1, b: 1})
    assert at.prompt(0) == "action"


@pytest.mark.parametrize("id", EVERY)
def test_without_a_target_nothing_happens(id: str) -> None:
    category, space, cost = EVERY[id]
    table = laid().hand(0, id, "city_01").timeline(0, OF[category][0], 3, 0)
    at = table.at_action(0).picks(0, f"create:{id}@{space}")
    if cost:
        at.picks(0, "city_01")
    assert at.kinds()[-1] == "MonumentCreated"


@card("city_31")
def test_city_31_takes_three_off_each_of_two_cities() -> None:
    table = laid().hand(0, "city_31").timeline(0, "city_16", 5, 5).timeline(0, "city_18", 6, 2)
    at = table.timeline(0, "city_11", 5, 0).timeline(0, "pyramid_13", 4, 9).at_action(0)
    at.picks(0, "create:city_31@3")
    assert at.asks(0) == ("remove", {"city_18": 1, "city_16": 1, "city_31": 1}, (2, 2))
    assert at.refusal(0, "city_16", "city_16") == "illegal_choice"
    own = at.fork().picks(0, "city_31", "city_16")
    assert own.events == (KnowledgeRemoved(seat=0, tokens={"city_16": 3, "city_31": 3}),)
    at.picks(0, "city_16", "city_18")
    assert at.events == (KnowledgeRemoved(seat=0, tokens={"city_16": 3, "city_18": 2}),)


def test_city_31_relieves_two_of_five_cities_too() -> None:
    table = laid().hand(0, "city_31").timeline(0, "city_16", 5, 5).timeline(0, "city_18", 6, 0)
    table.timeline(0, "city_11", 5, 2).timeline(0, "city_13", 4, 0)
    at = table.at_action(0).picks(0, "create:city_31@3")
    assert at.asks(0) == ("remove", {"city_11": 1, "city_16": 1, "city_31": 1}, (2, 2))


def test_city_31_relieves_the_only_city_with_tokens() -> None:
    table = laid().hand(0, "city_31").timeline(0, "city_16", 5).timeline(0, "city_18", 6)
    at = table.timeline(0, "city_11", 5).at_action(0).picks(0, "create:city_31@3")
    assert at.asks(0) == ("remove", {"city_31": 1}, (1, 1))
    assert at.picks(0, "city_31").timeline(0)["city_31"] == "3L k0"


def test_city_31_needs_four_cities_on_the_timeline() -> None:
    table = laid().hand(0, "city_31").timeline(0, "city_16", 5, 5).timeline(0, "city_18", 6, 2)
    table.past(0, "city_01").timeline(0, "pyramid_13", 4, 9)
    assert table.at_action(0).picks(0, "create:city_31@3").prompt(0) == "action"


@card("city_32")
def test_city_32_may_archive_without_an_action() -> None:
    table = laid().hand(0, "city_32", "city_01", "city_02").timeline(0, "city_11", 5, 1)
    at = table.at_action(0).picks(0, "create:city_32@3")
    assert at.asks(0) == ("archive", {"city_01": 1, "city_02": 1}, (0, 2))
    assert at.fork().passes(0).events == ()
    at.picks(0, "city_02", "city_01")
    assert at.asks(0) == ("remove", {"city_11": 1, "city_32": 3}, (2, 2))
    at.picks(0, "city_32", "city_11")
    assert at.events == (
        CardsDiscarded(seat=0, cards=("city_02", "city_01")),
        KnowledgeRemoved(seat=0, tokens={"city_11": 1, "city_32": 1}),
    )
    assert at.board.actions == 1
    assert at.prompt(0) == "action"


def test_city_32_archives_at_most_as_many_cards_as_there_are_tokens() -> None:
    table = laid().hand(0, "city_32", fill=6).artifacts(0, "artifact_28")
    at = table.at_action(0).picks(0, "create:city_32@3")
    assert at.bounds(0) == (0, 2)


def test_city_32_is_not_offered_with_an_empty_hand_or_without_tokens() -> None:
    at = laid().hand(0, "city_32").at_action(0).picks(0, "create:city_32@3")
    assert at.prompt(0) == "action"
    table = laid().hand(0, "city_32", "city_01").artifacts(0, "artifact_28")
    table.timeline(0, "pyramid_22").timeline(0, "city_24")
    assert table.at_action(0).picks(0, "create:city_32@3").prompt(0) == "action"


@card("pyramid_13")
@pytest.mark.parametrize(("count", "tokens"), [(1, 10), (3, 2), (4, 0)])
def test_pyramid_13_loses_four_tokens_for_every_artifact_discarded(count: int, tokens: int) -> None:
    artifacts = ("artifact_12", "artifact_23", "artifact_26", "artifact_28")
    table = laid().hand(0, "pyramid_13").artifacts(0, *artifacts).timeline(0, "city_24", 5, 3)
    at = table.at_action(0).picks(0, "create:pyramid_13@4").picks(0, "yes")
    assert at.asks(0) == ("discard", dict.fromkeys(artifacts, 1), (1, 4))
    at.picks(0, *artifacts[:count])
    gone = tuple(ArtifactDiscarded(seat=0, card=id) for id in artifacts[:count])
    less = KnowledgeRemoved(seat=0, tokens={"pyramid_13": 14 - tokens})
    assert at.events == (*gone, less)
    assert at.timeline(0) == {"city_24": "5L k3", "pyramid_13": f"4L k{tokens}"}
    assert at.artifacts(0) == set(artifacts[count:])


def test_pyramid_13_keeps_the_reduction_of_an_artifact_that_it_discards() -> None:
    table = laid().hand(0, "pyramid_13").artifacts(0, "artifact_36")
    at = table.at_action(0).picks(0, "create:pyramid_13@4").picks(0, "yes").picks(0, "artifact_36")
    assert at.timeline(0) == {"pyramid_13": "4L k9"}


def test_pyramid_13_lets_a_waiting_reaction_of_a_discarded_artifact_happen() -> None:
    table = laid().hand(0, "pyramid_13").artifacts(0, "artifact_22")
    at = table.at_action(0).picks(0, "create:pyramid_13@4")
    assert at.asks(0) == ("next", {"artifact_22": 1, "pyramid_13": 1}, (1, 1))
    at.picks(0, "pyramid_13").picks(0, "yes").picks(0, "artifact_22")
    assert at.artifacts(0) == set()
    assert at.happened(CardsDrawn) == (CardsDrawn(seat=0, cards=("artifact_01",)),)


def test_pyramid_13_may_be_declined() -> None:
    at = laid().hand(0, "pyramid_13").artifacts(0, "artifact_12").at_action(0)
    at.picks(0, "create:pyramid_13@4")
    assert at.asks(0) == ("may", {"yes": 1}, (0, 1))
    assert at.passes(0).timeline(0) == {"pyramid_13": "4L k14"}


def test_pyramid_13_without_artifacts_asks_nothing() -> None:
    at = laid().hand(0, "pyramid_13").at_action(0).picks(0, "create:pyramid_13@4")
    assert at.prompt(0) == "action"


@card("pyramid_18")
def test_pyramid_18_takes_a_token_off_any_monument() -> None:
    table = laid().hand(0, "pyramid_18").timeline(0, "city_24", 5, 3).timeline(0, "city_18", 6, 0)
    at = table.at_action(0).picks(0, "create:pyramid_18@1")
    assert at.asks(0) == ("remove", {"city_24": 3, "pyramid_18": 2}, (1, 1))
    at.picks(0, "pyramid_18")
    assert at.events == (KnowledgeRemoved(seat=0, tokens={"pyramid_18": 1}),)


def test_pyramid_18_does_nothing_without_tokens() -> None:
    table = laid().hand(0, "pyramid_18").artifacts(0, "artifact_36").timeline(0, "city_34", 5, 0)
    at = table.at_action(0).picks(0, "create:pyramid_18@1")
    assert at.timeline(0)["pyramid_18"] == "1L k0"
    assert at.prompt(0) == "action"


def test_pyramid_18_created_in_its_space_declines_in_the_same_turn() -> None:
    at = laid().hand(0, "pyramid_18").at_action(0, 2).picks(0, "create:pyramid_18@1")
    at.picks(0, "pyramid_18")
    assert at.happened(MonumentDeclined) == (MonumentDeclined(seat=0, card="pyramid_18", lost=1),)
