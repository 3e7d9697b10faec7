import pytest

from domain.games.ancient_knowledge.events import TileFlipped
from tests.games.ancient_knowledge.scenario import Scenario, scenario


def six() -> Scenario:
    """Return a table on which seat 0 has six monuments in its past, all tiles being full."""
    laid = scenario().past_of(0, cities=6).tile(0, "tech_09", "tech_10", "tech_14")
    laid.tile(1, "tech_16", "tech_19", "tech_20").tile(2, "tech_36", "tech_34", "tech_41")
    return laid.tech_deck(2, "tech_28", "tech_30", "tech_31")


def test_the_seventh_monument_of_a_past_flips_one_of_the_two_level_one_tiles() -> None:
    table = six().timeline(0, "city_24", space=1).at_decline_phase(0)
    assert (table.prompt(0), table.options(0), table.bounds(0)) == (
        *("flip", {"tile:0", "tile:1"}),
        (1, 1),
    )
    table.picks(0, "tile:1")
    assert table.events[0] == TileFlipped(
        tile=1,
        discarded=("tech_16", "tech_19", "tech_20"),
        dealt=("tech_28", "tech_30", "tech_31"),
    )
    assert [tile.level for tile in table.board.tiles] == [1, 2, 2]
    assert table.board.tiles[1].techs == ("tech_28", "tech_30", "tech_31")
    assert table.board.tech_discards[0] == ("tech_16", "tech_19", "tech_20")


def test_it_happens_right_after_the_monument_has_entered_the_past() -> None:
    """Before the second monument declines, and before the slide."""
    laid = six().timeline(0, "city_24", space=1).timeline(0, "megalith_12", space=1)
    table = laid.at_decline_phase(0).picks(0, "city_24")
    assert table.kinds() == ["MonumentDeclining", "MonumentDeclined"]
    table.picks(0, "tile:0")
    assert table.kinds() == [
        *("TileFlipped", "MonumentDeclining", "CardsDrawn", "MonumentDeclined"),
        *("TimelineSlid", "TurnStarted"),
    ]


@pytest.mark.parametrize("card", ["megalith_34", "pyramid_09", "pyramid_10"])
def test_a_second_declining_monument_sees_the_new_tile(card: str) -> None:
    laid = six().timeline(0, "city_24", space=1).timeline(0, card, space=1).hand(0, fill=9)
    table = laid.lost(0, 9).at_decline_phase(0)
    first = table.fork().picks(0, card)
    assert {"tech_16", "tech_19", "tech_20"} <= first.options(0)
    assert "tech_30" not in first.options(0)
    second = table.picks(0, "city_24").picks(0, "tile:1")
    assert "tech_30" in second.options(0)
    assert not {"tech_16", "tech_19", "tech_20"} & second.options(0)


def test_it_happens_once_per_match_not_once_per_seat() -> None:
    laid = six().past_of(1, megaliths=6).timeline(1, "city_18", space=1)
    table = laid.timeline(0, "city_24", space=1).at_decline_phase(0).picks(0, "tile:0")
    table.searches(1, 2)
    assert len(table.past(1)) == 7
    assert (table.happened(TileFlipped), table.asked) == ((), (0,))


def test_two_monuments_declining_together_flip_once() -> None:
    laid = six().timeline(0, "city_24", space=1).timeline(0, "city_18", space=1)
    table = laid.at_decline_phase(0).picks(0, "city_24").picks(0, "tile:0")
    assert len(table.happened(TileFlipped)) == 1
    assert (len(table.past(0)), table.asked) == (8, (1,))


def test_the_seat_that_got_there_chooses() -> None:
    laid = scenario(3).past_of(1, cities=6).timeline(1, "city_24", space=1)
    table = laid.at_action(1).searches(1, 2)
    assert (table.asked, table.prompt(1)) == ((1,), "flip")


def test_a_monument_that_is_discarded_does_not_count() -> None:
    table = six().timeline(0, "city_29", space=1, knowledge=1).at_decline_phase(0)
    assert table.asked == (1,)


@pytest.mark.parametrize(
    ("deck", "discards", "shown"),
    [(2, 0, 2), (0, 2, 2), (1, 1, 2), (0, 0, 0), (2, 5, 3)],
)
def test_a_flip_with_too_few_level_two_technologies_deals_what_there_is(
    deck: int, discards: int, shown: int
) -> None:
    techs = [f"tech_{number}" for number in range(28, 46)]
    laid = scenario().bare().past_of(0, cities=6).timeline(0, "city_24", space=1)
    laid.tile(0, "tech_09", "tech_10", "tech_14").tile(1, "tech_16", "tech_19", "tech_20").tile(2)
    laid.tech_deck(2, *techs[:deck]).tech_discard(2, *techs[deck : deck + discards])
    table = laid.at_decline_phase(0).picks(0, "tile:0")
    assert len(table.board.tiles[0].techs) == shown
    assert table.board.tiles[0].techs[:deck] == tuple(techs[:deck])
    assert table.asked == (1,)
