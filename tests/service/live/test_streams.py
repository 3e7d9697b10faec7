"""Server-Sent Events, JSON lines and long polls: the bytes of a page, one after the other."""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.engine.chance import Chance
from domain.engine.codec import codec
from domain.engine.game import game_of
from domain.engine.ids import Viewer
from domain.engine.match import evolve
from domain.engine.redaction import redact
from service.bearers import Bearers
from service.matches import Matches
from service.store import EventStore
from tests.kit.service import Table, Who, answered, lay, refused
from tests.service.live.serving import serving, streaming

pytestmark = pytest.mark.anyio

MEDIA = ("text/event-stream", "application/x-ndjson")
CHANCE = Chance("42" * 16, 0)


async def steps(table: Table, count: int, number: int = 0) -> int:
    """Play at random; the version then."""
    chance = Chance("42" * 16, number)
    for _ in range(count):
        await table.step(chance)
    version: int = (await table.view())["version"]
    return version


@pytest.mark.parametrize("media", MEDIA)
async def test_a_stream_holds_the_bytes_of_pages(
    memory: EventStore, tmp_path: Path, media: str
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2, visibility="public")
        version = await steps(table, 3)
        viewers: tuple[Who, ...] = (0, 1, None, "owner")
        for who in viewers:
            async with streaming(served, table, who, media) as stream:
                assert stream.response.headers["content-type"] == media
                assert stream.response.headers["cache-control"] == "no-store"
                assert stream.response.headers["vary"] == "Accept, Accept-Encoding, Authorization"
                version = await steps(table, 2, version)
                await stream.events(version)
            body = (await table.get("/events", who, limit=1000)).text
            lines = [line for line in stream.text.splitlines() if "{" in line]
            events = [line.removeprefix("data: ") for line in lines]
            assert f'"events":[{",".join(events)}]' in body


