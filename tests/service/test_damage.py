"""A match whose stored events cannot be read is closed, and says so; the others go on."""

import logging
from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.engine.chance import Chance
from service.store import MemoryStore
from tests.kit.service import lay, refused, service

pytestmark = pytest.mark.anyio

DAMAGES = [
    b"",
    b"{",
    b"[]",
    b"[1]",
    b'[{"type":"nothing"}]',
    b'[{"type":"match.created"}]',
    b"\xff",
]


@pytest.mark.parametrize("damage", DAMAGES, ids=range(len(DAMAGES)))
@pytest.mark.parametrize("place", [0, -1])
async def test_a_damaged_match_is_closed_and_the_others_go_on(
    damage: bytes, place: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    async with service(store, tmp_path) as http:
        broken, whole = await lay(http), await lay(http)
    log = store._logs[broken.id]
    log[place] = replace(log[place], events=damage)
    async with service(store, tmp_path) as http:
        broken.client = whole.client = http
        with caplog.at_level(logging.CRITICAL, "service"):
            caplog.clear()
            for path in ("", "/events", "/legal-moves", "/describe", "/log"):
                assert refused(await broken.get(path, 0)) == (500, "match_damaged")
        assert f"what is stored of match {broken.id} cannot be read" in caplog.text
        move = {"type": "choose", "choice": 1, "picks": []}
        assert refused(await broken.move(0, move)) == (500, "match_damaged")
        query = {"query": f'{{ match(id: "{broken.id}") {{ version }} }}'}
        (error,) = (await http.post("/graphql", json=query, headers=broken.bearer(0))).json()[
            "errors"
        ]
        assert error["extensions"]["code"] == "match_damaged"
        assert error["extensions"]["retryable"] is False
        assert await whole.step(Chance("damage", 0)) is not None
