"""Measured on a service of its own: a worker in one process, the load generator in another."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

import msgspec
from msgspec import Struct
from redis import Redis

from bench.size import Size
from service.cli.console import Refused

ROOT = Path(__file__).resolve().parents[1]
_READY_SECONDS = 60.0


class Service(Struct, frozen=True):
    """A running service: address, process, data and how many seconds it took to get ready."""

    url: str
    pid: int
    data: Path
    seconds: float


@contextmanager
def service() -> Iterator[Service]:
    """Start a service with an empty data directory, and end it."""
    with tempfile.TemporaryDirectory(prefix="st-") as directory:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        words = ("serve", "--port", str(port), "--data-dir", directory)
        began = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, "-m", "service.cli", *words],
            cwd=ROOT,
            env=_environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(url, process)
            yield Service(url, process.pid, Path(directory), time.perf_counter() - began)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)


def _environment() -> dict[str, str]:
    """Return the environment without settings of another service."""
    return {name: value for name, value in os.environ.items() if not name.startswith("STELE_")}


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _READY_SECONDS
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/readyz", timeout=2):
                return
        except OSError:
            time.sleep(0.005)
    raise Refused("the service to be measured does not get ready: try `stele serve`")


def ready(size: Size) -> float:
    """Return the median of seconds from the start of the program to its first good answer."""
    times = []
    for _ in range(size.starts):
        with service() as running:
            times.append(running.seconds)
    return median(times)


def loaded(what: str, size: Size) -> dict[str, float]:
    """Return the figures of one load generator against a service of its own."""
    with service() as running:
        program = [sys.executable, "-m", "bench.load", running.url, what]
        words = [*program, msgspec.json.encode(size).decode(), str(running.pid)]
        answer = subprocess.run(words, cwd=ROOT, capture_output=True, check=False)
        if answer.returncode:
            last = answer.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise Refused(f"the load generator failed ({''.join(last)}): try --only {what}")
        figures = msgspec.json.decode(answer.stdout, type=dict[str, float])
        decisions = figures.pop("decisions", 0.0)
        if what == "rest":
            figures["bytes"] = _stored_bytes(running.data) / decisions
        return figures


def _stored_bytes(data: Path) -> float:
    """Return what the streams of all matches take in the memory of the server."""
    with Redis(unix_socket_path=str(data / "server.sock"), protocol=2) as client:
        keys = list(client.scan_iter("stele:{*}:log", count=1000))
        return float(sum(client.memory_usage(key, samples=0) or 0 for key in keys))
