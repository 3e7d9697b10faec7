"""The service as a process of its own, killed like one."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from service.store.launch import wait_until

_READY_SECONDS = 30.0
_RUN = "import sys; from service.serve import run; sys.exit(run(**eval(sys.argv[1])))"


class Process:
    """One `stele serve` on a data directory."""

    def __init__(self, data_dir: Path, port: int = 0, workers: int = 1, **environment: str) -> None:
        self.data_dir = data_dir
        self.port = port or free_port()
        self.workers = workers
        self._environment = environment
        self._process: subprocess.Popen[str] | None = None
        self.output = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def launch(self, **more: object) -> subprocess.Popen[str]:
        """Start it and return at once."""
        arguments = {"port": self.port, "workers": self.workers, "data_dir": str(self.data_dir)}
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("STELE_")
        }
        self._process = subprocess.Popen(
            [sys.executable, "-c", _RUN, repr({**arguments, **more})],
            env={**environment, "STELE_LOG_LEVEL": "warning", **self._environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return self._process

    def start(self) -> None:
        """Start it and return when it is ready."""
        process = self.launch()
        if not wait_until(lambda: process.poll() is not None or self.is_ready(), _READY_SECONDS):
            raise AssertionError("the service does not get ready")
        if process.poll() is not None:
            raise AssertionError(process.communicate())

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                return True
        except OSError:
            return False

    def kill(self) -> None:
        """End the service and its server as a power cut would."""
        assert self._process is not None
        server = self.server_pid()
        self._process.kill()
        if server is not None:
            with suppress(ProcessLookupError):
                os.kill(server, signal.SIGKILL)
        self._process.communicate()

    def stop(self) -> int:
        """End it in an orderly way and return its exit code."""
        assert self._process is not None
        self._process.terminate()
        self.output, errors = self._process.communicate(timeout=30)
        self.output += errors
        return self._process.returncode

    def server_pid(self) -> int | None:
        """Return the process id of its private server."""
        found = subprocess.run(
            ["pgrep", "-f", f"unixsocket:{self.data_dir}/server.sock"],
            capture_output=True,
            text=True,
            check=False,
        ).stdout.split()
        return int(found[0]) if found else None

    def ask(self, method: str, path: str, body: Any = None, token: str | None = None) -> Any:
        """Send one request and return its answer. Raises: OSError, also for a status over 399."""
        request = urllib.request.Request(
            self.url + path,
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"} if body is not None else {},
        )
        if token is not None:
            request.add_header("Authorization", f"Bearer {token}")
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.loads(response.read())


@contextmanager
def running(data_dir: Path, **more: Any) -> Iterator[Process]:
    """Run a service for a `with` block."""
    process = Process(data_dir, **more)
    process.start()
    try:
        yield process
    finally:
        with suppress(ProcessLookupError, AssertionError):
            process.kill()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port
