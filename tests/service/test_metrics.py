"""Metrics: who gets them, what they count, and that they tell nothing of any match."""

import re
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from domain.engine.chance import Chance
from schema.operations import OPERATIONS, Kind
from service import metrics
from service.app import create_app
from service.bearers import Bearers
from service.store import EventStore, MemoryStore, StoreUnavailable
from tests.kit.service import ADMIN_TOKEN, lay, refused, service, settings_for
from tests.kit.two_worlds import two_worlds

pytestmark = pytest.mark.anyio

Samples = dict[str, float]
ADMIN = {"Authorization": f"Bearer {ADMIN_TOKEN}"}
LOCAL = {"Host": "localhost:8000"}


def read(text: str) -> Samples:
    """Return every sample by its name and labels."""
    return {
        sample.name + str(sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


async def measured(http: httpx.AsyncClient) -> Samples:
    response = await http.get("/metrics", headers=ADMIN)
    assert response.headers["content-type"] == metrics.MEDIA
    return read(response.text)


def grown(before: Samples, after: Samples) -> Samples:
    """Return what was counted in between, without times and the process itself."""
    return {
        name: value - before.get(name, 0.0)
        for name, value in after.items()
        if not re.match(r"process_|\w+_(bucket|sum)\[", name) and value != before.get(name, 0.0)
    }


@pytest.mark.parametrize(
    ("headers", "peer", "status"),
    [
        (LOCAL, "127.0.0.1", 200),
        ({"Host": "[::1]:8000"}, "::1", 200),
        ({"Host": "127.0.0.1"}, "127.0.0.1", 200),
        (ADMIN, "192.0.2.7", 200),
        (LOCAL, "192.0.2.7", 401),
        ({"Host": "play.example.org"}, "127.0.0.1", 401),
        ({**LOCAL, "X-Forwarded-For": "192.0.2.7"}, "127.0.0.1", 401),
        ({**LOCAL, "Via": "1.1 proxy"}, "127.0.0.1", 401),
        ({**LOCAL, "Authorization": "Bearer not the admin's"}, "192.0.2.7", 401),
    ],
)
async def test_metrics_are_for_this_machine_and_for_admins(
    headers: Mapping[str, str], peer: str, status: int, memory: EventStore, tmp_path: Path
) -> None:
    app = create_app(settings_for(tmp_path), memory)
    transport = httpx.ASGITransport(app, client=(peer, 4711))
    async with httpx.AsyncClient(transport=transport, base_url="http://stele") as http:
        response = await http.get("/metrics", headers=headers)
    assert response.status_code == status
    if status == 401:
        assert refused(response) == (401, "unauthenticated")


async def test_a_token_of_a_match_is_not_enough(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path) as http:
        table = await lay(http)
        assert (await http.get("/metrics", headers=table.bearer("owner"))).status_code == 401


async def test_requests_and_changes_are_counted(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path) as http:
        table = await lay(http)
        before = await measured(http)
        await table.step(Chance("metrics", 0))
        await table.get("", None)
        await table.post("/moves", {"type": "searchDeck"}, 0)
        await http.get("/v1/nothing/here")
        await http.get("/docs")
        await http.post("/graphql", json={"query": "{ games { name } }"})
        found = grown(before, await measured(http))
    counted = {
        ("match", "2xx"): 1.0,
        ("match", "4xx"): 1.0,
        ("legalMoves", "2xx"): 1.0,
        ("move", "2xx"): 1.0,
        ("move", "4xx"): 1.0,
        ("none", "4xx"): 1.0,
        ("pages", "2xx"): 1.0,
        ("graphql", "2xx"): 1.0,
        ("health", "2xx"): 1.0,  # the first of the two questions for metrics
    }
    expected = {
        f"stele_request_seconds_count{[('operation', name), ('status', status)]}": times
        for (name, status), times in counted.items()
    }
    assert found == {**expected, "stele_commits_total[]": 1.0}


async def test_what_is_open_and_what_fails_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    async with service(store, tmp_path) as http:
        table = await lay(http)
        before = await measured(http)

        async def fail(*_: object) -> int:
            raise StoreUnavailable("no answer")

        with monkeypatch.context() as patched:
            patched.setattr(store, "last_version", fail)
            patched.setattr(store, "load", fail)
            assert (await table.get("", "owner")).status_code == 503
        with Bearers().place():
            during = grown(before, await measured(http))
        after = grown(before, await measured(http))
    assert during["stele_feeds_open[]"] == 1.0
    assert "stele_feeds_open[]" not in after
    assert after["stele_store_failures_total[('reason', 'unavailable')]"] == 1.0


async def test_labels_are_words_of_the_code(memory: EventStore, tmp_path: Path) -> None:
    names = {row.name for row in OPERATIONS if row.kind is not Kind.MOVE}
    words = names | {"move", "none", "graphql", "pages", "health", "openapi"}
    async with service(memory, tmp_path) as http:
        table = await lay(http)
        await table.step(Chance("metrics", 0))
        text = (await http.get("/metrics", headers=ADMIN)).text
    for family in text_string_to_metric_families(text):
        if family.name.startswith("stele_"):
            for sample in family.samples:
                assert sample.labels.get("operation", "none") in words
                assert sample.labels.get("status", "2xx") in ("2xx", "3xx", "4xx", "5xx")
                assert set(sample.labels) <= {"operation", "status", "reason", "outcome", "le"}
    for secret in (table.id, table.owner, *table.tokens.values(), "chrononauts", "player"):
        assert secret not in text


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
async def test_two_worlds_that_differ_in_hidden_cards_count_alike(
    game: str, tmp_path: Path
) -> None:
    async with two_worlds(game, 0, tmp_path, steps=6, number=1) as (*tables, exchanged):
        assert exchanged > 5
        counted = []
        for table in tables:
            before = await measured(table.client)
            for path in ("", "/legal-moves", "/events", "/describe", "/log"):
                await table.get(path, 0)
            for dry in (True, False):
                for move in (await table.legal(0))["moves"][:1]:
                    await table.move(0, {**move["body"], "dryRun": dry})
            counted.append(grown(before, await measured(table.client)))
    assert counted[0] == counted[1]
    assert len(counted[0]) >= 5
