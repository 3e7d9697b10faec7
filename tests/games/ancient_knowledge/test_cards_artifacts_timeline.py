"""Artifacts that work in the timeline phase: tokens, draws and discards."""

import pytest

from domain.games.ancient_knowledge.events import (
    ArtifactDiscarded,
    CardsDiscarded,
    CardsDrawn,
    KnowledgeRemoved,
    LostReduced,
    MonumentsStraightened,
)
from tests.games.ancient_knowledge.claims import QUIET, card, lone
from tests.games.ancient_knowledge.scenario import Scenario

CITIES = ("city_13", "city_14", "city_11")
PYRAMIDS = ("pyramid_13", "pyramid_14", "pyramid_15", "pyramid_16")
DRAWN = CardsDrawn(seat=0, cards=("megalith_01",))


def owning(*artifacts: str) -> Scenario:
    return lone("tech_01").deck("megalith_01", "megalith_02").artifacts(0, *artifacts)


@card("artifact_01")
@pytest.mark.parametrize(("megaliths", "lost", "left"), [(4, 2, 1), (5, 1, 0), (3, 2, 2)])
def test_artifact_01_gives_a_lost_token_back_from_four_megaliths(
    megaliths: int, lost: int, left: int
) -> None:
    table = owning("artifact_01").past_of(0, cities=4, megaliths=megaliths).lost(0, lost)
    at = table.set(flipped=True).at_timeline_phase(0)
    assert at.lost(0) == left
    assert len(at.happened(LostReduced)) == lost - left


def test_artifact_01_without_lost_knowledge_does_nothing() -> None:
    table = owning("artifact_01").past_of(0, megaliths=4)
    assert table.at_timeline_phase(0).kinds() == QUIET


@card("artifact_02")
def test_artifact_02_with_three_cities_takes_a_token_then_draws() -> None:
    table = owning("artifact_02").timeline(0, "pyramid_13", 4, 2)
    for at, city in enumerate(CITIES):
        table.timeline(0, city, 3 + at, at)
    at_phase = table.at_timeline_phase(0)
    tokens = {"pyramid_13": 2, "city_14": 1, "city_11": 2}
    assert at_phase.asks(0) == ("remove", tokens, (1, 1))
    at_phase.picks(0, "pyramid_13")
    removed = KnowledgeRemoved(seat=0, tokens={"pyramid_13": 1})
    assert at_phase.events[:2] == (removed, DRAWN)


def test_artifact_02_with_four_cities_takes_one_token_too() -> None:
    table = owning("artifact_02").timeline(0, "city_18", 2, 1)
    for at, city in enumerate(CITIES):
        table.timeline(0, city, 3 + at, 0)
    assert table.at_timeline_phase(0).asks(0) == ("remove", {"city_18": 1}, (1, 1))


def test_artifact_02_with_two_cities_does_nothing() -> None:
    table = owning("artifact_02").timeline(0, "city_11", 3, 2).timeline(0, "city_18", 3, 2)
    assert table.past(0, "city_01").at_timeline_phase(0).kinds() == QUIET


def test_artifact_02_draws_without_any_token() -> None:
    table = owning("artifact_02").timeline(0, "city_11", 3).timeline(0, "city_18", 3)
    assert table.timeline(0, "city_20", 5).at_timeline_phase(0).events[0] == DRAWN


@card("artifact_03")
def test_artifact_03_sells_up_to_three_tokens_for_exactly_two_cards() -> None:
    table = owning("artifact_03").hand(0, "city_07", "city_08", "city_11")
    at = table.timeline(0, "city_20", 3, 2).timeline(0, "city_18", 4, 5).at_timeline_phase(0)
    assert at.asks(0) == ("may", {"yes": 1}, (0, 1))
    at.picks(0, "yes")
    assert at.asks(0) == ("discard", {"city_07": 1, "city_08": 1, "city_11": 1}, (2, 2))
    sold = CardsDiscarded(seat=0, cards=("city_11", "city_07"))
    assert at.picks(0, "city_11", "city_07").events == (sold,)
    assert at.asks(0) == ("remove", {"city_18": 5, "city_20": 2}, (0, 3))
    none = at.fork().passes(0)
    assert none.kinds() == QUIET
    at.picks(0, "city_18", "city_20", "city_18")
    assert at.events[0] == KnowledgeRemoved(seat=0, tokens={"city_18": 2, "city_20": 1})
    assert at.kinds()[1:] == QUIET  # once in a phase


