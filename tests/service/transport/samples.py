"""Sample values made from types, and handlers that answer with them."""

from collections.abc import Mapping
from typing import NamedTuple

import httpx
import msgspec
from msgspec import inspect
from starlette.applications import Starlette
from starlette.requests import HTTPConnection

from schema.errors import Unauthenticated
from schema.inputs import Arguments
from schema.operations import OPERATIONS, Operation
from service import graphql, rest
from service.http import Handler
from service.problems import EXCEPTION_HANDLERS


class Limits(NamedTuple):
    max_body_bytes: int = 2_000_000


def sample(kind: inspect.Type) -> object:
    """Return a value of the type with every field filled, None where nothing else fits."""
    match kind:
        case inspect.Metadata(type=inner):
            return sample(inner)
        case inspect.StructType(fields=fields):
            return {field.encode_name: sample(field.type) for field in fields} | (
                {kind.tag_field: kind.tag} if kind.tag_field else {}
            )
        case inspect.VarTupleType(item_type=item):
            return [sample(item), sample(item)]
        case inspect.DictType():
            return {"key": "value"}
        case inspect.UnionType(types=arms):
            return sample(next(arm for arm in arms if not isinstance(arm, inspect.NoneType)))
        case inspect.LiteralType(values=values):
            return values[0]
        case inspect.BoolType():
            return True
        case inspect.IntType():
            return 17
        case inspect.StrType():
            return "ウェイター 'n' \"q\""
        case inspect.AnyType():
            return {"a": [1, None, "b"], "c": {"d": True}}
        case _:
            raise AssertionError(kind)


def sample_result(operation: Operation) -> object:
    value = sample(inspect.type_info(operation.result))
    return msgspec.convert(value, operation.result)


ARGUMENTS: Mapping[str, dict[str, object]] = {
    "games": {},
    "game": {"game": "chrononauts"},
    "cards": {"game": "chrononauts", "locale": "ja"},
    "createMatch": {
        "game": "chrononauts",
        "seats": 3,
        "options": {"handSize": 10, "x": True},
        "turnLimit": {"seconds": 60, "then": "concede"},
        "spectators": {"policy": "delayed", "turns": 2},
    },
    "takeSeat": {"matchId": "m1", "invite": "abc", "player": "Ann"},
    "rotateToken": {"matchId": "m1", "seat": 1, "commandId": "c-1"},
    "issueToken": {"matchId": "m1", "seat": 1, "scope": "play", "seconds": 3600},
    "startMatch": {"matchId": "m1"},
    "matches": {"first": 5, "after": "c1"},
    "match": {"matchId": "m1", "at": 4},
    "explain": {"matchId": "m1", "version": 4, "locale": "ja"},
    "describe": {"matchId": "m1", "at": 4, "locale": "ja", "recent": 3},
    "position": {"matchId": "m1", "at": 4},
    "forkMatch": {"matchId": "m1", "at": 4, "seats": [{"seat": 1, "bot": "greedy"}]},
    "undo": {"matchId": "m1", "agree": True, "expectedVersion": 17},
    "legalMoves": {"matchId": "m1"},
    "events": {"matchId": "m1", "after": 3, "limit": 5},
    "playCard": {"matchId": "m1", "card": "I-1865", "linchpin": 1865, "expectedVersion": 17},
    "discardCards": {"matchId": "m1", "cards": ["a", "b"]},
    "killTime": {"matchId": "m1", "cards": ["a"]},
    "tapMonuments": {"matchId": "m1", "monuments": ["city_01"]},
    "recordKnowledge": {
        "matchId": "m1",
        "cards": ["a", "b"],
        "from": [{"monument": "city_01", "tokens": 2}],
    },
    "learnTechnology": {"matchId": "m1", "technology": "tech_01"},
    "searchDeck": {"matchId": "m1"},
    "respond": {"matchId": "m1", "card": None, "standing": True},
    "choose": {"matchId": "m1", "choice": 12, "picks": ["a", "a"], "commandId": "c-1"},
    "concede": {"matchId": "m1"},
    "exportLog": {"matchId": "m1"},
    "importMatch": {"text": "{}\n"},
    "webhooks": {"matchId": "m1"},
    "createWebhook": {
        "matchId": "m1",
        "url": "https://hooks.example.org/a?b=c",
        "events": ["turn.started"],
        "commandId": "c-1",
    },
    "deleteWebhook": {"matchId": "m1", "webhookId": "w1"},
    "rotateWebhookSecret": {"matchId": "m1", "webhookId": "w1", "overlapSeconds": 60},
}


class Calls:
    """Fake handlers: they keep what they were asked and answer with samples."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, object, Arguments]] = []
        self.failures: dict[str, Exception] = {}
        self.version_of: rest.VersionOf | None = None
        self.results = {row.name: sample_result(row) for row in OPERATIONS}

    def handlers(self) -> Mapping[str, Handler]:
        return {row.name: self._handler(row.name) for row in OPERATIONS}

    def _handler(self, name: str) -> Handler:
        async def handler(principal: object, arguments: Arguments) -> object:
            self.seen.append((name, principal, arguments))
            if name in self.failures:
                raise self.failures[name]
            return self.results[name]

        return handler


async def authenticate(connection: HTTPConnection) -> object:
    token = connection.headers.get("authorization", "Bearer nobody").removeprefix("Bearer ")
    if token == "forged":
        raise Unauthenticated("the token is not valid")
    return token


def app(calls: Calls, limits: Limits | None = None) -> Starlette:
    shared = (calls.handlers(), authenticate, limits or Limits())
    return Starlette(
        routes=[*rest.routes(*shared, version_of=calls.version_of), *graphql.routes(*shared)],
        exception_handlers=dict(EXCEPTION_HANDLERS),
    )


def client(calls: Calls, limits: Limits | None = None) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app(calls, limits), raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://stele.test")
