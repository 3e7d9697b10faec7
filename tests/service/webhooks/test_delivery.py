"""How notices get to real receivers: on time, again and again, and nowhere else."""

import asyncio
import logging
import ssl
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

import pytest
from standardwebhooks import Webhook

from service import metrics
from service.store import EventStore, MemoryStore, Parcel, StoreUnavailable
from service.store.memory import MemoryOutbox
from service.webhooks import delivery, sender
from tests.kit.certificates import certified
from tests.kit.receiver import Answer, Received, Receiver, receiving
from tests.kit.service import SIGNING_KEY, until
from tests.service.webhooks.pod import MATCH, running_pod

pytestmark = pytest.mark.anyio

DAY = 24 * 3600


def attempts(text: bytes, outcome: str) -> float:
    """Return how many attempts the metrics tell of."""
    name = f'stele_webhooks_total{{outcome="{outcome}"}} '
    found = [line for line in text.decode().splitlines() if line.startswith(name)]
    return sum(float(line.removeprefix(name)) for line in found)


def answering(status: int, body: bytes = b"", **headers: str) -> Answer:
    return status, {name.replace("_", "-"): value for name, value in headers.items()}, body


async def test_a_notice_is_a_standard_webhook(memory: EventStore, receiver: Receiver) -> None:
    async with running_pod(memory) as pod:
        secret = await pod.hook(receiver.url("/a?b=c"))
        await pod.notice()
        await pod.step()
    (one,) = receiver.received
    assert one.path == "/a?b=c"
    assert one.text == (
        '{"type":"turn.started","timestamp":"2023-11-14T22:13:20.000Z",'
        '"data":{"match":"m","game":"chrononauts","version":7,"seat":0}}'
    )
    assert one.headers["webhook-timestamp"] == "1700000000"
    assert one.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert one.id.startswith("msg_")
    assert one.is_signed_with(secret)


async def test_the_library_of_the_specification_verifies_it(
    memory: EventStore, receiver: Receiver
) -> None:
    async with running_pod(memory) as pod:
        pod.clock.now = time.time_ns() // 1_000_000
        secret = await pod.hook(receiver.url())
        await pod.notice()
        await pod.step()
    (one,) = receiver.received
    assert Webhook(secret).verify(one.text, one.headers)["data"]["match"] == MATCH


async def test_failures_are_repeated_later_and_later_over_a_day(
    memory: EventStore, receiver: Receiver
) -> None:
    receiver.answer = lambda _: answering(500, b"x" * 100)
    async with running_pod(memory) as pod:
        secret = await pod.hook(receiver.url())
        await pod.notice()
        await pod.step()
        waits = []
        while (wait := await pod.next()) is not None:
            waits.append(wait)
            assert len(waits) < 50
        assert waits[:8] == [5, 15, 45, 135, 405, 1215, 3645, 10935]
        assert max(waits) == 6 * 3600
        assert sum(waits) == DAY
        status = await pod.status()
        assert (status.failures, status.reason) == (len(waits) + 1, "status 500")
        assert await pod.disabled() == "failing"
        assert len({one.id for one in receiver.received}) == 1
        assert all(one.is_signed_with(secret) for one in receiver.received)
        sent = [int(one.headers["webhook-timestamp"]) for one in receiver.received]
        assert sent[-1] - sent[0] == DAY
        await pod.notice(9)
        await pod.step()
        assert len(receiver.received) == len(waits) + 1


async def test_a_success_in_between_keeps_the_webhook(
    memory: EventStore, receiver: Receiver
) -> None:
    receiver.answer = lambda one: answering(500 if one.body["data"]["version"] == 7 else 200)
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        await pod.notice(7)
        await pod.step()
        for _ in range(8):
            await pod.next()
        await pod.notice(9)
        await pod.step()
        assert (await pod.status()).failures == 0
        while await pod.next() is not None:
            pass
        assert await pod.disabled() is None
        assert (await pod.status()).failures > 0


