"""No output of any operation names a card that its viewer cannot know.

Random matches are walked over HTTP; after every step each viewer asks every operation of the table
for all that it can be told. `CASES` says how; a new operation has no case, and the inventory fails.
"""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from domain.engine.decider import open_choice
from domain.engine.game import game_of
from domain.engine.ids import Viewer
from domain.engine.match import Match
from domain.engine.playout import opening
from domain.engine.worlds import cards_seen
from schema.operations import OPERATIONS, SUBSCRIPTIONS
from service.matches import Matches
from service.store import EventStore
from service.text import Words
from tests.kit.service import Table, Who, lay, service

pytestmark = pytest.mark.anyio

IDS = re.compile(r"[A-Za-z0-9_-]+")
VIEWERS: tuple[Who, ...] = (0, 1, "owner", None)

Case = Callable[[Table, Who], AsyncIterator[httpx.Response]]


def reading(*paths: str, **params: Any) -> Case:
    """Return a case that reads at these paths below the match."""

    async def read(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
        for path in paths:
            yield await table.get(path, who, **params)

    return read


def moving(*bodies: Mapping[str, Any], path: str = "/moves") -> Case:
    """Return a case that sends moves which are refused, or dry runs."""

    async def move(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
        for body in bodies:
            yield await table.post(path, dict(body), who)

    return move


async def rehearsed(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
    """Run the first legal moves dry, and some answers that are none."""
    yield await table.post("/moves", {"type": "choose", "choice": 1, "picks": ["x"]}, who)
    legal = await table.get("/legal-moves", who)
    if legal.is_success and legal.json()["choice"] is not None:
        choice = legal.json()["choice"]
        for move in legal.json()["moves"][:4]:
            yield await table.post("/moves", {**move["body"], "dryRun": True}, who)
        picks = [option["id"] for option in choice["options"][: max(1, choice["min"])]]
        for some in (picks, []):
            body = {"type": "choose", "choice": choice["id"], "picks": some, "dryRun": True}
            yield await table.post("/moves", body, who)


async def explained(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
    """Explain the last events, in both languages."""
    version = (await table.view())["version"]
    for at in range(max(1, version - 5), version + 1):
        for locale in ("en", "ja"):
            yield await table.get(f"/events/{at}/explain", who, locale=locale)


async def described(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
    """Put the match into words, in both languages."""
    for locale in ("en", "ja"):
        yield await table.get("/describe", who, locale=locale, recent=20)


async def exported(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
    """Export the log; the owner of a private match gets it whole, so this table is public."""
    yield await table.get("/log", who)


async def listed(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
    """List the matches."""
    yield await table.client.get("/v1/matches", headers=table.bearer(who))


async def deleted(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
    """Delete a webhook that is not there."""
    path = f"/v1/matches/{table.id}/webhooks/x"
    yield await table.client.delete(path, headers=table.bearer(who))


async def asked(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
    """Ask by GraphQL for what REST answers, as far as it shows cards."""
    query = """query($m: String!) {
        match(id: $m) { version board { __typename } choice { id options { id card } shown } }
        events(matchId: $m) { events { type data } }
        describe(matchId: $m) { text } }"""
    body = {"query": query, "variables": {"m": table.id}}
    yield await table.client.post("/graphql", json=body, headers=table.bearer(who))


X = "x"
CASES: Mapping[str, Case | str] = {
    "games": "shows no match",
    "game": "shows no match",
    "cards": "shows no match: the public catalogue",
    "createMatch": "shows no cards",
    "takeSeat": "shows no cards",
    "rotateToken": "shows no cards",
    "issueToken": "shows no cards",
    "importMatch": "shows no cards; a log is verified, not shown",
    "forkMatch": "shows no cards; what travels is compared in tests/engine/test_fork.py",
    "matchUpdates": "the feed of `events` and `match`; compared in tests/service/live",
    "startMatch": moving({}, path="/start"),
    "matches": listed,
    "match": reading(""),
    "legalMoves": reading("/legal-moves"),
    "events": reading("/events"),
    "explain": explained,
    "describe": described,
    "playCard": moving({"type": "playCard", "card": X}),
    "discardCards": moving({"type": "discardCards", "cards": [X], "dryRun": True}),
    "killTime": moving({"type": "killTime", "cards": [X, X], "dryRun": True}),
    "tapMonuments": moving({"type": "tapMonuments", "monuments": [X], "dryRun": True}),
    "recordKnowledge": moving(
        {
            "type": "recordKnowledge",
            "cards": [X],
            "from": [{"monument": X, "tokens": 1}],
            "dryRun": True,
        }
    ),
    "learnTechnology": moving({"type": "learnTechnology", "technology": X, "dryRun": True}),
    "searchDeck": moving({"type": "searchDeck", "dryRun": True}),
    "respond": moving({"type": "respond", "dryRun": True}),
    "choose": rehearsed,
    "concede": moving({"dryRun": True}, path="/concede"),
    "undo": moving({"dryRun": True}, {"agree": True, "dryRun": True}, path="/undo"),
    "exportLog": exported,
    "position": reading("/position"),
    "webhooks": reading("/webhooks"),
    "createWebhook": moving({"url": "https://x"}, {"url": "http://x"}, path="/webhooks"),
    "deleteWebhook": deleted,
    "rotateWebhookSecret": moving({}, path="/webhooks/x/secret"),
}


def test_every_operation_has_a_case() -> None:
    rows = {row.name for row in OPERATIONS} | {row.name for row in SUBSCRIPTIONS}
    assert CASES.keys() == rows


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
                for name, case in {**CASES, "graphql": asked}.items():
                    if isinstance(case, str):
                        continue
                    async for response in case(table, who):
                        assert response.status_code < 500
                        told = found.told(f"{response.headers} {response.text}", who)
                        assert not told, (name, who, told)
                        checked += 1
            await table.step(chance)
    assert checked > 300


def test_a_leak_would_be_found() -> None:
    """Guards the canary itself: a secret id and a secret name are both seen."""
    _, match = opening("ancient_knowledge", 2, "5eed" * 8)
    found = Secrets(match)
    found.learn(match, None)
    card = match.board.deck[0]
    assert found.told(f"[{card}]", None) == {card}
    assert card in found.told(f"the card {Words('ancient_knowledge', 'ja').card(card)}", None)
