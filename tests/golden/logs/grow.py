"""Add golden logs: `python -m tests.golden.logs.grow`. Those that exist are never touched.

Each log has to fold to the state whose digest stands in `digests.json`, under every later build:
what was stored once can be read and replayed for ever. It has to verify under every later build
with the same ruleset of its game. A new ruleset gets logs of its own, `standard-2.ruleset-2.jsonl`;
the older ones stay, and are read as they were.
"""

import hashlib
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import domain.games  # noqa: F401  # makes the games known
from domain.engine.access import OpenLog, ReplaceToken
from domain.engine.chance import Chance
from domain.engine.codec import encode
from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    CreateMatch,
    ExpireChoice,
    StartMatch,
    TakeSeat,
    carry_out,
    create,
    fold,
    is_window,
    open_choice,
)
from domain.engine.events import MatchCreated, Spectators, TurnLimit
from domain.engine.game import game_of
from domain.engine.match import Match
from domain.engine.playout import at_random, opening
from domain.engine.terms import RunOut
from schema import log
from service.cli.playing import STEP, Plan, play

HERE = Path(__file__).parent
DIGESTS = HERE / "digests.json"
_TRIED = 40

PLANS = {
    "standard-2": Plan("chrononauts", 2, {}, "greedy", 1),
    "standard-3": Plan("chrononauts", 3, {}, "random", 1),
    "standard-4": Plan("chrononauts", 4, {"courtesySwap": True}, "greedy", 1),
    "standard-5": Plan("chrononauts", 5, {"lateParadoxesCount": True}, "greedy", 1),
    "standard-6": Plan("chrononauts", 6, {"discontinuity": "left"}, "greedy", 1),
    "sheet-3": Plan("chrononauts", 3, {"preset": "sheet"}, "greedy", 1),
    "artifaxx-2": Plan("chrononauts", 2, {"variant": "artifaxx"}, "random", 1),
    "artifaxx-4": Plan("chrononauts", 4, {"variant": "artifaxx"}, "greedy", 1),
    "solonauts": Plan("chrononauts", 1, {"variant": "solonauts"}, "greedy", 1),
    "ancient-2": Plan("ancient_knowledge", 2, {}, "random", 1),
    "ancient-3": Plan("ancient_knowledge", 3, {"startingHands": "ready-made"}, "greedy", 1),
    "ancient-4": Plan("ancient_knowledge", 4, {"lostUpTo": "maximum"}, "random", 1),
}
QUARREL = "quarrel-4"
"""A match in which windows close by themselves and seats give up."""
LATE = "late-2"
"""A match with a time limit that bots end, and spectators two turns behind."""
ACCESS = "access-2"
"""A match of accounts, whose tokens are replaced and whose owner looks into the log."""


def digest(text: bytes) -> str:
    """Return the SHA-256 of the state that a log folds to."""
    entries = log.read(text).entries
    return hashlib.sha256(encode(fold(entry.event for entry in entries))).hexdigest()


def shortest(plan: Plan) -> log.Log:
    """Return the shortest of the first matches of a plan that came to an end."""
    played = (play(plan, number) for number in range(_TRIED))
    return min((one.log for one in played if one.outcome), key=lambda log: log.header.events)


def quarrel(seed: str = "9a" * 16) -> log.Log:
    """Return a match whose seats are late and give up."""
    events, match = opening("chrononauts", 4, seed)
    entries = [log.Entry(at, 0, None, f"c{at}", event) for at, event in enumerate(events[:5], 1)]
    entries += [log.Entry(at, STEP, None, "c6", event) for at, event in enumerate(events[5:], 6)]
    while match.outcome is None:
        command = _command(match, Chance(seed, match.version))
        run = carry_out(match, command)
        seat = None if isinstance(command, ExpireChoice) else command.seat
        at, id = STEP * match.version, f"c{match.version + 1}"
        for event in run.events:
            entries.append(log.Entry(len(entries) + 1, at, seat, id, event))
        match = run.match
    return log.Log(log.to_header(QUARREL, match, 0, "all"), tuple(entries))


