"""Monuments that let their owner create another card."""

import pytest

from domain.games.ancient_knowledge.events import (
    ArtifactCreated,
    CardsDiscarded,
    CardsDrawn,
    LostReduced,
    MonumentCreated,
    MonumentDeclined,
)
from tests.games.ancient_knowledge.claims import IDLE_ARTIFACTS, card, lone
from tests.games.ancient_knowledge.scenario import Scenario
from tests.games.ancient_knowledge.table import Table

HAND = ("artifact_13", "city_35", "city_16", "megalith_10")


def laid() -> Scenario:
    return lone("tech_27").deck("artifact_01", "artifact_02")


MONUMENTS = ("megalith_11", "megalith_18")
MEGALITHS = {f"megalith_10@{space}" for space in (1, 2, 3, 4, 5)}
# With three others in hand: city_16 costs 2 in space 2, city_35 is locked in space 4.
PLACES = {"city_35@4", "city_16@1", "city_16@2", "city_16@3"} | MEGALITHS


def begun(id: str, *hand: str) -> Table:
    """Let the bonus creation of a card come up."""
    if id == "megalith_11":
        return laid().timeline(0, id, 1, 0).hand(0, *hand).at_decline_phase(0)
    space = {"megalith_18": 6, "megalith_27": 3}.get(id, 2)
    return laid().hand(0, id, *hand).at_action(0).picks(0, f"create:{id}@{space}")


@card(*MONUMENTS)
@pytest.mark.parametrize("id", MONUMENTS)
def test_a_monument_may_be_created_at_all_its_costs(id: str) -> None:
    at = begun(id, *HAND)
    assert at.asks(0) == ("create", dict.fromkeys(PLACES, 1), (0, 1))
    assert at.hints(0, "city_16@") == {"1": "cost 3", "2": "cost 2", "3": "cost 3"}
    assert at.fork().passes(0).happened(MonumentCreated) == ()
    at.picks(0, "city_16@1")
    others = dict.fromkeys({"artifact_13", "city_35", "megalith_10"}, 1)
    assert at.asks(0) == ("payment", others, (3, 3))
    at.picks(0, *others)
    created = MonumentCreated(seat=0, card="city_16", space=1, knowledge=2)
    assert at.events[:2] == (CardsDiscarded(seat=0, cards=tuple(others)), created)


@card("megalith_27")
def test_megalith_27_may_create_a_megalith() -> None:
    at = begun("megalith_27", *HAND)
    assert at.asks(0) == ("create", dict.fromkeys(MEGALITHS, 1), (0, 1))
    assert at.fork().passes(0).events == ()
    at.picks(0, "megalith_10@2")
    assert at.events == (MonumentCreated(seat=0, card="megalith_10", space=2, knowledge=2),)
    assert at.prompt(0) == "action"


BUILDING = ("megalith_16", "pyramid_16")


@card(*BUILDING)
@pytest.mark.parametrize("id", BUILDING)
def test_an_artifact_may_be_created_at_its_cost(id: str) -> None:
    at = begun(id, "artifact_13", "artifact_30", "artifact_12", "city_16")
    options = {"artifact_12": 1, "artifact_13": 1, "artifact_30": 1}
    assert at.asks(0) == ("create", options, (0, 1))
    assert at.fork().passes(0).events == ()
    at.picks(0, "artifact_30")
    assert at.asks(0) == ("payment", {"artifact_12": 1, "artifact_13": 1, "city_16": 1}, (1, 1))
    at.picks(0, "city_16")
    assert at.events == (
        CardsDiscarded(seat=0, cards=("city_16",)),
        ArtifactCreated(seat=0, card="artifact_30"),
    )


@pytest.mark.parametrize("id", BUILDING)
def test_reactions_to_the_artifact_fire(id: str) -> None:
    table = laid().hand(0, id, "artifact_13").timeline(0, "megalith_26", 6, 1)
    at = table.at_action(0).picks(0, f"create:{id}@2").picks(0, "artifact_13")
    assert at.source(0) == "megalith_26"
    assert at.prompt(0) == "remove"


@pytest.mark.parametrize("id", BUILDING)
def test_it_is_not_offered_without_a_free_artifact_slot(id: str) -> None:
    table = laid().hand(0, id, "artifact_13").artifacts(0, *IDLE_ARTIFACTS)
    assert table.at_action(0).picks(0, f"create:{id}@2").prompt(0) == "action"


UNPLAYABLE = {
    "megalith_11": ("artifact_13", "megalith_13"),
    "megalith_18": ("artifact_13", "artifact_20"),
    "megalith_27": ("artifact_13", "city_16"),
    "megalith_16": ("artifact_12", "city_16"),
    "pyramid_16": ("artifact_12", "city_16"),
}


