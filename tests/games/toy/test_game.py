"""The toy game by its rules: a board is laid out, then come commands as a client sends them."""

import pytest
from msgspec.structs import replace

from domain.engine.decider import Choose, Concede, CreateMatch, ExpireChoice, carry_out, create
from domain.engine.decider import open_choice as choice_of
from domain.engine.errors import InvalidOptions
from domain.engine.game import game_of
from domain.engine.ids import CardId, Json, Picks, Seat
from domain.engine.match import Match
from domain.engine.playout import opening
from domain.engine.zones import Zone
from tests.games.toy.game import TOY, Table, View, scores
from tests.games.toy.words import CARDS

DECK = sum(card.count for card in CARDS)


def table(*hands: str, pile: str = "glass glass glass", discards: str = "") -> Match[Table]:
    """Return a match in which seat 0 has just drawn, with these cards."""
    _, match = opening("toy", 3, "70e0" * 8)
    board = replace(
        match.board,
        hands=tuple(tuple(hand.split()) for hand in hands),
        pile=tuple(pile.split()),
        discards=tuple(discards.split()),
    )
    return replace(match, board=board)


def options(match: Match[Table], seat: Seat) -> list[str]:
    choice = choice_of(match, seat)
    assert choice is not None
    return [option.id for option in choice.options]


def answer(match: Match[Table], seat: Seat, *picks: str) -> Match[Table]:
    return carry_out(match, Choose(seat, match.choice, (picks,))).match


def play(match: Match[Table], card: CardId, *hushes: Seat) -> Match[Table]:
    """Return the match after seat 0 played a card that these seats hushed."""
    match = answer(match, 0, card)
    for seat in (1, 2):
        match = answer(match, seat, *(["hush"] if seat in hushes else []))
    return match


def test_every_seat_is_dealt_three_cards_and_the_first_draws() -> None:
    _, match = opening("toy", 3, "70e0" * 8)
    assert [len(hand) for hand in match.board.hands] == [4, 3, 3]
    assert len(match.board.pile) == DECK - 10
    assert match.asked == (0,)


def test_a_gem_goes_into_the_nest() -> None:
    match = play(table("ruby storm", "hush", "hush"), "ruby")
    assert match.board.nests == (("ruby",), (), ())
    assert match.asked == (1,)


def test_everybody_else_may_answer_whether_they_can_or_not() -> None:
    match = answer(table("ruby", "hush", "glass"), 0, "ruby")
    assert match.asked == (1, 2)
    assert options(match, 1) == ["hush"]
    assert options(match, 2) == []


def test_a_hush_cancels_the_card() -> None:
    match = play(table("ruby", "hush", "hush"), "ruby", 1, 2)
    assert match.board.nests == ((), (), ())
    assert match.board.discards == ("hush", "hush", "ruby")


def test_the_window_closes_when_its_time_is_up() -> None:
    match = answer(table("ruby", "hush", "hush"), 0, "ruby")
    match = carry_out(match, ExpireChoice(match.choice)).match
    assert match.board.nests[0] == ("ruby",)


def test_a_storm_makes_all_others_discard_at_the_same_time() -> None:
    match = play(table("storm", "glass ruby", "hush"), "storm")
    assert match.asked == (1, 2)
    assert options(match, 1) == ["glass", "ruby"]
    match = answer(match, 2, "hush")
    assert match.board.discards == ("storm",)
    match = answer(match, 1, "ruby")
    assert match.board.discards == ("storm", "ruby", "hush")


def test_a_storm_passes_over_empty_hands() -> None:
    match = play(table("storm", "", "hush"), "storm")
    assert match.asked == (2,)


def test_a_spyglass_shows_the_pile_to_its_player_only() -> None:
    match = play(table("spyglass", "", "", pile="ruby glass storm glass"), "spyglass")
    choice = choice_of(match, 0)
    assert choice is not None
    assert choice.shown == ("glass", "glass", "ruby", "storm")
    assert options(match, 0) == ["glass", "ruby", "storm"]
    match = answer(match, 0, "ruby")
    assert match.board.hands[0] == ("ruby",)


def test_an_empty_pile_is_made_anew_from_the_discards() -> None:
    match = play(table("ruby", "glass", "", pile="", discards="storm storm"), "ruby")
    assert match.board.hands[1] == ("glass", "storm")
    assert match.board.pile == ("storm",)
    assert match.board.discards == ()


def test_a_seat_without_cards_plays_nothing() -> None:
    match = play(table("ruby", "", "glass", pile=""), "ruby")
    assert match.board.turn == 2


def test_the_third_gem_in_a_nest_ends_the_match() -> None:
    match = table("glass", "", "")
    nests: tuple[Zone, ...] = (("glass", "glass"), ("ruby", "glass"), ())
    board = replace(match.board, nests=(("glass", "glass"), ("ruby", "glass"), ()))
    assert scores(board) == (2, 4, 0)
    assert board.nests == nests
    match = play(replace(match, board=board), "glass")
    assert match.outcome is not None
    assert (match.outcome.winners, match.outcome.scores) == ((1,), (3, 4, 0))


def test_the_last_turn_ends_the_match() -> None:
    match = table("hush", "", "")
    match = play(replace(match, board=replace(match.board, turns=60)), "hush")
    assert match.outcome is not None
    assert match.outcome.winners == (0, 1, 2)


def test_who_leaves_discards_hand_and_card() -> None:
    match = answer(table("ruby glass", "hush", "hush"), 0, "ruby")
    match = carry_out(match, Concede(0)).match
    assert match.board.discards == ("glass", "ruby")
    assert match.board.turn == 1
    match = carry_out(match, Concede(2)).match
    assert match.outcome is not None
    assert match.outcome.winners == (1,)


def test_the_view_shows_the_own_hand_and_every_score() -> None:
    match = play(table("ruby glass", "hush", "hush"), "ruby")
    seen = TOY.view(match, 0)
    assert isinstance(seen, View)
    assert seen.hands == (("glass",), (None, None), (None,))
    assert (seen.scores, seen.pile) == ((3, 0, 0), 2)


def test_named_moves_say_what_picks_say() -> None:
    match = answer(table("ruby", "hush", "glass"), 0, "ruby")
    choice = choice_of(match, 1)
    assert choice is not None
    wanted: dict[str, tuple[Picks, ...] | None] = {"hush": (("hush",),), "ruby": None}
    for card, steps in wanted.items():
        arguments: dict[str, Json] = {"card": card}
        assert TOY.translate(match, choice, "respond", arguments) == steps
    passing: tuple[dict[str, Json], ...] = ({}, {"card": None}, {"card": None, "source": None})
    for arguments in passing:
        assert TOY.translate(match, choice, "respond", arguments) == ((),)


def test_the_bot_likes_gems_and_keeps_them() -> None:
    match = table("ruby glass", "", "")
    choice = choice_of(match, 0)
    assert choice is not None
    assert TOY.greedy(match, choice, ("ruby",)) > TOY.greedy(match, choice, ("glass",))
    storm = play(table("storm", "ruby glass", ""), "storm")
    choice = choice_of(storm, 1)
    assert choice is not None
    assert TOY.greedy(storm, choice, ("ruby",)) < TOY.greedy(storm, choice, ("glass",))


def test_options_are_checked() -> None:
    assert create(CreateMatch(game="toy", seats=3))[0].options == {"lastTurn": 60}
    with pytest.raises(InvalidOptions, match="options"):
        create(CreateMatch(game="toy", seats=3, options={"lastTurn": "never"}))
    assert game_of("toy") is TOY
