"""How often a client may ask, and what it is told about it."""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx
import pytest
from starlette.requests import HTTPConnection

from domain.engine.chance import Chance
from schema.errors import RateLimited, Unauthenticated
from service.auth import ADMIN, Principal
from service.edge import network
from service.problems import awaited
from service.rates import Rates, counters
from service.store import EventStore
from service.tokens import Keyring
from tests.kit.servers import (
    Cluster,
    SentinelGroup,
    Server,
    running_cluster,
    running_sentinel,
    running_server,
)
from tests.kit.service import ADMIN_TOKEN, Table, Who, answered, lay, pick, service

pytestmark = pytest.mark.anyio

SEAT = Principal("seat", "m1", 0)
GAMES = {"query": "{ games { name } }"}


class Shared:
    """Counters that two processes share; `fails` makes them fail."""

    def __init__(self) -> None:
        self.values: dict[str, int] = {}
        self.asked = 0
        self.fails = False

    async def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        self.asked += 1
        if self.fails:
            raise ConnectionError
        self.values[key] = self.values.get(key, 0) + amount
        return self.values[key]


def at_noon() -> float:
    return 1_700_000_040.0


async def passed(rates: Rates, times: int, operation: str = "match") -> int:
    """Return how many of so many requests are let through."""
    through = 0
    for _ in range(times):
        try:
            await rates.spend(SEAT, operation)
        except RateLimited:
            continue
        through += 1
    return through


async def test_a_client_may_ask_so_often_and_no_more() -> None:
    rates = Rates(60, 60, clock=at_noon)
    assert await passed(rates, 100) == 60
    with pytest.raises(RateLimited) as refused:
        await rates.spend(SEAT, "match")
    assert 1 <= int(str(refused.value.detail["retryAfter"])) <= 61


async def test_reads_do_not_cost_moves() -> None:
    rates = Rates(60, 60, clock=at_noon)
    await passed(rates, 100)
    assert await passed(rates, 100, "playCard") == 60


async def test_a_large_log_costs_more() -> None:
    rates = Rates(60, 60, clock=at_noon)
    await rates.weigh(SEAT, "match", 10_000_000)
    await rates.weigh(SEAT, "importMatch", 8_000)
    assert await passed(rates, 100, "importMatch") == 60
    rates = Rates(60, 60, clock=at_noon)
    await rates.weigh(SEAT, "importMatch", 80 * 1024)
    assert await passed(rates, 100, "importMatch") == 50
    rates = Rates(60, 60, clock=at_noon)
    await rates.weigh(SEAT, "importMatch", 10_000_000)
    await rates.weigh(SEAT, "importMatch", 10_000_000)
    with pytest.raises(RateLimited):
        await rates.weigh(SEAT, "importMatch", 10_000_000)


async def test_a_log_is_weighed_by_rest_and_graphql(memory: EventStore, tmp_path: Path) -> None:
    text = "x" * 50 * 1024
    document = "mutation($in: ImportMatchInput!) { importMatch(input: $in) { matchId } }"
    body = {"query": document, "variables": {"in": {"text": text}}}
    async with service(memory, tmp_path, rate_limit="100/hour") as http:
        rest = await http.post("/v1/matches/import", json={"text": text})
        assert (rest.status_code, rest.json()["code"]) == (422, "invalid_log")
        assert left(rest) == 100 - 1 - 6
        assert left(await http.post("/graphql", json=body)) == 93 - 2 - 6


def left(response: httpx.Response) -> int:
    """Return what is left of the budget."""
    word = response.headers["ratelimit"].partition("r=")[2]
    return int(word.partition(";")[0])


async def test_the_next_window_begins_afresh() -> None:
    now = at_noon()
    rates = Rates(60, 60, clock=lambda: now)
    await passed(rates, 100)
    now += 60
    assert await passed(rates, 100) == 60


async def test_processes_count_together_but_for_a_twentieth() -> None:
    shared = Shared()
    both = [Rates(600, 60, shared, at_noon) for _ in range(2)]
    through = 0
    for _ in range(40):
        for rates in both:
            through += await passed(rates, 25)
    assert 600 <= through <= 600 + 2 * 600 // 20
    assert shared.asked < 60


