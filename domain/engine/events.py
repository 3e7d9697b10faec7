"""What can happen in every match, whatever the game; events are facts and never change meaning.

The string tag is the event's type for ever: it is independent of the name of the class. A game adds
its own events (`chrononauts.linchpin_turned`). Adding a field with a default is no new version; any
other change makes a new tag `type@2` and an upcaster from the old one (`upcast.py`).
"""

from typing import Literal

from msgspec import Raw, Struct

from domain.engine.ids import CardId, Picks, Scalar, Seat


class Event:
    """Something that happened (marker of a closed set, see `codec.py`)."""

    __slots__ = ()


class Fact(Struct, frozen=True, array_like=True):
    """A fact of a card that an operator replaced: the match carries it, so replay needs no file."""

    card: CardId
    name: str
    value: str


class Outcome(Struct, frozen=True, omit_defaults=True):
    """How a match ended: the winning seats (none: nobody won), why, and points if it has them."""

    winners: tuple[Seat, ...]
    reasons: tuple[str, ...]
    scores: tuple[int, ...] = ()


class TurnLimit(Struct, frozen=True):
    """How long a seat may think in one turn, in seconds; then a bot answers, or it concedes."""

    seconds: int
    then: Literal["bot", "concede"]


class Spectators(Struct, frozen=True, omit_defaults=True):
    """What whoever has no seat sees while the match runs: how it stood `delay` turns ago.

    Without a delay: how it stood before its start.
    """

    delay: int | None = None


class MatchCreated(Event, Struct, frozen=True, omit_defaults=True, tag="match.created"):
    """A match was laid out: its game, number of seats and every option, defaults included.

    `account` is whose match it is, as the service writes that down; none: whoever has the token.
    No `limit`: there is time without end; no `spectators`: they see what happens when it happens.
    """

    game: str
    ruleset: int
    seats: int
    options: dict[str, Scalar]
    facts: tuple[Fact, ...] = ()
    account: str | None = None
    limit: TurnLimit | None = None
    spectators: Spectators | None = None


class SeatFilled(Event, Struct, frozen=True, omit_defaults=True, tag="match.seat_taken"):
    """A player, or a bot of the kind named, sat down; `account` plays the seat without a token."""

    seat: Seat
    player: str
    bot: str | None = None
    account: str | None = None


class MatchStarted(Event, Struct, frozen=True, omit_defaults=True, tag="match.started"):
    """Play began. Seed and salt stay secret until the end; the commitment to both is public."""

    commitment: str
    seed: str | None = None
    salt: str | None = None


class ChoiceOffered(Event, Struct, frozen=True, omit_defaults=True, tag="choice.offered"):
    """These seats have to choose; `agenda` is what remains to be done, secret like `prompt`."""

    seats: tuple[Seat, ...]
    agenda: Raw
    prompt: str | None = None


class ChoiceMade(Event, Struct, frozen=True, omit_defaults=True, tag="choice.made"):
    """A seat answered; what it picked is its own secret, the consequences show."""

    seat: Seat
    picks: Picks | None = None


class ChoiceExpired(Event, Struct, frozen=True, tag="choice.expired"):
    """The time of a window was up: these seats count as having passed."""

    seats: tuple[Seat, ...]


class TimeRanOut(Event, Struct, frozen=True, tag="match.time_ran_out"):
    """A seat has used up its time: a bot answers for it next, or it concedes.

    It comes once for each choice that a bot then answers, so several times in a turn.
    """

    seat: Seat


class SeatConceded(Event, Struct, frozen=True, tag="match.seat_conceded"):
    """A seat gave up and does not return."""

    seat: Seat


class MatchRestored(Event, Struct, frozen=True, omit_defaults=True, tag="match.restored"):
    """The table stands as `state` says: a move was undone, or a fork or position laid out.

    `match` and `version` tell where the state comes from; no match: this one.
    """

    why: Literal["undo", "fork", "position"]
    state: Raw
    version: int = 0
    match: str | None = None


class UndoAsked(Event, Struct, frozen=True, tag="match.undo_asked"):
    """A seat wants to go back to before its last move; the others have to agree."""

    seat: Seat
    version: int


class UndoAnswered(Event, Struct, frozen=True, tag="match.undo_answered"):
    """A seat agreed to an undo, or refused it."""

    seat: Seat
    agreed: bool


class TokenReplaced(Event, Struct, frozen=True, tag="match.token_replaced"):
    """The token of a seat, or of the owner (no seat), was replaced; older generations are void."""

    seat: Seat | None
    generation: int


class LogOpened(Event, Struct, frozen=True, tag="match.log_opened"):
    """The owner looked into the full log of a match that goes on, and may do so from now on."""


class MatchEnded(Event, Struct, frozen=True, omit_defaults=True, tag="match.finished"):
    """The match is over; the seed and salt behind the commitment are shown."""

    outcome: Outcome
    seed: str
    salt: str


ENGINE_EVENTS: tuple[type[Event], ...] = (
    MatchCreated,
    SeatFilled,
    MatchStarted,
    ChoiceOffered,
    ChoiceMade,
    ChoiceExpired,
    TimeRanOut,
    SeatConceded,
    MatchRestored,
    UndoAsked,
    UndoAnswered,
    TokenReplaced,
    LogOpened,
    MatchEnded,
)
