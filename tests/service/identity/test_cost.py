"""What is checked about a bearer costs a move nothing."""

from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from service.store import MemoryStore
from tests.kit.provider import running_provider
from tests.kit.service import Table, answered, lay, pick, service
from tests.service.identity.matrix import headers_of

pytestmark = pytest.mark.anyio


class Counting(MemoryStore):
    """A store that counts what it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: Counter[str] = Counter()

    def __getattribute__(self, name: str) -> Any:
        if name in ("append", "load", "last_version", "get_setting", "exists"):
            super().__getattribute__("asked")[name] += 1
        return super().__getattribute__(name)


async def cost(store: Counting, table: Table, number: int) -> Counter[str]:
    """Return what the store is asked for one move."""
    seat = (await table.view(0))["awaiting"][0]
    body = pick(answered(await table.get("/legal-moves", seat)), Chance("31" * 16, number))
    store.asked.clear()
    answered(await table.move(seat, body))
    return Counter(store.asked)


async def costs(store: Counting, table: Table) -> list[Counter[str]]:
    return [await cost(store, table, number) for number in range(6)]


async def test_a_move_costs_one_look_and_one_append(tmp_path: Path) -> None:
    store = Counting()
    with running_provider() as provider:
        settings: dict[str, Any] = {"oidc_issuer": provider.issuer, "oidc_audience": "stele"}
        tokens = {seat: provider.token(f"player {seat}") for seat in range(2)}
        async with service(store, tmp_path, **settings) as client:
            table = await lay(client)
            by_token = await costs(store, table)
            by_account = await costs(store, await sat(client, tokens))
    assert by_token == by_account == [Counter(last_version=1, append=1)] * 6


async def sat(client: httpx.AsyncClient, tokens: dict[int, str]) -> Table:
    """Lay out a match that two accounts play."""
    table = await lay(client, sit=False)
    table.tokens = dict(tokens)
    for seat, token in tokens.items():
        path, body = f"/v1/matches/{table.id}/seats", {"invite": table.invites[seat]}
        answered(await client.post(path, json=body, headers=headers_of(token)))
    return table