async def test_what_fails_once_gets_there_the_next_time(
    memory: EventStore, receiver: Receiver
) -> None:
    receiver.answer = lambda _: answering(503 if len(receiver.received) == 1 else 200)
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
        await pod.step()
        assert (await pod.status()).failed_at == pod.clock()
        before = metrics.text()
        assert await pod.next() == 5
        assert attempts(metrics.text(), "taken") == attempts(before, "taken") + 1
        assert attempts(metrics.text(), "failed") == attempts(before, "failed") > 0
        status = await pod.status()
        assert (status.succeeded_at, status.failures) == (pod.clock(), 0)
        assert await pod.next() is None
    assert len(receiver.received) == 2


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        ("120", 120),
        ("1", 5),
        ("99999999999", DAY),
        ("Tue, 14 Nov 2023 22:20:00 GMT", 400),
        ("Tue, 14 Nov 2023 22:00:00 GMT", 5),
        ("soon", 5),
        ("-3", 5),
    ],
)
async def test_a_receiver_may_ask_for_patience(
    memory: EventStore, receiver: Receiver, header: str, wait: int
) -> None:
    receiver.answer = lambda _: answering(429, Retry_After=header)
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
        await pod.step()
        assert await pod.next() == wait


async def test_a_receiver_that_is_gone_hears_nothing_more(
    memory: EventStore, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    receiver.answer = lambda _: answering(410)
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url("/?token=sesame"))
        await pod.notice(7)
        await pod.step()
        await pod.notice(9)
        await pod.step()
        assert await pod.disabled() == "gone"
        assert await pod.next() is None
    assert len(receiver.received) == 1
    assert "webhook h of match m is disabled: gone" in caplog.text
    assert "sesame" not in caplog.text


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_redirects_are_not_followed(
    memory: EventStore, receiver: Receiver, status: int
) -> None:
    receiver.answer = lambda one: answering(
        status if one.path == "/" else 200, Location=receiver.url("/inside")
    )
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url("/"))
        await pod.notice()
        await pod.step()
        assert (await pod.status()).reason == f"status {status}"
    assert receiver.of("/inside") == []


async def test_during_a_rotation_both_secrets_sign(memory: EventStore, receiver: Receiver) -> None:
    async with running_pod(memory) as pod:
        current = pod.signer.current
        end = pod.clock() + 60_000
        new = await pod.hook(receiver.url(), generation=1, previous_key=current, overlap_end=end)
        old = pod.signer.secret(current, MATCH, "h", 0)
        assert old is not None
        await pod.notice(7)
        await pod.step()
        pod.clock.now = end
        await pod.notice(9)
        await pod.step()
    first, second = receiver.received
    assert first.is_signed_with(new)
    assert first.is_signed_with(old)
    assert second.is_signed_with(new)
    assert not second.is_signed_with(old)


async def test_a_webhook_whose_key_is_gone_is_disabled(
    memory: EventStore, receiver: Receiver
) -> None:
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
    async with running_pod(memory, keys=(b"a key that came later, long enough for it",)) as pod:
        await pod.step()
        assert await pod.disabled() == "key_lost"
    assert receiver.received == []


