"""Technologies of level I that look at the builder deck."""

import pytest

from domain.games.ancient_knowledge.events import (
    ArtifactCreated,
    AsideClosed,
    CardsDiscarded,
    CardsSetAside,
    CardTaken,
    DeckShuffled,
)
from tests.games.ancient_knowledge.claims import IDLE_ARTIFACTS, card, lone

FIVE = ("city_01", "city_02", "city_03", "city_04", "city_05")
EIGHT = (*FIVE, "pyramid_01", "pyramid_02", "pyramid_03")
TEN = (*EIGHT, "artifact_30", "artifact_12")


def taken(seat: int, card: str) -> CardTaken:
    return CardTaken(seat=seat, card=card, into=(card,), looker=0, public=True)


@card("tech_03")
def test_tech_03_deals_five_open_cards_round_and_a_second_to_the_learner() -> None:
    at = lone("tech_03").deck(*FIVE, "city_06").at_action(0).picks(0, "learn:tech_03")
    assert at.events[2:] == (CardsSetAside(seat=0, deck="builder", cards=FIVE, public=True),)
    assert at.asks(0) == ("take", dict.fromkeys(FIVE, 1), (1, 1))
    assert at.picks(0, "city_04").events == (taken(0, "city_04"),)
    assert at.asked == (1,)
    assert at.asks(1) == ("take", dict.fromkeys((*FIVE[:3], "city_05"), 1), (1, 1))
    at.picks(1, "city_01")
    assert at.asks(0) == ("take", dict.fromkeys(("city_02", "city_03", "city_05"), 1), (1, 1))
    at.picks(0, "city_05")
    assert at.events == (
        taken(0, "city_05"),
        AsideClosed(cards=("city_02", "city_03"), looker=0, public=True),
    )
    assert (at.hand(0), at.hand(1)) == ({"city_04", "city_05"}, {"city_01"})


@pytest.mark.parametrize(("seats", "left"), [(2, 2), (3, 1), (4, 0)])
def test_tech_03_leaves_what_nobody_took(seats: int, left: int) -> None:
    at = lone("tech_03", seats).deck(*FIVE).at_action(0).picks(0, "learn:tech_03")
    for picked, seat in zip(FIVE, (*range(seats), 0), strict=False):
        assert at.asked == (seat,)
        at.picks(seat, picked)
    assert at.discards() == FIVE[5 - left :]
    assert at.prompt(0) == "action"


def test_tech_03_passes_over_a_player_with_ten_cards() -> None:
    at = lone("tech_03").deck(*FIVE).hand(1, fill=10).at_action(0).picks(0, "learn:tech_03")
    assert at.picks(0, "city_01").asked == (0,)
    assert at.prompt(0) == "take"
    at.picks(0, "city_02")
    assert at.discards() == FIVE[2:]


def test_tech_03_gives_no_second_card_to_a_learner_who_reaches_ten() -> None:
    at = lone("tech_03").deck(*FIVE).hand(0, fill=9).at_action(0).picks(0, "learn:tech_03")
    at.picks(0, "city_01").picks(1, "city_02")
    assert at.discards() == FIVE[2:]
    assert at.prompt(0) == "action"


def test_tech_03_with_a_full_hand_still_serves_the_others() -> None:
    at = lone("tech_03").deck(*FIVE).hand(0, fill=10).at_action(0).picks(0, "learn:tech_03")
    assert at.asked == (1,)
    at.picks(1, "city_01")
    assert at.discards() == FIVE[1:]


def test_tech_03_rebuilds_the_deck_from_the_discards() -> None:
    at = lone("tech_03").deck(*FIVE[:2]).discard(*FIVE[2:]).at_action(0)
    at.picks(0, "learn:tech_03")
    assert len(at.happened(DeckShuffled)) == 1
    assert at.asks(0) == ("take", dict.fromkeys(FIVE, 1), (1, 1))


def test_tech_03_stops_when_no_card_is_left() -> None:
    at = lone("tech_03").deck(*FIVE[:2]).at_action(0).picks(0, "learn:tech_03")
    at.picks(0, "city_01").picks(1, "city_02")
    assert at.discards() == ()
    assert at.prompt(0) == "action"


