"""The list of matches: pages, filters, and nothing about matches of others."""

import json
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from domain.engine.chance import Chance
from domain.engine.playout import opening
from service.listing import Index
from service.store import EventStore
from tests.kit.service import ADMIN_TOKEN, Body, answered, lay, refused

pytestmark = pytest.mark.anyio


async def page(http: httpx.AsyncClient, token: str | None = None, **params: Any) -> Body:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = await http.get("/v1/matches", params=params, headers=headers)
    assert response.headers["cache-control"].startswith("private")
    return answered(response)


def ids(found: Body) -> list[str]:
    return [edge["node"]["matchId"] for edge in found["edges"]]


async def test_public_matches_and_the_own_one_are_listed(http: httpx.AsyncClient) -> None:
    hidden = await lay(http, 2)
    shown = await lay(http, 3, sit=False, visibility="public")
    own = await lay(http, 2, game="ancient_knowledge", sit=False)
    assert ids(await page(http)) == [shown.id]
    assert set(ids(await page(http, own.owner))) == {shown.id, own.id}
    assert set(ids(await page(http, hidden.tokens[0]))) == {shown.id, hidden.id}
    assert set(ids(await page(http, ADMIN_TOKEN))) == {hidden.id, shown.id, own.id}
    assert ids(await page(http, own.owner, visibility="mine")) == [own.id]
    assert ids(await page(http, own.owner, visibility="public")) == [shown.id]
    assert ids(await page(http, own.owner, game="ancient_knowledge")) == [own.id]
    assert ids(await page(http, visibility="mine")) == []


async def test_a_node_tells_state_and_free_seats(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, sit=False, visibility="public")

    async def node() -> Body:
        (edge,) = (await page(http))["edges"]
        found: Body = edge["node"]
        return found

    first = await node()
    assert (first["status"], first["seats"], first["freeSeats"]) == ("open", 2, 2)
    assert first["createdAt"] == (await table.view())["createdAt"]
    await table.sit(0)
    assert (await node())["freeSeats"] == 1
    await table.sit(1)
    assert ((await node())["status"], (await node())["freeSeats"]) == ("running", 0)
    assert ids(await page(http, status="open")) == []
    assert ids(await page(http, status="running")) == [table.id]
    answered(await table.post("/concede", {}, 0))
    assert (await node())["status"] == "finished"


async def test_pages_join_without_gap_or_repeat(http: httpx.AsyncClient) -> None:
    tables = [
        await lay(http, 2, sit=False, visibility="public" if number % 2 else "private")
        for number in range(10)
    ]
    wanted = [table.id for table in reversed(tables) if tables.index(table) % 2]
    joined: list[str] = []
    after: dict[str, str] = {}
    while True:
        found = await page(http, first=2, **after)
        assert len(found["edges"]) <= 2
        joined += ids(found)
        assert found["pageInfo"]["hasPreviousPage"] == bool(after)
        if not found["pageInfo"]["hasNextPage"]:
            break
        after = {"after": found["pageInfo"]["endCursor"]}
    assert sorted(joined) == sorted(wanted)
    assert len(joined) == len(wanted)


async def test_a_cursor_names_no_match(http: httpx.AsyncClient) -> None:
    hidden = await lay(http, 2, sit=False)
    found = await page(http)
    cursor = found["pageInfo"]["endCursor"]
    assert found["edges"] == []
    assert cursor is not None
    assert hidden.id not in json.dumps(found)
    assert (await page(http, after=cursor))["edges"] == []
    for wrong in ("x", "€", cursor[:-1], cursor + "A", "A" * 40):
        response = await http.get("/v1/matches", params={"after": wrong})
        assert refused(response) == (404, "not_found")


async def test_wrong_filters_are_named(http: httpx.AsyncClient) -> None:
    for params, path in (
        ({"status": "lost"}, "status"),
        ({"first": 1000}, "first"),
        ({"owner": "me"}, "owner"),
        ({"filter": "x"}, "filter"),
    ):
        response = await http.get("/v1/matches", params=params)
        assert refused(response) == (400, "malformed")
        assert path in [one["path"] for one in response.json()["errors"]]


async def test_graphql_gives_the_same_page(http: httpx.AsyncClient) -> None:
    await lay(http, 2, sit=False, visibility="public")
    other = await lay(http, 2, visibility="public")
    query = """query($f: MatchFilter) { matches(filter: $f, first: 5) {
        edges { cursor node { matchId game status visibility createdAt seats freeSeats } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }"""
    body = {"query": query, "variables": {"f": {"status": "running"}}}
    response = await http.post("/graphql", json=body)
    found = response.json()["data"]["matches"]
    assert found == await page(http, first=5, status="running")
    assert ids(found) == [other.id]


async def test_a_match_of_an_older_build_is_asked_itself(
    http: httpx.AsyncClient, memory: EventStore
) -> None:
    table = await lay(http, 2, visibility="public")
    commits = await memory.load(table.id)
    await memory.create("older", commits[0], {"visibility": "public"})
    found = await page(http, status="open")
    assert ids(found) == ["older"]


async def test_a_long_search_ends_early_and_goes_on(
    http: httpx.AsyncClient, memory: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.listing._CHUNK", 2)
    monkeypatch.setattr("service.listing._CHUNKS", 2)
    first = await lay(http, 2, sit=False, visibility="public")
    for _ in range(5):
        await lay(http, 2, sit=False)
    found = await page(http)
    assert ids(found) == []
    assert found["pageInfo"]["hasNextPage"]
    rest = await page(http, after=found["pageInfo"]["endCursor"])
    assert ids(rest) == [first.id]


async def test_the_index_is_written_once_for_each_change(
    http: httpx.AsyncClient, memory: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await lay(http, 2, visibility="public")
    written: list[object] = []
    monkeypatch.setattr(memory, "set_listing", lambda *words: written.append(words))
    for number in range(4):
        await table.step(Chance("index", number))
    assert written == []


async def test_little_is_remembered(memory: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.listing._REMEMBERED", 1)
    index = Index(memory)
    _, match = opening("chrononauts", 2, "5eed" * 8)
    for name in ("a", "b"):
        await index.before(name, replace(match, version=1), match, 1)
    assert list(index._known) == ["b"]
