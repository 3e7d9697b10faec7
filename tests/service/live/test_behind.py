"""Feeds of spectators who are behind, over the network: every way, and no event too early."""

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import get_args

import pytest

from domain.engine.chance import Chance
from service.auth import Kind, Principal, is_spectator
from service.store import EventStore
from tests.kit.service import Table, answered, lay, pick
from tests.service.identity.test_rotation import closed
from tests.service.live.serving import Served, connected, serving, streaming

pytestmark = pytest.mark.anyio

SEED = "17" * 16
DELAYED = {"policy": "delayed", "turns": 1}
A_MOMENT = 0.05


async def turn_passed(table: Table, number: int) -> int:
    """Play until the next turn begins; return the version that spectators see then."""
    turn = (await table.view())["board"]["turns"]
    while (await table.view())["board"]["turns"] == turn:
        await table.step(Chance(SEED, number))
        number += 1
    version: int = (await table.view(None))["version"]
    assert version < (await table.view())["version"]
    return version


async def test_every_feed_goes_on_when_a_turn_begins(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path) as served, AsyncExitStack() as stack:
        table = await lay(served.client, 3, visibility="public", spectators=DELAYED)
        await turn_passed(table, 0)
        start = await turn_passed(table, 10)
        follower = await stack.enter_async_context(connected(served.socket_url))
        await follower.subscribe(table.id)
        first = await follower.update()
        assert (first["version"], first["view"]["version"]) == (start, start)
        feeds = [
            await stack.enter_async_context(streaming(served, table, None, media, after=start))
            for media in ("text/event-stream", "application/x-ndjson")
        ]
        for number in range(20, 50, 10):
            poll = asyncio.create_task(table.get("/events", None, after=start, wait=20))
            seat = await table.next_seat()
            assert seat is not None
            legal = await table.legal(seat)
            # A play waits for answers, so the turn goes on.
            legal["moves"] = [move for move in legal["moves"] if move["type"] == "playCard"]
            answered(await table.move(seat, pick(legal, Chance(SEED, number))))
            await asyncio.sleep(A_MOMENT)
            assert (await table.view(None))["version"] == start, "the turn goes on"
            assert not poll.done()
            version = await turn_passed(table, number + 1)
            told = answered(await poll)["events"]
            assert told[0]["version"] == start + 1
            page = answered(await table.get("/events", None, after=start, limit=1000))["events"]
            assert [event["version"] for event in page] == list(range(start + 1, version + 1))
            assert await follower.events(version) == page
            for feed in feeds:
                assert await feed.events(version) == page
            start = version
        for seat in (0, 1):
            answered(await table.post("/concede", {}, seat))
        end = (await table.view())["version"]
        page = answered(await table.get("/events", None, after=start, limit=1000))["events"]
        assert page[-1]["version"] == end
        assert await follower.events(end) == page
        last = await follower.update()
        assert (last["version"], last["view"]["status"]) == (end, "finished")
        for feed in feeds:
            assert await feed.events(end) == page
            assert await feed.event() in (None, {"version": end})


async def _refused_beyond(served: Served, table: Table, after: int) -> None:
    response = await table.client.get(
        f"/v1/matches/{table.id}/events",
        params={"after": after},
        headers={"Accept": "text/event-stream"},
    )
    assert (response.status_code, response.json()["version"]) == (412, after - 1)
    for wait in (0, 20):
        page = await table.get("/events", None, after=after, wait=wait)
        assert (page.status_code, page.json()) == (412, response.json())
    async with connected(served.socket_url) as follower:
        await follower.subscribe(table.id, after)
        message = await follower.receive()
        assert message["type"] == "error"
        assert message["payload"][0]["extensions"]["version"] == after - 1


async def test_a_feed_cannot_begin_later_than_what_is_seen(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 3, visibility="public", spectators=DELAYED)
        await turn_passed(table, 0)
        start = await turn_passed(table, 10)
        await _refused_beyond(served, table, start + 1)


async def test_a_replaced_token_ends_a_feed_though_its_event_is_not_seen_yet(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 3, spectators=DELAYED)
        token = answered(await table.post("/tokens", {}, "owner"))["token"]
        table.tokens[7] = token
        seen = await table.view(7)
        assert seen["version"] < (await table.view())["version"]
        async with (
            connected(served.socket_url, token) as follower,
            streaming(served, table, 7, after=seen["version"]) as stream,
        ):
            await follower.subscribe(table.id)
            assert (await follower.update())["version"] == seen["version"]
            table.owner = answered(await table.post("/token", {}, "owner"))["token"]
            assert (await closed(follower.socket))[0] == 4403
            assert await stream.event() is None


def test_an_account_without_a_part_is_a_spectator() -> None:
    watching: dict[str, bool] = {kind: is_spectator(Principal(kind)) for kind in get_args(Kind)}
    assert watching == {
        "anonymous": True,
        "spectator": True,
        "invite": True,
        "account": True,
        "seat": False,
        "owner": False,
        "admin": False,
    }
    assert not is_spectator(Principal("account", seat=1))
    assert not is_spectator(Principal("account", owns=True))
