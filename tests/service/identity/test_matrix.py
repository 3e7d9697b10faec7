"""Every cell of the authorisation matrix, asked of the running service."""

import json
from pathlib import Path

import httpx
import pytest
import websockets

from schema.authorisation import POLICIES, STATES, Role, State, refusal
from schema.openapi import EVERYWHERE, IN_MATCH
from schema.operations import OPERATIONS, SUBSCRIPTIONS
from service.store import EventStore
from tests.kit.service import Table, answered, lay, refused
from tests.kit.watching import streamed
from tests.service.identity.matrix import (
    CHANGING,
    headers_of,
    over_graphql,
    over_rest,
    words_of,
    world,
)
from tests.service.identity.test_rotation import closed
from tests.service.live.serving import PROTOCOL, connected, serving

pytestmark = pytest.mark.anyio

OF_THE_TABLE = {code for policy in POLICIES.values() for code in policy.phases.values()} | {
    "unauthenticated",
    "forbidden",
    "match_not_found",
}


def is_as_told(found: str | None, told: str | None) -> bool:
    """Tell whether an answer is that of the table: whoever may ask can still ask for nonsense."""
    return found == told if told is not None else found not in OF_THE_TABLE


def named(state: State) -> str:
    return f"{'public' if state.public else 'private'}-{state.phase.value}"


def test_every_operation_has_a_policy_and_no_other() -> None:
    rows = {row.name for row in OPERATIONS} | {row.name for row in SUBSCRIPTIONS}
    assert POLICIES.keys() == rows


def test_what_a_policy_refuses_with_is_documented() -> None:
    for row in OPERATIONS:
        found = {refusal(row.name, role, state) for role in Role for state in STATES}
        in_match = IN_MATCH if "{matchId}" in row.path else ()
        assert found <= {None, *row.errors, *EVERYWHERE, *in_match}, row.name


@pytest.mark.parametrize("state", STATES, ids=named)
async def test_every_cell_over_rest_and_graphql(http: httpx.AsyncClient, state: State) -> None:
    shared = await world(http, state)
    cells, wrong = 0, []
    for row in OPERATIONS:
        for role in shared.bearers:
            told = refusal(row.name, role, state)
            for ask in (over_rest, over_graphql):
                is_new = row.name in CHANGING and told is None
                table, bearers = await world(http, state) if is_new else shared
                found = await ask(http, row, words_of(row, role, state, table), bearers[role])
                cells += 1
                if not is_as_told(found, told):
                    wrong.append((row.name, role.name, ask.__name__, found, told))
    assert not wrong, "\n".join(map(str, wrong))
    assert cells == 2 * len(OPERATIONS) * (len(Role) - 1)


async def test_every_cell_of_the_subscription(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path) as served:
        for state in STATES:
            table, bearers = await world(served.client, state)
            for role, token in bearers.items():
                told = refusal("matchUpdates", role, state)
                if told == "unauthenticated":
                    async with websockets.connect(
                        served.socket_url, subprotocols=[PROTOCOL]
                    ) as socket:
                        hello = {"authorization": f"Bearer {token}"}
                        await socket.send(json.dumps({"type": "connection_init", "payload": hello}))
                        assert (await closed(socket))[0] == 4403, (role, state)
                    continue
                async with connected(served.socket_url, token) as follower:
                    await follower.subscribe(table.id)
                    message = await follower.receive()
                found = None
                if message["type"] == "error":
                    found = message["payload"][0]["extensions"]["code"]
                assert found == told, (role, state)


@pytest.mark.parametrize("media", ["text/event-stream", "application/x-ndjson"])
async def test_every_cell_of_the_streams(http: httpx.AsyncClient, media: str) -> None:
    for state in STATES:
        table, bearers = await world(http, state)
        version = (await table.view())["version"]
        assert isinstance(http._transport, httpx.ASGITransport)
        for role, token in bearers.items():
            headers = {**headers_of(token), "Accept": media}
            path = f"/v1/matches/{table.id}/events"
            arrived = await streamed(http._transport.app, path, headers, version)
            found = None if arrived.status == 200 else json.loads(arrived.body)["code"]
            assert found == refusal("events", role, state), (role, state)


async def test_an_invite_is_for_its_seat_however_it_is_sent(http: httpx.AsyncClient) -> None:
    table: Table = await lay(http, 3, sit=False)
    path, headers = f"/v1/matches/{table.id}/seats", headers_of(table.invites[1])
    other = await http.post(path, json={"seat": 0}, headers=headers)
    assert refused(other) == (403, "forbidden")
    assert answered(await http.post(path, json={}, headers=headers))["seat"] == 1
    assert refused(await http.post(path, json={}, headers=headers)) == (409, "seat_taken")
