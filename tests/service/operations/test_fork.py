"""Forks: what is kept, what is dealt anew, who may make them."""

import secrets
from itertools import count
from pathlib import Path

import httpx
import pytest

from domain.engine.chance import Chance
from service import creation
from tests.kit.service import Body, Table, answered, choose, finished, lay, refused

pytestmark = pytest.mark.anyio


async def fork(table: Table, who: int | str | None, **body: object) -> tuple[Table, Body]:
    made = answered(await table.post("/fork", body, who))  # type: ignore[arg-type]  # a viewer
    return Table(table.client, made), made


async def test_a_running_match_is_forked_with_what_the_seat_sees(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    chance = Chance("fork", 1)
    for _ in range(6):
        await table.step(chance)
    view = await table.view(0)
    copy, made = await fork(table, 0, at=view["version"])
    assert made["source"] == table.id
    assert made["at"] <= view["version"]
    before = await table.view(0, at=made["at"])
    for seat in range(2):
        await copy.sit(seat)
    after = await copy.view(0)
    assert after["status"] == "running"
    assert after["board"] == before["board"]
    assert after["awaiting"] == before["awaiting"]
    assert after["options"] == before["options"]
    assert (await table.view(0)) == view, "the other match is as it was"
    for _ in range(4):
        await copy.step(chance)
    log = (await copy.get("/log", "owner")).text
    assert answered(await http.post("/v1/matches/import", json={"text": log}))


async def test_hidden_cards_are_dealt_anew(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = count()
    monkeypatch.setattr(secrets, "token_hex", lambda size: f"{next(numbers):0{2 * size}}")
    table = await lay(http, 2)
    version = (await table.view())["version"]
    hands = set()
    for _ in range(6):
        copy, _ = await fork(table, 0, at=version)
        for seat in range(2):
            await copy.sit(seat)
        hands.add(str((await copy.view(1))["board"]["seats"][1]["hand"]))
    assert len(hands) > 1


async def test_a_finished_match_is_kept_as_it_was(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    await table.step(Chance("fork", 2))
    version = (await table.view())["version"]
    answered(await table.post("/concede", {}, 0))
    copy, made = await fork(table, None, at=version)
    assert made["at"] == version
    for seat in range(2):
        await copy.sit(seat)
        before = await table.view(None, at=version)
        shown = (await copy.view(seat))["board"]["seats"][seat]["hand"]
        assert shown == before["board"]["seats"][seat]["hand"]
    last = (await table.view(None))["version"]
    _, made = await fork(table, None, at=last)
    assert made["at"] == version, "the newest version at which somebody had to choose"


async def test_a_secret_half_decided_does_not_travel(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3)
    view = await table.to_window(Chance("fork", 3))
    one, two = view["awaiting"]
    answered(await table.move(one, {"type": "respond", "card": None}))
    version = (await table.view())["version"]
    _, mine = await fork(table, one, at=version)
    _, others = await fork(table, two, at=version)
    assert others["at"] < mine["at"] or others["at"] <= view["version"]
    assert others["at"] < version


async def test_bots_sit_down_at_once(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, visibility="public")
    version = (await table.view())["version"]
    bots = [{"seat": 1, "bot": "greedy"}]
    copy, made = await fork(table, None, at=version, seats=bots)
    assert [invite["seat"] for invite in made["invites"]] == [0]
    copy.invites = [made["invites"][0]["invite"]]
    await copy.sit(0)
    assert (await copy.view(0))["status"] == "running"
    again = [*bots, *bots]
    response = await table.post("/fork", {"at": version, "seats": again}, None)
    assert refused(response) == (409, "seat_taken")
    response = await table.post("/fork", {"at": version, "seats": [{"seat": 9, "bot": "random"}]})
    assert refused(response) == (404, "unknown_seat")


async def test_a_fork_of_bots_alone_starts(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, visibility="public")
    version = (await table.view())["version"]
    bots = [{"seat": seat, "bot": "random"} for seat in range(2)]
    body = {"at": version, "seats": bots, "commandId": "b" * 16}
    made = answered(await table.post("/fork", body, None))
    copy = Table(http, made)
    assert made["invites"] == []
    assert (await finished(copy))["outcome"] is not None
    events = answered(await copy.get("/events", "owner", limit=1000))["events"]
    assert events[made["version"] - 1]["version"] == made["version"]
    assert [event["type"] for event in events].index("match.started") < made["version"]
    assert answered(await table.post("/fork", body, None)) == made


@pytest.mark.parametrize("started", [False, True])
async def test_a_fork_that_broke_off_before_its_start_starts_upon_a_repeat(
    http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch, started: bool
) -> None:
    table = await lay(http, 2, visibility="public")
    version = (await table.view())["version"]
    bots = [{"seat": seat, "bot": "random"} for seat in range(2)]
    body = {"at": version, "seats": bots, "commandId": "b" * 16}
    with monkeypatch.context() as patch:
        patch.setattr(creation, "is_full", lambda _: False)
        copy = Table(http, answered(await table.post("/fork", body, None)))
    assert (await copy.view("owner"))["status"] == "open"
    if started:
        answered(await copy.post("/start", {}, "owner"))
    made = answered(await table.post("/fork", body, None))
    assert made["matchId"] == copy.id
    assert (await finished(copy))["version"] >= made["version"]


async def test_a_repeat_gets_the_same_fork(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    version = (await table.view())["version"]
    body = {"at": version, "commandId": "f" * 16}
    first = answered(await table.post("/fork", body, 0))
    await table.step(Chance("fork", 4))
    assert answered(await table.post("/fork", body, 0)) == first
    other = {"at": version - 1, "commandId": "f" * 16}
    assert refused(await table.post("/fork", other, 0))[1] in (
        "command_reused",
        "match_not_started",
    )


async def test_who_may_not_look_may_not_fork(http: httpx.AsyncClient, tmp_path: Path) -> None:
    table = await lay(http, 2)
    assert refused(await table.post("/fork", {"at": 5})) == (404, "match_not_found")
    for at in (0, 999):
        assert refused(await table.post("/fork", {"at": at}, 0)) == (404, "not_found")
    assert refused(await table.post("/fork", {"at": 2}, 0)) == (409, "match_not_started")
    seat = await table.next_seat()
    assert seat is not None
    choice = (await table.legal(seat))["choice"]
    answered(await table.move(seat, choose(choice, choice["options"][0]["id"])))


async def test_a_seat_that_conceded_stays_empty(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3, visibility="public")
    answered(await table.post("/concede", {}, 2))
    version = (await table.view())["version"]
    copy, made = await fork(table, None, at=version)
    assert [invite["seat"] for invite in made["invites"]] == [0, 1]
    for seat in (0, 1):
        await copy.sit(seat)
    view = await copy.view(0)
    assert view["status"] == "running"
    assert [one["conceded"] for one in view["seats"]] == [False, False, True]
