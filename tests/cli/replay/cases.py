"""What `stele replay` prints of golden logs, and of the match whose picture is in the README.

`python -m tests.cli.replay.cases` writes both again.
Read the difference before committing it: these files are what users see.
"""

import contextlib
import io
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from service.cli import main

HERE = Path(__file__).parent
LOGS = HERE.parents[1] / "golden" / "logs"
README = HERE.parents[2] / "README.md"
PLAY = re.compile(r"^\.venv/bin/stele (simulate .*) --out logs$", re.MULTILINE)
PICTURE = re.compile(
    r"(^What `\.venv/bin/stele replay logs/\*(.*)` prints.*\n\n```\n)(?:.*\n)*?(?=```$)",
    re.MULTILINE,
)

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
    return said("replay", LOGS / log, *words)


def said(*words: object) -> str:
    """Return what a command prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([str(word) for word in words]) == 0
    return out.getvalue()


def drawn(readme: str) -> str:
    """Return the README with the picture that its commands print."""
    (play,) = PLAY.findall(readme)
    ((heading, words),) = PICTURE.findall(readme)
    name, *options = words.split()
    with TemporaryDirectory() as directory:
        said(*play.split(), "--out", directory)
        (log,) = Path(directory).glob(f"*{name}")
        picture = said("replay", log, *options)
    return PICTURE.sub(lambda _: heading + picture, readme)


if __name__ == "__main__":
    README.write_text(drawn(README.read_text(encoding="utf-8")), encoding="utf-8")
    for case in CASES:
        (HERE / f"{case}.txt").write_text(printed(case), encoding="utf-8")
