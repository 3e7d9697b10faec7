"""A game with nothing but rules, the one of the tutorial: no positions, no texts, no catalogue."""

import httpx
import pytest

from domain.engine.chance import Chance
from service import catalogue
from tests.games.toy.game import TOY
from tests.kit.service import Table, answered, lay, pick, refused

pytestmark = pytest.mark.anyio


@pytest.fixture
async def table(http: httpx.AsyncClient) -> Table:
    return await lay(http, 3, game=TOY.name, options={"lastTurn": 9})


async def test_every_move_that_is_listed_is_taken(table: Table) -> None:
    """Told from `choose` by its name, so that a move with no operation would be noticed."""
    names, number = set(), 0
    while (seat := await table.next_seat()) is not None:
        legal = await table.legal(seat)
        for move in legal["moves"]:
            answered(await table.move(seat, {**move["body"], "dryRun": True}))
            names.add(move["body"]["type"])
        answered(await table.move(seat, pick(legal, Chance(f"{0x70E:032x}", number))))
        number += 1
    assert names == {"playCard", "respond", "discardCards", "choose"}
    assert (await table.view())["status"] == "finished"


@pytest.mark.parametrize("locale", ["en", "ja"])
async def test_it_is_told_in_every_language(table: Table, locale: str) -> None:
    text = answered(await table.get("/describe", 0, locale=locale))["text"]
    assert "Magpies" in text
    assert answered(await table.get("/events/6/explain", 0, locale=locale))["text"]


@pytest.mark.parametrize("locale", ["en", "ja"])
async def test_its_catalogue_is_empty(http: httpx.AsyncClient, locale: str) -> None:
    cards = answered(await http.get("/v1/games/toy/cards", params={"locale": locale}))
    assert cards == {"game": "toy", "locale": "en", "cards": []}


async def test_it_has_no_positions(http: httpx.AsyncClient, table: Table) -> None:
    assert catalogue.game(TOY.name).position_schema is False
    assert refused(await table.get("/position", "admin")) == (404, "not_found")
    document = {"format": "stele-position", "v": 1, "game": "toy", "ruleset": 1, "seats": 3}
    position = {**document, "board": {}}
    created = await http.post("/v1/matches", json={"game": "toy", "seats": 3, "position": position})
    assert refused(created) == (422, "illegal_position")
    assert [fault["path"] for fault in created.json()["errors"]] == ["game"]


async def test_it_is_forked_and_taken_in(http: httpx.AsyncClient, table: Table) -> None:
    version = (await table.view())["version"]
    bots = [{"seat": seat, "bot": "random"} for seat in (1, 2)]
    forked = answered(await table.post("/fork", {"at": version, "seats": bots}, 0))
    assert forked["matchId"] != table.id
    text = (await table.get("/log", "owner")).text
    assert answered(await http.post("/v1/matches/import", json={"text": text}))
