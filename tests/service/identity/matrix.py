"""Matches in every state, a bearer in every role, and every operation asked by them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import httpx

from schema.authorisation import Phase, Role, State
from schema.operations import Operation
from service.auth import Principal
from service.tokens import Keyring
from tests.kit import asking
from tests.kit.service import ADMIN_TOKEN, SIGNING_KEY, Table, answered, lay

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
    response = await asking.over_rest(client, row, words, headers_of(token))
    code: str | None = None if response.is_success else response.json()["code"]
    return code


async def over_graphql(
    client: httpx.AsyncClient, row: Operation, words: dict[str, Any], token: str | None
) -> str | None:
    """Return the code with which GraphQL refuses, if it does."""
    answer = (await asking.over_graphql(client, row, words, headers_of(token))).json()
    code: str | None = None
    if "errors" in answer:
        code = answer["errors"][0]["extensions"]["code"]
    return code
