"""The URLs of stores."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster

from service.rates import counters
from service.store import RedisStore, StoreUnavailable
from service.store.connect import check, connect
from tests.kit.certificates import certified
from tests.kit.servers import Server, running_server
from tests.service.store.commits import commit

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("redis://:secret@localhost:6379/3", Redis),
        ("rediss://localhost:6380", Redis),
        ("unix:///run/redis.sock?db=1", Redis),
        ("redis+cluster://user:p%40ss@one:6379,two:6380", RedisCluster),
        ("redis+cluster://[::1]:6379/0", RedisCluster),
        ("redis://user:p%2Fs%23s@[::1]:6379", Redis),
        ("rediss://host?ssl_cert_reqs=none&socket_timeout=5", Redis),
        ("redis+sentinel://:secret@one:26379,two:26379/main", Redis),
    ],
)
async def test_known_forms_give_a_client(url: str, kind: type) -> None:
    check(url)
    client, close = connect(url)
    assert isinstance(client, kind)
    await close()


SECRET = "Secret99"


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "not a URL that begins with one of redis, rediss, unix"),
        ("localhost:6379", "not a URL that begins"),
        (f"http://:{SECRET}@localhost", "not a URL that begins"),
        (" redis://localhost", "not a URL that begins"),
        ("redis://", "not a URL that begins"),
        (f"redis://:{SECRET}\x1b[31m@host", "no spaces"),
        (f"redis://:{SECRET} x@host", "no spaces, which are written %20"),
        (f"redis://:{SECRET}/x@host:6379", "has to name a host.*write / as %2F"),
        (f"redis://{SECRET}/x@host", "nothing else; in a user name or password, write / as %2F"),
        (f"redis://:{SECRET}#x@host:6379", "no part behind #.*# as %23"),
        (f"redis://:{SECRET}?x@host:6379", "an option.*? as %3F"),
        (f"redis://:{SECRET}[x@host:6379", r"can be read.*\[ as %5B"),
        (f"redis://:{SECRET}@host:port", "has to name a host, and a port, if any, by its number"),
        (f"redis://{SECRET}:x", "has to name a host"),
        ("redis:///0", "has to name a host"),
        ("redis://host:0", "a port is a number from 1 to 65535"),
        ("redis://host:99999", "a port is a number from 1 to 65535"),
        ("redis://[::1", "has to name a host"),
        ("redis://[::]:99999", "a port is a number from 1 to 65535"),
        ("redis://[1:2:3]", "a host that cannot be"),
        ("redis://a..b", "a host that cannot be"),
        ("redis://host/main", "the number of a database, and nothing else"),
        (f"redis://host?{SECRET}=x", "an option behind . is none of those"),
        ("redis://host?retry_on_timeout=yes", "is none of those"),
        (f"redis://host?db={SECRET}", "has a value that it cannot have"),
        (f"rediss://host?ssl_cert_reqs={SECRET}", "has a value that it cannot have"),
        ("rediss://host?ssl_min_version=99999999999999999999", "a value that it cannot have"),
        (f"rediss://host?ssl_ca_certs=/{SECRET}", "certificates or ciphers"),
        (f"rediss://host?ssl_ciphers={SECRET}", "certificates or ciphers"),
        ("unix://run/redis.sock", "begins with /: write unix:///run/redis.sock"),
        ("unix:///%00", "begins with /"),
        (f"unix:///{'a' * 107}", "may have 107 bytes"),
        ("redis+cluster://one", "no port: write it like redis.cluster://host:6379,host:6380"),
        ("redis+cluster://one:6379,two", "no port"),
        (f"redis+cluster://one:6379,two:{SECRET}", "has to name a host"),
        ("redis+cluster://one:6379?db=0", "no options behind"),
        ("redis+cluster://one:6379/1", "no numbered databases"),
        ("redis+sentinel://one:26379", "does not name the master: write it like"),
        ("redis+sentinel://one:26379/", "does not name the master"),
        (f"redis+sentinel://:{SECRET}/x@one:26379/main", "has to name a host.*write / as"),
    ],
)
def test_what_is_wrong_with_a_url_is_told_without_a_word_of_it(url: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem) as caught:
        check(url)
    assert SECRET not in str(caught.value)


async def test_cluster_account_is_decoded() -> None:
    client, close = connect("redis+cluster://user:p%40ss@one:6379")
    assert isinstance(client, RedisCluster)
    assert client.connection_kwargs["username"] == "user"
    assert client.connection_kwargs["password"] == "p@ss"
    await close()


@asynccontextmanager
async def encrypted(server: Server, certificate: tuple[str, str]) -> AsyncIterator[int]:
    """Take connections with TLS for a server, which has none of its own; the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    pipes: set[asyncio.Task[None]] = set()

    async def pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(1 << 16):
            writer.write(data)
            await writer.drain()
        writer.close()

    async def forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(str(server.socket))
        pipes.update(map(asyncio.create_task, (pipe(reader, back), pipe(there, writer))))

    async with await asyncio.start_server(forward, "127.0.0.1", 0, ssl=context) as listener:
        yield listener.sockets[0].getsockname()[1]
        await asyncio.gather(*pipes)


async def test_a_store_is_reached_with_tls_and_by_its_certificate_only(tmp_path: Path) -> None:
    certificate = certified(tmp_path, "127.0.0.1")
    with running_server() as server:
        async with encrypted(server, certificate) as port:
            url = f"rediss://127.0.0.1:{port}/0?ssl_ca_certs={certificate[0]}"
            store, (shared, close) = RedisStore(url), counters(url)
            await store.append("m", 0, commit(1))
            assert [one.first for one in await store.load("m")] == [1]
            assert await shared.incr("key", 60, 3) == 3
            await store.close()
            await close()
            unknown = RedisStore(f"rediss://127.0.0.1:{port}/0")
            with pytest.raises(StoreUnavailable, match=r"certificate|SSL"):
                await unknown.ping()
            await unknown.close()
