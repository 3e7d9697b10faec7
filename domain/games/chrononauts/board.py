"""The table of Chrononauts: what lies where."""

from collections.abc import Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.events import Fact
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone
from domain.games.chrononauts.catalogue import Catalogue, catalogue
from domain.games.chrononauts.options import Options
from domain.games.chrononauts.timeline import Patches, Timeline, timeline
from domain.games.chrononauts.words import PlayCard, Year


class SeatBoard(Struct, frozen=True, omit_defaults=True):
    """One seat. `identity` and `mission` are zones of at most one card.

    `small` are the hands of Miracles under way, the innermost last; `shown` names the secrets
    ("identity", "mission") that everybody has seen; `gone` marks a seat that conceded.
    """

    hand: Zone = ()
    small: tuple[Zone, ...] = ()
    identity: Zone = ()
    mission: Zone = ()
    artifacts: tuple[CardId, ...] = ()
    shown: tuple[str, ...] = ()
    gone: bool = False


class Pile(Struct, frozen=True, omit_defaults=True):
    """A face-down pile, top card first, and its discards, the newest last."""

    cards: Zone = ()
    discards: tuple[CardId, ...] = ()


class PlayUnderWay(Struct, frozen=True, omit_defaults=True):
    """A card announced and not over: it lies in no pile."""

    seat: Seat
    card: CardId
    targets: dict[str, str] = {}


class Board(Struct, frozen=True, omit_defaults=True):
    """The whole table.

    `altered` are the linchpins on their altered side and `patches` the patched years, both in order
    of year; `plays` is the stack of plays under way, the newest last; `waiting` and `home` are the
    open characters of Solonauts.
    """

    options: Options
    facts: tuple[Fact, ...] = ()
    seats: tuple[SeatBoard, ...] = ()
    altered: tuple[Year, ...] = ()
    patches: Patches = ()
    draw: Pile = Pile()
    identities: Pile = Pile()
    missions: Pile = Pile()
    plays: tuple[PlayUnderWay, ...] = ()
    turn: Seat = 0
    turns: int = 0
    waiting: tuple[CardId, ...] = ()
    home: tuple[CardId, ...] = ()

    @property
    def cards(self) -> Catalogue:
        """The catalogue of this match."""
        return catalogue(self.facts)

    @property
    def timeline(self) -> Timeline:
        """What the TimeLine shows."""
        return timeline(
            self.altered,
            self.patches,
            self.options.ripple_1944,
            self.options.late_paradoxes_count,
        )

    def card(self, card: CardId) -> PlayCard:
        """Return the play card of that id."""
        return catalogue(self.facts).play[card]

    def pile(self, which: str) -> Pile:
        """Return the pile of identities or of missions."""
        return self.identities if which == "identity" else self.missions

    def on_table(self) -> tuple[tuple[Seat, CardId], ...]:
        """Return every artifact that lies face up, with the seat in front of which it lies."""
        return tuple((seat, card) for seat, one in enumerate(self.seats) for card in one.artifacts)


def decks(board: Board) -> Mapping[CardId, str]:
    """Return the deck that each card comes from: play, identity or mission."""
    return _decks(board.facts)


@lru_cache(maxsize=64)
def _decks(facts: tuple[Fact, ...]) -> dict[CardId, str]:
    cards = catalogue(facts)
    return {
        **dict.fromkeys(cards.play, "play"),
        **dict.fromkeys(cards.identities, "identity"),
        **dict.fromkeys(cards.missions, "mission"),
    }


def with_seat(board: Board, seat: Seat, one: SeatBoard) -> Board:
    """Return the board with one seat replaced."""
    return replace(board, seats=(*board.seats[:seat], one, *board.seats[seat + 1 :]))