def late(seed: str = "b7" * 16) -> log.Log:
    """Return a match in which every third answer is one of the clock."""
    events, match = opening("ancient_knowledge", 2, seed)
    first = events[0]
    assert isinstance(first, MatchCreated)
    limit, spectators = TurnLimit(60, "bot"), Spectators(2)
    events = [replace(first, limit=limit, spectators=spectators), *events[1:]]
    match = fold(events)
    entries = [log.Entry(at, 0, None, f"c{at}", event) for at, event in enumerate(events[:3], 1)]
    entries += [log.Entry(at, STEP, None, "c4", event) for at, event in enumerate(events[3:], 4)]
    while match.outcome is None:
        chance = Chance(seed, match.version)
        seat = match.asked[0]
        choice = open_choice(match, seat)
        assert choice is not None
        picks = at_random(match, choice, chance)
        is_late = chance.below(3) == 0
        command = RunOut(seat, choice.id, picks) if is_late else Choose(seat, choice.id, (picks,))
        run = carry_out(match, command)
        at, id = STEP * match.version, f"c{match.version + 1}"
        for event in run.events:
            entries.append(log.Entry(len(entries) + 1, at, None if is_late else seat, id, event))
        match = run.match
    return log.Log(log.to_header(LATE, match, 0, "all"), tuple(entries))


def access(seed: str = "ac" * 16) -> log.Log:
    """Return a match in which tokens are replaced and the log is opened."""
    created, match = create(CreateMatch("chrononauts", 2, account="account-of-the-owner"))
    entries = [log.Entry(1, 0, None, "c1", created)]
    begin: list[Command] = [
        TakeSeat(0, "Ann", account="account-of-ann"),
        ReplaceToken(0),
        TakeSeat(1, "Bob"),
        StartMatch(seed, "5a" * 32),
        ReplaceToken(None),
        OpenLog(),
    ]
    while match.outcome is None:
        if begin:
            command: Command = begin.pop(0)
        elif match.version > 60:
            command = Concede(1)
        else:
            command = _choice(match, match.asked[0], Chance(seed, match.version))
        run = carry_out(match, command)
        seat = command.seat if isinstance(command, Choose | Concede) else None
        at, id = STEP * match.version, f"c{match.version + 1}"
        for event in run.events:
            entries.append(log.Entry(len(entries) + 1, at, seat, id, event))
        match = run.match
    return log.Log(log.to_header(ACCESS, match, 0, "all"), tuple(entries))


def _command(match: Match[Any], chance: Chance) -> Choose | Concede | ExpireChoice:
    if is_window(match) and chance.below(3) == 0:
        return ExpireChoice(match.choice)
    seat = match.asked[chance.below(len(match.asked))]
    if match.version > 80 and chance.below(25) == 0:
        return Concede(seat)
    return _choice(match, seat, chance)


def _choice(match: Match[Any], seat: int, chance: Chance) -> Choose:
    choice = open_choice(match, seat)
    assert choice is not None
    return Choose(seat, choice.id, (at_random(match, choice, chance),))


MADE: dict[str, tuple[str, Callable[[], log.Log]]] = {
    **{name: (plan.game, partial(shortest, plan)) for name, plan in PLANS.items()},
    QUARREL: ("chrononauts", quarrel),
    LATE: ("ancient_knowledge", late),
    ACCESS: ("chrononauts", access),
}
"""Each log by its name: its game, and what makes it."""


def path_of(name: str) -> Path:
    """Return where the log of that name lies that was made under the ruleset of this build."""
    ruleset = game_of(MADE[name][0]).ruleset
    return HERE / (f"{name}.jsonl" if ruleset == 1 else f"{name}.ruleset-{ruleset}.jsonl")


def grow() -> None:
    """Write the logs that do not exist yet, and say which."""
    digests = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    missing = {
        path_of(name): make for name, (_, make) in MADE.items() if not path_of(name).exists()
    }
    for path, make in missing.items():
        path.write_bytes(log.write(make()))
        digests[path.name] = digest(path.read_bytes())
        print(f"written: {path.name}")
    if not missing:
        print("every ruleset of this build has its logs; nothing was written")
    DIGESTS.write_text(json.dumps(digests, indent=2, sort_keys=True) + "\n")


if __name__ == "__main__":
    grow()
