from domain.games.ancient_knowledge.events import ActionTaken, TurnStarted
from tests.games.ancient_knowledge.scenario import scenario


def test_a_turn_is_two_actions_then_both_phases() -> None:
    table = scenario().timeline(0, "pyramid_31", knowledge=4).at_action(0)
    table.searches(0)
    assert table.kinds() == ["ActionTaken", "CardsDrawn"]
    assert table.prompt(0) == "action"
    table.searches(0)
    assert table.kinds() == [
        "ActionTaken",
        "CardsDrawn",  # the action
        "CardsDrawn",  # the timeline phase: Toniná
        "DeclineStarted",
        "TimelineSlid",
        "TurnStarted",
    ]
    assert table.asked == (1,)


def test_the_two_actions_may_be_equal_or_different() -> None:
    table = scenario().tile(0, "tech_09").hand(0, "pyramid_36").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_09").searches(0)
    assert table.asked == (1,)
    table = scenario().at_action(0).searches(0, 2)
    assert table.asked == (1,)


def test_the_second_action_may_use_what_the_first_gained() -> None:
    table = scenario().deck("pyramid_36").at_action(0)
    assert table.options(0) == {"search"}
    table.searches(0)
    assert table.options(0) == {"search", "create:pyramid_36@2"}
    assert table.plays(0, "playCard", card="pyramid_36", space=2).asked == (1,)


def test_an_action_is_resolved_completely_before_the_next() -> None:
    """The Dolmen of Menga creates another monument within the first action."""
    table = scenario().hand(0, "megalith_18", "megalith_25").timeline(1, "city_24").at_action(0)
    table.plays(0, "playCard", card="megalith_18", space=6)
    assert table.prompt(0) == "create"
    table.picks(0, "megalith_25@2")
    assert (table.prompt(0), table.source(0)) == ("add", "megalith_25")
    table.picks(0, "city_24")
    assert (table.prompt(0), table.board.actions) == ("action", 1)


def test_turns_pass_clockwise() -> None:
    table = scenario(4).at_action(2)
    order = []
    for _ in range(5):
        (seat,) = table.asked
        table.searches(seat, 2)
        order += [event.seat for event in table.events if isinstance(event, TurnStarted)]
    assert order == [3, 0, 1, 2, 3]


def test_only_the_seat_whose_turn_it_is_acts() -> None:
    table = scenario(3).hand(1, "pyramid_36").at_action(0)
    assert table.asked == (0,)
    assert table.refusal(1, "search") == "not_your_turn"


def test_both_actions_must_be_taken() -> None:
    table = scenario().at_action(0)
    assert table.bounds(0) == (1, 1)
    assert table.refusal(0) == "illegal_choice"


def test_the_turn_in_progress_is_finished_when_the_fourteenth_monument_arrives() -> None:
    laid = scenario().past_of(0, cities=13).timeline(0, "megalith_12", space=1, knowledge=1)
    table = laid.set(flipped=True).at_action(0, 2).searches(0)
    assert table.kinds() == [
        "ActionTaken",
        "CardsDrawn",
        "DeclineStarted",
        "MonumentDeclining",
        "CardsDrawn",
        "MonumentDeclined",
        "TimelineSlid",
        "TurnStarted",
    ]
    assert len(table.past(0)) == 14
    assert table.outcome() is None


def test_an_event_names_the_action() -> None:
    table = scenario().past(0, "city_24").at_action(0)
    table.plays(0, "tapMonuments", monuments=["city_24"])
    assert table.happened(ActionTaken) == (ActionTaken(action="excavate"),)
