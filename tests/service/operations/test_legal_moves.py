"""What a seat may send is listed, whatever it is asked, in every game."""

import httpx
import pytest

from domain.engine.chance import Chance
from tests.kit.service import answered, lay, pick

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("game", ["ancient_knowledge", "chrononauts"])
async def test_a_match_is_played_from_the_bodies_alone(http: httpx.AsyncClient, game: str) -> None:
    table, chance = await lay(http, 2, game=game), Chance(f"bodies of {game}", 0)
    types = set()
    for _ in range(120):
        seat = await table.next_seat()
        if seat is None:
            break
        other = await table.legal(1 - seat)
        assert (other["choice"] is None) == (other["moves"] == [])
        legal = await table.legal(seat)
        body = pick(legal, chance)
        types.add(body["type"])
        answered(await table.move(seat, body))
    assert len(types) > 2


async def test_a_payment_that_is_not_the_price_is_refused_with_a_reason(
    http: httpx.AsyncClient,
) -> None:
    table, chance = await lay(http, 2, game="ancient_knowledge"), Chance("payments", 0)
    while True:
        seat = await table.next_seat()
        assert seat is not None
        legal = await table.legal(seat)
        plays = [move for move in legal["moves"] if move["type"] == "playCard" and move["cost"]]
        if plays and legal["choice"]["prompt"] == "action":
            break
        answered(await table.move(seat, pick(legal, chance)))
    response = await table.move(seat, {**plays[0]["body"], "payment": []})
    said = response.json()
    assert (response.status_code, said["code"], said["reason"]) == (
        *(422, "illegal_move", "wrong_payment"),
    )
    assert (said["cost"], said["rule"]) == (plays[0]["cost"], "6.1")
    del plays[0]["body"]["payment"]
    assert answered(await table.move(seat, plays[0]["body"]))["choice"]["prompt"] == "payment"
    (pay,) = (await table.legal(seat))["moves"]
    answered(await table.move(seat, pay["body"]))
