import pytest

from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.games.ancient_knowledge import GAME
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.events import CardsDrawn, HandKept, SetUp
from tests.games.ancient_knowledge.scenario import opening
from tests.games.ancient_knowledge.table import Table

HANDS = {
    1: "artifact_04 artifact_08 city_05 megalith_18 pyramid_18 pyramid_31",
    2: "artifact_03 artifact_05 artifact_09 megalith_16 megalith_26 pyramid_34",
    3: "artifact_24 city_11 megalith_22 pyramid_10 pyramid_14 pyramid_21",
    4: "artifact_14 artifact_23 artifact_32 megalith_02 megalith_17 pyramid_16",
}
READY_MADE = {frozenset(words.split()) for words in HANDS.values()}


def drafted(seats: int, **options: bool) -> Table:
    """Return a match in which every seat has kept the first six of its ten cards."""
    table = opening(seats, "d" * 32, **options)
    for seat in range(seats):
        table.picks(seat, *sorted(table.hand(seat))[:6])
    return table


def in_turn_order(table: Table) -> list[int]:
    """Return the seats from the one that begins."""
    count = len(table.board.seats)
    return [(table.board.start + step) % count for step in range(count)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_two_tiles_show_level_one_and_one_shows_level_two(seats: int) -> None:
    board = opening(seats).board
    assert [tile.level for tile in board.tiles] == [1, 1, 2]
    assert [len(tile.techs) for tile in board.tiles] == [3, 3, 3]
    assert [TECHNOLOGY[tech].level for tile in board.tiles for tech in tile.techs] == [
        *(1, 1, 1, 1, 1, 1, 2, 2, 2)
    ]
    assert [len(deck) for deck in board.tech_decks] == [21, 15]


def test_everybody_begins_with_empty_boards() -> None:
    for one in opening(4).board.seats:
        assert (one.cells(), one.past, one.artifacts, one.techs, one.lost) == ((), (), (), (), 0)


def test_all_cards_take_part_once() -> None:
    board = opening(3).board
    builder = [*board.deck, *(card for one in board.seats for card in one.hand)]
    assert sorted(map(str, builder)) == sorted(BUILDER)
    techs = [*board.tech_decks[0], *board.tech_decks[1]]
    techs += [tech for tile in board.tiles for tech in tile.techs]
    assert sorted(map(str, techs)) == sorted(TECHNOLOGY)


def test_everybody_chooses_six_of_ten_at_the_same_time() -> None:
    table = opening(3)
    assert sorted(table.asked) == [0, 1, 2]
    for seat in range(3):
        assert table.prompt(seat) == "keep"
        assert len(table.options(seat)) == 10
        assert table.options(seat) == table.hand(seat)
        assert table.bounds(seat) == (6, 6)


def test_five_or_seven_cards_cannot_be_kept() -> None:
    table = opening(2)
    hand = sorted(table.hand(0))
    assert table.refusal(0, *hand[:5]) == "illegal_choice"
    assert table.refusal(0, *hand[:7]) == "illegal_choice"
    assert table.refusal(0, *hand[:5], hand[0]) == "illegal_choice"


def test_a_draft_may_be_changed_until_everybody_has_committed() -> None:
    table = opening(2)
    hand = sorted(table.hand(0))
    table.picks(0, *hand[:6]).picks(0, *hand[4:])
    assert table.asked == (1,)
    table.picks(1, *sorted(table.hand(1))[:6])
    assert table.hand(0) == set(hand[4:])
    assert table.prompt(0) in ("action", None)
    assert table.match.version == table.match.choice


def test_cards_not_kept_are_discarded_all_at_once() -> None:
    table = opening(2)
    hands = [sorted(table.hand(seat)) for seat in (0, 1)]
    table.picks(0, *hands[0][:6])
    assert table.events == ()
    assert len(table.hand(0)) == 10
    table.picks(1, *hands[1][:6])
    assert [(event.seat, sorted(map(str, event.cards))) for event in kept(table)] == [
        (0, hands[0][6:]),
        (1, hands[1][6:]),
    ]
    assert sorted(table.discards()) == sorted(hands[0][6:] + hands[1][6:])


def kept(table: Table) -> list[HandKept]:
    """Return what was given up."""
    return [event for event in table.events if isinstance(event, HandKept)]


def test_what_is_kept_and_given_up_stays_secret() -> None:
    table = opening(3)
    hands = [sorted(table.hand(seat)) for seat in range(3)]
    table.picks(0, *hands[0][:6])
    for viewer in (1, 2, None):
        assert not [card for card in hands[0] if card in repr(table.seen_by(viewer))]
    table.picks(1, *hands[1][:6]).picks(2, *hands[2][:6])
    for viewer in (0, 1, 2, None):
        for seat in range(3):
            told = [card for card in hands[seat][6:] if card in repr(table.seen_by(viewer))]
            assert told == (hands[seat][6:] if viewer == seat else [])


@pytest.mark.parametrize(
    ("seats", "hands", "deck", "discard"),
    [(2, [6, 6], 124, 8), (3, [6, 6, 7], 113, 12), (4, [6, 6, 7, 7], 102, 16)],
)
def test_the_third_and_the_fourth_in_turn_order_draw_one_more(
    seats: int, hands: list[int], deck: int, discard: int
) -> None:
    table = drafted(seats)
    assert [len(table.hand(seat)) for seat in in_turn_order(table)] == hands
    assert (len(table.board.deck), len(table.board.discard)) == (deck, discard)
    assert table.asked == (table.board.start,)


def test_without_the_extra_card_everybody_has_six() -> None:
    table = drafted(4, extra_card=False)
    assert [len(table.hand(seat)) for seat in range(4)] == [6, 6, 6, 6]
    assert table.happened(CardsDrawn) == ()


def test_ready_made_hands_skip_the_draft() -> None:
    table = opening(2, starting_hands="ready-made")
    assert table.asked == (table.board.start,)
    assert table.prompt(table.board.start) == "action"
    assert (len(table.board.deck), len(table.board.discard)) == (132, 0)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ready_made_hands_are_the_four_fixed_ones_at_random(seats: int) -> None:
    dealt = set()
    for number in range(12):
        table = opening(seats, f"{number:032x}", starting_hands="ready-made", extra_card=False)
        hands = [frozenset(table.hand(seat)) for seat in range(seats)]
        assert len(set(hands)) == seats
        dealt |= set(hands)
    assert dealt == READY_MADE


def test_unused_ready_made_hands_are_in_the_deck() -> None:
    table = opening(2, starting_hands="ready-made")
    unused = READY_MADE - {frozenset(table.hand(seat)) for seat in (0, 1)}
    deck = table.board.deck
    assert {str(card) for hand in unused for card in hand} <= set(map(str, deck))
    assert set(map(str, deck[-12:])) != {str(card) for hand in unused for card in hand}


def test_ready_made_hands_get_the_extra_card_too() -> None:
    table = opening(4, starting_hands="ready-made")
    assert [len(table.hand(seat)) for seat in in_turn_order(table)] == [6, 6, 7, 7]


def test_who_begins_is_random_and_the_order_is_clockwise() -> None:
    starts = {opening(3, f"{number:032x}").board.start for number in range(20)}
    assert starts == {0, 1, 2}
    table = drafted(3)
    order = []
    for _ in range(6):
        (seat,) = table.asked
        order.append(seat)
        table.searches(seat, 2)
    assert order == in_turn_order(table) * 2


def test_technologies_are_on_display_before_the_hands_are_chosen() -> None:
    table = opening(2)
    assert [type(event) for event in table.events] == [SetUp]
    for viewer in (0, 1, None):
        set_up = table.seen_by(viewer)[0]
        assert isinstance(set_up, SetUp)
        assert set_up.tiles == table.board.tiles


@pytest.mark.parametrize("seats", [1, 5])
def test_two_to_four_play(seats: int) -> None:
    with pytest.raises(InvalidOptions):
        opening(seats)


@pytest.mark.parametrize(
    "options",
    [
        {"starting_hands": "own"},
        {"starting_hands": 6},
        {"extra_card": "yes"},
        {"lost_up_to": "some"},
        {"turn_cap": -1},
        {"turn_cap": 100_001},
        {"no_such_option": True},
        {"preset": "no such preset"},
        {"preset": 1},
    ],
)
def test_options_out_of_range_are_refused(options: dict[str, int | str | bool]) -> None:
    with pytest.raises(InvalidOptions):
        GAME.configure(2, camel(options), ())


def test_a_refusal_says_which_options_are_wrong_and_what_they_may_be() -> None:
    with pytest.raises(InvalidOptions) as error:
        GAME.configure(2, {"startingHands": "own", "turnCap": -1, "extraCard": "yes"}, ())
    assert error.value.message == (
        'startingHands: one of draft, ready-made, not "own"; '
        "turnCap: a whole number from 0 to 100000, not -1; "
        'extraCard: true or false, not "yes"'
    )
    assert error.value.detail == {"options": ["startingHands", "turnCap", "extraCard"]}


def test_there_are_no_facts_to_replace() -> None:
    with pytest.raises(InvalidOptions):
        GAME.configure(2, {}, (Fact("city_01", "cost", "3"),))


def camel(options: dict[str, int | str | bool]) -> dict[str, int | str | bool]:
    """Return options by the names that the API has for them."""
    words = {name: name.split("_") for name in options}
    return {
        "".join([first, *(word.title() for word in rest)]): options[name]
        for name, (first, *rest) in words.items()
    }


def test_options_left_out_take_the_published_rules() -> None:
    published = {
        "startingHands": "draft",
        "extraCard": True,
        "lostUpTo": "choice",
        "turnCap": 0,
    }
    assert GAME.configure(2, {}, ()) == published
    assert GAME.configure(2, {"preset": "published"}, ()) == published
    first = GAME.configure(2, {"preset": "first-game"}, ())
    assert first == {**published, "startingHands": "ready-made"}


def test_a_match_with_a_cap_is_scored_after_so_many_turns() -> None:
    table = opening(2, starting_hands="ready-made", turn_cap=3)
    for _ in range(3):
        (seat,) = table.asked
        table.searches(seat, 2)
    outcome = table.outcome()
    assert outcome is not None
    assert outcome.reasons == ("turn_cap",)
