"""Final scoring, as a breakdown by source (rules 10). A live score uses the same."""

from domain.engine.agenda import Scope
from domain.engine.codec import Frame
from domain.engine.effects import Effect
from domain.engine.ids import CardId, Seat
from domain.games.ancient_knowledge.amounts import amount
from domain.games.ancient_knowledge.board import Board
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.words import Score


def points(board: Board, seat: Seat) -> dict[str, int]:
    """Return the seat's points by source; what is lost counts negative."""
    one = board.seats[seat]
    past = [card.card for card in one.past]
    return {
        "past": sum([BUILDER[card].vp for card in past]),
        "endgame": sum([_score(board, seat, card, BUILDER[card].effect) for card in past]),
        "technologies": sum(
            [_score(board, seat, card, TECHNOLOGY[card].effect) for card in one.techs]
        ),
        "timeline": len(one.cells()),
        "lost": -one.lost,
    }


def _score(board: Board, seat: Seat, card: CardId, effect: Effect) -> int:
    if not isinstance(effect, Score):
        return 0
    return amount(Scope(board, seat, Frame(seat, card, (), {})), effect.formula)
