"""Matches in every state, a bearer in every role, and every operation asked by them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx
from graphql import get_named_type
from graphql.type import is_leaf_type

from schema.authorisation import Phase, Role, State
from schema.operations import Kind, Operation
from service.auth import Principal
from service.tokens import Keyring
from tests.kit.service import ADMIN_TOKEN, SIGNING_KEY, Table, answered, lay
from tests.schema.schemas import schema

SCHEMA = schema({})._schema
KEYS = Keyring((SIGNING_KEY.encode(),))

X = "x"
MOVES: Mapping[str, dict[str, Any]] = {
    "playCard": {"card": X},
    "discardCards": {"cards": [X]},
    "killTime": {"cards": [X, X]},
    "tapMonuments": {"monuments": [X]},
    "recordKnowledge": {"cards": [X], "from": [{"monument": X, "tokens": 1}]},
    "learnTechnology": {"technology": X},
    "searchDeck": {},
    "respond": {},
    "choose": {"choice": 1, "picks": []},
    "concede": {},
    "undo": {},
}
ARGUMENTS: Mapping[str, dict[str, Any]] = {
    "games": {},
    "game": {"game": "chrononauts"},
    "cards": {"game": "chrononauts"},
    "createMatch": {"game": "chrononauts", "seats": 2},
    "importMatch": {"text": "no log"},
    "matches": {},
    "explain": {"version": 1},
    "createWebhook": {"url": "https://hooks.example.org/"},
    "deleteWebhook": {"webhookId": X},
    "rotateWebhookSecret": {"webhookId": X},
    **{name: {**body, "dryRun": True} for name, body in MOVES.items()},
}
CHANGING = ("takeSeat", "rotateToken")
"""What really changes the match where it is allowed: each of these is asked of a new one."""


class World(NamedTuple):
    """A match in a state, and who asks about it."""

    table: Table
    bearers: Mapping[Role, str | None]


async def world(client: httpx.AsyncClient, state: State) -> World:
    """Lay out a match for three seats and bring it to a state; seat 2 is free while it is open."""
    visibility = "public" if state.public else "private"
    table = await lay(client, 3, sit=False, visibility=visibility)
    for seat in (0, 1):
        await table.sit(seat)
    void = table.tokens[1]
    table.tokens[1] = answered(await table.post("/token", {"seat": 1}, "owner"))["token"]
    if state.phase is not Phase.OPEN:
        await table.sit(2)
    if state.phase is Phase.FINISHED:
        for seat in (1, 2):
            answered(await table.post("/concede", {}, seat))
    other = await lay(client, 2)
    reader = Principal("seat", table.id, 0, reads=True)
    return World(
        table,
        {
            Role.ANONYMOUS: None,
            Role.OTHER: other.tokens[0],
            Role.VOID: void,
            Role.EXPIRED: KEYS.limited(Principal("seat", table.id, 0, expires=1)),
            Role.SPECTATOR: KEYS.limited(Principal("spectator", table.id, reads=True)),
            Role.INVITE: table.invites[2],
            Role.READER: KEYS.limited(reader),
            Role.PLAYER: KEYS.limited(Principal("seat", table.id, 0)),
            Role.SEAT: table.tokens[0],
            Role.OWNER: table.owner,
            Role.ADMIN: ADMIN_TOKEN,
        },
    )


def words_of(row: Operation, role: Role, state: State, table: Table) -> dict[str, Any]:
    """Return the arguments with which a role asks."""
    words = dict(ARGUMENTS.get(row.name, {}))
    if "match_id" in row.arguments.model_fields:
        words["matchId"] = table.id
    if row.name == "forkMatch":
        words["at"] = 3 if state.phase is Phase.OPEN else 20
    if row.name == "issueToken" and role in (Role.SEAT, Role.PLAYER, Role.READER, Role.VOID):
        words["seat"] = 0
    return words


def headers_of(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


async def over_rest(
    client: httpx.AsyncClient, row: Operation, words: dict[str, Any], token: str | None
) -> str | None:
    """Return the code with which REST refuses, if it does."""
    path = f"/v1{row.path}"
    for name in [name for name in words if f"{{{name}}}" in path]:
        path = path.replace(f"{{{name}}}", str(words.pop(name)))
    headers = headers_of(token)
    if row.method == "GET":
        response = await client.get(path, params=words, headers=headers)
    else:
        named = {"type": row.name} if row.kind is Kind.MOVE else {}
        body = {**words, **named}
        response = await client.request(row.method, path, json=body, headers=headers)
    code: str | None = None if response.is_success else response.json()["code"]
    return code


def document(row: Operation, words: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the GraphQL document that asks for an operation, and its variables."""
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
    chosen = "" if is_leaf_type(get_named_type(field.type)) else "{ __typename }"
    kind = "query" if is_query else "mutation"
    return f"{kind}{brackets[0]} {{ {row.name}{brackets[1]} {chosen} }}", variables


async def over_graphql(
    client: httpx.AsyncClient, row: Operation, words: dict[str, Any], token: str | None
) -> str | None:
    """Return the code with which GraphQL refuses, if it does."""
    query, variables = document(row, words)
    body = {"query": query, "variables": variables}
    answer = (await client.post("/graphql", json=body, headers=headers_of(token))).json()
    code: str | None = None
    if "errors" in answer:
        code = answer["errors"][0]["extensions"]["code"]
    return code
