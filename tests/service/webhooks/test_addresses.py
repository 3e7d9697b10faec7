import socket
from collections.abc import Sequence
from ipaddress import ip_address

import httpcore
import pytest

from service.store import MemoryStore
from service.webhooks.addresses import (
    AddressRefused,
    Allowed,
    Guard,
    Resolve,
    is_public,
    resolve,
)
from service.webhooks.shares import Shares, Trip
from service.webhooks.urls import UrlFault
from tests.kit.receiver import Receiver
from tests.kit.service import Clock

PUBLIC = Allowed()
INSIDE = Allowed(("127.0.0.0/8", "fd00::/8", "Hooks.internal"))


def guard(allowed: Allowed, is_plain: bool, resolve: Resolve) -> Guard:
    trip = Trip(Shares(MemoryStore().outbox, Clock()), "somebody", "hooks.test")
    return Guard(allowed, is_plain, resolve, trip)


def fault_of(allowed: Allowed, url: str) -> str | None:
    try:
        allowed.read(url)
    except UrlFault as fault:
        return str(fault)
    return None


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1"),
        *("192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1"),
        *("255.255.255.255", "::", "::1", "::7f00:1", "::ffff:10.0.0.1", "::ffff:127.0.0.1"),
        *("64:ff9b::a00:1", "64:ff9b::808:808", "2002:a00:1::", "2002:7f00:1::", "2001:db8::1"),
        *("2001::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "4000::1"),
    ],
)
def test_addresses_inside_are_not_public(address: str) -> None:
    assert not is_public(ip_address(address))
    assert not PUBLIC.allows("hooks.example.org", ip_address(address))


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "::ffff:8.8.8.8", "2002:808:808::", "2606:4700::1111", "2a00::1"]
)
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(ip_address(address))
    assert PUBLIC.allows("hooks.example.org", ip_address(address))


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://hooks.example.org", "https://hooks.example.org/"),
        ("https://hooks.example.org?A=b", "https://hooks.example.org/?A=b"),
        *(
            (url, url)
            for url in ("https://h.org:8443/a/b?token=c%20d", "https://h.org//A/../b;c?d?")
        ),
        *((f"https://{host}/x", "https://h.org/x") for host in ("H.oRg", "h.org.", "h.org:443")),
        *((f"hTTPs://{host}/x", "https://h.org/x") for host in ("h.org:", "H.ORG.:0443")),
        ("https://h.org:80/?", "https://h.org:80/"),
        ("https://XN--Exmple-CUA.org/", "https://xn--exmple-cua.org/"),
        ("https://8.8.8.8/", "https://8.8.8.8/"),
        ("https://[2606:4700::1111]:444/x", "https://[2606:4700::1111]:444/x"),
        ("https://[2606:4700:0:0::1111%eth0]:443/x", "https://[2606:4700::1111]/x"),
        *(
            (f"https://{name}/", f"https://{name}/")
            for name in ("a_b.example.org", "0x7f.example.org", "127.0.0.1.example.org", "3com.x1")
        ),
    ],
)
def test_urls_that_are_taken_are_kept_in_one_form(url: str, kept: str) -> None:
    read = PUBLIC.read(url)
    assert str(read) == kept
    assert PUBLIC.read(kept) == read


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("https://H.org:443/", "h.org"),
        ("https://h.org:8443/", "h.org:8443"),
        ("https://[2606:4700::1]/", "[2606:4700::1]"),
        ("https://[2606:4700::1]:80/", "[2606:4700::1]:80"),
    ],
)
def test_the_host_header_names_host_and_port(url: str, authority: str) -> None:
    assert PUBLIC.read(url).authority == authority


