"""The state of one match and how an event changes it: the left fold over its events.

`evolve` checks nothing and knows no rule. It treats a redacted match and its redacted events just
like the whole truth, which is what keeps a client that folds its feed in step with a fresh read.
"""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.engine.choices import Offer
from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    ChoiceOffered,
    Event,
    Fact,
    LogOpened,
    MatchCreated,
    MatchEnded,
    MatchRestored,
    MatchStarted,
    Outcome,
    SeatConceded,
    SeatFilled,
    Spectators,
    TimeRanOut,
    TokenReplaced,
    TurnLimit,
    UndoAnswered,
    UndoAsked,
)
from domain.engine.game import Turn, game_of
from domain.engine.ids import Picks, Scalar, Seat

B = TypeVar("B")
NOTHING = Raw(b"[]")


class Place(Struct, frozen=True, omit_defaults=True):
    """Who sits on a seat; `player` is `None` while it is free.

    `generation` counts how often the token of the seat was replaced.
    """

    player: str | None = None
    bot: str | None = None
    conceded: bool = False
    account: str | None = None
    generation: int = 0


class State(Struct, Generic[B], frozen=True, omit_defaults=True):
    """What can be set on a table as a whole: the board and what remains to be done.

    `gone` are the seats that have conceded, which nobody takes any more.
    """

    board: B
    agenda: Raw = NOTHING
    prompt: str | None = None
    asked: tuple[Seat, ...] = ()
    answers: tuple[tuple[Seat, Picks | None], ...] = ()
    gone: tuple[Seat, ...] = ()


class UndoRequest(Struct, frozen=True, omit_defaults=True):
    """A seat wants to go back to a version; these seats have agreed so far."""

    seat: Seat
    version: int
    agreed: tuple[Seat, ...] = ()


class Match(Struct, Generic[B], frozen=True, kw_only=True, omit_defaults=True, dict=True):
    """One play of a game.

    `version` is the number of events so far. `choice` is the version at which the open choice was
    offered, 0 if there is none; `asked` are the seats that still have to answer it and `answers`
    what the others picked (`None`: hidden, or their time was up). `agenda` is the remaining
    program, compact JSON (see `agenda.py`); `laid` tells that the table came from elsewhere;
    `account` and `generation` are the owner's, `opened` tells that the owner knows the log. A
    match remembers what its open choice offers: a function of the match, so `offers` is no field,
    is never stored and dies with the value.
    """

    game: str
    ruleset: int
    version: int
    options: dict[str, Scalar]
    facts: tuple[Fact, ...] = ()
    limit: TurnLimit | None = None
    spectators: Spectators | None = None
    places: tuple[Place, ...]
    board: B
    started: bool = False
    commitment: str | None = None
    seed: str | None = None
    salt: str | None = None
    agenda: Raw = NOTHING
    choice: int = 0
    prompt: str | None = None
    asked: tuple[Seat, ...] = ()
    answers: tuple[tuple[Seat, Picks | None], ...] = ()
    undo: UndoRequest | None = None
    laid: bool = False
    account: str | None = None
    generation: int = 0
    opened: bool = False
    outcome: Outcome | None = None

    @property
    def offers(self) -> dict[Seat, Offer]:
        """What the open choice offers, for the seats that somebody has asked about so far."""
        remembered: dict[Seat, Offer] = self.__dict__.setdefault("offers", {})
        return remembered

    @property
    def seats(self) -> range:
        """Every seat of the table, those that conceded included."""
        return range(len(self.places))


def created(event: MatchCreated) -> Match[Any]:
    """Return the match that a `match.created` event begins, at version 1."""
    game = game_of(event.game)
    return Match(
        game=event.game,
        ruleset=event.ruleset,
        version=1,
        options=event.options,
        facts=event.facts,
        limit=event.limit,
        spectators=event.spectators,
        places=(Place(),) * event.seats,
        account=event.account,
        board=game.blank(event),
    )


def evolve(match: Match[B], event: Event) -> Match[B]:
    """Return the match after the event; never fails for an event that was stored."""
    step = _STEPS.get(type(event))
    if step is not None:
        return step(match, event)
    board = game_of(match.game).evolvers[type(event)](match.board, event)
    return replace(match, version=match.version + 1, board=board)


def _seat_taken(match: Match[B], event: SeatFilled) -> Match[B]:
    place = replace(
        match.places[event.seat], player=event.player, bot=event.bot, account=event.account
    )
    return replace(match, version=match.version + 1, places=_put(match.places, event.seat, place))


def _started(match: Match[B], event: MatchStarted) -> Match[B]:
    return replace(
        match,
        version=match.version + 1,
        started=True,
        commitment=event.commitment,
        seed=event.seed,
        salt=event.salt,
    )


