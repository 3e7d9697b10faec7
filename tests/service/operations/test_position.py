"""Positions over the wire: who may have one, who may begin with one, what is refused and why."""

import json
from pathlib import Path

import httpx
import jsonschema
import pytest

from domain import games
from domain.engine.chance import Chance
from tests.kit.service import Body, Table, answered, lay, refused

pytestmark = pytest.mark.anyio

GAMES = tuple(game.name for game in games.GAMES if game.layout is not None)
SCHEMAS = Path(__file__).resolve().parents[3] / "schema" / "positions"


async def played(http: httpx.AsyncClient, game: str, moves: int) -> Table:
    table = await lay(http, 2, game=game)
    chance = Chance("position", moves)
    for _ in range(moves):
        await table.step(chance)
    return table


async def begin(http: httpx.AsyncClient, position: Body, **more: object) -> httpx.Response:
    body = {"game": position["game"], "seats": position["seats"], "position": position, **more}
    return await http.post("/v1/matches", json=body)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moves", [0, 3, 9])
async def test_a_match_begins_as_the_position_says(
    http: httpx.AsyncClient, game: str, moves: int
) -> None:
    table = await played(http, game, moves)
    position = answered(await table.get("/position", "admin"))
    schema = json.loads((SCHEMAS / f"{game}.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(position)
    copy = Table(http, answered(await begin(http, position)))
    assert answered(await copy.get("/position", "admin")) == position
    for seat in range(2):
        await copy.sit(seat)
    assert answered(await copy.get("/position", "admin")) == position
    for seat in range(2):
        assert (await copy.view(seat))["board"] == (await table.view(seat))["board"]
    await copy.step(Chance("position", 1))
    text = (await copy.get("/log", "owner")).text
    assert answered(await http.post("/v1/matches/import", json={"text": text}))


async def test_games_show_the_schema_of_their_positions(http: httpx.AsyncClient) -> None:
    listed: list[Body] = (await http.get("/v1/games")).json()
    assert [game["name"] for game in listed] == [game.name for game in games.GAMES]
    for game in listed:
        path = SCHEMAS / f"{game['name']}.json"
        known = game["name"] in GAMES
        schema = json.loads(path.read_text(encoding="utf-8")) if known else False
        assert game["positionSchema"] == schema


async def test_the_owner_has_to_wait_for_the_end(http: httpx.AsyncClient) -> None:
    table = await played(http, "chrononauts", 2)
    assert refused(await table.get("/position")) == (404, "match_not_found")
    assert refused(await table.get("/position", 0)) == (403, "forbidden")
    assert refused(await table.get("/position", "owner")) == (403, "forbidden")
    version = (await table.view())["version"]
    answered(await table.post("/concede", {}, 0))
    assert refused(await table.get("/position")) == (401, "unauthenticated")
    assert refused(await table.get("/position", 0)) == (403, "forbidden")
    last = answered(await table.get("/position", "owner"))
    assert last["pending"] is None
    before = answered(await table.get("/position", "owner", at=version))
    assert before["pending"]["asked"]
    assert refused(await table.get("/position", "owner", at=999)) == (404, "not_found")
    assert refused(await table.get("/position", "owner", at=1)) == (409, "match_not_started")
    assert (await table.get("/position", "owner")).headers["cache-control"].startswith("private")


async def test_a_public_match_begins_with_no_position(http: httpx.AsyncClient) -> None:
    table = await played(http, "chrononauts", 2)
    position = answered(await table.get("/position", "admin"))
    response = await begin(http, position, visibility="public")
    assert refused(response) == (401, "unauthenticated")
    body = {"game": "chrononauts", "seats": 2, "position": position, "visibility": "public"}
    response = await http.post("/v1/matches", json=body, headers=table.bearer("owner"))
    assert refused(response) == (403, "forbidden")
    response = await http.post("/v1/matches", json=body, headers=table.bearer("admin"))
    assert response.status_code == 201


async def faults(http: httpx.AsyncClient, position: Body, **more: object) -> dict[str, str]:
    response = await begin(http, position, **more)
    assert refused(response) == (422, "illegal_position")
    return {one["path"]: one["message"] for one in response.json()["errors"]}


async def test_every_fault_is_named_at_once(http: httpx.AsyncClient) -> None:
    table = await played(http, "chrononauts", 2)
    whole = answered(await table.get("/position", "admin"))
    wrong = json.loads(json.dumps(whole))
    wrong["board"]["drawPile"].append("P1868")
    wrong["board"]["altered"] = [1865, 1868]
    wrong["board"]["turn"] = 7
    wrong["pending"]["asked"] = [5]
    found = await faults(http, wrong)
    assert found.keys() == {"drawPile", "altered", "turn", "pending"}
    assert (await faults(http, {**whole, "board": {}})).keys() == {
        "board.turn",
        "board.turns",
        "board.seats",
        "board.drawPile",
    }
    other = {**whole, "ruleset": 9, "facts": [["P1868", "count", "3"]], "conceded": [4]}
    assert (await faults(http, other, seats=3)).keys() == {"ruleset", "facts", "conceded", "seats"}
    assert (await faults(http, whole, game="ancient_knowledge")).keys() == {"game"}
    assert (await faults(http, whole, options={"handVictory": 3})).keys() == {"options"}
    assert (await faults(http, {**whole, "v": 7})).keys() == {"v"}


async def test_options_of_the_position_may_be_said_again(http: httpx.AsyncClient) -> None:
    table = await played(http, "chrononauts", 1)
    whole = answered(await table.get("/position", "admin"))
    assert answered(await begin(http, whole, preset="published"))
    missing = {**whole, "options": {}}
    assert (await faults(http, missing)).keys() == {"options"}


@pytest.mark.parametrize("game", GAMES)
async def test_every_version_has_a_position_that_is_exported_the_same(
    http: httpx.AsyncClient, game: str
) -> None:
    table = await lay(http, 2, game=game)
    first = (await table.view())["version"]
    for number in range(6):
        await table.step(Chance("position", number))
    last = (await table.view())["version"]
    positions = [await table.get("/position", "admin", at=at) for at in range(first, last + 1)]
    for response in positions:
        position = answered(response)
        assert position["pending"]["asked"]
        copy = Table(http, answered(await begin(http, position)))
        assert answered(await copy.get("/position", "admin")) == position


async def test_in_the_middle_of_a_command_the_position_is_the_one_before(
    http: httpx.AsyncClient,
) -> None:
    table = await played(http, "chrononauts", 2)
    before, at = answered(await table.get("/position", "admin")), (await table.view())["version"]
    await table.step(Chance("position", 9))
    after = (await table.view())["version"]
    assert after > at + 1
    assert answered(await table.get("/position", "admin", at=after)) != before
    for version in range(at, after):
        assert answered(await table.get("/position", "admin", at=version)) == before
    copy = Table(http, answered(await begin(http, before)))
    assert refused(await copy.get("/position", "admin", at=1)) == (409, "match_not_started")


async def test_a_program_that_the_rules_cannot_have_left_is_refused(
    http: httpx.AsyncClient,
) -> None:
    table = await played(http, "chrononauts", 1)
    whole = answered(await table.get("/position", "admin"))
    (seat,) = whole["pending"]["asked"]
    ask = ["ask", ["play", False], "play", "owner", False, False]
    for effects in ([], [["draw", -1]], [["grant_plays", 10**9]], [["shuffle_draw"]] * 9_000):
        program = [[seat, None, [["end_turn"]], {}], [seat, None, [ask, *effects], {}]]
        pending = {**whole["pending"], "program": program}
        found = await faults(http, {**whole, "pending": pending})
        assert found.keys() <= {"pending.program", "pending.program[1]"}


async def test_without_pending_the_seat_on_turn_begins(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    whole = answered(await table.get("/position", "admin"))
    copy = Table(http, answered(await begin(http, {**whole, "pending": None})))
    again = answered(await copy.get("/position", "admin"))
    assert again["pending"]["asked"] == [whole["board"]["turn"]]
    assert again["pending"]["prompt"] == "play"
