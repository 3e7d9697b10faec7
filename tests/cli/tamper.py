"""Logs changed by somebody who knows how the hashes are made."""

import json
from hashlib import sha256
from typing import Any

Lines = list[dict[str, Any]]


def parsed(text: bytes) -> Lines:
    return [json.loads(line) for line in text.splitlines()]


def canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def chained(lines: Lines) -> bytes:
    """Return the text with hashes that fit."""
    text = [canonical(lines[0])]
    previous = sha256(text[0]).hexdigest()
    for line in lines[1:]:
        bare = {key: value for key, value in line.items() if key != "hash"}
        previous = sha256(previous.encode() + canonical(bare)).hexdigest()
        text.append(canonical({**bare, "hash": previous}))
    return b"\n".join(text) + b"\n"


def find(lines: Lines, type: str, number: int = 0) -> int:
    """Return the place of the event of that type; line numbers are one more."""
    return [at for at, line in enumerate(lines) if line.get("type") == type][number]
