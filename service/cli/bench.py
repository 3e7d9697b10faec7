"""`stele bench`: measure what the service promises; the measurements are in `bench/`."""

import argparse
import sys
from importlib import import_module
from pathlib import Path

from service.cli.console import Refused, Subparsers, add_json, command

ROOT = Path(__file__).resolve().parents[2]
MEASUREMENTS = (
    *("playout", "fold", "load", "rest", "graphql", "views", "subscribers", "growth", "ready"),
)


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = command(
        subparsers,
        "bench",
        "Measure what the service promises and print floor, goal and figure of every line. "
        "Takes two minutes on two cores.",
        "stele bench --only rest",
        run,
    )
    parser.add_argument(
        "--only", action="append", choices=MEASUREMENTS, help="one measurement; may be repeated"
    )
    parser.add_argument(
        "--tiny", action="store_true", help="see that it runs; figures mean nothing"
    )
    parser.add_argument("--out", type=Path, metavar="F", help="write the page of figures, too")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, and write the page where one is asked for."""
    if not (ROOT / "bench" / "run.py").exists():
        raise Refused("the benchmark is part of the source tree: run `make bench` in a clone")
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    # Not imported above: an installed `stele` has no bench.
    code: int = import_module("bench.command").run(
        arguments.only or list(MEASUREMENTS), arguments.tiny, arguments.json, arguments.out
    )
    return code
