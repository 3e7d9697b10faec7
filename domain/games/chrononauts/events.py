"""What can happen in Chrononauts: facts that a player could point at on the table."""

from typing import Literal

from msgspec import Struct

from domain.engine.events import Event
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone
from domain.games.chrononauts.board import SeatBoard
from domain.games.chrononauts.words import Side, Source, Year


class SetUp(Event, Struct, frozen=True, omit_defaults=True, tag="chrononauts.set_up"):
    """The cards were shuffled and dealt; `turn` begins."""

    seats: tuple[SeatBoard, ...]
    draw: Zone
    identities: Zone
    missions: Zone
    turn: Seat
    waiting: tuple[CardId, ...] = ()


class IdentitySwapped(Event, Struct, frozen=True, tag="chrononauts.identity_swapped"):
    """A seat gave its identity back for another; `pile` is the pile afterwards."""

    seat: Seat
    drawn: Zone
    pile: Zone


class TurnStarted(Event, Struct, frozen=True, tag="chrononauts.turn_started"):
    """A seat's turn began."""

    seat: Seat


class CardsDrawn(Event, Struct, frozen=True, omit_defaults=True, tag="chrononauts.cards_drawn"):
    """A seat took cards from the top of the draw pile, into its main or its small hand.

    `open`: face up, for all to see (Solonauts).
    """

    seat: Seat
    cards: Zone
    small: bool = False
    open: bool = False


class DrawPileShuffled(Event, Struct, frozen=True, tag="chrononauts.draw_pile_shuffled"):
    """The draw pile was shuffled (`discards` false), or the discards became the new draw pile."""

    cards: Zone
    discards: bool


class CardPlayed(Event, Struct, frozen=True, omit_defaults=True, tag="chrononauts.card_played"):
    """A seat announced a card with its targets; it lies in no pile until the play is over."""

    seat: Seat
    card: CardId
    source: Source = "hand"
    targets: dict[str, str] = {}


class PlayEnded(Event, Struct, frozen=True, omit_defaults=True, tag="chrononauts.play_ended"):
    """The newest play is over; its card goes to the discard pile or the table.

    `cancelled`: Memos stopped it, or its player left. A Memo of a chain that is unwound is put away
    without it, whether another Memo stopped it or not.
    """

    seat: Seat
    card: CardId
    to: Literal["discard", "table"] = "discard"
    cancelled: bool = False


class CardDiscarded(
    Event, Struct, frozen=True, omit_defaults=True, tag="chrononauts.card_discarded"
):
    """A seat discarded a card from its main or its small hand."""

    seat: Seat
    card: CardId
    small: bool = False


class LinchpinTurned(Event, Struct, frozen=True, tag="chrononauts.linchpin_turned"):
    """A linchpin now shows that side; what ripples from it is computed."""

    year: Year
    side: Side


class PointPatched(Event, Struct, frozen=True, tag="chrononauts.point_patched"):
    """The patch being played came to lie on its year."""

    year: Year
    card: CardId


class PatchNullified(Event, Struct, frozen=True, tag="chrononauts.patch_nullified"):
    """A patch lost its footing and went to the discard pile."""

    year: Year
    card: CardId


class ArtifactTaken(Event, Struct, frozen=True, tag="chrononauts.artifact_taken"):
    """An artifact moved from in front of one seat to in front of another."""

    seat: Seat
    owner: Seat
    card: CardId


class ArtifactDiscarded(Event, Struct, frozen=True, tag="chrononauts.artifact_discarded"):
    """An artifact left the table for the discard pile: sold, used for a Miracle or destroyed."""

    owner: Seat
    card: CardId


class HandSetAside(Event, Struct, frozen=True, tag="chrononauts.hand_set_aside"):
    """A seat plays from a small hand for a while."""

    seat: Seat


class HandTakenBack(Event, Struct, frozen=True, tag="chrononauts.hand_taken_back"):
    """The small hand is done with."""

    seat: Seat


class HandsMoved(Event, Struct, frozen=True, tag="chrononauts.hands_moved"):
    """All main hands changed: passed to the left or right, or gathered and dealt anew."""

    how: Literal["left", "right", "dealt"]
    hands: tuple[Zone, ...]


class SecretReplaced(Event, Struct, frozen=True, tag="chrononauts.secret_replaced"):
    """A seat showed and discarded its identity or mission and drew another."""

    which: Literal["identity", "mission"]
    seat: Seat
    shown: CardId
    drawn: Zone


class SecretShown(Event, Struct, frozen=True, tag="chrononauts.secret_shown"):
    """A seat showed its identity or mission and keeps it."""

    which: Literal["identity", "mission"]
    seat: Seat
    card: CardId


class SecretsShuffled(Event, Struct, frozen=True, tag="chrononauts.secrets_shuffled"):
    """The discarded identities or missions became the new pile."""

    which: Literal["identity", "mission"]
    cards: Zone


class CharacterHome(Event, Struct, frozen=True, tag="chrononauts.character_home"):
    """Solonauts: a character is home for good."""

    card: CardId


class UniverseDestroyed(Event, Struct, frozen=True, tag="chrononauts.universe_destroyed"):
    """Too many paradoxes were open."""

    open: tuple[Year, ...]


class VictoryClaimed(Event, Struct, frozen=True, tag="chrononauts.victory_claimed"):
    """At the end of its own turn a seat has what it needs: every way in which it wins."""

    seat: Seat
    ways: tuple[Literal["home", "mission", "power"], ...]


class SeatLeft(Event, Struct, frozen=True, omit_defaults=True, tag="chrononauts.seat_left"):
    """A seat conceded: its cards went to the discards of their kind."""

    seat: Seat
    hand: tuple[CardId, ...]
    identity: tuple[CardId, ...] = ()
    mission: tuple[CardId, ...] = ()


EVENTS: tuple[type[Event], ...] = (
    *(SetUp, IdentitySwapped, TurnStarted, CardsDrawn, DrawPileShuffled, CardPlayed, PlayEnded),
    *(CardDiscarded, LinchpinTurned, PointPatched, PatchNullified, ArtifactTaken),
    *(ArtifactDiscarded, HandSetAside, HandTakenBack, HandsMoved, SecretReplaced, SecretShown),
    *(SecretsShuffled, CharacterHome, UniverseDestroyed, VictoryClaimed, SeatLeft),
)
