"""Compare a coverage report in JSON with the share of lines and branches each part must reach."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple


class Gate(NamedTuple):
    prefix: str
    percent: int


class FileCoverage(NamedTuple):
    covered: int
    total: int
    missing_lines: tuple[int, ...]
    missing_branches: tuple[tuple[int, int], ...]


# A file counts for the first gate whose prefix it has.
GATES = (
    Gate("domain/engine/", 100),
    Gate("schema/", 100),
    Gate("domain/", 95),
    Gate("service/", 95),
)


def read(report: Path) -> dict[str, FileCoverage]:
    files = json.loads(report.read_text(encoding="utf-8"))["files"]
    return {
        path.replace("\\", "/"): FileCoverage(
            covered=file["summary"]["covered_lines"] + file["summary"]["covered_branches"],
            total=file["summary"]["num_statements"] + file["summary"]["num_branches"],
            missing_lines=tuple(file["missing_lines"]),
            missing_branches=tuple((start, end) for start, end in file["missing_branches"]),
        )
        for path, file in files.items()
    }


def describe_missing(file: FileCoverage) -> str:
    """Return what was not run, for example `12-14, 20, 31->exit`."""
    runs: list[list[int]] = []
    for line in file.missing_lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    lines = [f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs]
    branches = [
        f"{start}->{'exit' if end < 0 else end}"
        for start, end in file.missing_branches
        if start not in file.missing_lines and end not in file.missing_lines
    ]
    return ", ".join(lines + branches)


def check(files: Mapping[str, FileCoverage]) -> tuple[bool, list[str]]:
    """Return whether every gate is passed, and the lines to print."""
    passed = True
    lines: list[str] = []
    left = dict(files)
    for gate in GATES:
        mine = {path: left.pop(path) for path in sorted(left) if path.startswith(gate.prefix)}
        total = sum(file.total for file in mine.values())
        covered = sum(file.covered for file in mine.values())
        # Compared as integers: 99.96 % is not 100 %.
        is_met = covered * 100 >= gate.percent * total
        share = 100 * covered / total if total else 100
        word = "ok" if is_met else "TOO LOW"
        lines.append(f"coverage: {gate.prefix:15} {share:6.2f} % of {gate.percent} %  {word}")
        if not is_met:
            passed = False
            lines.extend(
                f"  {path}: {describe_missing(file)}"
                for path, file in mine.items()
                if file.covered < file.total
            )
    return passed, lines


def main() -> int:
    passed, lines = check(read(Path(sys.argv[1])))
    print("\n".join(lines))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
