import pytest

from domain.engine.decider import CreateMatch, create
from domain.engine.errors import InvalidOptions
from domain.engine.redaction import redact
from domain.engine.zones import hide
from domain.games.chrononauts.events import IdentitySwapped
from tests.games.chrononauts.scenario import Table, opening, scenario


@pytest.mark.parametrize("seats", range(2, 7))
def test_two_to_six_players_may_play(seats: int) -> None:
    assert len(opening(seats).places) == seats


@pytest.mark.parametrize("seats", [0, 1, 7])
def test_fewer_or_more_players_are_refused(seats: int) -> None:
    with pytest.raises(InvalidOptions, match="seats"):
        create(CreateMatch("chrononauts", seats))


def test_the_timeline_begins_undisturbed() -> None:
    board = opening().board
    assert board.altered == board.timeline.open == ()
    assert board.patches == ()


@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_gets_one_identity_and_one_mission(seats: int) -> None:
    board = opening(seats).board
    identities = [card for one in board.seats for card in one.identity]
    missions = [card for one in board.seats for card in one.mission]
    assert len(identities) == len(missions) == seats
    assert sorted(map(str, (*identities, *board.identities.cards))) == sorted(
        board.cards.identities
    )
    assert sorted(map(str, (*missions, *board.missions.cards))) == sorted(board.cards.missions)
    assert board.identities.discards == board.missions.discards == ()


def test_identities_and_missions_are_seen_by_their_owner_only() -> None:
    match = opening(3)
    seen = redact(match, 1).board
    for seat, one in enumerate(seen.seats):
        true = match.board.seats[seat]
        assert one.identity == (true.identity if seat == 1 else (None,))
        assert one.mission == (true.mission if seat == 1 else (None,))
    assert seen.identities.cards == hide(match.board.identities.cards)
    assert seen.missions.cards == hide(match.board.missions.cards)


@pytest.mark.parametrize("seats", range(2, 7))
def test_everybody_is_dealt_three_of_the_play_cards(seats: int) -> None:
    match = opening(seats)
    sizes = [len(one.hand) for one in match.board.seats]
    sizes[match.board.turn] -= 1  # the first player has drawn already
    assert sizes == [3] * seats
    deck = sum(card.count for card in match.board.cards.play.values())
    assert len(match.board.draw.cards) == deck - 3 * seats - 1
    assert match.board.draw.discards == ()


def test_the_first_player_is_picked_at_random() -> None:
    firsts = {opening(4, seed=f"{number:032x}").board.turn for number in range(40)}
    assert firsts == {0, 1, 2, 3}


def test_the_courtesy_swap_is_off_by_default() -> None:
    assert opening().prompt == "play"


def test_the_courtesy_swap_asks_everybody_once_and_at_the_same_time() -> None:
    table = Table(opening(3, courtesy_swap=True))
    assert sorted(table.asked()) == [0, 1, 2]
    for seat in range(3):
        assert table.prompt(seat) == "swap_identity"
        assert table.options(seat) == {"swap"}
        assert table.bounds(seat) == (0, 1)
    before = [one.identity for one in table.board.seats]
    pile = table.board.identities.cards
    first = table.board.turn
    table.picks(0, ("swap",)).picks(1, ()).picks(2, ("swap",))
    assert table.events()[:2] == (
        IdentitySwapped(seat=0, drawn=pile[:1], pile=(*pile[1:], *before[0])),
        IdentitySwapped(seat=2, drawn=pile[1:2], pile=(*pile[2:], *before[0], *before[2])),
    )
    assert [one.identity for one in table.board.seats] == [pile[:1], before[1], pile[1:2]]
    assert table.asked() == (first,)
    assert table.prompt(first) == "play"


@pytest.mark.parametrize(("variant", "seats"), [("artifaxx", 2), ("solonauts", 1)])
def test_a_variant_without_dealt_identities_asks_for_no_swap(variant: str, seats: int) -> None:
    assert opening(seats, variant=variant, courtesy_swap=True).prompt == "play"


def test_six_swappers_all_get_an_identity_that_nobody_was_dealt() -> None:
    table = Table(opening(6, courtesy_swap=True))
    dealt = {card for one in table.board.seats for card in one.identity}
    for seat in range(6):
        table.picks(seat, ("swap",))
    assert not dealt & {card for one in table.board.seats for card in one.identity}


def test_the_turn_passes_to_the_left() -> None:
    table = scenario(seats=3, turn=1, hands={1: "T-MEMO", 2: "T-MEMO", 0: "T-MEMO"}, draw="P1868")
    order = []
    for _ in range(4):
        seat = table.asked()[0]
        order.append(seat)
        table.throws(seat, str(table.board.seats[seat].hand[0]))
    assert order == [1, 2, 0, 1]
