"""A token that got lost is replaced: the old one counts nowhere any more, on any process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from domain.engine.chance import Chance
from service.store import EventStore, RedisStore
from tests.kit.servers import running_server
from tests.kit.service import Table, Who, answered, lay, refused, service
from tests.service.live.serving import Served, connected, serving, streaming

pytestmark = pytest.mark.anyio

CHANCE = Chance("47" * 16, 0)
VOID = (401, "unauthenticated")


async def rotated(table: Table, who: Who, **body: Any) -> str:
    token: str = answered(await table.post("/token", body, who))["token"]
    return token


async def closed(socket: ClientConnection) -> tuple[int, str]:
    async def until_closed() -> None:
        while True:
            await socket.recv()

    with pytest.raises(ConnectionClosed) as caught:
        await asyncio.wait_for(until_closed(), 20)
    assert caught.value.rcvd is not None
    return caught.value.rcvd.code, caught.value.rcvd.reason


async def asked(table: Table, who: Who) -> list[httpx.Response]:
    """Ask in every way that a seat can ask about its match."""
    query = {
        "query": "query($m: String!) { match(id: $m) { version } }",
        "variables": {"m": table.id},
    }
    headers = table.bearer(who)
    return [
        *[await table.get(path, who) for path in ("", "/events", "/log", "/legal-moves")],
        await table.client.get(
            f"/v1/matches/{table.id}", headers={**headers, "If-None-Match": "*"}
        ),
        await table.get("/events", who, after=1, wait=1),
        *[
            await table.post("/moves", body, who)
            for body in (
                {"type": "choose", "choice": 1, "picks": []},
                {"type": "choose", "choice": 1, "picks": [], "dryRun": True},
                {"type": "respond", "standing": True},
            )
        ],
        await table.post("/undo", {}, who),
        await table.post("/concede", {"dryRun": True}, who),
        await table.post("/tokens", {"seat": 0}, who),
        await table.client.get("/v1/matches", headers=headers),
        await table.client.post("/graphql", json=query, headers=headers),
    ]


def code_of(response: httpx.Response) -> str:
    body = response.json()
    code: str = body["code"] if "code" in body else body["errors"][0]["extensions"]["code"]
    return code


@pytest.mark.parametrize("who", [0, "owner", "admin"])
async def test_the_old_token_of_a_seat_counts_nowhere(http: httpx.AsyncClient, who: Who) -> None:
    table = await lay(http)
    before = await table.view(0)
    token = await rotated(table, who, seat=0)
    assert {code_of(response) for response in await asked(table, 0)} == {"unauthenticated"}
    assert (await table.view(1))["version"] == before["version"] + 1
    table.tokens[0] = token
    assert (await table.view(0))["choice"] == before["choice"]
    assert "unauthenticated" not in {
        code_of(one) for one in await asked(table, 0) if one.status_code >= 400
    }
    assert await table.step(CHANCE)


async def test_a_seat_replaces_its_own_token_only(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    for seat, who in ((1, 0), (None, None), (0, None)):
        answer = await table.post("/token", {"seat": seat}, who)
        assert refused(answer) == ((403, "forbidden") if who == 0 else VOID)
    assert refused(await table.post("/token", {"seat": 9}, "owner")) == (404, "unknown_seat")
    bots = await lay(http, 2, {1: "random"})
    assert refused(await bots.post("/token", {"seat": 1}, "owner")) == (409, "seats_empty")
    other = await lay(http)
    table.tokens[5] = other.tokens[0]
    assert refused(await table.post("/token", {}, 5)) == (403, "forbidden")


async def test_a_repeat_with_the_old_token_gets_the_new_one_again(http: httpx.AsyncClient) -> None:
    """The answer can get lost; whoever has only the old token does not know the command id."""
    table = await lay(http)
    body = {"commandId": "a-secret-of-the-client"}
    token = await rotated(table, 0, **body)
    assert await rotated(table, 0, **body) == token
    assert refused(await table.post("/token", {"commandId": "another-secret-of-it"}, 0)) == VOID
    assert refused(await table.post("/token", {"commandId": "short"}, 0)) == (400, "malformed")
    for word in ("a-secret", token):
        assert word not in (await table.get("/log", "owner")).text


async def test_a_repeated_move_is_not_answered_to_the_old_token(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    seat = await table.next_seat()
    assert seat is not None
    body = {**(await table.legal(seat))["moves"][0]["body"], "commandId": "once"}
    answered(await table.move(seat, body))
    await rotated(table, "owner", seat=seat)
    assert refused(await table.move(seat, body)) == VOID


async def test_the_owner_replaces_the_own_token(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, sit=False)
    watching = answered(await table.post("/tokens", {}, "owner"))["token"]
    token = await rotated(table, "owner")
    table.tokens[7] = watching
    for who in ("owner", 7):
        assert refused(await table.get("", who)) == VOID
    assert refused(await table.post("/start", {}, "owner")) == VOID
    table.owner = token
    assert refused(await table.post("/start", {}, "owner")) == (409, "seats_empty")
    table.owner = await rotated(table, "admin")
    assert (await table.view("owner"))["status"] == "open"


async def test_everybody_sees_that_a_token_was_replaced(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    version = (await table.view(1))["version"]
    await rotated(table, "owner", seat=0)
    (event,) = answered(await table.get("/events", 1, after=version))["events"]
    assert (event["type"], event["seat"]) == ("match.token_replaced", None)
    assert event["data"] == {"seat": 0, "generation": 1}
    told = answered(await table.get("/describe", 1))["text"]
    assert "seat 0 gets a new token" in told


async def test_a_match_taken_in_from_a_log_has_tokens_that_count(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3, sit=False)
    await table.sit(0)
    for seat in (None, 0):
        table.owner = await rotated(table, "owner", seat=seat) if seat is None else table.owner
        await rotated(table, "owner", seat=0)
    text = (await table.get("/log", "owner")).text
    copy = Table(http, answered(await http.post("/v1/matches/import", json={"text": text})))
    assert (await copy.view("owner"))["status"] == "open"
    copy.tokens[0] = await rotated(copy, "owner", seat=0)
    assert (await copy.view(0))["viewer"] == 0


async def test_nothing_is_replaced_once_the_match_is_over(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    answered(await table.post("/concede", {}, 0))
    assert refused(await table.post("/token", {}, 1)) == (409, "match_finished")


@asynccontextmanager
async def pods(directory: Path) -> AsyncIterator[tuple[Served, Served]]:
    with running_server() as server:
        async with AsyncExitStack() as stack:
            yield (
                await stack.enter_async_context(serving(RedisStore(server.url), directory)),
                await stack.enter_async_context(serving(RedisStore(server.url), directory)),
            )


async def test_what_is_open_on_another_process_ends_at_once(tmp_path: Path) -> None:
    async with pods(tmp_path) as (here, there):
        table = await lay(here.client, 3)
        async with (
            connected(there.socket_url, table.tokens[0]) as lost,
            connected(there.socket_url, table.tokens[1]) as kept,
            streaming(there, table, 0) as stream,
        ):
            await lost.subscribe(table.id)
            await kept.subscribe(table.id)
            version = (await lost.update())["version"]
            await kept.update()
            await stream.events(version)
            token = await rotated(table, 0)
            assert await closed(lost.socket) == (4403, "the token is not valid any more")
            while await stream.event() is not None:
                pass
            assert "finished" not in stream.text
            (event,) = await kept.events(version + 1)
            assert event["type"] == "match.token_replaced"
        elsewhere = Table(there.client, {"matchId": table.id, "ownerToken": "", "invites": []})
        elsewhere.tokens = dict(table.tokens)
        assert refused(await elsewhere.get("", 0)) == VOID
        assert refused(await elsewhere.post("/concede", {}, 0)) == VOID
        elsewhere.tokens[0] = token
        assert (await elsewhere.view(0))["viewer"] == 0


async def test_a_quiet_socket_ends_with_the_next_look(memory: EventStore, tmp_path: Path) -> None:
    """It follows nothing, so that nobody tells this process; it could not have read anything."""
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client)
        async with (
            connected(served.socket_url, table.tokens[0]) as lost,
            connected(served.socket_url, table.owner) as kept,
        ):
            await rotated(table, "owner", seat=0)
            await served.bearers.check()
            assert (await closed(lost.socket))[0] == 4403
            await kept.send("ping")
            assert await kept.receive() == {"type": "pong"}


async def test_the_new_token_counts_where_the_match_is_known_from_before(tmp_path: Path) -> None:
    async with pods(tmp_path) as (here, there):
        table = await lay(here.client)
        elsewhere = Table(there.client, {"matchId": table.id, "ownerToken": "", "invites": []})
        elsewhere.tokens = dict(table.tokens)
        await elsewhere.view(0)  # remembered there
        elsewhere.tokens[0] = await rotated(table, 0)
        body = {"type": "choose", "choice": 1, "picks": []}
        code = refused(await elsewhere.post("/moves", body, 0))[1]
        assert code in ("unknown_choice", "not_your_turn")


async def test_a_token_under_an_older_key_is_replaced_too(
    memory: EventStore, tmp_path: Path
) -> None:
    old, new = "o" * 32, "n" * 32
    async with service(memory, tmp_path, signing_keys=old) as client:
        table = await lay(client)
    async with service(memory, tmp_path, signing_keys=f"{new},{old}") as client:
        table.client = client
        assert (await table.view(0))["viewer"] == 0
        token = await rotated(table, 0)
        assert refused(await table.get("", 0)) == VOID
        table.tokens[0] = token
        assert (await table.view(0))["viewer"] == 0
