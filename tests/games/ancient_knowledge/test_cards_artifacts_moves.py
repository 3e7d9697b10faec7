"""Artifacts that work in the timeline phase: moves and technologies."""

import pytest

from domain.games.ancient_knowledge.events import (
    ArtifactDiscarded,
    CardsDrawn,
    MonumentMoved,
    TechnologyLearned,
)
from tests.games.ancient_knowledge.claims import QUIET, card, lone
from tests.games.ancient_knowledge.scenario import Scenario


def owning(*artifacts: str) -> Scenario:
    return lone("tech_09").deck("megalith_01", "megalith_02").artifacts(0, *artifacts)


@card("artifact_06")
def test_artifact_06_moves_one_loaded_monument_of_space_one_to_space_three() -> None:
    table = owning("artifact_06").timeline(0, "city_20", 1, 4).timeline(0, "city_18", 1, 6)
    table.timeline(0, "city_13", 2, 0)  # a full space 2 does not matter
    at = table.timeline(0, "city_11", 2, 9).at_timeline_phase(0)
    assert at.asks(0) == ("move", {"city_18>3": 1, "city_20>3": 1}, (1, 1))
    assert at.refusal(0) == "illegal_choice"
    at.picks(0, "city_20>3")
    assert at.events[0] == MonumentMoved(seat=0, card="city_20", space=3)
    assert at.timeline(0) == {"city_20": "2L k4", "city_13": "1L k0", "city_11": "1U k9"}
    assert at.past(0) == ("city_18",)  # it slid down, and declined


def test_artifact_06_takes_the_upper_slot_and_moves_locked_monuments() -> None:
    table = owning("artifact_06").timeline(0, "city_35", 1, 5).timeline(0, "city_18", 3, 1)
    at = table.at_timeline_phase(0).picks(0, "artifact_06")
    assert at.options(0) == {"city_35>3"}
    at.picks(0, "city_35>3")
    assert at.timeline(0) == {"city_18": "2L k1", "city_35": "2U k5"}


@pytest.mark.parametrize(("tokens", "moves"), [(4, True), (3, False)])
def test_artifact_06_needs_four_tokens(tokens: int, moves: bool) -> None:
    at = owning("artifact_06").timeline(0, "city_20", 1, tokens).at_timeline_phase(0)
    assert at.prompt(0) == ("move" if moves else None)


def test_artifact_06_needs_a_free_slot_in_space_three() -> None:
    table = owning("artifact_06").timeline(0, "city_20", 1, 4).timeline(0, "city_18", 3)
    full = table.timeline(0, "city_11", 3).at_timeline_phase(0)
    assert full.happened(MonumentMoved) == ()
    assert full.prompt(0) is None


@card("artifact_13")
def test_artifact_13_may_move_a_monument_without_tokens() -> None:
    table = owning("artifact_13").timeline(0, "megalith_09", 3, 0).timeline(0, "city_18", 3, 1)
    at = table.timeline(0, "city_11", 6, 0).at_timeline_phase(0)
    options = {f"megalith_09>{space}" for space in (1, 2, 4, 5, 6)}
    options |= {f"city_11>{space}" for space in (1, 2, 4, 5)}
    assert at.asks(0) == ("move", dict.fromkeys(options, 1), (0, 1))
    assert at.fork().passes(0).kinds() == QUIET
    at.picks(0, "megalith_09>6")
    assert at.events[0] == MonumentMoved(seat=0, card="megalith_09", space=6)
    assert at.timeline(0) == {"city_18": "2L k1", "city_11": "5L k0", "megalith_09": "5U k0"}


def test_artifact_13_is_not_offered_if_every_monument_has_tokens() -> None:
    assert owning("artifact_13").timeline(0, "city_18", 3, 1).at_timeline_phase(0).kinds() == QUIET


