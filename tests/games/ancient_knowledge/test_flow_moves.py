"""Named moves: what is offered is complete and ready to send, and everything legal can be named."""

from typing import Any

import pytest

from domain.engine.decider import Choose, carry_out, open_choice
from domain.engine.errors import IllegalMove
from domain.engine.game import Domain, Move
from domain.engine.ids import Json, Picks
from domain.engine.moves import all_moves
from domain.games.ancient_knowledge import GAME
from tests.games.ancient_knowledge.scenario import Scenario, opening, scenario
from tests.games.ancient_knowledge.table import Table


def moves(table: Table, seat: int = 0) -> dict[str, list[Move]]:
    """Return the named moves of a seat by type, each tried out."""
    choice = open_choice(table.match, seat)
    assert choice is not None
    found: dict[str, list[Move]] = {}
    for move in GAME.moves(table.match, choice):
        found.setdefault(move.type, []).append(move)
        assert GAME.translate(table.match, choice, move.type, move.arguments) == move.steps
        assert carry_out(table.match, Choose(seat, choice.id, move.steps)).events
    return found


def translate(table: Table, type: str, **arguments: Json) -> tuple[Picks, ...] | None:
    choice = open_choice(table.match, 0)
    assert choice is not None
    return GAME.translate(table.match, choice, type, arguments)


def rich() -> Scenario:
    """Return a table on which all five actions can be taken."""
    laid = scenario().hand(0, "megalith_12", "city_24", "artifact_30").past(0, "city_20", "city_25")
    laid.timeline(0, "megalith_20", knowledge=2).timeline(0, "pyramid_22", 4, knowledge=1)
    return laid.tile(0, "tech_09", "tech_10", "tech_01").tile(1, "tech_02", "tech_07", "tech_08")


def test_all_five_actions_are_offered_ready_to_send() -> None:
    found = moves(rich().at_action(0))
    assert set(found) == {
        *("playCard", "learnTechnology", "recordKnowledge", "tapMonuments", "searchDeck"),
    }
    assert [move.arguments for move in found["learnTechnology"]] == [
        {"technology": "tech_09"},
        {"technology": "tech_10"},
    ]
    assert len(found["searchDeck"]) == len(found["tapMonuments"]) == 1


def test_a_play_tells_its_cost_and_what_may_pay() -> None:
    plays = moves(rich().at_action(0))["playCard"]
    costs = {(move.arguments["card"], move.arguments.get("space")): move.cost for move in plays}
    assert costs == {
        ("megalith_12", 2): 2,
        ("city_24", 5): 0,
        ("city_24", 4): 1,
        ("city_24", 6): 1,
        ("city_24", 3): 2,
        ("artifact_30", None): 1,
    }
    (lens,) = [move for move in plays if move.arguments["card"] == "artifact_30"]
    assert lens.arguments["payment"] == ("city_24",)
    assert lens.domains == {
        "payment": Domain(source=("city_24", "megalith_12"), limits=(1, 1), min=1, max=1)
    }


def test_an_archive_tells_how_many_cards_and_tokens_may_be_named() -> None:
    (move,) = moves(rich().at_action(0))["recordKnowledge"]
    assert move.domains == {
        "cards": Domain(
            source=("artifact_30", "city_24", "megalith_12"), limits=(1, 1, 1), min=1, max=3
        ),
        "from": Domain(source=("megalith_20", "pyramid_22"), limits=(2, 1), min=1, max=3),
    }


def test_an_excavation_tells_what_may_be_rotated() -> None:
    (move,) = moves(rich().at_action(0))["tapMonuments"]
    assert move.arguments == {"monuments": ("city_20",)}
    assert move.domains == {
        "monuments": Domain(source=("city_20", "city_25"), limits=(1, 1), min=1, max=2)
    }


def test_the_choice_inside_an_action_has_named_moves_too() -> None:
    table = rich().at_action(0)
    assert set(moves(table.fork().picks(0, "archive"))) == {"recordKnowledge"}
    assert set(moves(table.fork().picks(0, "excavate"))) == {"tapMonuments"}
    assert moves(table.fork().picks(0, "create:megalith_12@2")) == {}


def test_a_bonus_creation_and_a_bonus_learning_have_named_moves() -> None:
    laid = scenario().hand(0, "megalith_18", "megalith_12", fill=2)
    table = laid.at_action(0).plays(0, "playCard", card="megalith_18", space=6)
    assert {move.arguments["card"] for move in moves(table)["playCard"]} >= {"megalith_12"}
    laid = scenario().hand(0, "pyramid_14").tile(0, "tech_09", "tech_01", "tech_02")
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_14", space=3)
    assert [move.arguments for move in moves(table)["learnTechnology"]] == [
        {"technology": "tech_09"}
    ]


def test_cards_set_aside_do_not_pay_for_the_artifact_among_them() -> None:
    laid = scenario().bare().deck("artifact_30", "city_01").hand(0, fill=2).tile(1).tile(2)
    table = laid.tile(0, "tech_22", "tech_01", "tech_02").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_22")
    (move,) = moves(table)["playCard"]
    assert move.domains["payment"].source == ("pyramid_35", "pyramid_36")
    assert (move.cost, move.arguments["payment"]) == (1, ("pyramid_35",))


