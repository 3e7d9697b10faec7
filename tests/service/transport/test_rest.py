import logging
from typing import Annotated

import pytest
from pydantic import Field
from starlette.requests import Request

from domain.engine.errors import IllegalMove
from schema.errors import Busy, RateLimited, VersionConflict
from schema.inputs import Arguments
from schema.operations import OPERATIONS, Operation
from service import rest
from service.arguments import from_query
from tests.kit.asking import path_of
from tests.service.transport.samples import ARGUMENTS, Calls, Limits, authenticate, client

pytestmark = pytest.mark.anyio

CHOOSE = {"type": "choose", "choice": 12, "picks": ["a"]}
MOVES = "/v1/matches/m1/moves"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, {}),
        ({"If-Match": '"17"'}, {"expected_version": 17}),
        ({"If-Match": "17"}, {"expected_version": 17}),
        ({"If-Match": 'W/"17"'}, {"expected_version": 17}),
        ({"If-Match": "*"}, {}),
        ({"Idempotency-Key": "c-1"}, {"command_id": "c-1"}),
        ({"Idempotency-Key": '"c-1"'}, {"command_id": "c-1"}),
    ],
)
async def test_headers_name_the_expected_version_and_the_command(
    headers: dict[str, str], expected: dict[str, object]
) -> None:
    calls = Calls()
    async with client(calls) as http:
        response = await http.post(MOVES, json=CHOOSE, headers=headers)
    assert response.status_code == 200
    assert calls.seen[0][2].model_dump(exclude_unset=True) == {
        "match_id": "m1",
        "choice": 12,
        "picks": ["a"],
        **expected,
    }


@pytest.mark.parametrize(
    ("headers", "body", "path"),
    [
        ({"If-Match": '"17", "18"'}, {}, "If-Match"),
        ({"If-Match": '"abc"'}, {}, "If-Match"),
        ({"If-Match": "-1"}, {}, "If-Match"),
        ({"If-Match": '"17"'}, {"expectedVersion": 18}, "expectedVersion"),
        ({"If-Match": "9999999999"}, {}, "expectedVersion"),
        ({"Idempotency-Key": "c-1"}, {"commandId": "c-2"}, "commandId"),
        ({"Idempotency-Key": "no spaces"}, {}, "commandId"),
        ({"Idempotency-Key": ""}, {}, "commandId"),
    ],
)
async def test_headers_that_make_no_sense_are_malformed(
    headers: dict[str, str], body: dict[str, object], path: str
) -> None:
    async with client(Calls()) as http:
        response = await http.post(MOVES, json={**CHOOSE, **body}, headers=headers)
    assert (response.status_code, response.json()["code"]) == (400, "malformed")
    assert [fault["path"] for fault in response.json()["errors"]] == [path]


async def test_header_and_body_may_agree() -> None:
    body = {**CHOOSE, "expectedVersion": 17, "commandId": "c-1", "matchId": "m1"}
    headers = {"If-Match": '"17"', "Idempotency-Key": "c-1"}
    async with client(Calls()) as http:
        assert (await http.post(MOVES, json=body, headers=headers)).status_code == 200


async def test_an_operation_without_versions_expects_none() -> None:
    async with client(Calls()) as http:
        response = await http.post("/v1/matches/m1/start", headers={"If-Match": '"17"'})
    assert response.json()["errors"] == [
        {"path": "If-Match", "message": "startMatch expects no version"}
    ]


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("at=abc", "at"),
        ("at=", "at"),
        ("at=-1", "at"),
        ("at=+1", "at"),
        ("at=01", "at"),
        ("at=1.0", "at"),
        ("at=1_0", "at"),
        ("at=%EF%BC%91", "at"),
        ("at=" + "9" * 400, "at"),
        ("at=1&at=2", "at"),
        ("matchId=m2", "matchId"),
        ("unknown=1", "unknown"),
    ],
)
async def test_a_query_string_is_read_strictly(query: str, path: str) -> None:
    async with client(Calls()) as http:
        response = await http.get(f"/v1/matches/m1?{query}")
    assert (response.status_code, response.json()["code"]) == (400, "malformed")
    assert [fault["path"] for fault in response.json()["errors"]] == [path]


def test_truth_values_in_a_query_string_are_two_words() -> None:
    class Flags(Arguments):
        yes: bool
        no: Annotated[bool, Field()] | None
        neither: bool
        count: Annotated[int, Field(ge=0)] | None

    query = b"yes=true&no=false&neither=True&count=7"
    request = Request({"type": "http", "query_string": query, "headers": []})
    assert from_query(request, Flags) == {"yes": True, "no": False, "neither": "True", "count": 7}


