"""Answers with gzip: who gets them, and which never are."""

import gzip
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import httpx
import msgspec
import pytest
from msgspec import inspect

from domain.engine.chance import Chance
from schema.operations import OPERATIONS
from service import packing
from service.negotiation import takes
from service.store import EventStore
from tests.kit.service import Table, lay, service

pytestmark = pytest.mark.anyio

TAKES = {"Accept-Encoding": "gzip, deflate, br"}
SECRETS = {"token", "ownerToken", "invite", "secret"}


@pytest.fixture
async def table(memory: EventStore, tmp_path: Path) -> AsyncIterator[Table]:
    async with service(memory, tmp_path) as http:
        table = await lay(http, 2)
        for _ in range(6):
            await table.step(Chance("packing", 0))
        yield table


async def raw(
    http: httpx.AsyncClient, path: str, headers: dict[str, str], method: str = "GET"
) -> tuple[httpx.Response, bytes]:
    """Return an answer, and its body as it came."""
    async with http.stream(method, path, headers=headers) as response:
        return response, b"".join([piece async for piece in response.aiter_raw()])


def paths(table: Table) -> Iterator[str]:
    match = f"/v1/matches/{table.id}"
    yield from (match, f"{match}/events", f"{match}/log", f"{match}/describe", "/openapi.json")
    yield from ("/v1/games", "/v1/games/chrononauts/cards", "/v1/games/ancient_knowledge/cards")
    events = f'{{events(matchId:"{table.id}"){{events{{version type data}}}}}}'
    yield f"/graphql?query={events}"


async def test_a_large_answer_is_compressed_for_who_takes_it(table: Table) -> None:
    for path in paths(table):
        plain, body = await raw(table.client, path, {**table.bearer(0), "Accept-Encoding": "br"})
        answer, packed = await raw(table.client, path, {**table.bearer(0), **TAKES})
        assert plain.status_code == 200, body
        assert "content-encoding" not in plain.headers
        assert answer.headers["content-encoding"] == "gzip", path
        assert gzip.decompress(packed) == body
        assert len(packed) < len(body) / 1.5
        assert int(answer.headers["content-length"]) == len(packed)
        for header in ("etag", "vary", "content-type", "cache-control"):
            assert answer.headers.get(header) == plain.headers.get(header)
        assert "Accept-Encoding" in answer.headers["vary"]
        head, nothing = await raw(table.client, path, {**table.bearer(0), **TAKES}, "HEAD")
        if path.startswith("/graphql"):
            continue
        assert nothing == b""
        assert head.headers["content-length"] == answer.headers["content-length"]


async def test_a_tag_holds_for_both_forms(table: Table) -> None:
    for path in paths(table):
        first, _ = await raw(table.client, path, {**table.bearer(0), **TAKES})
        if (tag := first.headers.get("etag")) is not None:
            for accept in ("gzip", "identity"):
                headers = {**table.bearer(0), "Accept-Encoding": accept, "If-None-Match": tag}
                again, body = await raw(table.client, path, headers)
                assert (again.status_code, body) == (304, b"")
                assert "content-encoding" not in again.headers
                assert again.headers["vary"] == first.headers["vary"]


async def test_a_small_answer_stays_as_it_is(table: Table) -> None:
    path = f"/v1/matches/{table.id}/events?limit=1"
    answer, body = await raw(table.client, path, {**table.bearer(0), **TAKES})
    assert "content-encoding" not in answer.headers
    assert msgspec.json.decode(body)["events"]


async def test_an_answer_to_a_move_is_compressed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "SMALL", 100)
    seat = await table.next_seat()
    assert seat is not None
    body = (await table.legal(seat))["moves"][0]["body"]
    answer = await table.move(seat, body)
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.json()["events"]


@pytest.mark.parametrize("media", ["text/event-stream", "application/x-ndjson"])
async def test_a_stream_is_left_alone(
    table: Table, media: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "SMALL", 0)
    await table.post("/concede", {}, 0)
    path = f"/v1/matches/{table.id}/events"
    answer, body = await raw(table.client, path, {**table.bearer(0), **TAKES, "Accept": media})
    assert answer.headers["content-type"].startswith(media)
    assert "content-encoding" not in answer.headers
    assert b"match.finished" in body


async def test_what_holds_tokens_is_never_compressed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packing, "SMALL", 0)
    create = {"game": "chrononauts", "seats": 6}
    answer = await table.client.post("/v1/matches", json=create, headers=TAKES)
    invite = answer.json()["invites"][0]["invite"]
    place = f"/v1/matches/{answer.json()['matchId']}/seats"
    await table.post("/concede", {}, 0)
    log = (await table.get("/log", 0)).text
    ndjson = {"Content-Type": "application/x-ndjson"}
    words = 'mutation { createMatch(input: {game: "chrononauts", seats: 6}) { ownerToken } }'
    answers = [
        answer,
        await table.client.post(place, json={"invite": invite, "player": "Ann"}, headers=TAKES),
        await table.post("/fork", {"at": 8}, "owner", TAKES),
        await table.client.post("/v1/matches/import", content=log, headers={**TAKES, **ndjson}),
        await table.client.post("/graphql", json={"query": words}, headers=TAKES),
    ]
    for answer in answers:
        assert answer.is_success, answer.text
        assert any(name in answer.text for name in ('oken":"', '"invite"'))
        assert "content-encoding" not in answer.headers
    refused = await table.client.get(f"/v1/matches/{table.id}?at=x", headers=TAKES)
    assert "content-encoding" not in refused.headers


def test_no_compressed_answer_has_a_place_for_a_secret() -> None:
    """The list in `packing.py` is right as long as this holds for every type that goes out."""
    found = {row.name: SECRETS & set(names(inspect.type_info(row.result))) for row in OPERATIONS}
    assert {name for name, secret in found.items() if secret} == {
        *("createMatch", "takeSeat", "forkMatch", "importMatch", "rotateToken", "issueToken"),
        *("createWebhook", "rotateWebhookSecret"),
    }
    assert not any(found[name] for name in packing.PACKED)


def names(kind: inspect.Type) -> Iterator[str]:
    match kind:
        case inspect.StructType(fields=fields):
            for field in fields:
                yield field.encode_name
                yield from names(field.type)
        case inspect.VarTupleType(item_type=inner) | inspect.Metadata(type=inner):
            yield from names(inner)
        case inspect.UnionType(types=kinds):
            for one in kinds:
                yield from names(one)
        case _:
            return


def test_a_document_of_graphql_is_compressed_only_as_a_whole() -> None:
    assert packing.are_packed(("match", "__schema", "playCard"))
    assert not packing.are_packed(("match", "createMatch"))
    assert not packing.are_packed(("somethingNew",))


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("gzip", True),
        ("deflate, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0, *", False),
        ("*;q=0", False),
        ("gzip;q=x", False),
        ("identity", False),
        ("xgzip", False),
        ("", False),
    ],
)
def test_a_client_says_what_it_takes(accept: str, expected: bool) -> None:
    assert takes(accept, "gzip") is expected
