"""Stored commits to the portable log and back."""

from collections.abc import Sequence

from domain.engine.audit import audit
from domain.engine.codec import codec, encode
from domain.engine.ids import Viewer
from schema import log
from schema.errors import InvalidLog
from service.matches import new_command
from service.snapshots import Snapshot
from service.store import Commit
from service.tokens import command_key

_LONGEST_COMMAND = 64
_SKEW_MS = 60_000


def to_text(snapshot: Snapshot, commits: Sequence[Commit], viewer: Viewer) -> str:
    """Return the log of a match up to the version of the snapshot, as the viewer may see it."""
    decode = codec(snapshot.match.game).events
    entries = tuple(
        log.Entry(version, commit.at, commit.seat, commit.command, event)
        for commit in commits
        if commit.last <= snapshot.version
        for version, event in enumerate(decode(commit.events), commit.first)
    )
    header = log.to_header(snapshot.match_id, snapshot.match, snapshot.created_at, "all")
    return log.write(log.redacted(log.Log(header, entries), viewer)).decode()


def from_text(text: str, now: int) -> log.Log:
    """Return a full log that has been verified from the first line to the last.

    Raises: InvalidLog.
    """
    found = log.read(text.encode())
    if found.header.viewer != "all":
        raise _fault(1, "the log is redacted; only a full one can be taken in")
    result = audit(found.commits())
    for problem in result.problems:
        raise _fault(problem.version + 1, problem.reason)
    assert result.match is not None
    for name in log.differences(found.header, result.match):
        raise _fault(1, f"header: {name} is not what the events say")
    before = 0
    for number, entry in enumerate(found.entries, 2):
        if not before <= entry.at <= now + _SKEW_MS:
            raise _fault(number, "its time lies before that of the line above or in the future")
        before = entry.at
    return found


def to_commits(found: log.Log, digest: str) -> tuple[Commit, ...]:
    """Return the commits that a log was made of; the first carries the digest."""
    commits: list[Commit] = []
    first = 1
    for events in found.commits():
        entry = found.entries[first - 1]
        commits.append(
            Commit(
                first=first,
                count=len(events),
                at=entry.at,
                seat=entry.seat,
                command=_command(entry.command),
                digest="" if commits else digest,
                events=encode(events),
            )
        )
        first += len(events)
    return tuple(commits)


def _command(command: str | None) -> str:
    if command is None:
        return new_command()
    return command if len(command) <= _LONGEST_COMMAND else command_key("import", command)


def _fault(line: int, reason: str) -> InvalidLog:
    return InvalidLog(f"line {line}: {reason}", line=line, reason=reason)
