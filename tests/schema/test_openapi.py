import json
from typing import Any, get_args

import msgspec
import pytest
from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.definitions import OPENAPI_31

from domain.engine.choices import Choice, Option
from schema.errors import ERRORS
from schema.openapi import build_openapi
from schema.operations import BY_NAME, OPERATIONS, Kind
from schema.parameters import MEANINGS
from schema.webhooks import News, NewsData, NewsType

DOCUMENT: Any = build_openapi()
SCHEMAS: Any = DOCUMENT["components"]["schemas"]
ANSWER_TOKENS = {"createMatch", "forkMatch", "importMatch", "takeSeat", "rotateToken"}


def operations() -> dict[str, Any]:
    return {
        operation["operationId"]: operation
        for path in DOCUMENT["paths"].values()
        for operation in path.values()
    }


def references(part: object) -> set[str]:
    match part:
        case {"$ref": str(reference)}:
            return {reference}
        case dict():
            return {found for value in part.values() for found in references(value)}
        case list():
            return {found for value in part for found in references(value)}
        case _:
            return set()


def test_the_document_is_valid() -> None:
    Draft202012Validator(OPENAPI_31).validate(DOCUMENT)


@pytest.mark.parametrize("name", sorted(SCHEMAS))
def test_a_schema_is_valid(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])


def test_every_reference_leads_somewhere() -> None:
    for reference in references(DOCUMENT):
        part = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            part = part[step]


def test_every_operation_is_described() -> None:
    expected = {row.name for row in OPERATIONS if row.kind is not Kind.MOVE} | {"move"}
    assert set(operations()) == expected
    for row in OPERATIONS:
        assert DOCUMENT["paths"][f"/v1{row.path}"][row.method.lower()]


def test_every_parameter_says_what_it_means() -> None:
    used = set()
    for item in DOCUMENT["paths"].values():
        for operation in item.values():
            for one in operation["parameters"]:
                if "$ref" in one:
                    continue
                own = f"{operation['operationId']}.{one['name']}"
                used.add(own if own in MEANINGS else one["name"])
                assert one["description"] == MEANINGS.get(own, MEANINGS.get(one["name"]))
    assert used == MEANINGS.keys()


def test_where_a_repeat_answers_tokens_the_command_id_is_told_to_be_a_secret() -> None:
    secret = "#/components/parameters/SecretIdempotencyKey"
    told = set()
    for name, operation in operations().items():
        refs = {one.get("$ref") for one in operation["parameters"]}
        assert (secret in refs) == (name in ANSWER_TOKENS), name
        if name in ANSWER_TOKENS:
            command = SCHEMAS[BY_NAME[name].arguments.__name__]["properties"]["commandId"]
            assert command["anyOf"][0]["minLength"] == 16
            assert "16 to 64 characters" in command["description"]
            told.add(name)
    assert told == ANSWER_TOKENS
    parameter = DOCUMENT["components"]["parameters"]["SecretIdempotencyKey"]
    assert "16 to 64 characters" in parameter["description"]


def test_moves_are_told_apart_by_their_type() -> None:
    body = operations()["move"]["requestBody"]["content"]["application/json"]["schema"]
    moves = {row.name for row in OPERATIONS if row.kind is Kind.MOVE}
    assert set(body["discriminator"]["mapping"]) == moves
    assert {one["$ref"] for one in body["oneOf"]} == set(body["discriminator"]["mapping"].values())
    assert SCHEMAS["KillTimeMove"]["properties"]["type"] == {"const": "killTime"}
    assert SCHEMAS["KillTimeMove"]["required"] == ["type", "cards"]


def test_what_the_path_names_need_not_stand_in_the_body() -> None:
    assert "required" not in SCHEMAS["ConcedeInput"]
    assert SCHEMAS["CreateMatchInput"]["required"] == ["game", "seats"]
    assert operations()["concede"]["requestBody"]["required"] is False
    assert operations()["createMatch"]["requestBody"]["required"] is True


def test_every_code_of_an_operation_stands_under_its_status() -> None:
    for row in OPERATIONS:
        operation = DOCUMENT["paths"][f"/v1{row.path}"][row.method.lower()]
        for code in (*row.errors, "malformed", "unauthenticated", "internal"):
            response = operation["responses"][str(ERRORS[code].status)]
            assert f"`{code}`" in response["description"]


def test_every_answer_tells_of_the_budget_and_when_to_come_again() -> None:
    for operation in operations().values():
        for status, response in operation["responses"].items():
            if status[0] == "2" and "content" in response:
                assert {"RateLimit", "RateLimit-Policy"} <= response["headers"].keys()
        headers = operation["responses"]["429"]["headers"]
        assert headers.keys() == {"Retry-After", "RateLimit", "RateLimit-Policy"}


def test_a_log_goes_out_and_in_as_lines() -> None:
    read, write = operations()["exportLog"], operations()["importMatch"]
    assert set(read["responses"]["200"]["content"]) == {"application/x-ndjson", "application/json"}
    assert set(write["requestBody"]["content"]) == {"application/x-ndjson", "application/json"}


def test_what_is_sent_fits_the_schema() -> None:
    validator = Draft202012Validator({"$ref": "#/components/schemas/Choice", **DOCUMENT})
    choice = Choice(1, 0, "p", (Option("a"), Option("b", limit=2, card="c")), 1, 1)
    validator.validate(msgspec.json.decode(msgspec.json.encode(choice)))


@pytest.mark.parametrize("name", get_args(NewsType))
def test_what_webhooks_send_is_described(name: NewsType) -> None:
    assert list(DOCUMENT["webhooks"]) == list(get_args(NewsType))
    operation = DOCUMENT["webhooks"][name]["post"]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**schema, "components": DOCUMENT["components"]})
    news = News(name, "2026-11-30T10:00:00.000Z", NewsData("m", "chrononauts", 7, None))
    sent = json.loads(msgspec.json.encode(news))
    assert validator.is_valid(sent)
    assert not validator.is_valid({**sent, "type": "turn.ended"})
    assert not validator.is_valid({**sent, "data": {"match": "m"}})