def test_artifact_03_may_be_declined() -> None:
    table = owning("artifact_03").hand(0, "city_07", "city_08").timeline(0, "city_20", 3, 2)
    at = table.at_timeline_phase(0).passes(0)
    assert at.kinds() == QUIET
    assert at.hand(0) == {"city_07", "city_08"}


def test_artifact_03_needs_two_hand_cards() -> None:
    table = owning("artifact_03").hand(0, "city_07").timeline(0, "city_20", 3, 2)
    assert table.at_timeline_phase(0).kinds() == QUIET


TRIO = ("city_11", "megalith_20", "pyramid_14")


@card("artifact_04")
def test_artifact_04_takes_a_token_if_all_three_categories_are_there() -> None:
    table = owning("artifact_04").timeline(0, "megalith_20", 3, 1).timeline(0, "pyramid_14", 4, 2)
    at = table.timeline(0, "city_11", 6, 0).at_timeline_phase(0)
    assert at.asks(0) == ("remove", {"megalith_20": 1, "pyramid_14": 2}, (1, 1))
    at.picks(0, "megalith_20")
    assert at.events[0] == KnowledgeRemoved(seat=0, tokens={"megalith_20": 1})


@pytest.mark.parametrize("missing", range(3))
def test_artifact_04_does_nothing_if_a_category_is_missing(missing: int) -> None:
    table = owning("artifact_04").past(0, TRIO[missing])
    for id in (*TRIO[:missing], *TRIO[missing + 1 :]):
        table.timeline(0, id, 4, 2)
    assert table.at_timeline_phase(0).kinds() == QUIET


@pytest.mark.parametrize("tokens", [1, 3])
def test_artifact_04_needs_no_more_than_one_of_each(tokens: int) -> None:
    table = owning("artifact_04")
    for space, category in enumerate(("city_1", "megalith_1", "pyramid_1"), 3):
        table.timeline(0, f"{category}2", space, tokens).timeline(0, f"{category}4", space, 0)
    assert table.at_timeline_phase(0).bounds(0) == (1, 1)


@card("artifact_05")
def test_artifact_05_draws_with_three_artifacts_itself_included() -> None:
    three = owning("artifact_05", "artifact_22", "artifact_23").at_timeline_phase(0)
    assert three.events[0] == DRAWN
    four = owning("artifact_05", *("artifact_22", "artifact_23", "artifact_26"))
    assert four.at_timeline_phase(0).events[0] == DRAWN
    two = owning("artifact_05", "artifact_22").at_timeline_phase(0)
    assert two.kinds() == QUIET


def test_artifact_05_counts_no_artifact_discarded_earlier_in_the_phase() -> None:
    at = owning("artifact_05", "artifact_15", "artifact_22").at_timeline_phase(0)
    first = at.fork().picks(0, "artifact_05")
    assert first.events[0] == DRAWN
    assert at.picks(0, "artifact_15").picks(0, "yes").kinds() == ["ArtifactDiscarded", *QUIET]


@card("artifact_07")
def test_artifact_07_sells_two_artifacts_of_the_hand_for_four_cards() -> None:
    hand = ("artifact_22", "artifact_23", "artifact_26", "city_07")
    table = owning("artifact_07", "artifact_28").deck("city_08", "city_11").hand(0, *hand)
    at = table.at_timeline_phase(0)
    assert at.asks(0) == ("may", {"yes": 1}, (0, 1))
    at.picks(0, "yes")
    assert at.asks(0) == ("discard", dict.fromkeys(hand[:3], 1), (2, 2))
    at.picks(0, "artifact_26", "artifact_22")
    assert at.hand(0) == {"artifact_23", "city_07", *("megalith_01", "megalith_02")} | {
        "city_08",
        "city_11",
    }
    assert at.artifacts(0) == {"artifact_07", "artifact_28"}


def test_artifact_07_stops_at_ten_cards_in_hand() -> None:
    table = owning("artifact_07").deck("city_08", "city_11").hand(0, "artifact_22", "artifact_23")
    at = table.hand(0, fill=8).at_timeline_phase(0).picks(0, "yes")
    at.picks(0, "artifact_22", "artifact_23")
    assert at.happened(CardsDrawn) == (CardsDrawn(seat=0, cards=("megalith_01", "megalith_02")),)


def test_artifact_07_may_be_declined() -> None:
    table = owning("artifact_07").hand(0, "artifact_22", "artifact_23")
    assert table.at_timeline_phase(0).passes(0).kinds() == QUIET


def test_artifact_07_offers_nothing_with_one_artifact_in_hand_and_tells_nobody() -> None:
    table = owning("artifact_07", "artifact_28").hand(0, "artifact_22", "city_07", "city_08")
    at = table.at_timeline_phase(0)
    assert at.asks(0) == ("may", {}, (0, 0))
    assert at.passes(0).kinds() == QUIET