async def test_server_sent_events_carry_their_version_and_say_how_to_resume(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        version = await steps(table, 2)
        async with streaming(served, table, 0, after=version - 2) as stream:
            await stream.events(version)
        lines = stream.text.splitlines()
        assert lines[:2] == ["retry: 2000", ""]
        assert [line for line in lines if line.startswith("id")] == [
            f"id: {version - 1}",
            f"id: {version}",
        ]
        async with streaming(served, table, 0, seen=str(version - 1)) as stream:
            assert [event["version"] for event in await stream.events(version)] == [version]


@pytest.mark.parametrize("id", ["x", "-1", "1.5", "9" * 40, "²"])
async def test_a_last_event_id_is_a_version(memory: EventStore, tmp_path: Path, id: str) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        response = await served.client.get(
            f"/v1/matches/{table.id}/events",
            headers=[
                (b"Authorization", table.bearer(0)["Authorization"].encode()),
                (b"Accept", MEDIA[0].encode()),
                (b"Last-Event-ID", id.encode("latin-1")),
            ],
        )
        assert refused(response) == (400, "malformed")
        async with streaming(served, table, 0, after=10_000) as stream:
            assert stream.response.status_code == 412


async def test_a_stream_ends_with_the_match(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        async with (
            streaming(served, table, 0) as sse,
            streaming(served, table, 0, MEDIA[1]) as lines,
        ):
            last = answered(await table.post("/concede", {}, 1))["version"]
            events = await sse.events(last)
            assert events == await lines.events(last)
            assert events[-1]["type"] == "match.finished"
            assert await sse.event() == {"version": last}
            assert "event: finished\n" in sse.text
            assert await sse.event() is None
            assert await lines.event() is None
        # A browser that comes back is told to stay away, others get what they ask for.
        async with streaming(served, table, 0, seen=str(last)) as again:
            assert (again.response.status_code, await again.line()) == (204, None)
        async with streaming(served, table, 0, after=last) as again:
            assert again.response.status_code == 200
            assert await again.event() == {"version": last}
        async with streaming(served, table, None, after=last - 1) as everybody:
            assert await everybody.event() == events[-1]


@pytest.mark.parametrize("media", MEDIA)
async def test_a_quiet_stream_shows_that_it_lives(
    memory: EventStore, tmp_path: Path, media: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.streams.HEARTBEAT_SECONDS", 0.02)
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        version = await steps(table, 0)
        async with streaming(served, table, 0, media, version) as stream:
            while stream.text.count("\n:\n" if media == MEDIA[0] else "\n") < 3:
                await stream.line()
            assert "{" not in stream.text


@pytest.mark.parametrize("media", MEDIA)
async def test_a_client_that_goes_away_frees_everything_at_once(
    memory: EventStore, tmp_path: Path, media: str
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        async with streaming(served, table, 0, media) as stream:
            await stream.event()
            assert served.bearers.taken == 1
        await served.opened(0)


async def test_a_long_poll_answers_with_the_first_news(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        version = await steps(table, 1)
        path, headers = f"/v1/matches/{table.id}/events", table.bearer(0)

        async def poll(**params: Any) -> Any:
            return await served.net.get(path, params=params, headers=headers)

        at_once = answered(await poll(after=version - 1, wait=30))
        assert [event["version"] for event in at_once["events"]] == [version]
        polling = asyncio.create_task(poll(after=version, wait=30))
        await served.opened(1)
        await table.step(CHANCE)
        page = answered(await polling)
        assert page["events"][0]["version"] == version + 1
        assert page["version"] == page["events"][-1]["version"]
        quiet = await poll(after=page["version"], wait=1)
        assert answered(quiet) == {**page, "events": []}
        assert quiet.headers["etag"] == f'"{page["version"]}"'
        assert refused(await poll(wait=31)) == (400, "malformed")
        # What has not changed is told after the wait, not before.
        headers["If-None-Match"] = quiet.headers["etag"]
        began = asyncio.get_running_loop().time()
        assert (await poll(after=page["version"], wait=1)).status_code == 304
        assert asyncio.get_running_loop().time() - began > 0.9
        assert served.bearers.taken == 0


@pytest.mark.parametrize("wait", [0, 30])
async def test_no_page_begins_later_than_the_newest_version(
    memory: EventStore, tmp_path: Path, wait: int
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        version = await steps(table, 1)
        query = """query ($m: String!, $v: Int!, $w: Int!) {
            events(matchId: $m, after: $v, wait: $w) { version events { version } } }"""
        for status in ("running", "finished"):
            assert (await table.view())["status"] == status
            for tag in (None, f'"{version}"'):
                response = await served.net.get(
                    f"/v1/matches/{table.id}/events",
                    params={"after": version + 1, "wait": wait},
                    headers={**table.bearer(0), **({} if tag is None else {"If-None-Match": tag})},
                )
                assert refused(response) == (412, "version_conflict")
                assert response.json()["version"] == version
            body = {"query": query, "variables": {"m": table.id, "v": version + 1, "w": wait}}
            headers = table.bearer(0)
            answer = (await served.net.post("/graphql", json=body, headers=headers)).json()
            told = answer["errors"][0]["extensions"]
            assert (told["code"], told["version"]) == ("version_conflict", version)
            # Who has seen the newest one is told nothing new, as before.
            if status == "running":
                assert answered(await table.get("/events", 0, after=version))["events"] == []
                version = answered(await table.post("/concede", {}, 1))["version"]


async def test_a_long_poll_ends_with_the_client_and_with_the_match(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        version = await steps(table, 1)
        address = f"/v1/matches/{table.id}/events?after={version}&wait=30"
        polling = asyncio.create_task(served.net.get(address, headers=table.bearer(0)))
        await served.opened(1)
        polling.cancel()
        await served.opened(0)
        last = answered(await table.post("/concede", {}, 1))["version"]
        page = answered(await table.get("/events", 0, after=last, wait=30))
        assert page["events"] == []


async def test_graphql_waits_like_rest(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        version = await steps(table, 1)
        query = (
            "query ($m: String!, $v: Int!) "
            "{ events(matchId: $m, after: $v, wait: 20) { events { version } } }"
        )
        body = {"query": query, "variables": {"m": table.id, "v": version}}
        polling = asyncio.create_task(
            served.client.post("/graphql", json=body, headers=table.bearer(1))
        )
        await served.opened(1)
        await table.step(CHANCE)
        events = answered(await polling)["data"]["events"]["events"]
        assert events[0] == {"version": version + 1}


async def test_so_many_streams_a_token(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path, Bearers(places_each=1)) as served:
        table = await lay(served.client, 2)
        async with streaming(served, table, 0), streaming(served, table, 1):
            for media in (*MEDIA, "application/json"):
                version = (await table.view())["version"]
                response = await served.client.get(
                    f"/v1/matches/{table.id}/events?after={version}&wait=1",
                    headers={**table.bearer(0), "Accept": media},
                )
                assert refused(response) == (429, "rate_limited")
                assert response.headers["retry-after"] == "5"


async def test_a_stream_ends_when_its_token_is_revoked(memory: EventStore, tmp_path: Path) -> None:
    async def never(principal: object) -> bool:
        return False

    async with serving(memory, tmp_path, Bearers(never)) as served:
        table = await lay(served.client, 2)
        async with streaming(served, table, 0) as stream:
            await stream.event()
            await served.bearers.check()
            while await stream.event() is not None:
                pass
            assert "finished" not in stream.text


@pytest.mark.parametrize("accept", [None, "*/*", "application/json, text/event-stream;q=0.5"])
async def test_a_page_is_what_is_asked_for_without_a_stream(
    memory: EventStore, tmp_path: Path, accept: str | None
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2)
        headers = {**table.bearer(0), **({} if accept is None else {"Accept": accept})}
        response = await served.client.get(f"/v1/matches/{table.id}/events", headers=headers)
        assert response.headers["content-type"] == "application/json"
        assert response.headers["vary"] == "Accept, Accept-Encoding, Authorization"
        headers["Accept"] = "text/plain"
        response = await served.client.get(f"/v1/matches/{table.id}/events", headers=headers)
        assert refused(response) == (406, "not_acceptable")
        head = await served.net.head(
            f"/v1/matches/{table.id}/events", headers={**headers, "Accept": MEDIA[0]}
        )
        assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
async def test_a_client_that_folds_a_stream_has_what_a_fresh_read_has(
    memory: EventStore, tmp_path: Path, game: str
) -> None:
    """From the match as seen at version V, and the stream after V, to the newest board."""
    viewers: tuple[tuple[Who, Viewer], ...] = ((0, 0), (1, 1), (None, None))
    async with serving(memory, tmp_path) as served:
        table = await lay(served.client, 2, visibility="public", game=game)
        matches = Matches(memory)
        before = await matches.newest(table.id)
        version = await steps(table, 15)
        after = await matches.newest(table.id)
        assert after.match.outcome is None
        for who, viewer in viewers:
            async with streaming(served, table, who, MEDIA[1], before.version) as stream:
                events = await stream.events(version)
            folded = redact(before.match, viewer)
            for event in events:
                tag = event["type"] if event["v"] == 1 else f"{event['type']}@{event['v']}"
                stored = json.dumps([{"type": tag, **event["data"]}]).encode()
                folded = evolve(folded, codec(game).events(stored)[0])
            assert folded == redact(after.match, viewer)
            board: Any = game_of(game).view(folded, viewer)
            fresh = await table.view(who)
            assert msgspec.json.decode(msgspec.json.encode(board)) == fresh["board"]
            assert list(folded.asked) == fresh["awaiting"]
