"""Write the golden files of the games: `python -m scripts.goldens` (`--check` only compares).

- `perft.json`: how many sequences of legal answers there are, by depth, for each set-up.
- `playthroughs/<set-up>.txt`: one match as text, options in their order, with the log's digest.
- `events/<type>.v<n>.json`, `agendas/<game>.v1.json`: one sample of everything ever stored.

Perft tables and playthroughs change with the rules; they are written again and reviewed like code.
Samples are promises: a stored event must stay readable, so an existing file is never rewritten.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from domain.engine.codec import encode, type_of
from domain.engine.decider import Choose, open_choice
from domain.engine.events import ENGINE_EVENTS, Event
from domain.engine.match import Match
from domain.engine.playout import opening, perft
from tests.kit.matches import ALL_GAMES, CASES, Case, seed_of, walk
from tests.kit.samples import agenda_sample, sample

GOLDEN = Path(__file__).resolve().parents[1] / "tests" / "golden"
SEED = 7
ENOUGH_NODES = 2_000
SHORT = {"chrononauts": {"turnCap": 8}}
"""Options that make a playthrough short enough to be read."""


def perft_table(case: Case) -> list[int]:
    """Return the counts by depth, up to the first one that is large enough."""
    _, match = opening(case.game, case.seats, seed_of(SEED), case.options)
    counts: list[int] = []
    while not counts or (counts[-1] < ENOUGH_NODES and len(counts) < 12):
        counts.append(perft(match, len(counts) + 1))
    return counts


def perft_tables() -> str:
    """Return every table as JSON."""
    tables = {str(case): perft_table(case) for case in CASES}
    lines = [f"  {_json(name)}: {_json(counts)}" for name, counts in tables.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def playthrough(case: Case) -> str:
    """Return a random match as text, its first line the digest of its log."""
    short = case._replace(options={**case.options, **SHORT.get(case.game, {})})
    log, match = opening(short.game, short.seats, seed_of(SEED), short.options)
    lines = list(_event_lines(log, 1))
    for step in walk(short, SEED, concede=2, expire=5):
        lines.append(_question(step.before, step.command))
        lines += _event_lines(step.events, step.before.version + 1)
        log += step.events
        match = step.after
    assert match.outcome is not None
    digest = sha256(encode(log)).hexdigest()
    return "\n".join([f"{short}, seed {SEED}, log {digest}", "", *lines]) + "\n"


def _question(match: Match[Any], command: object) -> str:
    if not isinstance(command, Choose):
        return f"\n{type(command).__name__}"
    choice = open_choice(match, command.seat)
    assert choice is not None
    picks = " ".join(command.steps[0]) or "nothing"
    options = " ".join(option.id for option in choice.options)
    asked = f"seat {choice.seat} {choice.prompt} {choice.min}-{choice.max} of [{options}]"
    return f"\n{asked}: {picks}"


def _event_lines(events: Any, version: int) -> Iterator[str]:
    for number, event in enumerate(events, version):
        data = msgspec.json.decode(encode(event))
        kind = data.pop("type")
        data.pop("agenda", None)
        yield f"  {number} {kind} {_json(data)}"


def samples() -> Iterator[tuple[str, str]]:
    """Yield path and content of the sample of every event and of every word of an agenda."""
    for kind in ENGINE_EVENTS:
        yield _event_file("chrononauts", kind)
    for game in ALL_GAMES:
        for kind in game.events:
            yield _event_file(game.name, kind)
        yield f"agendas/{game.name}.v1.json", _json(agenda_sample(game.name)) + "\n"


def _event_file(game: str, kind: type[Event]) -> tuple[str, str]:
    event = sample(game, kind)
    name, version = type_of(event)
    return f"events/{name}.v{version}.json", _json(event) + "\n"


def _json(value: Struct | object) -> str:
    return encode(value).decode()


def regenerated() -> Iterator[tuple[str, str]]:
    """Yield path and content of the files that follow the rules."""
    yield "perft.json", perft_tables()
    for case in CASES:
        yield f"playthroughs/{case}.txt", playthrough(case)


def main() -> int:
    """Write what is missing or out of date; with `--check`, name it instead."""
    wanted = [(path, text, False) for path, text in samples()]
    wanted += [(path, text, True) for path, text in regenerated()]
    stale = 0
    for path, text, replaceable in wanted:
        file = GOLDEN / path
        if file.exists() and (not replaceable or file.read_text("utf-8") == text):
            continue
        stale += 1
        if "--check" in sys.argv:
            print(f"{'out of date' if file.exists() else 'missing'}: tests/golden/{path}")
        else:
            print(f"{'written again' if file.exists() else 'written'}: tests/golden/{path}")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
