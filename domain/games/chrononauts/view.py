"""The board as clients read it: the redacted table with the facts that follow from it."""

from typing import Literal

from msgspec import Struct

from domain.engine.ids import CardId, Seat, Viewer
from domain.engine.match import Match
from domain.engine.redaction import redact
from domain.engine.zones import Zone
from domain.games.chrononauts.board import Board, SeatBoard
from domain.games.chrononauts.cards.timeline import POINTS
from domain.games.chrononauts.timeline import Timeline
from domain.games.chrononauts.words import Point, Year


class PointView(Struct, frozen=True, rename="camel"):
    """One card of the TimeLine.

    `shows` is the side: "true", "altered" (a linchpin), "paradox" (open) or "patched"; `reachable`
    is false for the years after 1962 while World War III lies there.
    """

    year: Year
    index: str
    kind: Literal["linchpin", "ripplepoint"]
    shows: Literal["true", "altered", "paradox", "patched"]
    patch: CardId | None
    reachable: bool


class PlayView(Struct, frozen=True, rename="camel"):
    """A card announced whose play is not over; `targets` as "linchpin: 1865" words."""

    seat: Seat
    card: CardId
    targets: tuple[str, ...]


class ChrononautsSeat(Struct, frozen=True, rename="camel"):
    """One seat. A card that the viewer may not see is null.

    `smallHands` are drawn for Miracles under way; `identity` and `mission` hold at most one
    card; `shown` names those that everybody has seen.
    """

    seat: Seat
    hand: Zone
    hand_size: int
    small_hands: tuple[Zone, ...]
    identity: Zone
    mission: Zone
    artifacts: tuple[CardId, ...]
    shown: tuple[str, ...]
    gone: bool


class ChrononautsBoard(Struct, frozen=True, rename="camel", tag="chrononauts", tag_field="game"):
    """The table of Chrononauts for one viewer.

    `openParadoxes` counts towards `paradoxLimit` (0: no limit); `discards` and `plays` have
    the newest last; `waiting` and `home` are the open characters of Solonauts.
    """

    variant: str
    turn: Seat
    turns: int
    timeline: tuple[PointView, ...]
    open_paradoxes: int
    paradox_limit: int
    war: bool
    seats: tuple[ChrononautsSeat, ...]
    draw_pile: int
    discards: tuple[CardId, ...]
    identity_pile: int
    identity_discards: tuple[CardId, ...]
    mission_pile: int
    mission_discards: tuple[CardId, ...]
    plays: tuple[PlayView, ...]
    waiting: tuple[CardId, ...]
    home: tuple[CardId, ...]


def view(match: Match[Board], viewer: Viewer) -> ChrononautsBoard:
    """Return the board for a viewer; it is made from the redacted match, so it knows no secret."""
    board = redact(match, viewer).board
    line = board.timeline
    return ChrononautsBoard(
        variant=board.options.variant,
        turn=board.turn,
        turns=board.turns,
        timeline=tuple([_point(line, point) for point in POINTS]),
        open_paradoxes=len(line.open),
        paradox_limit=board.options.paradox_limit,
        war=line.war,
        seats=tuple([_seat(seat, one) for seat, one in enumerate(board.seats)]),
        draw_pile=len(board.draw.cards),
        discards=board.draw.discards,
        identity_pile=len(board.identities.cards),
        identity_discards=board.identities.discards,
        mission_pile=len(board.missions.cards),
        mission_discards=board.missions.discards,
        plays=tuple(
            PlayView(
                seat=play.seat,
                card=play.card,
                targets=tuple(f"{name}: {target}" for name, target in sorted(play.targets.items())),
            )
            for play in board.plays
        ),
        waiting=board.waiting,
        home=board.home,
    )


def _seat(seat: Seat, one: SeatBoard) -> ChrononautsSeat:
    return ChrononautsSeat(
        seat=seat,
        hand=one.hand,
        hand_size=len(one.hand),
        small_hands=one.small,
        identity=one.identity,
        mission=one.mission,
        artifacts=one.artifacts,
        shown=one.shown,
        gone=one.gone,
    )


def _point(line: Timeline, point: Point) -> PointView:
    year = point.year
    return PointView(
        year=year,
        index=point.index,
        kind="linchpin" if point.linchpin else "ripplepoint",
        shows=_shows(line, year),
        patch=line.patched.get(year),
        reachable=line.reachable(year),
    )


def _shows(line: Timeline, year: Year) -> Literal["true", "altered", "paradox", "patched"]:
    if year in line.patched:
        return "patched"
    if year in line.paradoxes:
        return "paradox"
    return "altered" if year in line.altered else "true"
