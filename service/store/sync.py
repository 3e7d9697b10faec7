"""Once a second, what the server has written is brought to the disk.

The server's own way (`appendfsync everysec`) holds writes back, for up to two seconds, while such a
sync is under way, and answers all the same: whoever kills the server then loses what it has
acknowledged. So the server leaves syncing alone (`appendfsync no`), which makes it write every
command out before it answers, and this thread does the syncing. A killed process loses nothing; a
machine that dies may lose the last second.

While there is less room on the disk than a reserve, far more than a second's writes need, the
server is told to take no writes at all: it refuses them before anything runs
(`min-replicas-to-write`, for it has no replica), and takes them again by itself once there is room.
Who fills the disk faster than that leaves the room that is set apart for writes until then
(`room.py`), but in the second in which the server goes on to a new file.
"""

import logging
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from service.store.launch import ask
from service.store.room import has_room, set_apart

_log = logging.getLogger(__name__)

_SECONDS: Final = 1.0
_FILES: Final = "appendonlydir"
_REFUSE: Final = b"CONFIG SET min-replicas-to-write 1"
_TAKE: Final = b"CONFIG SET min-replicas-to-write 0"


class Syncer:
    """Looks after the append-only files below a data directory from `start` to `stop`."""

    def __init__(self, data_dir: Path, socket: str, syncs: bool) -> None:
        """Sync them where the server does not by itself."""
        self._syncs = syncs
        self._data_dir = data_dir
        self._dir = data_dir / _FILES
        self._socket = socket
        self._is_open = True
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sync", daemon=True)
        self._is_failing = False

    def start(self) -> None:
        """Return when there is room for what comes."""
        self._watch_room()
        self._thread.start()

    def stop(self) -> None:
        """Return when the last sync is done."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(_SECONDS):
            try:
                self._watch_room()
                if self._syncs:
                    sync(self._dir)
            except OSError as error:
                if not self._is_failing:
                    _log.error("the store's files cannot be synced to the disk: %s", error.strerror)
                self._is_failing = True
            else:
                self._is_failing = False

    def _watch_room(self) -> None:
        is_room = has_room(self._data_dir) and set_apart(self._dir)
        if is_room and self._is_open:
            return
        # Said every time: a server that has been started again takes writes.
        with suppress(OSError):
            said = ask(self._socket, _TAKE if is_room else _REFUSE, seconds=1.0)
            if said == b"+OK" and is_room != self._is_open:
                self._is_open = is_room
                if is_room:
                    _log.info("the disk has room again: moves are taken")
                else:
                    _log.error("the disk is nearly full: no moves are taken until there is room")


def sync(directory: Path) -> None:
    """Bring every file of the directory to the disk; one that is gone by now needs nothing.

    Raises:
        OSError: the disk does not take it.
    """
    for path in sorted(directory.glob("*.aof")):
        with suppress(FileNotFoundError):
            file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            try:
                os.fsync(file)
            finally:
                os.close(file)
