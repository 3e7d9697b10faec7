"""Nothing that anybody sends, holds or may not know comes into the log, whatever its level."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from domain.engine.chance import Chance
from service import logs, views
from service.matches import Matches
from service.store import EventStore
from tests.kit.service import ADMIN_TOKEN, SIGNING_KEY, Table, Who, lay
from tests.service.live.serving import Served, connected, serving, streaming, token_of
from tests.service.operations.test_canary import Secrets
from tests.service.outputs import everything

pytestmark = pytest.mark.anyio

OF_THE_TEST = ("httpx", "httpcore", "websockets.client")
MARK = "kanarie"  # in all that is sent, where no part of a name that logs may show


@pytest.fixture
async def served(memory: EventStore, tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(memory, tmp_path, graphiql=True) as served:
        yield served


@pytest.fixture
def captured(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    """Have logs written as a service does that is asked for all of them, and keep them."""
    root, own = logging.getLogger(), logging.getLogger("service")
    kept = root.handlers[:], root.level, own.level
    logs.configure("debug")
    root.addHandler(caplog.handler)
    yield caplog
    root.handlers[:], root.level, own.level = kept


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """Return all that the service and its libraries wrote, tracebacks included."""
    formatter = logging.Formatter("%(name)s %(levelname)s %(message)s %(args)s")
    return "\n".join(
        formatter.format(record)
        for record in caplog.records
        if not record.name.startswith(OF_THE_TEST)
    )


async def strange(served: Served, table: Table, who: Who) -> None:
    """Send what is wrong, each time with the mark in another place."""
    net, bearer = served.net, table.bearer(who)
    path = f"/v1/matches/{table.id}"
    await net.get(path, params={"token": MARK, MARK: "1"}, headers=bearer)
    await net.get(path, headers={**bearer, "If-None-Match": MARK, "Cookie": MARK, MARK: MARK})
    await net.get(path, headers={"Authorization": f"Bearer seat.{MARK}"})
    await net.get(path, headers={"Authorization": f"Bearer {ADMIN_TOKEN}{MARK}"})
    await net.post(f"{path}/moves", json={"type": MARK, MARK: MARK}, headers=bearer)
    await net.post(f"{path}/moves", content=f'{{"{MARK}', headers=bearer)
    await net.post("/v1/matches/import", content=MARK, headers={"Content-Type": MARK})
    await net.post("/graphql", content=f"{{{MARK}}}", headers=bearer)
    for query in (f"{{ {MARK} }}", f'{{ match(id: "{MARK}") {{ version }} }}', f"{{ # {MARK}"):
        await net.post("/graphql", json={"query": query, "variables": {MARK: MARK}})
    with suppress(httpx.RemoteProtocolError):
        await net.request(MARK.upper(), path, headers=bearer)
    async with connected(served.socket_url, token_of(table, who)) as follower:
        await follower.send("subscribe", id=MARK, payload={"query": f"{{ {MARK} }}"})
        await follower.receive()
        await follower.subscribe(table.id, id="2")
        await follower.receive()
        await follower.socket.send(MARK)
        with suppress(websockets.ConnectionClosed):
            while True:
                await follower.receive()
    async with streaming(served, table, who) as stream:
        await stream.event()


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
async def test_no_log_has_a_token_a_hidden_card_or_a_body(
    served: Served, memory: EventStore, game: str, captured: pytest.LogCaptureFixture
) -> None:
    table = await lay(served.net, 2, game=game, visibility="public")
    matches, chance = Matches(memory), Chance("logs", 0)
    found = Secrets((await matches.newest(table.id)).match)
    for _ in range(2):
        found.learn((await matches.newest(table.id)).match, None)
        for who in (0, None):
            async for answer in everything(table, who, served.app):
                assert answer.status < 500
            await strange(served, table, who)
        await table.step(chance)
        text = logged(captured)
        assert "service.access" in text
        assert not found.told(text, None)
        for secret in (*table.tokens.values(), table.owner, *table.invites):
            assert secret not in text
            assert secret.rpartition(".")[2] not in text
        assert ADMIN_TOKEN not in text
        assert SIGNING_KEY not in text
        assert MARK not in text.lower()
        assert "player 0" not in text


async def test_a_failure_logs_its_place_alone(
    served: Served, captured: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await lay(served.net, 2, visibility="public")

    def fail(*_: Any) -> None:
        raise ValueError(f"{MARK}: the hand of seat 1 is …")

    monkeypatch.setattr(views, "to_view", fail)
    answers = [
        await served.net.get(f"/v1/matches/{table.id}"),
        await served.net.post(
            "/graphql",
            json={"query": f'{{ match(id: "{table.id}") {{ board {{ __typename }} }} }}'},
        ),
    ]
    codes = [answers[0].json()["code"], answers[1].json()["errors"][0]["extensions"]["code"]]
    assert codes == ["internal", "internal"]
    text = logged(captured)
    assert text.count("ValueError at ") == 2
    assert MARK not in text + answers[0].text + answers[1].text
