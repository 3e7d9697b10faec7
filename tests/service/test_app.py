"""The application around the operations: health, headers, logs, and a store that goes away."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from domain.engine.chance import Chance
from schema.operations import OPERATIONS
from service import logs
from service.app import create_app
from service.settings import SettingsError
from service.store import (
    Commit,
    Deadline,
    MemoryStore,
    RedisStore,
    StoreError,
    StoreRegressed,
    StoreUnavailable,
)
from tests.kit.servers import Server, running_server
from tests.kit.service import (
    Body,
    Clock,
    Table,
    answered,
    lay,
    pick,
    refused,
    service,
    settings_for,
    until,
)

pytestmark = pytest.mark.anyio


Served = tuple[httpx.AsyncClient, Server]


@pytest.fixture
async def served(anyio_backend: str, tmp_path: Path) -> AsyncIterator[Served]:
    """A service on a real server."""
    with running_server("--appendonly", "yes") as server:
        async with service(RedisStore(server.url), tmp_path) as client:
            yield client, server


async def test_health_is_told(http: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/readyz"):
        response = await http.get(path)
        assert (response.status_code, response.json()) == (200, {"status": "ok"})


async def test_the_contract_is_published(http: httpx.AsyncClient) -> None:
    document = answered(await http.get("/openapi.json"))
    assert document["openapi"].startswith("3.1")
    names = {
        operation["operationId"]
        for item in document["paths"].values()
        for operation in item.values()
        if "operationId" in operation
    }
    assert {row.name for row in OPERATIONS if row.method == "GET"} <= names


async def test_every_answer_has_security_headers_and_an_id(http: httpx.AsyncClient) -> None:
    for path in ("/v1/games", "/v1/nothing", "/healthz", "/openapi.json", "/graphql"):
        headers = (await http.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff", path
        assert len(headers["x-request-id"]) == 16
    given = await http.get("/healthz", headers={"X-Request-ID": "mine-1"})
    assert given.headers["x-request-id"] == "mine-1"
    forged = await http.get("/healthz", headers={"X-Request-ID": "a b\tc"})
    assert forged.headers["x-request-id"] != "a b\tc"


async def test_the_access_log_has_no_query_token_or_body(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "service.access")
    table = await lay(http)
    await table.get("", 0, at=3)
    caplog.clear()
    await table.post("/moves", {"type": "playCard", "card": "P1868"}, 0)
    await table.get("", 0, at="secret")
    move, read = [
        record.getMessage() for record in caplog.records if record.name == "service.access"
    ]
    assert move.startswith(f"POST /v1/matches/{table.id}/moves 4")
    assert read.startswith(f"GET /v1/matches/{table.id} 400 ")
    for secret in ("secret", "P1868", table.tokens[0], "at="):
        assert secret not in caplog.text.replace(table.id, "")


async def test_only_the_own_question_for_readiness_is_not_logged(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "service.access")
    own = {"User-Agent": logs.OWN}
    assert (await http.get("/readyz", headers=own)).status_code == 200
    await http.get("/readyz")
    await http.get("/healthz", headers=own)
    told = [record.getMessage() for record in caplog.records if record.name == "service.access"]
    assert [line.split()[1] for line in told] == ["/readyz", "/healthz"]


async def test_a_path_cannot_forge_a_line_of_the_log(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "service.access")
    await http.get("/v1/%0aFORGED")
    (record,) = [record for record in caplog.records if record.name == "service.access"]
    assert "\n" not in record.getMessage()


def test_logs_go_to_stderr_from_a_level_on(capsys: pytest.CaptureFixture[str]) -> None:
    before = logging.getLogger().handlers[:], logging.getLogger().level
    try:
        logs.configure("warning")
        logging.getLogger("service.x").info("not this")
        logging.getLogger("service.x").warning("but %s", "this\x1b[31m\nFORGED")
        said = capsys.readouterr().err
        assert said.endswith("Z WARNING service.x: but this\\u001b[31m\\u000aFORGED\n")
    finally:
        logging.getLogger().handlers[:], logging.getLogger().level = before
        logging.getLogger("service").setLevel(logging.NOTSET)


async def test_without_a_store_there_is_no_application(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="STELE_REDIS_URL"):
        create_app(settings_for(tmp_path))


async def test_a_dead_store_is_told_nothing_is_lost_and_it_recovers(
    served: Served,
) -> None:
    client, server = served
    table = await lay(client)
    seat = await table.next_seat()
    assert seat is not None
    body = pick(await table.legal(seat), Chance("00", 0))
    key = {"Idempotency-Key": "again"}
    version = (await table.view())["version"]
    server.kill()
    for response in (await table.move(seat, body, key), await table.get("", seat)):
        assert refused(response) == (503, "store_unavailable")
        assert response.headers["retry-after"] == "1"
        assert response.json()["retryable"] is True
    ready = await client.get("/readyz")
    assert (ready.status_code, ready.json()) == (503, {"status": "unavailable"})
    assert (await client.get("/healthz")).status_code == 200
    server.start()
    result = await until(lambda: moved(table, seat, body, key))
    assert answered(await table.move(seat, body, key)) == result
    events = answered(await table.get("/events", seat))["events"]
    assert [event["version"] for event in events] == list(range(1, result["version"] + 1))
    assert result["version"] == version + len(result["events"])


async def moved(table: Table, seat: int, body: Body, key: dict[str, str]) -> Body | None:
    response = await table.move(seat, body, key)
    return answered(response) if response.status_code != 503 else None


async def test_callers_race_on_a_real_server(served: Served, tmp_path: Path) -> None:
    client, server = served
    async with service(RedisStore(server.url), tmp_path / "other") as other:
        table = await lay(client)
        twin = Table(other, {"matchId": table.id, "ownerToken": table.owner, "invites": []})
        twin.tokens = table.tokens
        chance = Chance("11", 0)
        for _ in range(20):
            seat = await table.next_seat()
            assert seat is not None
            choice = (await table.legal(seat))["choice"]
            body = pick({"choice": choice, "moves": []}, chance)
            answers = await asyncio.gather(
                *(one.move(seat, body) for one in (table, twin, table, twin))
            )
            assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
            assert (await table.view()) == (await twin.view())


async def test_games_and_cards_are_public(http: httpx.AsyncClient) -> None:
    games = (await http.get("/v1/games")).json()
    for game in games:
        assert answered(await http.get(f"/v1/games/{game['name']}")) == game
        for locale in ("en", "ja"):
            response = await http.get(f"/v1/games/{game['name']}/cards", params={"locale": locale})
            assert answered(response)["cards"]
            assert response.headers["cache-control"] == "public, max-age=300"
    assert refused(await http.get("/v1/games/whist")) == (404, "unknown_game")


class Lost(MemoryStore):
    """A store that has lost commits, when told, or fails to answer."""

    trouble: StoreError | None = None

    def _fail(self) -> None:
        if self.trouble is not None:
            raise self.trouble

    async def last_version(self, match_id: str) -> int:
        self._fail()
        return await super().last_version(match_id)

    async def append(
        self, match_id: str, expected: int, commit: Commit, hooked: bool | None = None
    ) -> None:
        self._fail()
        await super().append(match_id, expected, commit, hooked)

    async def claim_due(self, now_ms: int, lease_ms: int, limit: int) -> tuple[Deadline, ...]:
        self._fail()
        return await super().claim_due(now_ms, lease_ms, limit)


async def test_a_store_that_lost_commits_is_not_written_to(tmp_path: Path) -> None:
    store = Lost()
    async with service(store, tmp_path) as client:
        table = await lay(client)
        store.trouble = StoreRegressed(seen=9, found=3)
        for response in (await table.get("", 0), await table.post("/concede", {}, 0)):
            assert refused(response) == (503, "store_regressed")
            assert response.json()["retryable"] is False


async def test_bots_and_deadlines_outlive_a_store_that_goes_away(tmp_path: Path) -> None:
    store, clock = Lost(), Clock()
    async with service(store, tmp_path, clock) as client:
        table = await lay(client, 2, {1: "random"}, options={"turnCap": 6})
        store.trouble = StoreUnavailable("it is gone")
        for _ in range(20):
            await asyncio.sleep(0)
        store.trouble = None
        chance = Chance("22", 0)
        while (view := await table.view())["status"] != "finished":
            clock.now += 6_000  # what was claimed in vain is due again
            if 0 in view["awaiting"]:
                await table.step(chance)
            else:
                await asyncio.sleep(0.01)
