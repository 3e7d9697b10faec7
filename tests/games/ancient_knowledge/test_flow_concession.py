"""A seat may leave at every kind of open choice: no card is lost, and the match goes on."""

from collections.abc import Callable

import pytest

from domain.engine.events import Outcome
from tests.games.ancient_knowledge.scenario import Scenario, opening, scenario
from tests.games.ancient_knowledge.table import Table


def goes_on(table: Table) -> None:
    """Play two more turns by searching, answering everything else with as little as possible."""
    turns = table.board.turns
    while table.outcome() is None and table.board.turns < turns + 2:
        seat = table.asked[0]
        if table.prompt(seat) == "action":
            table.searches(seat)
        else:
            least, _most = table.bounds(seat)
            table.picks(seat, *sorted(table.options(seat))[:least])


def draft() -> Table:
    return opening(3)


def half_drafted() -> Table:
    table = opening(3)
    return table.picks(1, *sorted(table.hand(1))[:6])


def forced() -> Table:
    laid = scenario(3).timeline(0, "megalith_10", 1).hand(1, fill=3).hand(2, fill=3)
    return laid.at_decline_phase(0)


def half_forced() -> Table:
    return forced().picks(1, "pyramid_36")


def forced_artifacts() -> Table:
    laid = scenario(3).timeline(0, "pyramid_08", 1).artifacts(1, "artifact_26", "artifact_28")
    return laid.artifacts(2, "artifact_29", "artifact_36").at_decline_phase(0)


def hermes(picks: int) -> Callable[[], Table]:
    def table() -> Table:
        laid = scenario(3).tile(0, "tech_03", "tech_01", "tech_02").at_action(0)
        laid.plays(0, "learnTechnology", technology="tech_03")
        for _ in range(picks):
            (seat,) = laid.asked
            laid.picks(seat, min(laid.options(seat)))
        return laid

    return table


def thales() -> Table:
    laid = scenario(3).tile(0, "tech_04", "tech_01", "tech_02").at_action(0)
    return laid.plays(0, "learnTechnology", technology="tech_04")


def greek() -> Table:
    laid = scenario(3).tile(0, "tech_22", "tech_01", "tech_02").deck("artifact_30", "artifact_26")
    table = laid.hand(0, fill=3).at_action(0).plays(0, "learnTechnology", technology="tech_22")
    return table.picks(0, "artifact_30")


def nested() -> Table:
    """Ancient Greek, Borobudur, Thales: cards are set aside twice."""
    laid = scenario(3).tile(0, "tech_22", "tech_04", "tech_02").deck("artifact_26")
    table = laid.timeline(0, "pyramid_20").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_22").picks(0, "artifact_26")
    return table.picks(0, "tech_04")


def niches() -> Table:
    return scenario(3).timeline(0, "pyramid_07", 1, knowledge=2).at_decline_phase(0)


def bottoming() -> Table:
    return niches().passes(0)


def kerloas() -> Table:
    laid = scenario(3).timeline(0, "megalith_14", 1).hand(1, fill=2).hand(2, fill=2)
    return laid.at_decline_phase(0)


def stealing() -> Table:
    return kerloas().picks(0, "seat:1")


def adding() -> Table:
    laid = scenario(3).hand(0, "megalith_24").timeline(1, "city_24").timeline(2, "city_20")
    return laid.at_action(0).plays(0, "playCard", card="megalith_24", space=3)


def giving() -> Table:
    laid = scenario(3).timeline(0, "megalith_15", 1).lost(0, 3).timeline(1, "city_24")
    return laid.at_decline_phase(0)


def paying() -> Table:
    table = scenario(3).hand(0, "megalith_12", fill=3).at_action(0)
    return table.picks(0, "create:megalith_12@2")


def deciding() -> Table:
    laid = scenario(3).timeline(0, "city_24", 1).timeline(0, "city_20", 1, knowledge=2)
    return laid.at_decline_phase(0)


def flipping() -> Table:
    laid = scenario(3).past_of(0, cities=6).timeline(0, "city_24", 1, knowledge=2)
    return laid.at_decline_phase(0)


def ordering() -> Table:
    laid = scenario(3).artifacts(0, "artifact_08", "artifact_07").hand(0, fill=3)
    return laid.at_timeline_phase(0)


def last_round() -> Table:
    laid = scenario(3).set(flipped=True).past_of(0, cities=13).timeline(0, "city_24", 1)
    return laid.at_action(0).searches(0, 2)


TABLES = [
    *(draft, half_drafted, forced, half_forced, forced_artifacts),
    *(hermes(0), hermes(1), hermes(2), hermes(3), thales, greek, nested, niches, bottoming),
    *(kerloas, stealing, adding, giving, paying, deciding, flipping, ordering, last_round),
]


@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("laid", TABLES)
def test_the_match_goes_on_without_the_seat(laid: Callable[[], Table], seat: int) -> None:
    """The table itself checks that every card stays and that the log can be folded."""
    table = laid().concedes(seat)
    assert seat not in table.asked
    assert table.asked != ()
    goes_on(table)
    assert seat not in table.asked


