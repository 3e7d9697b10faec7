"""`stele simulate`: matches played in this process, for figures, logs and hunting engine errors."""

import argparse
import multiprocessing
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from msgspec import Struct

import domain.games  # noqa: F401  # makes the games known
from domain.engine.audit import audit
from domain.engine.decider import CreateMatch, create
from domain.engine.errors import DomainError
from domain.engine.ids import Scalar
from schema import log
from service.cli.console import (
    DONE,
    NO,
    Subparsers,
    WrongUsage,
    add_json,
    command,
    positive,
    print_json,
    progress,
)
from service.cli.playing import BOTS, PLY_LIMIT, Plan, name, play
from service.terminal import complain, say

Key = tuple[tuple[int, ...], tuple[str, ...]]
_CHUNK = 20


class Tally(Struct, frozen=True):
    """How one match, or several, went."""

    matches: int
    plies: int
    outcomes: dict[Key, int]
    errors: tuple[str, ...]


class OutcomeCount(Struct, frozen=True):
    """In how many matches these seats won for these reasons (no winners: nobody won)."""

    winners: tuple[int, ...]
    reasons: tuple[str, ...]
    matches: int


class Report(Struct, frozen=True, rename="camel"):
    """What `--json` prints; every ply is one decision."""

    game: str
    seats: int
    matches: int
    plies: int
    decisions: int
    seconds: float
    decisions_per_second: float
    outcomes: tuple[OutcomeCount, ...]
    errors: int


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = command(
        subparsers,
        "simulate",
        "Play matches in this process and count decisions and winners.",
        "stele simulate --game chrononauts --seats 3 --matches 100 --seed 7 --out logs",
        run,
    )
    parser.add_argument("--game", default="chrononauts", help="the game (default: %(default)s)")
    parser.add_argument("--seats", type=positive, default=3, help="seats (default: %(default)s)")
    parser.add_argument(
        "--matches", type=positive, default=100, help="matches (default: %(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=0, help="same seed, same matches (default: %(default)s)"
    )
    parser.add_argument(
        "--bot",
        default="random",
        metavar=f"{{{','.join(BOTS)}}}",
        help="who plays (default: %(default)s)",
    )
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as variant=artifaxx; may be repeated",
    )
    parser.add_argument("--preset", help="a preset of options")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write one full log a match")
    parser.add_argument("--verify", action="store_true", help="verify the log of every match")
    parser.add_argument("--jobs", type=positive, default=1, help="processes (default: %(default)s)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play, print the report, and say no if the engine failed."""
    plan = _plan(arguments)
    if arguments.out is not None:
        _make(arguments.out)
    began = time.perf_counter()
    with progress(f"{plan.game}, {plan.seats} seats", arguments.matches, arguments.json) as advance:
        tally = _total(_tallies(plan, arguments), advance)
    report = _report(plan, tally, time.perf_counter() - began)
    if arguments.json:
        print_json(report)
    else:
        _print(report)
    for error in tally.errors:
        complain(error)
    return NO if tally.errors else DONE


def _plan(arguments: argparse.Namespace) -> Plan:
    if arguments.bot not in BOTS:
        bots = " or ".join(f"--bot {bot}" for bot in BOTS)
        raise WrongUsage(f"there is no {arguments.bot} bot yet: take {bots}")
    options = dict(_option(text) for text in arguments.option)
    if arguments.preset is not None:
        options["preset"] = arguments.preset
    try:
        create(CreateMatch(arguments.game, arguments.seats, options))
    except DomainError as error:
        known = error.detail.get("known")
        more = f": take one of {', '.join(map(str, known))}" if isinstance(known, list) else ""
        raise WrongUsage(f"{error.message}{more}") from None
    return Plan(arguments.game, arguments.seats, options, arguments.bot, arguments.seed)


def _option(text: str) -> tuple[str, Scalar]:
    name, equals, value = text.partition("=")
    if not equals:
        raise WrongUsage(f"--option {text}: write NAME=VALUE, such as variant=artifaxx")
    if value in ("true", "false"):
        return name, value == "true"
    return name, int(value) if value.isascii() and value.isdigit() else value


def _make(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WrongUsage(f"--out {directory}: {error.strerror}; name another directory") from None


def _tallies(plan: Plan, arguments: argparse.Namespace) -> Iterator[Tally]:
    matches, out, check = arguments.matches, arguments.out, arguments.verify
    if arguments.jobs == 1:
        for number in range(matches):
            yield _one(plan, number, out, check)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(arguments.jobs, mp_context=context) as pool:
        chunks = [
            pool.submit(_several, plan, range(at, min(at + _CHUNK, matches)), out, check)
            for at in range(0, matches, _CHUNK)
        ]
        for chunk in as_completed(chunks):
            yield chunk.result()


def _several(plan: Plan, numbers: range, out: Path | None, check: bool) -> Tally:
    return _total((_one(plan, number, out, check) for number in numbers), lambda _: None)


def _one(plan: Plan, number: int, out: Path | None, check: bool) -> Tally:
    # Whatever goes wrong in the engine is what this command is there to find.
    try:
        played = play(plan, number)
        text = log.write(played.log) if out is not None or check else b""
        problems = audit(log.read(text).commits()).problems if check else ()
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        return Tally(1, 0, {}, (f"{name(plan, number)}: {reason}",))
    if out is not None:
        (out / f"{name(plan, number)}.jsonl").write_bytes(text)
    errors = [f"version {problem.version}: {problem.reason}" for problem in problems]
    outcome = played.outcome
    if outcome is None:
        errors.append(f"not over after {PLY_LIMIT} plies")
    outcomes = {} if outcome is None else {(outcome.winners, outcome.reasons): 1}
    said = tuple(f"{name(plan, number)}: {error}" for error in errors)
    return Tally(1, played.plies, outcomes, said)


def _total(tallies: Iterator[Tally], advance: Callable[[int], None]) -> Tally:
    matches, plies = 0, 0
    errors: list[str] = []
    outcomes: Counter[Key] = Counter()
    for tally in tallies:
        matches += tally.matches
        plies += tally.plies
        outcomes.update(tally.outcomes)
        errors += tally.errors
        advance(tally.matches)
    return Tally(matches, plies, dict(outcomes), tuple(sorted(errors)))


def _report(plan: Plan, tally: Tally, seconds: float) -> Report:
    rows = sorted(tally.outcomes.items(), key=lambda row: (-row[1], row[0]))
    return Report(
        game=plan.game,
        seats=plan.seats,
        matches=tally.matches,
        plies=tally.plies,
        decisions=tally.plies,
        seconds=round(seconds, 3),
        decisions_per_second=round(tally.plies / seconds, 1),
        outcomes=tuple(OutcomeCount(*key, count) for key, count in rows),
        errors=len(tally.errors),
    )


def _print(report: Report) -> None:
    say(
        f"{report.game}, {report.seats} seats: {report.matches:,} matches, "
        f"{report.plies:,} plies in {report.seconds:.1f} s, "
        f"{report.decisions_per_second:,.0f} decisions/s"
    )
    if report.outcomes:
        say(f"{'matches':>7}  {'winners':8}  reasons")
    for row in report.outcomes:
        who = ", ".join(f"seat {seat}" for seat in row.winners) or "nobody"
        say(f"{row.matches:7,}  {who:8}  {', '.join(row.reasons)}")
