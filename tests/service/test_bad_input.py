"""Every bad input that reaches the service over HTTP: refused by its code, and nothing appended."""

from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from service.store import EventStore
from tests.kit.service import Table, answered, lay, refused

pytestmark = pytest.mark.anyio

JSON = {"Content-Type": "application/json"}


@pytest.fixture
async def table(http: httpx.AsyncClient) -> Table:
    return await lay(http, 2)


async def unchanged(table: Table, store: EventStore, response: httpx.Response) -> tuple[int, str]:
    """Return the refusal; the match has no event more than its opening."""
    assert await store.last_version(table.id) == len(
        answered(await table.get("/events", "owner"))["events"]
    )
    assert len({commit.command for commit in await store.load(table.id)}) == 3
    return refused(response)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"type": "playCard", "card": "no such card"}, 422, "illegal_move"),
        ({"type": "discardCards", "cards": ["no such card"]}, 422, "illegal_move"),
        ({"type": "killTime", "cards": ["no such card", "nor this"]}, 422, "illegal_move"),
        ({"type": "respond", "card": None}, 422, "illegal_move"),
        ({"type": "choose", "choice": 999, "picks": []}, 409, "unknown_choice"),
        ({"type": "playCard", "card": "P1868", "linchpin": "1865"}, 400, "malformed"),
        ({"type": "playCard", "card": "P1868", "seat": 1}, 400, "malformed"),
        ({"type": "playCard"}, 400, "malformed"),
        ({"type": "flyAway"}, 400, "malformed"),
        ({"type": ["choose"]}, 400, "malformed"),
        ({"type": "choose", "choice": "1", "picks": []}, 400, "malformed"),
        ({"type": "choose", "choice": -1, "picks": []}, 400, "malformed"),
        ({"type": "choose", "choice": 1, "picks": [{}]}, 400, "malformed"),
        ({"type": "choose", "choice": 1, "picks": ["x" * 200]}, 400, "malformed"),
        ({"type": "choose", "choice": 1, "picks": ["x"] * 300}, 400, "malformed"),
        (
            {"type": "choose", "choice": 1, "picks": [], "expectedVersion": 1},
            412,
            "version_conflict",
        ),
        ({"type": "choose", "choice": 1, "picks": [], "commandId": ""}, 400, "malformed"),
        ({}, 400, "malformed"),
    ],
)
async def test_a_bad_move_is_refused(
    table: Table, memory: EventStore, body: dict[str, Any], status: int, code: str
) -> None:
    seat = await table.next_seat()
    assert seat is not None
    response = await table.move(seat, body)
    assert await unchanged(table, memory, response) == (status, code)


async def test_the_other_seats_move_is_refused(table: Table, memory: EventStore) -> None:
    seat = await table.next_seat()
    assert seat is not None
    choice = (await table.legal(seat))["choice"]
    for body in (
        {"type": "choose", "choice": choice["id"], "picks": [choice["options"][0]["id"]]},
        {"type": "playCard", "card": "P1868"},
    ):
        response = await table.move(1 - seat, body)
        assert await unchanged(table, memory, response) == (409, "not_your_turn")


async def test_a_card_that_somebody_else_holds_is_refused_like_one_that_nobody_holds(
    table: Table,
) -> None:
    seat = await table.next_seat()
    assert seat is not None
    theirs = (await table.view(1 - seat))["board"]["seats"][1 - seat]["hand"]
    mine = (await table.view(seat))["board"]["seats"][seat]["hand"]
    card = next(card for card in theirs if card not in mine)
    nobodys = "nobody has this"
    for type, key in (("playCard", "card"), ("discardCards", "cards")):
        bodies = [{"type": type, key: one if key == "card" else [one]} for one in (card, nobodys)]
        held, unknown = [await table.move(seat, body) for body in bodies]
        assert refused(held) == (422, "illegal_move")
        assert held.text == unknown.text


