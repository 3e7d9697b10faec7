"""From a URL to a client that never repeats a write, and from its many errors to one of ours."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypedDict
from urllib.parse import unquote

from redis.asyncio import ConnectionPool, Redis
from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.asyncio.connection import SSLConnection
from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel
from redis.backoff import NoBackoff
from redis.exceptions import RedisClusterException, RedisError

from service.store import urls
from service.store.base import StoreUnavailable

Client = Redis | RedisCluster

# Everything that the client raises for what happens outside of this process.
FAILURES: Final = (RedisError, RedisClusterException, OSError)

_ANSWER_SECONDS: Final = 3.0
_CONNECT_SECONDS: Final = 2.0
_CONNECTIONS: Final = 64
_SEVERAL: Final = ("redis+cluster", "redis+sentinel")


def check(url: str) -> None:
    """Check a URL, and what the client makes of its options.

    Raises:
        ValueError: says what is wrong, and repeats nothing of the URL.
    """
    urls.check(url)
    if url.partition("://")[0] in _SEVERAL:
        return
    try:
        pool = ConnectionPool.from_url(url, **_options())
        connection = pool.make_connection()  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
        if isinstance(connection, SSLConnection):
            connection.ssl_context.get()
    except OSError:
        raise ValueError("certificates or ciphers that it names cannot be used") from None
    except (ValueError, TypeError, OverflowError, RedisError):
        raise ValueError("an option behind ? has a value that it cannot have") from None


def connect(url: str) -> tuple[Client, Callable[[], Awaitable[None]]]:
    """Return a client for the URL, and what closes it. Nothing is sent yet.

    Raises: ValueError for a URL of no known form.
    """
    urls.check(url)
    scheme, _, rest = url.partition("://")
    match scheme:
        case "redis+cluster":
            return _cluster(rest)
        case "redis+sentinel":
            return _sentinel(rest)
        case _:
            single: Redis = Redis.from_url(url, **_options())
            return single, single.aclose


@contextmanager
def translated() -> Iterator[None]:
    """Turn whatever goes wrong on the way to the server and back into `StoreUnavailable`."""
    try:
        yield
    except FAILURES as error:
        raise unavailable(error) from error


@contextmanager
def cancellable() -> Iterator[None]:
    """Raise the cancellation that arrived meanwhile, for the client loses some of them."""
    task = asyncio.current_task()
    assert task is not None
    before = task.cancelling()
    yield
    if task.cancelling() > before:
        raise asyncio.CancelledError


def unavailable(error: Exception) -> StoreUnavailable:
    """Return the error that callers of the store see."""
    return StoreUnavailable(f"the store failed: {str(error) or type(error).__name__}")


class _Options(TypedDict):
    socket_timeout: float
    socket_connect_timeout: float
    retry: Retry
    protocol: int
    max_connections: int


def _options() -> _Options:
    return {
        "socket_timeout": _ANSWER_SECONDS,
        "socket_connect_timeout": _CONNECT_SECONDS,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,  # the same shapes from every server, and the shortest handshake
        "max_connections": _CONNECTIONS,
    }


def _cluster(rest: str) -> tuple[Client, Callable[[], Awaitable[None]]]:
    username, password, hosts, _ = _split(rest)
    cluster = RedisCluster(
        startup_nodes=[ClusterNode(host, port) for host, port in hosts],
        username=username,
        password=password,
        **_options(),
    )
    return cluster, cluster.aclose


def _sentinel(rest: str) -> tuple[Client, Callable[[], Awaitable[None]]]:
    username, password, hosts, name = _split(rest)
    sentinel = Sentinel(hosts, sentinel_kwargs=dict(_options()))  # type: ignore[no-untyped-call]  # redis-py leaves it untyped
    primary: Redis = sentinel.master_for(name, username=username, password=password, **_options())

    async def close() -> None:
        await primary.aclose()
        for watcher in sentinel.sentinels:
            await watcher.aclose()

    return primary, close


def account_of(url: str) -> dict[str, str]:
    """Return user and password, as far as they are given, of a URL that names several servers."""
    username, password, _, _ = _split(url.partition("://")[2])
    given = {"username": username, "password": password}
    return {name: word for name, word in given.items() if word is not None}


def _split(rest: str) -> tuple[str | None, str | None, list[tuple[str, int]], str]:
    """Return user, password, hosts and path of what follows `://`."""
    authority, _, path = rest.partition("/")
    account, _, places = authority.rpartition("@")
    username, _, password = account.partition(":")
    hosts = []
    for place in places.split(","):
        host, _, port = place.rpartition(":")
        hosts.append((host.strip("[]"), int(port)))
    return unquote(username) or None, unquote(password) or None, hosts, path
