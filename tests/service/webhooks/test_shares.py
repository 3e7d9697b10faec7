"""That nobody is flooded, and that whoever hangs keeps nobody else waiting."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ipaddress import ip_address

import pytest

from service.store import EventStore
from service.webhooks import delivery, sender, shares
from service.webhooks.shares import spot_of
from tests.kit.receiver import Receiver, receiving
from tests.service.webhooks.pod import Pod, running_pod

pytestmark = pytest.mark.anyio


@contextmanager
def hanging(address: str = "127.0.0.1") -> Iterator[Receiver]:
    """Give a receiver that answers nothing until the end."""
    let_go = threading.Event()
    with receiving(address=address) as receiver:
        receiver.answer = lambda _: (let_go.wait(20), (204, {}, b""))[1]
        try:
            yield receiver
        finally:
            let_go.set()


async def here(host: str, port: int) -> Sequence[str]:
    """Resolve every name to one address."""
    return ["127.0.0.1"]


async def told(pod: Pod, hooks: Sequence[str], version: int = 7) -> None:
    for hook in hooks:
        await pod.notice(version, hook)


async def sent(pod: Pod, is_enough: Callable[[], bool]) -> None:
    """Send until it is enough, and then whatever there is a place for, too."""
    async with asyncio.timeout(10):
        while not is_enough():
            await pod.delivery.take()
            await asyncio.sleep(0.01)
    for _ in range(20):
        await pod.delivery.take()
        await asyncio.sleep(0.01)


async def test_no_spelling_gets_an_address_more_connections(memory: EventStore) -> None:
    with hanging() as one, hanging() as other:
        async with running_pod(memory, resolve=here) as pod:
            hosts = [
                "127.0.0.1",
                "localhost",
                "LOCALHOST",
                "lOcalhost.",
                "Hooks.test",
                "hooks.TEST.",
            ]
            hosts += [f"{number}.wild.test" for number in range(20)]
            urls = [
                f"{scheme}://{host}:{port}/"
                for host in hosts
                for scheme in ("http", "HTTP")
                for port in (one.port, f"0{other.port}")
            ]
            for number, url in enumerate(urls):  # each of another client, as an older build kept it
                await pod.hook(url, str(number), by=f"client-{number}")
            await told(pod, [str(number) for number in range(len(urls))])
            await sent(pod, lambda: len(one.received + other.received) >= 8)
            assert len(one.received + other.received) == 8


async def test_a_host_that_hangs_keeps_its_neighbours_from_nothing(
    memory: EventStore, receiver: Receiver
) -> None:
    """Not even where they share an address and a client."""
    with hanging() as slow:
        async with running_pod(memory, resolve=here) as pod:
            for number in range(15):
                host = "".join(
                    letter.upper() if number >> place & 1 else letter
                    for place, letter in enumerate("localhost")
                )
                await pod.hook(f"http://{host}:{slow.port}/", str(number))
            await pod.hook(receiver.url(), "quick")
            await told(pod, [*map(str, range(15)), "quick"])
            await sent(pod, lambda: len(slow.received) >= 4 and bool(receiver.received))
            assert len(slow.received) == 4


async def test_a_client_leaves_places_at_an_address_to_others(
    memory: EventStore, receiver: Receiver
) -> None:
    with hanging() as slow:
        async with running_pod(memory, resolve=here) as pod:
            for number in range(20):
                await pod.hook(f"http://{number}.test:{slow.port}/", str(number), by="one")
            await pod.hook(receiver.url(), "quick", by="other")
            await told(pod, [*map(str, range(20)), "quick"])
            await sent(pod, lambda: len(slow.received) >= 6 and bool(receiver.received))
            assert len(slow.received) == 6


async def test_a_client_leaves_places_to_others(
    memory: EventStore, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "AT_ONCE", 24)
    with hanging("0.0.0.0") as slow:  # every address of loopback
        async with running_pod(memory) as pod:
            for number in range(40):
                url = f"http://127.0.1.{number + 1}:{slow.port}/"
                await pod.hook(url, str(number), by="one")
            await pod.hook(receiver.url(), "quick", by="other")
            await told(pod, [*map(str, range(40)), "quick"])
            await sent(pod, lambda: len(slow.received) >= 16 and bool(receiver.received))
            assert len(slow.received) == 16


async def test_names_that_take_long_to_resolve_keep_nobody_else_waiting(
    memory: EventStore, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A lookup goes on when nobody waits for it any more, and counts until it ends."""
    asked: list[str] = []
    let_go = asyncio.Event()

    async def slow(host: str, port: int) -> Sequence[str]:
        if host != "quick.test":
            asked.append(host)
            await let_go.wait()
        return ["127.0.0.1"]

    async with running_pod(memory, resolve=slow) as pod:
        for number in range(40):
            await pod.hook(f"http://{number}.test/", str(number), by="one")
        await pod.hook(receiver.url("/", "quick.test"), "quick", by="other")
        await told(pod, list(map(str, range(20))))
        with monkeypatch.context() as patch:
            patch.setattr(sender, "_SECONDS", 0.1)
            await pod.step()
        assert {(await pod.status(str(number))).reason for number in range(20)} == {
            "it took too long",
            "",
        }
        await told(pod, [*map(str, range(20, 40)), "quick"])
        await pod.step()
        assert len(receiver.received) == 1
        assert len(asked) == 16
        let_go.set()
        await asyncio.sleep(0)
        await pod.next()
        assert len(asked) > 16


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """A budget of so many attempts, for tests that do not make thousands."""
    monkeypatch.setattr(shares, "_BUDGET", 100)
    return 100


