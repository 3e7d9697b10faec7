import json

from tests.cli.conftest import Run
from tests.golden.logs.grow import DIGESTS, HERE, PLANS, QUARREL, digest


def test_golden_logs_verify_under_this_build(stele: Run) -> None:
    said = stele("corpus", "check", HERE, "--json")
    assert said.err == ""
    assert said.json["ok"] is True
    assert said.json["files"] >= len(PLANS) + 1


def test_golden_logs_fold_to_the_state_that_was_recorded() -> None:
    recorded = json.loads(DIGESTS.read_text())
    assert {path.name: digest(path.read_bytes()) for path in HERE.glob("*.jsonl")} == recorded


def test_golden_logs_only_ever_grow() -> None:
    names = {path.stem for path in HERE.glob("*.jsonl")}
    assert names >= {*PLANS, QUARREL}
