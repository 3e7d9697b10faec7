"""Monuments that do something to opponents."""

import pytest

from domain.games.ancient_knowledge.events import (
    ArtifactDiscarded,
    CardsDiscarded,
    CardStolen,
    KnowledgeAdded,
    MonumentDeclined,
)
from tests.games.ancient_knowledge.claims import QUIET, card, lone
from tests.games.ancient_knowledge.scenario import Scenario

FORCING = {"megalith_09": 2, "megalith_10": 1}
HANDS = {1: ("city_01", "city_02", "city_03"), 3: ("city_04", "city_05", "city_06")}


def laid(seats: int = 2) -> Scenario:
    return lone("tech_27", seats).deck("artifact_01", "artifact_02")


@card(*FORCING)
@pytest.mark.parametrize("id", FORCING)
def test_every_opponent_discards_hand_cards_at_the_same_time(id: str) -> None:
    count = FORCING[id]
    table = laid(seats=4).timeline(0, id, 1, 2).hand(0, "city_09").hand(2, "city_07")
    at = table.hand(1, *HANDS[1]).hand(3, *HANDS[3]).at_decline_phase(0)
    assert at.asked == (1, 3)
    for seat in (1, 3):
        options = dict.fromkeys(HANDS[seat], 1)
        assert at.asks(seat) == ("forced_discard", options, (count, count))
    assert at.past(0) == ()  # the card has not left yet
    assert at.lost(0) == 0
    at.picks(3, *HANDS[3][:count])
    assert len(at.hand(3)) == 3  # nothing happens before everybody has chosen
    at.picks(1, *HANDS[1][-count:])
    assert at.events[:4] == (
        CardsDiscarded(seat=1, cards=HANDS[1][-count:]),
        CardsDiscarded(seat=2, cards=("city_07",)),
        CardsDiscarded(seat=3, cards=HANDS[3][:count]),
        MonumentDeclined(seat=0, card=id, lost=2),
    )
    assert at.hand(0) == {"city_09"}


@pytest.mark.parametrize(
    ("id", "hand"), [("megalith_09", 2), ("megalith_09", 1), ("megalith_10", 1)]
)
def test_a_hand_that_small_is_discarded_without_asking(id: str, hand: int) -> None:
    at = laid().timeline(0, id, 1).hand(1, *HANDS[1][:hand]).at_decline_phase(0)
    assert at.happened(CardsDiscarded) == (CardsDiscarded(seat=1, cards=HANDS[1][:hand]),)


@pytest.mark.parametrize("id", FORCING)
def test_an_empty_hand_is_spared(id: str) -> None:
    at = laid().timeline(0, id, 1).at_decline_phase(0)
    assert at.happened(CardsDiscarded) == ()
    assert at.past(0) == (id,)


@card("pyramid_08")
def test_pyramid_08_makes_every_opponent_discard_an_artifact_of_their_choice() -> None:
    table = laid(seats=4).timeline(0, "pyramid_08", 1, 2).artifacts(0, "artifact_12")
    table.artifacts(1, "artifact_22", "artifact_23").artifacts(2, "artifact_26")
    at = table.at_decline_phase(0)
    assert at.asked == (1,)
    assert at.asks(1) == ("forced_discard", {"artifact_22": 1, "artifact_23": 1}, (1, 1))
    assert at.past(0) == ()
    at.picks(1, "artifact_23")
    assert at.events[:3] == (
        ArtifactDiscarded(seat=1, card="artifact_23"),
        ArtifactDiscarded(seat=2, card="artifact_26"),
        MonumentDeclined(seat=0, card="pyramid_08", lost=2),
    )
    assert (at.artifacts(0), at.artifacts(1)) == ({"artifact_12"}, {"artifact_22"})
    assert at.discards() == ("artifact_23", "artifact_26")


def test_pyramid_08_frees_the_slot_and_ends_the_effect_of_the_lost_artifact() -> None:
    table = laid().timeline(0, "pyramid_08", 1).artifacts(1, "artifact_28").hand(1, "city_24")
    at = table.at_decline_phase(0).picks(1, "create:city_24@5")
    assert at.timeline(1) == {"city_24": "5L k3"}
    assert at.artifacts(1) == set()


