"""The table as a position: one document in the players' words, with nothing left out."""

from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.engine.agenda import Run
from domain.engine.ids import CardId, Seat
from domain.games.ancient_knowledge import board as b
from domain.games.ancient_knowledge.turn import TURN

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
Tokens = Annotated[int, Meta(ge=0, le=b.MOST_TOKENS)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Level = Literal[1, 2]
Cards = tuple[CardId, ...]


class OnTimeline(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A monument on the timeline: its space, which of the two slots, its knowledge tokens."""

    card: CardId
    space: Annotated[int, Meta(ge=1, le=6)]
    slot: Literal["lower", "upper"] = "lower"
    knowledge: Tokens = 0


class InPast(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A monument of the past; rotated: used, until something straightens it."""

    card: CardId
    rotated: bool = False


class Place(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """One seat."""

    hand: Cards = ()
    timeline: tuple[OnTimeline, ...] = ()
    artifacts: Cards = ()
    past: tuple[InPast, ...] = ()
    technologies: Cards = ()
    lost_knowledge: Tokens = 0


class Discarded(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A card of the builder discards and the seat that knows it; none: everybody does."""

    card: CardId
    known_to: SeatNumber | None = None


class Technologies(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Technologies of a level: the deck, top card first, and the discards, the newest last."""

    deck: Cards = ()
    discards: Cards = ()


class Shown(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A technology tile: its level, and the technologies on it."""

    level: Level
    technologies: Cards = ()


class SetAside(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """Cards set aside off a deck while an effect looks at them, by a seat alone or by all."""

    seat: SeatNumber
    deck: str
    cards: Cards
    public: bool = False


class AncientKnowledgePosition(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The whole table. Decks have their top card first, discards the newest last.

    `flipped`: a tile of level I has been turned. `start` began the match; `actions` counts those
    that the seat on turn has begun; `declining` is the monument whose decline is under way in the
    decline phase (`inDecline`), and `declinedLost` what that phase has cost so far.
    """

    start: SeatNumber
    turn: SeatNumber
    turns: Count
    seats: tuple[Place, ...]
    deck: Cards
    tiles: tuple[Shown, ...]
    level_one: Technologies
    level_two: Technologies
    discards: tuple[Discarded, ...] = ()
    flipped: bool = False
    actions: Annotated[int, Meta(ge=0, le=2)] = 0
    skip_decline: bool = False
    in_decline: bool = False
    declining: CardId | None = None
    declined_lost: Count = 0
    set_aside: tuple[SetAside, ...] = ()


def to_position(board: b.Board) -> AncientKnowledgePosition:
    """Return the position of a full board."""
    return AncientKnowledgePosition(
        start=board.start,
        turn=board.turn,
        turns=board.turns,
        seats=tuple([_place(one) for one in board.seats]),
        deck=_all(board.deck),
        discards=tuple(
            [
                Discarded(str(one.card), None if one.known_to == b.EVERYBODY else one.known_to)
                for one in board.discard
            ]
        ),
        tiles=tuple([Shown(1 if tile.level == 1 else 2, tile.techs) for tile in board.tiles]),
        level_one=Technologies(_all(board.tech_decks[0]), board.tech_discards[0]),
        level_two=Technologies(_all(board.tech_decks[1]), board.tech_discards[1]),
        flipped=board.flipped,
        actions=board.actions,
        skip_decline=board.skip_decline,
        in_decline=board.in_decline,
        declining=board.declining,
        declined_lost=board.declined_lost,
        set_aside=tuple(
            [SetAside(one.seat, one.deck, _all(one.cards), one.public) for one in board.asides]
        ),
    )


def _place(one: b.SeatBoard) -> Place:
    return Place(
        hand=_all(one.hand),
        timeline=tuple(
            [
                OnTimeline(
                    card=cell.card,
                    space=b.space_of(at),
                    slot="upper" if at % 2 else "lower",
                    knowledge=cell.knowledge,
                )
                for at, cell in one.cells()
            ]
        ),
        artifacts=one.artifacts,
        past=tuple([InPast(card.card, card.rotated) for card in one.past]),
        technologies=one.techs,
        lost_knowledge=one.lost,
    )


def _all(zone: tuple[CardId | None, ...]) -> Cards:
    assert None not in zone, "a position knows every card"
    return tuple([str(card) for card in zone])


def from_position(
    position: AncientKnowledgePosition, blank: b.Board, gone: tuple[Seat, ...]
) -> b.Board:
    """Return the board of a position, on a table laid out as `blank`."""
    one, two = position.level_one, position.level_two
    return replace(
        blank,
        seats=tuple([_seat(place, seat in gone) for seat, place in enumerate(position.seats)]),
        deck=position.deck,
        discard=tuple(
            [
                b.Thrown(card.card, b.EVERYBODY if card.known_to is None else card.known_to)
                for card in position.discards
            ]
        ),
        tech_decks=(one.deck, two.deck),
        tech_discards=(one.discards, two.discards),
        tiles=tuple([b.Tile(tile.level, tile.technologies) for tile in position.tiles]),
        flipped=position.flipped,
        start=position.start,
        turn=position.turn,
        turns=position.turns,
        actions=position.actions,
        skip_decline=position.skip_decline,
        in_decline=position.in_decline,
        declining=position.declining,
        declined_lost=position.declined_lost,
        asides=tuple(
            [b.Aside(one.seat, one.deck, one.cards, one.public) for one in position.set_aside]
        ),
    )


def _seat(place: Place, gone: bool) -> b.SeatBoard:
    cells: list[b.Cell | None] = list(b.EMPTY)
    for one in place.timeline:
        cells[2 * one.space - 2 + (one.slot == "upper")] = b.Cell(one.card, one.knowledge)
    return b.SeatBoard(
        hand=place.hand,
        timeline=tuple(cells),
        artifacts=place.artifacts,
        past=tuple([b.PastCard(one.card, one.rotated) for one in place.past]),
        techs=place.technologies,
        lost=place.lost_knowledge,
        gone=gone,
    )


def begin(run: Run[b.Board]) -> None:
    """Let the seat on turn choose its next action, or go on with its timeline phase."""
    run.push(run.board.turn, TURN[min(run.board.actions, 2) :])
