import pytest

from domain.games.ancient_knowledge.events import (
    ActionTaken,
    CardsDiscarded,
    CardsDrawn,
    DeckShuffled,
    KnowledgeRemoved,
    MonumentsRotated,
)
from tests.games.ancient_knowledge.scenario import scenario

# Archive (6.3)


def test_archive_removes_one_token_for_each_card_discarded() -> None:
    laid = scenario().hand(0, fill=3).timeline(0, "city_24", knowledge=2)
    table = laid.timeline(0, "city_18", knowledge=3).at_action(0).picks(0, "archive")
    assert (table.prompt(0), table.options(0)) == ("archive", table.hand(0))
    assert table.bounds(0) == (1, 3)
    table.picks(0, "pyramid_36", "pyramid_34")
    assert (table.prompt(0), table.bounds(0)) == ("remove", (2, 2))
    assert table.limits(0) == {"city_24": 2, "city_18": 3}
    table.picks(0, "city_18", "city_24")
    assert table.events == (
        CardsDiscarded(seat=0, cards=("pyramid_36", "pyramid_34")),
        KnowledgeRemoved(seat=0, tokens={"city_18": 1, "city_24": 1}),
    )


def test_archive_is_limited_by_hand_and_by_knowledge() -> None:
    laid = scenario().hand(0, fill=5).timeline(0, "city_24", knowledge=2)
    assert laid.at_action(0).picks(0, "archive").bounds(0) == (1, 2)
    laid = scenario().hand(0, fill=2).timeline(0, "city_24", knowledge=5)
    assert laid.at_action(0).picks(0, "archive").bounds(0) == (1, 2)


def test_archived_tokens_are_not_lost() -> None:
    laid = scenario().hand(0, fill=1).timeline(0, "city_24", space=1, knowledge=1)
    table = laid.at_action(0, 2).plays(
        0,
        "recordKnowledge",
        cards=["pyramid_36"],
        from_=[{"monument": "city_24", "tokens": 1}],
    )
    assert (table.lost(0), table.past(0)) == (0, ("city_24",))


def test_one_command_can_record_several_cards() -> None:
    laid = scenario().hand(0, fill=4).timeline(0, "city_24", knowledge=2)
    table = laid.timeline(0, "city_18", knowledge=3).at_action(0)
    table.plays(
        0,
        "recordKnowledge",
        cards=["pyramid_36", "pyramid_35", "pyramid_34"],
        from_=[{"monument": "city_24", "tokens": 1}, {"monument": "city_18", "tokens": 2}],
    )
    assert table.timeline(0) == {"city_24": "5L k1", "city_18": "6L k1"}
    assert table.discards() == ("pyramid_36", "pyramid_35", "pyramid_34")
    assert table.prompt(0) == "action"


@pytest.mark.parametrize(("hand", "knowledge"), [(0, 3), (3, 0)])
def test_archive_needs_a_card_and_a_token(hand: int, knowledge: int) -> None:
    laid = scenario().hand(0, fill=hand).timeline(0, "city_24", knowledge=knowledge)
    assert "archive" not in laid.at_action(0).options(0)


# Excavate (6.4)


def test_excavate_draws_two_cards_for_each_monument_rotated() -> None:
    table = scenario().past(0, "city_24", "city_18", "city_20").at_action(0).picks(0, "excavate")
    assert (table.prompt(0), table.bounds(0)) == ("excavate", (1, 3))
    assert table.options(0) == {"city_24", "city_18", "city_20"}
    table.picks(0, "city_24", "city_20")
    rotated, drawn = table.events
    assert rotated == MonumentsRotated(seat=0, cards=("city_24", "city_20"))
    assert isinstance(drawn, CardsDrawn)
    assert len(drawn.cards) == 4
    assert table.rotated(0) == {"city_24", "city_20"}


