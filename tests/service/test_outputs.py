"""No way out of the service is forgotten by the tests of what it may tell.

The canary, the two worlds and the log's canary walk `everything`; a new operation, media type, feed
or notice has no case there, and this fails.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from jsonschema import Draft202012Validator
from starlette.routing import Route, WebSocketRoute

from domain.engine.chance import Chance
from schema.authorisation import Phase
from schema.openapi import build_openapi, codes_of
from schema.operations import BY_NAME, OPERATIONS, Kind
from schema.problem import PROBLEM
from schema.shapes import build_shapes
from service.app import create_app
from service.store import EventStore
from tests.kit.asking import over_graphql, over_rest
from tests.kit.service import Clock, Table, Who, answered, lay, service, settings_for
from tests.service.outputs import (
    CASES,
    ELSEWHERE,
    GRAPHQL,
    REST,
    SOCKET,
    Answer,
    everything,
    ways,
)

pytestmark = pytest.mark.anyio

DOCUMENT: Any = build_openapi()
SHAPES = {name: Draft202012Validator(shape) for name, shape in build_shapes().items()}
ROOT = Path(__file__).resolve().parents[2]


async def test_every_way_out_has_a_case(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2, visibility="public")
        asked = {answer.way async for answer in everything(table, 0)}
    with_reason = {f"{name} " for name, case in CASES.items() if isinstance(case, str)}
    left = {way for way in ways() if not way.startswith(tuple(with_reason))} - ELSEWHERE.keys()
    assert asked == left


@cache
def promised(name: str, status: int) -> Draft202012Validator:
    """Return what checks an answer of REST by the document."""
    row = BY_NAME[name]
    operation = DOCUMENT["paths"][f"/v1{row.path}"][row.method.lower()]
    content = operation["responses"][str(status)]["content"]
    media = PROBLEM if status >= 400 else "application/json"
    schema = {**content[media]["schema"], "components": DOCUMENT["components"]}
    return Draft202012Validator(schema)


def said(answer: Answer) -> tuple[object, str | None]:
    """Return what an answer says, and the code with which it refuses, if it does."""
    body = json.loads(answer.body)
    if not answer.way.endswith(GRAPHQL):
        return (body, None) if answer.status < 400 else (None, body["code"])
    for error in body.get("errors", ()):
        return None, error["extensions"]["code"]
    (value,) = body["data"].values()
    return value, None


async def begun(client: httpx.AsyncClient, game: str, phase: Phase) -> Table:
    """Return a match with all terms that there are, some moves on."""
    terms: dict[str, Any] = {
        "turnLimit": {"seconds": 600, "then": "bot"},
        "spectators": {"policy": "delayed", "turns": 1},
    }
    table = await lay(client, 3, game=game, sit=False, visibility="public", **terms)
    await table.sit(0)
    if phase is not Phase.OPEN:
        await table.sit(1)
        await table.sit(2)
        for number in range(4):
            await table.step(Chance("outputs", number))
    if phase is Phase.FINISHED:
        for seat in (1, 2):
            answered(await table.post("/concede", {}, seat))
    return table


EVERYBODY: tuple[Who, ...] = (0, "owner", None, "admin")


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
@pytest.mark.parametrize("phase", Phase)
async def test_both_transports_say_the_same_and_refuse_as_documented(
    memory: EventStore, tmp_path: Path, game: str, phase: Phase
) -> None:
    pairs: Counter[str] = Counter()
    codes, types = set(), set()
    async with service(memory, tmp_path, Clock()) as client:
        table = await begun(client, game, phase)
        for who in EVERYBODY:
            plain: Answer | None = None
            async for answer in everything(table, who):
                name, _, way = answer.way.partition(" ")
                if way == REST and BY_NAME[name].media is None:
                    plain, body = answer, json.loads(answer.body)
                    promised(name, answer.status).validate(body)
                    for event in body.get("events", ()) if isinstance(body, dict) else ():
                        SHAPES["{type}.v{v}".format(**event)].validate(event["data"])
                        types.add(event["type"])
                if way == SOCKET:
                    assert b'"type":"next"' in answer.body
                    assert b'"errors":' not in answer.body
                if way != GRAPHQL or BY_NAME[name].media is not None:
                    continue
                assert plain is not None
                (value, code), (same, other) = said(answer), said(plain)
                assert code == other, (who, answer)
                if code is not None:
                    assert code in codes_of(BY_NAME[name]) - {"internal"}, (who, answer)
                    codes.add(code)
                elif name != "createWebhook":  # each is another one
                    assert value == same, (who, answer)
                pairs[name] += 1
    asked = {name for name, case in CASES.items() if not isinstance(case, str)}
    assert pairs.keys() == asked - {"exportLog"}
    assert len(codes) > 8
    assert "match.created" in types


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
async def test_both_transports_say_the_same_of_a_game(http: httpx.AsyncClient, game: str) -> None:
    locales = [{"game": game, "locale": locale} for locale in ("en", "ja")]
    for name, words in (("games", {}), ("game", {"game": game}), *(("cards", w) for w in locales)):
        plain = await over_rest(http, BY_NAME[name], words, {})
        picked = (await over_graphql(http, BY_NAME[name], words, {})).json()
        assert "errors" not in picked
        assert picked["data"][name] == answered(plain)


def test_a_case_is_of_something_that_there_is() -> None:
    assert CASES.keys() == {row.name for row in OPERATIONS}


@pytest.mark.parametrize("test", sorted({test for tests in ELSEWHERE.values() for test in tests}))
def test_what_is_tested_elsewhere_is(test: str) -> None:
    path, _, name = test.partition("::")
    assert f"def {name}(" in (ROOT / path).read_text("utf-8")


def test_every_route_is_of_an_operation_or_tells_of_no_match(
    memory: EventStore, tmp_path: Path
) -> None:
    """Pages and the contract are the same for everybody; health and metrics are counted above."""
    operations = {row.name for row in OPERATIONS if row.kind is not Kind.MOVE} | {"move"}
    app = create_app(settings_for(tmp_path), memory)
    names = {route.name for route in app.routes if isinstance(route, Route | WebSocketRoute)}
    assert names == operations | {"graphql", "Sockets", "pages", "openapi", "health"}
