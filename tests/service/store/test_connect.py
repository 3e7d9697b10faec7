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
from service.store.connect import connect
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
        ("redis+cluster://[::1]:6379", RedisCluster),
        ("redis+sentinel://:secret@one:26379,two:26379/main", Redis),
    ],
)
async def test_known_forms_give_a_client(url: str, kind: type) -> None:
    client, close = connect(url)
    assert isinstance(client, kind)
    await close()


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("", "not the URL of a store"),
        ("localhost:6379", "not the URL of a store"),
        ("http://localhost", "not the URL of a store"),
        ("redis+cluster://one", "'one' is not host:port"),
        ("redis+cluster://one:6379,two", "'two' is not host:port"),
        ("redis+sentinel://one:26379", "does not name the master"),
        ("redis+sentinel://one:26379/", "does not name the master"),
    ],
)
def test_other_forms_are_refused_with_an_example(url: str, problem: str) -> None:
    with pytest.raises(ValueError, match=f"{problem}.*redis://host:6379/0"):
        connect(url)


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
