"""What needs Node or Chromium: the pages in a browser, the audit of GraphQL, generated clients."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.processes import running
from tests.kit.servers import short_directory

HERE = Path(__file__).resolve().parent
CLIENT = HERE.parents[1] / "clients" / "typescript"
INSTALL = ("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error")

pytestmark = pytest.mark.timeout(600)


def run(*words: str, cwd: Path = HERE) -> str:
    """Run a command and return what it printed; it has to succeed."""
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The address of a service as it is run."""
    with short_directory() as directory, running(directory / "data") as service:
        yield service.url


@pytest.fixture(scope="module", autouse=True)
def _packages() -> None:
    run(*INSTALL)


def test_pages_load_in_a_browser_and_ask_no_other_host(url: str) -> None:
    assert "pages are in order" in run("node", "pages.mjs", url)


def test_the_audit_of_graphql_over_http_finds_nothing(url: str) -> None:
    assert "rules are kept" in run("node", "audit.mjs", f"{url}/graphql")


def test_generated_clients_compile_and_play_a_match(url: str) -> None:
    run(*INSTALL, cwd=CLIENT)
    run("npm", "run", "generate", cwd=CLIENT)
    run("npm", "run", "build", cwd=CLIENT)
    played = run("node", "build/play.js", url, cwd=CLIENT).splitlines()
    assert [line.split(":")[0] for line in played] == ["REST", "GraphQL"]
