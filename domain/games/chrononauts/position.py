"""The table as a position: one document in the players' words, with nothing left out."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.engine.agenda import Run
from domain.engine.ids import CardId, Seat
from domain.games.chrononauts.board import Board, Pile, PlayUnderWay, SeatBoard
from domain.games.chrononauts.turn import STEP, TURN
from domain.games.chrononauts.words import Year

Count = Annotated[int, Meta(ge=0, le=1_000_000)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Cards = tuple[CardId, ...]


class Place(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """One seat. `smallHands` are those of Miracles under way, the innermost last.

    `shown` names the secrets ("identity", "mission") that everybody has seen.
    """

    hand: Cards = ()
    small_hands: tuple[Cards, ...] = ()
    identity: CardId | None = None
    mission: CardId | None = None
    artifacts: Cards = ()
    shown: tuple[str, ...] = ()


class Patched(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A patch that lies on a year."""

    year: Year
    card: CardId


class Play(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A card announced and not over, with its targets by name."""

    seat: SeatNumber
    card: CardId
    targets: dict[str, str] = {}


class ChrononautsPosition(Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The whole table. Piles have their top card first, discards the newest last.

    `altered` are the linchpins on their altered side; `plays` is the stack of plays under way, the
    newest last; `waiting` and `home` are the open characters of Solonauts.
    """

    turn: SeatNumber
    turns: Count
    seats: tuple[Place, ...]
    draw_pile: Cards
    discards: Cards = ()
    altered: tuple[Year, ...] = ()
    patches: tuple[Patched, ...] = ()
    identity_pile: Cards = ()
    identity_discards: Cards = ()
    mission_pile: Cards = ()
    mission_discards: Cards = ()
    plays: tuple[Play, ...] = ()
    waiting: Cards = ()
    home: Cards = ()


def to_position(board: Board) -> ChrononautsPosition:
    """Return the position of a full board."""
    return ChrononautsPosition(
        turn=board.turn,
        turns=board.turns,
        seats=tuple([_place(one) for one in board.seats]),
        draw_pile=_all(board.draw.cards),
        discards=board.draw.discards,
        altered=board.altered,
        patches=tuple([Patched(year, card) for year, card in board.patches]),
        identity_pile=_all(board.identities.cards),
        identity_discards=board.identities.discards,
        mission_pile=_all(board.missions.cards),
        mission_discards=board.missions.discards,
        plays=tuple([Play(play.seat, play.card, play.targets) for play in board.plays]),
        waiting=board.waiting,
        home=board.home,
    )


def _place(one: SeatBoard) -> Place:
    return Place(
        hand=_all(one.hand),
        small_hands=tuple([_all(hand) for hand in one.small]),
        identity=next(iter(one.identity), None),
        mission=next(iter(one.mission), None),
        artifacts=one.artifacts,
        shown=one.shown,
    )


def _all(zone: tuple[CardId | None, ...]) -> Cards:
    assert None not in zone, "a position knows every card"
    return tuple([str(card) for card in zone])


def from_position(position: ChrononautsPosition, blank: Board, gone: tuple[Seat, ...]) -> Board:
    """Return the board of a position, on a table laid out as `blank`."""
    return replace(
        blank,
        turn=position.turn,
        turns=position.turns,
        seats=tuple(
            [
                SeatBoard(
                    hand=one.hand,
                    small=one.small_hands,
                    identity=() if one.identity is None else (one.identity,),
                    mission=() if one.mission is None else (one.mission,),
                    artifacts=one.artifacts,
                    shown=one.shown,
                    gone=seat in gone,
                )
                for seat, one in enumerate(position.seats)
            ]
        ),
        altered=position.altered,
        patches=tuple([(one.year, one.card) for one in position.patches]),
        draw=Pile(position.draw_pile, position.discards),
        identities=Pile(position.identity_pile, position.identity_discards),
        missions=Pile(position.mission_pile, position.mission_discards),
        plays=tuple([PlayUnderWay(play.seat, play.card, play.targets) for play in position.plays]),
        waiting=position.waiting,
        home=position.home,
    )


def begin(run: Run[Board]) -> None:
    """Let the seat whose turn it is, and which has drawn already, choose its play."""
    solo = run.board.options.variant == "solonauts"
    run.push(run.board.turn, STEP if solo else TURN[1:])
