import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from redis import Redis

from bench.served import Service
from schema import log as format
from service.cli.player import Sample
from service.cli.swarm import percentile
from service.tokens import command_key
from tests.cli.conftest import ROOT, Run, program
from tests.kit.servers import short_directory

FIELDS = {
    *("game", "matches", "moves", "seconds", "movesPerSecond", "p50Ms", "p95Ms", "p99Ms"),
    "errors",
}


def _samples(path: Path) -> list[Sample]:
    return [msgspec.json.decode(line, type=Sample) for line in path.read_bytes().splitlines()]


def _log(stele: Run, url: str, match: str) -> format.Log:
    said = stele("export", match, "--url", url)
    assert said.code == 0
    return format.read(said.out.encode())


def _missing(log: format.Log, samples: list[Sample]) -> list[Sample]:
    """Return the acknowledged moves that a log does not hold at their version."""
    entries = log.entries
    return [
        sample
        for sample in samples
        if len(entries) < sample.version
        or entries[sample.version - 1].seat != sample.seat
        or entries[sample.version - 1].command
        not in (None, command_key(f"seat:{sample.seat}", sample.command))
    ]


def test_a_swarm_plays_matches_to_their_end(stele: Run, running: Service, tmp_path: Path) -> None:
    record = tmp_path / "moves.jsonl"
    words = ("swarm", "--url", running.url, "--game", "chrononauts", "--seats", 6, "--json")
    said = stele(*words, "--matches", 2, "--concurrency", 2, "--record", record)
    assert (said.code, said.err) == (0, "")
    report = said.json
    assert set(report) == FIELDS
    assert (report["game"], report["matches"], report["errors"]) == ("chrononauts", 2, 0)
    assert 0 < report["p50Ms"] <= report["p95Ms"] <= report["p99Ms"]
    samples = _samples(record)
    assert report["moves"] == len(samples) > 20
    matches = {sample.match for sample in samples}
    assert len(matches) == 2
    for match in matches:
        log = _log(stele, running.url, match)
        assert log.header.viewer == "all"
        assert _missing(log, [one for one in samples if one.match == match]) == []


def test_a_swarm_stops_when_its_time_is_up(stele: Run, running: Service) -> None:
    began = time.monotonic()
    said = stele("swarm", "--url", running.url, "--duration", 1, "--concurrency", 3)
    assert time.monotonic() - began < 10
    assert said.code == 0
    assert "moves/s" in said.out
    assert "errors 0" in said.out


def test_a_swarm_needs_a_game_that_is_played_there(stele: Run, running: Service) -> None:
    said = stele("swarm", "--url", running.url, "--game", "chess")
    assert said.code == 1
    assert said.err.endswith("plays no chess: name another game with --game\n")


def test_refusals_of_the_service_are_errors(stele: Run, running: Service) -> None:
    words = ("--seats", 9, "--matches", 2, "--concurrency", 1)
    said = stele("swarm", "--url", running.url, *words)
    assert said.code == 1
    assert "422 invalid_options" in said.err
    assert "errors 2" in said.out


def test_percentiles_of_nothing_are_zero() -> None:
    assert percentile([], 99) == 0.0
    assert percentile([0.001, 0.002, 0.003], 50) == 2.0
    assert percentile([0.001] * 98 + [0.5, 0.6], 99) == 600.0


class _Killable:
    """A service whose process and whose server can be killed as a power cut would."""

    def __init__(self, directory: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self.url = f"http://127.0.0.1:{self._port}"
        self._directory = directory
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        words = ["serve", "--port", str(self._port), "--data-dir", str(self._directory)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "service.cli", *words],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=2):
                    return
            except OSError:
                time.sleep(0.02)
        raise AssertionError("the service does not get ready")

    def kill(self) -> None:
        assert self._process is not None
        with Redis(unix_socket_path=str(self._directory / "server.sock"), protocol=2) as client:
            server = int(client.info("server")["process_id"])
        os.kill(self._process.pid, signal.SIGKILL)
        os.kill(server, signal.SIGKILL)
        self._process.wait(10)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(20)


def _wait_for(record: Path, moves: int) -> int:
    """Return the number of acknowledged moves once there are so many."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        found = record.read_bytes().count(b"\n")
        if found >= moves:
            return found
        time.sleep(0.02)
    raise AssertionError("the swarm does not play")


@pytest.fixture
def killable() -> Iterator[_Killable]:
    with short_directory() as directory:
        service = _Killable(directory)
        service.start()
        try:
            yield service
        finally:
            service.stop()


def test_no_acknowledged_move_is_lost_when_service_and_server_are_killed(
    stele: Run, killable: _Killable, tmp_path: Path
) -> None:
    record = tmp_path / "moves.jsonl"
    words = ["swarm", "--url", killable.url, "--matches", "4", "--concurrency", "4", "--json"]
    record.touch()
    with subprocess.Popen(
        [sys.executable, "-m", "service.cli", *words, "--duration", "30", "--record", str(record)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as swarm:
        try:
            for moves in (60, 150):
                before = _wait_for(record, moves)
                killable.kill()
                killable.start()
            out, errors = swarm.communicate(timeout=60)
        finally:
            swarm.kill()
    assert (swarm.returncode, errors) == (0, b"")
    assert msgspec.json.decode(out)["errors"] == 0
    samples = _samples(record)
    assert len(samples) > before + 30  # the matches went on
    for match in {sample.match for sample in samples}:
        log = _log(stele, killable.url, match)
        assert _missing(log, [one for one in samples if one.match == match]) == []


def test_a_swarm_is_a_program(running: Service) -> None:
    said = program("swarm", "--url", running.url, "--duration", 1, "--matches", 1)
    assert said.code == 0
    assert said.out.startswith("chrononauts: ")
