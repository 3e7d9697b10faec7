"""The private server that the service starts when it is given none.

Parts: a data directory (mode 0700) with the append-only file, the socket and two lock files; the
server process; one watcher thread, which starts the server, waits for it, and starts it again; one
thread that syncs its files (`sync.py`).

Invariants:
- `service.lock` is locked by the one service that owns the directory. It names its process id and
  the socket, for whoever finds it locked, or finds a server that outlived its service.
- `server.lock` is locked by the server *itself*: it inherits the open file and the kernel lets go
  when the process is gone. So nobody guesses from process ids whether a server still runs, and
  two servers never write one append-only file.

One start: lock `service.lock`; if `server.lock` is taken, an orphan runs: ask it over its socket
to shut down, which flushes its file, and wait for the lock; then launch, passing the lock on.

Several processes can use the server: one owns it, the others connect to `url`.
"""

import fcntl
import logging
import os
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal, Self
from urllib.parse import quote

from service.store.base import DataDirectoryInUse, ServerFailed
from service.store.files import check_listed, was_cut_off
from service.store.launch import answers, ask, launch, wait_until
from service.store.sync import Syncer

_log = logging.getLogger(__name__)

_SOCKET: Final = "server.sock"
_LOG: Final = "server.log"
_LONGEST_SOCKET_PATH: Final = 100  # bytes; Linux allows 107, macOS 103
_READY_SECONDS: Final = 60.0  # a long append-only file takes a while to load
_STOP_SECONDS: Final = 15.0
_FIRST_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 5.0