async def test_a_name_that_leads_inside_is_not_connected_to(
    memory: EventStore, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    async def inside(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    async with running_pod(memory, allow=(), resolve=inside) as pod:
        await pod.hook(f"https://hooks.test:{receiver.port}/push?token=sesame")
        await pod.notice()
        await pod.step()
        # As where nobody listens, or where there is no such name: only the log knows more.
        assert (await pod.status()).reason == "could not connect"
    assert receiver.received == []
    assert "no public address: hooks.test" in caplog.text
    assert "sesame" not in caplog.text


@pytest.mark.parametrize("scheme", ["http", "HTTP", "hTtP"])
async def test_nothing_goes_to_a_public_address_without_encryption(
    memory: EventStore, scheme: str, caplog: pytest.LogCaptureFixture
) -> None:
    async def outside(host: str, port: int) -> Sequence[str]:
        return ["8.8.8.8"]

    async with running_pod(memory, allow=("10.0.0.0/8",), resolve=outside) as pod:
        await pod.hook(f"{scheme}://hooks.test/")
        await pod.notice()
        await pod.step()
        assert (await pod.status()).reason == "could not connect"
    assert "no public address: hooks.test" in caplog.text  # so it was not even tried


async def test_a_name_that_does_not_resolve_is_told_like_one_that_leads_inside(
    memory: EventStore,
) -> None:
    async def nowhere(host: str, port: int) -> Sequence[str]:
        raise OSError

    async with running_pod(memory, allow=(), resolve=nowhere) as pod:
        await pod.hook("https://hooks.test/")
        await pod.notice()
        await pod.step()
        assert (await pod.status()).reason == "could not connect"


async def test_what_is_no_longer_allowed_is_not_sent(
    memory: EventStore, receiver: Receiver
) -> None:
    async with running_pod(memory, allow=()) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
        await pod.step()
        assert (await pod.status()).reason == "the address is no longer allowed"
    assert receiver.received == []


async def test_nobody_listens(memory: EventStore) -> None:
    with receiving() as receiver:
        url = receiver.url()
    async with running_pod(memory) as pod:
        await pod.hook(url)
        await pod.notice()
        await pod.step()
        assert (await pod.status()).reason == "could not connect"
        assert await pod.next() == 5


async def test_an_answer_that_is_no_http(memory: EventStore) -> None:
    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"SSH-2.0-x\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(babble, "127.0.0.1", 0)
    async with server, running_pod(memory) as pod:
        await pod.hook(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        await pod.notice()
        await pod.step()
        assert (await pod.status()).reason == "the answer is no HTTP"


async def test_the_status_counts_however_long_the_body_is(memory: EventStore) -> None:
    read = 0

    async def flood(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal read
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            while True:
                writer.write(b"1000\r\n" + b"x" * 0x1000 + b"\r\n")
                await writer.drain()
                read += 0x1000
        except OSError:
            writer.close()

    server = await asyncio.start_server(flood, "127.0.0.1", 0)
    async with server, running_pod(memory) as pod:
        await pod.hook(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/")
        await pod.notice()
        await pod.step()
        assert (await pod.status()).failures == 0
        assert (await pod.status()).succeeded_at
    assert 0 < read < 50_000_000


async def test_a_receiver_that_hangs_keeps_nobody_else_waiting(
    memory: EventStore, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "AT_ONCE", 12)
    let_go = threading.Event()

    def hang(_: Received) -> Answer:
        let_go.wait(20)
        return answering(204)

    with receiving() as slow:
        slow.answer = hang
        async with running_pod(memory) as pod:
            await pod.hook(slow.url(), "slow")
            await pod.hook(receiver.url(), "quick")
            for version in range(20):
                await pod.notice(version, "slow")
            await pod.notice(30, "quick")
            try:
                async with asyncio.timeout(10):
                    while not receiver.received:
                        await pod.delivery.take()
                        await asyncio.sleep(0.01)
                assert len(slow.received) <= 8
            finally:
                let_go.set()
            await pod.delivery.drain()
            while await pod.next() is not None:
                pass
    versions = sorted(one.body["data"]["version"] for one in slow.received)
    assert versions == list(range(20))


async def test_a_receiver_that_takes_too_long_has_failed(
    memory: EventStore, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "_SECONDS", 0.1)
    let_go = threading.Event()
    receiver.answer = lambda _: (let_go.wait(20), answering(204))[1]
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
        await pod.step()
        assert (await pod.status()).reason == "it took too long"
    let_go.set()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A certificate of hooks.test, and its key."""
    return certified(tmp_path_factory.mktemp("tls"), "hooks.test")


@pytest.mark.parametrize(("host", "reason"), [("hooks.test", ""), ("other.test", "no trusted TLS")])
async def test_certificates_are_those_of_the_name(
    memory: EventStore, certificate: tuple[str, str], host: str, reason: str
) -> None:
    async def here(host: str, port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    trusted = ssl.create_default_context(cafile=certificate[0])
    with receiving(certificate) as receiver:
        async with running_pod(memory, resolve=here, trusted=trusted) as pod:
            secret = await pod.hook(receiver.url("/", host))
            await pod.notice()
            await pod.step()
            assert (await pod.status()).reason.startswith(reason)
    assert [one.is_signed_with(secret) for one in receiver.received] == ([] if reason else [True])


async def test_a_certificate_that_nobody_knows_is_not_trusted(
    memory: EventStore, certificate: tuple[str, str]
) -> None:
    with receiving(certificate) as receiver:
        async with running_pod(memory) as pod:
            await pod.hook(receiver.url())
            await pod.notice()
            await pod.step()
            assert (await pod.status()).reason == "no trusted TLS connection"
    assert receiver.received == []


async def test_logs_hold_no_address_and_no_secret(
    memory: EventStore, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "service")
    receiver.answer = lambda _: answering(500)
    async with running_pod(memory) as pod:
        secret = await pod.hook(receiver.url("/path?token=sesame"))
        await pod.notice()
        await pod.step()
        while await pod.next() is not None:
            pass
    for word in ("sesame", "/path", secret, SIGNING_KEY):
        assert word not in caplog.text


async def test_a_receiver_that_breaks_our_own_code_has_failed(
    memory: EventStore, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what it was to be told would be tried for ever, and never later."""

    def broken(*_: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(sender, "_wait", broken)
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
        await pod.step()
        assert (await pod.status()).reason == "it failed"
        assert await pod.next() == 5


class Away(MemoryStore):
    """A store whose outbox cannot be asked for a while."""

    outbox: "AwayOutbox"

    def __init__(self) -> None:
        super().__init__()
        self.outbox = AwayOutbox()


class AwayOutbox(MemoryOutbox):
    is_away = True
    asked = 0

    async def take(self, consumer: str, limit: int) -> tuple[Parcel, ...]:
        self.asked += 1
        if self.is_away:
            raise StoreUnavailable("it is away")
        return await super().take(consumer, limit)


async def test_delivery_goes_on_when_the_store_is_back(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(delivery, "_IDLE_SECONDS", 0.01)
    store = Away()
    async with running_pod(store) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
        running = asyncio.create_task(pod.delivery.run())

        async def tried() -> bool | None:
            return store.outbox.asked > 2 or None

        await until(tried)
        assert caplog.text.count("webhooks wait for the store") == 1
        store.outbox.is_away = False

        async def told() -> bool | None:
            return bool(receiver.received) or None

        await until(told)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_a_process_that_stops_lets_go_of_what_it_sends(
    memory: EventStore, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "_GRACE_SECONDS", 0.05)
    let_go = threading.Event()
    receiver.answer = lambda _: (let_go.wait(20), answering(204))[1]
    async with running_pod(memory) as pod, running_pod(memory) as other:
        await pod.hook(receiver.url())
        await pod.notice()
        running = asyncio.create_task(pod.delivery.run())

        async def sending() -> bool | None:
            return bool(receiver.received) or None

        await until(sending)
        running.cancel()
        with suppress(asyncio.CancelledError):
            async with asyncio.timeout(5):
                await running
        let_go.set()
        monkeypatch.setattr(delivery, "_DEAD_MS", 0)
        await other.step()
    first, second = receiver.received
    assert first.id == second.id


async def test_a_process_that_stops_ends_what_it_sends(
    memory: EventStore, receiver: Receiver
) -> None:
    running: asyncio.Task[None]

    def answer(_: Received) -> Answer:
        loop.call_soon_threadsafe(running.cancel)
        time.sleep(0.1)
        return answering(204)

    loop, receiver.answer = asyncio.get_running_loop(), answer
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
        running = asyncio.create_task(pod.delivery.run())
        with suppress(asyncio.CancelledError):
            await running
        assert (await pod.status()).succeeded_at
        assert await memory.outbox.take_over("anybody", 0, 1) == ()


async def test_no_more_is_taken_than_can_be_sent(
    memory: EventStore, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "AT_ONCE", 2)
    let_go = threading.Event()
    receiver.answer = lambda _: (let_go.wait(20), answering(204))[1]
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        for version in range(5):
            await pod.notice(version)
        assert await pod.delivery.take() == 2
        assert await pod.delivery.take() == 0
        let_go.set()
        await pod.delivery.drain()
        await pod.step()
    assert len({one.id for one in receiver.received}) == 5
