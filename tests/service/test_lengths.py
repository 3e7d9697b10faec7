"""Who may not know a hidden card cannot tell it from the length of anything, compressed or not.

Two worlds that differ in such cards alone answer alike, byte by byte, headers included; lengths are
among them. `CASES` of the canary say how each operation is asked, so that a new one cannot be
forgotten.
"""

import re
from pathlib import Path

import pytest

from service import packing
from tests.kit.two_worlds import two_worlds
from tests.service.outputs import everything

pytestmark = pytest.mark.anyio

GAMES = ("chrononauts", "ancient_knowledge")
DRAWN = {"x-request-id"}
DRAWN_WORDS = re.compile(rb'"(id|secret)":"[^"]{22,}"')  # ids and secrets of webhooks


@pytest.fixture(autouse=True)
def _packed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compress whatever can be."""
    monkeypatch.setattr(packing, "SMALL", 0)


def known(body: bytes) -> bytes:
    """Return a body without what is drawn for every answer."""
    return DRAWN_WORDS.sub(b"", body)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("who", [0, 1, None])
@pytest.mark.parametrize("steps", [1, 9])
async def test_no_length_depends_on_a_hidden_card(
    game: str, who: int | None, steps: int, tmp_path: Path
) -> None:
    async with two_worlds(game, who, tmp_path, steps, number=steps) as (here, there, exchanged):
        assert exchanged > 5
        packed = 0
        other = everything(there, who)
        async for one in everything(here, who):
            two = await anext(other)
            assert one.way == two.way
            assert one.status == two.status < 500, one
            assert len(one.body) == len(two.body), one.way
            assert known(one.body) == known(two.body), one.way
            heads = [
                [pair for pair in head if pair[0] not in DRAWN]
                for head in (one.headers, two.headers)
            ]
            assert heads[0] == heads[1], one.way
            packed += any(name == "content-encoding" for name, _ in one.headers)
    assert packed > 5


@pytest.mark.parametrize("game", GAMES)
async def test_the_worlds_differ(game: str, tmp_path: Path) -> None:
    """Guards the comparison itself: who may know the cards sees others."""
    async with two_worlds(game, None, tmp_path, 3, number=3) as (here, there, _):
        one, two = [(await table.get("", 0)).text for table in (here, there)]
    assert one != two
