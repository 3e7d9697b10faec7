"""Artifacts that react to learning, creating and excavating, or change what a creation is."""

import pytest

from domain.games.ancient_knowledge.events import (
    CardsDrawn,
    KnowledgeRemoved,
    LostReduced,
    MonumentCreated,
)
from tests.games.ancient_knowledge.claims import card, lone
from tests.games.ancient_knowledge.scenario import Scenario

DECK = tuple(f"artifact_{number:02}" for number in range(1, 10))
# What each of the family listens to and draws; a technology of that type and one of another.
LEARN_REACTIONS = {
    "artifact_17": (2, "tech_20", "tech_06"),
    "artifact_18": (2, "tech_06", "tech_11"),
    "artifact_19": (2, "tech_11", "tech_20"),
}


def owning(*artifacts: str, tech: str = "tech_09", seats: int = 2) -> Scenario:
    return lone(tech, seats).deck(*DECK).artifacts(0, *artifacts)


def drawn(count: int, start: int = 0) -> CardsDrawn:
    return CardsDrawn(seat=0, cards=DECK[start : start + count])


@card(*LEARN_REACTIONS)
@pytest.mark.parametrize("id", LEARN_REACTIONS)
def test_an_artifact_draws_two_when_a_technology_of_its_type_is_learned(id: str) -> None:
    _, fitting, other = LEARN_REACTIONS[id]
    at = owning(id, tech=fitting).at_action(0).picks(0, f"learn:{fitting}")
    assert at.events[2:] == (drawn(2),)
    not_its_type = owning(id, tech=other).at_action(0).picks(0, f"learn:{other}")
    assert not_its_type.happened(CardsDrawn) == ()


@card("artifact_20")
@pytest.mark.parametrize("tech", ["tech_06", "tech_11", "tech_20"])
def test_artifact_20_draws_one_when_any_technology_is_learned(tech: str) -> None:
    at = owning("artifact_20", tech=tech).at_action(0).picks(0, f"learn:{tech}")
    assert at.events[2:] == (drawn(1),)


@pytest.mark.parametrize("id", [*LEARN_REACTIONS, "artifact_20", "artifact_30"])
def test_opponents_learning_does_not_trigger_it(id: str) -> None:
    tech = LEARN_REACTIONS.get(id, (0, "tech_06"))[1]
    at = owning(id, tech=tech).timeline(0, "city_20", 3, 2).at_action(1).picks(1, f"learn:{tech}")
    assert at.events[2:] == ()
    assert at.asked == (1,)


@pytest.mark.parametrize("id", LEARN_REACTIONS)
def test_learn_reactions_stack_in_an_order_of_choice(id: str) -> None:
    tech = LEARN_REACTIONS[id][1]
    at = owning(id, "artifact_20", tech=tech).at_action(0).picks(0, f"learn:{tech}")
    assert at.asks(0) == ("next", {id: 1, "artifact_20": 1}, (1, 1))
    at.picks(0, "artifact_20")
    assert at.events == (drawn(1), drawn(2, 1))


OWN_EFFECT = {
    "artifact_17": ("tech_23", LostReduced(seat=0, tokens=3)),
    "artifact_18": ("tech_09", LostReduced(seat=0, tokens=2)),
    "artifact_19": ("tech_11", KnowledgeRemoved(seat=0, tokens={"city_20": 1})),
    "artifact_20": ("tech_09", LostReduced(seat=0, tokens=2)),
}


@pytest.mark.parametrize("id", OWN_EFFECT)
def test_the_effect_of_the_technology_comes_before_the_draws(id: str) -> None:
    tech, effect = OWN_EFFECT[id]
    table = owning(id, tech=tech).lost(0, 5).timeline(0, "city_20", 3, 2)
    at = table.at_action(0).picks(0, f"learn:{tech}")
    count = 1 if id == "artifact_20" else 2
    assert at.events[2:] == (effect, drawn(count))


@pytest.mark.parametrize("id", [*LEARN_REACTIONS, "artifact_20"])
def test_learning_through_an_effect_triggers_it(id: str) -> None:
    tech = LEARN_REACTIONS.get(id, (0, "tech_06"))[1]
    table = owning(id, tech=tech).hand(0, "pyramid_14").at_action(0)
    at = table.picks(0, "create:pyramid_14@3").picks(0, tech)
    assert len(at.happened(CardsDrawn)) == 1


