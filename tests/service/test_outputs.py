"""No way out of the service is forgotten by the tests of what it may tell.

The canary, the two worlds and the log's canary walk `everything`; a new operation, media type, feed
or notice has no case there, and this fails.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from starlette.routing import Route, WebSocketRoute

from domain.engine.chance import Chance
from schema.authorisation import Phase
from schema.openapi import codes_of
from schema.operations import BY_NAME, OPERATIONS, Kind
from service.app import create_app
from service.store import EventStore
from tests.kit.service import Clock, Who, answered, lay, service, settings_for
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

ROOT = Path(__file__).resolve().parents[2]


async def test_every_way_out_has_a_case(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2, visibility="public")
        asked = {answer.way async for answer in everything(table, 0)}
    with_reason = {f"{name} " for name, case in CASES.items() if isinstance(case, str)}
    left = {way for way in ways() if not way.startswith(tuple(with_reason))} - ELSEWHERE.keys()
    assert asked == left


def codes(answer: Answer) -> set[str]:
    """Return the codes with which an answer refuses."""
    if answer.way.endswith((SOCKET, "as application/x-ndjson", "as text/event-stream")):
        return set()
    if answer.way.endswith(GRAPHQL):
        errors = json.loads(answer.body).get("errors", ())
        return {error["extensions"]["code"] for error in errors}
    return {json.loads(answer.body)["code"]} if answer.status >= 400 else set()


@pytest.mark.parametrize("phase", Phase)
async def test_whatever_is_refused_has_a_code_that_the_operation_is_said_to_have(
    memory: EventStore, tmp_path: Path, phase: Phase
) -> None:
    found = set()
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2, sit=False, visibility="public")
        await table.sit(0)
        if phase is not Phase.OPEN:
            await table.sit(1)
        if phase is Phase.FINISHED:
            answered(await table.post("/concede", {}, 1))
        viewers: tuple[Who, ...] = (0, "owner", None, "admin")
        for who in viewers:
            async for answer in everything(table, who):
                name = answer.way.partition(" ")[0]
                told = codes(answer)
                found |= told
                if told:
                    assert told <= codes_of(BY_NAME[name]) - {"internal"}, (who, answer)
    assert len(found) > 8


def said(answer: Answer) -> object:
    """Return what an answer says: its value, or the code of its refusal."""
    body = json.loads(answer.body)
    if answer.way.endswith(GRAPHQL):
        for error in body.get("errors", ()):
            return error["extensions"]["code"]
        (value,) = body["data"].values()
        return value
    return body["code"] if answer.status >= 400 else body


DRAWN = {"createWebhook"}  # each is another one


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
async def test_both_transports_say_the_same(memory: EventStore, tmp_path: Path, game: str) -> None:
    pairs: Counter[str] = Counter()
    async with service(memory, tmp_path, Clock()) as client:
        table = await lay(client, 2, game=game, visibility="public")
        for number in range(3):
            await table.step(Chance("alike", number))
            for who in (0, 1, "owner", None, "admin"):
                plain: Answer | None = None
                async for answer in everything(table, who):
                    name, _, way = answer.way.partition(" ")
                    if way == REST:
                        plain = answer
                    elif way == GRAPHQL and name not in DRAWN and BY_NAME[name].media is None:
                        assert plain is not None
                        assert said(answer) == said(plain), (who, answer)
                        pairs[name] += 1
    assert pairs.keys() == {
        name for name, case in CASES.items() if not isinstance(case, str)
    } - DRAWN - {"exportLog"}


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