async def test_a_store_that_fails_locks_nobody_out() -> None:
    shared = Shared()
    shared.fails = True
    rates = Rates(60, 60, shared, at_noon)
    assert await passed(rates, 100) == 60
    assert shared.asked == 1


async def test_a_store_that_hangs_is_not_waited_for() -> None:
    class Hanging:
        async def incr(self, key: str, expiry: int, amount: int = 1) -> int:
            await asyncio.sleep(3600)
            return 0

    assert await passed(Rates(60, 60, Hanging(), at_noon), 100) == 60


async def test_seats_have_budgets_of_their_own_and_admins_need_none() -> None:
    rates = Rates(10, 60, clock=at_noon)
    await passed(rates, 20)
    await rates.spend(Principal("seat", "m1", 1), "match")
    for _ in range(20):
        await rates.spend(Principal("admin"), "match")


async def test_a_new_token_does_not_buy_what_is_about_no_match() -> None:
    rates = Rates(10, 60, clock=at_noon)
    for number in range(10):
        await rates.spend(Principal("owner", f"m{number}"), "createMatch")
    with pytest.raises(RateLimited):
        await rates.spend(Principal("owner", "m99"), "createMatch")


async def test_forks_of_forks_buy_nothing(tmp_path: Path, memory: EventStore) -> None:
    async with service(memory, tmp_path, rate_limit="10/hour") as http:
        last = answered(await http.post("/v1/matches", json={"game": "chrononauts", "seats": 2}))
        for invite in last["invites"]:
            path = f"/v1/matches/{last['matchId']}/seats"
            taken = await http.post(path, json={"invite": invite["invite"]})
            assert taken.status_code == 200
        for left_over in range(6, -1, -1):
            table = Table(http, last)
            version = (await table.view())["version"]  # out of the new token's budget
            forked = await table.post("/fork", {"at": version}, "owner")
            assert left(forked) == left_over
            last = answered(forked)
        over = await Table(http, last).post("/fork", {"at": last["version"]}, "owner")
        assert (over.status_code, code(over)) == (429, "rate_limited")


@pytest.mark.parametrize(("operation", "name"), [("playCard", "moves"), ("match", "requests")])
async def test_many_matches_are_no_way_around(
    monkeypatch: pytest.MonkeyPatch, operation: str, name: str
) -> None:
    """All tokens that one address uses have ten budgets together; accounts have their own."""
    rates = Rates(4, 60, clock=at_noon)
    monkeypatch.setattr("service.rates.client_network", lambda: "192.0.2.1")
    for number in range(40):
        await rates.spend(Principal("seat", f"m{number}", 0), operation)
    with pytest.raises(RateLimited, match=f"40 {name}-of-address"):
        await rates.spend(Principal("seat", "m99", 0), operation)
    await rates.spend(Principal("account", account="a"), operation)
    await rates.spend(ADMIN, operation)
    monkeypatch.setattr("service.rates.client_network", lambda: "192.0.2.2")
    await rates.spend(Principal("seat", "m99", 0), operation)
    monkeypatch.setattr("service.rates.client_network", lambda: "")  # nobody knows from where
    for number in range(50):
        await rates.spend(Principal("seat", f"n{number}", 0), operation)


async def test_what_others_of_an_address_do_is_told_to_nobody(
    tmp_path: Path, memory: EventStore
) -> None:
    async with service(memory, tmp_path, rate_limit="20/hour") as http:
        tables = [await lay(http, 2) for _ in range(3)]
        for number, table in enumerate([*tables] * 4):
            answer = await table.get("", 0)
            assert left(answer) == 19 - number // 3
            assert answer.headers["ratelimit-policy"] == '"requests";q=20;w=3600'


@pytest.mark.parametrize("operation", ["createMatch", "importMatch", "forkMatch"])
async def test_whatever_makes_a_match_costs_the_address(operation: str) -> None:
    rates = Rates(10, 60, clock=at_noon)
    for number in range(10):
        await rates.spend(Principal("owner", f"m{number}"), operation)
    with pytest.raises(RateLimited):
        await rates.spend(Principal("seat", "m99", 0), operation)


