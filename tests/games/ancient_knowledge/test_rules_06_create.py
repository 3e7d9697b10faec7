import pytest

from domain.games.ancient_knowledge.events import (
    ActionTaken,
    ArtifactCreated,
    CardsDiscarded,
    CardsDrawn,
    MonumentCreated,
)
from tests.games.ancient_knowledge.scenario import Scenario, scenario

CREATE = "create:"


def test_a_monument_is_created_in_its_own_space_for_its_printed_cost() -> None:
    table = scenario().hand(0, "megalith_12", fill=2).at_action(0)
    assert table.hints(0, "create:megalith_12@") == {"2": "cost 2"}
    table.plays(0, "playCard", card="megalith_12", space=2, payment=["pyramid_36", "pyramid_35"])
    assert table.events == (
        ActionTaken(action="create"),
        CardsDiscarded(seat=0, cards=("pyramid_36", "pyramid_35")),
        MonumentCreated(seat=0, card="megalith_12", space=2, knowledge=2),
    )
    assert table.timeline(0) == {"megalith_12": "2L k2"}
    assert table.hand(0) == set()


def test_every_space_away_costs_one_card_more_in_both_directions() -> None:
    table = scenario().hand(0, "city_29", fill=3).at_action(0)
    assert table.hints(0, "create:city_29@") == {
        "1": "cost 2",
        "2": "cost 1",
        "3": "cost 0",
        "4": "cost 1",
        "5": "cost 2",
        "6": "cost 3",
    }


def test_printed_cost_and_distance_add_up() -> None:
    """Micro example C: the Montguyon Dolmen, native to 5, costs 3."""
    table = scenario().hand(0, "megalith_34", fill=4).at_action(0)
    assert table.hints(0, "create:megalith_34@") == {"4": "cost 4", "5": "cost 3", "6": "cost 4"}
    table = scenario().hand(0, "megalith_34", fill=3).at_action(0)
    assert table.hints(0, "create:megalith_34@") == {"5": "cost 3"}
    table = scenario().hand(0, "megalith_34", fill=2).at_action(0)
    assert table.hints(0, "create:megalith_34@") == {}


@pytest.mark.parametrize(
    ("card", "space"),
    [
        ("city_21", 6),
        ("city_35", 4),
        ("megalith_09", 3),
        ("megalith_13", 6),
        ("megalith_14", 3),
        ("pyramid_10", 6),
        ("pyramid_19", 4),
        ("pyramid_20", 3),
    ],
)
def test_a_locked_monument_goes_to_its_own_space_only(card: str, space: int) -> None:
    table = scenario().hand(0, card, fill=9).at_action(0)
    assert table.options(0, f"create:{card}@") == {str(space)}
    full = scenario().hand(0, card, fill=9)
    full.timeline(0, "city_24", space=space).timeline(0, "city_18", space=space)
    assert full.at_action(0).options(0, f"create:{card}@") == set()


def test_a_space_with_two_monuments_takes_no_third() -> None:
    laid = scenario().hand(0, "city_29", fill=3)
    laid.timeline(0, "city_24", space=3).timeline(0, "city_18", space=3)
    assert laid.at_action(0).options(0, "create:city_29@") == {"1", "2", "4", "5", "6"}


def test_the_lower_slot_is_filled_first() -> None:
    table = scenario().hand(0, "pyramid_36", "pyramid_35", "pyramid_26").at_action(0)
    table.plays(0, "playCard", card="pyramid_36", space=2)
    table.plays(0, "playCard", card="pyramid_26", space=2)
    assert table.timeline(0) == {"pyramid_36": "1L k3", "pyramid_26": "1U k1"}


def test_the_created_card_never_pays_for_itself() -> None:
    table = scenario().hand(0, "megalith_12", fill=2).at_action(0)
    table.picks(0, "create:megalith_12@2")
    assert table.options(0) == {"pyramid_36", "pyramid_35"}
    assert table.bounds(0) == (2, 2)
    assert table.refusal(0, "megalith_12", "pyramid_36") == "illegal_choice"
    assert table.refusal(0, "pyramid_36") == "illegal_choice"