def test_pyramid_08_spares_boards_without_artifacts() -> None:
    at = laid().timeline(0, "pyramid_08", 1).at_decline_phase(0)
    assert at.happened(ArtifactDiscarded) == ()
    assert at.past(0) == ("pyramid_08",)


@card("megalith_14")
def test_megalith_14_takes_a_card_of_one_opponent_after_seeing_the_hand() -> None:
    table = laid(seats=4).timeline(0, "megalith_14", 1, 3).hand(1, "city_01", "city_02")
    at = table.hand(3, "city_04", "city_05").at_decline_phase(0)
    assert at.asks(0) == ("opponent", {"seat:1": 1, "seat:3": 1}, (1, 1))
    assert at.shown(0) == set()
    at.picks(0, "seat:3")
    assert at.asks(0) == ("steal", {"city_04": 1, "city_05": 1}, (1, 1))
    assert at.shown(0) == {"city_04", "city_05"}
    assert (at.past(0), at.lost(0)) == ((), 0)
    at.picks(0, "city_05")
    stolen = CardStolen(seat=0, victim=3, card="city_05", into=("city_05",))
    hidden = CardStolen(seat=0, victim=3, card=None, into=(None,))
    assert at.events[:2] == (stolen, MonumentDeclined(seat=0, card="megalith_14", lost=3))
    assert (at.hand(0), at.hand(3)) == ({"city_05"}, {"city_04"})
    assert hidden in at.seen_by(1)
    assert hidden in at.seen_by(None)
    assert [event.card for event in at.seen_by(3) if isinstance(event, CardStolen)] == ["city_05"]


def test_megalith_14_takes_nothing_with_a_full_hand() -> None:
    table = laid().timeline(0, "megalith_14", 1).hand(0, fill=10).hand(1, "city_01")
    at = table.at_decline_phase(0)
    assert at.happened(CardStolen) == ()
    assert at.hand(1) == {"city_01"}


def test_megalith_14_does_nothing_if_no_opponent_holds_a_card() -> None:
    at = laid(seats=3).timeline(0, "megalith_14", 1).at_decline_phase(0)
    assert at.past(0) == ("megalith_14",)
    assert at.asked == (1,)


ADDING = {"megalith_24": (3, 3), "megalith_25": (2, 2), "megalith_28": (1, 1)}


@card(*ADDING)
@pytest.mark.parametrize("id", ADDING)
def test_a_created_monument_puts_tokens_on_one_monument_of_every_opponent(id: str) -> None:
    tokens, space = ADDING[id]
    table = laid(seats=4).hand(0, id).timeline(0, "city_24", 5).timeline(1, "city_20", 2, 0)
    at = table.timeline(1, "city_18", 6, 30).timeline(3, "city_11", 5, 1).at_action(0)
    at.picks(0, f"create:{id}@{space}")
    assert at.asks(0) == ("add", {"city_18": 1, "city_20": 1}, (1, 1))
    added = KnowledgeAdded(seat=1, card="city_18", tokens=tokens)
    assert at.picks(0, "city_18").events == (added,)
    assert at.asks(0) == ("add", {"city_11": 1}, (1, 1))
    at.picks(0, "city_11")
    assert at.timeline(1) == {"city_20": "2L k0", "city_18": f"6L k{30 + tokens}"}
    assert at.timeline(3) == {"city_11": f"5L k{1 + tokens}"}


@pytest.mark.parametrize("id", ADDING)
def test_it_does_nothing_if_no_opponent_has_a_monument(id: str) -> None:
    table = laid(seats=3).hand(0, id).timeline(0, "city_24", 5).at_action(0)
    at = table.picks(0, f"create:{id}@{ADDING[id][1]}")
    assert at.kinds() == ["ActionTaken", "MonumentCreated"]
    assert at.prompt(0) == "action"


def test_megalith_28_created_in_its_space_declines_in_the_same_turn() -> None:
    at = laid().hand(0, "megalith_28").at_action(0, 2).picks(0, "create:megalith_28@1")
    assert at.past(0) == ("megalith_28",)
    assert at.lost(0) == 2
    assert at.kinds()[-2:] == QUIET[1:]
