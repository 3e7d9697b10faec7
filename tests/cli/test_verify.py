import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from schema import log as format
from tests.cli.conftest import ROOT, Run
from tests.cli.tamper import Lines, chained, find, parsed

ALONE = ROOT / "docs" / "verify_log.py"


def _alone(*paths: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(ALONE), *map(str, paths)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_simulated_logs_verify(stele: Run, logs: Path) -> None:
    said = stele("verify", logs)
    assert said.code == 0
    assert said.out.startswith("3 logs, ")
    assert said.out.endswith(" events: all good\n")
    assert stele("corpus", "check", logs).out == said.out
    assert stele("verify", *sorted(logs.iterdir()), "--jobs", 2).out == said.out


def test_the_report_has_the_promised_fields(stele: Run, log: Path, tmp_path: Path) -> None:
    said = stele("verify", log, "--json")
    events = len(log.read_bytes().splitlines()) - 1
    assert said.json == {"files": 1, "events": events, "ok": True, "problems": []}
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(log.read_bytes()[:-40])
    said = stele("verify", log, cut, "--json")
    assert said.code == 1
    problem = {
        "file": str(cut),
        "line": events + 1,
        "version": events,
        "reason": "the line is cut off in the middle",
    }
    assert said.json == {"files": 2, "events": events, "ok": False, "problems": [problem]}


def _answered(lines: Lines) -> int:
    at = find(lines, "choice.made", 3)
    lines[at]["data"]["picks"] = ["play:T-FAST-FORWARD", "play:T-REWIND"]
    return at + 1


def _drawn(lines: Lines) -> int:
    at = find(lines, "chrononauts.cards_drawn", 2)
    lines[at]["data"]["cards"] = ["T-MEMO"]
    return at + 1


def _stacked(lines: Lines) -> int:
    at = find(lines, "chrononauts.set_up")
    lines[at]["data"]["draw"].reverse()
    return at + 1


def _salted(lines: Lines) -> int:
    at = find(lines, "match.started")
    lines[at]["data"]["salt"] = "00" * 32
    return at + 1


def _renamed(lines: Lines) -> int:
    lines[0]["seats"][0]["player"] = "somebody else"
    return 1


def _won(lines: Lines) -> int:
    at = find(lines, "match.finished")
    lines[at]["data"]["outcome"]["winners"] = [2, 1]
    return at + 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_answered, "choice.made is not allowed here: pick between "),
        (_drawn, "chrononauts.cards_drawn has another result than the rules make: cards"),
        (_stacked, "chrononauts.set_up has another result than the rules make: draw"),
        (_salted, "the shuffle commitment is not that of seed and salt"),
        (_renamed, "header: seats is not what the events say"),
        (_won, "match.finished has another result than the rules make: outcome"),
    ],
)
def test_what_is_changed_is_found_even_if_the_hashes_fit(
    stele: Run, log: Path, tmp_path: Path, change: Callable[[Lines], int], reason: str
) -> None:
    lines = parsed(log.read_bytes())
    number = change(lines)
    path = tmp_path / "tampered.jsonl"
    path.write_bytes(chained(lines))
    said = stele("verify", path)
    assert said.code == 1
    assert said.err.startswith(f"stele: {path}: line {number}: {reason}")
    assert said.err.count("\n") == 1
    assert said.out.endswith("1 bad\n")


def test_a_changed_line_is_found_by_its_hash(stele: Run, log: Path, tmp_path: Path) -> None:
    path = tmp_path / "changed.jsonl"
    rows = log.read_bytes().splitlines(keepends=True)
    rows[20] = rows[20].replace(b'"at":', b'"at":1', 1)
    path.write_bytes(b"".join(rows))
    reason = "line 21: the hash does not fit: this line or the one before was changed"
    assert stele("verify", path).err == f"stele: {path}: {reason}\n"


def test_a_redacted_log_is_checked_as_far_as_it_goes(stele: Run, log: Path, tmp_path: Path) -> None:
    full = format.read(log.read_bytes())
    for viewer, whose in ((None, "a spectator"), (2, "seat 2")):
        path = tmp_path / f"{viewer}.jsonl"
        path.write_bytes(format.write(format.redacted(full, viewer)))
        said = stele("verify", path)
        assert said.code == 0
        assert said.out.startswith(f"{path}: redacted for {whose}: chain, versions and fold are")
        assert _alone(path).returncode == 0


def test_a_redacted_log_with_another_salt_is_found(stele: Run, log: Path, tmp_path: Path) -> None:
    full = format.read(log.read_bytes())
    lines = parsed(format.write(format.redacted(full, 0)))
    at = find(lines, "match.finished")
    lines[at]["data"]["salt"] = "00" * 32
    path = tmp_path / "salted.jsonl"
    path.write_bytes(chained(lines))
    said = stele("verify", path)
    assert said.code == 1
    assert f"line {at + 1}: the shuffle commitment is not that of seed and salt" in said.err
    assert f"line {at + 1}: seed and salt are not those" in _alone(path).stderr


def test_a_directory_without_logs_is_wrong_usage(stele: Run, tmp_path: Path) -> None:
    said = stele("corpus", "check", tmp_path)
    assert said.code == 2
    assert "there is no log (*.jsonl) below it" in said.err


def _cut(text: bytes) -> bytes:
    return text[:-30]


def _short(text: bytes) -> bytes:
    return b"".join(text.splitlines(keepends=True)[:-2])


def _gap(text: bytes) -> bytes:
    rows = text.splitlines(keepends=True)
    return b"".join(rows[:8] + rows[9:])


def _false(text: bytes) -> bytes:
    rows = text.splitlines(keepends=True)
    return b"".join([*rows[:8], rows[8].replace(b'"seat":', b'"seat":1', 1), *rows[9:]])


def _noise(text: bytes) -> bytes:
    rows = text.splitlines(keepends=True)
    return b"".join([*rows[:8], b"{oops\n", *rows[9:]])


def _other(text: bytes) -> bytes:
    return text.replace(b'"stele-log"', b'"another"', 1)


@pytest.mark.parametrize("change", [_cut, _short, _gap, _false, _noise, _other, lambda _: b""])
def test_the_script_that_stands_alone_names_the_same_line(
    stele: Run, log: Path, tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(change(log.read_bytes()))
    said, alone = stele("verify", path, "--json"), _alone(path)
    assert (said.code, alone.returncode) == (1, 1)
    (problem,) = said.json["problems"]
    assert f"{path}: line {problem['line']}: " in alone.stderr
    assert alone.stderr.count("\n") == 1


def test_the_script_that_stands_alone_passes_good_logs(logs: Path) -> None:
    paths = sorted(logs.iterdir())
    done = _alone(*paths)
    assert done.returncode == 0
    assert [line.split(": ")[1].split(",")[0] for line in done.stdout.splitlines()] == ["sound"] * 3
    assert _alone().returncode == 2
    assert _alone(logs / "none.jsonl").returncode == 1


def test_the_script_that_stands_alone_is_short_and_needs_nothing() -> None:
    text = ALONE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 100
    imports = {line.split()[1] for line in text.splitlines() if line.startswith(("import", "from"))}
    assert imports <= sys.stdlib_module_names


def test_a_false_salt_is_found_by_the_script_too(log: Path, tmp_path: Path) -> None:
    lines: list[dict[str, Any]] = parsed(log.read_bytes())
    number = _salted(lines)
    path = tmp_path / "salted.jsonl"
    path.write_bytes(chained(lines))
    done = _alone(path)
    assert done.returncode == 1
    assert f"line {number}: seed and salt are not those of the commitment" in done.stderr