@pytest.mark.parametrize("operation", ["takeSeat", "issueToken", "rotateToken"])
async def test_tokens_of_one_seat_share_a_budget(operation: str) -> None:
    rates = Rates(10, 60, clock=at_noon)
    for generation in range(10):
        await rates.spend(Principal("seat", "m", 0, generation, reads=True), operation)
    with pytest.raises(RateLimited):
        await rates.spend(Principal("seat", "m", 0, 99), operation)


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_tokens_that_are_not_valid_cost_the_address(
    tmp_path: Path, memory: EventStore
) -> None:
    async with service(memory, tmp_path, rate_limit="4/hour") as http:
        created = answered(await http.post("/v1/matches", json={"game": "chrononauts", "seats": 2}))
        wrong = [
            await http.get("/v1/games", headers=bearing("wrong")),
            await http.post("/graphql", json=GAMES, headers=bearing("wronger")),
            await http.post("/v1/matches/m/moves", json={}, headers=bearing("owner.m.x")),
            await http.get("/metrics", headers=bearing("a guess")),
        ]
        assert [answer.status_code for answer in wrong] == [401] * 4
        assert wrong[0].headers["ratelimit"].startswith('"failures";r=3;')
        over = [
            await http.get("/v1/games", headers=bearing("wrong")),
            await http.post("/graphql", json=GAMES, headers=bearing("wrong")),
        ]
        for answer in over:
            assert (answer.status_code, code(answer)) == (429, "rate_limited")
            assert 1 <= int(answer.headers["retry-after"]) <= 3601
        # What nobody can guess goes on, and so does who bears no token.
        table = Table(http, created)
        assert (await table.get("", "owner")).status_code == 200
        assert (await http.get("/v1/games")).status_code == 200


async def test_after_many_guesses_the_right_one_is_not_told(
    tmp_path: Path, memory: EventStore
) -> None:
    async with service(memory, tmp_path, rate_limit="3/hour") as http:
        path = "/v1/matches"
        for _ in range(2):
            assert (await http.get(path, headers=bearing("a guess"))).status_code == 401
        assert (await http.get(path, headers=bearing(ADMIN_TOKEN))).status_code == 200
        assert (await http.get(path, headers=bearing("a guess"))).status_code == 401
        for token in ("a guess", ADMIN_TOKEN):
            assert code(await http.get(path, headers=bearing(token))) == "rate_limited"


async def test_an_administrator_is_told_again_in_the_next_window() -> None:
    now = at_noon()
    rates = Rates(1, 60, clock=lambda: now)
    keys = Keyring((b"k" * 32,), ADMIN_TOKEN)
    told = rates.charging(lambda connection: keys.authenticate(connection.headers["authorization"]))

    async def asked(token: str) -> object:
        headers = [(b"authorization", f"Bearer {token}".encode())]
        return await awaited(told(HTTPConnection({"type": "http", "headers": headers})))

    with pytest.raises(Unauthenticated):
        await asked("a guess")
    with pytest.raises(RateLimited):
        await asked(ADMIN_TOKEN)
    now += 60
    for _ in range(3):
        assert await asked(ADMIN_TOKEN) == ADMIN


async def test_tokens_that_have_to_be_looked_up_cost_the_address_when_they_fail() -> None:
    async def looked_up(token: str) -> Principal:
        if token == "wrong":
            raise Unauthenticated("no")
        return SEAT

    rates = Rates(2, 60, clock=at_noon)
    told = rates.charging(lambda connection: looked_up(connection.headers["authorization"]))

    async def asked(token: str) -> object:
        headers = [(b"authorization", token.encode())]
        return await awaited(told(HTTPConnection({"type": "http", "headers": headers})))

    for _ in range(2):
        with pytest.raises(Unauthenticated):
            await asked("wrong")
    with pytest.raises(RateLimited):
        await asked("wrong")
    assert await asked("right") == SEAT


@contextmanager
def over_tcp() -> Iterator[str]:
    with running_server(tcp=True) as server:
        yield f"redis://{server.address}/0"


