"""What is sent to tire the service out is refused at once; nothing of it reaches a handler.

A refusal takes less than 50 ms of CPU: of the service alone, for the request is made before.
"""

import gc
import json
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from starlette.types import ASGIApp, Message

from schema.documents import Documents
from tests.kit.watching import scope_of
from tests.schema.schemas import schema
from tests.service.transport.samples import Calls, app, client

pytestmark = pytest.mark.anyio

JSON = {"content-type": "application/json"}
PIECE = 64 * 1024
MOST_SECONDS = 0.05
MOST_BYTES = 40e6


def asked(document: str, variables: object = None) -> bytes:
    return json.dumps({"query": document, "variables": variables}).encode()


def fragments(count: int, body: Callable[[int], str]) -> str:
    return " ".join(f"fragment F{n} on Query {{ {body(n)} }}" for n in range(count))


def many(count: int, words: Callable[[int], str]) -> str:
    return " ".join(words(number) for number in range(count))


CIRCULAR = "{ __schema { types " + "{ fields { type " * 8 + "{ name }" + " } }" * 8 + " } }"

OVERLOADS: Mapping[str, bytes] = {
    "1,000 aliases": asked("{ " + many(1000, lambda n: f"a{n}: games {{ name }}") + " }"),
    "300 aliases": asked("{ " + many(300, lambda n: f"a{n}: games {{ name }}") + " }"),
    "1,000 directives": asked("{ games { name " + "@skip(if: true) " * 1000 + " } }"),
    "900 unknown directives": asked("{ games { name " + "@x " * 900 + " } }"),
    "900 equal fields": asked("{ games { " + "name " * 900 + " } }"),
    "390 equal objects": asked("{ " + "games { name } " * 390 + " }"),
    "900 unknown fields": asked("{ " + many(900, lambda n: f"a{n}") + " }"),
    "a circle of fragments": asked("{ ...F0 } fragment F0 on Query { ...F0 }"),
    "a circle of 200": asked("{ ...F0 } " + fragments(200, lambda n: f"...F{(n + 1) % 200}")),
    "circles of all": asked("{ ...F0 } " + fragments(25, lambda _: many(25, lambda n: f"...F{n}"))),
    "deep circles": asked(
        "{ ...F0 } " + fragments(25, lambda _: many(20, lambda n: f"games {{ ...F{n} }}"))
    ),
    "fragments that double": asked(
        "{ ...F0 } "
        + fragments(100, lambda n: f"games {{ ...F{n + 1} }} a: games {{ ...F{n + 1} }}")
    ),
    "unused fragments that double": asked(
        "{ games { name } } " + fragments(60, lambda n: f"a {{ ...F{n + 1} }} b {{ ...F{n + 1} }}")
    ),
    "fragments that repeat": asked(
        "{ ...F0 ...F0 } " + fragments(150, lambda n: f"games {{ name }} ...F{n + 1}")
    ),
    "1 MB of fields": asked("{ games { " + "name " * 200_000 + "} }"),
    "1 MB of comment": asked("#" * 1_000_000 + "\n{ games { name } }"),
    "1 MB of string": asked('{ match(id: "' + "m" * 1_000_000 + '") { version } }'),
    "10,000 variables": asked(
        "query(" + many(10_000, lambda n: f"$a{n}: Int") + ") { games { name } }"
    ),
    "10,000 values": asked(
        "{ games { name } }", {f"a{number}": number for number in range(10_000)}
    ),
    "deep selections": asked("{ games " * 5000 + "}" * 5000),
    "deep selections, few": asked("{ match " * 150 + "{ version }" + "}" * 150),
    "deep lists": asked("{ match(id: " + "[" * 9000 + "]" * 9000 + ") { version } }"),
    "deep JSON": b'{"query": "{ games { name } }", "variables": ' + b'{"a":' * 300_000,
    "deep JSON that ends": b'{"variables": {"a": ' + b"[" * 900 + b"]" * 900 + b"}}",
    "deep JSON in a value": asked(
        "mutation($in: CreateMatchInput!) { createMatch(input: $in) { matchId } }",
        {"in": {"game": "chrononauts", "options": json.loads("[" * 40 + "]" * 40)}},
    ),
    "a batch": b"[" + b",".join([asked("{ games { name } }")] * 1000) + b"]",
    "circular introspection": asked(CIRCULAR),
    "a huge integer": asked("{ events(matchId: m, after: " + "9" * 15_000 + ") { version } }"),
    "a huge integer in JSON": b'{"query": "{ games { name } }", "variables": {"a": %b}}'
    % (b"9" * 1_000_000),
    "a huge float in JSON": b'{"query": "{ games { name } }", "variables": {"a": 1e%b}}'
    % (b"9" * 1_000_000),
    "a huge string": asked(
        "mutation($in: ConcedeInput!) { concede(input: $in) { version } }",
        {"in": {"matchId": "m" * 1_000_000}},
    ),
    "100,000 keys twice": b'{"a": 0, '
    + b", ".join(b'"k%d": 0' % (n % 50_000) for n in range(100_000))
    + b"}",
}


class Refusal(NamedTuple):
    """What is answered, and the seconds of CPU that it took."""

    status: int
    body: bytes
    seconds: float


async def measured(app: ASGIApp, body: bytes) -> Refusal:
    """Send a body piece by piece, as it comes from the network."""
    pieces = [body[at : at + PIECE] for at in range(0, len(body), PIECE)]
    told: list[Message] = []

    async def receive() -> Message:
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: Message) -> None:
        told.append(message)

    scope = scope_of("http", "/graphql", JSON, method="POST", scheme="http")
    began = time.process_time()
    await app(scope, receive, send)
    seconds = time.process_time() - began
    return Refusal(told[0]["status"], told[1]["body"], seconds)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Do nothing beside that takes longer than a refusal: collect, see which lines run."""
    tracing = sys.gettrace()
    gc.collect()
    gc.disable()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracing)
        gc.enable()


@pytest.mark.parametrize("name", OVERLOADS)
async def test_overload_is_refused_at_once(name: str) -> None:
    calls = Calls()
    service = app(calls)
    await measured(service, asked("{ games { name } }"))
    calls.seen.clear()
    refusals = [await measured(service, OVERLOADS[name])]
    with undisturbed():
        # Whatever else the machine does, it leaves one of three alone.
        refusals += [await measured(service, OVERLOADS[name]) for _ in range(3)]
    seconds = min(refusal.seconds for refusal in refusals)
    print(f"{name}: {seconds * 1000:.1f} ms")
    for refusal in refusals:
        (error,) = json.loads(refusal.body)["errors"][:1]
        assert error["extensions"]["code"] in ("malformed", "too_large")
        assert refusal.status < 500
        assert len(refusal.body) < 20_000
    assert calls.seen == []
    assert seconds < MOST_SECONDS


async def test_memory_stays_bounded() -> None:
    async with client(Calls()) as http:
        await http.post("/graphql", json={"query": "{ games { name } }"})
        tracemalloc.start()
        try:
            for name in ("1 MB of fields", "deep JSON", "a circle of 200", "10,000 values"):
                await http.post("/graphql", content=OVERLOADS[name], headers=JSON)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert peak < MOST_BYTES


async def test_introspection_in_circles_is_refused_even_where_it_is_allowed() -> None:
    errors = Documents(schema({})._schema, introspection=True)(CIRCULAR).errors
    assert [error.message for error in errors] == ["Maximum introspection depth exceeded"]