def test_artifact_07_is_skipped_with_one_hand_card() -> None:
    assert owning("artifact_07").hand(0, "artifact_22").at_timeline_phase(0).kinds() == QUIET


@card("artifact_08")
def test_artifact_08_exchanges_one_card() -> None:
    at = owning("artifact_08").hand(0, "city_07", "city_08").at_timeline_phase(0)
    assert at.asks(0) == ("may", {"yes": 1}, (0, 1))
    assert at.fork().passes(0).kinds() == QUIET
    at.picks(0, "yes")
    assert at.asks(0) == ("discard", {"city_07": 1, "city_08": 1}, (1, 1))
    at.picks(0, "city_08")
    assert at.events[:2] == (CardsDiscarded(seat=0, cards=("city_08",)), DRAWN)


def test_artifact_08_needs_a_hand_card() -> None:
    assert owning("artifact_08").at_timeline_phase(0).kinds() == QUIET


CALM = [(3, 1, True), (0, 2, True), (4, 1, False), (3, 0, False), (0, 0, False)]


@card("artifact_09")
@pytest.mark.parametrize(("lost", "past", "able"), CALM)
def test_artifact_09_may_take_a_token_with_little_lost_and_a_past(
    lost: int, past: int, able: bool
) -> None:
    table = owning("artifact_09").lost(0, lost).past_of(0, cities=past)
    at = table.timeline(0, "city_20", 3, 2).timeline(0, "city_18", 3, 1).at_timeline_phase(0)
    if not able:
        assert at.kinds() == QUIET
        return
    assert at.asks(0) == ("remove", {"city_18": 1, "city_20": 2}, (0, 1))
    assert at.fork().passes(0).kinds() == QUIET
    assert at.picks(0, "city_18").events[0] == KnowledgeRemoved(seat=0, tokens={"city_18": 1})


def test_artifact_09_without_tokens_is_not_offered() -> None:
    table = owning("artifact_09").past_of(0, cities=1).timeline(0, "city_20", 3)
    assert table.at_timeline_phase(0).kinds() == QUIET


@card("artifact_10")
@pytest.mark.parametrize(("lost", "past", "able"), CALM)
def test_artifact_10_draws_with_little_lost_and_a_past(lost: int, past: int, able: bool) -> None:
    at = owning("artifact_10").lost(0, lost).past_of(0, cities=past).at_timeline_phase(0)
    assert at.happened(CardsDrawn) == ((DRAWN,) if able else ())


@card("artifact_11")
def test_artifact_11_takes_up_to_two_tokens_with_three_pyramids() -> None:
    table = owning("artifact_11").timeline(0, "city_20", 6, 3)
    for space, pyramid in enumerate(PYRAMIDS[:3], 2):
        table.timeline(0, pyramid, space, space - 2)
    at = table.at_timeline_phase(0)
    tokens = {"city_20": 3, "pyramid_14": 1, "pyramid_15": 2}
    assert at.asks(0) == ("remove", tokens, (0, 2))
    assert at.fork().passes(0).kinds() == QUIET
    at.picks(0, "city_20", "pyramid_14")
    assert at.events[0] == KnowledgeRemoved(seat=0, tokens={"city_20": 1, "pyramid_14": 1})


def test_artifact_11_takes_two_with_four_pyramids_too() -> None:
    table = owning("artifact_11")
    for space, pyramid in enumerate(PYRAMIDS, 2):
        table.timeline(0, pyramid, space, 1)
    assert table.at_timeline_phase(0).bounds(0) == (0, 2)


def test_artifact_11_with_two_pyramids_does_nothing() -> None:
    table = owning("artifact_11").timeline(0, "pyramid_13", 3, 2).timeline(0, "pyramid_14", 3, 2)
    assert table.past(0, "pyramid_15").at_timeline_phase(0).kinds() == QUIET


@card("artifact_14")
@pytest.mark.parametrize(("lost", "drawn"), [(5, (DRAWN,)), (6, (DRAWN,)), (4, ())])
def test_artifact_14_draws_from_five_lost_tokens(lost: int, drawn: tuple[CardsDrawn, ...]) -> None:
    assert owning("artifact_14").lost(0, lost).at_timeline_phase(0).happened(CardsDrawn) == drawn


