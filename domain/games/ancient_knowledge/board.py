"""The table of Ancient Knowledge: what lies where.

A timeline has 12 cells: spaces 1 to 6, the lower slot (row 0) and the upper one (row 1) of each;
cell `2 * (space - 1) + row`. An upper slot is filled only over a filled lower one.
"""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone
from domain.games.ancient_knowledge.catalogue import BUILDER
from domain.games.ancient_knowledge.options import Options

SPACES = range(1, 7)
CELLS = range(12)
HAND_LIMIT = 10
ARTIFACT_SLOTS = 5
EVERYBODY = -1
FLIP_AT = 7
MOST_TOKENS = 999
"""More than a match can come to; a position that somebody writes holds no more in one place."""
END_AT = 14


class Cell(Struct, frozen=True, array_like=True):
    """A monument on the timeline with its knowledge tokens."""

    card: CardId
    knowledge: int


class PastCard(Struct, frozen=True, array_like=True):
    """A monument of the past; rotated: used, until something straightens it."""

    card: CardId
    rotated: bool = False


class Tile(Struct, frozen=True, array_like=True):
    """A technology tile: its level and what it shows, at most three."""

    level: int
    techs: tuple[CardId, ...]


class Thrown(Struct, frozen=True, array_like=True):
    """A card of the builder discard pile and who knows it: a seat, or `EVERYBODY`.

    Only the top card may be looked at, but nobody forgets what has lain on top or been thrown away.
    """

    card: CardId | None
    known_to: int


class Aside(Struct, frozen=True, array_like=True):
    """Cards set aside off a deck while an effect looks at them, seen by the seat or by all."""

    seat: Seat
    deck: str
    cards: Zone
    public: bool


Timeline: TypeAlias = tuple[Cell | None, ...]
EMPTY: Timeline = (None,) * len(CELLS)


class SeatBoard(Struct, frozen=True):
    """One seat; `lost` is its lost knowledge; `gone` marks a seat that conceded."""

    hand: Zone = ()
    timeline: Timeline = EMPTY
    artifacts: tuple[CardId, ...] = ()
    past: tuple[PastCard, ...] = ()
    techs: tuple[CardId, ...] = ()
    lost: int = 0
    gone: bool = False

    def cells(self) -> tuple[tuple[int, Cell], ...]:
        """Return the filled cells, by number."""
        return tuple([(at, cell) for at, cell in enumerate(self.timeline) if cell is not None])

    def active(self) -> tuple[CardId, ...]:
        """Return the cards whose passive abilities work: timeline monuments, then artifacts."""
        return (*[cell.card for cell in self.timeline if cell is not None], *self.artifacts)

    def where(self, card: CardId) -> int | None:
        """Return the cell of a monument on the timeline."""
        return next((at for at, cell in self.cells() if cell.card == card), None)

    def free(self, space: int) -> int:
        """Return the free slots of a space, 0 to 2."""
        return self.timeline[2 * space - 2 : 2 * space].count(None)

    def knowledge(self) -> int:
        """Return all tokens on the timeline."""
        return sum([cell.knowledge for cell in self.timeline if cell is not None])

    def room(self) -> int:
        """Return how many cards the hand can still take."""
        return HAND_LIMIT - len(self.hand)


class Board(Struct, frozen=True):
    """The whole table. Decks have their top card first, discards the newest last.

    `start` began the match; `declining` is the monument whose decline is under way in the decline
    phase (`in_decline`) of `turn`, `declined_lost` the tokens that this phase has cost so far.
    """

    options: Options
    seats: tuple[SeatBoard, ...] = ()
    deck: Zone = ()
    discard: tuple[Thrown, ...] = ()
    tech_decks: tuple[Zone, Zone] = ((), ())
    tech_discards: tuple[tuple[CardId, ...], tuple[CardId, ...]] = ((), ())
    tiles: tuple[Tile, ...] = ()
    flipped: bool = False
    start: Seat = 0
    turn: Seat = 0
    turns: int = 0
    actions: int = 0
    skip_decline: bool = False
    in_decline: bool = False
    declining: CardId | None = None
    declined_lost: int = 0
    asides: tuple[Aside, ...] = ()

    @property
    def last_round(self) -> bool:
        """Whether a past has reached its fourteenth monument, so that the round is the last."""
        return any(len(one.past) >= END_AT for one in self.seats)

    def others(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the other seats in turn order from the seat's left."""
        count = len(self.seats)
        return tuple([(seat + step) % count for step in range(1, count)])

    def opponents(self, seat: Seat) -> tuple[Seat, ...]:
        """Return the other seats that have not conceded, in the same order."""
        return tuple([other for other in self.others(seat) if not self.seats[other].gone])


def with_seat(board: Board, seat: Seat, one: SeatBoard) -> Board:
    """Return the board with one seat replaced."""
    return replace(board, seats=(*board.seats[:seat], one, *board.seats[seat + 1 :]))


def space_of(cell: int) -> int:
    """Return the space, 1 to 6, of a cell."""
    return cell // 2 + 1


def neighbours(cell: int) -> tuple[int, ...]:
    """Return the cells orthogonally next to a cell: at most three, no diagonals (rules 11.4)."""
    around = (cell ^ 1, cell - 2, cell + 2)
    return tuple(other for other in around if other in CELLS)


def dropped(timeline: Timeline) -> Timeline:
    """Return the timeline after every monument over an empty lower slot has slid down."""
    cells = list(timeline)
    for low in CELLS[::2]:
        if cells[low] is None and cells[low + 1] is not None:
            cells[low], cells[low + 1] = cells[low + 1], None
    return tuple(cells)


def placed(timeline: Timeline, space: int, cell: Cell) -> Timeline:
    """Return the timeline with a monument in a space that has a free slot, the lower one first."""
    low = 2 * space - 2
    at = low if timeline[low] is None else low + 1
    return (*timeline[:at], cell, *timeline[at + 1 :])


def category(card: CardId) -> str | None:
    """Return the category of a builder card, `None` for an artifact."""
    return BUILDER[card].category
