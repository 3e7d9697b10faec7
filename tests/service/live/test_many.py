"""Many at once: two hundred spectators, one who does not read, and who may not see a card."""

import asyncio
import json
import logging
import re
from contextlib import AsyncExitStack, suppress
from itertools import count
from pathlib import Path

import pytest
import websockets
from websockets.exceptions import ConnectionClosed

from domain.engine.chance import Chance
from domain.engine.redaction import redact
from service import connections
from service.matches import Matches
from service.sockets import Limits
from service.store import EventStore
from tests.kit.service import Who, lay
from tests.service.live.serving import (
    PATIENCE,
    PROTOCOL,
    Follower,
    Pieces,
    connected,
    serving,
    streaming,
    token_of,
)
from tests.service.test_secrecy import cards_of, unique_cards

pytestmark = pytest.mark.anyio

SEED = "23" * 16
A_FEW = 40
VIEWERS: tuple[Who, ...] = (0, 1, 2, "owner", None)
WORDS = re.compile(r"[A-Za-z0-9_-]+")


async def test_two_hundred_spectators_get_the_same_bytes(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served, AsyncExitStack() as stack:
        table = await lay(served.client, 2, visibility="public")
        followers = []
        for _ in range(200):
            follower = await stack.enter_async_context(connected(served.socket_url))
            await follower.subscribe(table.id)
            followers.append(follower)
        start = {(await follower.update())["version"] for follower in followers}
        chance = Chance(SEED, 0)
        for _ in range(5):
            await table.step(chance)
        version = (await table.view())["version"]
        feeds = await asyncio.gather(*(follower.events(version) for follower in followers))
        assert len(start) == 1
        assert [event["version"] for event in feeds[0]] == list(range(start.pop() + 1, version + 1))
        assert len({tuple(follower.frames) for follower in followers}) == 1


@pytest.mark.parametrize("reads_on", [True, False])
async def test_who_does_not_read_is_cut_and_nobody_else_waits(
    memory: EventStore, tmp_path: Path, reads_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It sends large pings and reads no answer; what it missed, it can have after a version."""
    if not reads_on:
        monkeypatch.setattr(connections, "LAST_SECONDS", 0.1)
    async with serving(memory, tmp_path, limits=Limits(slow=0.3, watch=0.1)) as served:
        table = await lay(served.client, 2, visibility="public")
        chance, connected_to = Chance(SEED, 1), served.server.server_state.connections
        async with (
            websockets.connect(served.socket_url, subprotocols=[PROTOCOL]) as socket,
            connected(served.socket_url) as quick,
        ):
            slow = Follower(socket)
            await slow.send("connection_init")
            await slow.receive()
            await slow.subscribe(table.id)
            assert (await slow.update())["view"]
            await quick.subscribe(table.id, 0)
            socket.transport.pause_reading()
            pinging = asyncio.create_task(pings(slow))
            async with asyncio.timeout(PATIENCE):
                for number in count():
                    if served.bearers.taken == 1:
                        break
                    if number < A_FEW:  # the match must not be over before
                        await table.step(chance)
                        await quick.events((await table.view())["version"])
                    await asyncio.sleep(0.01)
            if reads_on:
                socket.transport.resume_reading()
                with suppress(ConnectionClosed):
                    while True:
                        await slow.receive()
                assert socket.protocol.close_rcvd is not None
                assert socket.protocol.close_rcvd.code == 4499
            else:
                async with asyncio.timeout(5):
                    while len(connected_to) > 1:  # noqa: ASYNC110  # the server tells nobody
                        await asyncio.sleep(0.01)
                socket.transport.abort()
            pinging.cancel()
            await asyncio.wait((pinging,))
            await table.step(chance)
            await quick.events((await table.view())["version"])


async def pings(follower: Follower) -> None:
    with suppress(ConnectionClosed):
        while True:
            await follower.send("ping", payload={"x": "x" * 60_000})


async def test_no_feed_tells_of_a_card_that_only_others_know(
    memory: EventStore,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Every frame of every viewer, of both transports, in a random match."""
    caplog.set_level(logging.DEBUG, "service")
    matches, chance = Matches(memory), Chance(SEED, 2)
    async with serving(memory, tmp_path) as served, AsyncExitStack() as stack:
        table = await lay(served.client, 3, visibility="public", options={"turnCap": 40})
        sockets: dict[Who, Follower] = {}
        streams: dict[Who, Pieces] = {}
        known: dict[Who, set[str]] = {who: set() for who in VIEWERS}
        read: dict[Who, int] = {}
        for who in VIEWERS:
            token = token_of(table, who)
            sockets[who] = await stack.enter_async_context(connected(served.socket_url, token))
            await sockets[who].subscribe(table.id)
            read[who] = (await sockets[who].update())["version"]
            streams[who] = await stack.enter_async_context(
                streaming(served, table, who, after=read[who])
            )
        for _ in range(30):
            match = (await matches.newest(table.id)).match
            assert match.outcome is None
            for who in VIEWERS:
                if read[who] < match.version:
                    events = await sockets[who].events(match.version)
                    assert events == await streams[who].events(match.version)
                    read[who] = match.version
                board = redact(match, who if isinstance(who, int) else None).board
                known[who] |= {card for zone in cards_of(board) for card in zone}
                choice = (await table.view(who))["choice"]
                if choice is not None:
                    known[who] |= set(choice["shown"])
                    known[who] |= {option.get("card") for option in choice["options"]}
                secret = unique_cards(match) - known[who]
                assert secret, "there is always something left to hide"
                told = set(WORDS.findall("".join(sockets[who].frames) + streams[who].text))
                assert not told & secret
            assert not set(WORDS.findall(caplog.text)) & (unique_cards(match) - known[None])
            await table.step(chance)


async def test_a_viewer_s_feed_is_what_its_pages_hold(memory: EventStore, tmp_path: Path) -> None:
    """With every field asked for, over GraphQL, byte for byte."""
    document = """subscription ($m: String!, $after: Int) {
      matchUpdates(matchId: $m, after: $after) {
        version view { version } events { version type v at seat data }
      }
    }"""
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 3, visibility="public")
        chance = Chance(SEED, 3)
        for _ in range(12):
            await table.step(chance)
        version = (await table.view())["version"]
        for who in VIEWERS:
            async with connected(served.socket_url, token_of(table, who)) as follower:
                await follower.subscribe(table.id, 0, document=document)
                await follower.events(version)
            page = (await table.get("/events", who, limit=1000)).text
            told = []
            for frame in follower.frames[1:]:
                (events,) = re.findall(r'"events":\[(.*)\]\}\}\}\}$', frame)
                told.append(events)
            assert json.loads(f"[{','.join(told)}]")
            assert f'"events":[{",".join(told)}]' in page
