"""Commands at a terminal of their own."""

import os
import pty
import select
import subprocess
import sys
import time

from tests.cli.conftest import ROOT


class Terminal:
    """A command and the terminal that it runs at."""

    def __init__(self, *words: object) -> None:
        main, terminal = pty.openpty()
        self._main = main
        self._process = subprocess.Popen(
            [sys.executable, "-m", "service.cli", *map(str, words)],
            cwd=ROOT,
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(terminal)

    def screen(self, keys: bytes, until: str) -> str:
        """Type keys and return what is shown once `until` is part of it."""
        os.write(self._main, keys)
        shown = ""
        end = time.monotonic() + 20
        while until not in shown and time.monotonic() < end:
            if select.select([self._main], [], [], 0.2)[0]:
                shown += os.read(self._main, 1 << 16).decode(errors="replace")
        assert until in shown
        return shown

    def end(self, keys: bytes) -> int:
        """Type keys and return the exit code."""
        os.write(self._main, keys)
        try:
            while os.read(self._main, 1 << 16):
                pass
        except OSError:
            pass  # Linux says so when the other side has closed
        os.close(self._main)
        return self._process.wait(20)