def test_an_artifact_costs_only_what_is_printed() -> None:
    table = scenario().hand(0, "artifact_12", "artifact_26", fill=2).at_action(0)
    created = {pick for pick in table.hints(0, CREATE).items() if pick[0].startswith("artifact")}
    assert created == {("artifact_12", "cost 3"), ("artifact_26", "cost 0")}
    table.plays(0, "playCard", card="artifact_26")
    assert table.happened(ArtifactCreated) == (ArtifactCreated(seat=0, card="artifact_26"),)
    assert "artifact_12" not in table.options(0, CREATE)


def test_there_are_five_places_for_artifacts() -> None:
    laid = scenario().hand(0, "artifact_26")
    laid.artifacts(0, "artifact_28", "artifact_29", "artifact_36", "artifact_35")
    assert laid.at_action(0).options(0, CREATE) == {"artifact_26"}
    laid = scenario().hand(0, "artifact_26")
    laid.artifacts(0, "artifact_28", "artifact_29", "artifact_36", "artifact_35", "artifact_34")
    assert laid.at_action(0).options(0, CREATE) == set()


def test_a_full_timeline_takes_no_monument() -> None:
    laid = scenario().hand(0, "city_29", "artifact_26", fill=5)
    cards = [f"megalith_{number:02d}" for number in range(1, 13)]
    for space, card in zip([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6], cards, strict=True):
        laid.timeline(0, card, space=space)
    assert laid.at_action(0).options(0) == {"search", "create:artifact_26"}


def test_a_bonus_creation_pays_all_its_costs() -> None:
    laid = scenario().hand(0, "megalith_18", "megalith_12", fill=2)
    table = laid.at_action(0).plays(0, "playCard", card="megalith_18", space=6)
    assert (table.prompt(0), table.bounds(0)) == ("create", (0, 1))
    assert table.hints(0, "megalith_12@") == {"2": "cost 2"}
    table.plays(0, "playCard", card="megalith_12", space=2, payment=["pyramid_36", "pyramid_35"])
    assert table.timeline(0) == {"megalith_18": "6L k3", "megalith_12": "2L k2"}


@pytest.mark.parametrize(
    ("card", "space", "kinds"),
    [
        ("megalith_18", 6, {"city", "megalith", "pyramid"}),
        ("megalith_16", 2, {"artifact"}),
        ("megalith_27", 3, {"megalith"}),
        ("pyramid_16", 2, {"artifact"}),
    ],
)
def test_a_bonus_creation_may_restrict_the_type(card: str, space: int, kinds: set[str]) -> None:
    laid = scenario().hand(0, card, "city_24", "megalith_25", "pyramid_36", "artifact_26")
    table = laid.at_action(0).plays(0, "playCard", card=card, space=space)
    assert {pick.partition("_")[0] for pick in table.options(0)} == kinds


REDUCERS = {
    "city": ("city_20", 2, ["city_24", "pyramid_22"], ["artifact_28"]),
    "megalith": ("megalith_25", 3, ["megalith_20"], ["artifact_26"]),
    "pyramid": ("pyramid_36", 3, ["city_34"], ["artifact_36"]),
}


@pytest.mark.parametrize("category", sorted(REDUCERS))
def test_reductions_of_other_cards_add_up_down_to_nothing(category: str) -> None:
    card, printed, monuments, artifacts = REDUCERS[category]
    for count in range(len(monuments) + len(artifacts) + 1):
        laid = scenario().hand(0, card)
        active = [*monuments, *artifacts][:count]
        for reducer in active:
            if reducer in monuments:
                laid.timeline(0, reducer)
            else:
                laid.artifacts(0, reducer)
        table = laid.at_action(0).plays(0, "playCard", card=card, space=2)
        (created,) = table.happened(MonumentCreated)
        assert created == MonumentCreated(
            seat=0, card=card, space=2, knowledge=max(0, printed - count)
        )


