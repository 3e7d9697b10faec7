"""What is refused before anything is looked at, told as every refusal is told."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import websockets
from starlette.types import Receive, Scope, Send

from service import connections
from service.bearers import Bearers
from service.edge import Edge
from service.settings import SettingsError, load_settings
from service.store import EventStore
from tests.kit.service import lay, refused, service
from tests.service.live.serving import PROTOCOL, Served, serving, streaming
from tests.service.safety.raw import LAST, SECONDS, head, sent

pytestmark = pytest.mark.anyio


@pytest.fixture
async def served(memory: EventStore, tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(memory, tmp_path) as served:
        yield served


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (b"hello\r\n\r\n", 400, "malformed"),
        (b"\x16\x03\x01\x00\xf1\x01\x00\x00\xed\x03\x03", 400, "malformed"),
        (b"GET / HTTP/1.1\nFLY / HTTP/1.1\r\n\r\n", 400, "malformed"),
        (b"FLY / HTTP/1.1\r\nHost: x\r\n\r\n", 405, "method_not_allowed"),
        (b"GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n", 400, "malformed"),
        (b"GET http:// HTTP/1.1\r\nHost: x\r\n\r\n", 400, "malformed"),
        (head(**{"Content-Length": "1", "Transfer-Encoding": "chunked"}), 400, "malformed"),
        (head(**{"Content-Length": "x"}), 400, "malformed"),
        (head("/v1/games", Connection="close", **{"host": "y"}), 400, "malformed"),
        (b"GET /v1/games HTTP/1.1\r\nConnection: close\r\n\r\n", 400, "malformed"),
        (head("/" + "x" * connections.HEAD_BYTES), 431, "headers_too_large"),
        (head(Cookie="x" * connections.HEAD_BYTES), 431, "headers_too_large"),
        (head(**{f"x{n}": "y" for n in range(20_000)}), 431, "headers_too_large"),
        (head("/v1/games", "TRACE", Connection="close"), 405, "method_not_allowed"),
        (head("/v1/games", "PROPFIND", Connection="close"), 405, "method_not_allowed"),
        (head("/v1/games/", Connection="close"), 404, "not_found"),
        (head("/v1/games%2Fchrononauts", Connection="close"), 404, "not_found"),
        (head("/v1/matches/m%2fevents", Connection="close"), 404, "not_found"),
        (head("//evil.example", Connection="close"), 404, "not_found"),
        (head("/v1/games/%00", Connection="close"), 400, "malformed"),
        (head("/v1/games/%ff", Connection="close"), 400, "malformed"),
    ],
    ids=range(21),
)
async def test_what_is_no_request_of_ours_gets_a_problem(
    served: Served, request_: bytes, status: int, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    (answer,) = await sent(served, request_)
    assert [one for one in caplog.records if one.levelno >= logging.WARNING] == []
    assert (answer.status, answer.code) == (status, code)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "location" not in answer.headers
    assert b"evil" not in answer.body
    if status == 405:
        assert "GET" in answer.headers["allow"]


async def test_no_answer_tells_what_runs_here(served: Served) -> None:
    for request in (LAST, head("/v1/games", Connection="close"), b"?\r\n\r\n"):
        (answer,) = await sent(served, request)
        assert not {"server", "x-powered-by", "via"} & answer.headers.keys()
        assert b"python" not in answer.body.lower()
    async with websockets.connect(served.socket_url, subprotocols=[PROTOCOL]) as opened:
        assert opened.response is not None
        assert "server" not in opened.response.headers


async def test_headers_that_come_in_pieces_are_counted_together(served: Served) -> None:
    line = b"a: " + b"x" * 5_000 + b"\r\n"
    (answer,) = await sent(served, b"GET /healthz HTTP/1.1\r\nHost: x\r\n", *[line] * 10)
    assert (answer.status, answer.code) == (431, "headers_too_large")
    few = [line] * 5
    (answer,) = await sent(
        served, b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n", *few, b"\r\n"
    )
    assert answer.status == 200


async def test_a_large_body_is_no_large_head(served: Served) -> None:
    body = b'{"game": "' + b"x" * 200_000 + b'"}'
    length = {"Content-Length": str(len(body)), "Content-Type": "application/json"}
    post = head("/v1/matches", "POST", **length)
    first, second, third = await sent(served, post + body + post[:20], post[20:] + body, LAST)
    assert (first.code, second.code, third.status) == ("malformed", "malformed", 200)


async def test_a_head_has_to_come_in_time(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    assert await sent(served) == []
    assert await sent(served, b"\r\n") == []
    (answer,) = await sent(served, b"GET /healthz HTTP/1.1\r\n")
    assert (answer.status, answer.code) == (408, "too_slow")
    first, second = await sent(served, head(), b"GET / HTTP/1.1\r\n")
    assert (first.status, second.code) == (200, "too_slow")


async def test_drops_do_not_keep_a_connection_open(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    (answer,) = await sent(served, *[bytes([byte]) for byte in head(a="b" * 20)])
    assert answer.code == "too_slow"


async def test_a_body_that_nobody_reads_does_not_keep_a_connection_open(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    post = head("/v1/games", "POST", **{"Content-Length": "1000"})
    (answer,) = await sent(served, post, *[b"x"] * 20)
    assert answer.code == "method_not_allowed"


async def test_what_comes_in_time_has_no_timer(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.1)
    half = head()[:20], head()[20:]
    found = await sent(served, *half, *half, *[head()] * 20, LAST)
    assert [answer.status for answer in found] == [200] * 23


CHUNKED = {"Transfer-Encoding": "chunked", "Content-Type": "application/json"}
POST = head("/v1/matches", "POST", **CHUNKED)


async def test_nonsense_is_answered_behind_the_answers_under_way(served: Served) -> None:
    waits = head("/v1/matches", "POST", **{"Content-Length": "9"})
    first, second = await sent(served, waits + b"123456789" + b"nonsense\r\n\r\n")
    assert (first.code, second.code) == ("wrong_media_type", "malformed")
    found = await sent(served, head() * 3 + b"\x00\x01\r\n\r\n" + head())
    assert [answer.status for answer in found] == [200, 200, 200, 400]
    found = await sent(served, head() + head("/" + "x" * connections.HEAD_BYTES))
    assert [answer.status for answer in found] == [200, 431]
    first, second = await sent(served, head() + b"GET http:// HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (first.status, second.code) == (200, "malformed")


@pytest.mark.parametrize("size", ["ZZ", "-1", "F" * 18])
async def test_a_body_in_bad_chunks_is_answered(size: str, served: Served) -> None:
    chunk = f"{size}\r\n{{}}\r\n0\r\n\r\n".encode()
    for pieces in ([POST + chunk], [POST, chunk]):
        (answer,) = await sent(served, *pieces)
        assert (answer.status, answer.code) == (400, "malformed")
    found = await sent(served, head() * 2 + POST + chunk + head())
    assert [answer.status for answer in found] == [200, 200, 400]


async def test_a_body_that_breaks_behind_its_answer_gets_no_second_one(served: Served) -> None:
    post = head("/v1/games", "POST", **CHUNKED)
    (answer,) = await sent(served, post, b"ZZ\r\n")
    assert answer.code == "method_not_allowed"


async def test_an_unknown_encoding_is_answered(served: Served) -> None:
    post = head("/v1/matches", "POST", **{**CHUNKED, "Transfer-Encoding": "xchunked"})
    (answer,) = await sent(served, post + b"2\r\n{}\r\n0\r\n\r\n")
    assert (answer.status, answer.code) == (400, "malformed")


@pytest.mark.parametrize(
    "request_",
    [b"G", head()[:-2], POST, POST + b"2\r\n{}\r\n"],
)
async def test_what_ends_early_is_answered(request_: bytes, served: Served) -> None:
    (answer,) = await sent(served, request_, ends=True)
    assert (answer.status, answer.code) == (400, "malformed")
    assert b"ended early" in answer.body


async def test_who_goes_between_two_requests_gets_no_answer(served: Served) -> None:
    assert await sent(served, ends=True) == []
    (answer,) = await sent(served, head(), ends=True)
    assert answer.status == 200


async def test_another_protocol_is_not_spoken_and_hides_nothing(served: Served) -> None:
    h2c = head(Upgrade="h2c", Connection="Upgrade, HTTP2-Settings")
    found = await sent(served, h2c * 3 + head(), h2c, LAST)
    assert [answer.status for answer in found] == [200] * 6


async def test_streams_end_with_their_client_whatever_is_behind_them(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path) as served:
        table = await lay(served.net)
        stream = {**table.bearer(0), "Accept": "text/event-stream"}
        host, _, port = served.address.partition(":")
        for behind in (head(), b"nonsense\r\n\r\n"):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(head(f"/v1/matches/{table.id}/events", **stream) + behind)
            await served.opened(1)
            writer.transport.abort()
            await served.opened(0)


@pytest.mark.parametrize(
    "path", ["/v1/games", "/v1/matches", "/healthz", "/openapi.json", "/docs", "/graphql"]
)
async def test_what_can_be_got_can_be_asked_for_its_head(path: str, served: Served) -> None:
    params = {"query": "{ games { name } }"} if path == "/graphql" else {}
    get = await served.net.get(path, params=params)
    asked = await served.net.head(path, params=params)
    assert (asked.status_code, asked.content) == (get.status_code, b"")
    assert asked.headers["content-type"] == get.headers["content-type"]
    assert asked.headers.get("etag") == get.headers.get("etag")


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/games", "GET, HEAD, OPTIONS"),
        ("/v1/matches", "GET, HEAD, POST, OPTIONS"),
        ("/v1/matches/m/moves", "POST, OPTIONS"),
        ("/graphql", "GET, HEAD, POST, OPTIONS"),
        ("/healthz", "GET, HEAD, OPTIONS"),
    ],
)
async def test_options_tells_the_methods(path: str, methods: str, served: Served) -> None:
    answer = await served.net.options(path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["allow"] == methods
    assert (await served.net.options(f"{path}/nothing/here")).status_code == 404


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LocalHost:8000", 200),
        ("[::1]:8000", 200),
        ("[::1]", 200),
        ("evil.example", 421),
        ("evil.example:8000", 421),
        ("localhost.evil.example", 421),
        ("localhost:x", 421),
        ("", 421),
    ],
)
async def test_a_service_goes_by_its_names_alone(
    host: str, status: int, memory: EventStore, tmp_path: Path
) -> None:
    async with service(memory, tmp_path, hosts="localhost,[::1]") as http:
        answer = await http.get("/v1/games", headers={"Host": host})
        well = await http.get("/healthz", headers={"Host": host})
    assert (answer.status_code, well.status_code) == (status, 200)
    if status == 421:
        assert refused(answer) == (421, "misdirected")


@pytest.mark.parametrize("hosts", ["", "*"])
async def test_without_names_any_will_do(hosts: str, memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path, hosts=hosts) as http:
        assert (await http.get("/v1/games", headers={"Host": "any"})).status_code == 200


@pytest.mark.parametrize(
    ("address", "host", "status"),
    [
        ("http://stele.example/v1/games", "stele.example", 200),
        ("http://Stele.example:80/v1/games", "stele.example:80", 200),
        ("http://[::1]:80/v1/games", "[::1]:80", 200),
        ("http://evil.example/v1/games", "stele.example", 421),
        ("http://stele.example/v1/games", "evil.example", 421),
        ("http://evil.example/v1/games", "evil.example", 421),
        ("http://stele.example:81/v1/games", "stele.example", 421),
    ],
)
async def test_an_absolute_address_names_the_host_of_the_header(
    address: str, host: str, status: int, memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path, hosts="stele.example,[::1]") as served:
        (answer,) = await sent(served, head(address, Host=host, Connection="close"))
    assert answer.status == status
    assert status == 200 or answer.code == "misdirected"


async def test_a_socket_asks_for_the_host_too(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path, hosts="stele.example") as served:
        with pytest.raises(websockets.InvalidStatus) as refusal:
            async with websockets.connect(served.socket_url, subprotocols=[PROTOCOL]):
                pass
    assert refusal.value.response.status_code == 421
    assert b"misdirected" in (refusal.value.response.body or b"")


@pytest.mark.parametrize("hosts", ["https://a.example", "a.example:80", "a b", "::1"])
def test_a_name_has_neither_scheme_nor_port(hosts: str) -> None:
    with pytest.raises(SettingsError, match=r"STELE_HOSTS: .* is not a host name"):
        load_settings(hosts=hosts)


class Slow:
    """An application whose requests go on until they are let go."""

    def __init__(self) -> None:
        self.go = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/slow":
            await self.go.wait()
        if scope["path"] == "/feed":
            with Bearers().place():
                await self.go.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})


async def until(edge: Edge, present: int) -> None:
    async with asyncio.timeout(SECONDS):
        while edge.present != present:  # noqa: ASYNC110  # it tells nobody
            await asyncio.sleep(0)


async def test_one_request_too_many_is_told_to_come_again() -> None:
    slow = Slow()
    edge = Edge(slow, (), most=2)
    transport = httpx.ASGITransport(edge)
    async with httpx.AsyncClient(transport=transport, base_url="http://stele") as http:
        feeds = [asyncio.create_task(http.get("/feed")) for _ in range(5)]
        await until(edge, 0)  # they wait, and are in nobody's way
        under_way = [asyncio.create_task(http.get("/slow")) for _ in range(2)]
        await until(edge, 2)
        answer = await http.get("/v1/games")
        assert refused(answer) == (503, "overloaded")
        assert answer.headers["retry-after"] == "1"
        assert answer.json()["retryable"] is True
        for path in ("/healthz", "/readyz"):
            assert (await http.get(path)).status_code == 200
        slow.go.set()
        assert {(await one).status_code for one in (*feeds, *under_way)} == {200}
        assert edge.present == 0
        assert (await http.get("/v1/games")).status_code == 200


async def test_an_address_has_a_part_of_what_is_done_at_once() -> None:
    slow = Slow()
    edge = Edge(slow, (), most=8, most_each=2)

    def client_at(host: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(edge, client=(host, 1234))
        return httpx.AsyncClient(transport=transport, base_url="http://stele")

    async with client_at("192.0.2.1") as http, client_at("192.0.2.2") as other:
        feeds = [asyncio.create_task(http.get("/feed")) for _ in range(5)]
        await until(edge, 0)
        under_way = [asyncio.create_task(http.get("/slow")) for _ in range(2)]
        await until(edge, 2)
        answer = await http.get("/v1/games")
        assert refused(answer) == (429, "rate_limited")
        assert answer.headers["retry-after"] == "1"
        assert (await http.get("/readyz")).status_code == 200
        assert (await other.get("/v1/games")).status_code == 200
        slow.go.set()
        assert {(await one).status_code for one in (*feeds, *under_way)} == {200}
        assert (await http.get("/v1/games")).status_code == 200
        assert edge.present == 0


async def test_slow_bodies_of_one_address_keep_nobody_else_out(
    memory: EventStore, tmp_path: Path
) -> None:
    """Where clients are limited: a quarter of what a process does at once is for one address."""
    async with serving(memory, tmp_path, max_requests=8, rate_limit="600/minute") as served:
        bodies = []
        for number in range(3):
            await until(edge_of(served), number)
            reader, writer = await asyncio.open_connection(*served.address.split(":"))
            writer.write(
                b"POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                b"Content-Length: 99\r\n\r\n{"
            )
            bodies.append((reader, writer))
        refusal = await asyncio.wait_for(bodies[2][0].readline(), SECONDS)
        assert refusal.startswith(b"HTTP/1.1 429 ")
        transport = httpx.ASGITransport(served.app, client=("192.0.2.2", 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://stele") as other:
            assert (await other.get("/v1/games")).status_code == 200
        for _, writer in bodies:
            writer.close()


async def test_long_polls_of_one_request_leave_once(memory: EventStore, tmp_path: Path) -> None:
    """However many fields of a document wait, the request makes room for one other."""
    async with serving(memory, tmp_path, max_requests=1) as served:
        table = await lay(served.net)
        version = (await table.view())["version"]
        wait = f'events(matchId: "{table.id}", after: {version}, wait: 20) {{ version }}'
        query = "{" + " ".join(f"p{number}: {wait}" for number in range(4)) + "}"
        async with asyncio.TaskGroup() as polls:
            poll = polls.create_task(
                served.net.post("/graphql", json={"query": query}, headers=table.bearer(0))
            )
            await served.opened(4)
            edge = edge_of(served)
            assert edge.present == 0
            await table.post("/concede", {}, 0)
            assert (await poll).status_code == 200
        assert edge.present == 0


def edge_of(served: Served) -> Edge:
    app: object = served.app.middleware_stack
    while not isinstance(app, Edge):
        app = vars(app).get("app") or vars(app)["_app"]
    return app


async def test_streams_and_long_polls_do_not_count(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path, max_requests=1) as served:
        table = await lay(served.net)
        version = (await table.view())["version"]
        async with streaming(served, table, 0), asyncio.TaskGroup() as polls:
            path, wait = f"/v1/matches/{table.id}/events", {"after": version, "wait": 20}
            poll = polls.create_task(served.net.get(path, params=wait, headers=table.bearer(0)))
            await served.opened(2)
            assert (await served.net.get("/v1/games")).status_code == 200
            await table.post("/concede", {}, 0)
            assert (await poll).status_code == 200
