from pathlib import Path

import pytest
from msgspec.structs import replace

from bench.machine import machine
from bench.report import page, text
from bench.run import MEASUREMENTS
from bench.table import LINES, NOT_BUILT, Row, rows, verdict
from service.cli import bench
from tests.cli.conftest import Run

CONTRACT = {
    "random playout, Chrononauts, one core": (8_000, 25_000),
    "random playout, Ancient Knowledge, one core": (5_000, 15_000),
    "fold of stored events, decode excluded": (150_000, 400_000),
    "cold load of a 400-event match, p50": (10, 4),
    "move over REST, one worker, 32 matches": (1_000, 3_500),
    "the same, p99": (50, 25),
    "the same move over GraphQL": (500, 1_500),
    "board query, GraphQL": (600, 1_500),
    "board query, REST": (2_000, 4_000),
    "board query, REST 304": (5_000, 8_000),
    "one event to 1,000 subscribers, p99": (250, 100),
    "memory a subscriber": (80, 40),
    "latency of a move at version 1,000 against version 20": (1.2, 1.05),
    "stored bytes a decision": (600, 250),
    "start to ready with embedded server": (3, 1.5),
}


def test_there_is_a_line_for_every_promise() -> None:
    assert {line.name: (line.floor, line.goal) for line in LINES} == CONTRACT


def test_every_measurement_can_be_chosen() -> None:
    assert set(bench.MEASUREMENTS) == set(MEASUREMENTS)


def test_the_report_has_the_promised_fields(stele: Run, tmp_path: Path) -> None:
    out = tmp_path / "performance.md"
    words = [word for name in ("playout", "fold", "load") for word in ("--only", name)]
    said = stele("bench", "--tiny", "--json", "--out", out, *words)
    assert (said.code, said.err) == (0, "")
    assert set(said.json) == {"machine", "rows"}
    found = {row["name"]: row for row in said.json["rows"]}
    for name, row in found.items():
        assert set(row) - {"note"} == {"name", "value", "unit", "floor", "goal"}
        assert (row["floor"], row["goal"]) == CONTRACT[name]
        assert (row["value"] is None) == (row.get("note") == NOT_BUILT)
    assert found["fold of stored events, decode excluded"]["value"] > 0
    lines = out.read_text().splitlines()
    assert lines[0] == "# Performance"
    assert sum(line.startswith("|") for line in lines) == len(found) + 2


@pytest.mark.parametrize("name", ["rest", "graphql", "views", "growth", "subscribers"])
def test_the_load_generator_plays(name: str, stele: Run) -> None:
    said = stele("bench", "--tiny", "--json", "--only", name)
    assert (said.code, said.err) == (0, "")
    assert said.json["rows"]
    assert all(row["value"] > 0 for row in said.json["rows"] if row["unit"] != "KiB")


def test_the_page_names_the_machine() -> None:
    here = machine()
    found = rows({"fold": 500_000.0, "growth": 1.1, "rest.rate": 900.0, "subscribers.p99": None})
    for said in (text(here, found), page(here, found, 32)):
        assert f"{here.cpu}, {here.cores} core" in said
        assert f"Python {here.python}, {here.date}" in said
        assert "500,000 events/s" in said
        assert NOT_BUILT in said


@pytest.mark.parametrize(
    ("value", "floor", "goal", "said"),
    [
        (30_000.0, 8_000, 25_000, "goal"),
        (9_000.0, 8_000, 25_000, "floor"),
        (7_000.0, 8_000, 25_000, "below the floor"),
        (1.0, 3, 1.5, "goal"),
        (2.0, 3, 1.5, "floor"),
        (4.0, 3, 1.5, "below the floor"),
        (None, 3, 1.5, NOT_BUILT),
    ],
)
def test_how_far_a_figure_reaches(
    value: float | None, floor: float, goal: float, said: str
) -> None:
    note = NOT_BUILT if value is None else None
    assert verdict(Row("what", value, "s", floor, goal, note)) == said


def test_an_installed_stele_has_no_bench(
    stele: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(bench, "ROOT", tmp_path)
    said = stele("bench")
    assert said.code == 1
    assert "run `make bench` in a clone" in said.err


def test_a_busy_machine_is_called_so() -> None:
    quiet, busy = replace(machine(), load=0.1), replace(machine(), load=3.5)
    assert "busy" not in text(quiet, ())
    assert "others kept it busy (load 3.5), so figures are too low" in page(busy, (), 32)
