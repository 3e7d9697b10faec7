"""Log files on disk: which ones a command means, and whether they are true."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

import domain.games  # noqa: F401  # makes the games known
from domain.engine.audit import audit, audit_redacted
from schema import log
from schema.errors import InvalidLog
from service.cli.console import WrongUsage

PATTERN = "*.jsonl"


class Fault(Struct, frozen=True):
    """The first bad line of a file; `version` is that of the event on it, 0 for the header."""

    file: str
    line: int
    version: int
    reason: str


class Checked(Struct, frozen=True):
    """What checking one file gave; `redacted_for` names the viewer of a log that is not full."""

    file: str
    events: int
    redacted_for: str | None
    faults: tuple[Fault, ...]


def find(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files named, and the logs below the directories named, in order of name."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob(PATTERN))
        elif path.exists():
            yield path
        else:
            raise WrongUsage(f"{path}: there is no such file; name a log that stele exported")


def load(path: Path) -> log.Log:
    """Return the log in a file.

    Raises: InvalidLog, WrongUsage.
    """
    try:
        return log.read(path.read_bytes())
    except OSError as error:
        raise WrongUsage(f"{path}: {error.strerror}; name a log that stele exported") from None


def check(path: Path) -> Checked:
    """Check form, hash chain, legality, fold and commitment of the log in a file."""
    try:
        found = load(path)
    except InvalidLog as error:
        line = error.detail["line"]
        assert isinstance(line, int)
        fault = Fault(str(path), line, max(0, line - 1), str(error.detail["reason"]))
        return Checked(str(path), 0, None, (fault,))
    full = found.header.viewer == "all"
    events = (entry.event for entry in found.entries)
    result = audit(found.commits()) if full else audit_redacted(events)
    faults = [
        Fault(str(path), problem.version + 1, problem.version, problem.reason)
        for problem in result.problems
    ]
    if not faults and result.match is not None:
        faults += [
            Fault(str(path), 1, 0, f"header: {name} is not what the events say")
            for name in log.differences(found.header, result.match)
        ]
    viewer = None if full else str(found.header.viewer)
    return Checked(str(path), len(found.entries), viewer, tuple(faults))
