import pytest

from domain.engine.events import ChoiceOffered, Event
from domain.engine.ids import Viewer
from domain.engine.redaction import redact
from domain.games.ancient_knowledge import GAME
from domain.games.ancient_knowledge.events import CardsDiscarded, HandLookedAt
from domain.games.ancient_knowledge.view import view
from tests.games.ancient_knowledge.scenario import Scenario, scenario
from tests.games.ancient_knowledge.table import Table

VIEWERS: tuple[Viewer, ...] = (0, 1, 2, None)


def told(table: Table, viewer: Viewer, *cards: str) -> set[str]:
    """Return which of the cards a viewer is told of in the last act."""
    words = repr(table.seen_by(viewer))
    return {card for card in cards if f"'{card}'" in words}


def sees(table: Table, viewer: Viewer, *cards: str) -> set[str]:
    """Return which of the cards a viewer finds on the table."""
    words = repr(redact(table.match, viewer).board) + repr(view(table.match, viewer))
    return {card for card in cards if f"'{card}'" in words}


def test_a_hand_is_seen_by_its_owner_only_and_its_size_by_all() -> None:
    table = scenario(3).hand(0, "city_24", "city_18").at_action(0)
    for viewer in VIEWERS:
        assert sees(table, viewer, "city_24", "city_18") == (
            {"city_24", "city_18"} if viewer == 0 else set()
        )
        assert view(table.match, viewer).seats[0].hand_size == 2


def test_decks_are_hidden_and_their_sizes_shown() -> None:
    laid = scenario(3).bare().deck("city_24", "city_18").tech_deck(1, "tech_09")
    table = laid.tile(0).tile(1).tile(2).at_action(0)
    for viewer in VIEWERS:
        assert sees(table, viewer, "city_24", "city_18", "tech_09") == set()
        shown = view(table.match, viewer)
        assert (shown.deck, shown.technology_decks) == (2, (1, 0))


def test_boards_and_technology_discards_are_public() -> None:
    laid = scenario(3).timeline(0, "city_24").past(0, "city_18").artifacts(0, "artifact_26")
    laid.techs(0, "tech_09").tile(0, "tech_10", "tech_01").tech_discard(1, "tech_11")
    table = laid.at_action(0)
    cards = {"city_24", "city_18", "artifact_26", "tech_09", "tech_10", "tech_11"}
    for viewer in VIEWERS:
        assert sees(table, viewer, *cards) == cards


def test_only_the_last_discarded_card_shows() -> None:
    laid = scenario(3).hand(0, "megalith_12", "city_24", "city_18").at_action(0)
    laid.plays(0, "playCard", card="megalith_12", space=2, payment=["city_24", "city_18"])
    for viewer in VIEWERS:
        paid = {"city_24", "city_18"} if viewer == 0 else {"city_18"}
        assert told(laid, viewer, "city_24", "city_18") == paid
        assert sees(laid, viewer, "city_24", "city_18") == paid
        assert view(laid.match, viewer).discard_top == "city_18"
        assert view(laid.match, viewer).discard_pile == 2


def test_no_discard_shows_before_the_first_one_of_the_match() -> None:
    table = scenario(3).at_action(0)
    assert view(table.match, None).discard_top is None


def test_a_drawn_card_is_seen_by_its_owner_only() -> None:
    table = scenario(3).deck("city_24").at_action(0).searches(0)
    for viewer in VIEWERS:
        assert told(table, viewer, "city_24") == ({"city_24"} if viewer == 0 else set())


def looking() -> Scenario:
    """Return a table on which seat 0 may learn something that looks at five cards."""
    return scenario(3).bare().deck("city_01", "city_02", "city_03", "city_04", "artifact_26")


FIVE = ("city_01", "city_02", "city_03", "city_04", "artifact_26")


def test_thales_shows_its_cards_to_the_learner_only() -> None:
    table = looking().tile(0, "tech_04").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_04")
    assert table.shown(0) == set(FIVE)
    for viewer in VIEWERS:
        assert told(table, viewer, *FIVE) == (set(FIVE) if viewer == 0 else set())
        assert sees(table, viewer, *FIVE) == (set(FIVE) if viewer == 0 else set())
    table.picks(0, "city_01")
    for viewer in VIEWERS:
        assert told(table, viewer, *FIVE) == (set(FIVE) if viewer == 0 else {table.discards()[-1]})


