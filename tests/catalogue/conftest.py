from collections.abc import Callable
from pathlib import Path

import pytest

from service.cli import main

Stele = Callable[..., tuple[int, str, str]]
Operator = Callable[..., Path]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Operator:
    """Write files of an operator's directory, and name it in the setting."""

    def put(**files: str | bytes) -> Path:
        folder = tmp_path / "own" / "chrononauts"
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            path = folder / f"{name.replace('_', '.')}.csv"
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        monkeypatch.setenv("STELE_CATALOGUE_DIR", str(folder.parent))
        return folder

    monkeypatch.delenv("STELE_CATALOGUE_DIR", raising=False)
    return put


@pytest.fixture
def stele(capfdbinary: pytest.CaptureFixture[bytes]) -> Stele:
    """Run a `stele catalogue` command on Chrononauts: exit code, output, errors."""

    def run(action: str, *arguments: str | Path) -> tuple[int, str, str]:
        code = main(["catalogue", action, "--game", "chrononauts", *map(str, arguments)])
        out, errors = capfdbinary.readouterr()
        return code, out.decode(), errors.decode()

    return run
