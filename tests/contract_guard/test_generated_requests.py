"""Schemathesis against the service as it is run: no server error, nothing undocumented.

`GENERATED_EXAMPLES` is how many requests are made up for each operation; the same every run.
"""

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

pytestmark = pytest.mark.timeout(SECONDS)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with short_directory() as directory, running(directory / "data") as service:
        yield service.url


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
    done = subprocess.run(
        [
            Path(sys.executable).with_name("schemathesis"),
            f"--config-file={ROOT}/tests/contract_guard/schemathesis.toml",
            "run",
            ROOT / contract,
            f"--url={url}{path}",
            f"--checks={checks}",
            "--exclude-checks=negative_data_rejection",  # `wrong_requests_are_refused` calls it
            f"--max-examples={EXAMPLES}",
        ],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "SCHEMATHESIS_HOOKS": f"tests.contract_guard.{hooks}",
            "STELE_URL": url,
        },
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    assert " passed" in done.stdout
