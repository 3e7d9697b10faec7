"""The guide for the first use, typed in as it stands."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kit.processes import running
from tests.kit.servers import short_directory

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "first-use.md"
TOOLS = ("bash", "curl", "jq")


@pytest.mark.skipif(
    any(shutil.which(tool) is None for tool in TOOLS),
    reason="the first-use guide is typed in with bash, curl and jq; .ci/run installs them",
)
def test_every_block_of_the_guide_works_as_it_stands() -> None:
    blocks = re.findall(r"```sh\n(.*?)```", GUIDE.read_text("utf-8"), re.DOTALL)
    assert len(blocks) > 8
    with short_directory() as directory, running(directory / "data") as service:
        steps = "\n".join(f"{block}\necho '--- done {n}'" for n, block in enumerate(blocks))
        script = steps.replace("http://127.0.0.1:8000", service.url)
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr == ""
    answers = re.split(r"--- done \d+\n", done.stdout)
    # Only the last request is refused, as the guide says.
    assert [n for n, answer in enumerate(answers) if "/docs/errors#" in answer] == [len(blocks) - 1]
    assert "\n304\n" in done.stdout
    assert not re.search(r'"?errors"?: ?\[', "".join(answers[:-2]))
