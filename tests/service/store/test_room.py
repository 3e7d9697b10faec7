"""Room that is set apart: a full disk takes nothing back that was acknowledged."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.store import room
from service.store.room import set_apart

ROOT = Path(__file__).parents[3]

# Runs on a disk of its own, of 16 MiB.
FILLED = """
import os, signal, sys, time
from pathlib import Path
from service.store import EmbeddedServer, sync
from service.store.launch import ask, answers, wait_until

sync._SECONDS = 3600.0  # nobody looks again
with EmbeddedServer(Path("data"), sys.argv[1]) as server:
    path = server.url.removeprefix("unix://")
    with open("fill", "wb", buffering=0) as fill:
        try:
            while True:
                fill.write(bytes(4096))
        except OSError:
            pass
    answers_ = [ask(path, b"SET k%d %b" % (n, b"x" * 4000), 5) for n in range(100)]
    assert answers_ == [b"+OK"] * 100, answers_
    pid = server.pid
    os.kill(pid, signal.SIGKILL)
    os.unlink("fill")
    assert wait_until(lambda: server.pid not in (None, pid) and answers(path), 20)
    print(ask(path, b"DBSIZE", 5).decode())
"""


@pytest.mark.parametrize("appendfsync", ["everysec", "always"])
def test_a_disk_that_is_full_at_once_loses_no_acknowledged_write(
    tmp_path: Path, appendfsync: str
) -> None:
    alone = ("unshare", "--map-root-user", "--mount", "--")
    mounted = f"mount -t tmpfs -o size=16m tmpfs {tmp_path} && cd {tmp_path} && exec "
    try:
        subprocess.run([*alone, "sh", "-c", mounted + "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no disk can be mounted here")
    done = subprocess.run(
        [*alone, "sh", "-c", mounted + '"$@"', "-", sys.executable, "-c", FILLED, appendfsync],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ":100\n"), done.stderr


def test_room_is_set_apart_behind_the_newest_file_whose_size_stays(tmp_path: Path) -> None:
    for number in (9, 10):
        (tmp_path / f"appendonly.aof.{number}.incr.aof").write_bytes(b"x")
    (tmp_path / "appendonly.aof.11.base.aof").write_bytes(b"x")
    (tmp_path / "appendonly.aof.manifest").write_bytes(b"x")
    with (tmp_path / "probe").open("wb") as probe:
        if room._allocate(probe.fileno(), 0, 1) == errno.EOPNOTSUPP:
            pytest.skip("this file system sets nothing apart")
    for _ in range(2):
        assert set_apart(tmp_path)
    taken = {
        path.name: path.stat().st_blocks * 512
        for path in tmp_path.iterdir()
        if path.stat().st_blocks * 512 > 65_536
    }
    assert list(taken) == ["appendonly.aof.10.incr.aof"]
    assert taken["appendonly.aof.10.incr.aof"] < 2 * room._reserve(os.statvfs(tmp_path))
    assert (tmp_path / "appendonly.aof.10.incr.aof").read_bytes() == b"x"


@pytest.mark.parametrize(
    ("number", "is_room"),
    [
        (0, True),
        (errno.ENOSPC, False),
        (errno.EDQUOT, False),
        (errno.EOPNOTSUPP, True),
        (errno.ENOSYS, True),
    ],
)
def test_only_a_full_disk_has_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, is_room: bool
) -> None:
    monkeypatch.setattr(room, "_allocate", lambda *_: number)
    assert set_apart(tmp_path), "there is nothing yet to set it apart for"
    (tmp_path / "appendonly.aof.1.incr.aof").touch()
    assert set_apart(tmp_path) == is_room


def test_a_file_that_is_gone_and_a_system_that_cannot_need_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "appendonly.aof.1.incr.aof").symlink_to(tmp_path / "gone")
    assert set_apart(tmp_path)
    monkeypatch.setattr("ctypes.CDLL", lambda *_, **__: object())
    assert room._allocate(0, 0, 1) == errno.ENOSYS
