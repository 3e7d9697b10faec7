from collections import Counter
from typing import Any

from msgspec.structs import replace

from domain.engine.chance import Chance
from domain.engine.decider import Choose, carry_out, fold, open_choice
from domain.engine.effects import Who
from domain.engine.events import ChoiceMade, MatchEnded, Outcome
from domain.engine.ids import Seat
from domain.engine.match import Match
from domain.engine.playout import at_random, opening
from domain.engine.redaction import redact
from domain.engine.worlds import Spot, deal_anew, face_down, foreseeable, reveals, with_cards
from tests.engine.lab import Draw, Finish, Nest, Say, answer, ask, begin
from tests.games.toy.game import TOY, Table
from tests.games.toy.words import CardDiscarded, CardTaken, PileShuffled, TurnStarted


def table(*hands: str, pile: str = "") -> Match[Table]:
    _, match = opening(TOY.name, 3, "70e0" * 8)
    zones = tuple(tuple(hand.split()) for hand in hands)
    return replace(match, board=replace(match.board, hands=zones, pile=tuple(pile.split())))


def test_cards_lie_face_down_where_the_viewer_does_not_see_them() -> None:
    match = table("ruby", "glass", "", pile="storm")
    seen = redact(match, 0).board
    assert list(face_down(match.board, seen)) == [
        Spot(("hands", 1, 0), "glass"),
        Spot(("pile", 0), "storm"),
    ]


def test_cards_can_be_put_in_other_places() -> None:
    board = table("ruby", "glass", "", pile="storm").board
    changed = with_cards(board, {("hands", 1, 0): "storm", ("pile", 0): "glass"})
    assert (changed.hands, changed.pile) == ((("ruby",), ("storm",), ()), ("glass",))


def test_dealing_anew_keeps_what_is_seen_and_every_card() -> None:
    match = table("ruby hush", "glass glass", "storm", pile="storm ruby hush glass")
    boards = [deal_anew(match, 0, Chance("deal", number)) for number in range(20)]
    for board in boards:
        assert board.hands[0] == ("ruby", "hush")
        assert TOY.redact(board, 0) == TOY.redact(match.board, 0)
        zones = [*board.hands, board.pile]
        assert Counter(card for zone in zones for card in zone) == Counter(
            card for zone in [*match.board.hands, match.board.pile] for card in zone
        )
    assert len({(board.hands, board.pile) for board in boards}) > 10


def test_an_event_reveals_what_its_seat_could_not_know() -> None:
    match = table("ruby", "glass", "", pile="ruby storm")
    assert reveals(match, CardTaken(0, ("ruby",)), 0)
    assert reveals(match, CardTaken(1, ("ruby",)), 0)
    assert reveals(match, PileShuffled(("storm", "ruby"), discards=False), 0)
    assert reveals(match, CardDiscarded(1, "glass"), 0)
    assert not reveals(match, CardDiscarded(0, "ruby"), 0)
    assert not reveals(match, TurnStarted(1), 0)
    assert not reveals(match, ChoiceMade(0, ("ruby",)), 0)


def test_another_copy_of_a_card_in_sight_is_news_too() -> None:
    match = table("ruby", "ruby", "")
    assert reveals(match, CardDiscarded(1, "ruby"), 0)


def test_the_seed_is_told_at_the_end_only() -> None:
    ended = MatchEnded(outcome=Outcome((0,), ()), seed="5eed", salt="5a17")
    assert reveals(table("ruby", "", ""), ended, 0)


def foreseen(match: Match[Any], seat: Seat, *picks: str) -> list[str]:
    """Return the types of the events that a seat knows beforehand if it answers so."""
    run = carry_out(match, Choose(seat, match.choice, (picks,)))
    return [type(event).__name__ for event in foreseeable(match, run.events, run.frames, seat)]


def test_what_follows_from_the_own_answer_alone_is_foreseeable() -> None:
    match = begin(ask("one"), Say("x"), ask("two"), Finish())
    assert foreseen(match, 0, "a") == ["ChoiceMade", "Said", "ChoiceOffered"]
    match = begin(ask("one"), Say("x"), Draw(), ask("two"), Finish())
    assert foreseen(match, 0, "a") == ["ChoiceMade", "Said"]
    match = begin(ask("one"), Say("x"), Finish())
    assert foreseen(match, 0, "a") == ["ChoiceMade", "Said"]


def test_what_happens_in_frames_of_others_is_not_foreseeable() -> None:
    match = begin(Nest((ask("one"), Say("x")), seat=1), Say("y"), ask("two"), Finish())
    assert foreseen(match, 1, "a") == ["ChoiceMade", "Said"]


def test_what_follows_from_secret_answers_is_not_foreseeable() -> None:
    match = begin(ask("one", Who.ALL), Say("x"), ask("two"), Finish())
    assert foreseen(match, 0, "a") == ["ChoiceMade"]
    match = answer(match, 1, "a")
    assert foreseen(match, 0, "a") == ["ChoiceMade"]
    alone = begin(ask("one", Who.ALL, words=("a",), seats=(0,)), Say("x"), ask("two"), Finish())
    assert foreseen(alone, 0, "a") == ["ChoiceMade", "Said", "ChoiceOffered"]


def test_a_question_that_shows_the_pile_reveals_it() -> None:
    found = 0
    for number in range(40):
        _, match = opening(TOY.name, 3, f"{number:032x}")
        while match.outcome is None and match.prompt != "look" and match.board.turns < 9:
            seat = match.asked[0]
            choice = open_choice(match, seat)
            assert choice is not None
            picks = at_random(match, choice, Chance("look", match.version))
            run = carry_out(match, Choose(seat, choice.id, (picks,)))
            if run.match.prompt == "look":
                assert not isinstance(run.events[-1], ChoiceMade)
                before = fold(run.events[:-1], match)
                (looker,) = run.match.asked
                assert reveals(before, run.events[-1], looker)
                assert not reveals(before, run.events[-1], (looker + 1) % 3)
                assert not reveals(before, run.events[-1], None)
                found += 1
            match = run.match
    assert found
