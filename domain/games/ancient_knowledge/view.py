"""The board as clients read it: the redacted table with the facts that follow from it."""

from typing import Literal

from msgspec import Struct

from domain.engine.ids import CardId, Seat, Viewer
from domain.engine.match import Match
from domain.engine.redaction import redact
from domain.engine.zones import Zone, seen
from domain.games.ancient_knowledge.board import EVERYBODY, Board, SeatBoard, space_of
from domain.games.ancient_knowledge.scoring import points


class MonumentView(Struct, frozen=True, rename="camel"):
    """A monument on a timeline: its space 1 to 6, row 0 (lower) or 1, and its tokens."""

    card: CardId
    space: int
    row: int
    knowledge: int


class PastView(Struct, frozen=True, rename="camel"):
    """A monument of the past; rotated: used until it is straightened."""

    card: CardId
    rotated: bool


class ScoreView(Struct, frozen=True, rename="camel"):
    """The points if the match ended now, by source; `lost` is negative."""

    past: int
    endgame: int
    technologies: int
    timeline: int
    lost: int
    total: int


class AncientKnowledgeSeat(Struct, frozen=True, rename="camel"):
    """One seat. A card that the viewer may not see is null."""

    seat: Seat
    hand: Zone
    hand_size: int
    timeline: tuple[MonumentView, ...]
    artifacts: tuple[CardId, ...]
    past: tuple[PastView, ...]
    technologies: tuple[CardId, ...]
    lost_knowledge: int
    score: ScoreView
    gone: bool


class TileView(Struct, frozen=True, rename="camel"):
    """A technology tile: its level and what it shows."""

    level: int
    technologies: tuple[CardId, ...]


class AsideView(Struct, frozen=True, rename="camel"):
    """Cards set aside while `seat` looks at them; null where the viewer may not look."""

    seat: Seat
    cards: Zone


class AncientKnowledgeBoard(
    Struct, frozen=True, rename="camel", tag="ancient_knowledge", tag_field="game"
):
    """The table of Ancient Knowledge for one viewer.

    `phase` is "draft", "actions" or "decline"; `action` counts the actions begun this turn;
    `discardTop` is the newest builder discard if it may be seen; technology decks and discards are
    by level, I first; `lastRound` tells that a past has reached its fourteenth monument.
    """

    phase: Literal["draft", "actions", "decline"]
    turn: Seat
    turns: int
    action: int
    start: Seat
    last_round: bool
    flipped: bool
    skip_decline: bool
    declining: CardId | None
    seats: tuple[AncientKnowledgeSeat, ...]
    tiles: tuple[TileView, ...]
    deck: int
    discard_pile: int
    discard_top: CardId | None
    technology_decks: tuple[int, ...]
    technology_discards_1: tuple[CardId, ...]
    technology_discards_2: tuple[CardId, ...]
    asides: tuple[AsideView, ...]


def view(match: Match[Board], viewer: Viewer) -> AncientKnowledgeBoard:
    """Return the board for a viewer; it is made from the redacted match, so it knows no secret."""
    board = redact(match, viewer).board
    top = board.discard[-1] if board.discard else None
    phase: Literal["draft", "actions", "decline"] = "decline" if board.in_decline else "actions"
    return AncientKnowledgeBoard(
        phase=phase if board.turns else "draft",
        turn=board.turn,
        turns=board.turns,
        action=board.actions,
        start=board.start,
        last_round=board.last_round,
        flipped=board.flipped,
        skip_decline=board.skip_decline,
        declining=board.declining,
        seats=tuple([_seat(board, seat, one) for seat, one in enumerate(board.seats)]),
        tiles=tuple([TileView(tile.level, tile.techs) for tile in board.tiles]),
        deck=len(board.deck),
        discard_pile=len(board.discard),
        discard_top=top.card if top is not None and top.known_to == EVERYBODY else None,
        technology_decks=tuple([len(deck) for deck in board.tech_decks]),
        technology_discards_1=board.tech_discards[0],
        technology_discards_2=board.tech_discards[1],
        asides=tuple([AsideView(aside.seat, _sorted(aside.cards)) for aside in board.asides]),
    )


def _sorted(cards: Zone) -> Zone:
    """Return cards set aside in order of id: how they lay in the deck is nobody's to know."""
    known = sorted(seen(cards))
    return tuple(known) if known else cards


def _seat(board: Board, seat: Seat, one: SeatBoard) -> AncientKnowledgeSeat:
    by_source = points(board, seat)
    return AncientKnowledgeSeat(
        seat=seat,
        hand=one.hand,
        hand_size=len(one.hand),
        timeline=tuple(
            [
                MonumentView(cell.card, space_of(at), at % 2, cell.knowledge)
                for at, cell in one.cells()
            ]
        ),
        artifacts=one.artifacts,
        past=tuple([PastView(card.card, card.rotated) for card in one.past]),
        technologies=one.techs,
        lost_knowledge=one.lost,
        score=ScoreView(**by_source, total=sum(by_source.values())),
        gone=one.gone,
    )
