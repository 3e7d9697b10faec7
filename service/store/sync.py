"""Once a second, what the server has written is brought to the disk.

The server's own way (`appendfsync everysec`) holds writes back, for up to two seconds, while such a
sync is under way, and answers all the same: whoever kills the server then loses what it has
acknowledged. So the server leaves syncing alone (`appendfsync no`), which makes it write every
command out before it answers, and this thread does the syncing. A killed process loses nothing; a
machine that dies may lose the last second.
"""

import logging
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

_log = logging.getLogger(__name__)

_SECONDS: Final = 1.0
_FILES: Final = "appendonlydir"


class Syncer:
    """Syncs the append-only files below a data directory from `start` to `stop`."""

    def __init__(self, data_dir: Path) -> None:
        self._dir = data_dir / _FILES
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="sync", daemon=True)
        self._is_failing = False

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Return when the last sync is done."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(_SECONDS):
            try:
                sync(self._dir)
            except OSError as error:
                if not self._is_failing:
                    _log.error("the store's files cannot be synced to the disk: %s", error.strerror)
                self._is_failing = True
            else:
                self._is_failing = False


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
