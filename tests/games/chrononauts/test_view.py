from domain.games.chrononauts.view import PlayView, PointView, view
from tests.games.chrononauts.scenario import Table, scenario


def points(table: Table) -> dict[int, PointView]:
    return {point.year: point for point in view(table.match, 0).timeline}


def test_each_point_shows_its_side() -> None:
    table = scenario(altered="1865 1957 1963", patches="P1868 P1962", draw="P1917", bare=True)
    shown = points(table)
    assert (shown[1865].shows, shown[1865].kind) == ("altered", "linchpin")
    assert (shown[1868].shows, shown[1868].patch) == ("patched", "P1868")
    assert (shown[1917].shows, shown[1917].kind) == ("true", "ripplepoint")
    assert (shown[1968].shows, shown[1968].reachable) == ("paradox", False)
    assert shown[1962].reachable
    assert len(shown) == 32


def test_the_board_counts_what_counts() -> None:
    table = scenario(altered="1865", hands={0: "A-REX", 1: "T-MEMO P1868"}, draw="P1917", bare=True)
    board = view(table.match, None)
    assert (board.open_paradoxes, board.paradox_limit, board.war) == (1, 13, False)
    assert [seat.hand_size for seat in board.seats] == [1, 2]
    assert board.draw_pile == 1
    assert board.seats[1].hand == (None, None)


def test_a_play_under_way_shows_its_targets() -> None:
    table = scenario(hands={0: "I-AVERT-DISASTER"})
    table.plays(0, "I-AVERT-DISASTER", linchpin=1912)
    assert view(table.match, 1).plays == (
        PlayView(seat=0, card="I-AVERT-DISASTER", targets=("linchpin: 1912",)),
    )


def test_solonauts_shows_who_waits_and_who_is_home() -> None:
    table = scenario(
        seats=1,
        variant="solonauts",
        hands={0: "P1868"},
        waiting="ID-ANDY ID-YURI",
        home="ID-BETTY",
    )
    board = view(table.match, None)
    assert board.variant == "solonauts"
    assert (board.waiting, board.home) == (("ID-ANDY", "ID-YURI"), ("ID-BETTY",))
    assert board.seats[0].hand == ("P1868",)
