"""Who may have webhooks, how many, and what they get to see of them."""

import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.store import EventStore, MemoryStore
from service.webhooks.hooks import REMEMBERED
from service.webhooks.signing import Signer
from tests.kit.service import SIGNING_KEY, Table, Who, answered, lay, refused, service

pytestmark = pytest.mark.anyio

URL = "https://hooks.example.org/push?token=sesame"


@pytest.fixture
async def table(http: httpx.AsyncClient) -> Table:
    return await lay(http, 2)


async def made(table: Table, who: Who, url: str = URL, **more: Any) -> Any:
    return answered(await table.post("/webhooks", {"url": url, **more}, who))


async def listed(table: Table, who: Who) -> Any:
    return answered(await table.get("/webhooks", who))["webhooks"]


async def test_a_webhook_is_listed_without_its_secret(table: Table) -> None:
    created = await table.post("/webhooks", {"url": URL}, 0)
    assert created.status_code == 201
    answer = answered(created)
    assert answer["secret"].startswith("whsec_")
    assert answer["matchId"] == table.id
    assert answer["webhook"] == {
        "id": answer["webhook"]["id"],
        "url": URL,
        "events": ["turn.started", "match.finished"],
        "seat": 0,
        "createdAt": answer["webhook"]["createdAt"],
        "lastSuccessAt": None,
        "lastFailureAt": None,
        "lastFailure": None,
        "failures": 0,
        "previousSecretUntil": None,
        "disabled": None,
        "disabledAt": None,
    }
    response = await table.get("/webhooks", 0)
    assert answered(response)["webhooks"] == [answer["webhook"]]
    assert "whsec_" not in response.text


async def test_everybody_sees_the_own_webhooks_alone(table: Table) -> None:
    everybody: tuple[Who, ...] = (0, 1, "owner")
    own = {who: (await made(table, who))["webhook"]["id"] for who in everybody}
    assert len(set(own.values())) == 3
    for who, id in own.items():
        assert [one["id"] for one in await listed(table, who)] == [id]
    assert [one["id"] for one in await listed(table, "admin")] == [own["owner"]]


async def test_nobody_touches_the_webhooks_of_others(table: Table) -> None:
    id = (await made(table, 1))["webhook"]["id"]
    for who in (0, "owner", "admin"):
        path = f"/v1/matches/{table.id}/webhooks/{id}"
        gone = await table.client.delete(path, headers=table.bearer(who))
        assert refused(gone) == (404, "not_found")
        assert refused(await table.post(f"/webhooks/{id}/secret", {}, who)) == (404, "not_found")
    assert [one["id"] for one in await listed(table, 1)] == [id]


async def test_spectators_and_strangers_have_none(http: httpx.AsyncClient) -> None:
    table, other = await lay(http, 2, visibility="public"), await lay(http, 2, sit=False)
    for response in (await table.get("/webhooks"), await table.post("/webhooks", {"url": URL})):
        assert refused(response) == (401, "unauthenticated")
        assert response.json()["detail"] == "this needs the token of a seat or the owner"
    for token in (other.owner, table.invites[0]):
        headers = {"Authorization": f"Bearer {token}"}
        for response in (
            await http.get(f"/v1/matches/{table.id}/webhooks", headers=headers),
            await table.post("/webhooks", {"url": URL}, None, headers),
        ):
            assert refused(response) == (403, "forbidden")


async def test_an_unknown_match_has_none(http: httpx.AsyncClient, table: Table) -> None:
    headers = table.bearer("admin")
    for response in (
        await http.get("/v1/matches/nowhere/webhooks", headers=headers),
        await http.post("/v1/matches/nowhere/webhooks", json={"url": URL}, headers=headers),
        await http.delete("/v1/matches/nowhere/webhooks/x", headers=headers),
        await http.post("/v1/matches/nowhere/webhooks/x/secret", json={}, headers=headers),
    ):
        assert refused(response) == (404, "match_not_found")


