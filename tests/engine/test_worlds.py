from collections import Counter

from msgspec.structs import replace

from domain.engine.chance import Chance
from domain.engine.events import ChoiceMade
from domain.engine.match import Match
from domain.engine.playout import opening
from domain.engine.redaction import redact
from domain.engine.worlds import Spot, deal_anew, face_down, reveals, with_cards
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