@pytest.mark.parametrize(
    ("card", "space", "printed"), [("city_24", 5, 3), ("megalith_20", 5, 2), ("city_18", 6, 2)]
)
def test_a_reduction_never_applies_to_the_card_itself(card: str, space: int, printed: int) -> None:
    table = scenario().past_of(0, cities=1).hand(0, card).at_action(0)
    table.plays(0, "playCard", card=card, space=space)
    assert table.timeline(0)[card] == f"{space}L k{printed}"


def test_reductions_do_not_reach_another_type_or_seat_or_the_past() -> None:
    laid = scenario().hand(0, "city_20").past(0, "city_24").timeline(0, "megalith_20")
    laid.timeline(1, "pyramid_22").artifacts(0, "artifact_36").artifacts(1, "artifact_28")
    table = laid.at_action(0).plays(0, "playCard", card="city_20", space=2)
    assert table.timeline(0)["city_20"] == "2L k2"


def test_angkor_wat_needs_a_city_in_the_past() -> None:
    for laid, tokens in (
        (scenario().past_of(0, megaliths=1, pyramids=1), 3),
        (scenario().past_of(0, cities=1), 2),
    ):
        table = laid.timeline(0, "city_18").hand(0, "city_24").at_action(0)
        table.plays(0, "playCard", card="city_24", space=5)
        assert table.timeline(0)["city_24"] == f"5L k{tokens}"


OWN_DISCOUNTS = [
    ("city_22", 2, 6, 5, scenario().past_of(0, cities=3), scenario().past_of(0, cities=2)),
    ("city_23", 3, 8, 6, scenario().past_of(0, cities=3), scenario().past_of(0, cities=2)),
    ("megalith_17", 2, 6, 5, scenario().past_of(0, megaliths=3), scenario().past_of(0, 5, 2)),
    ("megalith_21", 3, 7, 6, scenario().past_of(0, megaliths=4), scenario().past_of(0, 5, 3)),
    (
        *("city_33", 2, 6, 5),
        scenario().techs(0, "tech_10", "tech_11", "tech_34"),
        scenario().techs(0, "tech_10", "tech_11", "tech_01"),
    ),
]


@pytest.mark.parametrize(("card", "space", "printed", "less", "met", "missed"), OWN_DISCOUNTS)
def test_an_own_discount_holds_if_its_condition_holds_now(
    card: str, space: int, printed: int, less: int, met: Scenario, missed: Scenario
) -> None:
    for laid, tokens in ((met, printed - less), (missed, printed)):
        table = laid.hand(0, card).at_action(0).plays(0, "playCard", card=card, space=space)
        assert table.timeline(0)[card] == f"{space}L k{tokens}"


@pytest.mark.parametrize(("pyramids", "tokens"), [(0, 5), (1, 4), (4, 1), (5, 0), (6, 0)])
def test_the_queens_pyramids_enter_with_one_less_for_each_pyramid(
    pyramids: int, tokens: int
) -> None:
    table = scenario().past_of(0, pyramids=pyramids).hand(0, "pyramid_17").at_action(0)
    table.plays(0, "playCard", card="pyramid_17", space=3)
    assert table.timeline(0)["pyramid_17"] == f"3L k{tokens}"


def test_own_discount_and_reductions_add_up() -> None:
    """Micro example B: Baalbek enters with 0."""
    laid = scenario().past_of(0, cities=3).hand(0, "city_22").artifacts(0, "artifact_28")
    laid.timeline(0, "city_24").timeline(0, "city_18")
    table = laid.at_action(0).plays(0, "playCard", card="city_22", space=2)
    assert table.timeline(0)["city_22"] == "2L k0"