@card("artifact_30")
def test_artifact_30_may_take_a_token_when_a_technology_is_learned() -> None:
    table = owning("artifact_30").timeline(0, "city_20", 3, 2).timeline(0, "city_18", 3, 1)
    at = table.at_action(0).picks(0, "learn:tech_09")
    assert at.asks(0) == ("remove", {"city_18": 1, "city_20": 2}, (0, 1))
    at.picks(0, "city_18")
    assert at.events == (KnowledgeRemoved(seat=0, tokens={"city_18": 1}),)


def test_artifact_30_may_be_declined_with_a_single_candidate() -> None:
    at = owning("artifact_30").timeline(0, "city_20", 3, 2).at_action(0).picks(0, "learn:tech_09")
    assert at.asks(0) == ("remove", {"city_20": 2}, (0, 1))
    assert at.passes(0).events == ()


CREATED = {"artifact_22": ("pyramid_12", 3), "artifact_23": ("megalith_10", 2)}


@card(*CREATED)
@pytest.mark.parametrize("id", CREATED)
def test_an_artifact_draws_when_a_monument_of_its_category_is_created(id: str) -> None:
    created, space = CREATED[id]
    at = owning(id).hand(0, created).at_action(0).picks(0, f"create:{created}@{space}")
    assert at.events[2:] == (drawn(1),)


def test_a_creation_through_an_effect_counts_for_reactions() -> None:
    table = owning("artifact_22").hand(0, "megalith_18", "pyramid_12").at_action(0)
    at = table.picks(0, "create:megalith_18@6").picks(0, "pyramid_12@3")
    assert at.events[1:] == (drawn(1),)


@pytest.mark.parametrize(
    ("id", "other"), [("artifact_22", "megalith_10"), ("artifact_23", "city_10")]
)
def test_creating_another_category_draws_nothing(id: str, other: str) -> None:
    space = 2 if other == "megalith_10" else 3
    at = owning(id).hand(0, other).at_action(0).picks(0, f"create:{other}@{space}")
    assert at.kinds() == ["ActionTaken", "MonumentCreated"]


MOVED = {"artifact_22": "pyramid_11", "artifact_23": "megalith_10", "artifact_24": "pyramid_11"}


@pytest.mark.parametrize("id", MOVED)
@pytest.mark.parametrize("tech", ["tech_10", "tech_16"])
def test_moving_or_swapping_is_not_creating(id: str, tech: str) -> None:
    moved = MOVED[id]
    table = owning(id, tech=tech).timeline(0, moved, 3, 2).timeline(0, "city_10", 6)
    at = table.at_action(0).picks(0, f"learn:{tech}")
    at.picks(0, *((f"{moved}>6",) if tech == "tech_10" else (moved, "city_10")))
    assert at.timeline(0)[moved].startswith("6")
    assert at.happened(CardsDrawn) == ()
    assert at.prompt(0) == "action"


IMMEDIATE = {
    "artifact_22": ("pyramid_18", 1),
    "artifact_23": ("megalith_28", 1),
    "artifact_24": ("city_14", 5),
}


@pytest.mark.parametrize("id", IMMEDIATE)
def test_the_order_to_the_immediate_effect_is_the_players_choice(id: str) -> None:
    created, space = IMMEDIATE[id]
    table = owning(id).hand(0, created).timeline(1, "city_20", 3).timeline(0, "city_18", 5, 1)
    at = table.at_action(0).picks(0, f"create:{created}@{space}")
    assert at.asks(0) == ("next", {id: 1, created: 1}, (1, 1))
    reaction_first = at.fork().picks(0, id)
    assert reaction_first.source(0) == (created if id != "artifact_24" else id)
    assert at.picks(0, created).source(0) == created


def test_artifact_22_draws_after_the_payment_has_left_the_hand() -> None:
    table = owning("artifact_22").hand(0, "pyramid_03", "city_12", fill=8)
    at = table.at_action(0).picks(0, "create:pyramid_03@4").picks(0, "city_12")
    assert at.happened(CardsDrawn) == (drawn(1),)
    assert len(at.hand(0)) == 9


@card("artifact_24")
@pytest.mark.parametrize(("space", "asked"), [(5, True), (6, True), (4, False)])
def test_artifact_24_may_take_two_tokens_after_a_creation_far_out(space: int, asked: bool) -> None:
    table = owning("artifact_24").timeline(0, "city_20", 3, 5).hand(0, "city_24", "city_12")
    at = table.at_action(0).picks(0, f"create:city_24@{space}")
    if space != 5:
        at.picks(0, "city_12")
    if not asked:
        assert at.prompt(0) == "action"
        return
    assert at.asks(0) == ("remove", {"city_20": 5, "city_24": 3}, (0, 2))
    assert at.fork().passes(0).events == ()
    at.picks(0, "city_24", "city_20")
    assert at.events == (KnowledgeRemoved(seat=0, tokens={"city_20": 1, "city_24": 1}),)


