"""No notice is lost, whoever dies when: what has been appended is told, once."""

import asyncio
from contextlib import suppress

import pytest

from domain.engine.decider import Concede
from service.store import EventStore, MemoryStore, StoreUnavailable
from service.webhooks import delivery, hooks
from service.webhooks.relay import Notice, to_notice
from tests.kit.receiver import Receiver
from tests.kit.service import until
from tests.service.webhooks.pod import MATCH, Pod, running_pod

pytestmark = pytest.mark.anyio


def told(receiver: Receiver) -> list[tuple[str, int | None]]:
    return [(one.body["type"], one.body["data"]["seat"]) for one in receiver.received]


async def later(pod: Pod, seconds: int) -> None:
    """Do what is due after some time."""
    pod.clock.now += seconds * 1000
    await pod.step()


@pytest.mark.parametrize("seat", [None, 3])
def test_notices_come_back_from_their_words(seat: int | None) -> None:
    for type in ("turn.started", "match.finished"):
        notice = Notice("h-_", "chrononauts", type, 7, 1_700_000_000_000, seat, 3, 5)
        assert to_notice(notice.words()) == notice


async def test_a_process_that_dies_after_the_append_loses_no_notice(
    memory: EventStore, receiver: Receiver
) -> None:
    async with running_pod(memory) as dying, running_pod(memory) as other:
        await dying.seated()
        await dying.hook(receiver.url())
        await dying.start()  # and nothing more
        await later(other, 4)
        assert told(receiver) == []
        await later(other, 1)
        assert told(receiver) == [("turn.started", 0)]
        await later(other, 100)
        assert len(receiver.received) == 1
        assert await memory.next_due() is None


async def test_a_deadline_without_a_commit_is_dropped_in_the_end(
    memory: EventStore, receiver: Receiver
) -> None:
    async with running_pod(memory) as dying, running_pod(memory) as other:
        await dying.seated()
        await dying.hook(receiver.url())
        await dying.relay.before(MATCH, 99, dying.clock())
        await later(other, 5)
        assert await memory.next_due() is not None
        await later(other, 60)
        assert await memory.next_due() is None
    assert receiver.received == []


async def test_a_commit_that_comes_late_is_told(memory: EventStore, receiver: Receiver) -> None:
    async with running_pod(memory) as dying, running_pod(memory) as other:
        await dying.seated()
        await dying.hook(receiver.url())
        first = await memory.last_version(MATCH) + 1
        await dying.relay.before(MATCH, first, dying.clock())
        await later(other, 5)
        assert await dying.start() == first
        await later(other, 1)
        assert told(receiver) == [("turn.started", 0)]


async def test_a_process_that_knows_of_no_webhook_tells_all_the_same(
    memory: EventStore, receiver: Receiver
) -> None:
    async with running_pod(memory) as one, running_pod(memory) as other:
        await one.seated()
        known = one.matches.remembered(MATCH)
        assert known is not None
        assert not known.hooked
        await other.hook(receiver.url())
        await one.start()
        await later(other, 5)
        assert told(receiver) == [("turn.started", 0)]


async def test_a_process_that_knows_of_a_deleted_webhook_goes_on(
    memory: EventStore, receiver: Receiver
) -> None:
    async with running_pod(memory) as one, running_pod(memory) as other:
        await one.seated()
        await one.hook(receiver.url())
        await one.start()
        await hooks.change(memory, MATCH, lambda _: (hooks.Book(), None))
        await one.command(Concede(0))
        await later(other, 5)
        snapshot = one.matches.remembered(MATCH)
        assert snapshot is not None
        assert snapshot.match.outcome is not None
        assert not snapshot.hooked
    assert receiver.received == []


async def test_a_match_without_webhooks_costs_no_round_trip(memory: EventStore) -> None:
    async with running_pod(memory) as one:
        await one.seated()
        await one.start()
        assert await memory.next_due() is None
        assert await memory.outbox.take("anybody", 1) == ()


async def test_what_is_relayed_twice_is_sent_once(memory: EventStore, receiver: Receiver) -> None:
    async with running_pod(memory) as one, running_pod(memory) as other:
        await one.seated()
        await one.hook(receiver.url())
        first = await one.start()
        for pod in (one, other, one):
            await pod.relay.relay(MATCH, first)
            await pod.step()
        await later(other, 5)
        assert len(receiver.received) == 1


async def test_a_running_relay_tells_at_once_and_leaves_nothing_due(
    memory: EventStore, receiver: Receiver
) -> None:
    async with running_pod(memory) as one:
        await one.seated()
        await one.hook(receiver.url())
        running = asyncio.create_task(one.relay.run())
        await one.start()

        async def settled() -> bool | None:
            return await memory.next_due() is None or None

        await until(settled)
        await one.step()
        assert told(receiver) == [("turn.started", 0)]
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


class Weak(MemoryStore):
    """A store whose settings cannot be read for a while."""

    error: Exception | None = None
    asked = 0

    async def get_setting(self, match_id: str, key: str) -> str | None:
        self.asked += 1
        if self.error is not None:
            raise self.error
        return await super().get_setting(match_id, key)


@pytest.mark.parametrize("error", [StoreUnavailable("it is away"), ZeroDivisionError()])
async def test_what_fails_here_is_told_when_its_deadline_comes(
    receiver: Receiver, error: Exception
) -> None:
    store = Weak()
    async with running_pod(store) as one:
        await one.seated()
        await one.hook(receiver.url())
        running = asyncio.create_task(one.relay.run())
        store.error, store.asked = error, 0
        await one.start()

        async def tried() -> bool | None:
            return store.asked > 0 or None

        await until(tried)
        store.error = None
        assert receiver.received == []
        await later(one, 5)
        assert told(receiver) == [("turn.started", 0)]
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


@pytest.mark.parametrize("error", [StoreUnavailable("it is away"), ZeroDivisionError()])
async def test_what_a_consumer_held_that_died_is_taken_over(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    store = Weak()
    async with running_pod(store) as dying, running_pod(store) as other:
        await dying.hook(receiver.url())
        await dying.notice()
        store.error = error
        assert await dying.delivery.take() == 1
        await dying.delivery.drain()
        assert receiver.received == []
        store.error = None
        await other.step()
        assert receiver.received == []
        monkeypatch.setattr(delivery, "_DEAD_MS", 0)
        monkeypatch.setattr(other.delivery, "_take_over_at", 0.0)
        await other.step()
        assert told(receiver) == [("turn.started", 0)]
        assert await store.outbox.take_over("anybody", 0, 10) == ()