async def test_a_view_carries_its_version_and_belongs_to_its_viewer() -> None:
    async with client(Calls()) as http:
        response = await http.get("/v1/matches/m1")
    assert response.headers["etag"] == '"17"'
    assert response.headers["cache-control"] == "private, no-cache"
    assert response.headers["vary"] == "Accept, Accept-Encoding, Authorization"


@pytest.mark.parametrize("seen", ['"17"', 'W/"17"', '"3", "17"', "*"])
async def test_what_has_not_changed_is_not_sent_again(seen: str) -> None:
    for path in ("/v1/matches/m1", "/v1/matches/m1/legal-moves", "/v1/matches/m1/events"):
        async with client(Calls()) as http:
            response = await http.get(path, headers={"If-None-Match": seen})
        assert (response.status_code, response.content) == (304, b"")
        # What RFC 9110 (15.4.5) names, and nothing about a body that is not there.
        assert response.headers.keys() == {"etag", "cache-control", "vary"}
        assert response.headers["etag"] == '"17"'
        assert "Authorization" in response.headers["vary"]


@pytest.mark.parametrize(
    "row", [row for row in OPERATIONS if row.method == "GET"], ids=lambda row: str(row.name)
)
async def test_every_read_is_tagged_but_the_log_that_nobody_may_keep(row: Operation) -> None:
    path, words = path_of(row, ARGUMENTS[row.name])
    params = {name: str(word) for name, word in words.items()}
    async with client(Calls()) as http:
        first = await http.get(path, params=params)
        assert first.status_code == 200
        if row.media is not None:
            assert "etag" not in first.headers
            assert first.headers["cache-control"] == "no-store"
            return
        tag = first.headers["etag"]
        again = await http.get(path, params=params, headers={"If-None-Match": tag})
        other = await http.get(path, params=params, headers={"If-None-Match": '"other"'})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == tag
    assert again.headers["cache-control"] == first.headers["cache-control"]
    assert again.headers["vary"] == first.headers["vary"]
    assert (other.status_code, other.content) == (200, first.content)


async def test_an_earlier_version_is_tagged_by_its_content() -> None:
    """It shows more once the match is over, though its version stays the same."""
    async with client(Calls()) as http:
        first = await http.get("/v1/matches/m1?at=17")
        stale = await http.get("/v1/matches/m1?at=17", headers={"If-None-Match": '"17"'})
        tag = first.headers["etag"]
        again = await http.get("/v1/matches/m1?at=17", headers={"If-None-Match": tag})
    assert len(tag) == 34
    assert (stale.status_code, again.status_code) == (200, 304)


async def test_what_has_changed_is_sent() -> None:
    async with client(Calls()) as http:
        response = await http.get("/v1/matches/m1", headers={"If-None-Match": '"16"'})
    assert response.status_code == 200
    assert response.json()["version"] == 17


async def test_an_unchanged_view_is_not_even_made() -> None:
    asked: list[tuple[object, Arguments]] = []

    async def version_of(principal: object, arguments: Arguments) -> int:
        asked.append((principal, arguments))
        return 17

    calls = Calls()
    calls.version_of = version_of
    async with client(calls) as http:
        for tag, status in (('"17"', 304), ('"16"', 200)):
            response = await http.get("/v1/matches/m1", headers={"If-None-Match": tag})
            assert response.status_code == status
    assert len(asked) == 2
    assert [name for name, _, _ in calls.seen] == ["match"]


@pytest.mark.parametrize("path", ["/v1/games", "/v1/games/chrononauts/cards?locale=ja"])
async def test_public_reads_carry_a_hash_and_may_be_cached(path: str) -> None:
    async with client(Calls()) as http:
        first = await http.get(path)
        again = await http.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert first.headers["cache-control"] == "public, max-age=300"
    assert len(first.headers["etag"]) == 34
    assert again.status_code == 304


async def test_a_head_has_the_headers_of_a_get() -> None:
    path, plain = "/v1/matches/m1", {"Accept-Encoding": "identity"}
    async with client(Calls()) as http:
        get, head = await http.get(path, headers=plain), await http.head(path, headers=plain)
    assert head.content == b""
    assert head.headers == get.headers
    assert int(head.headers["content-length"]) == len(get.content)


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("*/*", "application/x-ndjson"),
        ("application/json", "application/json"),
        ("application/x-ndjson;q=0.5, application/json", "application/json"),
        ("application/*;q=nonsense, */*", "application/problem+json"),
        ("text/html, application/*;q=0.1", "application/x-ndjson"),
        ("text/html", "application/problem+json"),
    ],
)
async def test_a_log_comes_as_lines_or_as_json(accept: str, media: str) -> None:
    async with client(Calls()) as http:
        response = await http.get("/v1/matches/m1/log", headers={"Accept": accept})
    assert response.headers["content-type"] == media
    assert response.status_code == (406 if "problem" in media else 200)
    if "ndjson" in media:
        assert response.text == "ウェイター 'n' \"q\""


