from domain.games.chrononauts.events import CardsDrawn, DrawPileShuffled
from tests.games.chrononauts.scenario import Table, scenario


def cards_drawn(table: Table) -> list[int]:
    """Return the sizes of the draws of the last act; 0 stands for a shuffle."""
    sizes = []
    for event in table.events():
        if isinstance(event, DrawPileShuffled):
            sizes.append(0)
        elif isinstance(event, CardsDrawn):
            sizes.append(len(event.cards))
    return sizes


def test_taking_the_last_card_does_not_shuffle() -> None:
    table = scenario(
        hands={0: "P1868", 1: "A-REX"},
        altered="1865",
        draw="P1917 P1918",
        discards="A-ARK",
        bare=True,
    )
    table.plays_out(0, "P1868")  # bonus and the next turn's card take the last two
    assert cards_drawn(table) == [1, 1]
    assert table.draw_pile() == ""
    assert table.discards() == "A-ARK"


def test_the_discards_are_shuffled_when_a_card_really_has_to_be_drawn() -> None:
    table = scenario(hands={0: "A-REX"}, discards="P1868 P1917 P1918", bare=True)
    table.plays_out(0, "A-REX")
    shuffled = table.happened(DrawPileShuffled)
    assert len(shuffled) == 1
    assert isinstance(shuffled[0], DrawPileShuffled)
    assert shuffled[0].discards
    assert sorted(map(str, shuffled[0].cards)) == ["P1868", "P1917", "P1918"]
    assert cards_drawn(table) == [0, 1]
    assert table.discards() == ""
    assert len(table.draw_pile().split()) == 2


def test_a_draw_that_runs_out_goes_on_with_the_shuffled_discards() -> None:
    table = scenario(
        hands={0: "T-FAST-FORWARD P1868"}, draw="P1917", discards="P1918 P1929", bare=True
    )
    table.plays_out(0, "T-FAST-FORWARD")
    assert cards_drawn(table) == [1, 0, 1]
    assert len(table.hand(0).split()) == 3
    assert table.discards() == "T-FAST-FORWARD"


def test_with_fewer_cards_than_called_for_take_what_there_is() -> None:
    table = scenario(hands={0: "T-FAST-FORWARD P1868"}, discards="P1918", bare=True)
    table.plays_out(0, "T-FAST-FORWARD")
    assert cards_drawn(table) == [0, 1]
    assert table.hand(0) == "P1868 P1918"


def test_with_no_card_at_all_the_draw_is_skipped() -> None:
    table = scenario(hands={0: "A-REX", 1: "A-ARK"}, bare=True)
    table.plays_out(0, "A-REX")
    assert cards_drawn(table) == []
    assert table.options(1) == {"play:A-ARK", "discard:A-ARK"}


def test_patches_and_artifacts_on_the_table_do_not_return() -> None:
    table = scenario(
        hands={0: "A-REX", 1: "A-ARK"},
        altered="1865",
        patches="P1868",
        artifacts={0: "A-VIDEO"},
        discards="P1917",
        bare=True,
    )
    table.plays_out(0, "A-REX")
    assert table.hand(1) == "A-ARK P1917"
    assert table.patches() == {1868: "P1868"}
    assert table.artifacts(0) == "A-VIDEO A-REX"


def test_identities_and_missions_discarded_go_to_piles_of_their_own() -> None:
    table = scenario(hands={0: "X-PARENTS"}, identities={1: "ID-YURI"}, draw="P1868", bare=True)
    table.plays_out(0, "X-PARENTS", player=1)
    assert table.board.identities.discards == ("ID-YURI",)
    assert table.discards() == "X-PARENTS"


def test_killing_time_may_draw_a_card_just_discarded() -> None:
    table = scenario(hands={0: "P1868 P1917", 1: "A-REX"}, bare=True)
    table.kills_time(0, "P1868", "P1917")
    assert table.hand(0) in ("P1868", "P1917")
