"""A match whose turns are told, over HTTP from registration to the receiver."""

from pathlib import Path
from typing import Any

import pytest

from domain.engine.chance import Chance
from service.store import EventStore
from tests.kit.receiver import Received, Receiver, receiving
from tests.kit.service import (
    Body,
    Table,
    Who,
    answered,
    choose,
    finished,
    lay,
    refused,
    service,
    until,
)
from tests.kit.two_worlds import two_worlds

pytestmark = pytest.mark.anyio

ALLOWED = "127.0.0.0/8"


async def hook(table: Table, who: Who, url: str, **more: Any) -> Body:
    """Register a webhook and return it with its secret."""
    return answered(await table.post("/webhooks", {"url": url, **more}, who))


async def told(receiver: Receiver, path: str, count: int) -> list[Body]:
    """Wait for so many webhooks at a path, and return all bodies by version."""

    async def look() -> list[Body] | None:
        found = [one.body for one in receiver.of(path)]
        return found if len(found) >= count else None

    return sorted(await until(look), key=lambda body: body["data"]["version"])


async def turns(table: Table) -> list[tuple[int, int]]:
    """Return version and seat of every turn that has begun."""
    events: list[Body] = []
    while True:
        after = events[-1]["version"] if events else 0
        page = answered(await table.get("/events", "owner", after=after, limit=1000))["events"]
        if not page:
            break
        events += page
    return [
        (event["version"], event["data"]["seat"])
        for event in events
        if event["type"].endswith(".turn_started")
    ]


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
async def test_each_turn_is_told_once_to_its_seat_and_to_the_owner(
    memory: EventStore, tmp_path: Path, receiver: Receiver, game: str
) -> None:
    chance = Chance("70" * 16, 0)
    async with service(memory, tmp_path, webhooks_allow=ALLOWED) as client:
        table = await lay(client, 2, game=game, sit=False)
        owner = await hook(table, "owner", receiver.url("/owner"))
        await table.sit(0)
        zero = await hook(table, 0, receiver.url("/0"))
        await table.sit(1)
        one = await hook(table, 1, receiver.url("/1"))
        began = (await table.view())["version"]
        while len(await turns(table)) < 6:
            await table.step(chance)
        answered(await table.post("/concede", {}, 0))
        ended = (await finished(table))["version"]
        expected = await turns(table)
        data = {"match": table.id, "game": game}
        for path, made, seats, since in (
            ("/owner", owner, (0, 1), 0),
            ("/0", zero, (0,), 0),
            ("/1", one, (1,), began),
        ):
            news = [
                ("turn.started", {**data, "version": version, "seat": seat})
                for version, seat in expected
                if seat in seats and version > since
            ]
            news.append(("match.finished", {**data, "version": ended, "seat": None}))
            bodies = await told(receiver, path, len(news))
            assert [(body["type"], body["data"]) for body in bodies] == news
            requests = receiver.of(path)
            assert len({one.id for one in requests}) == len(news)
            assert all(one.is_signed_with(made["secret"]) for one in requests)
            assert {one.headers["content-type"] for one in requests} == {"application/json"}
            assert not any(one.is_signed_with(zero["secret"]) for one in requests if path != "/0")


async def test_turns_of_bots_are_told_to_nobody(
    memory: EventStore, tmp_path: Path, receiver: Receiver
) -> None:
    async with service(memory, tmp_path, webhooks_allow=ALLOWED) as client:
        table = await lay(client, 2, sit=False, options={"turnCap": 6})
        await hook(table, "owner", receiver.url("/"))
        for seat in range(2):
            await table.sit(seat, "greedy")
        await finished(table)
        assert await turns(table)
        (body,) = await told(receiver, "/", 1)
        assert body["type"] == "match.finished"


async def test_a_webhook_hears_of_what_it_asked_for(
    memory: EventStore, tmp_path: Path, receiver: Receiver
) -> None:
    async with service(memory, tmp_path, webhooks_allow=ALLOWED) as client:
        table = await lay(client, 2, sit=False)
        await hook(table, "owner", receiver.url("/turns"), events=["turn.started"])
        await hook(table, "owner", receiver.url("/end"), events=["match.finished"])
        for seat in range(2):
            await table.sit(seat)
        answered(await table.post("/concede", {}, 1))
        assert [body["type"] for body in await told(receiver, "/end", 1)] == ["match.finished"]
        assert [body["type"] for body in await told(receiver, "/turns", 1)] == ["turn.started"]


