"""Check `stele-log` files without Stele: hash chain, versions and the shuffle commitment.

    python verify_log.py LOG...

Needs Python 3.9 or newer and nothing else. Exits with 0 if every log is sound, 1 if one is not,
2 if it was called wrongly. Whether every answer was legal: `stele verify` checks that too.
"""

import hashlib
import json
import sys
from typing import Any, Dict, List, Optional  # noqa: UP035  # for Python 3.9

Line = Dict[str, Any]  # noqa: UP006


class Fault(Exception):
    """The first bad line and what is wrong with it."""


def canonical(value: Line) -> bytes:
    """Return the one way to write a JSON value: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def parsed(row: bytes, number: int) -> Line:
    """Return the JSON object on a line."""
    try:
        value = json.loads(row.decode("utf-8"))
        canonical(value)
    except (ValueError, RecursionError):
        raise Fault(f"line {number}: not JSON in UTF-8, or cut off") from None
    if not isinstance(value, dict):
        raise Fault(f"line {number}: not a JSON object")
    return value


def check(text: bytes) -> int:
    """Return the number of events of a sound log; raise Fault for another."""
    rows = text.split(b"\n")
    if not rows[-1]:
        rows.pop()
    if not rows:
        raise Fault("line 1: the file is empty")
    header = parsed(rows[0], 1)
    if header.get("format") != "stele-log" or header.get("v") != 1:
        raise Fault("line 1: this is no stele-log of version 1")
    previous = hashlib.sha256(canonical(header)).hexdigest()
    for number, row in enumerate(rows[1:], start=2):
        line = parsed(row, number)
        if line.get("version") != number - 1:
            raise Fault(f"line {number}: version {line.get('version')!r} where {number - 1} is due")
        stated = line.pop("hash", None)
        previous = hashlib.sha256(previous.encode() + canonical(line)).hexdigest()
        if stated != previous:
            raise Fault(f"line {number}: the hash does not fit")
        check_commitment(line, header.get("commitment"), number)
    events = len(rows) - 1
    if header.get("events") != events:
        raise Fault(f"line {len(rows)}: {events} events, the header says {header.get('events')!r}")
    return events


def check_commitment(line: Line, committed: Optional[str], number: int) -> None:  # noqa: UP045
    """Raise Fault if the commitment, or the seed and salt shown, are not those of the header."""
    data = line.get("data")
    if line.get("type") not in ("match.started", "match.finished") or not isinstance(data, dict):
        return
    if data.get("commitment", committed) != committed:
        raise Fault(f"line {number}: the header shows another commitment")
    seed, salt = data.get("seed", ""), data.get("salt", "")
    if not seed and not salt:
        return
    try:
        secret = bytes.fromhex(seed) + bytes.fromhex(salt)
    except (TypeError, ValueError):
        raise Fault(f"line {number}: seed and salt are not hexadecimal") from None
    if hashlib.sha256(secret).hexdigest() != committed:
        raise Fault(f"line {number}: seed and salt are not those of the commitment")


def main(paths: List[str]) -> int:  # noqa: UP006
    """Check every file and return the exit code."""
    code = 0 if paths else 2
    if not paths:
        print("usage: python verify_log.py LOG...", file=sys.stderr)
    for path in paths:
        try:
            with open(path, "rb") as file:
                print(f"{path}: sound, {check(file.read())} events")
        except (Fault, OSError) as fault:
            print(f"{path}: {fault}", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
