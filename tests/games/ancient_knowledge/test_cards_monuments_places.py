"""Monuments that move or swap, and the one that skips the decline phase."""

import pytest

from domain.games.ancient_knowledge.events import (
    DeclineSkipped,
    MonumentCreated,
    MonumentDeclined,
    MonumentMoved,
    MonumentsSwapped,
)
from tests.games.ancient_knowledge.claims import QUIET, card, lone
from tests.games.ancient_knowledge.scenario import Scenario

SWAPPING = {"city_13": 4, "city_14": 5, "pyramid_23": 4}
TOKENS = {"city_13": 1, "city_14": 2, "pyramid_23": 1}


def laid() -> Scenario:
    return lone("tech_27").deck("artifact_01", "artifact_02", "artifact_03")


@card(*SWAPPING)
@pytest.mark.parametrize("id", SWAPPING)
def test_a_created_monument_exchanges_places_with_another(id: str) -> None:
    space = SWAPPING[id]
    table = laid().hand(0, id).timeline(0, "city_35", space, 1).timeline(0, "city_20", 2, 0)
    at = table.timeline(1, "city_18").at_action(0).picks(0, f"create:{id}@{space}")
    assert at.asks(0) == ("swap", {"city_20": 1, "city_35": 1}, (1, 1))
    beside = at.fork().picks(0, "city_35")  # locked, and in the other slot of the same space
    assert beside.timeline(0)[id] == f"{space}L k{TOKENS[id]}"
    assert beside.timeline(0)["city_35"] == f"{space}U k1"
    at.picks(0, "city_20")
    assert at.events == (MonumentsSwapped(seat=0, one="city_20", other=id),)
    assert at.timeline(0)["city_20"] == f"{space}U k0"
    assert at.timeline(0)[id] == f"2L k{TOKENS[id]}"
    assert at.hand(0) == set()
    assert at.prompt(0) == "action"


@pytest.mark.parametrize("id", SWAPPING)
def test_it_does_nothing_if_it_stands_alone(id: str) -> None:
    at = laid().hand(0, id).at_action(0).picks(0, f"create:{id}@{SWAPPING[id]}")
    assert at.kinds() == ["ActionTaken", "MonumentCreated"]
    assert at.prompt(0) == "action"


@pytest.mark.parametrize("id", SWAPPING)
def test_in_decline_the_declining_is_no_partner_and_what_enters_space_one_declines(id: str) -> None:
    table = laid().hand(0, id).timeline(0, "megalith_11", 1, 0).timeline(0, "city_11", 1, 3)
    at = table.timeline(0, "city_20", 3, 1).at_decline_phase(0).picks(0, "megalith_11")
    at.picks(0, f"{id}@{SWAPPING[id]}")
    assert at.asks(0) == ("swap", {"city_20": 1, "city_11": 1}, (1, 1))
    at.picks(0, "city_11")
    assert at.happened(MonumentDeclined) == (
        MonumentDeclined(seat=0, card="megalith_11", lost=0),
        MonumentDeclined(seat=0, card=id, lost=TOKENS[id]),
    )
    assert at.timeline(0)["city_11"] == f"{SWAPPING[id] - 1}L k3"  # spared


@pytest.mark.parametrize("id", SWAPPING)
def test_an_exchange_triggers_no_effect_of_entering(id: str) -> None:
    table = laid().hand(0, id).timeline(0, "city_12", 2, 0).lost(0, 2).artifacts(0, "artifact_23")
    at = table.at_action(0).picks(0, f"create:{id}@{SWAPPING[id]}").picks(0, "city_12")
    assert at.kinds() == ["MonumentsSwapped"]
    assert at.lost(0) == 2


MOVING = ("city_15", "pyramid_12")