async def test_there_is_a_limit_for_each_seat_and_for_the_owner(table: Table) -> None:
    limits: tuple[tuple[Who, int], ...] = ((0, 4), ("owner", 8))
    for who, most in limits:
        for _ in range(most):
            await made(table, who)
        response = await table.post("/webhooks", {"url": URL}, who)
        assert refused(response) == (409, "too_many_webhooks")
        assert response.json()["most"] == most
    await made(table, 1)
    first = (await listed(table, 0))[0]["id"]
    await table.client.delete(f"/v1/matches/{table.id}/webhooks/{first}", headers=table.bearer(0))
    await made(table, 0)


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/",
        "https://10.0.0.1/",
        "https://[::1]/",
        "https://localhost/",
        "https://me:it@hooks.example.org/",
        "gopher://hooks.example.org/",
        "x" * 2049,
        "",
    ],
)
async def test_a_bad_url_is_named_and_not_shown(
    table: Table, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    response = await table.post("/webhooks", {"url": url}, 0)
    assert refused(response) == (400, "malformed")
    assert [fault["path"] for fault in response.json()["errors"]] == ["url"]
    assert not url or url not in response.text
    assert await listed(table, 0) == []


async def test_a_url_is_kept_in_one_form(table: Table) -> None:
    spelt = "HTTPS://Hooks.Example.ORG.:443/Push?Token=Sesame"
    kept = "https://hooks.example.org/Push?Token=Sesame"
    assert (await made(table, 0, spelt, commandId="c-1"))["webhook"]["url"] == kept
    assert (await made(table, 0, spelt, commandId="c-1"))["webhook"]["url"] == kept
    assert [one["url"] for one in await listed(table, 0)] == [kept]


async def test_a_url_stands_in_no_log(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    created = await made(table, 0)
    await listed(table, 0)
    answered(await table.post(f"/webhooks/{created['webhook']['id']}/secret", {}, 0))
    assert "sesame" not in caplog.text
    assert "whsec_" not in caplog.text


async def test_nothing_secret_lies_in_the_store(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2)
        created = await made(table, 0)
        stored = await memory.get_setting(table.id, "webhooks")
        assert stored is not None
        assert created["webhook"]["id"] in stored
        assert created["secret"].removeprefix("whsec_") not in stored
        assert SIGNING_KEY not in stored
        log = b"".join(commit.events for commit in await memory.load(table.id))
        assert b"hooks.example.org" not in log


async def test_clients_are_told_apart_and_not_known(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path) as client:
        table, other = await lay(client, 2), await lay(client, 2)
        for who in (table, other):
            await made(who, 0)
            await made(who, "admin")
        stored = [await memory.get_setting(one.id, "webhooks") or "" for one in (table, other)]
    assert not any("127.0.0.1" in text for text in stored)
    first, second = [[hook["by"] for hook in json.loads(text)["hooks"]] for text in stored]
    assert first == second  # one address, whatever the match
    assert first[1] == "admin" != first[0]
    signer = Signer((SIGNING_KEY.encode(),))
    assert first[0] == signer.alias("127.0.0.1") != signer.alias("127.0.0.2")


async def test_a_repeat_gets_the_first_answer(table: Table) -> None:
    first = await made(table, 0, commandId="c-1")
    assert await made(table, 0, commandId="c-1") == first
    assert len(await listed(table, 0)) == 1
    other = await table.post("/webhooks", {"url": f"{URL}x", "commandId": "c-1"}, 0)
    assert refused(other) == (409, "command_reused")
    assert (await made(table, 1, commandId="c-1"))["secret"] != first["secret"]


async def rotated(table: Table, id: str, command: str, overlap: int = 0) -> Any:
    body = {"commandId": command, "overlapSeconds": overlap}
    return answered(await table.post(f"/webhooks/{id}/secret", body, 0))


async def test_every_rotation_is_remembered(table: Table) -> None:
    created = await made(table, 0, commandId="c-1")
    id = created["webhook"]["id"]
    first, second = [await rotated(table, id, command, 60) for command in ("r-1", "r-2")]
    assert len({one["secret"] for one in (created, first, second)}) == 3
    assert await rotated(table, id, "r-1", 60) == first
    assert await rotated(table, id, "r-2", 60) == second
    assert await made(table, 0, commandId="c-1") == created
    current = await listed(table, 0)
    assert current == [second["webhook"]]
    for path, body in (
        (f"/webhooks/{id}/secret", {"commandId": "r-1", "overlapSeconds": 500}),
        (f"/webhooks/{id}/secret", {"commandId": "c-1"}),
        ("/webhooks", {"commandId": "r-1", "url": URL}),
        ("/webhooks", {"commandId": "c-1", "url": URL, "events": ["turn.started"]}),
    ):
        assert refused(await table.post(path, body, 0)) == (409, "command_reused")
    assert await listed(table, 0) == current


async def test_a_late_repeat_brings_nothing_back(table: Table) -> None:
    created = await made(table, 0, commandId="c-1")
    id = created["webhook"]["id"]
    await rotated(table, id, "r-1")
    path = f"/v1/matches/{table.id}/webhooks/{id}"
    answered(await table.client.delete(path, headers=table.bearer(0)))
    assert await made(table, 0, commandId="c-1") == created
    assert await listed(table, 0) == []
    again = {"commandId": "r-1", "overlapSeconds": 0}
    assert refused(await table.post(f"/webhooks/{id}/secret", again, 0)) == (404, "not_found")
    other = await made(table, 0, commandId="c-2")
    assert [one["id"] for one in await listed(table, 0)] == [other["webhook"]["id"]]


async def test_so_many_commands_of_each_seat_are_remembered(table: Table) -> None:
    other = answered(await table.post("/webhooks", {"url": URL, "commandId": "c-1"}, 1))
    created = await made(table, 0, commandId="c-1")
    id = created["webhook"]["id"]
    secrets = [(await rotated(table, id, f"r-{n}"))["secret"] for n in range(REMEMBERED + 1)]
    assert (await rotated(table, id, "r-1"))["secret"] == secrets[1]
    assert (await rotated(table, id, f"r-{REMEMBERED}"))["secret"] == secrets[-1]
    assert (await rotated(table, id, "r-0"))["secret"] not in secrets
    # What is forgotten makes no second webhook, at least while the first is there.
    late = await table.post("/webhooks", {"url": URL, "commandId": "c-1"}, 0)
    assert refused(late) == (409, "command_reused")
    assert answered(await table.post("/webhooks", {"url": URL, "commandId": "c-1"}, 1)) == other


async def test_commands_without_an_id_are_not_remembered(
    memory: EventStore, tmp_path: Path
) -> None:
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2)
        created = await made(table, 0)
        answered(await table.post(f"/webhooks/{created['webhook']['id']}/secret", {}, 0))
        stored = await memory.get_setting(table.id, "webhooks")
        assert stored is not None
        assert "carried" not in stored
        path = f"/v1/matches/{table.id}/webhooks/{created['webhook']['id']}"
        answered(await client.delete(path, headers=table.bearer(0)))
        assert await memory.get_setting(table.id, "webhooks") is None


async def test_webhooks_of_an_earlier_build_are_read(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2)
        created = await made(table, 0)
        stored = await memory.get_setting(table.id, "webhooks")
        assert stored is not None
        old = (
            stored.removeprefix('{"hooks":')
            .removesuffix("}")
            .replace('"key"', '"command":"x","key"')
        )
        await memory.set_setting(table.id, "webhooks", old)
        assert await listed(table, 0) == [created["webhook"]]


async def test_a_finished_match_takes_none(table: Table) -> None:
    kept = await made(table, 1, commandId="c-1")
    answered(await table.post("/concede", {}, 0))
    assert refused(await table.post("/webhooks", {"url": URL}, 1)) == (409, "match_finished")
    assert (await made(table, 1, commandId="c-1"))["secret"] == kept["secret"]
    path = f"/v1/matches/{table.id}/webhooks/{kept['webhook']['id']}"
    assert answered(await table.client.delete(path, headers=table.bearer(1)))["webhooks"] == []


async def test_a_rotated_secret_is_another_one(table: Table) -> None:
    created = await made(table, 0)
    path = f"/webhooks/{created['webhook']['id']}/secret"
    rotated = answered(await table.post(path, {"commandId": "r-1"}, 0))
    assert rotated["secret"] != created["secret"]
    assert rotated["webhook"]["previousSecretUntil"] is not None
    assert answered(await table.post(path, {"commandId": "r-1"}, 0)) == rotated
    at_once = answered(await table.post(path, {"overlapSeconds": 0}, 0))
    assert at_once["secret"] not in (created["secret"], rotated["secret"])
    assert at_once["webhook"]["previousSecretUntil"] is None


async def test_graphql_does_the_same(table: Table) -> None:
    async def ask(query: str, **variables: Any) -> Any:
        body = {"query": query, "variables": variables}
        response = await table.client.post("/graphql", json=body, headers=table.bearer(0))
        assert "errors" not in response.json(), response.text
        return response.json()["data"]

    made = await ask(
        "mutation($i: CreateWebhookInput!) { createWebhook(input: $i) { secret webhook { id } } }",
        i={"matchId": table.id, "url": URL, "events": ["turn.started"]},
    )
    id = made["createWebhook"]["webhook"]["id"]
    rotated = await ask(
        "mutation($i: RotateWebhookSecretInput!) { rotateWebhookSecret(input: $i) { secret } }",
        i={"matchId": table.id, "webhookId": id},
    )
    assert rotated["rotateWebhookSecret"]["secret"] != made["createWebhook"]["secret"]
    query = "query($m: String!) { webhooks(matchId: $m) { webhooks { id url events seat } } }"
    assert (await ask(query, m=table.id))["webhooks"]["webhooks"] == [
        {"id": id, "url": URL, "events": ["turn.started"], "seat": 0}
    ]
    left = await ask(
        "mutation($i: DeleteWebhookInput!) { deleteWebhook(input: $i) { webhooks { id } } }",
        i={"matchId": table.id, "webhookId": id},
    )
    assert left["deleteWebhook"]["webhooks"] == []


async def test_a_secret_lives_as_long_as_its_signing_key(
    memory: EventStore, tmp_path: Path
) -> None:
    new_key = "another key for tests that is as long as it has to be"
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2)
        created = await made(table, "admin", commandId="c-1")
    async with service(memory, tmp_path, signing_keys=f"{new_key},{SIGNING_KEY}") as client:
        table.client = client
        assert await made(table, "admin", commandId="c-1") == created
    async with service(memory, tmp_path, signing_keys=new_key) as client:
        table.client = client
        repeated = await table.post("/webhooks", {"url": URL, "commandId": "c-1"}, "admin")
        assert refused(repeated) == (404, "not_found")
        path = f"/webhooks/{created['webhook']['id']}/secret"
        rotated = answered(await table.post(path, {}, "admin"))
        assert rotated["secret"] != created["secret"]


