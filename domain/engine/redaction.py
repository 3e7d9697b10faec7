"""What a viewer may see of a match and of an event; same types, hidden things face down or absent.

The redaction law ties both together: for every event `e` and viewer `v`,
`redact(evolve(m, e), v) == evolve(redact(m, v), redact_event(e, v))`. So a client that folds its
own feed holds exactly what a fresh read would give it.
"""

from typing import TypeVar

from msgspec.structs import replace

from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    ChoiceOffered,
    Event,
    MatchCreated,
    MatchEnded,
    MatchStarted,
    SeatConceded,
    SeatFilled,
)
from domain.engine.game import game_of
from domain.engine.ids import Viewer
from domain.engine.match import NOTHING, Match

B = TypeVar("B")


def redact(match: Match[B], viewer: Viewer) -> Match[B]:
    """Return the match as the viewer sees it.

    Seed and salt stay secret while the match runs, the agenda always. Who has answered shows, what
    was picked only to the seat itself; the prompt shows to the seats that are or were asked.
    """
    if viewer == "all":
        return match
    over = match.outcome is not None
    answered = tuple(seat for seat, _ in match.answers)
    involved = viewer in match.asked or viewer in answered
    return replace(
        match,
        seed=match.seed if over else None,
        salt=match.salt if over else None,
        agenda=NOTHING,
        prompt=match.prompt if involved else None,
        answers=tuple((seat, picks if seat == viewer else None) for seat, picks in match.answers),
        board=game_of(match.game).redact(match.board, viewer),
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
        case (
            MatchCreated()
            | SeatFilled()
            | ChoiceMade()
            | ChoiceExpired()
            | SeatConceded()
            | MatchEnded()
        ):
            return event
        case _:
            return game_of(game).redact_event(event, viewer)