async def test_too_many_too_few_and_repeated_picks_are_refused(
    table: Table, memory: EventStore
) -> None:
    seat = await table.next_seat()
    assert seat is not None
    choice = (await table.legal(seat))["choice"]
    options = [option["id"] for option in choice["options"]]
    for picks in ([], options[:2], [options[0]] * 2, ["discard:none"]):
        body = {"type": "choose", "choice": choice["id"], "picks": picks}
        response = await table.move(seat, body)
        assert await unchanged(table, memory, response) == (422, "illegal_choice")
        told = response.json()
        assert (told["min"], told["max"]) == (choice["min"], choice["max"])


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"game": "whist", "seats": 2}, 404, "unknown_game"),
        ({"game": "chrononauts", "seats": 9}, 422, "invalid_options"),
        ({"game": "chrononauts", "seats": 0}, 400, "malformed"),
        ({"game": "chrononauts", "seats": True}, 400, "malformed"),
        ({"game": "chrononauts", "seats": 2, "options": {"turnCap": "x"}}, 422, "invalid_options"),
        ({"game": "chrononauts", "seats": 2, "options": {"none": 1}}, 422, "invalid_options"),
        ({"game": "chrononauts", "seats": 2, "options": {"turnCap": []}}, 400, "malformed"),
        ({"game": "chrononauts", "seats": 2, "preset": "none"}, 422, "invalid_options"),
        ({"game": "chrononauts", "seats": 2, "visibility": "secret"}, 400, "malformed"),
        ({"game": "chrononauts", "seats": 2, "extra": 1}, 400, "malformed"),
    ],
)
async def test_a_match_that_cannot_be_is_refused(
    http: httpx.AsyncClient, memory: EventStore, body: dict[str, Any], status: int, code: str
) -> None:
    assert refused(await http.post("/v1/matches", json=body)) == (status, code)
    assert await memory.matches() == ()


async def test_unknown_seats_and_versions_are_refused(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, sit=False)
    response = await table.post("/seats", {"bot": "random", "seat": 5}, "owner")
    assert refused(response) == (404, "unknown_seat")
    response = await table.post("/seats", {"bot": "clever"}, "owner")
    assert refused(response) == (400, "malformed")
    for at, status in (("x", 400), ("-1", 400), ("2", 404), ("99999999999", 400)):
        assert refused(await table.get("", "owner", at=at))[0] == status


@pytest.mark.parametrize(
    ("content", "headers", "status", "code"),
    [
        (b"{", JSON, 400, "malformed"),
        (b"[]", JSON, 400, "malformed"),
        (b'{"type": "choose", "type": "respond"}', JSON, 400, "malformed"),
        (b"\xff", JSON, 400, "malformed"),
        (b'{"a":' * 5_000 + b"1" + b"}" * 5_000, JSON, 400, "malformed"),
        (b'{"type": "' + b"x" * 3_000_000 + b'"}', JSON, 413, "too_large"),
        (b"type=choose", {"Content-Type": "text/plain"}, 415, "wrong_media_type"),
    ],
)
async def test_a_bad_body_is_refused(
    table: Table,
    memory: EventStore,
    content: bytes,
    headers: dict[str, str],
    status: int,
    code: str,
) -> None:
    response = await table.client.post(
        f"/v1/matches/{table.id}/moves",
        content=content,
        headers={**headers, **table.bearer(0)},
    )
    assert await unchanged(table, memory, response) == (status, code)


async def test_an_illegal_target_is_refused(table: Table) -> None:
    chance = Chance("ab" * 16, 0)
    for _ in range(300):
        seat = await table.next_seat()
        assert seat is not None
        moves = (await table.legal(seat))["moves"]
        aimed = next((move["body"] for move in moves if "linchpin" in move["body"]), None)
        if aimed is not None:
            for year in (1492, 1918):
                response = await table.move(seat, {**aimed, "linchpin": year})
                assert refused(response) == (422, "illegal_move")
            return
        await table.step(chance)
    raise AssertionError("nobody could turn a linchpin")


async def test_no_address_and_no_method(http: httpx.AsyncClient) -> None:
    assert refused(await http.get("/v1/nothing")) == (404, "not_found")
    response = await http.delete("/v1/matches")
    assert refused(response) == (405, "method_not_allowed")
    assert response.headers["allow"] == "GET, HEAD, POST"
