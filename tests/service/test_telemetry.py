"""What a collector of traces is told: a real one, over HTTP, and what it must not learn."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from domain.engine.chance import Chance
from schema.operations import OPERATIONS
from service.store import EventStore
from tests.kit.processes import free_port, running
from tests.kit.servers import short_directory
from tests.kit.service import answered, lay, service
from tests.kit.two_worlds import two_worlds

pytestmark = pytest.mark.anyio

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"


class Collector:
    """Takes traces as they are sent."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                collector.bodies.append(self.rfile.read(int(self.headers["content-length"])))
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def spans(self) -> list[Span]:
        sent = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        scopes = [one for each in sent for kind in each.resource_spans for one in kind.scope_spans]
        return [span for scope in scopes for span in scope.spans]


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector()
    thread = threading.Thread(target=collector.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield collector
    collector.server.shutdown()
    collector.server.server_close()


async def test_every_request_is_a_span_and_a_commit_lies_in_it() -> None:
    names = {row.name for row in OPERATIONS} | {"move", "none", "graphql", "health", "commit"}
    with collecting() as collector, short_directory() as directory:
        setting = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url}
        with running(directory, **setting) as process:
            async with httpx.AsyncClient(base_url=process.url, timeout=30) as client:
                table = await lay(client, 2)
                for number in range(3):
                    await table.step(Chance("traces", number))
                client.headers["traceparent"] = PARENT
                await table.view()
                del client.headers["traceparent"]
                answered(await client.post("/graphql", json={"query": "{ games { name } }"}))
                assert (await client.get("/v1/nothing?key=word")).status_code == 404
            assert process.stop() == 0
    spans = collector.spans()
    counted = Counter(span.name for span in spans)
    assert set(counted) <= names
    assert (counted["move"], counted["graphql"]) == (3, 1)
    assert counted["createMatch"] == 1
    by_id = {span.span_id: span for span in spans}
    commits = [by_id[span.parent_span_id].name for span in spans if span.name == "commit"]
    assert Counter(commits)["move"] == 3
    assert [span.name for span in spans if span.trace_id.hex() == TRACE] == ["match"]
    for span in spans:
        assert {one.key for one in span.attributes} <= {"http.response.status_code"}
        assert not span.events
        assert not span.status.message
    sent = b"".join(collector.bodies)
    assert b"stele" in sent
    for secret in (table.id, table.owner, *table.tokens.values(), "chrononauts", "player", "word"):
        assert secret.encode() not in sent


async def test_a_collector_that_is_away_is_nobodys_trouble() -> None:
    with short_directory() as directory:
        setting = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{free_port()}"}
        with running(directory, **setting) as process:
            async with httpx.AsyncClient(base_url=process.url, timeout=30) as client:
                table = await lay(client, 2)
                assert await table.step(Chance("traces", 0))
            began = time.monotonic()
            assert process.stop() == 0
            assert time.monotonic() - began < 25


async def test_nothing_is_sent_unless_a_collector_is_named(
    memory: EventStore, tmp_path: Path
) -> None:
    with collecting() as collector:
        async with service(memory, tmp_path) as http:
            await lay(http)
        assert not collector.bodies


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
async def test_two_worlds_that_differ_in_hidden_cards_leave_the_same_traces(
    game: str, tmp_path: Path
) -> None:
    with collecting() as collector:
        setting: dict[str, Any] = {"otel_exporter_otlp_endpoint": collector.url}
        async with two_worlds(game, 0, tmp_path, 6, number=1, **setting) as (*tables, exchanged):
            assert exchanged > 5
            for world, table in enumerate(tables, 1):
                table.client.headers["traceparent"] = f"00-{world:032}-b7ad6b7169203331-01"
                for path in ("", "/legal-moves", "/events", "/describe", "/log"):
                    await table.get(path, 0)
                for dry in (True, False):
                    for move in (await table.legal(0))["moves"][:1]:
                        await table.move(0, {**move["body"], "dryRun": dry})
    worlds: list[list[tuple[str, bytes]]] = [[], []]
    for span in collector.spans():
        said = b"".join(one.SerializeToString() for one in span.attributes)
        worlds[int(span.trace_id.hex()) - 1].append((span.name, said))
    assert worlds[0] == worlds[1]
    assert len(worlds[0]) >= 7
