"""The URLs of stores."""

import pytest
from redis.asyncio import Redis
from redis.asyncio.cluster import RedisCluster

from service.store.connect import connect

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