def _offered(match: Match[B], event: ChoiceOffered) -> Match[B]:
    version = match.version + 1
    return replace(
        match,
        version=version,
        choice=version,
        agenda=event.agenda,
        prompt=event.prompt,
        asked=event.seats,
        answers=(),
    )


def _made(match: Match[B], event: ChoiceMade) -> Match[B]:
    return replace(
        match,
        version=match.version + 1,
        undo=None,
        asked=tuple([seat for seat in match.asked if seat != event.seat]),
        answers=(
            *[answer for answer in match.answers if answer[0] != event.seat],
            (event.seat, event.picks),
        ),
    )


def _restored(match: Match[B], event: MatchRestored) -> Match[B]:
    version = match.version + 1
    state = state_of(match.game, event.state)
    return replace(
        match,
        version=version,
        places=tuple(
            [replace(place, conceded=seat in state.gone) for seat, place in enumerate(match.places)]
        ),
        board=state.board,
        agenda=state.agenda,
        choice=version if state.asked else 0,
        prompt=state.prompt,
        asked=state.asked,
        answers=state.answers,
        undo=None,
        laid=match.laid or event.why != "undo",
    )


def turn_of(match: Match[Any]) -> Turn:
    """Return the turn under way; an undo can bring an earlier one back."""
    return game_of(match.game).turn(match.board)


def to_state(match: Match[B]) -> State[B]:
    """Return the part of a match that can be set on another table."""
    gone = tuple([seat for seat, place in enumerate(match.places) if place.conceded])
    return State(match.board, match.agenda, match.prompt, match.asked, match.answers, gone)


def state_of(game: str, state: Raw) -> State[Any]:
    """Return a state from its JSON.

    Raises:
        msgspec.ValidationError: no state of that game; the message names the path.
    """
    decoded: State[Any] = msgspec.json.decode(state, type=State[game_of(game).board])  # type: ignore[misc]  # a class known at run time
    return decoded


def _undo_asked(match: Match[B], event: UndoAsked) -> Match[B]:
    request = UndoRequest(seat=event.seat, version=event.version)
    return replace(match, version=match.version + 1, undo=request)


def _undo_answered(match: Match[B], event: UndoAnswered) -> Match[B]:
    undo = match.undo
    if undo is not None:
        undo = replace(undo, agreed=(*undo.agreed, event.seat)) if event.agreed else None
    return replace(match, version=match.version + 1, undo=undo)


def _expired(match: Match[B], event: ChoiceExpired) -> Match[B]:
    # Not `()`: everybody sees who passed this way, and a redacted match holds no picks of others.
    passed = tuple((seat, None) for seat in event.seats)
    return replace(
        match,
        version=match.version + 1,
        undo=None,
        asked=(),
        answers=(*match.answers, *passed),
    )


def _ran_out(match: Match[B], event: TimeRanOut) -> Match[B]:
    return replace(match, version=match.version + 1)


def _conceded(match: Match[B], event: SeatConceded) -> Match[B]:
    place = replace(match.places[event.seat], conceded=True)
    places = _put(match.places, event.seat, place)
    return replace(match, version=match.version + 1, undo=None, places=places)


def _replaced(match: Match[B], event: TokenReplaced) -> Match[B]:
    version = match.version + 1
    if event.seat is None:
        return replace(match, version=version, generation=event.generation)
    place = replace(match.places[event.seat], generation=event.generation)
    return replace(match, version=version, places=_put(match.places, event.seat, place))


def _opened(match: Match[B], event: LogOpened) -> Match[B]:
    return replace(match, version=match.version + 1, opened=True)


def _ended(match: Match[B], event: MatchEnded) -> Match[B]:
    return replace(
        match,
        version=match.version + 1,
        outcome=event.outcome,
        seed=event.seed,
        salt=event.salt,
        agenda=NOTHING,
        choice=0,
        prompt=None,
        asked=(),
        answers=(),
        undo=None,
    )


def _put(places: tuple[Place, ...], seat: Seat, place: Place) -> tuple[Place, ...]:
    return (*places[:seat], place, *places[seat + 1 :])


# The value type says Any because each function takes its own event class.
_STEPS: dict[type[Event], Callable[[Match[Any], Any], Match[Any]]] = {
    SeatFilled: _seat_taken,
    MatchStarted: _started,
    ChoiceOffered: _offered,
    ChoiceMade: _made,
    ChoiceExpired: _expired,
    TimeRanOut: _ran_out,
    SeatConceded: _conceded,
    MatchRestored: _restored,
    UndoAsked: _undo_asked,
    UndoAnswered: _undo_answered,
    TokenReplaced: _replaced,
    LogOpened: _opened,
    MatchEnded: _ended,
}