async def test_an_answer_that_is_not_accepted_is_not_made() -> None:
    calls = Calls()
    async with client(calls) as http:
        response = await http.post(MOVES, json=CHOOSE, headers={"Accept": "text/html"})
    assert (response.status_code, response.json()["code"]) == (406, "not_acceptable")
    assert calls.seen == []


async def test_answers_with_tokens_are_kept_by_nobody() -> None:
    async with client(Calls()) as http:
        response = await http.post("/v1/matches", json={"game": "chrononauts", "seats": 2})
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_a_forged_token_is_refused_before_the_body_is_read() -> None:
    async with client(Calls()) as http:
        response = await http.post(MOVES, content=b"{", headers={"Authorization": "Bearer forged"})
    assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")
    assert response.headers["www-authenticate"] == "Bearer"


async def test_a_refusal_tells_code_and_details() -> None:
    calls = Calls()
    calls.failures["choose"] = IllegalMove("not now", choice=12, status="not this one")
    async with client(calls) as http:
        response = await http.post(MOVES, json=CHOOSE)
    assert response.json() == {
        "type": "/docs/errors#illegal_move",
        "title": "The named move does not answer the open choice of this seat.",
        "status": 422,
        "code": "illegal_move",
        "detail": "not now",
        "retryable": False,
        "choice": 12,
    }


async def test_a_conflict_tells_the_current_version() -> None:
    calls = Calls()
    calls.failures["choose"] = VersionConflict("the match is at version 18", version=18)
    async with client(calls) as http:
        response = await http.post(MOVES, json=CHOOSE, headers={"If-Match": '"17"'})
    assert (response.status_code, response.json()["version"]) == (412, 18)


@pytest.mark.parametrize(
    ("error", "status", "seconds"),
    [(Busy("again"), 409, "1"), (RateLimited("slowly", retryAfter=30), 429, "30")],
)
async def test_an_error_that_passes_says_when_to_try_again(
    error: Exception, status: int, seconds: str
) -> None:
    calls = Calls()
    calls.failures["match"] = error
    async with client(calls) as http:
        response = await http.get("/v1/matches/m1")
    assert (response.status_code, response.headers["retry-after"]) == (status, seconds)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_nothing_is_told_or_logged_of_what_a_mistake_of_ours_holds(
    method: str, caplog: pytest.LogCaptureFixture
) -> None:
    calls = Calls()
    calls.failures["match"] = calls.failures["choose"] = ValueError("seat 2 holds the Mona Lisa")
    with caplog.at_level(logging.DEBUG):
        async with client(calls) as http:
            if method == "GET":
                response = await http.get("/v1/matches/m1", headers={"Authorization": "Bearer s3"})
            else:
                response = await http.post(MOVES, json=CHOOSE)
    assert (response.status_code, response.json()["code"]) == (500, "internal")
    (record,) = [record for record in caplog.records if record.name == "service"]
    assert record.getMessage().startswith(f"{response.json()['requestId']}: ValueError at ")
    assert "Mona Lisa" not in response.text + caplog.text
    assert "s3" not in caplog.text
    assert "Traceback" not in response.text


async def test_an_unknown_address_is_a_problem() -> None:
    async with client(Calls()) as http:
        response = await http.get("/v1/nothing")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")
    assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("PUT", "/v1/matches", "GET, HEAD, POST"),
        ("DELETE", "/v1/matches/m1", "GET, HEAD"),
        ("GET", MOVES, "POST"),
        ("DELETE", "/v1/matches/import", "POST"),
    ],
)
async def test_a_method_that_is_not_there_names_those_that_are(
    method: str, path: str, allow: str
) -> None:
    async with client(Calls()) as http:
        response = await http.request(method, path)
    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")
    assert response.headers["allow"] == allow


def test_there_is_one_route_for_each_row_and_one_for_all_moves() -> None:
    routes = rest.routes(Calls().handlers(), authenticate, Limits())
    paths = {(route.path, method) for route in routes for method in route.methods or ()}
    assert {(f"/v1{row.path}", row.method) for row in OPERATIONS} <= paths


def test_a_missing_handler_stops_the_start() -> None:
    with pytest.raises(LookupError, match="operations without a handler"):
        rest.routes({}, authenticate, Limits())