def test_artifact_24_reads_the_space_where_the_monument_was_placed() -> None:
    table = owning("artifact_24").timeline(0, "city_18", 2, 1).hand(0, "city_14")
    at = table.at_action(0).picks(0, "create:city_14@5").picks(0, "city_14")
    at.picks(0, "city_18")
    assert at.timeline(0) == {"city_14": "2L k2", "city_18": "5L k1"}
    assert at.asks(0) == ("remove", {"city_14": 2, "city_18": 1}, (0, 2))


def test_artifact_24_does_not_react_to_a_monument_swapped_far_out() -> None:
    table = owning("artifact_24").timeline(0, "city_18", 6, 1).hand(0, "city_13")
    at = table.at_action(0).picks(0, "create:city_13@4").picks(0, "city_18")
    assert at.timeline(0) == {"city_13": "6L k1", "city_18": "4L k1"}
    assert at.prompt(0) == "action"


def test_artifact_24_may_be_declined_unresolved_among_optional_effects() -> None:
    table = owning("artifact_24").hand(0, "megalith_18", "city_12")
    at = table.at_action(0).picks(0, "create:megalith_18@6")
    assert at.asks(0) == ("next", {"artifact_24": 1, "megalith_18": 1}, (0, 1))


def test_artifact_24_leaves_the_amount_free_with_a_single_candidate() -> None:
    at = owning("artifact_24").hand(0, "city_24").at_action(0).picks(0, "create:city_24@5")
    assert at.asks(0) == ("remove", {"city_24": 3}, (0, 2))


DISCOUNTS = {"artifact_26": "megalith_30", "artifact_28": "city_24", "artifact_36": "pyramid_30"}
SECOND = {"artifact_26": "megalith_20", "artifact_28": "pyramid_22", "artifact_36": "city_34"}
PRINTED = {"artifact_26": 3, "artifact_28": 3, "artifact_36": 4}


@card(*DISCOUNTS)
@pytest.mark.parametrize("id", DISCOUNTS)
def test_monuments_of_its_category_enter_with_one_token_less(id: str) -> None:
    entering = DISCOUNTS[id]
    table = owning(id).hand(0, entering).timeline(0, entering[:-2] + "11", 4, 3)
    at = table.at_action(0).picks(0, f"create:{entering}@5")
    created = MonumentCreated(seat=0, card=entering, space=5, knowledge=PRINTED[id] - 1)
    assert at.events[1:] == (created,)
    assert at.timeline(0)[entering[:-2] + "11"] == "4L k3"  # not retroactive


@pytest.mark.parametrize("id", DISCOUNTS)
def test_entry_reductions_add_up_and_stop_at_none(id: str) -> None:
    entering = DISCOUNTS[id]
    table = owning(id).hand(0, entering).timeline(0, SECOND[id], 4)
    at = table.at_action(0).picks(0, f"create:{entering}@5")
    assert at.timeline(0)[entering] == f"5L k{PRINTED[id] - 2}"


@pytest.mark.parametrize(
    ("id", "entering", "space"),
    [("artifact_26", "megalith_36", 6), ("artifact_36", "pyramid_34", 2)],
)
def test_an_entry_reduction_never_goes_below_none(id: str, entering: str, space: int) -> None:
    at = owning(id).hand(0, entering).at_action(0).picks(0, f"create:{entering}@{space}")
    assert at.timeline(0)[entering] == f"{space}L k0"


@pytest.mark.parametrize(
    ("id", "other"),
    [("artifact_26", "city_24"), ("artifact_28", "megalith_30"), ("artifact_36", "city_24")],
)
def test_other_categories_and_hands_give_no_reduction(id: str, other: str) -> None:
    at = owning(id).hand(0, other).at_action(0).picks(0, f"create:{other}@5")
    assert at.timeline(0)[other] == "5L k3"
    held = owning().hand(0, id, DISCOUNTS[id]).at_action(0).picks(0, f"create:{DISCOUNTS[id]}@5")
    assert held.timeline(0)[DISCOUNTS[id]] == f"5L k{PRINTED[id]}"