async def test_a_turn_that_begins_anew_after_an_undo_is_not_told_again(
    memory: EventStore, tmp_path: Path, receiver: Receiver
) -> None:
    chance = Chance("71" * 16, 0)
    async with service(memory, tmp_path, webhooks_allow=ALLOWED) as client:
        table = await lay(client, 2)
        ((_, mover),) = await turns(table)
        other = 1 - mover
        await hook(table, other, receiver.url("/"))
        while len(await turns(table)) < 2:
            await table.step(chance)
        await told(receiver, "/", 1)
        asked = answered(await table.post("/undo", {}, mover))
        answered(await table.post("/undo", {"agree": True}, other))
        assert asked["version"] < (await table.view())["version"]
        while [seat for _, seat in await turns(table)].count(other) < 3:
            await table.step(chance)
        first, again, later = [version for version, seat in await turns(table) if seat == other]
        bodies = await told(receiver, "/", 2)
        assert [body["data"]["version"] for body in bodies] == [first, later]
        assert first < again < later


async def test_a_deleted_webhook_hears_nothing_more(
    memory: EventStore, tmp_path: Path, receiver: Receiver
) -> None:
    async with service(memory, tmp_path, webhooks_allow=ALLOWED) as client:
        table = await lay(client, 2, sit=False)
        gone = await hook(table, "owner", receiver.url("/gone"))
        await hook(table, "owner", receiver.url("/kept"))
        path = f"/v1/matches/{table.id}/webhooks/{gone['webhook']['id']}"
        left = answered(await client.delete(path, headers=table.bearer("owner")))
        assert [one["url"] for one in left["webhooks"]] == [receiver.url("/kept")]
        assert refused(await client.delete(path, headers=table.bearer("owner"))) == (
            404,
            "not_found",
        )
        for seat in range(2):
            await table.sit(seat)
        await told(receiver, "/kept", 1)
        assert receiver.of("/gone") == []


@pytest.mark.parametrize(("game", "steps"), [("chrononauts", 6), ("ancient_knowledge", 6)])
async def test_webhooks_tell_the_same_of_worlds_that_differ_in_what_is_hidden(
    tmp_path: Path, game: str, steps: int
) -> None:
    """Every byte is the same, signatures included, and made of what every spectator sees."""
    sent: list[dict[str, Received]] = []
    async with two_worlds(game, 0, tmp_path, steps, 1, turn_of=0, webhooks_allow=ALLOWED) as (
        *tables,
        exchanged,
    ):
        assert exchanged > 5
        for table in tables:
            with receiving() as receiver:
                for who in (0, "owner"):
                    name = f"hook-of-{who}"
                    await hook(table, who, receiver.url(f"/{who}"), commandId=name)
                count = len(await turns(table))
                while await table.next_seat() == 0 and len(await turns(table)) == count:
                    answered(await table.move(0, quiet(await table.legal(0))))
                answered(await table.post("/concede", {}, 1))
                begun = len(await turns(table)) - count
                assert begun == 1
                await told(receiver, "/owner", begun + 1)
                await told(receiver, "/0", 1)
                sent.append({one.id: one for one in receiver.received})
    here, there = sent
    assert here.keys() == there.keys()
    for id, one in here.items():
        assert one.text == there[id].text
        assert one.path == there[id].path
        names = {"content-type", "content-length", "user-agent", "host"}
        assert one.headers.keys() == there[id].headers.keys()
        assert one.headers.keys() <= names | {
            *("webhook-id", "webhook-timestamp", "webhook-signature"),
        }
        assert {**one.headers, "host": ""} == {**there[id].headers, "host": ""}
        assert set(one.body["data"]) == {"match", "game", "version", "seat"}


def quiet(legal: Body) -> Body:
    """Return a move that needs no answer and depends on nothing hidden."""
    for type in ("discardCards", "searchDeck"):
        for move in legal["moves"]:
            if move["type"] == type:
                body: Body = move["body"]
                return body
    return choose(legal["choice"], *(one["id"] for one in legal["choice"]["options"][:1]))


async def test_a_webhook_ends_with_the_token_that_it_was_made_with(
    memory: EventStore, tmp_path: Path, receiver: Receiver
) -> None:
    async with service(memory, tmp_path, webhooks_allow=ALLOWED) as client:
        table = await lay(client, 2)
        old = await hook(table, 0, receiver.url("/old"))
        await hook(table, "owner", receiver.url("/owner"))
        table.tokens[0] = answered(await table.post("/token", {}, 0))["token"]
        await hook(table, 0, receiver.url("/new"))
        answered(await table.post("/concede", {}, 1))
        await told(receiver, "/new", 1)
        await told(receiver, "/owner", 1)

        async def disabled() -> Body | None:
            webhooks = answered(await table.get("/webhooks", 0))["webhooks"]
            assert len(webhooks) == 2
            return webhooks[0] if webhooks[0]["disabled"] else None

        ended = await until(disabled)
        assert (ended["id"], ended["disabled"]) == (old["webhook"]["id"], "token_replaced")
        assert receiver.of("/old") == []
