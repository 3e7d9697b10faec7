"""No output tells a secret: cards that only another seat holds, and who passes by itself.

The canary test walks whole random matches over HTTP. After every step each viewer asks for
everything there is to ask, and no body, header or log line may hold the id of a card that this
viewer cannot know: one that lies in no place open to it, now or ever before.
"""

import logging
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest

from domain.engine.chance import Chance
from domain.engine.match import Match
from domain.engine.redaction import redact
from domain.games.chrononauts.board import Board
from service.deadlines import Deadlines
from service.matches import Matches
from service.store import EventStore, MemoryStore
from service.tokens import Keyring
from tests.kit.service import SIGNING_KEY, Clock, Table, Who, answered, lay, pick, service, until

pytestmark = pytest.mark.anyio

SEEDS = [f"{number:02x}" * 16 for number in range(1, 5)]
WORDS = re.compile(r"[A-Za-z0-9_-]+")
VIEWERS: tuple[Who, ...] = (0, 1, 2, "owner", None)


def cards_of(board: Board) -> Iterator[tuple[str, ...]]:
    """Yield every place on the table with the cards that lie there, face-down ones left out."""
    piles = [board.draw, board.identities, board.missions]
    zones: list[Sequence[str | None]] = [pile.cards for pile in piles]
    zones += [pile.discards for pile in piles]
    for one in board.seats:
        zones += [one.hand, *one.small, one.identity, one.mission, one.artifacts]
    zones += [[play.card for play in board.plays], board.waiting, board.home]
    zones += [[card for _, card in board.patches]]
    for zone in zones:
        yield tuple(card for card in zone if card is not None)


def unique_cards(match: Match[Any]) -> frozenset[str]:
    """Return the ids of play cards of which there is one only."""
    catalogue = match.board.cards
    return frozenset(card.id for card in catalogue.play.values() if card.count == 1)


async def everything(table: Table, who: Who) -> str:
    """Return all that a viewer can be told, headers included."""
    texts = []
    for path in ("", "/events", "/log", "/legal-moves"):
        if who == "owner" and path == "/log":
            continue  # the owner of a private match may have it; see `test_access`
        response = await table.get(path, who)
        texts.append(f"{response.headers} {response.text}")
    for body in (
        {"type": "choose", "choice": 1, "picks": ["x"]},
        {"type": "playCard", "card": "x"},
    ):
        response = await table.post("/moves", body, who)
        texts.append(f"{response.headers} {response.text}")
    query = {
        "query": "query($m: ID!) { match(id: $m) { version board { __typename } choice { id } } "
        "events(matchId: $m) { events { type data } } }",
        "variables": {"m": table.id},
    }
    response = await table.client.post("/graphql", json=query, headers=table.bearer(who))
    texts.append(f"{response.headers} {response.text}")
    return "\n".join(texts)


@pytest.mark.parametrize("seed", SEEDS)
async def test_nobody_is_told_of_a_card_that_only_others_know(
    memory: EventStore, tmp_path: Path, seed: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "service")
    chance = Chance(seed, 0)
    matches = Matches(memory)
    async with service(memory, tmp_path) as client:
        table = await lay(client, 3, visibility="public", options={"turnCap": 40})
        known: dict[Who, set[str]] = {who: set() for who in VIEWERS}
        checked = 0
        for _ in range(25):
            snapshot = await matches.newest(table.id)
            match = snapshot.match
            if match.outcome is not None:
                break
            unique = unique_cards(match)
            for who in VIEWERS:
                board = redact(match, who if isinstance(who, int) else None).board
                known[who] |= {card for zone in cards_of(board) for card in zone}
                choice = (await table.view(who))["choice"]
                if choice is not None:
                    known[who] |= set(choice["shown"])
                    known[who] |= {option.get("card") for option in choice["options"]}
                told = set(WORDS.findall(await everything(table, who)))
                secret = unique - known[who]
                assert secret, "there is always something left to hide"
                assert not told & secret
                checked += 1
            assert not set(WORDS.findall(caplog.text)) & (unique - known[None])
            caplog.clear()
            await table.step(chance)
        assert checked >= 100


async def seen_by_others(table: Table, seat: int) -> list[str]:
    """Return all that everybody but one seat is told."""
    viewers: list[Who] = [who for who in (0, 1, 2, None) if who != seat]
    return [await everything(table, who) for who in viewers]


async def moved_on(table: Table, version: int) -> bool | None:
    return True if (await table.view())["version"] > version else None


async def play(tmp_path: Path, standing: bool) -> list[str]:
    """Play until a window; seat 1 passes by its own hand, or by itself. What the others see."""
    told: list[str] = []
    clock, store = Clock(), MemoryStore()
    async with service(store, tmp_path, clock, standing_pass_seconds="1-1") as client:
        # Ids drawn anew are as long as others, but compress to another length.
        client.headers["accept-encoding"] = "identity"
        deadlines = Deadlines(Matches(store, clock), Keyring((SIGNING_KEY.encode(),)), (1, 1), {})
        table = await lay(client, 3, visibility="public", commandId="the-same-in-both-worlds")
        if standing:
            answered(await table.move(1, {"type": "respond", "standing": True}))
        for number in range(4):
            chance = Chance(SEEDS[0], number)
            view = await table.to_window(chance)
            while 1 not in view["awaiting"]:
                for seat in view["awaiting"]:
                    answered(await table.move(seat, {"type": "respond"}))
                view = await table.to_window(chance)
            told += await seen_by_others(table, 1)
            clock.now += 1_000
            if standing:
                await deadlines.settle()  # or the service is quicker
                await until(partial(moved_on, table, view["version"]))
            else:
                answered(await table.move(1, {"type": "respond", "card": None}))
            told += await seen_by_others(table, 1)
            for seat in view["awaiting"]:
                if seat != 1:
                    answered(await table.move(seat, {"type": "respond"}))
    # Request ids, and the viewer's own command ids with the hashes over them, are drawn anew.
    drawn = re.compile(r"'x-request-id': '\w+'|\"(command|hash)\":\"[^\"]+\"")
    return [drawn.sub("", text) for text in told]


async def test_a_standing_pass_looks_like_a_person_to_everybody_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "service")
    logs, worlds = [], []
    for standing in (False, True):
        caplog.clear()
        worlds.append(await play(tmp_path, standing))
        logs.append([record.name for record in caplog.records if "service" in record.name])
    assert worlds[0] == worlds[1]
    assert set(logs[0]) == set(logs[1])


async def test_a_window_looks_alike_whoever_holds_an_answer(tmp_path: Path) -> None:
    """Every other seat is asked, with a Memo or without, and is told apart by nothing."""
    async with service(MemoryStore(), tmp_path) as client:
        table = await lay(client, 4)
        for number in range(5):
            chance = Chance(SEEDS[1], number)
            view = await table.to_window(chance)
            plays = view["board"]["plays"]
            assert sorted(view["awaiting"]) == [
                seat for seat in range(4) if seat != plays[-1]["seat"]
            ]
            for seat in view["awaiting"]:
                choice = cast(dict[str, Any], (await table.legal(seat))["choice"])
                assert choice["min"] == 0
                answered(await table.move(seat, pick({"choice": choice, "moves": []}, chance)))
