"""Real servers for tests: single, cluster and Sentinel, from the program the service would start.

Every server lives in a short temporary directory of its own, is stopped and removed at the end of
its `with` block, and ends by itself if the test process is killed. Ports are taken from the system
at random; a server whose port was snatched meanwhile is started again on another.
"""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from redis import Redis
from redis.exceptions import RedisError

from service.store.launch import launch, wait_until

_READY_SECONDS = 20.0
_SETTLED_SECONDS = 30.0


class Server:
    """One server process on a Unix socket; on a TCP port too, and a second one in a cluster."""

    def __init__(
        self, directory: Path, *options: str, tcp: bool = False, cluster: bool = False
    ) -> None:
        self.directory = directory
        self.socket = str(directory / "s")
        self.port = 0
        self.bus_port = 0
        self._options = options
        self._tcp = tcp or cluster
        self._cluster = cluster
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"unix://{self.socket}"

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start, on the same port as before if there was one, and return when it answers."""
        for _ in range(5):
            self._process = launch(self._arguments(), self.directory / "log")
            if wait_until(lambda: self._ended() or self._answers(), _READY_SECONDS):
                if not self._ended():
                    return
                self.port = self.bus_port = 0
        raise AssertionError((self.directory / "log").read_text())

    def kill(self) -> None:
        """End it as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """End it in an orderly way."""
        self._end(signal.SIGTERM)

    def client(self) -> Redis:
        """Return a plain blocking client; close it."""
        return Redis.from_url(self.url, protocol=2)

    def ask(self, *command: str | int) -> object:
        """Send one command."""
        with self.client() as client:
            answer: object = client.execute_command(*command)
            return answer

    def _arguments(self) -> list[str]:
        if self._tcp and not self.port:
            self.port = free_port()
        options = ["--port", str(self.port), "--unixsocket", self.socket]
        if self._cluster:
            self.bus_port = self.bus_port or free_port()
            options += ["--cluster-enabled", "yes", "--cluster-port", str(self.bus_port)]
        return [*options, "--dir", str(self.directory), "--save", "", *self._options]

    def _ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def _answers(self) -> bool:
        try:
            return self.ask("PING") in (True, b"PONG")
        except RedisError:
            return False

    def _end(self, how: signal.Signals) -> None:
        if self._process is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, how)
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
        with suppress(FileNotFoundError):
            os.unlink(self.socket)


class Cluster:
    """A cluster of primaries without replicas; its slots are spread evenly."""

    def __init__(self, nodes: list[Server]) -> None:
        self.nodes = nodes

    @property
    def url(self) -> str:
        return "redis+cluster://" + ",".join(node.address for node in self.nodes)

    def node_of(self, key: str) -> Server:
        """Return the node that serves a key."""
        slot = self.nodes[0].ask("CLUSTER", "KEYSLOT", key)
        assert isinstance(slot, int)
        return self.nodes[slot * len(self.nodes) // 16384]


class SentinelGroup:
    """A primary, a replica, and one Sentinel whose single vote is enough."""

    def __init__(self, primary: Server, replica: Server, sentinel: Server) -> None:
        self.primary = primary
        self.replica = replica
        self.sentinel = sentinel

    @property
    def url(self) -> str:
        return f"redis+sentinel://{self.sentinel.address}/main"


@contextmanager
def running_server(*options: str, tcp: bool = False, cluster: bool = False) -> Iterator[Server]:
    """Give a running server; `options` as on its command line."""
    with short_directory() as directory:
        server = Server(directory, *options, tcp=tcp, cluster=cluster)
        try:
            server.start()
            yield server
        finally:
            server.stop()


@contextmanager
def running_cluster(size: int = 3, *options: str) -> Iterator[Cluster]:
    """Give a running cluster whose nodes agree."""
    with ExitStack() as stack:
        quick = ("--cluster-node-timeout", "3000", *options)
        nodes = [stack.enter_context(running_server(*quick, cluster=True)) for _ in range(size)]
        for i, node in enumerate(nodes):
            first, last = -(-16384 * i // size), -(-16384 * (i + 1) // size) - 1
            node.ask("CLUSTER", "ADDSLOTSRANGE", first, last)
            node.ask("CLUSTER", "MEET", "127.0.0.1", nodes[0].port, nodes[0].bus_port)
        assert wait_until(lambda: all(_is_settled(node, size) for node in nodes), _SETTLED_SECONDS)
        yield Cluster(nodes)


@contextmanager
def running_sentinel() -> Iterator[SentinelGroup]:
    """Give a primary with a replica in step, watched by a Sentinel that knows both."""
    with ExitStack() as stack:
        quick = ("--repl-diskless-sync-delay", "0", "--appendonly", "yes")
        primary = stack.enter_context(running_server(*quick, tcp=True))
        replica = stack.enter_context(
            running_server(*quick, "--replicaof", f"127.0.0.1 {primary.port}", tcp=True)
        )
        directory = stack.enter_context(short_directory())
        settings = directory / "sentinel.conf"
        settings.write_text(
            f"sentinel monitor main 127.0.0.1 {primary.port} 1\n"
            "sentinel down-after-milliseconds main 500\n"
            "sentinel failover-timeout main 5000\n"
        )
        sentinel = _Sentinel(directory, str(settings), "--sentinel", tcp=True)
        stack.callback(sentinel.stop)
        sentinel.start()
        assert wait_until(lambda: _has_replica(primary, sentinel), _SETTLED_SECONDS)
        yield SentinelGroup(primary, replica, sentinel)


@contextmanager
def short_directory() -> Iterator[Path]:
    """Give a private directory whose path leaves room for a socket's name."""
    directory = Path(tempfile.mkdtemp(prefix="st-"))
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def free_port() -> int:
    """Return a TCP port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class _Sentinel(Server):
    def _arguments(self) -> list[str]:
        settings, *rest = self._options
        if not self.port:
            self.port = free_port()
        return [settings, *rest, "--port", str(self.port), "--unixsocket", self.socket]


def _is_settled(node: Server, size: int) -> bool:
    answer = node.ask("CLUSTER", "INFO")
    assert isinstance(answer, bytes)
    lines = answer.decode().split()
    return "cluster_state:ok" in lines and f"cluster_known_nodes:{size}" in lines


def _has_replica(primary: Server, sentinel: Server) -> bool:
    with primary.client() as client, sentinel.client() as watcher:
        followers = client.info("replication")
        known = watcher.execute_command("SENTINEL", "REPLICAS", "main")
    is_in_step = followers.get("slave0", {}).get("state") == "online"
    return is_in_step and any(b"slave" in fields for fields in known)