async def test_a_client_sends_so_much_to_an_address_in_a_minute(
    memory: EventStore, receiver: Receiver, small: int
) -> None:
    """Whatever the host is called, and however many processes there are."""
    async with (
        running_pod(memory, resolve=here) as pod,
        running_pod(memory, resolve=here) as second,
    ):
        second.clock = second.matches.clock = pod.clock
        urls = [receiver.url(f"/{number}", f"{number}.test") for number in range(2)]
        for number, url in enumerate(urls):
            await pod.hook(url, str(number), by="one")
        await pod.hook(receiver.url("/other"), "other", by="other")
        await pod.hook(receiver.url("/admin"), "admin", by="admin")
        for version in range(small):
            await told(pod, ["0", "1"], version)
            await (pod if version % 2 else second).step()
        assert len(receiver.received) == small
        await told(pod, ["other", "admin"])
        await pod.step()
        assert len(receiver.received) == small + 2
        pod.clock.now += 60_000
        while await pod.next() is not None:
            pass
        sent = [(one.path, one.body["data"]["version"]) for one in receiver.received]
        expected = [(f"/{hook}", version) for hook in "01" for version in range(small)]
        assert sorted(sent) == sorted([*expected, ("/other", 7), ("/admin", 7)])


async def test_failures_count_as_many_attempts(
    memory: EventStore, receiver: Receiver, small: int
) -> None:
    """So whoever did not ask for it is left alone by all that a client sends."""
    receiver.answer = lambda _: (404, {}, b"")
    async with running_pod(memory, resolve=here) as pod:
        for number in range(20):
            await pod.hook(receiver.url("/", f"{number}.test"), str(number), by="one")
            await told(pod, [str(number)])
            await pod.step()
        most = small // 20
        assert len(receiver.received) == most
        begin = pod.clock() // 60_000
        while not all([(await pod.status(str(number))).failures for number in range(20)]):
            await pod.next()
        minutes = pod.clock() // 60_000 - begin + 1
        assert len(receiver.received) <= most * minutes
        assert minutes < 60


async def test_what_finds_no_place_for_a_day_has_failed(
    memory: EventStore, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "_BUDGET", 0)
    async with running_pod(memory) as pod:
        await pod.hook(receiver.url())
        await pod.notice()
        await pod.step()
        begin, waits = pod.clock(), 0
        while await pod.next() is not None:
            waits += 1
        assert 24 * 3_600_000 <= pod.clock() - begin < 25 * 3_600_000
        assert waits < 24 * 3_600 / 300 + 20
        status = await pod.status()
        assert (status.failures, status.reason) == (1, "too much is sent there")
        assert await pod.disabled() is None
    assert receiver.received == []


@pytest.mark.parametrize(
    ("address", "spot"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2002:c000:201::", "192.0.2.1"),
        ("2002:c000:201:7::9", "192.0.2.1"),
        ("2001:db8::1", "2001:0db8:0000:0000"),
        ("2001:db8:0:0:ffff:ffff:ffff:ffff", "2001:0db8:0000:0000"),
        ("2001:db8:0:1::1", "2001:0db8:0000:0001"),
    ],
)
def test_connections_are_counted_by_address_or_network(address: str, spot: str) -> None:
    assert spot_of(ip_address(address)) == spot
