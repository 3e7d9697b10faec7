import json
import logging
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.requests import ClientDisconnect

from schema.errors import MatchNotFound
from tests.service.transport.samples import Calls, Limits, client

pytestmark = pytest.mark.anyio

JSON = {"content-type": "application/json"}
GAMES = "{ games { name } }"
CONCEDE = 'mutation { concede(input: {matchId: "m1"}) { version } }'


def code(response: httpx.Response) -> tuple[int, str]:
    (error,) = response.json()["errors"]
    assert error["extensions"]["doc"] == f"/docs/errors#{error['extensions']['code']}"
    return response.status_code, error["extensions"]["code"]


async def test_a_query_may_be_a_get() -> None:
    calls = Calls()
    async with client(calls) as http:
        response = await http.get(
            "/graphql",
            params={
                "query": "query A($id: String!) { match(id: $id) { version } } "
                "query B { games { name } }",
                "variables": '{"id": "m1"}',
                "operationName": "A",
            },
        )
    assert response.json()["data"] == {"match": {"version": 17}}
    assert response.headers["cache-control"] == "no-store"


async def test_a_mutation_is_no_get() -> None:
    calls = Calls()
    async with client(calls) as http:
        response = await http.get("/graphql", params={"query": CONCEDE})
    assert code(response) == (405, "method_not_allowed")
    assert response.headers["allow"] == "POST"
    assert calls.seen == []


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_other_methods_are_not_allowed(method: str) -> None:
    async with client(Calls()) as http:
        response = await http.request(method, "/graphql")
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'[{"query": "{ games { name } }"}]',
        b"{}",
        b'{"query": null}',
        b'{"query": 7}',
        b'{"query": "", "variables": {}}',
        b'{"query": "{ games { name } }", "query": "{ games { title } }"}',
        b'{"query": "{ games { name } }", "variables": [1]}',
        b'{"query": "{ games { name } }", "operationName": 7}',
        b'{"query": "{ games { name } }", "operationName": "Other"}',
        b'{"query": "query A { games { name } } query B { games { name } }"}',
        b'{"query": "fragment F on Query { games { name } }"}',
        b'{"query": "{ games { name } }", "variables": ' + b'{"a":' * 50 + b"1" + b"}" * 51,
        b'{"query": "\xff"}',
    ],
)
async def test_a_malformed_body_is_refused(body: bytes) -> None:
    calls = Calls()
    headers = {**JSON, "accept": "application/graphql-response+json"}
    async with client(calls) as http:
        response = await http.post("/graphql", content=body, headers=headers)
    assert code(response) == (400, "malformed")
    assert calls.seen == []


@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", ""])
async def test_a_body_that_is_not_json_is_refused(kind: str) -> None:
    async with client(Calls()) as http:
        response = await http.post(
            "/graphql", content=json.dumps({"query": GAMES}), headers={"content-type": kind}
        )
    assert code(response) == (415, "wrong_media_type")


async def test_a_large_body_is_refused() -> None:
    async with client(Calls(), Limits(1000)) as http:
        response = await http.post("/graphql", json={"query": GAMES + " " * 1000})
    assert code(response) == (413, "too_large")


async def test_a_forged_token_is_refused() -> None:
    async with client(Calls()) as http:
        response = await http.post(
            "/graphql", json={"query": GAMES}, headers={"authorization": "Bearer forged"}
        )
    assert code(response) == (401, "unauthenticated")
    assert response.headers["www-authenticate"] == "Bearer"


async def test_a_client_that_goes_away_breaks_nothing() -> None:
    async def gone() -> AsyncIterator[bytes]:
        yield b"{"
        raise ClientDisconnect

    async with client(Calls()) as http:
        response = await http.post("/graphql", content=gone(), headers=JSON)
    assert code(response) == (400, "malformed")


@pytest.mark.parametrize(
    ("accept", "status", "media"),
    [
        ("application/json", 200, "application/json"),
        (
            "application/graphql-response+json",
            400,
            "application/graphql-response+json",
        ),
    ],
)
async def test_what_never_ran_has_no_data(accept: str, status: int, media: str) -> None:
    async with client(Calls()) as http:
        response = await http.post(
            "/graphql", json={"query": "{ nothing }"}, headers={"accept": accept}
        )
    assert code(response) == (status, "malformed")
    assert "data" not in response.json()
    assert response.headers["content-type"] == media


async def test_a_refusal_stands_beside_the_data() -> None:
    calls = Calls()
    calls.failures["match"] = MatchNotFound("there is no such match")
    async with client(calls) as http:
        response = await http.post("/graphql", json={"query": '{ match(id: "m") { version } }'})
    assert code(response) == (200, "match_not_found")
    assert response.json()["data"] == {"match": None}


async def test_a_mistake_of_ours_is_logged_once_and_told_to_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    calls = Calls()
    calls.failures["games"] = ValueError("seat 2 holds the Mona Lisa")
    with caplog.at_level(logging.DEBUG):
        async with client(calls) as http:
            response = await http.post("/graphql", json={"query": GAMES})
    assert code(response) == (200, "internal")
    assert "Mona Lisa" not in response.text + caplog.text
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert len(errors) == 1


async def test_a_mistake_outside_the_operation_is_told_to_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(value: object) -> bytes:
        if "data" in str(value):
            raise ValueError("the Mona Lisa")
        return json.dumps(value).encode()

    monkeypatch.setattr("service.graphql.encoded", broken)
    async with client(Calls()) as http:
        response = await http.post("/graphql", json={"query": GAMES})
    assert code(response) == (500, "internal")
    assert "Mona Lisa" not in response.text


@pytest.mark.parametrize("accept", ["text/html, */*;q=0.8", "*/*"])
async def test_no_page_is_served(accept: str) -> None:
    async with client(Calls()) as http:
        response = await http.get("/graphql", headers={"accept": accept})
    assert code(response) == (400, "malformed")


async def test_introspection_is_off() -> None:
    async with client(Calls()) as http:
        response = await http.post("/graphql", json={"query": "{ __schema { __typename } }"})
    assert code(response) == (200, "malformed")


@pytest.mark.parametrize("name", ["query", "variables", "operationName", "extensions"])
@pytest.mark.parametrize("value", [0, 1, False, ["a"]])
async def test_a_parameter_of_another_type_is_malformed(name: str, value: object) -> None:
    async with client(Calls()) as http:
        response = await http.post("/graphql", json={"query": GAMES, name: value})
    assert code(response) == (400, "malformed")
    assert response.json()["errors"][0]["message"].startswith(f"{name}: must be ")


async def test_an_empty_parameter_of_a_get_counts_as_left_out() -> None:
    empty = {"variables": "", "operationName": "", "extensions": ""}
    async with client(Calls()) as http:
        response = await http.get("/graphql", params={"query": GAMES, **empty})
    assert "errors" not in response.json()