def test_rotated_cards_stay_rotated() -> None:
    table = scenario().past(0, "city_24").at_action(0)
    table.plays(0, "tapMonuments", monuments=["city_24"])
    assert table.options(0, "excavate") == set()
    table.searches(0).searches(1, 2)
    assert (table.asked, table.rotated(0)) == ((0,), {"city_24"})
    assert "excavate" not in table.options(0)


def test_only_straight_monuments_can_be_excavated() -> None:
    laid = scenario().past(0, "city_24", rotated=True).past(0, "city_18")
    assert laid.at_action(0).picks(0, "excavate").options(0) == {"city_18"}
    assert "excavate" not in scenario().past(1, "city_18").at_action(0).options(0)


def test_more_may_be_rotated_than_the_hand_can_take() -> None:
    laid = scenario().hand(0, fill=9).past(0, "city_24", "city_18", "city_20")
    table = laid.at_action(0)
    table.plays(0, "tapMonuments", monuments=["city_24", "city_18", "city_20"])
    assert len(table.hand(0)) == 10
    assert table.rotated(0) == {"city_24", "city_18", "city_20"}


def test_phaistos_disc_draws_three_for_each() -> None:
    laid = scenario().past(0, "city_24", "city_18").artifacts(0, "artifact_29")
    table = laid.at_action(0).plays(0, "tapMonuments", monuments=["city_24", "city_18"])
    assert len(table.hand(0)) == 6


@pytest.mark.parametrize(("rotated", "asked"), [(1, False), (2, True), (3, False)])
def test_kensington_runestone_is_asked_at_exactly_two(rotated: int, asked: bool) -> None:
    past = ["city_24", "city_18", "city_20"]
    laid = scenario().past(0, *past).artifacts(0, "artifact_25")
    table = laid.timeline(0, "megalith_20", knowledge=8).at_action(0)
    table.plays(0, "tapMonuments", monuments=past[:rotated])
    assert (table.prompt(0) == "may") == asked
    assert len(table.hand(0)) == (0 if asked else 2 * rotated)


def test_kensington_runestone_removes_tokens_in_place_of_the_draw() -> None:
    laid = scenario().past(0, "city_24", "city_18").artifacts(0, "artifact_25", "artifact_29")
    table = laid.timeline(0, "megalith_20", knowledge=8).at_action(0)
    table.plays(0, "tapMonuments", monuments=["city_24", "city_18"])
    assert (table.source(0), table.options(0), table.bounds(0)) == ("artifact_25", {"yes"}, (0, 1))
    drawing = table.fork().passes(0)
    assert len(drawing.hand(0)) == 6
    table.picks(0, "yes")
    assert (table.limits(0), table.bounds(0)) == ({"megalith_20": 8}, (0, 6))
    table.picks(0, *["megalith_20"] * 6)
    assert (table.timeline(0), table.hand(0)) == ({"megalith_20": "5L k2"}, set())


def test_kensington_runestone_without_tokens_just_draws() -> None:
    laid = scenario().past(0, "city_24", "city_18").artifacts(0, "artifact_25")
    table = laid.at_action(0).plays(0, "tapMonuments", monuments=["city_24", "city_18"])
    assert (len(table.hand(0)), table.prompt(0)) == (4, "action")


@pytest.mark.parametrize(
    ("rotated", "reacting"),
    [(2, set()), (3, {"artifact_16", "artifact_34"}), (4, {"artifact_16"})],
)
def test_reactions_count_the_monuments_rotated_and_follow_the_draw(
    rotated: int, reacting: set[str]
) -> None:
    past = ["city_24", "city_18", "city_20", "city_25"]
    laid = scenario().past(0, *past).artifacts(0, "artifact_16", "artifact_34")
    table = laid.hand(0, fill=8).hand(1, fill=4).at_action(0)
    table.plays(0, "tapMonuments", monuments=past[:rotated])
    assert len(table.hand(0)) == 10
    if reacting == {"artifact_16", "artifact_34"}:
        assert (table.prompt(0), table.options(0)) == ("next", reacting)
    elif reacting:
        assert (table.prompt(0), table.source(0), table.bounds(0)) == (
            *("learn", "artifact_16"),
            (1, 1),
        )
    else:
        assert table.prompt(0) == "action"