def test_ancient_greek_shows_its_cards_to_the_learner_and_the_artifact_to_all() -> None:
    table = looking().tile(0, "tech_22").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_22")
    assert table.shown(0) == set(FIVE)
    assert told(table, 1, *FIVE) == set()
    table.picks(0, "artifact_26")
    assert told(table, 1, *FIVE) == {"artifact_26", table.discards()[-1]}


def test_the_pyramid_of_the_niches_shows_its_technologies_to_the_owner_only() -> None:
    techs = ("tech_30", "tech_34", "tech_40")
    laid = scenario(3).bare().timeline(0, "pyramid_07", space=1).tech_deck(2, *techs).lost(0, 9)
    table = laid.tile(0).tile(1).tile(2).at_decline_phase(0)
    assert table.shown(0) == set(techs)
    for viewer in VIEWERS:
        assert sees(table, viewer, *techs) == (set(techs) if viewer == 0 else set())
    table.picks(0, "tech_30")
    assert told(table, 1, *techs) == {"tech_30"}
    table.picks(0, "tech_40")
    assert told(table, 1, *techs) == set()
    assert sees(table, 1, *techs) == {"tech_30"}


def test_hermes_shows_its_cards_and_who_took_what_to_all() -> None:
    table = looking().tile(0, "tech_03").at_action(0)
    table.plays(0, "learnTechnology", technology="tech_03")
    for viewer in VIEWERS:
        assert told(table, viewer, *FIVE) == set(FIVE)
    table.picks(0, "city_01").picks(1, "city_02")
    for viewer in VIEWERS:
        assert told(table, viewer, *FIVE) == {"city_02"}
    assert sees(table, 2, *FIVE) == set(FIVE) - {"city_01", "city_02"}


def test_calakmul_turns_cards_over_for_all() -> None:
    laid = scenario(3).bare().deck("megalith_01", "city_01", "pyramid_01", "city_02", "city_03")
    table = laid.timeline(0, "pyramid_33", space=1).at_decline_phase(0)
    turned = {"megalith_01", "city_01", "pyramid_01", "city_02"}
    for viewer in VIEWERS:
        assert told(table, viewer, *turned, "city_03") == turned
    assert table.hand(0) == {"city_01", "city_02"}
    assert table.discards() == ("megalith_01", "pyramid_01")


def test_kerloas_shows_one_hand_to_the_owner_and_the_stolen_card_to_both() -> None:
    laid = scenario(3).timeline(0, "megalith_14", space=1).hand(1, "city_24", "city_18")
    table = laid.hand(2, "city_20").at_decline_phase(0)
    assert (table.options(0), table.shown(0)) == ({"seat:1", "seat:2"}, set())
    table.picks(0, "seat:1")
    assert table.events == (HandLookedAt(seat=0, victim=1, cards=("city_18", "city_24")),)
    for viewer in VIEWERS:
        known = {"city_24", "city_18"} if viewer in (0, 1) else set()
        assert told(table, viewer, "city_24", "city_18", "city_20") == known
    assert table.shown(0) == {"city_24", "city_18"}
    table.picks(0, "city_24")
    for viewer in VIEWERS:
        known = {"city_24"} if viewer in (0, 1) else set()
        assert told(table, viewer, "city_24", "city_18") == known


def test_no_card_can_be_guessed_together_with_the_hand_to_look_at() -> None:
    """Whether a guess is accepted would tell what an opponent holds before the look."""
    laid = scenario(3).timeline(0, "megalith_14", space=1).hand(1, "city_24").hand(2, "city_20")
    table = laid.at_decline_phase(0)
    for card in ("city_24", "city_20"):
        assert table.refusal(0, "seat:1", card) == "illegal_choice"
        assert table.refusals(0, ("seat:1",), (card,)) == "illegal_choice"


def test_no_card_can_be_guessed_together_with_what_turns_it_over() -> None:
    laid = scenario().tile(0, "tech_03", "tech_01", "tech_02").deck("city_01")
    table = laid.at_action(0)
    for card in ("city_01", "city_30"):
        assert table.refusals(0, ("learn:tech_03",), (card,)) == "illegal_choice"
    laid = scenario().tile(0, "tech_09", "tech_10").tech_deck(1, "tech_11", "tech_12", "tech_13")
    table = laid.at_action(0)
    for tech in ("tech_11", "tech_20"):
        assert table.refusals(0, ("learn:tech_09",), (f"learn:{tech}",)) == "illegal_choice"


