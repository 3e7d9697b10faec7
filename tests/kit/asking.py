"""Operations asked by their arguments, over REST or GraphQL, with all that they can answer."""

from collections.abc import Mapping
from typing import Any

import httpx
from graphql import (
    GraphQLEnumType,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLUnionType,
    get_named_type,
)

from schema.operations import Kind, Operation
from tests.schema.schemas import schema

Words = Mapping[str, Any]

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


def document(row: Operation, words: Words) -> tuple[str, dict[str, Any]]:
    """Return the document that asks for an operation and selects all of it; its variables."""
    is_query = row.kind is Kind.QUERY
    root = SCHEMA.query_type if is_query else SCHEMA.mutation_type
    assert root is not None
    field, names = root.fields[row.name], dict(row.renamed)
    variables = {names.get(key, key): word for key, word in words.items()}
    if not is_query:
        variables = {"input": variables}
    declared = ", ".join(f"${name}: {field.args[name].type}" for name in variables)
    passed = ", ".join(f"{name}: ${name}" for name in variables)
    brackets = (f"({declared})", f"({passed})") if variables else ("", "")
    kind = "query" if is_query else "mutation"
    chosen = selection(get_named_type(field.type))
    return f"{kind}{brackets[0]} {{ {row.name}{brackets[1]} {chosen} }}", variables


def path_of(row: Operation, words: Words) -> tuple[str, dict[str, Any]]:
    """Return the path of a request, and the words that do not stand in it."""
    path, left = f"/v1{row.path}", dict(words)
    for name in [name for name in words if f"{{{name}}}" in path]:
        path = path.replace(f"{{{name}}}", str(left.pop(name)))
    return path, left


async def over_rest(
    client: httpx.AsyncClient, row: Operation, words: Words, headers: Mapping[str, str]
) -> httpx.Response:
    """Ask over REST."""
    path, left = path_of(row, words)
    if row.method == "GET":
        return await client.get(path, params=left, headers=dict(headers))
    if row.kind is Kind.MOVE:
        left["type"] = row.name
    return await client.request(row.method, path, json=left or None, headers=dict(headers))


async def over_graphql(
    client: httpx.AsyncClient, row: Operation, words: Words, headers: Mapping[str, str]
) -> httpx.Response:
    """Ask over GraphQL, for every field of the answer."""
    query, variables = document(row, words)
    body = {"query": query, "variables": variables}
    return await client.post("/graphql", json=body, headers=dict(headers))