# Search (6.5)


def test_search_draws_one_card() -> None:
    table = scenario().deck("city_24", "city_18").at_action(0).plays(0, "searchDeck")
    assert table.events == (ActionTaken(action="search"), CardsDrawn(seat=0, cards=("city_24",)))


def test_search_is_legal_with_a_full_hand_and_then_does_nothing() -> None:
    table = scenario().hand(0, fill=10).at_action(0).searches(0)
    assert table.events == (ActionTaken(action="search"),)
    assert table.prompt(0) == "action"


def test_search_is_legal_with_nothing_left_to_draw() -> None:
    table = scenario().bare().at_action(0)
    assert table.options(0) == {"search"}
    assert table.searches(0).events == (ActionTaken(action="search"),)


# Hand limit and drawing (6.6)


@pytest.mark.parametrize(("hand", "drawn"), [(7, 3), (8, 2), (9, 1), (10, 0)])
def test_cards_over_ten_are_never_drawn(hand: int, drawn: int) -> None:
    laid = scenario().hand(0, fill=hand).artifacts(0, "artifact_26", "artifact_28", "artifact_29")
    table = laid.tile(0, "tech_01", "tech_02", "tech_07").at_action(0)
    deck = table.board.deck
    table.plays(0, "learnTechnology", technology="tech_01")
    assert len(table.hand(0)) == hand + drawn
    assert table.board.deck == deck[drawn:]
    assert table.happened(CardsDiscarded) == ()


def test_payment_and_the_created_card_make_room_for_a_draw() -> None:
    laid = scenario().hand(0, "megalith_05", fill=9).artifacts(0, "artifact_23")
    table = laid.at_action(0)
    table.plays(0, "playCard", card="megalith_05", space=4, payment=["pyramid_36"])
    assert len(table.hand(0)) == 9


def test_an_empty_deck_is_made_from_the_discards_in_the_middle_of_a_draw() -> None:
    laid = scenario().bare().past(0, "city_24", "city_18").deck("city_01")
    table = laid.discard("city_02", "city_03", "city_04", "city_05").at_action(0)
    table.plays(0, "tapMonuments", monuments=["city_24", "city_18"])
    assert table.kinds() == [
        *("ActionTaken", "MonumentsRotated", "CardsDrawn", "DeckShuffled", "CardsDrawn"),
    ]
    assert "city_01" in table.hand(0)
    assert len(table.hand(0)) == 4
    assert (len(table.board.deck), table.board.discard) == (1, ())


def test_with_too_few_cards_left_what_there_is_is_drawn() -> None:
    laid = scenario().bare().past(0, "city_24", "city_18").deck("city_01").discard("city_02")
    table = laid.at_action(0).plays(0, "tapMonuments", monuments=["city_24", "city_18"])
    assert table.hand(0) == {"city_01", "city_02"}


def test_the_discards_are_not_shuffled_before_a_card_is_missing() -> None:
    laid = scenario().bare().past(0, "city_24").deck("city_01", "city_02").discard("city_03")
    table = laid.at_action(0).plays(0, "tapMonuments", monuments=["city_24"])
    assert table.happened(DeckShuffled) == ()
    assert (table.board.deck, table.discards()) == ((), ("city_03",))


def test_with_no_card_left_nothing_is_looked_at() -> None:
    table = scenario().bare().timeline(0, "pyramid_34", space=1).at_decline_phase(0)
    assert table.kinds()[1:3] == ["MonumentDeclining", "MonumentDeclined"]


def test_a_full_hand_takes_no_card_of_choice() -> None:
    """Thales: the eight cards are not even looked at (OQ-7)."""
    laid = scenario().hand(0, fill=10).tile(0, "tech_04", "tech_01", "tech_02")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_04")
    assert table.kinds() == ["ActionTaken", "TechnologyLearned"]
