"""What a refusal that conflicts with the match tells of it: how far it is, what has happened."""

from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator

from domain.engine.chance import Chance
from schema.openapi import build_openapi
from tests.kit.service import Body, Table, answered, choose, lay, pick, refused

pytestmark = pytest.mark.anyio

CHANCE = Chance("c0" * 16, 0)
PROBLEM = Draft202012Validator({"$ref": "#/components/schemas/Problem", **build_openapi()})


async def since(table: Table, seat: int, after: int) -> Any:
    return answered(await table.get("/events", seat, after=after))["events"]


async def stale(table: Table) -> tuple[int, Body]:
    """Answer a choice, play on for a while; the seat, and the answer that comes too late."""
    seat = await table.next_seat()
    assert seat is not None
    choice = (await table.legal(seat))["choice"]
    body = choose(choice, *(one["id"] for one in choice["options"][: max(1, choice["min"])]))
    answered(await table.move(seat, body))
    for _ in range(3):
        await table.step(CHANCE)
    return seat, body


async def test_who_answers_too_late_is_told_what_happened_since_the_choice(
    http: httpx.AsyncClient,
) -> None:
    table, found = await lay(http, 2), set()
    for _ in range(12):
        seat, body = await stale(table)
        response = await table.move(seat, body)
        status, code = refused(response)
        found.add(code)
        assert status == 409
        told = response.json()
        assert told["version"] == (await table.view())["version"]
        assert told["events"] == await since(table, seat, body["choice"]) != []
        PROBLEM.validate(told)
    assert found == {"not_your_turn", "unknown_choice"}


@pytest.mark.parametrize("names_version", [True, False])
async def test_an_answer_to_a_choice_of_several_seats_is_sent_again_with_the_new_version(
    http: httpx.AsyncClient, names_version: bool
) -> None:
    """What `docs/mobile.md` advises: who was slower than another seat loses nothing."""
    table = await lay(http, 2, game="ancient_knowledge")
    first, second = (await table.legal(0))["choice"], (await table.legal(1))["choice"]
    queued = choose(first, *(one["id"] for one in first["options"][: first["min"]]))
    queued |= {"commandId": "queued"}
    old = (await table.view(0))["version"]
    answer = choose(second, *(one["id"] for one in second["options"][: second["min"]]))
    answered(await table.move(1, answer))
    refusal = await table.move(0, {**queued, "expectedVersion": old})
    assert refused(refusal) == (412, "version_conflict")
    assert [event["type"] for event in refusal.json()["events"]] == ["choice.made"]
    assert (await table.legal(0))["choice"] == first, "the own choice is as it was"
    again = {"expectedVersion": refusal.json()["version"]} if names_version else {}
    done = answered(await table.move(0, {**queued, **again}))
    assert answered(await table.move(0, queued)) == done, "one command, whatever version it names"


async def test_graphql_tells_the_same(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, body = await stale(table)
    document = "mutation ($in: ChooseInput!) { choose(input: $in) { version } }"
    given = {"matchId": table.id, "choice": body["choice"], "picks": body["picks"]}
    response = await http.post(
        "/graphql",
        json={"query": document, "variables": {"in": given}},
        headers=table.bearer(seat),
    )
    (error,) = response.json()["errors"]
    told = (await table.move(seat, body)).json()
    for member in ("code", "version", "events"):
        assert error["extensions"][member] == told[member]


async def test_a_named_move_out_of_turn_is_told_the_version(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat = await table.next_seat()
    assert seat is not None
    move = pick(await table.legal(seat), CHANCE)
    version = (await table.view())["version"]
    for more, events in (({}, None), ({"expectedVersion": version}, [])):
        response = await table.move(1 - seat, {**move, **more})
        assert refused(response) == (409, "not_your_turn")
        assert response.json()["version"] == version
        assert response.json().get("events") == events


async def test_every_command_with_an_old_version_is_told_what_happened_since(
    http: httpx.AsyncClient,
) -> None:
    table = await lay(http, 2)
    for _ in range(3):
        await table.step(CHANCE)
    seat = await table.next_seat()
    assert seat is not None
    move = pick(await table.legal(seat), CHANCE)
    for path, body in (
        ("/moves", move),
        ("/moves", {**move, "dryRun": True}),
        ("/moves", {"type": "respond", "standing": False}),
        ("/concede", {}),
        ("/undo", {}),
    ):
        response = await table.post(path, body, seat, {"If-Match": '"5"'})
        assert refused(response) == (412, "version_conflict")
        assert response.json()["version"] == (await table.view())["version"]
        assert response.json()["events"] == await since(table, seat, 5)


async def test_who_sits_down_too_late_is_told_the_version_if_the_match_may_be_seen(
    http: httpx.AsyncClient,
) -> None:
    for visibility in ("public", "private"):
        table = await lay(http, 2, visibility=visibility)
        version = (await table.view())["version"]
        response = await table.post("/seats", {"invite": table.invites[0]})
        assert refused(response) == (409, "match_not_open")
        assert response.json().get("version") == (version if visibility == "public" else None)
        response = await table.post("/start", {}, "owner")
        assert refused(response) == (409, "match_not_open")
        assert response.json()["version"] == version


async def test_who_is_behind_is_told_the_version_that_it_sees(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, visibility="public", spectators={"policy": "none"})
    await table.step(CHANCE)
    seen = (await table.view(None))["version"]
    assert seen < (await table.view())["version"]
    response = await table.post("/seats", {})
    assert refused(response) == (409, "match_not_open")
    assert response.json()["version"] == seen
