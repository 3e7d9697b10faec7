"""`stele replay`: the board of a log as text, at any version and through anybody's eyes."""

import argparse
from pathlib import Path
from typing import Any

from msgspec import Struct

from domain.engine.decider import fold
from domain.engine.events import Event
from domain.engine.ids import Viewer
from domain.engine.match import Match
from schema import log
from schema.errors import InvalidLog
from service.catalogue import CatalogueInvalid
from service.catalogue.directory import directory
from service.cli.console import DONE, Refused, Subparsers, WrongUsage, command
from service.cli.keys import walk
from service.cli.logs import load
from service.terminal import escaped, show
from service.text import LOCALES, Words, board

RECENT = 8
"""Events in words below the board."""


class Reel(Struct, frozen=True):
    """A log as one viewer may see it, ready to be shown at any version."""

    log: log.Log
    viewer: Viewer
    words: Words

    def text(self, version: int) -> str:
        """Return the board at a version, with the events that led to it."""
        events = [entry.event for entry in self.log.entries[:version]]
        recent = [(at + 1, events[at]) for at in range(max(0, version - RECENT), version)]
        match = _fold(events)
        return board(escaped(self.log.header.match), match, self.viewer, self.words, recent)

    @property
    def last(self) -> int:
        """The newest version."""
        return len(self.log.entries)


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = command(
        subparsers,
        "replay",
        "Show the board of a log as text, at any version.",
        "stele replay logs/chrononauts-3-random-7-00000.jsonl --at 120 --as 1",
        run,
    )
    parser.add_argument("logs", type=Path, nargs="+", metavar="LOG", help="the log; one at a time")
    parser.add_argument("--at", type=int, metavar="V", help="the version (default: the newest)")
    parser.add_argument(
        "--as",
        dest="viewer",
        metavar="SEAT|spectator|all",
        help="whose eyes (default: those the log is for)",
    )
    parser.add_argument(
        "--locale", choices=LOCALES, default="en", help="the language (default: %(default)s)"
    )
    parser.add_argument(
        "--step", action="store_true", help="walk through the versions with keys: n, p, q, arrows"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the board, or walk."""
    reel = _reel(arguments)
    at = reel.last if arguments.at is None else arguments.at
    if not 1 <= at <= reel.last:
        raise WrongUsage(f"--at {at}: the log has the versions 1 to {reel.last}")
    if arguments.step:
        walk(reel.text, 1 if arguments.at is None else at, reel.last, reel.words)
    else:
        show(reel.text(at))
    return DONE


def _reel(arguments: argparse.Namespace) -> Reel:
    path, *more = arguments.logs
    if more:
        raise WrongUsage(f"replay shows one log at a time: name {path} or another one alone")
    try:
        found = load(path)
    except InvalidLog as error:
        raise Refused(f"{path}: {error.message}; export it again") from None
    if not found.entries:
        raise Refused(f"{path}: the log has no events; export it again")
    viewer = _viewer(arguments.viewer, found)
    try:
        words = Words(found.header.game, arguments.locale, directory())
    except CatalogueInvalid as error:
        raise WrongUsage(str(error)) from None
    return Reel(log.redacted(found, viewer), viewer, words)


def _viewer(text: str | None, found: log.Log) -> Viewer:
    if text is None or text == str(found.header.viewer):
        return found.viewer
    if found.header.viewer != "all":
        whose = found.header.viewer
        raise WrongUsage(f"--as {text}: this log is redacted for {whose}; export a full one")
    seats = len(found.header.seats)
    if text == "spectator":
        return None
    if text.isascii() and text.isdigit() and int(text) < seats:
        return int(text)
    raise WrongUsage(f"--as {text}: take a seat from 0 to {seats - 1}, spectator or all")


def _fold(events: list[Event]) -> Match[Any]:
    return fold(events)
