"""Turns that are limited in time: who has used up its time is answered for, or concedes.

Theory of operation. A seat has so many seconds in each turn, whosever turn it is, and its clock
runs while it has to choose; a window has a deadline of its own and costs nobody any time. What a
seat has used follows from the times of the commits (`snapshots`), so every process knows it and
nobody keeps it. Of the bot that answers for a seat, or of the concession, the log holds the result.

As with windows, a deadline `turn:<choice>:<time>` goes into the store before the commit that opens
the choice, and whoever finds it due looks at the match: doing it twice is harmless, for the command
has an id that follows from choice and seat. A deadline far ahead is looked at in between, so that
those of choices answered long ago do not pile up.

The bot answers one choice. What the seat is asked later in the same turn finds it without time, so
the bot goes on at once; with the next turn the seat has its time, and the say, again.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from domain.engine.agenda import Run
from domain.engine.chance import Chance
from domain.engine.decider import carry_out, open_choice
from domain.engine.errors import DomainError
from domain.engine.ids import Seat
from domain.engine.match import Match
from domain.engine.terms import RunOut
from schema.errors import ApiError
from service.bots import pick
from service.deadlines import RETRY_MS, is_past, still_open
from service.matches import Matches, Order
from service.snapshots import Snapshot, deadline, followed, opens
from service.tokens import Keyring, short

KIND: Final = "turn"
_BOT: Final = "greedy"
_FARTHEST_MS: Final = 3_600_000

Schedule = Callable[[str, str, int], Awaitable[None]]

_log = logging.getLogger(__name__)


class Clocks:
    """The clocks of the seats of all matches; a `Watcher`."""

    def __init__(self, matches: Matches, keys: Keyring, schedule: Schedule) -> None:
        self._matches = matches
        self._keys = keys
        self._schedule = schedule

    async def before(self, match_id: str, before: Match[Any], after: Match[Any], at: int) -> None:
        """Set the deadline of a choice that is about to open."""
        if after.limit is None or not opens(before, after):
            return
        known = self._matches.remembered(match_id)
        if known is not None and known.match is before:
            due = self._next(followed(known, after, at), at)
        else:
            due = at  # what the seats have used shows when it is looked at
        if due is not None:
            await self._schedule(match_id, f"{KIND}:{after.choice}:{at}", due)

    def after(self, match_id: str, match: Match[Any]) -> None:
        """Nothing to do: the deadline is set."""

    async def due(self, match_id: str, rest: str) -> int | None:
        """Settle a choice as far as it is time; return when to come back, if at all."""
        number, _, at = rest.partition(":")
        choice = int(number)
        known = await still_open(self._matches, match_id, choice, int(at))
        if not isinstance(known, Snapshot):
            return known
        for seat in known.match.asked:
            end = deadline(known, seat)
            if end is not None and end <= self._matches.clock():
                await self._run_out(match_id, choice, seat)
        known = self._matches.remembered(match_id) or known
        if is_past(known, choice):
            return None
        now = self._matches.clock()
        due = self._next(known, now)
        # What is due still could not be settled.
        return now + RETRY_MS if due is not None and due <= now else due

    def _next(self, known: Snapshot, now: int) -> int | None:
        """Return when the first seat that has to choose is to be looked at."""
        ends = [deadline(known, seat) for seat in known.match.asked]
        return min([min(end, now + _FARTHEST_MS) for end in ends if end is not None], default=None)

    async def _run_out(self, match_id: str, number: int, seat: Seat) -> None:
        def decide(match: Match[Any]) -> Run[Any]:
            choice = open_choice(match, seat)
            picks = None
            if choice is not None and match.limit is not None and match.limit.then == "bot":
                seed = self._keys.derive("bot", match_id, seat).hex()
                picks = pick(match, choice, _BOT, Chance(seed, match.version))
            return carry_out(match, RunOut(seat, number, picks))

        command = short(self._keys.derive("time", match_id, number, seat))
        order = Order(command=command, digest="", seat=None, choice=number)
        try:
            await self._matches.commit(match_id, order, decide)
        except (DomainError, ApiError) as error:
            # Answered, conceded or over meanwhile: then there is nothing to do.
            _log.debug("a clock came late: %s", type(error).__name__)