@pytest.mark.parametrize("laid", TABLES)
def test_two_concessions_end_the_match(laid: Callable[[], Table]) -> None:
    for first, second in ((0, 1), (1, 0), (2, 0), (1, 2)):
        outcome = laid().concedes(first).concedes(second).outcome()
        assert outcome == Outcome(winners=(3 - first - second,), reasons=("last_one_left",))


@pytest.mark.parametrize("laid", [thales, greek, nested, niches, bottoming, hermes(1)])
def test_cards_set_aside_are_put_away_when_their_seat_leaves(laid: Callable[[], Table]) -> None:
    table = laid()
    assert table.board.asides
    table.concedes(0)
    assert table.board.asides == ()
    assert table.asked == (1,)


def test_a_seat_that_leaves_in_the_draft_keeps_six_cards_out_of_play() -> None:
    table = opening(3).concedes(0)
    assert sorted(table.asked) == [1, 2]
    for seat in (1, 2):
        table.picks(seat, *sorted(table.hand(seat))[:6])
    assert len(table.hand(0)) in (6, 7)
    assert table.seat(0).gone


def test_the_first_seat_may_leave_in_the_draft() -> None:
    table = opening(3)
    start = table.board.start
    table.concedes(start)
    for step in (1, 2):
        seat = (start + step) % 3
        table.picks(seat, *sorted(table.hand(seat))[:6])
    assert table.asked == ((start + 1) % 3,)


def test_a_forced_discard_that_a_seat_has_answered_before_it_left_counts() -> None:
    table = half_forced().concedes(1).picks(2, "pyramid_33")
    assert (len(table.hand(1)), table.discards()) == (2, ("pyramid_36", "pyramid_33"))


def test_a_seat_that_left_gives_the_oldest_of_its_artifacts() -> None:
    table = forced_artifacts().concedes(1).picks(2, "artifact_36")
    assert (table.artifacts(1), table.artifacts(2)) == ({"artifact_28"}, {"artifact_29"})


def test_nothing_is_stolen_from_a_seat_that_left() -> None:
    table = stealing().concedes(1)
    assert len(table.hand(1)) == 2
    assert (table.hand(0), table.past(0), table.asked) == (set(), ("megalith_14",), (2,))


def test_no_tokens_are_added_to_a_seat_that_left() -> None:
    table = adding().concedes(1)
    assert (table.prompt(0), table.options(0)) == ("add", {"city_20"})
    table = adding().concedes(2).picks(0, "city_24")
    assert (table.prompt(0), table.timeline(2)) == ("action", {"city_20": "2L k0"})


def test_lost_tokens_are_not_given_to_a_seat_that_left() -> None:
    table = giving().concedes(1)
    assert (table.past(0), table.lost(0), table.asked) == (("megalith_15",), 3, (2,))


def test_what_was_declining_stays_where_it_is() -> None:
    table = niches().concedes(0)
    assert (table.timeline(0), table.past(0)) == ({"pyramid_07": "1L k2"}, ())
    assert table.board.declining is None


def test_a_flip_that_was_due_is_left_to_the_next_seat_with_seven() -> None:
    table = flipping().concedes(0)
    assert (table.board.flipped, table.asked) == (False, (1,))


def test_a_seat_that_left_wins_nothing_but_is_scored() -> None:
    laid = scenario(3, turn_cap=1).past(1, "city_29").past(2, "city_24")
    outcome = laid.at_action(0).concedes(1).searches(0, 2).outcome()
    assert outcome == Outcome(winners=(2,), reasons=("turn_cap",), scores=(0, 12, 2))


def test_rounds_are_counted_past_a_first_seat_that_left() -> None:
    laid: Scenario = scenario(3).set(flipped=True).past_of(1, cities=13).timeline(1, "city_24", 1)
    table = laid.at_action(0).concedes(0).searches(1, 2)
    assert table.asked == (2,)
    assert table.searches(2, 2).outcome() is not None


def test_a_seat_that_leaves_in_the_draft_keeps_what_it_has_committed_to() -> None:
    for committed in (True, False):
        table = opening(3, extra_card=False)
        hand = sorted(table.hand(0))
        if committed:
            table.picks(0, *hand[4:])
        table.concedes(0)
        for seat in (1, 2):
            table.picks(seat, *sorted(table.hand(seat))[:6])
        assert table.hand(0) == set(hand[4:] if committed else hand[:6])


def test_fourteen_monuments_of_a_seat_that_left_still_make_the_last_round() -> None:
    laid = scenario(3).set(flipped=True).past_of(0, cities=13).timeline(0, "city_24", 1)
    table = laid.at_action(0).searches(0, 2).concedes(0).searches(1, 2)
    assert (table.asked, table.outcome()) == ((2,), None)
    outcome = table.searches(2, 2).outcome()
    assert outcome is not None
    assert outcome.reasons == ("fourteen_monuments",)
    assert 0 not in outcome.winners


def test_technologies_set_aside_go_under_their_deck_in_their_order() -> None:
    techs = ("tech_30", "tech_34", "tech_40")
    laid = scenario(3).bare().timeline(0, "pyramid_07", 1).tech_deck(2, *techs)
    table = laid.tile(0).tile(1).tile(2).at_decline_phase(0).concedes(0)
    assert table.board.tech_decks[1] == techs
