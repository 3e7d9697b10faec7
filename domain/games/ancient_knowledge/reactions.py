"""Passive abilities that listen: who reacts to an event, fixed at the moment when it happens."""

from domain.engine.agenda import Scope
from domain.engine.codec import Frame
from domain.engine.ids import CardId, Seat
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.amounts import holds, is_builder
from domain.games.ancient_knowledge.board import Board
from domain.games.ancient_knowledge.catalogue import BUILDER, REACTIONS, TECHNOLOGY


def reactions(
    board: Board,
    seat: Seat,
    event: str,
    card: CardId | None,
    frame: Frame,
    space: int | None = None,
) -> tuple[CardId, ...]:
    """Return the seat's active cards that react to what it did, in board order.

    `card` was created or learned, in `space`; `frame` is where it happened: its card caused the
    event, its answers hold what was rotated.
    """
    found = []
    for reacting in board.seats[seat].active():
        reaction = REACTIONS.get(reacting)
        if reaction is None or reaction.on.event != event:
            continue
        if _matches(reaction.on, reacting, card, frame, space):
            scope = Scope(board, seat, Frame(seat, reacting, (), frame.bound))
            if reaction.on.cond is None or holds(scope, reaction.on.cond):
                found.append(reacting)
    return tuple(found)


def _matches(
    on: w.OnEvent, reacting: CardId, card: CardId | None, frame: Frame, space: int | None
) -> bool:
    if on.exclude_self and card == reacting:
        return False
    if on.not_caused_by_self and frame.card == reacting:
        return False
    if on.space is not None and space not in on.space:
        return False
    if card is None:
        return True
    if card in BUILDER:
        return is_builder(card, on)
    return on.tech_type is None or TECHNOLOGY[card].tech_type == on.tech_type
