"""Look through the tracked files for secrets, registry hosts and paths of one machine.

The patterns are built from parts, so that this file passes its own check.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent


class Finding(NamedTuple):
    line: int
    problem: str


def any_of(*words: str) -> str:
    return "(?:" + "|".join(words) + ")"


SECRET_NAME = any_of(
    "token", "secret", "passw(?:or)?d", "api_?key", "private_?key", "signing_?keys?"
)
REGISTRY_HOSTS = (
    ("pypi", "org"),
    ("files", "pythonhosted", "org"),
    ("registry", "npmjs", "org"),
    ("registry", "yarnpkg", "com"),
    ("deb", "debian", "org"),
    ("security", "debian", "org"),
    ("archive", "ubuntu", "com"),
)

PATTERNS: dict[str, re.Pattern[str]] = {
    "private key": re.compile("-----BEGIN [A-Z ]*" + "PRIVATE KEY"),
    "signed token": re.compile(r"\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"),
    "access token": re.compile(
        r"\b(?:AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{36}|xox[abpr]-\w{10,})"
    ),
    # A digit is asked for, so that a long name or type on the right is no finding.
    "secret value": re.compile(
        rf"(?i){SECRET_NAME}\w*[\"']?\s*[:=]\s*[\"']?(?=[^\s\"']*[0-9])[a-z0-9+/_-]{{40,}}"
    ),
    "registry host": re.compile(
        r"(?i)(?<![\w-])" + any_of(*(r"\.".join(parts) for parts in REGISTRY_HOSTS)) + r"(?![\w-])"
    ),
    "address in a lock file": re.compile(r'"resolved": *"(?:https?|file):'),
    "path of one machine": re.compile(
        r"(?<![\w.~})-])/" + any_of("work/", "root/", r"home/\w", r"Users/\w")
    ),
}


def findings(text: str) -> Iterator[Finding]:
    """Yield what should not be in the text, first line first."""
    for number, line in enumerate(text.splitlines(), start=1):
        for problem, pattern in PATTERNS.items():
            if pattern.search(line):
                yield Finding(number, problem)


def tracked_files(root: Path) -> Iterator[Path]:
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True, text=True
    ).stdout
    for name in filter(None, names.split("\0")):
        path = root / name
        if path.is_file():
            yield path


def main() -> int:
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        print("check_secrets: left out, it needs git and a clone to know the tracked files")
        return 0
    found = [
        f"{path.relative_to(ROOT)}:{finding.line}: {finding.problem}"
        for path in tracked_files(ROOT)
        for finding in findings(path.read_text(encoding="utf-8", errors="replace"))
    ]
    # The finding itself is not printed: a log is no better place for it.
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
