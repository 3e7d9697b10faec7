"""What `stele replay` prints of golden logs: `python -m tests.cli.replay.cases` writes it again.

Read the difference before committing it: these files are what users see.
"""

import contextlib
import io
from pathlib import Path

from service.cli import main

HERE = Path(__file__).parent
LOGS = HERE.parents[1] / "golden" / "logs"

CASES: dict[str, tuple[str, ...]] = {
    "all.en": ("standard-3.jsonl", "--at", "300"),
    "all.ja": ("standard-3.jsonl", "--at", "300", "--locale", "ja"),
    "seat.en": ("standard-3.jsonl", "--at", "301", "--as", "1"),
    "seat.ja": ("standard-3.jsonl", "--at", "301", "--as", "1", "--locale", "ja"),
    "spectator.en": ("standard-3.jsonl", "--as", "spectator"),
    "open.en": ("quarrel-4.jsonl", "--at", "3"),
    "quarrel.en": ("quarrel-4.jsonl",),
    "quarrel.ja": ("quarrel-4.jsonl", "--as", "2", "--locale", "ja"),
    "artifaxx.en": ("artifaxx-4.jsonl", "--at", "120"),
    "solonauts.ja": ("solonauts.jsonl", "--at", "150", "--locale", "ja"),
}


def printed(name: str) -> str:
    """Return what the command of a case prints."""
    log, *words = CASES[name]
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main(["replay", str(LOGS / log), *words]) == 0
    return out.getvalue()


if __name__ == "__main__":
    for case in CASES:
        (HERE / f"{case}.txt").write_text(printed(case), encoding="utf-8")
