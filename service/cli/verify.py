"""`stele verify`: are these logs true?"""

import argparse
import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from msgspec import Struct

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
from service.cli.logs import Checked, Fault, check, find
from service.terminal import complain, say


class Report(Struct, frozen=True):
    """What `--json` prints."""

    files: int
    events: int
    ok: bool
    problems: tuple[Fault, ...]


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = command(
        subparsers,
        "verify",
        "Check logs: hash chain, legality of every answer, fold, shuffle commitment.\n"
        "A redacted log can only be checked for its chain, its versions and its fold.",
        "stele verify logs/*.jsonl",
        run,
    )
    parser.add_argument("logs", nargs="+", type=Path, metavar="LOG", help="a file or a directory")
    add_jobs(parser)
    add_json(parser)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the option `--jobs`."""
    parser.add_argument("--jobs", type=positive, default=1, help="processes (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Check the logs and say yes or no."""
    return check_all(arguments.logs, arguments.jobs, arguments.json)


def check_all(paths: Sequence[Path], jobs: int, as_json: bool) -> int:
    """Check every log, print what was found, and return the exit code."""
    files = list(find(paths))
    if not files:
        raise WrongUsage(f"{paths[0]}: there is no log (*.jsonl) below it; name another directory")
    checked = []
    with progress("verify", len(files), as_json) as advance:
        for one in _checks(files, jobs):
            checked.append(one)
            advance(1)
    problems = tuple(fault for one in checked for fault in one.faults)
    events = sum(one.events for one in checked)
    if as_json:
        print_json(Report(len(files), events, not problems, problems))
    else:
        _print(checked, events)
    for fault in problems:
        complain(f"{fault.file}: line {fault.line}: {fault.reason}")
    return NO if problems else DONE


def _checks(files: Sequence[Path], jobs: int) -> Iterator[Checked]:
    if jobs == 1:
        yield from map(check, files)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context) as pool:
        yield from pool.map(check, files, chunksize=20)


def _print(checked: Sequence[Checked], events: int) -> None:
    for one in checked:
        if one.redacted_for is not None:
            who = "a spectator" if one.redacted_for == "spectator" else f"seat {one.redacted_for}"
            say(
                f"{one.file}: redacted for {who}: chain, versions and fold are checked; answers "
                "and shuffles only show in a full log"
            )
    bad = sum(1 for one in checked if one.faults)
    verdict = f"{bad:,} bad" if bad else "all good"
    say(f"{len(checked):,} {_plural(len(checked), 'log')}, {events:,} events: {verdict}")


def _plural(count: int, word: str) -> str:
    return word if count == 1 else f"{word}s"
