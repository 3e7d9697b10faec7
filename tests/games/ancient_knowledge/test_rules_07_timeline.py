from domain.games.ancient_knowledge.events import CardsDrawn, KnowledgeRemoved, MonumentMoved
from tests.games.ancient_knowledge.scenario import scenario

NOTHING = "would do nothing"


def test_each_active_timeline_effect_is_resolved_once_in_any_order() -> None:
    laid = scenario().timeline(0, "pyramid_31").timeline(0, "pyramid_30")
    laid.artifacts(0, "artifact_08", "artifact_14").lost(0, 5).hand(0, fill=3)
    table = laid.timeline(0, "city_24", knowledge=3).at_timeline_phase(0)
    assert table.prompt(0) == "next"
    assert table.options(0) == {"pyramid_31", "pyramid_30", "artifact_08", "artifact_14"}
    table.picks(0, "pyramid_30").picks(0, "city_24")
    assert table.options(0) == {"pyramid_31", "artifact_08", "artifact_14"}
    table.picks(0, "artifact_14")
    assert table.kinds() == ["CardsDrawn"]
    table.picks(0, "pyramid_31")
    assert table.kinds() == ["CardsDrawn"]
    assert (table.prompt(0), table.source(0)) == ("may", "artifact_08")
    assert table.passes(0).asked == (1,)


def test_cards_of_the_past_and_of_other_seats_are_inactive() -> None:
    laid = scenario().past(0, "pyramid_31").timeline(1, "city_06").artifacts(1, "artifact_35")
    table = laid.at_timeline_phase(0)
    assert (table.kinds(), table.asked) == (["DeclineStarted", "TimelineSlid", "TurnStarted"], (1,))


def test_conditions_are_read_when_a_card_is_resolved() -> None:
    """Iron Pillar Of Delhi before Antikythera Mechanism, or it is lost."""
    laid = scenario().timeline(0, "city_24", space=1, knowledge=5)
    laid.timeline(0, "city_18", space=1, knowledge=1).artifacts(0, "artifact_06", "artifact_27")
    table = laid.at_timeline_phase(0)
    assert table.hints(0) == {"artifact_06": None, "artifact_27": None}
    late = table.fork().picks(0, "artifact_06").picks(0, "city_24>3")
    assert late.happened(MonumentMoved) == (MonumentMoved(seat=0, card="city_24", space=3),)
    assert late.happened(KnowledgeRemoved) == ()
    assert late.asked == (1,)
    table.picks(0, "artifact_27").picks(0, "city_18")
    assert table.happened(KnowledgeRemoved) != ()
    assert table.prompt(0) == "move"


def test_an_earlier_effect_may_switch_a_later_one_on() -> None:
    """Ħaġar Qim takes the fourth lost token away: the Incahuasi Quipus draw."""
    laid = scenario().timeline(0, "megalith_31").artifacts(0, "artifact_10").lost(0, 4)
    table = laid.past(0, "city_24").at_timeline_phase(0)
    assert table.hints(0) == {"megalith_31": None, "artifact_10": NOTHING}
    table.picks(0, "megalith_31")
    assert table.lost(0) == 3
    assert len(table.hand(0)) == 1


def test_an_effect_picked_while_its_condition_fails_is_used_up() -> None:
    laid = scenario().timeline(0, "megalith_31").artifacts(0, "artifact_10").lost(0, 4)
    table = laid.past(0, "city_24").at_timeline_phase(0).picks(0, "artifact_10")
    assert (table.lost(0), table.hand(0)) == (3, set())


def test_compulsory_effects_cannot_be_passed_and_others_can() -> None:
    laid = scenario().timeline(0, "pyramid_31").artifacts(0, "artifact_08").hand(0, fill=1)
    table = laid.at_timeline_phase(0)
    assert table.bounds(0) == (1, 1)
    laid = scenario().artifacts(0, "artifact_08", "artifact_13").hand(0, fill=1)
    table = laid.timeline(0, "city_24", space=4).at_timeline_phase(0)
    assert table.bounds(0) == (0, 1)
    assert table.passes(0).asked == (1,)


def test_cards_that_enter_play_during_the_phase_wait_for_the_next_turn() -> None:
    """An artifact created with Ancient Greek, learned through the Pachamama Monolith (OQ-13)."""
    laid = scenario().past_of(0, pyramids=5).artifacts(0, "artifact_12", "artifact_14").lost(0, 9)
    table = laid.tile(0, "tech_22", "tech_01", "tech_08").deck("artifact_10", "artifact_35")
    acting = table.hand(0, fill=2).at_timeline_phase(0)
    acting.picks(0, "artifact_12").picks(0, "tech_22").picks(0, "artifact_35")
    assert "artifact_35" in acting.artifacts(0)
    assert len(acting.happened(CardsDrawn)) == 1
    assert acting.asked == (1,)


def test_the_phase_ends_by_itself_when_nothing_could_do_anything() -> None:
    laid = scenario().timeline(0, "city_06", knowledge=2).artifacts(0, "artifact_04", "artifact_02")
    table = laid.at_timeline_phase(0)
    assert (table.kinds(), table.asked) == (["DeclineStarted", "TimelineSlid", "TurnStarted"], (1,))


def test_the_phase_comes_after_the_second_action() -> None:
    laid = scenario().hand(0, "artifact_35").at_action(0, 2)
    table = laid.plays(0, "playCard", card="artifact_35")
    assert table.kinds()[:3] == ["ActionTaken", "ArtifactCreated", "CardsDrawn"]
