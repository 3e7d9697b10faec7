"""`stele corpus check`: does this build still make the same of every stored log?"""

import argparse
from pathlib import Path

from service.cli.console import Subparsers, WrongUsage, add_json, command
from service.cli.verify import add_jobs, check_all


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = command(
        subparsers,
        "corpus",
        "Replay every stored log below a directory under this build.",
        "stele corpus check tests/golden/logs",
        run,
    )
    parser.add_argument("action", choices=("check",), help="what to do")
    parser.add_argument("directory", type=Path, metavar="DIR", help="where the logs lie")
    add_jobs(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check the logs and say yes or no."""
    if not arguments.directory.is_dir():
        raise WrongUsage(f"{arguments.directory}: there is no such directory; name one with logs")
    return check_all([arguments.directory], arguments.jobs, arguments.json)
