"""Say what breaks the clients of the last promise; accept a break, or promise what is new.

    python -m scripts.compatibility                    exit 1 if something breaks
    python -m scripts.compatibility --accept REASON    note today's breaks as wanted
    python -m scripts.compatibility --promise          make today's contract the baseline

A break that is wanted is accepted with its reason in `tests/contract_guard/accepted.json`, and told
in CHANGELOG.md under *Changed*. A release promises: then the breaks accepted before are history.
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

from scripts.compatibility.contract import BASELINE, ROOT, breaks, files

ACCEPTED = BASELINE.parent / "accepted.json"


def accepted() -> dict[str, str]:
    """Return the reason of every break that is wanted."""
    reasons: dict[str, str] = json.loads(ACCEPTED.read_text("utf-8"))
    return reasons


def unwanted() -> list[str]:
    """Return the breaks that nobody has accepted."""
    reasons = accepted()
    return [sentence for sentence in breaks(BASELINE, ROOT) if sentence not in reasons]


def accept(reason: str) -> None:
    """Note today's breaks as wanted."""
    _write(ACCEPTED, {**accepted(), **dict.fromkeys(unwanted(), reason)})


def promise() -> None:
    """Make today's contract the baseline."""
    shutil.rmtree(BASELINE, ignore_errors=True)
    for path in files(ROOT):
        (BASELINE / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, BASELINE / path)
    _write(ACCEPTED, {})


def _write(path: Path, value: dict[str, str]) -> None:
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", "utf-8")


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.compatibility", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--accept", metavar="REASON", help="note today's breaks as wanted")
    what.add_argument("--promise", action="store_true", help="make today's contract the baseline")
    given = parser.parse_args(words)
    if given.accept:
        accept(given.accept)
    elif given.promise:
        if found := unwanted():
            return _tell(found)
        promise()
    elif found := unwanted():
        return _tell(found)
    return 0


def _tell(found: list[str]) -> int:
    print("\n".join(found), file=sys.stderr)
    print(
        "these break clients: add instead of changing, or accept them with a reason "
        "(python -m scripts.compatibility --help)",
        file=sys.stderr,
    )
    return 1


if __name__ == "__main__":
    sys.exit(main())
