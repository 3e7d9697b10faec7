"""Conformance with graphql-transport-ws, close code by close code, on a real socket."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import suppress
from contextvars import Context
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import CloseCode
from websockets.typing import Subprotocol

from service import sockets
from service.bearers import Bearers
from service.sockets import Limits
from service.store import EventStore, MemoryStore
from tests.kit.service import Table, lay
from tests.service.live.serving import (
    PATIENCE,
    PROTOCOL,
    UPDATES,
    Follower,
    Served,
    connected,
    serving,
)

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[3]
QUICK = Limits(init=1.0, ping=0.2, silence=1.5, watch=0.1)
GAMES = "{ games { name } }"
INIT = {"type": "connection_init"}
SUBSCRIBE = {"type": "subscribe", "id": "1", "payload": {"query": GAMES}}


@pytest.fixture(scope="module")
async def served(
    anyio_backend: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Served]:
    """One service for all tests that do not change it: no test sees the match of another."""
    async with serving(MemoryStore(), tmp_path_factory.mktemp("live")) as served:
        yield served


async def closed(socket: ClientConnection) -> tuple[int, str]:
    """Return how a socket is closed, whatever comes before."""
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionClosed):
            while True:
                await socket.recv()
    assert socket.protocol.close_rcvd is not None
    return socket.protocol.close_rcvd.code, socket.protocol.close_rcvd.reason


async def sent(served: Served, *messages: object) -> tuple[int, str]:
    """Return how a socket is closed after these messages."""
    async with websockets.connect(served.socket_url, subprotocols=[PROTOCOL]) as socket:
        for message in messages:
            await socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
        return await closed(socket)


@pytest.mark.parametrize("offered", [None, ["graphql-ws"], ["other", "graphql-ws"]])
async def test_other_subprotocols_are_not_spoken(
    served: Served, offered: list[Subprotocol] | None
) -> None:
    async with websockets.connect(served.socket_url, subprotocols=offered) as socket:
        assert socket.subprotocol is None
        assert await closed(socket) == (4406, "the subprotocol is graphql-transport-ws")


async def test_it_is_chosen_among_several(served: Served) -> None:
    offered = [Subprotocol("graphql-ws"), PROTOCOL]
    async with websockets.connect(served.socket_url, subprotocols=offered) as socket:
        assert socket.subprotocol == PROTOCOL


@pytest.mark.parametrize(
    "message",
    [
        "no JSON",
        "[]",
        '"text"',
        b"\x00\x01",
        '{"type": "ping", "type": "pong"}',
        {"no": "type"},
        {"type": 7},
        {"type": "start", "id": "1"},
        {"type": "connection_ack"},
        {"type": "connection_init", "payload": "x"},
        {"type": "connection_init", "payload": {"authorization": 7}},
        {"type": "ping", "payload": 7},
        {"type": "complete"},
    ],
)
async def test_what_is_no_message_closes_with_4400(served: Served, message: object) -> None:
    assert (await sent(served, message))[0] == 4400


@pytest.mark.parametrize(
    "wrong",
    [
        {"id": None},
        {"id": ""},
        {"id": "x" * 129},
        {"payload": None},
        {"payload": {}},
        {"payload": {"query": 7}},
        {"payload": {"query": GAMES, "variables": []}},
        {"payload": {"query": GAMES, "operationName": 7}},
    ],
)
async def test_what_subscribes_to_nothing_closes_with_4400(
    served: Served, wrong: dict[str, object]
) -> None:
    assert (await sent(served, INIT, {**SUBSCRIBE, **wrong}))[0] == 4400


async def test_nothing_runs_before_the_connection_is_acknowledged(served: Served) -> None:
    assert await sent(served, SUBSCRIBE) == (4401, "Unauthorized")


async def test_a_second_initialisation_closes_with_4429(served: Served) -> None:
    assert await sent(served, INIT, INIT) == (4429, "Too many initialisation requests")


@pytest.mark.parametrize("token", ["forged", "Bearer forged", "Bearer é€"])
async def test_a_token_that_is_not_valid_closes_with_4403(served: Served, token: str) -> None:
    code, reason = await sent(served, {**INIT, "payload": {"authorization": token}})
    assert code == 4403
    assert reason.startswith("the token is not valid")


async def test_who_says_nothing_at_first_is_closed_with_4408(
    memory: EventStore, tmp_path: Path
) -> None:
    async with serving(memory, tmp_path, limits=QUICK) as served:
        assert await sent(served) == (4408, "Connection initialisation timeout")
        assert await sent(served, {"type": "ping"}) == (4408, "Connection initialisation timeout")


async def test_an_id_under_way_closes_with_4409(served: Served) -> None:
    table = await lay(served.client)
    async with connected(served.socket_url, table.tokens[0]) as follower:
        await follower.subscribe(table.id)
        await follower.subscribe(table.id)
        assert await closed(follower.socket) == (4409, "Subscriber for 1 already exists")


async def test_an_id_is_free_again_after_its_operation(served: Served) -> None:
    table = await lay(served.client)
    async with connected(served.socket_url, table.tokens[0]) as follower:
        for _ in range(3):
            await follower.send("subscribe", id="1", payload={"query": GAMES})
            assert (await follower.receive())["type"] == "next"
            assert await follower.receive() == {"id": "1", "type": "complete"}
        for _ in range(3):
            await follower.subscribe(table.id)
            assert (await follower.update())["view"]
            await follower.send("complete", id="1")
        await follower.send("complete", id="never heard of")
        await follower.send("ping")
        assert await follower.receive() == {"type": "pong"}


async def test_pings_are_answered_at_any_time(served: Served) -> None:
    async with websockets.connect(served.socket_url, subprotocols=[PROTOCOL]) as socket:
        follower = Follower(socket)
        await follower.send("ping", payload={"at": 17})
        assert await follower.receive() == {"type": "pong", "payload": {"at": 17}}
        await follower.send("pong")
        await follower.send("connection_init", payload=None)
        assert await follower.receive() == {"type": "connection_ack"}


async def test_who_answers_pings_stays_and_who_is_silent_is_closed(
    memory: EventStore, tmp_path: Path
) -> None:
    async with (
        serving(memory, tmp_path, limits=QUICK) as served,
        connected(served.socket_url) as lively,
        connected(served.socket_url) as silent,
    ):
        ending = asyncio.create_task(closed(silent.socket))
        while not ending.done():
            assert await lively.receive() == {"type": "ping"}
            await lively.send("pong")
        assert ending.result() == (4410, "nothing was heard for too long")
        assert await lively.receive() == {"type": "ping"}


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"query": "{ gaames { name } }"}, "malformed"),
        ({"query": "{"}, "malformed"),
        ({"query": ""}, "malformed"),
        ({"query": GAMES, "operationName": "Other"}, "malformed"),
        ({"query": "query A { games { name } } query B { games { name } }"}, "malformed"),
        ({"query": 'subscription { matchUpdates(matchId: "no id!") { version } }'}, "malformed"),
        ({"query": "subscription { matchUpdates(after: 1) { version } }"}, "malformed"),
        (
            {"query": "subscription ($m: String!) { matchUpdates(matchId: $m) { version } }"},
            "malformed",
        ),
        (
            {"query": 'subscription { matchUpdates(matchId: "nowhere") { version } }'},
            "match_not_found",
        ),
    ],
)
async def test_a_refused_operation_leaves_the_socket_open(
    served: Served, payload: dict[str, object], code: str
) -> None:
    async with connected(served.socket_url) as follower:
        await follower.send("subscribe", id="x", payload=payload)
        message = await follower.receive()
        assert (message["type"], message["id"]) == ("error", "x")
        assert [error["extensions"]["code"] for error in message["payload"]] == [code]
        await follower.send("subscribe", id="x", payload={"query": GAMES})
        assert (await follower.receive())["type"] == "next"


async def test_mutations_run_as_over_http(served: Served) -> None:
    table = await lay(served.client)
    document = "mutation ($m: String!) { concede(input: {matchId: $m}) { version } }"
    payload = {"query": document, "variables": {"m": table.id}}
    async with connected(served.socket_url, table.tokens[0]) as follower:
        await follower.send("subscribe", id="x", payload=payload)
        assert (await follower.receive())["payload"]["data"]["concede"]["version"] > 0
        assert (await follower.receive())["type"] == "complete"
        await follower.send("subscribe", id="x", payload=payload)
        (error,) = (await follower.receive())["payload"]["errors"]
        assert error["extensions"]["code"] == "match_finished"


async def test_subscriptions_do_not_run_over_http(served: Served) -> None:
    query = 'subscription { matchUpdates(matchId: "m") { version } }'
    response = await served.client.post("/graphql", json={"query": query})
    assert response.status_code == 400
    assert "graphql-transport-ws" in response.text


async def test_a_socket_has_so_many_operations(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path, limits=Limits(operations=3)) as served:
        table = await lay(served.client)
        async with connected(served.socket_url, table.tokens[0]) as follower:
            for id in "abc":
                await follower.subscribe(table.id, id=id)
                assert (await follower.update())["view"]
            await follower.subscribe(table.id, id="d")
            message = await follower.receive()
            assert (message["type"], message["id"]) == ("error", "d")
            assert message["payload"][0]["extensions"]["code"] == "rate_limited"


@pytest.mark.parametrize(
    ("places", "seat"), [({"places_each": 3}, 0), ({"places": 3}, None)], ids=["token", "process"]
)
async def test_each_further_subscription_of_a_socket_takes_a_place(
    memory: EventStore, tmp_path: Path, places: dict[str, Any], seat: int | None
) -> None:
    bearers = Bearers(**places)
    async with serving(memory, tmp_path, bearers) as served:
        table = await lay(served.client, visibility="public")
        token = None if seat is None else table.tokens[seat]
        async with connected(served.socket_url, token) as follower:

            async def codes(*ids: str) -> list[str | None]:
                found = []
                for id in ids:
                    await follower.subscribe(table.id, id=id)
                    message = await follower.receive()
                    assert message["id"] == id
                    is_error = message["type"] == "error"
                    found.append(message["payload"][0]["extensions"]["code"] if is_error else None)
                return found

            assert await codes("a") == [None]
            assert bearers.taken == 1
            assert await codes("b", "c", "d") == [None, None, "rate_limited"]
            assert bearers.taken == 3
            await follower.send("complete", id="b")
            await served.opened(2)
            assert await codes("e", "f") == [None, "rate_limited"]
        await served.opened(0)


async def test_tokens_that_are_not_valid_are_counted(memory: EventStore, tmp_path: Path) -> None:
    init = {**INIT, "payload": {"authorization": "Bearer forged"}}
    async with serving(memory, tmp_path, rate_limit="2/hour") as served:
        assert [(await sent(served, init))[0] for _ in range(3)] == [4403, 4403, 4430]
        assert (
            await served.net.get("/v1/games", headers={"Authorization": "x"})
        ).status_code == 429


async def test_a_token_has_so_many_sockets(memory: EventStore, tmp_path: Path) -> None:
    bearers = Bearers(places_each=1)
    async with serving(memory, tmp_path, bearers) as served:
        table = await lay(served.client)
        init = {**INIT, "payload": {"Authorization": f"Bearer {table.tokens[0]}"}}
        async with (
            connected(served.socket_url, table.tokens[0]),
            connected(served.socket_url, table.tokens[1]),
            connected(served.socket_url),
            connected(served.socket_url),
        ):
            assert (await sent(served, init))[0] == 4430
            assert bearers.taken == 4


async def test_a_process_has_so_many_sockets(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path, Bearers(places=1)) as served:
        async with connected(served.socket_url):
            with pytest.raises(InvalidStatus) as caught:
                await sent(served)
            response = caught.value.response
            assert response.status_code == 429
            assert response.headers["Retry-After"] == "5"
            assert json.loads(response.body or b"")["code"] == "rate_limited"
        await served.opened(0)
        async with connected(served.socket_url):
            pass


def place_of(bearers: Bearers) -> int:
    with bearers.place():
        return bearers.taken


async def test_an_address_has_a_part_of_the_places(memory: EventStore, tmp_path: Path) -> None:
    """Streams and sockets together, before and after `connection_init`, whatever the token."""
    bearers = Bearers(places_address=2)
    async with serving(memory, tmp_path, bearers) as served:
        table = await lay(served.client)
        async with (
            websockets.connect(served.socket_url, subprotocols=[PROTOCOL]),
            connected(served.socket_url, table.tokens[0]),
        ):
            await served.opened(2)
            with pytest.raises(InvalidStatus) as caught:
                await sent(served)
            assert json.loads(caught.value.response.body or b"")["code"] == "rate_limited"
            assert Context().run(place_of, bearers) == 3, "who comes from elsewhere has one"
        await served.opened(0)
        async with connected(served.socket_url):
            pass


@pytest.mark.parametrize(
    ("origin", "welcome"),
    [
        ("https://evil.example", False),
        ("null", False),
        ("http://{address}.evil.example", False),
        ("https://play.example", True),
        ("http://{address}", True),
        ("https://{address}", True),
    ],
)
async def test_pages_from_elsewhere_open_no_socket(
    memory: EventStore, tmp_path: Path, origin: str, welcome: bool
) -> None:
    async with serving(memory, tmp_path, cors_origins="https://play.example") as served:
        more: Any = {"origin": origin.format(address=served.address)}
        if welcome:
            async with connected(served.socket_url, **more):
                return
        with pytest.raises(InvalidStatus) as caught:
            await websockets.connect(served.socket_url, subprotocols=[PROTOCOL], **more)
        assert caught.value.response.status_code == 403
        assert json.loads(caught.value.response.body or b"")["code"] == "forbidden"


async def test_a_token_that_is_revoked_closes_what_it_opened(
    memory: EventStore, tmp_path: Path
) -> None:
    revoked: set[int | None] = set()

    async def is_still_valid(principal: Any) -> bool:
        return principal.seat not in revoked

    bearers = Bearers(is_still_valid)
    async with serving(memory, tmp_path, bearers) as served:
        table = await lay(served.client)
        async with (
            connected(served.socket_url, table.tokens[0]) as lost,
            connected(served.socket_url, table.tokens[1]) as kept,
            connected(served.socket_url) as nobody,
        ):
            await bearers.check()
            revoked.update({0, None})
            await bearers.check()
            assert await closed(lost.socket) == (4403, "the token is not valid any more")
            for follower in (kept, nobody):
                await follower.send("ping")
                assert await follower.receive() == {"type": "pong"}


async def test_the_token_may_come_with_the_handshake(served: Served) -> None:
    table = await lay(served.client)
    async with connected(served.socket_url, additional_headers=table.bearer(1)) as follower:
        await follower.subscribe(table.id)
        assert (await follower.update())["view"]["viewer"] == 1


async def test_the_token_of_the_first_message_counts_before_that_of_the_handshake(
    served: Served,
) -> None:
    table = await lay(served.client)
    async with connected(
        served.socket_url, table.tokens[0], additional_headers=table.bearer(1)
    ) as follower:
        await follower.subscribe(table.id)
        assert (await follower.update())["view"]["viewer"] == 0


async def test_a_failure_of_ours_closes_with_1011_and_is_told_by_an_id(
    memory: EventStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: object) -> bool:
        raise RuntimeError("a card")

    async with serving(memory, tmp_path, bearers=Bearers(fail)) as served:
        table = await lay(served.net)
        payload = {"authorization": table.bearer(0)["Authorization"]}
        code, reason = await sent(served, {"type": "connection_init", "payload": payload})
    assert (code, reason) == (1011, "the service failed; its log has the reason")
    (told,) = [one.getMessage() for one in caplog.records if one.levelname == "ERROR"]
    assert "RuntimeError" in told
    assert "a card" not in told


async def test_a_large_message_closes_with_1009(served: Served) -> None:
    payload = {"query": GAMES + "#" * 70_000}
    assert (await sent(served, INIT, {**SUBSCRIBE, "payload": payload}))[0] == 1009
    payload = {"query": GAMES + "#" * 200_000}
    assert (await sent(served, INIT, {**SUBSCRIBE, "payload": payload}))[0] == 1009


def test_the_guide_has_every_close_code() -> None:
    guide = (ROOT / "docs" / "live.md").read_text("utf-8")
    told = {int(code) for code in re.findall(r"^\| (\d{4}) \|", guide, re.MULTILINE)}
    own = {code for code in vars(sockets).values() if type(code) is int and 1000 <= code < 5000}
    assert told == own | {CloseCode.INVALID_DATA, CloseCode.SERVICE_RESTART}


async def test_operations_on_a_socket_cost_what_they_cost_over_http(
    memory: EventStore, tmp_path: Path
) -> None:
    aliased = "{ a: games { name } b: games { name } c: games { name } }"
    async with serving(memory, tmp_path, rate_limit="9/hour") as served:  # 3 of which sit down
        table = await lay(served.client)
        async with connected(served.socket_url, table.tokens[0]) as follower:

            async def asked(id: str) -> tuple[str, list[str]]:
                """Return what comes first, and the codes if it is an error."""
                message = await follower.receive()
                while message["id"] != id or message["type"] == "complete":
                    message = await follower.receive()
                told = message["payload"] if message["type"] == "error" else []
                return message["type"], [one["extensions"]["code"] for one in told]

            found = []
            for id in ("one", "two"):
                await follower.send("subscribe", id=id, payload={"query": aliased})
                found.append(await asked(id))
            assert found == [("next", []), ("error", ["rate_limited"])]
            # What is about the match costs the token, not the address: subscriptions, too.
            found = []
            for id in map(str, range(11)):
                await follower.subscribe(table.id, id=id)
                found.append(await asked(id))
            assert found == [("next", [])] * 9 + [("error", ["rate_limited"])] * 2


async def test_documents_that_do_not_run_cost_something_on_a_socket_too(
    memory: EventStore, tmp_path: Path
) -> None:
    async with (
        serving(memory, tmp_path, rate_limit="3/hour") as served,
        connected(served.socket_url) as follower,
    ):
        codes = []
        for number in range(5):
            payload = {"query": f"{{ nothing{number} }}"}
            await follower.send("subscribe", id="1", payload=payload)
            (error,) = (await follower.receive())["payload"]
            codes.append(error["extensions"]["code"])
    assert codes == ["malformed"] * 3 + ["rate_limited"] * 2


async def test_where_documents_are_trusted_no_other_runs_on_a_socket(
    memory: EventStore, tmp_path: Path
) -> None:
    trusted = tmp_path / "documents.json"
    trusted.write_text(json.dumps({"games": GAMES, "updates": UPDATES}), "utf-8")
    digest = sha256(UPDATES.encode()).hexdigest()
    named = {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": digest}}}
    async with serving(memory, tmp_path, trusted_documents=trusted) as served:
        table = await lay(served.client)
        variables = {"m": table.id}
        async with connected(served.socket_url, table.tokens[1]) as follower:

            async def asked(payload: dict[str, object]) -> Any:
                await follower.send("subscribe", id="x", payload=payload)
                message = await follower.receive()
                await follower.send("complete", id="x")
                return message["payload"]

            assert (await asked({"documentId": "games"}))["data"]["games"]
            assert (await follower.receive())["type"] == "complete"
            for words in ({"documentId": "updates"}, named, {"query": UPDATES}):
                update = (await asked({**words, "variables": variables}))["data"]["matchUpdates"]
                assert update["view"]["viewer"] == 1
            for words, code in (
                ({"documentId": "other"}, "not_found"),
                ({"query": UPDATES + " "}, "forbidden"),
                ({"query": "{ games { title } }"}, "forbidden"),
            ):
                (error,) = await asked({**words, "variables": variables})
                assert error["extensions"]["code"] == code


async def test_everything_is_freed_when_the_client_goes_away(served: Served) -> None:
    table: Table = await lay(served.client)
    async with connected(served.socket_url, table.tokens[0]) as follower:
        await follower.subscribe(table.id)
        assert (await follower.update())["view"]
        assert served.bearers.taken == 1
        follower.socket.transport.abort()
        await served.opened(0)
