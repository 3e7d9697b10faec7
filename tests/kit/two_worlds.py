"""Two worlds over HTTP: a match stored twice that differs only in cards that a viewer never saw.

A match is played at random, then its log is written again with such cards exchanged for one another
wherever they stand. Both logs are served by the same service, under the same tokens and times, so
that whatever the viewer is answered has to be the same to the last byte, and so has its length.
"""

import copy
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from domain.engine.chance import Chance
from domain.engine.codec import codec
from domain.engine.decider import fold, open_choice
from domain.engine.game import game_of
from domain.engine.ids import Seat, Viewer
from domain.engine.match import Match
from domain.engine.worlds import cards_seen
from service.store import Commit, MemoryStore
from tests.kit.service import Body, Clock, Table, lay, service

_WORDS = re.compile(rb"[A-Za-z0-9_-]+")


class Pair(NamedTuple):
    """The same table in both worlds, and how many cards are exchanged."""

    here: Table
    there: Table
    exchanged: int


@asynccontextmanager
async def two_worlds(
    game: str,
    viewer: Viewer,
    directory: Path,
    steps: int,
    number: int,
    turn_of: Seat | None = None,
    **settings: Any,
) -> AsyncIterator[Pair]:
    """Play some steps; give the table as it is, and as it would be with other hidden cards.

    With `turn_of`, go on until a turn of that seat begins.
    """
    store, clock = MemoryStore(), Clock()
    async with service(store, directory, clock) as http:
        table = await lay(http, 2, game=game, visibility="public")
        for step in count():
            moved = await table.step(Chance(f"two worlds {number}", step))
            if step + 1 >= steps and (turn_of is None or _begins(moved, turn_of)):
                break
    commits = await store.load(table.id)
    swapped = exchanges(game, commits, viewer, Chance(f"two worlds {number}", 0))
    other = copy.deepcopy(store)
    other._logs[table.id] = [
        replace(commit, events=_renamed(commit.events, swapped)) for commit in commits
    ]
    async with (
        service(store, directory, clock, **settings) as here,
        service(other, directory, clock, **settings) as there,
    ):
        yield Pair(_at(table, here), _at(table, there), len(swapped))


def _begins(moved: Body | None, seat: Seat) -> bool:
    """Tell whether a turn of the seat begins with a move."""
    return moved is not None and any(
        event["type"].endswith(".turn_started") and event["data"]["seat"] == seat
        for event in moved["events"]
    )


def exchanges(
    game: str, commits: tuple[Commit, ...], viewer: Viewer, chance: Chance
) -> Mapping[bytes, bytes]:
    """Return which cards that the viewer never saw stand for which others of their deck."""
    seen: set[str] = set()
    match: Match[Any] | None = None
    for commit in commits:
        for event in codec(game).events(commit.events):
            match = fold((event,), match)
            if match.started:
                seen |= cards_seen(match, viewer).keys()
                choice = open_choice(match, viewer) if isinstance(viewer, int) else None
                if choice is not None:
                    seen |= {*choice.shown, *(option.card or "" for option in choice.options)}
    assert match is not None
    decks = game_of(game).decks(match.board)
    unique = {card.id for card in game_of(game).cards(match.facts) if card.count == 1}
    found: dict[bytes, bytes] = {}
    for deck in sorted(set(decks.values())):
        cards = sorted(card for card in unique & decks.keys() - seen if decks[card] == deck)
        shuffled = chance.shuffled(cards)
        found |= {a.encode(): b.encode() for a, b in zip(cards, shuffled, strict=True) if a != b}
    return found


def _renamed(events: bytes, names: Mapping[bytes, bytes]) -> bytes:
    return _WORDS.sub(lambda word: names.get(word[0], word[0]), events)


def _at(table: Table, client: Any) -> Table:
    other = copy.copy(table)
    other.client = client
    return other
