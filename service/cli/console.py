"""What commands share: their parser, their refusals, JSON output and the progress bar."""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeAlias

import msgspec
from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from service.terminal import escaped, say

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

DONE, NO, USAGE = 0, 1, 2
"""Exit codes: done, the answer is no, wrong usage."""


def called() -> str:
    """Return what calls this command again, for hints to copy: its name, or where it was found."""
    given = sys.argv[0]
    is_path = given.endswith("/stele") and shutil.which("stele") != given
    return given if is_path else "stele"


class Refused(Exception):
    """A command that ends here: one sentence that says what to do, and the exit code."""

    def __init__(self, sentence: str, code: int = NO) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code


class WrongUsage(Refused):
    """The command was given wrongly."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, USAGE)


class Parser(argparse.ArgumentParser):
    """An argument parser that refuses in one sentence."""

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {escaped(message)}; see `{self.prog} --help`\n")


def command(
    subparsers: Subparsers,
    name: str,
    help: str,
    example: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    """Add a command with its help, an example and the function that carries it out."""
    parser = subparsers.add_parser(
        name, help=help, description=help, epilog=f"example:\n  {example}"
    )
    parser.set_defaults(run=run)
    return parser


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def positive(text: str) -> int:
    """Read a number that is at least 1."""
    number = int(text) if text.isascii() and text.isdigit() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return number


def print_json(value: Struct) -> None:
    """Print one JSON object on one line."""
    say(msgspec.json.encode(value).decode())


@contextmanager
def progress(title: str, total: int | None, quiet: bool = False) -> Iterator[Callable[[int], None]]:
    """Give a function that moves a progress bar on; the bar shows on a terminal only."""
    console = Console(stderr=True)
    shown = console.is_terminal and not quiet
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not shown) as bar:
        task = bar.add_task(title, total=total)
        yield lambda steps: bar.advance(task, steps)
