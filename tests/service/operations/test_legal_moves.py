"""What a seat may send is listed, whatever it is asked, in every game."""

from collections.abc import Iterator

import httpx
import pytest

from domain.engine.chance import Chance
from tests.kit.service import Body, answered, lay, pick, refused

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


def spoiled(body: Body) -> Iterator[tuple[str, Body]]:
    """Yield the body with each argument in turn replaced by one that does not exist."""
    for name, value in body.items():
        match value:
            case str() if name not in ("type", "direction", "source"):  # these are words of a list
                yield name, {**body, name: "nonsense"}
            case [str(), *_]:
                yield f"{name}.0", {**body, name: ["nonsense", *value[1:]]}
            case [{"monument": _} as first, *rest]:
                yield f"{name}.0.monument", {**body, name: [{**first, "monument": "no"}, *rest]}
            case _:
                pass


@pytest.mark.parametrize(
    ("game", "wanted"),
    [
        (
            "ancient_knowledge",
            {
                *("choose picks.0", "playCard card", "playCard payment.0"),
                *("recordKnowledge cards.0", "recordKnowledge from.0.monument"),
                *("tapMonuments monuments.0", "learnTechnology technology"),
            },
        ),
        (
            "chrononauts",
            {
                *("playCard card", "playCard artifact", "discardCards cards.0"),
                *("killTime cards.0", "respond card"),
            },
        ),
    ],
)
async def test_a_refused_move_names_the_argument_that_does_not_fit(
    http: httpx.AsyncClient, game: str, wanted: set[str]
) -> None:
    table, chance = await lay(http, 2, game=game), Chance(f"spoiled {game}", 2)
    seen: set[str] = set()
    while not seen >= wanted:
        seat = await table.next_seat()
        assert seat is not None, wanted - seen
        legal = await table.legal(seat)
        for move in legal["moves"]:
            for path, body in spoiled(move["body"]):
                if f"{move['type']} {path}" not in seen:
                    response = await table.move(seat, body)
                    assert response.status_code == 422, (body, response.text)
                    (error,) = response.json()["errors"]
                    assert error["path"] == path, (body, response.text)
                    assert response.json()["detail"] == f"{path}: {error['message']}"
                    assert error["message"].startswith("is not offered; there are ")
                    seen.add(f"{move['type']} {path}")
        answered(await table.move(seat, pick(legal, chance)))


async def test_tokens_beyond_the_limit_of_a_monument_are_named(http: httpx.AsyncClient) -> None:
    table, chance = await lay(http, 2, game="ancient_knowledge"), Chance("tokens", 0)
    while True:
        seat = await table.next_seat()
        assert seat is not None
        legal = await table.legal(seat)
        for move in legal["moves"]:
            if move["type"] == "recordKnowledge":
                cards, source = move["domains"]
                few = [
                    (id, at)
                    for id, at in zip(source["from"], source["limits"], strict=True)
                    if at < cards["max"]
                ]
                if few:
                    break
        else:
            answered(await table.move(seat, pick(legal, chance)))
            continue
        break
    (id, limit), *_ = few
    said = await table.move(
        seat,
        {
            **{"type": "recordKnowledge", "cards": cards["from"][: limit + 1]},
            "from": [{"monument": id, "tokens": limit + 1}],
        },
    )
    assert refused(said) == (422, "illegal_choice")
    message = f"names {id} {limit + 1} times; at most {limit}"
    assert said.json()["errors"] == [{"path": "from", "message": message}]
