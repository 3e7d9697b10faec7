"""Bots: seats that the service plays, with no more knowledge than a person on them would have.

Whoever commits also wakes the bots that the commit leaves asked; a few tasks take one ply after the
other, each match in its turn, so that a match of bots alone keeps nobody waiting. A bot answers at
once, a window like anything else and whatever it holds, so its timing tells nothing.

So that a process that dies loses no bot's turn, a match with bots asked always has the deadline
`bots` in the store, which is pushed ahead while it is played. Whoever finds it due goes on. Two
processes at one match do no harm: their commands have the same ids, and the one that comes second
leaves the match to the other.
"""

import asyncio
import logging
from itertools import islice
from typing import Any, Final

from domain.engine.agenda import Run
from domain.engine.chance import Chance
from domain.engine.choices import Choice, answers
from domain.engine.decider import Choose, carry_out, open_choice
from domain.engine.errors import DomainError
from domain.engine.game import game_of
from domain.engine.ids import Picks, Seat
from domain.engine.match import Match
from domain.engine.playout import ANSWER_LIMIT, at_random
from domain.engine.redaction import redact
from domain.engine.stumbles import Guarded
from schema.errors import ApiError
from service.http import report
from service.matches import Matches, Order
from service.store import StoreError, StoreUnavailable
from service.tokens import Keyring, short
from service.undo import consent

KEY: Final = "bots"
_TASKS: Final = 4
_LEASE_MS: Final = 5_000
_LEASES: Final = 10_000  # remembered before old ones are dropped
_PAUSE_SECONDS: Final = 0.5

_log = logging.getLogger(__name__)


def waiting_bot(match: Match[Any]) -> Seat | None:
    """Return a seat of a bot that has to answer now: an undo that is asked for, or a choice."""
    for seat, place in enumerate(match.places):
        if place.bot is not None and asks_undo(match, seat):
            return seat
    for seat in match.asked:
        if match.places[seat].bot is not None:
            return seat
    return None


def asks_undo(match: Match[Any], seat: Seat) -> bool:
    """Tell whether somebody asks the seat for an undo."""
    undo = match.undo
    if undo is None or match.places[seat].conceded:
        return False
    return seat not in (undo.seat, *undo.agreed)


def pick(match: Match[Any], choice: Choice, kind: str, chance: Chance) -> Picks:
    """Return the answer of a bot of that kind; it looks at the match as its seat sees it."""
    seen = redact(match, choice.seat)
    choose = greedily if kind == "greedy" else at_random
    with Guarded(match):
        return choose(seen, choice, chance)


def greedily(seen: Match[Any], choice: Choice, chance: Chance) -> Picks:
    """Return one of the answers that the game's greedy bot likes best."""
    like = game_of(seen.game).greedy
    legal = tuple(islice(answers(choice), ANSWER_LIMIT))
    liked = [like(seen, choice, picks) for picks in legal]
    best = max(liked)
    equals = [picks for picks, much in zip(legal, liked, strict=True) if much == best]
    return equals[chance.below(len(equals))]


class Bots:
    """The bots of this process; a `Watcher` of its matches."""

    def __init__(self, matches: Matches, keys: Keyring) -> None:
        self._matches = matches
        self._keys = keys
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._queued: set[str] = set()
        self._leased: dict[str, int] = {}  # match id: when its deadline is due at the earliest

    async def before(self, match_id: str, before: Match[Any], after: Match[Any], at: int) -> None:
        """Have a deadline in the store for whoever must go on if this process ends here."""
        if waiting_bot(after) is None:
            return
        now = self._matches.clock()
        if self._leased.get(match_id, 0) < now + _LEASE_MS // 2:
            await self._matches.store.schedule(match_id, KEY, now + _LEASE_MS)
            self._leased[match_id] = now + _LEASE_MS
            if len(self._leased) > _LEASES:
                self._leased = {id: due for id, due in self._leased.items() if due > now}

    def after(self, match_id: str, match: Match[Any]) -> None:
        """Let the bots of the match go on."""
        if waiting_bot(match) is not None:
            self.wake(match_id)
        elif match.outcome is not None:
            self._leased.pop(match_id, None)

    def wake(self, match_id: str) -> None:
        """Let a bot of the match have its turn soon."""
        if match_id not in self._queued:
            self._queued.add(match_id)
            self._queue.put_nowait(match_id)

    async def due(self, match_id: str, _: str) -> int | None:
        """Go on where a deadline was found due; return when to look again, if at all."""
        self._leased.pop(match_id, None)
        snapshot = await self._matches.newest(match_id)
        if waiting_bot(snapshot.match) is None:
            return None
        self.wake(match_id)
        return self._matches.clock() + _LEASE_MS

    async def run(self) -> None:
        """Play until cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(_TASKS):
                group.create_task(self._play())

    async def _play(self) -> None:
        while True:
            match_id = await self._queue.get()
            self._queued.discard(match_id)
            try:
                await self._ply(match_id)
            except StoreUnavailable:
                # The deadline brings the match back.
                await asyncio.sleep(_PAUSE_SECONDS)
            except (DomainError, ApiError, StoreError) as error:
                # Somebody else was quicker, and goes on.
                _log.debug("a bot was overtaken: %s", type(error).__name__)
            except Exception as error:
                report(error)
            # A store in memory never waits; everybody else gets a turn all the same.
            await asyncio.sleep(0)

    async def _ply(self, match_id: str) -> None:
        snapshot = self._matches.remembered(match_id) or await self._matches.newest(match_id)
        match = snapshot.match
        seat = waiting_bot(match)
        if seat is None:
            return
        if asks_undo(match, seat):
            command = short(self._keys.derive("undo", match_id, match.version, seat))
            order = Order(command=command, digest="", seat=seat)
            await consent(self._matches, match_id, order)
            return
        number = match.choice

        def decide(match: Match[Any]) -> Run[Any]:
            choice = open_choice(match, seat)
            kind = match.places[seat].bot
            if choice is None or kind is None or choice.id != number:
                return carry_out(match, Choose(seat, number, ((),)))  # is refused
            seed = self._keys.derive("bot", match_id, seat).hex()
            picks = pick(match, choice, kind, Chance(seed, match.version))
            return carry_out(match, Choose(seat, choice.id, (picks,)))

        command = short(self._keys.derive("bot", match_id, number, seat))
        order = Order(command=command, digest="", seat=seat, choice=number)
        await self._matches.commit(match_id, order, decide)