@card("tech_04")
def test_tech_04_keeps_one_of_eight_cards_in_secret() -> None:
    at = lone("tech_04").deck(*EIGHT, "city_06").at_action(0).picks(0, "learn:tech_04")
    assert at.events[2:] == (CardsSetAside(seat=0, deck="builder", cards=EIGHT),)
    assert at.seen_by(1)[3:4] == (CardsSetAside(seat=0, deck="builder", cards=(None,) * 8),)
    assert at.asks(0) == ("take", dict.fromkeys(EIGHT, 1), (1, 1))
    assert at.shown(0) == set(EIGHT)
    at.picks(0, "pyramid_01")
    assert at.hand(0) == {"pyramid_01"}
    assert at.discards() == (*FIVE, "pyramid_02", "pyramid_03")


def test_tech_04_with_ten_cards_in_hand_looks_at_nothing() -> None:
    at = lone("tech_04").deck(*EIGHT).hand(0, fill=10).at_action(0).picks(0, "learn:tech_04")
    assert at.kinds() == ["ActionTaken", "TechnologyLearned"]
    assert at.board.deck == EIGHT


@card("tech_22")
def test_tech_22_creates_an_artifact_of_ten_cards_paid_from_hand() -> None:
    table = lone("tech_22").deck(*TEN, "city_10").hand(0, "city_06", "city_07")
    at = table.at_action(0).picks(0, "learn:tech_22")
    assert at.events[2:] == (CardsSetAside(seat=0, deck="builder", cards=TEN),)
    assert at.seen_by(1)[3:4] == (CardsSetAside(seat=0, deck="builder", cards=(None,) * 10),)
    assert at.asks(0) == ("create", {"artifact_30": 1}, (1, 1))
    assert at.hints(0) == {"artifact_30": "cost 1"}
    assert at.shown(0) == set(TEN)
    at.picks(0, "artifact_30")
    assert at.asks(0) == ("payment", {"city_06": 1, "city_07": 1}, (1, 1))
    at.picks(0, "city_06")
    assert at.events == (
        CardsDiscarded(seat=0, cards=("city_06",)),
        ArtifactCreated(seat=0, card="artifact_30", aside=True),
        AsideClosed(cards=(*EIGHT, "artifact_12"), looker=0),
    )
    assert at.artifacts(0) == {"artifact_30"}


def test_tech_22_offers_every_artifact_that_the_hand_can_pay() -> None:
    table = lone("tech_22").deck(*EIGHT[:7], "artifact_30", "artifact_12", "artifact_22")
    three = table.hand(0, "city_06", "city_07", "city_08").at_action(0).picks(0, "learn:tech_22")
    assert three.options(0) == {"artifact_12", "artifact_22", "artifact_30"}


def test_tech_22_does_not_count_the_ten_cards_as_payment() -> None:
    at = lone("tech_22").deck(*TEN).at_action(0).picks(0, "learn:tech_22")
    assert at.asks(0) == ("create", {}, (0, 0))
    assert at.passes(0).discards() == TEN


def test_tech_22_works_with_a_full_hand() -> None:
    at = lone("tech_22").deck(*TEN).hand(0, fill=10).at_action(0).picks(0, "learn:tech_22")
    assert at.options(0) == {"artifact_30", "artifact_12"}


def test_tech_22_discards_all_ten_without_an_artifact_among_them() -> None:
    deck = (*EIGHT, "pyramid_04", "pyramid_05")
    at = lone("tech_22").deck(*deck).at_action(0).picks(0, "learn:tech_22")
    assert at.asks(0) == ("create", {}, (0, 0))
    assert at.shown(0) == set(deck)
    assert at.passes(0).discards() == deck


def test_tech_22_discards_all_ten_without_a_free_artifact_slot() -> None:
    table = lone("tech_22").deck(*TEN).artifacts(0, *IDLE_ARTIFACTS).hand(0, "city_06", "city_07")
    at = table.at_action(0).picks(0, "learn:tech_22")
    assert at.asks(0) == ("create", {}, (0, 0))
    assert at.passes(0).discards() == TEN


def test_tech_22_triggers_reactions_before_the_rest_is_discarded() -> None:
    table = lone("tech_22").tile(1, "tech_09").deck(*TEN, "city_10").timeline(0, "pyramid_20", 3, 0)
    at = table.timeline(0, "megalith_26", 6, 1).hand(0, "city_06").at_action(0)
    at.picks(0, "learn:tech_22").picks(0, "artifact_30").picks(0, "city_06")
    assert at.asks(0) == ("next", {"megalith_26": 1, "pyramid_20": 1}, (1, 1))
    assert at.kinds() == ["CardsDiscarded", "ArtifactCreated"]
    at.picks(0, "megalith_26").picks(0, "megalith_26")
    assert at.hand(0) == {"city_10"}
    at.picks(0, "tech_09")
    assert at.kinds() == ["TechnologyLearned", "AsideClosed"]
