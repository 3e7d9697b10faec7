"""What a viewer may see of a match and of an event; same types, hidden things face down or absent.

The redaction law ties both together: for every event `e` and viewer `v`,
`redact(evolve(m, e), v) == evolve(redact(m, v), redact_event(e, v))`. So a client that folds its
own feed holds exactly what a fresh read would give it.
"""

from typing import TypeVar

from msgspec import Raw
from msgspec.structs import replace

from domain.engine.codec import encode
from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    ChoiceOffered,
    Event,
    LogOpened,
    MatchCreated,
    MatchEnded,
    MatchRestored,
    MatchStarted,
    SeatConceded,
    SeatFilled,
    TimeRanOut,
    TokenReplaced,
    UndoAnswered,
    UndoAsked,
)
from domain.engine.game import game_of
from domain.engine.ids import Viewer
from domain.engine.match import NOTHING, Match, State, state_of, to_state

B = TypeVar("B")


def redact(match: Match[B], viewer: Viewer) -> Match[B]:
    """Return the match as the viewer sees it.

    Seed and salt stay secret while the match runs, the agenda always. Who has answered shows, what
    was picked only to the seat itself; the prompt shows to the seats that are or were asked.
    """
    if viewer == "all":
        return match
    over = match.outcome is not None
    seen = redact_state(to_state(match), viewer, match.game)
    return replace(
        match,
        seed=match.seed if over else None,
        salt=match.salt if over else None,
        agenda=NOTHING,
        prompt=seen.prompt,
        answers=seen.answers,
        board=seen.board,
    )


def redact_state(state: State[B], viewer: Viewer, game: str) -> State[B]:
    """Return a state as the viewer sees it, by the same rules as a match."""
    answered = tuple(seat for seat, _ in state.answers)
    involved = viewer in state.asked or viewer in answered
    return State(
        board=game_of(game).redact(state.board, viewer),
        prompt=state.prompt if involved else None,
        asked=state.asked,
        answers=tuple((seat, picks if seat == viewer else None) for seat, picks in state.answers),
        gone=state.gone,
    )


def redact_event(event: Event, viewer: Viewer, game: str) -> Event:
    """Return the event as the viewer sees it; its type and its place in the order never change."""
    if viewer == "all":
        return event
    match event:
        case ChoiceOffered(seats=seats):
            prompt = event.prompt if viewer in seats else None
            return replace(event, agenda=NOTHING, prompt=prompt)
        case ChoiceMade(seat=seat) if seat != viewer:
            return replace(event, picks=None)
        case MatchStarted():
            return replace(event, seed=None, salt=None)
        case MatchRestored():
            seen = redact_state(state_of(game, event.state), viewer, game)
            return replace(event, state=Raw(encode(seen)))
        case (
            MatchCreated()
            | SeatFilled()
            | ChoiceMade()
            | ChoiceExpired()
            | TimeRanOut()
            | SeatConceded()
            | UndoAsked()
            | UndoAnswered()
            | TokenReplaced()
            | LogOpened()
            | MatchEnded()
        ):
            return event
        case _:
            return game_of(game).redact_event(event, viewer)
