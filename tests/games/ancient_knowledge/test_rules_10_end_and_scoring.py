import pytest

from domain.engine.events import Outcome
from domain.games.ancient_knowledge.scoring import points
from tests.games.ancient_knowledge.scenario import Scenario, scenario
from tests.games.ancient_knowledge.table import Table


def thirteen(seats: int = 2, seat: int = 0) -> Scenario:
    """Return a table on which the seat's fourteenth monument is about to decline."""
    laid = scenario(seats).set(flipped=True).past_of(seat, cities=13)
    return laid.timeline(seat, "city_24", space=1)


def finish(table: Table) -> Outcome:
    """Search until the match is over."""
    turns = 0
    while table.outcome() is None:
        (seat,) = table.asked
        table.searches(seat, 2)
        turns += 1
        assert turns < 9, "the match does not end"
    outcome = table.outcome()
    assert outcome is not None
    return outcome


@pytest.mark.parametrize(
    ("seats", "start", "trigger", "further"),
    [
        (2, 0, 0, [1]),
        (2, 0, 1, []),
        (2, 1, 0, []),
        (3, 0, 1, [2]),
        (3, 1, 1, [2, 0]),
        (4, 2, 1, []),
        (4, 2, 2, [3, 0, 1]),
        (4, 0, 2, [3]),
    ],
)
def test_everybody_plays_the_same_number_of_turns(
    seats: int, start: int, trigger: int, further: list[int]
) -> None:
    table = thirteen(seats, trigger).set(start=start).at_action(trigger).searches(trigger, 2)
    played = []
    while table.outcome() is None:
        (seat,) = table.asked
        played.append(seat)
        table.searches(seat, 2)
    assert played == further
    outcome = table.outcome()
    assert outcome is not None
    assert outcome.reasons == ("fourteen_monuments",)


def test_thirteen_monuments_do_not_end_the_match() -> None:
    laid = scenario().past_of(1, cities=12).timeline(1, "city_24", space=1).set(flipped=True)
    table = laid.at_action(1).searches(1, 2)
    assert (len(table.past(1)), table.outcome()) == (13, None)


def test_fifteen_monuments_and_a_second_seat_past_fourteen_are_possible() -> None:
    laid = thirteen().timeline(0, "city_18", space=1).past_of(1, megaliths=13)
    table = laid.timeline(1, "megalith_20", space=1).at_decline_phase(0).picks(0, "city_24")
    assert (len(table.past(0)), table.outcome()) == (15, None)
    table.searches(1, 2)
    assert len(table.past(1)) == 14
    assert table.outcome() is not None


def test_the_seat_that_ends_the_match_need_not_win() -> None:
    laid = thirteen().lost(0, 90).past(1, "city_30")
    outcome = finish(laid.at_decline_phase(0))
    assert outcome.winners == (1,)


# The breakdown


def score(laid: Scenario) -> dict[str, int]:
    """Return the points of seat 0 by source."""
    return points(laid.at_action(0).board, 0)


NOTHING = {"past": 0, "endgame": 0, "technologies": 0, "timeline": 0, "lost": 0}


@pytest.mark.parametrize(
    ("laid", "expected"),
    [
        (scenario(), {}),
        (scenario().past(0, "city_30", "megalith_12"), {"past": 10}),
        (scenario().past(0, "city_30", rotated=True), {"past": 8}),
        (scenario().past(0, "city_05", "city_30", "city_24"), {"past": 10, "endgame": 3}),
        (scenario().techs(0, "tech_30", "tech_39", "tech_09"), {"technologies": 7}),
        (scenario().timeline(0, "city_30", knowledge=9).timeline(0, "city_05"), {"timeline": 2}),
        (scenario().lost(0, 7), {"lost": -7}),
        (scenario().hand(0, fill=9).artifacts(0, "artifact_26", "artifact_28"), {}),
        (scenario(lost_up_to="maximum").lost(0, 1).past(1, "city_30"), {"lost": -1}),
    ],
)
def test_points_by_source(laid: Scenario, expected: dict[str, int]) -> None:
    assert score(laid) == {**NOTHING, **expected}


def test_endgame_effects_count_from_the_past_only() -> None:
    assert score(scenario().timeline(0, "city_05").past_of(0, cities=4))["endgame"] == 0


def techs(ancient: int, writing: int, secret: int) -> Scenario:
    """Return a table on which seat 0 has learned so many technologies."""
    pools = (
        [f"tech_{number:02d}" for number in (*range(1, 10), *range(28, 34))],
        [f"tech_{number:02d}" for number in (*range(19, 28), *range(40, 46))],
        [f"tech_{number:02d}" for number in (*range(10, 19), *range(34, 40))],
    )
    laid = scenario()
    for pool, count in zip(pools, (ancient, writing, secret), strict=True):
        laid.techs(0, *pool[:count])
    return laid


def past(cities: int = 0, megaliths: int = 0, pyramids: int = 0) -> Scenario:
    return scenario().past_of(0, cities, megaliths, pyramids)


