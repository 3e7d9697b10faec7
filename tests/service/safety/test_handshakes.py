"""A handshake of a web socket is a request like any other: answered, and never left open."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import websockets
from prometheus_client import REGISTRY
from starlette.types import Receive, Scope, Send
from websockets.exceptions import InvalidStatus

from schema.errors import NotFound
from service import connections
from service.problems import refuse
from service.store import EventStore
from tests.service.live.serving import PROTOCOL, Served, serving
from tests.service.safety.raw import SECONDS, answers, handshake, head, sent

pytestmark = pytest.mark.anyio

PING = b"\x89\x80\0\0\0\0"


@pytest.fixture
async def served(
    memory: EventStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> AsyncIterator[Served]:
    """The service; whatever comes, nobody fills its log with errors."""
    async with serving(memory, tmp_path, hosts="x,127.0.0.1") as served:
        yield served
    assert served.bearers.taken == 0
    assert (REGISTRY.get_sample_value("stele_feeds_open") or 0) == 0
    told = [one for one in caplog.records if one.levelno >= logging.ERROR or one.exc_info]
    assert told == []


@pytest.mark.parametrize(
    "request_",
    [
        handshake(**{"Content-Length": "1"}),
        handshake(**{"Content-Length": "1"}) + b"x",
        handshake(**{"Transfer-Encoding": "chunked"}) + b"0\r\n\r\n",
        handshake(method="POST"),
        handshake("/v1/matches", "POST", **{"Content-Length": "2"}) + b"{}",
        handshake().replace(b"HTTP/1.1", b"HTTP/1.0"),
        handshake(**{"Sec-WebSocket-Version": "7"}),
        handshake(**{"Sec-WebSocket-Key": "x"}),
        handshake(**{"Sec-WebSocket-Key": "\xff"}),
        handshake(**{"sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ=="}),
        handshake(**{"Sec-WebSocket-Protocol": ";;,,"}),
        head("/graphql", Upgrade="websocket", Connection="Upgrade"),
    ],
    ids=range(12),
)
async def test_what_is_no_handshake_gets_a_problem(served: Served, request_: bytes) -> None:
    (answer,) = await sent(served, request_)
    assert (answer.status, answer.code) == (400, "malformed")
    assert b"handshake" in answer.body
    assert b"ebsockets" not in answer.body


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (handshake(Origin="http://["), 403, "forbidden"),
        (handshake(Origin="http://evil.example"), 403, "forbidden"),
        (handshake(Host="evil.example"), 421, "misdirected"),
        (handshake("http://evil.example/graphql"), 421, "misdirected"),
        (handshake("/v1/games"), 404, "not_found"),
        (handshake("/healthz", Host="evil.example"), 404, "not_found"),
        (handshake("/nothing/here"), 404, "not_found"),
        (handshake("/graphql?" + "x" * connections.HEAD_BYTES), 431, "headers_too_large"),
        (handshake(Cookie="x" * connections.HEAD_BYTES), 431, "headers_too_large"),
    ],
    ids=range(9),
)
async def test_a_handshake_that_is_refused_gets_a_problem(
    served: Served, request_: bytes, status: int, code: str
) -> None:
    (answer,) = await sent(served, request_)
    assert (answer.status, answer.code) == (status, code)
    assert answer.headers["connection"] == "close"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert b"evil" not in answer.body


async def test_a_handshake_may_be_as_large_as_any_head(served: Served) -> None:
    more = {f"X-{n}": "y" for n in range(400)} | {"Authorization": f"Bearer {'x' * 8192}"}
    options = {"subprotocols": [PROTOCOL], "additional_headers": more}
    async with websockets.connect(served.socket_url + "?" + "x" * 9_000, **options) as opened:  # type: ignore[arg-type]  # one of them is a list
        assert opened.subprotocol == PROTOCOL


async def test_a_handshake_behind_a_request_waits_for_nothing(served: Served) -> None:
    first, second = await sent(served, head() + handshake())
    assert (first.status, second.code) == (200, "malformed")


async def test_a_handshake_comes_on_a_connection_that_is_kept(served: Served) -> None:
    host, _, port = served.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    async with asyncio.timeout(SECONDS):
        writer.write(head())
        found = answers(reader)
        assert (await anext(found)).status == 200
        writer.write(handshake())
        assert (await anext(found)).status == 101
        writer.write(PING)
        assert await reader.readexactly(2) == b"\x8a\x00"
    writer.close()
    await served.opened(0)


async def test_text_that_is_none_closes_the_socket(served: Served) -> None:
    host, _, port = served.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    async with asyncio.timeout(SECONDS):
        writer.write(handshake())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"\x01\x81\0\0\0\0\xff" + b"\x80\x81\0\0\0\0\xfe")
        assert await reader.read() == b"\x88\x02\x03\xef"
    writer.close()
    await served.opened(0)


@pytest.mark.parametrize("early", [b"", PING], ids=["stops", "talks"])
async def test_a_handshake_under_way_ends_with_the_server_or_with_talk(
    early: bytes, served: Served
) -> None:
    arrived, go, gone = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        arrived.set()
        await go.wait()
        try:
            await refuse(scope, receive, send, NotFound("late"))
        finally:
            gone.set()

    served.app.router.default = slow
    host, _, port = served.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    async with asyncio.timeout(SECONDS):
        writer.write(handshake("/slow"))
        await arrived.wait()
        if early:
            writer.write(early)
        else:
            served.server.should_exit = True
        codes = [answer.code async for answer in answers(reader)]
        go.set()
        await gone.wait()
    writer.close()
    assert codes == ([] if early else ["overloaded"])


async def test_a_socket_that_is_closing_does_not_hinder_the_stop(served: Served) -> None:
    host, _, port = served.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    async with asyncio.timeout(SECONDS):
        writer.write(handshake())
        await reader.readuntil(b"\r\n\r\n")
        (socket,) = [
            one
            for one in served.server.server_state.connections
            if isinstance(one, connections.Socket)
        ]
        socket.conn.fail(1002)
        socket.transport.close()
        socket.shutdown()
        assert await reader.read() == b""
    writer.close()
    await served.opened(0)


async def test_refused_sockets_leave_no_place_taken(
    memory: EventStore, tmp_path: Path, served: Served
) -> None:
    for _ in range(3):
        with pytest.raises(InvalidStatus):
            await websockets.connect(served.socket_url, origin="http://evil.example")  # type: ignore[arg-type]  # a type of its own
    metrics = await served.net.get("/metrics")
    assert "stele_feeds_open" not in metrics.text or "stele_feeds_open 0.0" in metrics.text