@pytest.mark.parametrize("url", ["http://127.0.0.1", "HTTP://127.0.0.1:80/", "http://127.0.0.1:/"])
def test_without_encryption_the_form_is_the_same(url: str) -> None:
    assert str(INSIDE.read(url)) == "http://127.0.0.1/"


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("", "is no URL"),
        ("https://a b/", "is no URL"),
        ("https://exämple.org/", "is no URL"),
        ("https://h.org/\nx: y", "is no URL"),
        ("https://h.org\\@10.0.0.1/", "is no URL"),
        ("https://h.org:x/", "is no URL"),
        ("https://[::1/", "is no URL"),
        ("hooks.example.org", "is not the URL"),
        ("ftp://h.org/", "is not the URL"),
        ("file:///etc/passwd", "is not the URL"),
        ("https://h.org:0/", "is not the URL"),
        ("https:///x", "names no host"),
        ("https://h..org/", "names no host"),
        ("https://h.org../", "names no host"),
        ("https://./", "names no host"),
        ("https://user@h.org/", "holds a user"),
        ("https://user:pass@h.org/", "holds a user"),
        ("https://h.org/#a", "has a fragment"),
        ("https://@h.org/", "holds a user"),
        ("https://h.org/#", "has a fragment"),
        ("http://hooks.example.org/", "is not encrypted"),
        ("HTTP://hooks.example.org/", "is not encrypted"),
        ("http://127.0.0.1/", "is not encrypted"),
        ("https://127.0.0.1/", "names an address"),
        ("https://[::1]/", "names an address"),
        ("https://[::ffff:169.254.169.254]/", "names an address"),
        ("https://169.254.169.254/latest", "names an address"),
        ("https://localhost:8000/", "names an address"),
        ("https://LOCALHOST./", "names an address"),
        *(
            (f"{scheme}://{host}/", "names an address in another form")
            for scheme in ("http", "https")
            for host in (
                *("2130706433", "0x7f.1", "0X7F.0.0.1", "017700000001", "0177.0.0.1", "0", "0x"),
                *("127.1", "127.0.0.1.", "8.8.8.8.", "010.8.8.8", "1.2.3.4.5", "hooks.0x7f"),
            )
        ),
    ],
)
def test_urls_that_are_refused_at_once(url: str, fault: str) -> None:
    assert (fault_of(PUBLIC, url) or "").startswith(fault)


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("http://127.0.0.1:1/", None),
        ("http://localhost:1/", None),
        ("https://127.1.2.3/", None),
        ("http://[fd00::1]/", None),
        ("http://hooks.internal/", None),
        ("http://other.internal/", None),  # where it leads shows later
        ("http://8.8.8.8/", "is not encrypted; write https://"),
        ("https://10.0.0.1/", "names an address that is not public"),
    ],
)
def test_what_the_operator_allows(url: str, fault: str | None) -> None:
    assert fault_of(INSIDE, url) == fault


def test_a_name_that_is_allowed_needs_no_network() -> None:
    only = Allowed(("hooks.internal",))
    assert fault_of(only, "HTTP://Hooks.Internal./") is None
    assert only.allows("hooks.internal", ip_address("10.0.0.1"), is_plain=True)
    assert fault_of(only, "http://other.internal/") is not None
    assert not only.allows("other.internal", ip_address("10.0.0.1"))


class Names:
    """A resolver that gives other addresses each time it is asked."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0)


@pytest.mark.anyio
async def test_the_connection_goes_to_the_address_that_was_judged(receiver: Receiver) -> None:
    """The name would resolve to somewhere else by now: nobody asks again."""
    names = Names(["10.0.0.1", "127.0.0.1"], ["127.0.0.2"])
    stream = await guard(INSIDE, True, names).connect_tcp("hooks.test", receiver.port, 5)
    assert stream.get_extra_info("server_addr") == ("127.0.0.1", receiver.port)
    assert names.asked == ["hooks.test"]
    await stream.aclose()


@pytest.mark.anyio
@pytest.mark.parametrize(
    "answers",
    [["10.0.0.1"], ["127.0.0.1", "::1"], ["::ffff:169.254.169.254"], ["8.8.8.8.8"], []],
)
async def test_no_connection_goes_inside(answers: list[str]) -> None:
    with pytest.raises(AddressRefused):
        await guard(PUBLIC, False, Names(answers)).connect_tcp("hooks.test", 1, 5)


@pytest.mark.anyio
async def test_without_encryption_only_allowed_addresses_are_reached() -> None:
    with pytest.raises(AddressRefused):
        await guard(INSIDE, True, Names(["8.8.8.8"])).connect_tcp("hooks.test", 1, 5)


@pytest.mark.anyio
async def test_the_next_address_is_tried_when_one_does_not_answer(receiver: Receiver) -> None:
    names = Names(["127.0.0.9", "127.0.0.1"])  # nobody listens at the first
    stream = await guard(INSIDE, True, names).connect_tcp("hooks.test", receiver.port, 5)
    await stream.aclose()
    with pytest.raises(httpcore.ConnectError):
        await guard(INSIDE, True, Names(["127.0.0.9"])).connect_tcp("h", receiver.port, 5)


@pytest.mark.anyio
async def test_numbers_in_disguise_are_judged_by_where_they_lead() -> None:
    for host in ("2130706433", "0x7f.1", "017700000001"):
        assert list(await resolve(host, 1)) == ["127.0.0.1"]
        with pytest.raises(AddressRefused):
            await guard(PUBLIC, False, resolve).connect_tcp(host, 1, 5)


@pytest.mark.anyio
async def test_a_name_that_does_not_resolve_is_no_connection() -> None:
    async def nothing(host: str, port: int) -> Sequence[str]:
        raise socket.gaierror("no such name")

    with pytest.raises(httpcore.ConnectError) as refused:
        await guard(PUBLIC, False, nothing).connect_tcp("hooks.test", 1, 5)
    assert not isinstance(refused.value, AddressRefused)