STEPS: list[tuple[str, Scenario, int]] = [
    *[("city_01", techs(n, 9, 9), p) for n, p in ((2, 0), (3, 4), (4, 4), (5, 7), (9, 7))],
    *[("megalith_05", techs(n, 9, 9), p) for n, p in ((2, 0), (3, 4), (4, 4), (5, 7))],
    *[("city_02", techs(9, 9, n), p) for n, p in ((2, 0), (3, 4), (4, 4), (5, 7))],
    *[("pyramid_03", techs(9, 9, n), p) for n, p in ((2, 0), (3, 4), (4, 4), (5, 7))],
    *[("megalith_06", techs(9, n, 9), p) for n, p in ((2, 0), (3, 4), (4, 4), (5, 7))],
    *[("pyramid_04", techs(9, n, 9), p) for n, p in ((2, 0), (3, 4), (4, 4), (5, 7))],
    *[("pyramid_01", techs(n, 0, 0), p) for n, p in ((7, 0), (8, 5), (11, 5), (12, 12))],
    *[("megalith_01", techs(*n), p) for n, p in (((0, 5, 5), 0), ((3, 4, 1), 2), ((2, 2, 2), 4))],
    *[("pyramid_05", techs(*n), p) for n, p in (((5, 0, 5), 0), ((3, 1, 4), 2), ((3, 3, 3), 6))],
    *[("city_03", past(*n), p) for n, p in (((0, 0, 0), 1), ((2, 5, 3), 5), ((5, 5, 1), 6))],
    *[("city_05", past(*n), p) for n, p in (((0, 9, 9), 1), ((4, 0, 0), 5))],
    *[("megalith_07", past(*n), p) for n, p in (((9, 0, 9), 1), ((0, 4, 0), 5))],
    *[("megalith_03", past(*n), p) for n, p in (((9, 9, 0), 0), ((0, 0, 4), 4))],
    *[("city_04", past(*n), p) for n, p in (((0, 0, 0), 0), ((0, 1, 1), 2), ((2, 3, 9), 6))],
    *[("pyramid_06", past(*n), p) for n, p in (((1, 1, 0), 2), ((3, 3, 1), 4))],
    *[("megalith_04", past(9, n, 9), p) for n, p in ((5, 0), (6, 6), (9, 6))],
    *[("pyramid_02", past(n, 9, 9), p) for n, p in ((6, 0), (7, 6))],
    *[("megalith_19", scenario().lost(0, n), p) for n, p in ((9, 0), (10, 4), (30, 4))],
    *[("megalith_02", scenario().lost(0, n), p) for n, p in ((14, 0), (15, 9))],
    *[("megalith_32", scenario().lost(0, n), p) for n, p in ((19, 0), (20, 12))],
]


@pytest.mark.parametrize(("card", "laid", "expected"), STEPS)
def test_endgame_effects_on_both_sides_of_each_threshold(
    card: str, laid: Scenario, expected: int
) -> None:
    assert score(laid.past(0, card))["endgame"] == expected


@pytest.mark.parametrize(
    ("card", "each"), [("megalith_33", [0, 1, 3, 4]), ("pyramid_36", [0, 0, 6, 6])]
)
def test_endgame_effects_that_count_the_timeline(card: str, each: list[int]) -> None:
    monuments = ["city_24", "city_18", "city_20", "city_25"]
    for count, expected in zip([0, 1, 3, 4], each, strict=True):
        laid = scenario().past(0, card)
        for monument in monuments[:count]:
            laid.timeline(0, monument)
        by_source = score(laid)
        assert (by_source["endgame"], by_source["timeline"]) == (expected, count)


def test_comalcalco_temple_counts_endgame_monuments_itself_included() -> None:
    laid = scenario().past(0, "pyramid_32", "city_03").past_of(0, megaliths=4)
    assert score(laid)["endgame"] == 2 + 4
    assert score(scenario().past(0, "pyramid_32"))["endgame"] == 1


# Who wins


def test_most_points_win_and_all_scores_are_told() -> None:
    laid = thirteen(3).past(2, "city_30").lost(1, 3).lost(2, 1)
    table = laid.set(start=1).at_decline_phase(0)
    finish(table)
    outcome = table.outcome()
    assert outcome is not None
    sums = tuple(sum(points(table.board, seat).values()) for seat in range(3))
    assert outcome.scores == sums
    assert outcome.winners == (sums.index(max(sums)),)


def test_a_total_may_be_negative() -> None:
    outcome = finish(thirteen(2, 1).lost(0, 9).at_decline_phase(1))
    assert outcome.scores is not None
    assert outcome.scores[0] == -9


def capped(seats: int) -> Scenario:
    """Return a table that is scored at the end of this turn."""
    return scenario(seats, turn_cap=1)


def test_a_tie_goes_to_fewer_lost_tokens() -> None:
    laid = capped(3).past(0, "city_28").lost(0, 4).past(1, "city_30").lost(1, 2)
    outcome = finish(laid.past(2, "city_29").lost(2, 6).at_action(0))
    assert outcome == Outcome(winners=(1,), reasons=("turn_cap",), scores=(6, 6, 6))


def test_a_full_tie_is_shared() -> None:
    laid = capped(3).past(0, "city_30").lost(0, 2).past(1, "city_27").lost(1, 2)
    outcome = finish(laid.past(2, "city_28").lost(2, 4).at_action(0))
    assert outcome == Outcome(winners=(0, 1), reasons=("turn_cap",), scores=(6, 6, 6))


def test_everybody_may_share_the_victory() -> None:
    outcome = finish(capped(2).at_action(0))
    assert outcome == Outcome(winners=(0, 1), reasons=("turn_cap",), scores=(0, 0))