@card("artifact_31")
def test_artifact_31_discards_itself_to_move_any_monument() -> None:
    table = owning("artifact_31", "artifact_22").timeline(0, "megalith_09", 3, 2)
    at = table.timeline(0, "city_18", 3, 1).at_timeline_phase(0)
    assert at.asks(0) == ("may", {"yes": 1}, (0, 1))
    assert at.fork().passes(0).kinds() == QUIET
    gone = ArtifactDiscarded(seat=0, card="artifact_31")
    assert at.picks(0, "yes").events == (gone,)
    assert at.artifacts(0) == {"artifact_22"}
    options = {f"{id}>{space}" for id in ("megalith_09", "city_18") for space in (1, 2, 4, 5, 6)}
    assert at.asks(0) == ("move", dict.fromkeys(options, 1), (1, 1))
    at.picks(0, "megalith_09>5")
    assert at.events[0] == MonumentMoved(seat=0, card="megalith_09", space=5)
    assert at.timeline(0) == {"city_18": "2L k1", "megalith_09": "4L k2"}


def test_artifact_31_on_an_empty_timeline_only_discards_itself() -> None:
    at = owning("artifact_31").at_timeline_phase(0).picks(0, "yes")
    assert at.kinds() == ["ArtifactDiscarded", *QUIET]


LEARNING = {
    "artifact_12": ({"pyramids": 5, "cities": 1}, {"pyramids": 4, "cities": 2}),
    "artifact_33": ({"lost": 17}, {"lost": 16}),
}


def ready(id: str, counts: dict[str, int], *others: str) -> Scenario:
    table = owning(id, *others).lost(0, counts.get("lost", 0)).set(flipped=True)
    past = {name: counts[name] for name in counts if name != "lost"}
    return table.past_of(0, **past).tile(1, "tech_01")


@card(*LEARNING)
@pytest.mark.parametrize("id", LEARNING)
def test_an_artifact_may_learn_one_displayed_technology_without_an_action(id: str) -> None:
    at = ready(id, LEARNING[id][0]).at_timeline_phase(0)
    assert at.asks(0) == ("learn", {"tech_09": 1}, (0, 1))
    assert at.fork().passes(0).kinds() == QUIET
    at.picks(0, "tech_09")
    assert at.events[0] == TechnologyLearned(seat=0, card="tech_09", tile=0)
    assert at.techs(0) == {"tech_09"}
    assert "ActionTaken" not in at.kinds()


BEYOND = {"artifact_12": {"pyramids": 7}, "artifact_33": {"lost": 20}}


@pytest.mark.parametrize("id", LEARNING)
def test_a_learning_artifact_works_beyond_its_threshold_too(id: str) -> None:
    at = ready(id, BEYOND[id]).at_timeline_phase(0)
    assert at.asks(0) == ("learn", {"tech_09": 1}, (0, 1))


@pytest.mark.parametrize("id", LEARNING)
def test_a_learning_artifact_does_nothing_below_its_threshold(id: str) -> None:
    assert ready(id, LEARNING[id][1]).at_timeline_phase(0).kinds() == QUIET


@pytest.mark.parametrize("id", LEARNING)
def test_a_learning_artifact_is_not_offered_if_nothing_can_be_learned(id: str) -> None:
    at = ready(id, LEARNING[id][0]).tile(0, "tech_45").at_timeline_phase(0)
    assert at.kinds() == QUIET


@pytest.mark.parametrize("id", LEARNING)
def test_learning_by_an_artifact_counts_for_reactions(id: str) -> None:
    at = ready(id, LEARNING[id][0], "artifact_20").at_timeline_phase(0).picks(0, "tech_09")
    assert at.happened(CardsDrawn) == (CardsDrawn(seat=0, cards=("megalith_01",)),)


@pytest.mark.parametrize("id", LEARNING)
def test_a_learning_artifact_repeats_every_turn(id: str) -> None:
    at = ready(id, LEARNING[id][0]).at_timeline_phase(0).passes(0)
    at.searches(1, 2).searches(0, 2)
    assert at.asks(0) == ("learn", {"tech_09": 1}, (0, 1))
