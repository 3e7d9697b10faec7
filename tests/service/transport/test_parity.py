"""The same JSON over REST and GraphQL, for every operation."""

import json

import httpx
import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLUnionType,
    get_named_type,
)
from msgspec import inspect

from schema.operations import OPERATIONS, Kind, Operation
from tests.schema.schemas import schema
from tests.service.transport.samples import ARGUMENTS, Calls, client, sample

pytestmark = pytest.mark.anyio

SCHEMA = schema({})._schema


def selection(kind: GraphQLNamedType) -> str:
    """Return the selection of everything there is."""
    match kind:
        case GraphQLObjectType(fields=fields):
            inner = " ".join(
                f"{name} {selection(get_named_type(field.type))}" for name, field in fields.items()
            )
            return f"{{ {inner} }}"
        case GraphQLUnionType(types=types):
            return "{ " + " ".join(f"... on {one.name} {selection(one)}" for one in types) + " }"
        case GraphQLScalarType() | GraphQLEnumType():
            return ""
        case _:
            raise AssertionError(kind)


def document(row: Operation) -> tuple[str, dict[str, object]]:
    root = SCHEMA.query_type if row.kind is Kind.QUERY else SCHEMA.mutation_type
    assert root is not None
    field = root.fields[row.name]
    words = ARGUMENTS[row.name]
    names = dict(row.renamed)
    variables: dict[str, object] = (
        {names.get(name, name): value for name, value in words.items()}
        if row.kind is Kind.QUERY
        else {"input": dict(words)}
    )
    declared = ", ".join(f"${name}: {field.args[name].type}" for name in variables)
    passed = ", ".join(f"{name}: ${name}" for name in variables)
    brackets = (f"({declared})", f"({passed})") if variables else ("", "")
    kind = "query" if row.kind is Kind.QUERY else "mutation"
    fields = selection(get_named_type(field.type))
    return f"{kind}{brackets[0]} {{ {row.name}{brackets[1]} {fields} }}", variables


async def over_rest(http: httpx.AsyncClient, row: Operation) -> object:
    words = dict(ARGUMENTS[row.name])
    path = f"/v1{row.path}"
    for name in [name for name in words if f"{{{name}}}" in path]:
        path = path.replace(f"{{{name}}}", str(words.pop(name)))
    headers = {"accept": "application/json", "authorization": "Bearer Ann"}
    if row.method == "GET":
        text = {name: str(value) for name, value in words.items()}
        response = await http.get(path, params=text, headers=headers)
    else:
        named = {"type": row.name} if row.kind is Kind.MOVE else {}
        body = {**words, **named}
        response = await http.request(row.method, path, json=body or None, headers=headers)
    assert response.status_code == row.status, response.text
    return response.json()


async def over_graphql(http: httpx.AsyncClient, row: Operation) -> object:
    query, variables = document(row)
    response = await http.post(
        "/graphql",
        json={"query": query, "variables": variables},
        headers={"authorization": "Bearer Ann"},
    )
    body = response.json()
    assert "errors" not in body, body
    return body["data"][row.name]


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: str(row.name))
async def test_both_transports_ask_and_answer_the_same(row: Operation) -> None:
    calls = Calls()
    async with client(calls) as http:
        rest, graphql = await over_rest(http, row), await over_graphql(http, row)
    assert rest == graphql == sample(inspect.type_info(row.result))
    first, second = calls.seen
    assert first == second
    assert (first[0], first[1]) == (row.name, "Ann")
    assert (
        json.loads(first[2].model_dump_json(by_alias=True, exclude_unset=True))
        == (ARGUMENTS[row.name])
    )
