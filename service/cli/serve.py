"""`stele serve`: run the service until it is told to stop."""

import argparse
from pathlib import Path

from service.cli.console import Subparsers, command, positive
from service.serve import run as serve


def add_parser(subparsers: Subparsers) -> None:
    """Add the command."""
    parser = command(
        subparsers,
        "serve",
        "Run the service, with a store of its own unless one is named. Settings come from the "
        "environment (STELE_…); what is given here counts before them.",
        "stele serve --port 9000 --data-dir .data",
        run,
    )
    parser.add_argument("--host", default="127.0.0.1", help="address (default: %(default)s)")
    parser.add_argument(
        "--port", type=_port, default=8000, help="port, 0 for any (default: %(default)s)"
    )
    parser.add_argument(
        "--workers", type=positive, default=1, help="processes (default: %(default)s)"
    )
    parser.add_argument("--data-dir", type=Path, metavar="DIR", help="where the data lie")
    parser.add_argument("--redis-url", metavar="URL", help="a store to use instead of an own one")


def _port(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port from 0 to 65535")
    return number


def run(arguments: argparse.Namespace) -> int:
    """Serve and return the exit code."""
    return serve(
        host=arguments.host,
        port=arguments.port,
        workers=arguments.workers,
        data_dir=arguments.data_dir,
        redis_url=arguments.redis_url,
    )
