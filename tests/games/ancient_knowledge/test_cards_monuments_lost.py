"""Monuments that give lost knowledge back, draw, or lose their tokens when they decline."""

import pytest

from domain.games.ancient_knowledge.events import (
    CardsDrawn,
    DeckShuffled,
    KnowledgeAdded,
    KnowledgeRemoved,
    LostReduced,
    MonumentDeclined,
    MonumentDeclining,
    MonumentDiscarded,
)
from domain.games.ancient_knowledge.scoring import points
from tests.games.ancient_knowledge.claims import card, lone
from tests.games.ancient_knowledge.scenario import Scenario

DECK = tuple(f"artifact_{number:02}" for number in range(1, 10))


def laid(seats: int = 2) -> Scenario:
    return lone("tech_27", seats).deck(*DECK)


@card("city_12")
@pytest.mark.parametrize(("lost", "left"), [(3, 2), (1, 0)])
def test_city_12_gives_a_lost_token_back_when_created(lost: int, left: int) -> None:
    at = laid().hand(0, "city_12").lost(0, lost).at_action(0).picks(0, "create:city_12@1")
    assert at.events[2:] == (LostReduced(seat=0, tokens=1),)
    assert at.lost(0) == left


def test_city_12_does_nothing_without_lost_knowledge() -> None:
    at = laid().hand(0, "city_12").at_action(0).picks(0, "create:city_12@1")
    assert at.kinds() == ["ActionTaken", "MonumentCreated"]


# Each card: lost tokens and megaliths of the past that it needs, what is one short, what it gives.
SHEDS = {
    "megalith_08": ((9, 5), (9, 4), 7),
    "megalith_13": ((20, 0), (19, 6), 15),
}


@card(*SHEDS)
@pytest.mark.parametrize("id", SHEDS)
def test_a_declining_monument_gives_lost_knowledge_back_before_its_own_is_lost(id: str) -> None:
    (lost, megaliths), _, given = SHEDS[id]
    at = laid().timeline(0, id, 1, 2).lost(0, lost).past_of(0, megaliths=megaliths)
    table = at.at_decline_phase(0)
    assert table.events[1:4] == (
        MonumentDeclining(seat=0, card=id),
        LostReduced(seat=0, tokens=given),
        MonumentDeclined(seat=0, card=id, lost=2),
    )
    assert table.lost(0) == lost - given + 2


@pytest.mark.parametrize("id", SHEDS)
def test_neither_the_card_nor_its_tokens_help_to_reach_the_condition(id: str) -> None:
    _, (lost, megaliths), _ = SHEDS[id]
    table = laid().timeline(0, id, 1, 3).lost(0, lost).past_of(0, megaliths=megaliths, cities=2)
    assert table.set(flipped=True).at_decline_phase(0).lost(0) == lost + 3


def test_megalith_13_gives_fifteen_back_beyond_twenty_too() -> None:
    assert laid().timeline(0, "megalith_13", 1, 0).lost(0, 26).at_decline_phase(0).lost(0) == 11


def test_megalith_08_empties_what_there_is_if_it_is_fewer() -> None:
    at = laid().timeline(0, "megalith_08", 1, 1).lost(0, 4).past_of(0, megaliths=6)
    assert at.set(flipped=True).at_decline_phase(0).lost(0) == 1
    none = laid().timeline(0, "megalith_08", 1, 1).past_of(0, megaliths=5).at_decline_phase(0)
    assert none.happened(LostReduced) == ()


@pytest.mark.parametrize(
    ("id", "lost", "megaliths", "left"), [("megalith_08", 0, 4, 0), ("megalith_13", 18, 0, 5)]
)
def test_the_first_of_two_declining_counts_for_the_second(
    id: str, lost: int, megaliths: int, left: int
) -> None:
    table = laid().timeline(0, id, 1, 0).timeline(0, "megalith_16", 1, 2).lost(0, lost)
    at = table.past_of(0, megaliths=megaliths).at_decline_phase(0)
    assert at.asks(0) == ("decline", {id: 1, "megalith_16": 1}, (1, 1))
    assert at.fork().picks(0, id).lost(0) == lost + 2
    assert at.picks(0, "megalith_16").lost(0) == left


@card("pyramid_11")
@pytest.mark.parametrize(("megaliths", "lost", "most"), [(3, 9, 4), (5, 4, 4), (3, 2, 2)])
def test_pyramid_11_lets_its_owner_choose_how_much_to_shed(
    megaliths: int, lost: int, most: int
) -> None:
    table = laid().timeline(0, "pyramid_11", 1, 1).lost(0, lost).past_of(0, megaliths=megaliths)
    at = table.at_decline_phase(0)
    assert at.asks(0) == ("lose", {"lost": most}, (0, most))
    assert at.fork().passes(0).lost(0) == lost + 1
    at.picks(0, *["lost"] * most)
    assert at.events[:2] == (
        LostReduced(seat=0, tokens=most),
        MonumentDeclined(seat=0, card="pyramid_11", lost=1),
    )


