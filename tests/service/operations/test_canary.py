"""No output of any operation names a card that its viewer cannot know.

Random matches are walked over HTTP; after every step each viewer asks every operation of the table
for all that it can be told, by every way (`tests/service/outputs.py`).
"""

import re
from pathlib import Path
from typing import Any

import pytest

from domain.engine.chance import Chance
from domain.engine.decider import open_choice
from domain.engine.game import game_of
from domain.engine.ids import Viewer
from domain.engine.match import Match
from domain.engine.playout import opening
from domain.engine.worlds import cards_seen
from service.matches import Matches
from service.store import EventStore
from service.text import Words
from tests.kit.service import Who, lay, service
from tests.service.outputs import everything

pytestmark = pytest.mark.anyio

IDS = re.compile(r"[A-Za-z0-9_-]+")
VIEWERS: tuple[Who, ...] = (0, 1, "owner", None)


class Secrets:
    """What each viewer has come to know, and how a secret would show."""

    def __init__(self, match: Match[Any]) -> None:
        game = game_of(match.game)
        decks = game.decks(match.board)  # the cards of the TimeLine lie open, in no deck
        cards = [card for card in game.cards(match.facts) if card.id in decks]
        self.unique = {card.id for card in cards if card.count == 1}
        words = [Words(match.game, locale) for locale in ("en", "ja")]
        self.names = {card.id: {one.card(card.id) for one in words} for card in cards}
        self.known: dict[Who, set[str]] = {who: set() for who in VIEWERS}

    def learn(self, match: Match[Any], who: Who) -> None:
        """Take in what lies open for the viewer now, on the table and in its choice."""
        viewer: Viewer = who if isinstance(who, int) else None
        self.known[who] |= cards_seen(match, viewer).keys()
        choice = open_choice(match, viewer) if isinstance(viewer, int) else None
        if choice is not None:
            cards = {option.card for option in choice.options if option.card is not None}
            self.known[who] |= {*choice.shown, *cards}

    def hidden(self, who: Who) -> set[str]:
        return self.unique - self.known[who]

    def told(self, text: str, who: Who) -> set[str]:
        """Return the secrets that a text names, by id or by name."""
        found = set(IDS.findall(text)) & self.hidden(who)
        open_names = sorted(
            (name for card in self.known[who] for name in self.names.get(card, ())),
            key=len,
            reverse=True,
        )
        for name in open_names:
            text = text.replace(name, "")
        return found | {
            card for card in self.hidden(who) for name in self.names[card] if name in text
        }


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
@pytest.mark.parametrize("seed", [1])
async def test_no_operation_names_a_card_that_only_others_know(
    memory: EventStore, tmp_path: Path, game: str, seed: int
) -> None:
    chance, matches = Chance(f"canary {seed}", 0), Matches(memory)
    checked = 0
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2, game=game, visibility="public")
        found = Secrets((await matches.newest(table.id)).match)
        for _ in range(8):
            match = (await matches.newest(table.id)).match
            for who in VIEWERS:
                found.learn(match, who)
                assert found.hidden(who), "there is always something left to hide"
                async for answer in everything(table, who):
                    assert answer.status < 500, answer
                    told = found.told(answer.text, who)
                    assert not told, (answer.way, who, told)
                    checked += 1
            await table.step(chance)
    assert checked > 2_000


def test_a_leak_would_be_found() -> None:
    """Guards the canary itself: a secret id and a secret name are both seen."""
    _, match = opening("ancient_knowledge", 2, "5eed" * 8)
    found = Secrets(match)
    found.learn(match, None)
    card = match.board.deck[0]
    assert found.told(f"[{card}]", None) == {card}
    assert card in found.told(f"the card {Words('ancient_knowledge', 'ja').card(card)}", None)
