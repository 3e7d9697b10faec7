"""Bodies that are refused, each with its exact status and code."""

from collections.abc import AsyncIterator

import pytest
from starlette.requests import ClientDisconnect

from service.rest import MOVES
from tests.service.transport.samples import Calls, Limits, client

pytestmark = pytest.mark.anyio

JSON = {"content-type": "application/json"}


async def post(
    body: bytes | AsyncIterator[bytes],
    headers: dict[str, str] | None = None,
    path: str = "/v1/matches",
) -> tuple[int, str, str]:
    calls = Calls()
    async with client(calls) as http:
        response = await http.post(path, content=body, headers=headers or JSON)
    told = response.json()
    assert calls.seen == []
    assert response.headers["content-type"] == "application/problem+json"
    assert told["status"] == response.status_code
    assert told["type"] == f"/docs/errors#{told['code']}"
    return response.status_code, told["code"], told["detail"]


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"{", "the body is not JSON: Expecting property name enclosed in double quotes"),
        (b"{} {}", "the body is not JSON: Extra data (line 1, column 4)"),
        (b"\xef\xbb\xbf{}", "the body is not JSON: Unexpected UTF-8 BOM"),
        ("{}".encode("utf-16"), "the body is not UTF-8 (byte 0)"),
        (b'{"game": "\xff"}', "the body is not UTF-8 (byte 10)"),
        (b"[]", "the body must be a JSON object"),
        (b"null", "the body must be a JSON object"),
        (b'{"game": "a", "game": "b"}', "the body repeats a key"),
        (b'{"seats": NaN}', "the body is not JSON: NaN is no number"),
        (b'{"seats": -Infinity}', "the body is not JSON: -Infinity is no number"),
        (b'{"seats": 1e999}', "the body holds a number that is too large"),
        (b'{"seats": ' + b"9" * 5000 + b"}", "the body holds a number that is too long"),
        (b'{"game": "\\ud800"}', "the body holds half of a surrogate pair"),
        (b'{"options": ' + b"[" * 40 + b"]" * 40 + b"}", "the body nests more than 32 arrays"),
        (b'{"options": ' + b'{"a":' * 50_000, "the body nests more than 32"),
        (b'{"options": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "the body nests more than 32"),
        (b"", "game: is missing (and 1 more)"),
        (b'{"game": "chrononauts", "seats": "2"}', "seats: has to be a whole number"),
        (b'{"game": "chrononauts", "seats": 2.5}', "seats: has to be a whole number"),
        (b'{"game": "chrononauts", "seats": 2, "seat": 1}', "seat: is not known here"),
    ],
)
async def test_a_malformed_body_is_refused(body: bytes, detail: str) -> None:
    status, code, told = await post(body)
    assert (status, code) == (400, "malformed")
    assert told.startswith(detail)


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "multipart/form-data; boundary=x"},
        {"content-type": "application/json; charset=utf-16"},
        {"content-type": "application/x-ndjson"},
        {"content-type": "application/json", "content-encoding": "gzip"},
        {"content-type": ""},
    ],
)
async def test_a_body_of_another_media_type_is_refused(headers: dict[str, str]) -> None:
    status, code, _ = await post(b'{"game": "chrononauts", "seats": 2}', headers)
    assert (status, code) == (415, "wrong_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json", "Application/JSON", 'application/json; charset="UTF-8"']
)
async def test_json_may_be_named_in_many_ways(kind: str) -> None:
    async with client(Calls()) as http:
        response = await http.post(
            "/v1/matches",
            content='{"game": "chrononauts", "seats": 2, "options": {"\\u00e9": 1}}',
            headers={"content-type": kind},
        )
    assert response.status_code == 201


async def test_many_brackets_side_by_side_are_fine() -> None:
    body = {"type": "choose", "choice": 1, "picks": ["[" * 40, "{" * 40]}
    async with client(Calls()) as http:
        assert (await http.post("/v1/matches/m1/moves", json=body)).status_code == 200


async def test_a_body_announced_too_large_is_not_read() -> None:
    body = b'{"text": "' + b"x" * 300_000 + b'"}'
    assert (await post(body))[:2] == (413, "too_large")
    assert (await post(b"{}", {**JSON, "content-length": "9" * 30}))[:2] == (413, "too_large")


async def test_a_body_that_grows_too_large_is_read_no_further() -> None:
    pieces = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal pieces
        while True:
            pieces += 1
            yield b"x" * 1000

    async with client(Calls(), Limits(5000)) as http:
        response = await http.post("/v1/matches", content=endless(), headers=JSON)
    assert (response.status_code, response.json()["code"]) == (413, "too_large")
    assert response.json()["maxBytes"] == 5000
    assert pieces < 10


async def test_only_a_log_may_be_large() -> None:
    calls = Calls()
    text = "x" * 300_000
    async with client(calls) as http:
        lines = await http.post(
            "/v1/matches/import", content=text, headers={"content-type": "application/x-ndjson"}
        )
        json = await http.post("/v1/matches/import", json={"text": text})
    assert (lines.status_code, json.status_code) == (201, 201)
    assert calls.seen[0] == calls.seen[1]


async def test_what_the_path_says_needs_no_body() -> None:
    calls = Calls()
    async with client(calls) as http:
        assert (await http.post("/v1/matches/m1/concede")).status_code == 200
        assert (await http.post("/v1/matches/m1/concede", headers=JSON)).status_code == 200
    assert [seen[2].model_dump()["match_id"] for seen in calls.seen] == ["m1", "m1"]


async def test_a_client_that_goes_away_breaks_nothing() -> None:
    async def gone() -> AsyncIterator[bytes]:
        yield b"{"
        raise ClientDisconnect

    assert (await post(gone(), JSON))[:2] == (400, "malformed")


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        (b"{}", f"type: name a move: {', '.join(MOVES)}"),
        (b'{"type": 7}', "type: name a move"),
        (b'{"type": "createMatch"}', "type: name a move"),
        (b'{"type": "killTime"}', "cards: is missing"),
        (b'{"type": "killTime", "cards": ["a"], "matchId": "m2"}', "matchId: differs from the"),
    ],
)
async def test_a_move_names_its_type(body: bytes, detail: str) -> None:
    status, code, told = await post(body, path="/v1/matches/m1/moves")
    assert (status, code) == (400, "malformed")
    assert told.startswith(detail)