@pytest.mark.parametrize(("megaliths", "lost"), [(2, 9), (3, 0)])
def test_pyramid_11_is_skipped_without_megaliths_or_lost_tokens(megaliths: int, lost: int) -> None:
    table = laid().timeline(0, "pyramid_11", 1, 1).lost(0, lost).past_of(0, megaliths=megaliths)
    assert table.at_decline_phase(0).lost(0) == lost + 1


def test_pyramid_11_sees_what_declined_first() -> None:
    table = laid().timeline(0, "pyramid_11", 1, 0).timeline(0, "megalith_16", 1, 2)
    at = table.past_of(0, megaliths=2).at_decline_phase(0)
    assert at.fork().picks(0, "pyramid_11").lost(0) == 2
    assert at.picks(0, "megalith_16").asks(0) == ("lose", {"lost": 2}, (0, 2))


@card("megalith_15")
def test_megalith_15_shifts_up_to_three_lost_tokens_to_an_opponent() -> None:
    table = laid(seats=3).timeline(0, "megalith_15", 1, 2).timeline(0, "city_24", 4, 1).lost(0, 5)
    at = table.timeline(1, "city_20", 2, 0).timeline(2, "city_18", 6, 2).at_decline_phase(0)
    targets = ("1/city_20", "2/city_18")
    options = {f"{target}/{tokens}": 1 for target in targets for tokens in (1, 2, 3)}
    assert at.asks(0) == ("give", options, (0, 1))
    assert at.fork().passes(0).lost(0) == 5 + 2
    at.picks(0, "2/city_18/3")
    assert at.events[:2] == (
        KnowledgeAdded(seat=2, card="city_18", tokens=3, giver=0),
        MonumentDeclined(seat=0, card="megalith_15", lost=2),
    )
    assert (at.lost(0), at.timeline(2)["city_18"]) == (4, "6L k5")


def test_megalith_15_gives_at_most_what_is_lost() -> None:
    table = laid().timeline(0, "megalith_15", 1, 2).lost(0, 1).timeline(1, "city_20", 2, 0)
    assert table.at_decline_phase(0).asks(0) == ("give", {"1/city_20/1": 1}, (0, 1))


@pytest.mark.parametrize(("lost", "target"), [(0, True), (3, False)])
def test_megalith_15_does_nothing_without_lost_tokens_or_target(lost: int, target: bool) -> None:
    table = laid().timeline(0, "megalith_15", 1, 2).lost(0, lost)
    if target:
        table.timeline(1, "city_20", 2, 0)
    assert table.at_decline_phase(0).lost(0) == lost + 2


def test_megalith_15_may_give_what_the_first_of_two_lost() -> None:
    table = laid().timeline(0, "megalith_15", 1, 2).timeline(0, "city_24", 1, 1)
    at = table.timeline(1, "city_20", 2, 0).at_decline_phase(0)
    assert at.fork().picks(0, "megalith_15").prompt(0) is None
    assert at.picks(0, "city_24").options(0) == {"1/city_20/1"}


DRAWS = {"city_16": 4, "city_17": 6, "megalith_12": 4}


@card(*DRAWS)
@pytest.mark.parametrize("id", DRAWS)
def test_a_declining_monument_draws(id: str) -> None:
    at = laid().timeline(0, id, 1, 2).at_decline_phase(0)
    assert at.events[1:4] == (
        MonumentDeclining(seat=0, card=id),
        CardsDrawn(seat=0, cards=DECK[: DRAWS[id]]),
        MonumentDeclined(seat=0, card=id, lost=2),
    )


@pytest.mark.parametrize("id", DRAWS)
@pytest.mark.parametrize(("hand", "drawn"), [(8, 2), (10, 0)])
def test_its_draw_stops_at_ten_cards_in_hand(id: str, hand: int, drawn: int) -> None:
    at = laid().timeline(0, id, 1).hand(0, fill=hand).at_decline_phase(0)
    assert len(at.hand(0)) == 10
    assert at.board.deck == DECK[drawn:]


@pytest.mark.parametrize("id", DRAWS)
def test_its_draw_goes_on_with_the_shuffled_discards(id: str) -> None:
    table = lone("tech_27").deck("artifact_01", "artifact_02").discard("artifact_03")
    at = table.timeline(0, id, 1).at_decline_phase(0)
    assert at.hand(0) == set(DECK[:3])
    assert len(at.happened(DeckShuffled)) == 1