@card(*MOVING)
@pytest.mark.parametrize("id", MOVING)
def test_a_declining_monument_moves_another_to_another_space(id: str) -> None:
    table = laid().timeline(0, id, 1, 2).timeline(0, "city_11", 1, 1)
    table.timeline(0, "city_35", 4, 3).timeline(0, "city_20", 4, 0)
    at = table.at_decline_phase(0).picks(0, id)
    spared = {f"city_11>{space}" for space in (2, 3, 4, 5, 6)} - {"city_11>4"}
    others = {f"{other}>{space}" for other in ("city_35", "city_20") for space in (2, 3, 5, 6)}
    assert at.asks(0) == ("move", dict.fromkeys(spared | others, 1), (1, 1))
    at.picks(0, "city_35>6")
    assert at.events[:2] == (
        MonumentMoved(seat=0, card="city_35", space=6),
        MonumentDeclined(seat=0, card=id, lost=2),
    )
    assert at.timeline(0) == {"city_20": "3L k0", "city_35": "5L k3"}


@pytest.mark.parametrize("id", MOVING)
def test_the_other_monument_of_space_one_may_be_moved_away_and_is_spared(id: str) -> None:
    table = laid().timeline(0, id, 1, 0).timeline(0, "city_11", 1, 1)
    at = table.at_decline_phase(0).picks(0, id).picks(0, "city_11>3")
    assert at.past(0) == (id,)
    assert at.timeline(0) == {"city_11": "2L k1"}


@pytest.mark.parametrize("id", MOVING)
def test_a_monument_moved_into_space_one_declines_in_this_phase(id: str) -> None:
    table = laid().timeline(0, id, 1, 2).timeline(0, "city_11", 5, 1)
    at = table.at_decline_phase(0).picks(0, "city_11>1")
    assert at.happened(MonumentDeclined) == (
        MonumentDeclined(seat=0, card=id, lost=2),
        MonumentDeclined(seat=0, card="city_11", lost=1),
    )


@pytest.mark.parametrize("id", MOVING)
def test_it_does_nothing_without_another_monument_or_a_free_slot(id: str) -> None:
    at = laid().timeline(0, id, 1, 2).at_decline_phase(0)
    assert at.past(0) == (id,)
    full = laid().timeline(0, id, 1)
    for number in range(1, 12):
        full.timeline(0, f"city_{number:02}" if number != 10 else "city_20", number // 2 + 1)
    filled = full.at_decline_phase(0).picks(0, id)
    assert filled.happened(MonumentMoved) == ()
    assert filled.past(0)[0] == id


@card("city_30")
def test_city_30_skips_the_decline_phase_with_its_slide() -> None:
    table = laid().hand(0, "city_30").timeline(0, "city_11", 1, 1).timeline(0, "city_20", 4, 2)
    at = table.at_action(0, 2).picks(0, "create:city_30@3")
    assert at.events[1:3] == (
        MonumentCreated(seat=0, card="city_30", space=3, knowledge=3),
        DeclineSkipped(),
    )
    assert at.timeline(0) == {"city_11": "1L k1", "city_20": "4L k2", "city_30": "3L k3"}
    assert at.kinds()[3:] == ["TurnStarted"]
    at.searches(1, 2)
    assert at.kinds()[-3:] == QUIET  # an opponent's phase takes place
    at.searches(0, 2)
    assert at.past(0) == ("city_11",)  # and so does the next own one


def test_city_30_created_in_the_decline_phase_skips_nothing() -> None:
    table = laid().hand(0, "city_30").timeline(0, "megalith_11", 1, 0).timeline(0, "city_20", 4, 2)
    at = table.at_decline_phase(0).picks(0, "city_30@3")
    assert at.happened(DeclineSkipped) == ()
    assert at.timeline(0) == {"city_20": "3L k2", "city_30": "2L k3"}
    at.searches(1, 2).searches(0, 2)
    assert at.timeline(0) == {"city_20": "2L k2", "city_30": "1L k3"}


LOCKED = {
    "city_21": 6,
    "city_35": 4,
    "megalith_09": 3,
    "megalith_13": 6,
    "megalith_14": 3,
    "pyramid_10": 6,
    "pyramid_19": 4,
    "pyramid_20": 3,
}


def test_a_locked_monument_is_created_in_its_own_space_only() -> None:
    for id, space in LOCKED.items():
        at = laid().hand(0, id, fill=9).at_action(0)
        assert at.options(0, f"create:{id}@") == {str(space)}