@card("artifact_15")
@pytest.mark.parametrize("rotated", [0, 1, 4, 5])
def test_artifact_15_discards_itself_to_straighten_up_to_four(rotated: int) -> None:
    table = owning("artifact_15", "artifact_22").past(0, "megalith_03")
    table.past(0, *("city_07", "city_08", "city_11", "city_18", "city_20")[:rotated], rotated=True)
    at = table.at_timeline_phase(0)
    assert at.asks(0) == ("may", {"yes": 1}, (0, 1))
    assert at.fork().passes(0).kinds() == QUIET
    at.picks(0, "yes")
    assert at.events[0] == ArtifactDiscarded(seat=0, card="artifact_15")
    assert len(at.happened(MonumentsStraightened)) == min(1, rotated)
    assert len(at.rotated(0)) == max(0, rotated - 4)
    assert (at.artifacts(0), at.discards()) == ({"artifact_22"}, ("artifact_15",))


@card("artifact_21")
def test_artifact_21_discards_itself_to_take_up_to_four_tokens() -> None:
    table = owning("artifact_21", "artifact_22").timeline(0, "city_20", 3, 3)
    at = table.timeline(0, "city_18", 4, 5).at_timeline_phase(0)
    assert at.asks(0) == ("may", {"yes": 1}, (0, 1))
    assert at.fork().passes(0).kinds() == QUIET
    gone = ArtifactDiscarded(seat=0, card="artifact_21")
    assert at.picks(0, "yes").events == (gone,)
    assert at.artifacts(0) == {"artifact_22"}
    assert at.asks(0) == ("remove", {"city_18": 5, "city_20": 3}, (0, 4))
    assert at.fork().passes(0).kinds() == QUIET
    at.picks(0, "city_18", "city_18", "city_20", "city_20")
    assert at.events[0] == KnowledgeRemoved(seat=0, tokens={"city_18": 2, "city_20": 2})


@card("artifact_27")
def test_artifact_27_with_two_monuments_in_space_one_takes_a_token_then_draws() -> None:
    table = owning("artifact_27").timeline(0, "city_20", 1, 2).timeline(0, "city_18", 1, 0)
    at = table.timeline(0, "city_11", 5, 1).at_timeline_phase(0)
    assert at.asks(0) == ("remove", {"city_11": 1, "city_20": 2}, (1, 1))
    at.picks(0, "city_11")
    assert at.events[:2] == (KnowledgeRemoved(seat=0, tokens={"city_11": 1}), DRAWN)


def test_artifact_27_draws_without_any_token() -> None:
    table = owning("artifact_27").timeline(0, "city_20", 1, 0).timeline(0, "city_18", 1, 0)
    assert table.at_timeline_phase(0).events[0] == DRAWN


def test_artifact_27_with_one_monument_in_space_one_does_nothing() -> None:
    table = owning("artifact_27").timeline(0, "city_20", 1, 2)
    assert table.at_timeline_phase(0).happened(CardsDrawn) == ()


def test_artifact_27_looks_at_space_one_when_it_is_resolved() -> None:
    table = owning("artifact_27", "artifact_06").timeline(0, "city_20", 1, 4)
    at = table.timeline(0, "city_18", 1, 0).at_timeline_phase(0)
    first = at.fork().picks(0, "artifact_27").picks(0, "city_20")
    assert first.events[1] == DRAWN
    assert at.picks(0, "artifact_06").picks(0, "city_20>3").happened(CardsDrawn) == ()
    filled = owning("artifact_27", "artifact_13").timeline(0, "city_20", 1, 0)
    now = filled.timeline(0, "city_18", 2, 0).at_timeline_phase(0)
    assert now.hints(0) == {"artifact_13": None, "artifact_27": "would do nothing"}
    assert now.picks(0, "artifact_13").picks(0, "city_18>1").events[1] == DRAWN


@card("artifact_35")
@pytest.mark.parametrize(("hand", "drawn"), [(0, (DRAWN,)), (1, (DRAWN,)), (2, ())])
def test_artifact_35_draws_with_one_hand_card_at_most(
    hand: int, drawn: tuple[CardsDrawn, ...]
) -> None:
    table = owning("artifact_35").hand(0, fill=hand).at_timeline_phase(0)
    assert table.happened(CardsDrawn) == drawn


def test_artifact_35_may_wait_until_the_hand_is_empty() -> None:
    table = owning("artifact_35").hand(0, "city_07", "city_08").timeline(0, "city_35", 4, 1)
    at = table.at_timeline_phase(0)
    assert at.asks(0) == ("next", {"artifact_35": 1, "city_35": 1}, (1, 1))
    assert at.hints(0) == {"artifact_35": "would do nothing", "city_35": None}
    at.picks(0, "city_35").picks(0, "city_07")
    assert at.events[:2] == (CardsDiscarded(seat=0, cards=("city_07",)), DRAWN)