@pytest.mark.parametrize("id", UNPLAYABLE)
def test_with_nothing_playable_nothing_is_offered_and_nobody_can_tell(id: str) -> None:
    assert begun(id, *UNPLAYABLE[id]).asks(0) == ("create", {}, (0, 0))


@pytest.mark.parametrize("id", UNPLAYABLE)
def test_with_an_empty_hand_nothing_is_asked(id: str) -> None:
    at = begun(id)
    assert at.prompt(0) != "create"
    assert at.happened(CardsDiscarded) == ()


@pytest.mark.parametrize("id", [*MONUMENTS, "megalith_27"])
def test_everything_the_new_monument_does_happens_in_chains(id: str) -> None:
    at = begun(id, "megalith_16", "artifact_13")
    at.picks(0, "megalith_16@2").picks(0, "artifact_13")
    assert at.happened(ArtifactCreated) == (ArtifactCreated(seat=0, card="artifact_13"),)


def test_megalith_11_finds_no_place_on_a_full_timeline() -> None:
    table = laid().timeline(0, "megalith_11", 1).hand(0, "city_12")
    for number in range(1, 12):
        table.timeline(0, f"pyramid_{number:02}", number // 2 + 1)
    at = table.at_decline_phase(0).picks(0, "megalith_11")
    assert at.happened(MonumentCreated) == ()
    assert at.past(0)[0] == "megalith_11"


def test_megalith_18_finds_no_place_on_a_full_timeline() -> None:
    table = laid().hand(0, "megalith_18", "city_12")
    for number in range(1, 12):
        table.timeline(0, f"pyramid_{number:02}", (number + 1) // 2)
    assert table.at_action(0).picks(0, "create:megalith_18@6").prompt(0) == "action"


def test_megalith_11_still_takes_up_its_slot_while_the_new_monument_is_placed() -> None:
    table = laid().timeline(0, "megalith_11", 1, 0).timeline(0, "pyramid_14", 1, 0)
    at = table.hand(0, "city_12", "city_16").at_decline_phase(0).picks(0, "megalith_11")
    assert at.options(0) == {"city_12@2"}


def test_megalith_11_lets_a_monument_placed_in_space_one_decline_after_it() -> None:
    table = laid().timeline(0, "megalith_11", 1, 2).hand(0, "megalith_10", "city_16")
    at = table.hand(1, "city_01").at_decline_phase(0).picks(0, "megalith_10@1")
    at.picks(0, "city_16")
    assert at.happened(CardsDiscarded)[-1] == CardsDiscarded(seat=1, cards=("city_01",))
    assert at.happened(MonumentDeclined) == (
        MonumentDeclined(seat=0, card="megalith_11", lost=2),
        MonumentDeclined(seat=0, card="megalith_10", lost=2),
    )


def test_megalith_11_lets_a_monument_placed_elsewhere_slide_without_a_timeline_effect() -> None:
    table = laid().timeline(0, "megalith_11", 1, 0).hand(0, "megalith_31").lost(0, 4)
    at = table.at_decline_phase(0).picks(0, "megalith_31@2")
    assert at.timeline(0) == {"megalith_31": "1L k3"}
    assert at.happened(LostReduced) == ()


def test_megalith_11_comes_before_or_after_the_other_declining_monument() -> None:
    table = laid().timeline(0, "megalith_11", 1, 0).timeline(0, "megalith_20", 1, 0)
    at = table.hand(0, "megalith_30").at_decline_phase(0)
    assert at.fork().picks(0, "megalith_11").options(0) == {"megalith_30@5"}
    after = at.picks(0, "megalith_20").picks(0, "megalith_30@5")
    assert after.timeline(0)["megalith_30"] == "4L k3"  # its reduction has ended


def past_of(count: int) -> Scenario:
    table = laid().timeline(0, "megalith_36", 6, 0).set(flipped=True)
    return table.past_of(0, cities=count)


@card("megalith_36")
@pytest.mark.parametrize(("past", "offered"), [(11, True), (12, True), (10, False)])
def test_megalith_36_may_create_one_more_monument_from_eleven_in_the_past(
    past: int, offered: bool
) -> None:
    table = past_of(past).hand(0, "pyramid_11", "pyramid_10", "artifact_13", "pyramid_12")
    at = table.at_action(0).picks(0, "create:pyramid_12@3")
    if not offered:
        assert at.prompt(0) == "action"
        return
    places = {f"pyramid_11@{space}" for space in (1, 2, 3, 4, 5)} | {"pyramid_10@6"}
    assert at.asks(0) == ("create", dict.fromkeys(places, 1), (0, 1))
    assert at.fork().passes(0).prompt(0) == "action"
    at.picks(0, "pyramid_11@3")
    assert at.prompt(0) == "action"  # no chain on itself


def test_megalith_36_pays_all_normal_costs() -> None:
    table = past_of(11).hand(0, "pyramid_11", "pyramid_12", "city_12", "artifact_13")
    at = table.at_action(0).picks(0, "create:pyramid_12@3").picks(0, "pyramid_11@5")
    assert at.asks(0) == ("payment", {"artifact_13": 1, "city_12": 1}, (2, 2))


def test_megalith_36_does_not_react_to_its_own_creation_or_to_artifacts() -> None:
    table = laid().past_of(0, cities=11).hand(0, "megalith_36", "pyramid_11")
    assert table.at_action(0).picks(0, "create:megalith_36@6").prompt(0) == "action"
    artifact = past_of(11).hand(0, "artifact_13", "pyramid_11").at_action(0)
    assert artifact.picks(0, "create:artifact_13").prompt(0) == "action"


def test_megalith_18_and_megalith_36_make_four_monuments_of_one_action() -> None:
    table = past_of(11).hand(0, "megalith_18", "pyramid_12", "pyramid_08", "pyramid_22", "city_12")
    at = table.at_action(0).picks(0, "create:megalith_18@6")
    assert at.asks(0) == ("next", {"megalith_18": 1, "megalith_36": 1}, (0, 1))
    at.picks(0, "megalith_36").picks(0, "pyramid_12@3")
    assert at.source(0) == "megalith_18"
    at.picks(0, "pyramid_08@3")
    assert at.source(0) == "megalith_36"
    at.picks(0, "pyramid_22@5")
    assert at.prompt(0) == "action"
    assert len(at.timeline(0)) == 5


def test_megalith_36_reacts_to_a_creation_granted_by_a_card_that_its_bonus_brought() -> None:
    table = past_of(11).hand(0, "megalith_18", "pyramid_12", "pyramid_08", "pyramid_22")
    at = table.at_action(0).picks(0, "create:pyramid_12@3").picks(0, "megalith_18@6")
    assert at.source(0) == "megalith_18"
    at.picks(0, "pyramid_08@3")
    assert at.source(0) == "megalith_36"
    at.picks(0, "pyramid_22@5")
    assert at.prompt(0) == "action"


def test_megalith_36_works_in_the_decline_phase_until_it_reaches_the_past() -> None:
    table = laid().timeline(0, "megalith_36", 1, 0).timeline(0, "megalith_11", 1, 0)
    table.past_of(0, cities=11).set(flipped=True).hand(0, "pyramid_12", "pyramid_08")
    at = table.at_decline_phase(0)
    early = at.fork().picks(0, "megalith_11").picks(0, "pyramid_12@3")
    assert early.source(0) == "megalith_36"
    late = at.picks(0, "megalith_36").picks(0, "pyramid_12@3")
    assert late.asked == (1,)


def test_megalith_36_counts_the_past_at_each_creation() -> None:
    table = laid().timeline(0, "megalith_36", 4, 0).timeline(0, "megalith_11", 1, 0)
    table.timeline(0, "pyramid_14", 1, 0).past_of(0, cities=10).set(flipped=True)
    at = table.hand(0, "pyramid_12", "pyramid_08").at_decline_phase(0)
    before = at.fork().picks(0, "megalith_11").picks(0, "pyramid_12@3")
    assert before.asked == (1,)
    after = at.picks(0, "pyramid_14").picks(0, "pyramid_12@3")
    assert after.source(0) == "megalith_36"


DRAWN = CardsDrawn(seat=0, cards=("artifact_01",))
ORDER = {
    "megalith_16": 2,
    "megalith_18": 6,
    "megalith_23": 5,
    "megalith_24": 3,
    "megalith_25": 2,
    "megalith_27": 3,
    "megalith_28": 1,
    "pyramid_13": 4,
    "pyramid_14": 3,
    "pyramid_15": 2,
    "pyramid_16": 2,
    "pyramid_18": 1,
    "pyramid_23": 4,
    "pyramid_35": 2,
}


@pytest.mark.parametrize("id", ORDER)
def test_the_order_of_its_effect_and_other_reactions_is_the_owners(id: str) -> None:
    reacting = "artifact_22" if id.startswith("pyramid") else "artifact_23"
    table = lone("tech_09").deck("artifact_01").artifacts(0, reacting).timeline(1, "city_20")
    table.timeline(0, "megalith_20", 3, 2).timeline(0, "megalith_22", 2, 1)
    table.hand(0, id, "artifact_13", "megalith_10", "city_12")
    at = table.at_action(0).picks(0, f"create:{id}@{ORDER[id]}")
    if at.prompt(0) == "payment":
        at.picks(0, "city_12")
    assert at.asks(0) == ("next", {id: 1, reacting: 1}, (1, 1))
    assert at.hints(0) == {id: None, reacting: None}
    own = at.fork().picks(0, id)
    assert own.source(0) == id if own.prompt(0) != "action" else own.events[-1] == DRAWN
    at.picks(0, reacting)
    assert at.events[0] == DRAWN
