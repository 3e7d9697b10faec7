"""Undo over the wire: at once, by consent, by consent of bots; and what its refusals say."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from schema import errors
from schema.inputs import UndoInput
from service import undo as module
from service.auth import Principal
from service.matches import Matches
from service.moves import Moves
from service.store import MemoryStore
from service.undo import undo
from tests.kit.service import Body, Table, answered, choose, lay, refused, service, until

pytestmark = pytest.mark.anyio


async def discarded(table: Table) -> tuple[int, Body]:
    """Let whoever is on turn discard a card: nothing but its own second choice comes of it."""
    seat = await table.next_seat()
    assert seat is not None
    choice = (await table.legal(seat))["choice"]
    discard = next(one["id"] for one in choice["options"] if one["id"].startswith("discard:"))
    return seat, answered(await table.move(seat, choose(choice, discard)))


async def test_a_discard_is_taken_back_at_once(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    before = await table.view(await table.next_seat())
    seat, moved = await discarded(table)
    result = answered(await table.post("/undo", {}, seat))
    (event,) = result["events"]
    assert event["type"] == "match.restored"
    assert event["data"]["why"] == "undo"
    assert event["data"]["version"] == before["version"]
    assert result["version"] == moved["version"] + 1
    after = await table.view(seat)
    assert after["board"] == before["board"]
    assert after["choice"]["options"] == before["choice"]["options"]
    assert after["choice"]["id"] == result["version"]
    assert result["choice"] == after["choice"]
    assert refused(await table.post("/undo", {}, seat)) == (409, "illegal_undo")
    log = (await table.get("/log", "owner")).text
    assert answered(await http.post("/v1/matches/import", json={"text": log}))


async def test_what_drew_a_card_is_taken_back_by_consent(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3)
    seat, _ = await discarded(table)
    before = await table.view("owner")
    choice = (await table.legal(seat))["choice"]
    answered(await table.move(seat, choose(choice, choice["options"][0]["id"])))
    asked = answered(await table.post("/undo", {}, seat))
    assert [event["type"] for event in asked["events"]] == ["match.undo_asked"]
    undo = (await table.view("owner"))["undo"]
    assert undo == {"seat": seat, "version": before["version"], "agreed": []}
    one, two = [other for other in range(3) if other != seat]
    assert refused(await table.post("/undo", {"agree": True}, seat)) == (409, "illegal_undo")
    assert refused(await table.post("/undo", {}, one)) == (409, "illegal_undo")
    answered(await table.post("/undo", {"agree": True}, one))
    assert (await table.view())["undo"]["agreed"] == [one]
    result = answered(await table.post("/undo", {"agree": True}, two))
    assert [event["type"] for event in result["events"]] == [
        "match.undo_answered",
        "match.restored",
    ]
    after = await table.view()
    assert after["undo"] is None
    assert after["board"] == before["board"]
    assert refused(await table.post("/undo", {"agree": True}, two)) == (409, "illegal_undo")


async def test_one_seat_can_refuse(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, _ = await discarded(table)
    choice = (await table.legal(seat))["choice"]
    answered(await table.move(seat, choose(choice, choice["options"][0]["id"])))
    answered(await table.post("/undo", {}, seat))
    result = answered(await table.post("/undo", {"agree": False}, 1 - seat))
    assert [event["data"] for event in result["events"]] == [{"seat": 1 - seat, "agreed": False}]
    assert (await table.view())["undo"] is None


async def test_bots_agree_at_once(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3, bots={1: "random", 2: "greedy"})

    async def mine() -> int | None:
        return await table.next_seat()

    assert await until(mine) == 0
    chance = Chance("undo", 1)
    before = await table.view(0)
    while before["choice"]["prompt"] != "play":
        await table.step(chance)
        await until(mine)
        before = await table.view(0)
    choice = before["choice"]
    answered(await table.move(0, choose(choice, choice["options"][0]["id"])))
    second = (await table.legal(0))["choice"]
    if second is not None and second["prompt"] == "kill_time":
        answered(await table.move(0, choose(second, second["options"][0]["id"])))
    await until(mine)
    asked = answered(await table.post("/undo", {}, 0))

    async def restored() -> Body | None:
        view = await table.view(0)
        return view if view["undo"] is None and view["version"] > asked["version"] else None

    await until(restored)
    events = answered(await table.get("/events", 0, after=asked["version"]))["events"]
    assert {"match.undo_answered", "match.restored"} <= {event["type"] for event in events}


async def test_a_repeated_undo_is_done_once(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, _ = await discarded(table)
    first = answered(await table.post("/undo", {"commandId": "back"}, seat))
    assert answered(await table.post("/undo", {"commandId": "back"}, seat)) == first
    other = {"commandId": "back", "agree": True}
    assert refused(await table.post("/undo", other, seat)) == (409, "command_reused")


async def test_only_a_seat_can_take_back(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, visibility="public")
    await discarded(table)
    assert refused(await table.post("/undo", {}, None)) == (401, "unauthenticated")
    assert refused(await table.post("/undo", {}, "owner")) == (403, "forbidden")
    assert refused(await table.post("/undo", {}, "admin")) == (403, "forbidden")
    open_table = await lay(http, 2, sit=False)
    await open_table.sit(0)
    assert refused(await open_table.post("/undo", {}, 0)) == (409, "match_not_started")
    answered(await table.post("/concede", {}, 0))
    assert refused(await table.post("/undo", {}, 1)) == (409, "match_finished")


async def test_a_match_that_moves_on_meanwhile_is_read_again(
    memory: MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2)
        seat, moved = await discarded(table)
        load, loads = memory.load, 0

        async def overtaken(match_id: str, after: int = 0) -> Any:
            nonlocal loads
            commits = await load(match_id, after)
            loads += 1
            if loads == 1:
                choice = (await table.legal(seat))["choice"]
                body = choose(choice, choice["options"][0]["id"])
                answered(await asyncio.wait_for(table.move(seat, body), 10))
            return commits

        monkeypatch.setattr(memory, "load", overtaken)
        result = answered(await table.post("/undo", {}, seat))
        assert [event["type"] for event in result["events"]] == ["match.undo_asked"]
        assert result["events"][0]["data"]["version"] == moved["version"]


async def test_a_match_that_never_rests_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    async def make(*_: object) -> None:
        raise module.MovedOn

    async def read(*_: object) -> module.Log:
        return module.Log(1, ())

    monkeypatch.setattr(module, "read", read)
    monkeypatch.setattr(Moves, "make", partial(make))
    matches = Matches(MemoryStore())
    seat = Principal("seat", "m", 0)
    with pytest.raises(errors.Busy):
        await undo(matches, Moves(matches), seat, UndoInput.model_validate({"matchId": "m"}))