def test_an_archive_offered_by_an_effect_has_a_named_move() -> None:
    laid = scenario().hand(0, "city_32", fill=2).timeline(0, "megalith_20", knowledge=4)
    table = laid.at_action(0).plays(0, "playCard", card="city_32", space=3)
    (move,) = moves(table)["recordKnowledge"]
    assert move.steps == (("pyramid_35",), ("city_32",))


@pytest.mark.parametrize(
    ("type", "arguments"),
    [
        ("noSuchMove", {}),
        ("searchDeck", {"card": "city_24"}),
        ("learnTechnology", {}),
        ("learnTechnology", {"technology": "tech_09", "card": "city_24"}),
        ("playCard", {"space": 3}),
        ("playCard", {"card": "city_24", "price": 3}),
        ("tapMonuments", {"cards": ["city_20"]}),
        ("recordKnowledge", {"cards": ["city_24"]}),
    ],
)
def test_what_is_no_move_is_not_translated(type: str, arguments: dict[str, Any]) -> None:
    assert translate(rich().at_action(0), type, **arguments) is None


def test_a_move_that_does_not_answer_the_choice_is_not_translated() -> None:
    table = rich().at_action(0).picks(0, "archive")
    assert translate(table, "searchDeck") is None
    assert translate(table, "learnTechnology", technology="tech_09") is None
    assert translate(table, "playCard", card="city_24", space=5) is None
    assert translate(table, "tapMonuments", monuments=["city_20"]) is None


def test_arguments_left_empty_count_as_left_out() -> None:
    table = rich().at_action(0)
    assert translate(table, "playCard", card="city_24", space=5, payment=None) == (
        ("create:city_24@5",),
    )
    assert translate(table, "playCard", card="artifact_30", space=None, payment=["city_24"]) == (
        ("create:artifact_30",),
        ("city_24",),
    )


@pytest.mark.parametrize("tokens", ["megalith_20", [3], [{"monument": "megalith_20"}], 5])
def test_tokens_are_as_many_as_cards_or_the_archive_is_refused(tokens: Json) -> None:
    table = rich().at_action(0)
    with pytest.raises(
        IllegalMove, match=r"^from: 0 tokens leave, for 1 cards discarded$"
    ) as caught:
        translate(table, "recordKnowledge", **{"cards": ["city_24"], "from": tokens})
    detail = caught.value.detail
    assert (detail["cards"], detail["reason"], detail["rule"]) == (1, "wrong_tokens", "6.3")


def test_an_archive_that_is_not_asked_for_is_not_refused_for_its_tokens() -> None:
    table = rich().at_action(0).picks(0, "excavate")
    assert translate(table, "recordKnowledge", **{"cards": ["city_24"], "from": []}) is None


def test_a_list_that_is_none_is_refused_by_the_choice_that_it_answers() -> None:
    table = rich().at_action(0)
    steps = translate(table, "tapMonuments", monuments=7)
    assert steps == (("excavate",), ())
    assert table.refusals(0, *steps) == "illegal_choice"


def test_what_no_named_move_answers_is_listed_as_a_choice() -> None:
    table = opening()
    choice = open_choice(table.match, 0)
    assert choice is not None
    (keep,) = all_moves(table.match, choice)
    hand = tuple(option.id for option in choice.options)
    assert keep.arguments == {"choice": choice.id, "picks": hand[: choice.min]}
    assert keep.domains == {
        "picks": Domain(source=hand, limits=(1,) * len(hand), min=choice.min, max=choice.min)
    }


def test_passing_is_listed_where_an_effect_may_be_declined() -> None:
    laid = scenario().hand(0, "megalith_18", "megalith_12", fill=2)
    table = laid.at_action(0).plays(0, "playCard", card="megalith_18", space=6)
    choice = open_choice(table.match, 0)
    assert choice is not None
    *_, last = all_moves(table.match, choice)
    assert (choice.prompt, choice.min) == ("create", 0)
    assert (last.type, last.arguments) == ("choose", {"choice": choice.id, "picks": ()})


@pytest.mark.parametrize(
    ("card", "space", "payment", "cost"),
    [
        ("megalith_12", 2, [], 2),
        ("megalith_12", 2, ["city_24"], 2),
        ("artifact_30", None, ["city_24", "megalith_12"], 1),
        ("city_24", 5, ["megalith_12"], 0),
    ],
)
def test_a_payment_is_the_price_or_the_play_is_refused(
    card: str, space: int | None, payment: list[Json], cost: int
) -> None:
    table = rich().at_action(0)
    with pytest.raises(IllegalMove, match=f"the price is {cost}$") as caught:
        translate(table, "playCard", card=card, space=space, payment=payment)
    detail = caught.value.detail
    assert (detail["cost"], detail["reason"], detail["rule"]) == (cost, "wrong_payment", "6.1")


def test_what_is_not_offered_is_refused_for_that_and_not_for_its_payment() -> None:
    table = rich().at_action(0)
    steps = translate(table, "playCard", card="no such card", payment=[])
    assert steps == (("create:no such card",), ())
    assert table.refusals(0, *steps) == "illegal_choice"


def test_a_play_without_a_payment_is_asked_for_it() -> None:
    table = rich().at_action(0).plays(0, "playCard", card="megalith_12", space=2)
    choice = open_choice(table.match, 0)
    assert choice is not None
    assert choice.prompt == "payment"
    (pay,) = all_moves(table.match, choice)
    assert pay.arguments == {"choice": choice.id, "picks": ("artifact_30", "city_24")}