@contextmanager
def url_of(
    kind: Callable[[], AbstractContextManager[Server | Cluster | SentinelGroup]],
) -> Iterator[str]:
    with kind() as server:
        yield server.url


@pytest.mark.parametrize(
    "store",
    [
        over_tcp(),
        *(url_of(kind) for kind in (running_server, running_cluster, running_sentinel)),
    ],
    ids=("redis", "unix", "redis+cluster", "redis+sentinel"),
)
async def test_any_store_adds_up_what_processes_count(
    store: AbstractContextManager[str], request: pytest.FixtureRequest
) -> None:
    with store as url:
        assert url.startswith(f"{request.node.callspec.id}://")
        shared, close = counters(url)
        first, second = (Rates(600, 60, shared, at_noon) for _ in range(2))
        assert await passed(first, 590) == 590
        assert await passed(second, 100) <= 30
        await close()


async def test_a_password_of_a_store_is_decoded_and_not_shown_to_sentinels() -> None:
    with running_cluster() as cluster, running_sentinel() as group:
        group.sentinel.ask("SENTINEL", "SET", "main", "auth-pass", "p@ss")
        for server in (*cluster.nodes, group.primary):
            server.ask("CONFIG", "SET", "requirepass", "p@ss")
        for url in (cluster.url, group.url):
            shared, close = counters(url.replace("://", "://:p%40ss@"))
            assert [await shared.incr("key", 60, 2) for _ in range(2)] == [2, 4]
            await close()


async def test_a_budget_costs_the_store_one_question_for_each_twentieth() -> None:
    shared = Shared()
    rates = Rates(2_000, 60, shared, at_noon)
    assert await passed(rates, 3_000) == 2_000
    assert 20 <= shared.asked <= 21
    assert 2_000 - 100 <= sum(shared.values.values()) <= 2_000


@pytest.mark.parametrize(("rate_limit", "status"), [("off", 304), ("600/minute", 429)])
async def test_where_clients_are_limited_an_address_has_a_part_of_the_places(
    memory: EventStore,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rate_limit: str,
    status: int,
) -> None:
    monkeypatch.setattr("service.app.PLACES_ADDRESS", 1)
    async with service(memory, tmp_path, rate_limit=rate_limit) as http:
        table = await lay(http, 2)
        version = (await table.view())["version"]

        async def poll(who: int) -> int:
            headers = {**table.bearer(who), "If-None-Match": f'"{version}"'}
            path = f"/v1/matches/{table.id}/events?after={version}&wait=1"
            return (await http.get(path, headers=headers)).status_code

        assert sorted(await asyncio.gather(poll(0), poll(1))) == [304, status]


@pytest.mark.parametrize(
    ("host", "shared"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("testclient", "testclient"),
    ],
)
def test_addresses_of_one_network_are_one_client(host: str, shared: str) -> None:
    assert network(host) == shared


def code(response: httpx.Response) -> str:
    body = response.json()
    found: str = body["code"] if "code" in body else body["errors"][0]["extensions"]["code"]
    return found