class EmbeddedServer:
    """A server below one data directory, from `start` to `stop`, or for a `with` block.

    It blocks; call it from a loop with `asyncio.to_thread`. A server that dies is started again.
    """

    def __init__(
        self, data_dir: Path, appendfsync: Literal["everysec", "always"] = "everysec"
    ) -> None:
        self._dir = data_dir.absolute()
        self._appendfsync = appendfsync
        self._socket = ""
        self._lock: int | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._stopping = threading.Event()
        self._tried = threading.Event()  # the first launch is through, or has failed
        self._ready = threading.Event()  # it answers: from now on it is started again if it ends
        self._failure: Exception | None = None
        self._watcher: threading.Thread | None = None
        self._syncer: Syncer | None = None

    @property
    def url(self) -> str:
        """Return the URL of the running server, the same over its restarts."""
        return f"unix://{quote(self._socket)}"

    @property
    def pid(self) -> int | None:
        """Return the process id of the server; None while it is down."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    def start(self) -> None:
        """Return when the server takes commands.

        Raises: DataDirectoryInUse, ServerFailed.
        """
        self._dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._dir.chmod(0o700)
        self._lock = self._take_ownership()
        log = self._dir / _LOG
        written = log.stat().st_size if log.exists() else 0
        try:
            for event in (self._stopping, self._tried, self._ready):
                event.clear()
            self._failure = None
            # The watcher launches the server too: a server ends with the thread that started it.
            self._watcher = threading.Thread(target=self._watch, name="store", daemon=True)
            self._watcher.start()
            self._tried.wait()
            if self._failure is not None:
                raise self._failure
            if not wait_until(lambda: self._failed() or answers(self._socket), _READY_SECONDS):
                raise ServerFailed(f"the server does not get ready: see {log}")
            self._ready.set()
            if self._failed():
                raise ServerFailed(f"the server ended at once: {self._last_words()}")
            if was_cut_off(log, written):
                _log.warning(
                    "the last write before the server ended was cut off, "
                    "and a move may be lost with it: see %s",
                    log,
                )
            syncer = Syncer(self._dir, self._socket, syncs=self._appendfsync == "everysec")
            syncer.start()
            self._syncer = syncer
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """Return when the server has written everything and ended."""
        self._stopping.set()
        process = self._process
        if process is not None:
            process.terminate()
            if not wait_until(lambda: process.poll() is not None, _STOP_SECONDS):
                _log.error("the store's server did not stop by itself and is killed")
                process.kill()
        if self._watcher is not None:
            self._watcher.join()
            self._watcher = None
        self._process = None
        if self._syncer is not None:
            self._syncer.stop()
            self._syncer = None
        if self._lock is not None:
            self._remove_socket(self._socket)
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _take_ownership(self) -> int:
        """Return the locked file; end the server of an owner that died."""
        lock = os.open(self._dir / "service.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            pid, old_socket = _owner(os.pread(lock, 4096, 0))
            if not _is_locked_by_us(lock):
                raise DataDirectoryInUse(
                    f"another service (process {pid}) uses the data directory {self._dir}: "
                    "stop it, or give this one another --data-dir"
                )
            self._end_orphan(old_socket)
            self._socket = self._place_of_socket()
            os.ftruncate(lock, 0)
            os.pwrite(lock, f"{os.getpid()}\n{self._socket}".encode(), 0)
        except BaseException:
            os.close(lock)
            raise
        return lock

    def _end_orphan(self, old_socket: str) -> None:
        server_lock = self._open_server_lock()
        try:
            if not _is_locked_by_us(server_lock):
                _log.warning("the server of an earlier service still runs and is shut down")
                with suppress(OSError):
                    ask(old_socket, b"SHUTDOWN", seconds=_STOP_SECONDS)
                if not wait_until(lambda: _is_locked_by_us(server_lock), _STOP_SECONDS):
                    raise DataDirectoryInUse(
                        f"an old server still uses the data directory {self._dir} and does not "
                        f"stop: end the process that listens on {old_socket or _SOCKET}"
                    )
        finally:
            os.close(server_lock)
        self._remove_socket(old_socket)

    def _open_server_lock(self) -> int:
        return os.open(self._dir / "server.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _place_of_socket(self) -> str:
        path = str(self._dir / _SOCKET)
        if len(os.fsencode(path)) <= _LONGEST_SOCKET_PATH:
            return path
        return str(Path(tempfile.mkdtemp(prefix="stele-")) / _SOCKET)

    def _remove_socket(self, path: str) -> None:
        if not path:
            return
        with suppress(FileNotFoundError):
            os.unlink(path)
        if Path(path).parent != self._dir:
            with suppress(OSError):
                os.rmdir(Path(path).parent)

    def _watch(self) -> None:
        """Keep a server running until `stop`."""
        pause = _FIRST_PAUSE_SECONDS
        while not self._stopping.is_set():
            began = time.monotonic()
            try:
                self._process = self._launch()
            except Exception as error:
                if not self._ready.is_set():
                    self._failure = error
                    self._tried.set()
                    return
                _log.exception("the store's server could not be started again")
            else:
                if self._stopping.is_set():
                    self._process.terminate()  # `stop` could not know this one
                self._tried.set()
                self._process.wait()
                if not self._ready.is_set():
                    return
            if time.monotonic() - began > _LONGEST_PAUSE_SECONDS:
                pause = _FIRST_PAUSE_SECONDS
            if self._stopping.wait(pause):
                return
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            _log.error("the store's server ended and is started again: %s", self._last_words())

    def _launch(self) -> subprocess.Popen[bytes]:
        lock = self._open_server_lock()
        try:
            # A child of a killed server, at work on a rewrite, may hold the lock a little longer.
            if not wait_until(lambda: _is_locked_by_us(lock), _STOP_SECONDS):
                raise ServerFailed(f"an old server still uses the data directory {self._dir}")
            check_listed(self._dir)
            return launch(self._arguments(), self._dir / _LOG, keep_open=(lock,))
        finally:
            os.close(lock)

    def _arguments(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": self._socket,
            "unixsocketperm": "700",
            "dir": str(self._dir),
            "save": "",
            "appendonly": "yes",
            # Every second is the business of `sync.py`.
            "appendfsync": "always" if self._appendfsync == "always" else "no",
            "aof-load-truncated": "yes",
            "maxmemory-policy": "noeviction",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    def _failed(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    def _last_words(self) -> str:
        lines = (self._dir / _LOG).read_text(errors="replace").split("\n")
        return next((line for line in reversed(lines) if line), "it left no message")


def _owner(words: bytes) -> tuple[str, str]:
    """Return the process that wrote a lock file, and its socket; no socket if it is damaged."""
    pid, _, place = words.decode(errors="replace").partition("\n")
    if pid.isdecimal() and place.isprintable() and Path(place).name == _SOCKET:
        return pid, place
    return (pid if pid.isdecimal() else "unknown"), ""


def _is_locked_by_us(file: int) -> bool:
    """Lock the file unless another process has; say whether it is ours now."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
