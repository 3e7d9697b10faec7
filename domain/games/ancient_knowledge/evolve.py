"""How each event changes the table. No rules here, and nothing that can fail for a stored event."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.engine.events import Event, MatchCreated
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone, without, without_all
from domain.games.ancient_knowledge import events as e
from domain.games.ancient_knowledge.board import (
    CELLS,
    EVERYBODY,
    Aside,
    Board,
    Cell,
    PastCard,
    SeatBoard,
    Thrown,
    Tile,
    Timeline,
    dropped,
    placed,
    with_seat,
)
from domain.games.ancient_knowledge.options import Options


def blank(event: MatchCreated) -> Board:
    """Return the table before the deal."""
    return Board(
        options=msgspec.convert(event.options, Options), seats=(SeatBoard(),) * event.seats
    )


def _throw(board: Board, cards: Zone, seat: Seat, covered: bool = False) -> Board:
    """Discard: the seat knows all cards, everybody the last one, unless it is covered."""
    last = len(cards) - 1
    pile = [
        Thrown(card, EVERYBODY if at == last and not covered else seat)
        for at, card in enumerate(cards)
    ]
    return replace(board, discard=board.discard + tuple(pile))


def _less(cards: tuple[CardId, ...], card: CardId) -> tuple[CardId, ...]:
    return tuple([one for one in cards if one != card])


def _without_cell(timeline: Timeline, card: CardId) -> Timeline:
    return dropped(
        tuple([None if cell is not None and cell.card == card else cell for cell in timeline])
    )


def _cell(one: SeatBoard, card: CardId) -> Cell:
    return next(cell for _, cell in one.cells() if cell.card == card)


def _set_up(board: Board, event: e.SetUp) -> Board:
    return replace(
        board,
        seats=event.seats,
        deck=event.deck,
        tech_decks=event.tech_decks,
        tiles=event.tiles,
        start=event.start,
        turn=event.start,
    )


def _hand_kept(board: Board, event: e.HandKept) -> Board:
    one = board.seats[event.seat]
    one = replace(one, hand=without_all(one.hand, event.cards))
    return _throw(with_seat(board, event.seat, one), event.cards, event.seat, covered=True)


def _turn_started(board: Board, event: e.TurnStarted) -> Board:
    return replace(
        board,
        turn=event.seat,
        turns=board.turns + 1,
        actions=0,
        skip_decline=False,
        in_decline=False,
        declining=None,
        declined_lost=0,
    )


def _action_taken(board: Board, _: e.ActionTaken) -> Board:
    return replace(board, actions=board.actions + 1)


def _cards_drawn(board: Board, event: e.CardsDrawn) -> Board:
    one = board.seats[event.seat]
    one = replace(one, hand=one.hand + event.cards)
    return replace(with_seat(board, event.seat, one), deck=board.deck[len(event.cards) :])


def _deck_shuffled(board: Board, event: e.DeckShuffled) -> Board:
    left = board.discard[len(board.discard) - event.left :]
    return replace(board, deck=board.deck + event.cards, discard=left)


def _cards_discarded(board: Board, event: e.CardsDiscarded) -> Board:
    one = board.seats[event.seat]
    one = replace(one, hand=without_all(one.hand, event.cards))
    return _throw(with_seat(board, event.seat, one), event.cards, event.seat)


def _monument_created(board: Board, event: e.MonumentCreated) -> Board:
    one = board.seats[event.seat]
    timeline = placed(one.timeline, event.space, Cell(event.card, event.knowledge))
    one = replace(one, hand=without(one.hand, event.card), timeline=timeline)
    return with_seat(board, event.seat, one)


def _artifact_created(board: Board, event: e.ArtifactCreated) -> Board:
    one = board.seats[event.seat]
    one = replace(one, artifacts=(*one.artifacts, event.card))
    if event.aside:
        return _from_aside(with_seat(board, event.seat, one), event.card)
    return with_seat(board, event.seat, replace(one, hand=without(one.hand, event.card)))


def _from_aside(board: Board, card: CardId | None) -> Board:
    aside = board.asides[-1]
    left = Aside(aside.seat, aside.deck, without(aside.cards, card), aside.public)
    return replace(board, asides=(*board.asides[:-1], left))


def _artifact_discarded(board: Board, event: e.ArtifactDiscarded) -> Board:
    one = board.seats[event.seat]
    one = replace(one, artifacts=_less(one.artifacts, event.card))
    return _throw(with_seat(board, event.seat, one), (event.card,), event.seat)


def _monument_discarded(board: Board, event: e.MonumentDiscarded) -> Board:
    one = board.seats[event.seat]
    one = replace(one, timeline=_without_cell(one.timeline, event.card))
    board = _throw(with_seat(board, event.seat, one), (event.card,), event.seat)
    return replace(board, declining=None) if board.declining == event.card else board


def _knowledge_removed(board: Board, event: e.KnowledgeRemoved) -> Board:
    one = board.seats[event.seat]
    timeline = tuple(
        [
            cell
            if cell is None or cell.card not in event.tokens
            else Cell(cell.card, cell.knowledge - event.tokens[cell.card])
            for cell in one.timeline
        ]
    )
    return with_seat(board, event.seat, replace(one, timeline=timeline))


def _knowledge_added(board: Board, event: e.KnowledgeAdded) -> Board:
    one = board.seats[event.seat]
    timeline = tuple(
        [
            cell
            if cell is None or cell.card != event.card
            else Cell(cell.card, cell.knowledge + event.tokens)
            for cell in one.timeline
        ]
    )
    board = with_seat(board, event.seat, replace(one, timeline=timeline))
    if event.giver is None:
        return board
    giver = board.seats[event.giver]
    return with_seat(board, event.giver, replace(giver, lost=giver.lost - event.tokens))


def _lost_reduced(board: Board, event: e.LostReduced) -> Board:
    one = board.seats[event.seat]
    return with_seat(board, event.seat, replace(one, lost=one.lost - event.tokens))


def _rotated(board: Board, event: e.MonumentsRotated | e.MonumentsStraightened) -> Board:
    one, rotated = board.seats[event.seat], isinstance(event, e.MonumentsRotated)
    past = tuple(
        [PastCard(card.card, rotated) if card.card in event.cards else card for card in one.past]
    )
    return with_seat(board, event.seat, replace(one, past=past))


def _monument_moved(board: Board, event: e.MonumentMoved) -> Board:
    one = board.seats[event.seat]
    cell = _cell(one, event.card)
    timeline = placed(_without_cell(one.timeline, event.card), event.space, cell)
    return with_seat(board, event.seat, replace(one, timeline=timeline))


def _monuments_swapped(board: Board, event: e.MonumentsSwapped) -> Board:
    one = board.seats[event.seat]
    swapped = {event.one: _cell(one, event.other), event.other: _cell(one, event.one)}
    timeline = tuple(
        [None if cell is None else swapped.get(cell.card, cell) for cell in one.timeline]
    )
    return with_seat(board, event.seat, replace(one, timeline=timeline))


def _technology_learned(board: Board, event: e.TechnologyLearned) -> Board:
    one = board.seats[event.seat]
    board = with_seat(board, event.seat, replace(one, techs=(*one.techs, event.card)))
    if event.tile is None:
        return _from_aside(board, event.card)
    return _off_tile(board, event.tile, event.card)


def _off_tile(board: Board, at: int, card: CardId) -> Board:
    tile = board.tiles[at]
    return _with_tile(board, at, Tile(tile.level, _less(tile.techs, card)))


def _with_tile(board: Board, at: int, tile: Tile) -> Board:
    return replace(board, tiles=(*board.tiles[:at], tile, *board.tiles[at + 1 :]))


def _with_level(
    board: Board, level: int, deck: Zone, discards: tuple[CardId, ...] | None = None
) -> Board:
    one, two = board.tech_decks
    first, second = board.tech_discards
    if level == 1:
        kept = first if discards is None else discards
        return replace(board, tech_decks=(deck, two), tech_discards=(kept, second))
    kept = second if discards is None else discards
    return replace(board, tech_decks=(one, deck), tech_discards=(first, kept))


def _tile_refilled(board: Board, event: e.TileRefilled) -> Board:
    level = board.tiles[event.tile].level
    tile = Tile(
        level,
        (
            *(tech for tech in board.tiles[event.tile].techs if tech not in event.discarded),
            *event.dealt,
        ),
    )
    deck = board.tech_decks[level - 1][len(event.dealt) :]
    discards = (*board.tech_discards[level - 1], *event.discarded)
    return _with_tile(_with_level(board, level, deck, discards), event.tile, tile)


def _dealt(board: Board, level: int, count: int) -> Board:
    return _with_level(board, level, board.tech_decks[level - 1][count:])


def _tile_flipped(board: Board, event: e.TileFlipped) -> Board:
    first, second = board.tech_discards
    board = replace(board, tech_discards=((*first, *event.discarded), second), flipped=True)
    board = _dealt(board, 2, len(event.dealt))
    return _with_tile(board, event.tile, Tile(2, event.dealt))


def _tech_deck_shuffled(board: Board, event: e.TechDeckShuffled) -> Board:
    deck = board.tech_decks[event.level - 1] + event.cards
    return _with_level(board, event.level, deck, ())


def _technology_bottomed(board: Board, event: e.TechnologyBottomed) -> Board:
    if event.tile is not None and event.card is not None:
        board = _off_tile(board, event.tile, event.card)
    else:
        board = _from_aside(board, event.card)
    return _with_level(board, event.level, board.tech_decks[event.level - 1] + event.under)


def _cards_set_aside(board: Board, event: e.CardsSetAside) -> Board:
    count = len(event.cards)
    if event.deck == "builder":
        board = replace(board, deck=board.deck[count:])
    else:
        board = _dealt(board, 2, count)
    if event.more:
        last = board.asides[-1]
        aside = Aside(last.seat, last.deck, last.cards + event.cards, last.public)
        return replace(board, asides=(*board.asides[:-1], aside))
    aside = Aside(event.seat, event.deck, event.cards, event.public)
    return replace(board, asides=(*board.asides, aside))


def _card_taken(board: Board, event: e.CardTaken) -> Board:
    one = board.seats[event.seat]
    board = with_seat(board, event.seat, replace(one, hand=one.hand + event.into))
    return _from_aside(board, event.card)


def _aside_closed(board: Board, event: e.AsideClosed) -> Board:
    aside = board.asides[-1]
    knows = EVERYBODY if aside.public else aside.seat
    return _throw(replace(board, asides=board.asides[:-1]), event.cards, knows)


def _hand_looked_at(board: Board, _: e.HandLookedAt) -> Board:
    return board


def _card_stolen(board: Board, event: e.CardStolen) -> Board:
    victim, thief = board.seats[event.victim], board.seats[event.seat]
    board = with_seat(board, event.victim, replace(victim, hand=without(victim.hand, event.card)))
    return with_seat(board, event.seat, replace(thief, hand=thief.hand + event.into))


def _decline_skipped(board: Board, _: e.DeclineSkipped) -> Board:
    return replace(board, skip_decline=True)


def _decline_started(board: Board, _: e.DeclineStarted) -> Board:
    return replace(board, in_decline=True, declined_lost=0)


def _monument_declining(board: Board, event: e.MonumentDeclining) -> Board:
    return replace(board, declining=event.card)


def _monument_declined(board: Board, event: e.MonumentDeclined) -> Board:
    one = board.seats[event.seat]
    one = replace(
        one,
        timeline=_without_cell(one.timeline, event.card),
        past=(*one.past, PastCard(event.card)),
        lost=one.lost + event.lost,
    )
    board = with_seat(board, event.seat, one)
    return replace(board, declining=None, declined_lost=board.declined_lost + event.lost)


def _timeline_slid(board: Board, event: e.TimelineSlid) -> Board:
    one = board.seats[event.seat]
    timeline = (*one.timeline[2:], None, None)
    assert len(timeline) == len(CELLS)
    board = with_seat(board, event.seat, replace(one, timeline=timeline))
    return replace(board, in_decline=False, declining=None)


def _seat_left(board: Board, event: e.SeatLeft) -> Board:
    return with_seat(board, event.seat, replace(board.seats[event.seat], gone=True))


# Each function takes its own event class.
EVOLVERS: Mapping[type[Event], Callable[[Board, Any], Board]] = {
    e.SetUp: _set_up,
    e.HandKept: _hand_kept,
    e.TurnStarted: _turn_started,
    e.ActionTaken: _action_taken,
    e.CardsDrawn: _cards_drawn,
    e.DeckShuffled: _deck_shuffled,
    e.CardsDiscarded: _cards_discarded,
    e.MonumentCreated: _monument_created,
    e.ArtifactCreated: _artifact_created,
    e.ArtifactDiscarded: _artifact_discarded,
    e.MonumentDiscarded: _monument_discarded,
    e.KnowledgeRemoved: _knowledge_removed,
    e.KnowledgeAdded: _knowledge_added,
    e.LostReduced: _lost_reduced,
    e.MonumentsRotated: _rotated,
    e.MonumentsStraightened: _rotated,
    e.MonumentMoved: _monument_moved,
    e.MonumentsSwapped: _monuments_swapped,
    e.TechnologyLearned: _technology_learned,
    e.TileRefilled: _tile_refilled,
    e.TileFlipped: _tile_flipped,
    e.TechDeckShuffled: _tech_deck_shuffled,
    e.TechnologyBottomed: _technology_bottomed,
    e.CardsSetAside: _cards_set_aside,
    e.CardTaken: _card_taken,
    e.AsideClosed: _aside_closed,
    e.HandLookedAt: _hand_looked_at,
    e.CardStolen: _card_stolen,
    e.DeclineSkipped: _decline_skipped,
    e.DeclineStarted: _decline_started,
    e.MonumentDeclining: _monument_declining,
    e.MonumentDeclined: _monument_declined,
    e.TimelineSlid: _timeline_slid,
    e.SeatLeft: _seat_left,
}