def test_forced_discards_are_chosen_secretly_and_applied_at_once() -> None:
    laid = scenario(3).hand(1, "city_24", "city_18").hand(2, "city_20", "city_25")
    table = laid.timeline(0, "megalith_10", space=1).at_decline_phase(0)
    assert sorted(table.asked) == [1, 2]
    table.picks(1, "city_24")
    assert (table.events, table.asked) == ((), (2,))
    assert table.hand(1) == {"city_24", "city_18"}
    for viewer in (0, 2, None):
        assert told(table, viewer, "city_24") == set()
    table.picks(2, "city_25")
    assert table.happened(CardsDiscarded) == (
        CardsDiscarded(seat=1, cards=("city_24",)),
        CardsDiscarded(seat=2, cards=("city_25",)),
    )


def test_the_number_of_forced_discards_is_public() -> None:
    laid = scenario(3).hand(1, "city_24", "city_18", "city_20").hand(2, "city_25")
    table = laid.timeline(0, "megalith_09", space=1).at_decline_phase(0)
    assert (table.asked, table.bounds(1)) == ((1,), (2, 2))
    table.picks(1, "city_24", "city_18")
    counts = [len(event.cards) for event in discards(table)]
    assert counts == [2, 1]
    assert told(table, 2, "city_24", "city_18", "city_25") == {"city_18", "city_25"}


def discards(table: Table) -> list[CardsDiscarded]:
    """Return what a spectator sees discarded in the last act."""
    return [event for event in table.seen_by(None) if isinstance(event, CardsDiscarded)]


def test_an_event_that_nobody_has_decided_on_is_not_shown() -> None:
    with pytest.raises(TypeError, match="Unknown"):
        GAME.redact_event(Unknown(), None)


class Unknown(Event):
    """An event of no game."""


# Whether a choice is offered must not depend on a hidden hand


def offered(laid: Scenario) -> list[object]:
    """Return what a spectator is told until seat 0 has to choose in the timeline phase."""
    table = laid.at_timeline_phase(0)
    return [*table.seen_by(None), table.asked]


def test_moai_statue_asks_also_who_holds_no_two_artifacts() -> None:
    with_two = scenario().artifacts(0, "artifact_07").hand(0, "artifact_26", "artifact_28")
    without = scenario().artifacts(0, "artifact_07").hand(0, "city_24", "artifact_28")
    assert with_two.at_timeline_phase(0).options(0) == {"yes"}
    assert without.at_timeline_phase(0).options(0) == set()
    assert without.at_timeline_phase(0).bounds(0) == (0, 0)
    assert len(offered(with_two)) == len(offered(without)) == 2
    without.at_timeline_phase(0).passes(0)


def test_a_bonus_creation_is_offered_whatever_the_hand_holds() -> None:
    for held, options in (("artifact_26", {"artifact_26"}), ("city_24", set())):
        table = scenario().hand(0, "megalith_16", held).at_action(0)
        table.plays(0, "playCard", card="megalith_16", space=2)
        assert (table.prompt(0), table.options(0)) == ("create", options)
        assert [type(event) for event in table.seen_by(None)][-1] is ChoiceOffered


def test_ancient_greek_asks_also_where_it_found_no_artifact() -> None:
    laid = scenario().bare().deck("city_01", "city_02").tile(0, "tech_22")
    table = laid.at_action(0).plays(0, "learnTechnology", technology="tech_22")
    assert (table.options(0), table.bounds(0), table.shown(0)) == (
        *(set(), (0, 0)),
        {"city_01", "city_02"},
    )
    table.passes(0)
    assert table.kinds() == ["AsideClosed"]


def test_the_pyramid_of_the_niches_asks_also_where_nothing_qualifies() -> None:
    laid = scenario().bare().timeline(0, "pyramid_07", space=1).tech_deck(2, "tech_30", "tech_34")
    table = laid.tile(0).tile(1).tile(2).at_decline_phase(0)
    assert (table.prompt(0), table.options(0), table.shown(0)) == (
        *("learn", set()),
        {"tech_30", "tech_34"},
    )
    table.passes(0)
    assert (table.prompt(0), table.options(0)) == ("bottom", {"tech_30", "tech_34"})


def test_who_is_asked_for_a_forced_discard_follows_from_hand_sizes_only() -> None:
    for hand in (("city_24", "city_18"), ("artifact_26", "artifact_28")):
        laid = scenario(3).hand(1, *hand).hand(2, "city_20")
        table = laid.timeline(0, "megalith_10", space=1).at_decline_phase(0)
        assert table.asked == (1,)
