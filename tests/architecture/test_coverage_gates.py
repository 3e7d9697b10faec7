import json
from pathlib import Path

from scripts.coverage_gates import FileCoverage, check, describe_missing, read


def covered(share: int, of: int = 10_000) -> FileCoverage:
    return FileCoverage(share, of, missing_lines=(3, 4, 5, 9), missing_branches=((8, 9), (11, -2)))


def test_every_part_at_its_gate_passes() -> None:
    files = {
        "domain/engine/zones.py": covered(10_000),
        "schema/types.py": covered(10_000),
        "domain/games/toy/turn.py": covered(9_500),
        "service/app.py": covered(9_500),
    }
    assert check(files)[0]


def test_almost_everything_is_not_everything() -> None:
    passed, lines = check({"domain/engine/zones.py": covered(9_999)})
    assert not passed
    assert lines[1] == "  domain/engine/zones.py: 3-5, 9, 11->exit"


def test_a_gate_looks_at_all_its_files_together() -> None:
    files = {"service/app.py": covered(9_000), "service/rest.py": covered(10_000)}
    assert check(files)[0]


def test_the_engine_does_not_lift_the_games() -> None:
    files = {"domain/engine/zones.py": covered(10_000), "domain/games/toy/turn.py": covered(9_000)}
    assert not check(files)[0]


def test_missing_branches_are_named_once() -> None:
    assert describe_missing(FileCoverage(1, 3, (), ((4, 6),))) == "4->6"


def test_a_report_is_read_with_lines_and_branches(tmp_path: Path) -> None:
    file = {
        "summary": {
            "covered_lines": 3,
            "num_statements": 4,
            "covered_branches": 1,
            "num_branches": 2,
        },
        "missing_lines": [7],
        "missing_branches": [[6, 7]],
    }
    report = tmp_path / "coverage.json"
    report.write_text(json.dumps({"files": {"service\\app.py": file}}), encoding="utf-8")
    assert read(report) == {"service/app.py": FileCoverage(4, 6, (7,), ((6, 7),))}
