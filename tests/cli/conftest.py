import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from bench.served import Service, service
from service.cli import main

ROOT = Path(__file__).resolve().parents[2]


class Said(Struct, frozen=True):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Said]


@pytest.fixture
def stele(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in this process."""

    def run(*words: object) -> Said:
        capsys.readouterr()
        try:
            code = main([str(word) for word in words])
        except SystemExit as ended:  # argparse ends this way
            code = ended.code if isinstance(ended.code, int) else 1
        said = capsys.readouterr()
        return Said(code, said.out, said.err)

    return run


def program(*words: object, env: Mapping[str, str] | None = None, timeout: float = 60) -> Said:
    """Run a command as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "service.cli", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, **(env or {})},
        capture_output=True,
        timeout=timeout,
        check=False,
    )
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a directory with three full logs of three seats each."""
    directory = tmp_path_factory.mktemp("logs")
    words = ["simulate", "--bot", "greedy", "--matches", "3", "--seed", "7", "--json"]
    assert main([*words, "--out", str(directory)]) == 0
    return directory


@pytest.fixture(scope="session")
def log(logs: Path) -> Path:
    """Give one full log."""
    return sorted(logs.iterdir())[0]


@pytest.fixture(scope="session")
def running() -> Iterator[Service]:
    """Give a running service."""
    with service() as one:
        yield one
