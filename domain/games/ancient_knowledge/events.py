"""What can happen in Ancient Knowledge: facts that a player could point at on the table.

Where a card that all or some have seen goes to a hidden place, the event names it once for those
who saw it (`card`) and once as it lies there (`into`, `under`), so that a redacted table stays what
a fresh look would show.
"""

from msgspec import Struct

from domain.engine.events import Event
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone
from domain.games.ancient_knowledge.board import SeatBoard, Tile


class SetUp(Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.set_up"):
    """Everything was shuffled, the technologies laid out and the hands dealt; `start` begins."""

    seats: tuple[SeatBoard, ...]
    deck: Zone
    tech_decks: tuple[Zone, Zone]
    tiles: tuple[Tile, ...]
    start: Seat


class HandKept(Event, Struct, frozen=True, tag="ancient_knowledge.hand_kept"):
    """A seat gave up these cards of its first hand; nobody else ever sees them there."""

    seat: Seat
    cards: Zone


class TurnStarted(Event, Struct, frozen=True, tag="ancient_knowledge.turn_started"):
    """A seat's turn began."""

    seat: Seat


class ActionTaken(Event, Struct, frozen=True, tag="ancient_knowledge.action_taken"):
    """The seat whose turn it is took an action: create, learn, archive, excavate or search."""

    action: str


class CardsDrawn(Event, Struct, frozen=True, tag="ancient_knowledge.cards_drawn"):
    """A seat drew from the top of the builder deck."""

    seat: Seat
    cards: Zone


class DeckShuffled(
    Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.deck_shuffled"
):
    """The builder discards were shuffled and lie under the deck; the newest `left` stayed."""

    cards: Zone
    left: int = 0


class CardsDiscarded(Event, Struct, frozen=True, tag="ancient_knowledge.cards_discarded"):
    """A seat discarded hand cards; only the last one, now on top, shows."""

    seat: Seat
    cards: Zone


class MonumentCreated(Event, Struct, frozen=True, tag="ancient_knowledge.monument_created"):
    """A monument came from hand to a space of the timeline, with so many tokens."""

    seat: Seat
    card: CardId
    space: int
    knowledge: int


class ArtifactCreated(
    Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.artifact_created"
):
    """An artifact came to the board, from hand or from the cards set aside."""

    seat: Seat
    card: CardId
    aside: bool = False


class ArtifactDiscarded(Event, Struct, frozen=True, tag="ancient_knowledge.artifact_discarded"):
    """An artifact left the board for the discard pile."""

    seat: Seat
    card: CardId


class MonumentDiscarded(Event, Struct, frozen=True, tag="ancient_knowledge.monument_discarded"):
    """A monument left the timeline for the discard pile, its tokens for the supply."""

    seat: Seat
    card: CardId


class KnowledgeRemoved(Event, Struct, frozen=True, tag="ancient_knowledge.knowledge_removed"):
    """Tokens left monuments for the supply: how many from each."""

    seat: Seat
    tokens: dict[CardId, int]


class KnowledgeAdded(
    Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.knowledge_added"
):
    """Tokens came to a monument of `seat`, from the supply or from `giver`'s lost knowledge."""

    seat: Seat
    card: CardId
    tokens: int
    giver: Seat | None = None


class LostReduced(Event, Struct, frozen=True, tag="ancient_knowledge.lost_reduced"):
    """Lost knowledge went back to the supply."""

    seat: Seat
    tokens: int


class MonumentsRotated(Event, Struct, frozen=True, tag="ancient_knowledge.monuments_rotated"):
    """Monuments of the past were rotated for an excavation."""

    seat: Seat
    cards: tuple[CardId, ...]


class MonumentsStraightened(
    Event, Struct, frozen=True, tag="ancient_knowledge.monuments_straightened"
):
    """Rotated monuments of the past can be used again."""

    seat: Seat
    cards: tuple[CardId, ...]


class MonumentMoved(Event, Struct, frozen=True, tag="ancient_knowledge.monument_moved"):
    """A monument moved to another space with its tokens; what lay above it slid down."""

    seat: Seat
    card: CardId
    space: int


class MonumentsSwapped(Event, Struct, frozen=True, tag="ancient_knowledge.monuments_swapped"):
    """Two monuments exchanged their slots."""

    seat: Seat
    one: CardId
    other: CardId


class TechnologyLearned(
    Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.technology_learned"
):
    """A technology was learned, off a tile or off the cards set aside."""

    seat: Seat
    card: CardId
    tile: int | None = None


class TileRefilled(Event, Struct, frozen=True, tag="ancient_knowledge.tile_refilled"):
    """A tile with one card or none left was tidied up and filled again."""

    tile: int
    discarded: tuple[CardId, ...]
    dealt: tuple[CardId, ...]


class TileFlipped(Event, Struct, frozen=True, tag="ancient_knowledge.tile_flipped"):
    """A tile was turned to level II."""

    tile: int
    discarded: tuple[CardId, ...]
    dealt: tuple[CardId, ...]


class TechDeckShuffled(Event, Struct, frozen=True, tag="ancient_knowledge.tech_deck_shuffled"):
    """The discarded technologies of a level were shuffled and lie under its deck."""

    level: int
    cards: Zone


class TechnologyBottomed(
    Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.technology_bottomed"
):
    """A technology went under the deck of its level, off a tile or off the cards set aside."""

    level: int
    card: CardId | None
    under: Zone
    looker: Seat
    tile: int | None = None


class CardsSetAside(
    Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.cards_set_aside"
):
    """Cards off the top of a deck were set aside; `more` adds to those set aside last."""

    seat: Seat
    deck: str
    cards: Zone
    public: bool = False
    more: bool = False


class CardTaken(Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.card_taken"):
    """A seat took one of the cards set aside last, seen by `looker` or by all, into its hand."""

    seat: Seat
    card: CardId | None
    into: Zone
    looker: Seat
    public: bool = False


class AsideClosed(
    Event, Struct, frozen=True, omit_defaults=True, tag="ancient_knowledge.aside_closed"
):
    """What was left of the cards set aside last was discarded, the last one on top."""

    cards: Zone
    looker: Seat
    public: bool = False


class HandLookedAt(Event, Struct, frozen=True, tag="ancient_knowledge.hand_looked_at"):
    """A seat looked at another hand, named in order of id; there is no way back from that."""

    seat: Seat
    victim: Seat
    cards: Zone


class CardStolen(Event, Struct, frozen=True, tag="ancient_knowledge.card_stolen"):
    """A seat took a card out of another hand."""

    seat: Seat
    victim: Seat
    card: CardId | None
    into: Zone


class DeclineSkipped(Event, Struct, frozen=True, tag="ancient_knowledge.decline_skipped"):
    """The decline phase of this turn will not happen."""


class DeclineStarted(Event, Struct, frozen=True, tag="ancient_knowledge.decline_started"):
    """The decline phase began."""


class MonumentDeclining(Event, Struct, frozen=True, tag="ancient_knowledge.monument_declining"):
    """A monument of space 1 began to decline; it is not in the past yet."""

    seat: Seat
    card: CardId


class MonumentDeclined(Event, Struct, frozen=True, tag="ancient_knowledge.monument_declined"):
    """A monument went to the past, straight; its tokens became lost knowledge."""

    seat: Seat
    card: CardId
    lost: int


class TimelineSlid(Event, Struct, frozen=True, tag="ancient_knowledge.timeline_slid"):
    """Every monument of a seat moved one space nearer to the past; the decline phase is over."""

    seat: Seat


class SeatLeft(Event, Struct, frozen=True, tag="ancient_knowledge.seat_left"):
    """A seat conceded; its cards stay out of play."""

    seat: Seat


EVENTS: tuple[type[Event], ...] = (
    *(SetUp, HandKept, TurnStarted, ActionTaken, CardsDrawn, DeckShuffled, CardsDiscarded),
    *(MonumentCreated, ArtifactCreated, ArtifactDiscarded, MonumentDiscarded, KnowledgeRemoved),
    *(KnowledgeAdded, LostReduced, MonumentsRotated, MonumentsStraightened, MonumentMoved),
    *(MonumentsSwapped, TechnologyLearned, TileRefilled, TileFlipped, TechDeckShuffled),
    *(TechnologyBottomed, CardsSetAside, CardTaken, AsideClosed, HandLookedAt, CardStolen),
    *(DeclineSkipped, DeclineStarted, MonumentDeclining, MonumentDeclined, TimelineSlid, SeatLeft),
)
