"""Pages of other origins: kept out, unless their origin is named."""

from pathlib import Path

import pytest

from service.store import EventStore
from tests.kit.service import service

pytestmark = pytest.mark.anyio

PLAY = "https://play.example.org"
ASKS = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization, idempotency-key",
}


async def test_without_origins_nothing_is_allowed(tmp_path: Path, memory: EventStore) -> None:
    async with service(memory, tmp_path) as http:
        asked = await http.options("/v1/matches", headers={"Origin": PLAY, **ASKS})
        answer = await http.get("/v1/games", headers={"Origin": PLAY})
    assert not [name for name in [*asked.headers, *answer.headers] if "access-control" in name]


async def test_a_named_origin_may_ask_and_read(tmp_path: Path, memory: EventStore) -> None:
    async with service(memory, tmp_path, cors_origins=PLAY) as http:
        asked = await http.options("/v1/matches", headers={"Origin": PLAY, **ASKS})
        answer = await http.get("/v1/games", headers={"Origin": PLAY})
    assert asked.status_code == 200
    assert asked.headers["access-control-allow-origin"] == PLAY
    assert "Idempotency-Key" in asked.headers["access-control-allow-headers"]
    assert answer.headers["access-control-allow-origin"] == PLAY
    shown = answer.headers["access-control-expose-headers"]
    needed = {"Date", "ETag", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-ID"}
    assert set(shown.split(", ")) == needed
    assert "Origin" in answer.headers["vary"]


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "http://play.example.org", f"{PLAY}.evil.example", "null"],
)
async def test_any_other_origin_is_refused(origin: str, tmp_path: Path, memory: EventStore) -> None:
    async with service(memory, tmp_path, cors_origins=PLAY) as http:
        asked = await http.options("/v1/matches", headers={"Origin": origin, **ASKS})
        answer = await http.get("/v1/games", headers={"Origin": origin})
    assert asked.status_code == 400
    assert "access-control-allow-origin" not in {*asked.headers, *answer.headers}


@pytest.mark.parametrize("origins", [PLAY, "*"])
async def test_credentials_are_never_allowed(
    origins: str, tmp_path: Path, memory: EventStore
) -> None:
    async with service(memory, tmp_path, cors_origins=origins) as http:
        answer = await http.get("/v1/games", headers={"Origin": PLAY})
    assert "access-control-allow-credentials" not in answer.headers
