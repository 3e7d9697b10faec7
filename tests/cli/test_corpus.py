import json
import shutil
from pathlib import Path

from domain.engine.game import game_of
from schema import log
from tests.cli.conftest import Run
from tests.golden.logs.grow import DIGESTS, HERE, MADE, digest, path_of


def ruleset_is_of_this_build(path: Path) -> bool:
    header = log.read(path.read_bytes()).header
    return header.ruleset == game_of(header.game).ruleset


def test_golden_logs_of_the_rulesets_of_this_build_verify(stele: Run, tmp_path: Path) -> None:
    for path in filter(ruleset_is_of_this_build, HERE.glob("*.jsonl")):
        shutil.copy(path, tmp_path)
    said = stele("corpus", "check", tmp_path, "--json")
    assert said.err == ""
    assert said.json["ok"] is True
    assert said.json["files"] == len(MADE)


def test_golden_logs_of_other_rulesets_are_refused_for_nothing_else(stele: Run) -> None:
    older = [path for path in HERE.glob("*.jsonl") if not ruleset_is_of_this_build(path)]
    problems = stele("verify", HERE, "--json").json["problems"]
    assert sorted(problem["file"] for problem in problems) == sorted(map(str, older))
    assert all("is not the one of this build" in problem["reason"] for problem in problems)


def test_golden_logs_fold_to_the_state_that_was_recorded() -> None:
    recorded = json.loads(DIGESTS.read_text())
    assert {path.name: digest(path.read_bytes()) for path in HERE.glob("*.jsonl")} == recorded


def test_golden_logs_only_ever_grow() -> None:
    names = {path.name for path in HERE.glob("*.jsonl")}
    assert names >= {f"{name}.jsonl" for name in MADE}
    assert names >= {path_of(name).name for name in MADE}, "run `python -m tests.golden.logs.grow`"
