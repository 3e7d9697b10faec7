"""Schemathesis against the service as it is run: no server error, nothing undocumented.

`GENERATED_EXAMPLES` is how many requests are made up for each operation; the same every run.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.processes import running
from tests.kit.servers import short_directory

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = os.environ.get("GENERATED_EXAMPLES", "6")
SECONDS = 60 + 30 * int(EXAMPLES)
# Each refusal of a GraphQL field is a server error to `not_a_server_error`; ours have codes.
GRAPHQL_CHECKS = "known_refusals,response_schema_conformance,content_type_conformance"

CHAIN = ("createMatch", "takeSeat", "match", "legalMoves", "move", "events")

pytestmark = pytest.mark.timeout(SECONDS)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with short_directory() as directory, running(directory / "data") as service:
        yield service.url


def generate(url: str, hooks: str, place: Path, *options: str, config: str = "schemathesis") -> str:
    """Run Schemathesis and return what it prints; nothing may be wrong."""
    done = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            f"--config-file={ROOT}/tests/contract_guard/{config}.toml",
            "run",
            *options,
            "--exclude-checks=negative_data_rejection",  # `wrong_requests_are_refused` calls it
        ],
        cwd=place,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "SCHEMATHESIS_HOOKS": f"tests.contract_guard.{hooks}",
            "STELE_URL": url,
            "GENERATED_COUNTS": str(place / "counts.json"),
        },
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("contract", "path", "checks"),
    [
        ("openapi/openapi.yaml", "", "all"),
        ("schema/schema.graphql", "/graphql", GRAPHQL_CHECKS),
    ],
    ids=["rest", "graphql"],
)
def test_made_up_requests_get_documented_answers(
    url: str, contract: str, path: str, checks: str, tmp_path: Path
) -> None:
    hooks = "graphql_hooks" if path else "rest_hooks"
    options = (f"--url={url}{path}", f"--checks={checks}", f"--max-examples={EXAMPLES}")
    assert " passed" in generate(url, hooks, tmp_path, str(ROOT / contract), *options)


def test_links_lead_from_a_new_match_to_its_moves(url: str, tmp_path: Path) -> None:
    """Walk along the links of the document, with tokens: matches are laid out and played."""
    options = [f"--url={url}", "--checks=all", "--phases=stateful"]
    options += [f"--include-operation-id={name}" for name in CHAIN]
    options.append(f"--max-examples={2 * int(EXAMPLES)}")
    contract = str(ROOT / "openapi/openapi.yaml")
    assert " passed" in generate(url, "rest_hooks", tmp_path, contract, *options, config="links")
    counts = json.loads((tmp_path / "counts.json").read_text("utf-8"))
    assert counts["createMatch 201"] >= 1
    assert counts["takeSeat 200"] >= 1
    assert counts["legalMoves 200"] >= 10
    assert counts["move 200"] >= 10