def test_an_own_discount_is_no_effect_to_be_resolved_later() -> None:
    laid = scenario().past_of(0, cities=3).hand(0, "city_22").artifacts(0, "artifact_24")
    table = laid.at_action(0).plays(0, "playCard", card="city_22", space=2)
    assert table.kinds() == ["ActionTaken", "MonumentCreated"]
    assert table.prompt(0) == "action"


def test_own_effect_and_reactions_come_in_the_order_that_the_owner_likes() -> None:
    """A megalith in space 6 with an effect of its own, and two artifacts that react."""
    laid = scenario().hand(0, "megalith_18", "city_24").timeline(0, "city_18", knowledge=2)
    laid.artifacts(0, "artifact_23", "artifact_24")
    table = laid.at_action(0).plays(0, "playCard", card="megalith_18", space=6)
    assert table.prompt(0) == "next"
    assert table.options(0) == {"megalith_18", "artifact_23", "artifact_24"}
    assert table.bounds(0) == (1, 1)
    table.picks(0, "artifact_23")
    assert table.kinds() == ["CardsDrawn"]
    assert table.options(0) == {"megalith_18", "artifact_24"}
    assert table.bounds(0) == (0, 1)
    table.picks(0, "artifact_24")
    assert (table.prompt(0), table.source(0)) == ("remove", "artifact_24")
    table.picks(0, "city_18", "megalith_18")
    assert (table.prompt(0), table.source(0)) == ("create", "megalith_18")


def test_a_picked_effect_is_resolved_completely_before_the_next() -> None:
    laid = (
        scenario().hand(0, "megalith_18", "pyramid_18").artifacts(0, "artifact_22", "artifact_23")
    )
    table = laid.at_action(0).plays(0, "playCard", card="megalith_18", space=6)
    table.picks(0, "megalith_18").picks(0, "pyramid_18@1")
    assert table.options(0) == {"pyramid_18", "artifact_22"}
    table.picks(0, "artifact_22")
    assert (table.prompt(0), table.source(0)) == ("remove", "pyramid_18")
    table.picks(0, "megalith_18")
    assert table.kinds() == ["KnowledgeRemoved", "CardsDrawn"]
    assert table.prompt(0) == "action"


def test_what_reacts_is_collected_at_the_moment_of_creation() -> None:
    """The artifact that the Diquís Spheres bring in does not react to the Spheres themselves."""
    laid = scenario().hand(0, "megalith_16", "artifact_23")
    table = laid.at_action(0).plays(0, "playCard", card="megalith_16", space=2)
    table.picks(0, "artifact_23")
    assert table.happened(CardsDrawn) == ()
    assert table.prompt(0) == "action"


def test_a_collected_reaction_resolves_even_if_its_source_leaves_play() -> None:
    """Yonaguni discards the Nazca Lines while their draw is still waiting."""
    laid = scenario().hand(0, "pyramid_13").artifacts(0, "artifact_22")
    table = laid.at_action(0).plays(0, "playCard", card="pyramid_13", space=4)
    assert table.options(0) == {"pyramid_13", "artifact_22"}
    table.picks(0, "pyramid_13").picks(0, "yes").picks(0, "artifact_22")
    assert table.kinds() == ["ArtifactDiscarded", "KnowledgeRemoved", "CardsDrawn"]
    assert table.timeline(0) == {"pyramid_13": "4L k10"}


def test_payment_is_made_before_anything_is_counted_or_drawn() -> None:
    laid = scenario().hand(0, "pyramid_04", fill=9).artifacts(0, "artifact_22")
    table = laid.at_action(0).picks(0, "create:pyramid_04@4").picks(0, "pyramid_36")
    assert table.kinds() == ["CardsDiscarded", "MonumentCreated", "CardsDrawn"]
    assert len(table.hand(0)) == 9


def test_a_payment_may_be_left_to_the_next_choice() -> None:
    table = scenario().hand(0, "megalith_12", fill=3).at_action(0)
    table.plays(0, "playCard", card="megalith_12", space=2)
    assert (table.prompt(0), table.bounds(0)) == ("payment", (2, 2))
