"""Drawing, looking, discarding and refilling: what the decks and tiles do by themselves."""

from domain.engine.agenda import Run
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone, seen
from domain.games.ancient_knowledge import events as e
from domain.games.ancient_knowledge.board import Board, Tile
from domain.games.ancient_knowledge.catalogue import TECHNOLOGY

SHOWN = 3


def draw(run: Run[Board], seat: Seat, count: int, paid: int = 0) -> None:
    """Draw min(count, room in hand); the surplus is never drawn (rules 6.6).

    `paid`: so many cards have just been discarded in payment for this draw.
    """
    count = min(count, run.board.seats[seat].room())
    while count > 0 and stocked(run, paid):
        cards = run.board.deck[:count]
        run.emit(e.CardsDrawn(seat=seat, cards=cards))
        count -= len(cards)


def stocked(run: Run[Board], paid: int = 0) -> bool:
    """See to it that the builder deck has a card: shuffle the discards in if it has none.

    Those that pay for the effect under way are not in the pile yet (OQ-19): they stay.
    """
    pile = run.board.discard[: len(run.board.discard) - paid]
    if not run.board.deck and pile:
        cards = run.chance().shuffled(thrown.card for thrown in pile)
        run.emit(e.DeckShuffled(cards=cards, left=paid))
    return bool(run.board.deck)


def set_aside(run: Run[Board], seat: Seat, deck: str, count: int, public: bool) -> None:
    """Set the top cards of a deck aside, fewer only if deck and discards together hold fewer."""
    is_builder, more = deck == "builder", False
    while True:
        has_stock = stocked(run) if is_builder else _tech_stocked(run, 2)
        if more and not has_stock:
            return
        cards = (run.board.deck if is_builder else run.board.tech_decks[1])[:count]
        run.emit(e.CardsSetAside(seat=seat, deck=deck, cards=cards, public=public, more=more))
        count, more = count - len(cards), True
        if not (count and cards):
            return


def _tech_stocked(run: Run[Board], level: int) -> bool:
    discards = run.board.tech_discards[level - 1]
    if not run.board.tech_decks[level - 1] and discards:
        run.emit(e.TechDeckShuffled(level=level, cards=run.chance().shuffled(discards)))
    return bool(run.board.tech_decks[level - 1])


def close_aside(run: Run[Board]) -> None:
    """Discard what is left of the cards set aside last."""
    aside = run.board.asides[-1]
    run.emit(e.AsideClosed(cards=aside.cards, looker=aside.seat, public=aside.public))


def take(run: Run[Board], seat: Seat, card: CardId) -> None:
    """Take one of the cards set aside last into a hand."""
    aside = run.board.asides[-1]
    run.emit(
        e.CardTaken(seat=seat, card=card, into=(card,), looker=aside.seat, public=aside.public)
    )


def discard(run: Run[Board], seat: Seat, cards: Zone) -> None:
    """Discard hand cards in the order chosen, so that the last one lies on top."""
    if cards:
        run.emit(e.CardsDiscarded(seat=seat, cards=cards))


def tile_of(board: Board, tech: CardId) -> int:
    """Return the tile that shows a technology."""
    return next(at for at, tile in enumerate(board.tiles) if tech in tile.techs)


def tidy(run: Run[Board], level: int) -> None:
    """Refill the tiles of a level that have one card or none left (rules 6.2.1, OQ-9).

    The last card goes to the discards and three are dealt, or as many as there are; a tile that
    nothing can be dealt to keeps its card. Nothing is checked again afterwards.
    """
    for at, tile in enumerate(run.board.tiles):
        if tile.level == level and len(tile.techs) <= 1 and _any_tech(run.board, level):
            _refill(run, at, tile)


def _any_tech(board: Board, level: int) -> bool:
    return bool(board.tech_decks[level - 1] or board.tech_discards[level - 1])


def _refill(run: Run[Board], at: int, tile: Tile) -> None:
    discarded, wanted = tile.techs, SHOWN
    while wanted and (discarded or _tech_stocked(run, tile.level)):
        dealt = seen(run.board.tech_decks[tile.level - 1][:wanted])
        run.emit(e.TileRefilled(tile=at, discarded=discarded, dealt=dealt))
        discarded, wanted = (), wanted - len(dealt)


def flip(run: Run[Board], at: int) -> None:
    """Turn a tile to level II and deal on it."""
    discarded = run.board.tiles[at].techs
    _tech_stocked(run, 2)
    dealt = seen(run.board.tech_decks[1][:SHOWN])
    run.emit(e.TileFlipped(tile=at, discarded=discarded, dealt=dealt))
    while len(run.board.tiles[at].techs) < SHOWN and _tech_stocked(run, 2):
        rest = seen(run.board.tech_decks[1][: SHOWN - len(run.board.tiles[at].techs)])
        run.emit(e.TileRefilled(tile=at, discarded=(), dealt=rest))
    tidy(run, 1)


def bottom(run: Run[Board], seat: Seat, tech: CardId, aside: bool) -> None:
    """Put a technology under the deck of its level; the tile that it left is checked."""
    level = TECHNOLOGY[tech].level
    tile = None if aside else tile_of(run.board, tech)
    run.emit(e.TechnologyBottomed(level=level, card=tech, under=(tech,), looker=seat, tile=tile))
    if not aside:
        tidy(run, level)