@pytest.mark.parametrize(
    "wish",
    [
        {"scope": "read"},
        {"scope": "read", "seconds": 60},
        {"scope": "play"},
        {"scope": "play", "seconds": 60},
    ],
)
async def test_tokens_that_were_issued_have_none(table: Table, wish: dict[str, Any]) -> None:
    created = await made(table, 0)
    path = f"/v1/matches/{table.id}/webhooks"
    one = f"{path}/{created['webhook']['id']}"
    own = {"seat": 0, **wish}
    watching = {name: value for name, value in wish.items() if name == "seconds"}
    wishes: tuple[tuple[Who, dict[str, Any]], ...] = ((0, own), ("owner", watching))
    for who, body in wishes:
        token = answered(await table.post("/tokens", body, who))["token"]
        headers = {"Authorization": f"Bearer {token}"}
        for response in (
            await table.client.get(path, headers=headers),
            await table.client.post(path, json={"url": URL}, headers=headers),
            await table.client.post(f"{one}/secret", json={}, headers=headers),
            await table.client.delete(one, headers=headers),
        ):
            assert refused(response) == (403, "forbidden")
            assert "sesame" not in response.text
    assert await listed(table, 0) == [created["webhook"]]


class Contended(MemoryStore):
    """A store in which others change a setting so often before we do."""

    others = 0

    async def swap_setting(
        self, match_id: str, key: str, before: str | None, after: str | None
    ) -> bool:
        if self.others:
            self.others -= 1
            return False
        return await super().swap_setting(match_id, key, before, after)


@pytest.mark.parametrize(("others", "answer"), [(3, None), (100, (409, "busy"))])
async def test_webhooks_changed_at_the_same_time_are_changed_again(
    tmp_path: Path, others: int, answer: tuple[int, str] | None
) -> None:
    store = Contended()
    async with service(store, tmp_path) as client:
        table = await lay(client, 2)
        store.others = others
        response = await table.post("/webhooks", {"url": URL}, 0)
        if answer is None:
            assert response.status_code == 201
        else:
            assert refused(response) == answer
        assert len(await listed(table, 0)) == (answer is None)
