"""What a match agrees on beside the rules of its game: time for a turn, and what spectators see."""

from msgspec import Struct

from domain.engine.errors import InvalidOptions
from domain.engine.events import Spectators, TurnLimit
from domain.engine.ids import Picks, Seat

TURN_SECONDS = range(1, 14 * 24 * 3600 + 1)
"""How long a turn may be limited to."""
DELAYS = range(1, 21)
"""How many turns spectators may be behind."""


class RunOut(Struct, frozen=True):
    """The time of this seat is up: a bot answers its choice with these picks, or it concedes."""

    seat: Seat
    choice: int
    picks: Picks | None = None


def check_terms(limit: TurnLimit | None, spectators: Spectators | None) -> None:
    """Refuse terms that no match may have. Raises: InvalidOptions."""
    if limit is not None and limit.seconds not in TURN_SECONDS:
        raise InvalidOptions(
            f"a turn takes {TURN_SECONDS[0]} to {TURN_SECONDS[-1]} seconds",
            seconds=[TURN_SECONDS[0], TURN_SECONDS[-1]],
        )
    if spectators is not None and spectators.delay not in (None, *DELAYS):
        raise InvalidOptions(
            f"spectators are {DELAYS[0]} to {DELAYS[-1]} turns behind",
            delay=[DELAYS[0], DELAYS[-1]],
        )