SIX_WORTH_NOTHING = ("city_01", "city_02", "city_03", "city_05", "city_10", "city_12")
LEAVES = {"city_25": 6, "city_26": 7, "city_27": 8, "city_28": 10, "city_29": 12}


@card(*LEAVES)
@pytest.mark.parametrize("id", LEAVES)
@pytest.mark.parametrize("tokens", [1, 6])
def test_a_monument_with_a_token_goes_to_the_discards_and_its_tokens_to_the_supply(
    id: str, tokens: int
) -> None:
    table = (
        laid().timeline(0, id, 1, tokens).artifacts(0, "artifact_32").past(0, *SIX_WORTH_NOTHING)
    )
    at = table.at_decline_phase(0)
    assert at.events[1:3] == (
        MonumentDeclining(seat=0, card=id),
        MonumentDiscarded(seat=0, card=id),
    )
    assert (at.discards(), at.lost(0), at.hand(0)) == ((id,), 0, set())
    assert len(at.past(0)) == 6
    assert not at.board.flipped
    assert points(at.board, 0)["past"] == 0


@pytest.mark.parametrize("id", LEAVES)
def test_without_a_token_it_declines_and_scores(id: str) -> None:
    at = laid().timeline(0, id, 1, 0).timeline(0, "city_11", 3, 2).at_decline_phase(0)
    assert at.past(0) == (id,)
    assert points(at.board, 0)["past"] == LEAVES[id]


@pytest.mark.parametrize("id", LEAVES)
def test_the_other_declining_monument_may_clear_it_first(id: str) -> None:
    table = laid().timeline(0, id, 1, 2).timeline(0, "city_21", 1, 0)
    at = table.at_decline_phase(0)
    assert at.fork().picks(0, id).discards() == (id,)
    at.picks(0, "city_21").picks(0, id, id)
    assert at.past(0) == ("city_21", id)


@pytest.mark.parametrize("id", LEAVES)
def test_the_monument_above_it_slides_down_and_declines(id: str) -> None:
    table = laid().timeline(0, id, 1, 2).timeline(0, "city_24", 1, 3)
    at = table.at_decline_phase(0).picks(0, id)
    assert at.discards() == (id,)
    assert at.past(0) == ("city_24",)
    assert at.lost(0) == 3


@card("city_19")
def test_city_19_takes_exactly_four_off_one_city_of_six_or_more() -> None:
    table = laid().timeline(0, "city_19", 1, 3).timeline(0, "city_07", 3, 6)
    table.timeline(0, "city_08", 4, 9).timeline(0, "city_36", 5, 5).timeline(0, "pyramid_13", 5, 9)
    at = table.at_decline_phase(0)
    assert at.asks(0) == ("remove", {"city_07:4": 1, "city_08:4": 1}, (1, 1))
    at.picks(0, "city_07:4")
    assert at.events[0] == KnowledgeRemoved(seat=0, tokens={"city_07": 4})


def test_city_19_qualifies_itself_with_six_tokens() -> None:
    at = laid().timeline(0, "city_19", 1, 6).at_decline_phase(0)
    assert at.options(0) == {"city_19:4"}
    assert at.picks(0, "city_19:4").lost(0) == 2


def test_city_19_does_nothing_if_no_city_qualifies() -> None:
    table = laid().timeline(0, "city_19", 1, 5).timeline(0, "pyramid_13", 3, 9)
    assert table.at_decline_phase(0).happened(KnowledgeRemoved) == ()


@card("city_21")
def test_city_21_takes_up_to_seven_tokens_off_the_others() -> None:
    table = laid().timeline(0, "city_21", 1, 4).timeline(0, "city_24", 1, 3)
    at = table.timeline(0, "pyramid_13", 5, 9).at_decline_phase(0).picks(0, "city_21")
    assert at.asks(0) == ("remove", {"city_24": 3, "pyramid_13": 9}, (0, 7))
    assert at.fork().passes(0).lost(0) == 4 + 3
    at.picks(0, *["city_24"] * 3, *["pyramid_13"] * 4)
    assert at.events[0] == KnowledgeRemoved(seat=0, tokens={"city_24": 3, "pyramid_13": 4})
    assert at.lost(0) == 4


def test_city_21_cannot_relieve_what_has_declined_before_it() -> None:
    table = laid().timeline(0, "city_21", 1, 4).timeline(0, "city_24", 1, 3)
    at = table.at_decline_phase(0).picks(0, "city_24")
    assert at.prompt(0) is None
    assert at.lost(0) == 7