async def test_answers_tell_what_is_left(tmp_path: Path, memory: EventStore) -> None:
    async with service(memory, tmp_path, rate_limit="3/hour") as http:
        answers = [await http.get("/v1/games") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert answers[0].headers["ratelimit-policy"] == '"requests";q=3;w=3600'
    assert answers[0].headers["ratelimit"].startswith('"requests";r=2;t=')
    assert code(answers[3]) == "rate_limited"
    assert 1 <= int(answers[3].headers["retry-after"]) <= 3601


async def test_aliases_buy_nothing(tmp_path: Path, memory: EventStore) -> None:
    ten = {"query": "{ " + " ".join(f"a{n}: games {{ name }}" for n in range(10)) + " }"}
    async with service(memory, tmp_path, rate_limit="21/hour") as http:
        first, second = [await http.post("/graphql", json=ten) for _ in range(2)]
        third = await http.post("/graphql", json=ten)
    assert first.headers["ratelimit"].startswith('"requests";r=10;')
    assert "errors" not in second.json()
    assert (third.status_code, code(third)) == (429, "rate_limited")
    assert "retry-after" in third.headers


async def test_a_new_document_costs_as_much_as_an_operation(
    tmp_path: Path, memory: EventStore
) -> None:
    async with service(memory, tmp_path, rate_limit="5/hour") as http:
        for number in range(5):
            await http.post("/graphql", json={"query": f"{{ nothing{number} }}"})
        refused = await http.post("/graphql", json=GAMES)
    assert code(refused) == "rate_limited"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b"{}", "application/json", 400),
        (b'{"documentId": "x"}', "application/json", 400),
        (b"{}", "text/plain", 415),
        (b" " * 5_000_000, "application/json", 413),
    ],
)
async def test_what_asks_for_nothing_costs_as_much_as_an_operation(
    tmp_path: Path, memory: EventStore, body: bytes, kind: str, status: int
) -> None:
    async with service(memory, tmp_path, rate_limit="2/hour") as http:
        headers = {"Content-Type": kind}
        answers = [await http.post("/graphql", content=body, headers=headers) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [status, status, 429]
    assert "retry-after" in answers[2].headers


async def test_a_body_as_large_as_a_log_pays_for_its_size_before_it_is_read(
    tmp_path: Path, memory: EventStore
) -> None:
    large = b'{"query": "' + b"x" * 400 * 1024
    document = "mutation($in: ImportMatchInput!) { importMatch(input: $in) { matchId } }"
    log = {"query": document, "variables": {"in": {"text": "x" * 400 * 1024}}}
    async with service(memory, tmp_path, rate_limit="200/hour") as http:
        headers = {"Content-Type": "application/json"}
        broken = await http.post("/graphql", content=large, headers=headers)
        assert left(broken) == 200 - 50 - 1
        assert left(await http.post("/graphql", json=log)) == 149 - 50 - 2
        assert left(await http.post("/graphql", json=log)) == 97 - 50 - 1
        refused = await http.post("/graphql", content=large, headers=headers)
    assert (refused.status_code, code(refused)) == (429, "rate_limited")


async def test_who_has_read_too_much_can_still_move(tmp_path: Path, memory: EventStore) -> None:
    async with service(memory, tmp_path, rate_limit="20/hour") as http:
        created = answered(await http.post("/v1/matches", json={"game": "chrononauts", "seats": 2}))
        table = Table(http, created)
        for seat in range(2):
            await table.sit(seat)
        asked = await table.next_seat()
        assert asked is not None
        move = pick(await table.legal(asked), Chance("00", 1))
        while (read := await table.get("", asked)).status_code == 200:
            pass
        assert code(read) == "rate_limited"
        assert (await table.move(asked, move)).status_code == 200


async def test_whoever_has_read_too_much_can_still_move_by_graphql_with_documents_of_its_own(
    tmp_path: Path, memory: EventStore
) -> None:
    """What pays for a document that nobody has sent before is the move, if nothing else is left."""
    async with service(memory, tmp_path, rate_limit="20/hour") as http:
        table = await lay(http)
        while (await http.get("/v1/games")).status_code == 200:
            pass

        async def asked(document: str, who: Who) -> str | None:
            body, headers = {"query": document}, table.bearer(who)
            answer = await http.post("/graphql", json=body, headers=headers)
            errors = answer.json().get("errors")
            return errors[0]["extensions"]["code"] if errors else None

        for number in range(3):
            seat = await table.next_seat()
            assert seat is not None
            choice = (await table.legal(seat))["choice"]
            picks = [option["id"] for option in choice["options"][: max(1, choice["min"])]]
            given = f'matchId: "{table.id}", choice: {choice["id"]}, picks: {json.dumps(picks)}'
            move = f"mutation M{number} {{ choose(input: {{{given}}}) {{ version }} }}"
            assert await asked(move, seat) is None
            # Nothing else is read for it, and who has no seat has no moves to pay with.
            assert await asked(f"query Q{number} {{ games {{ name }} }}", seat) == "rate_limited"
            assert await asked(f"query R{number} {{ games {{ name }} }}", None) == "rate_limited"
