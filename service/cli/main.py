"""The entry of the command line: find the command, run it, turn refusals into exit codes."""

import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from service.cli.console import NO, Parser, Refused
from service.terminal import complain

# command: module under `service.cli`, and what it does in one line
COMMANDS = {
    "serve": ("serve", "run the service"),
    "simulate": ("simulate", "play matches in this process"),
    "swarm": ("swarm", "play whole matches over HTTP"),
    "replay": ("replay", "show the board of a log at any version"),
    "verify": ("verify", "check logs: chain, legality, fold, commitment"),
    "export": ("exchange", "fetch the log of a match"),
    "import": ("exchange", "bring a log into a service"),
    "corpus": ("corpus", "replay every stored log under this build"),
    "catalogue": ("catalogue", "show, export, import, check the texts of cards"),
    "bench": ("bench", "measure what the service promises"),
    "openapi": ("contract", "print the OpenAPI document"),
    "sdl": ("contract", "print the GraphQL schema"),
}
_INTERRUPTED = 130
_OURS = "our mistake ({}): report it with the output under STELE_LOG_LEVEL=debug"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0 done, 1 the answer is no, 2 wrong usage."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    chosen = next((word for word in given if word in COMMANDS), None)
    try:
        options = _parser(chosen).parse_args(given)
        code: int = options.run(options)
        sys.stdout.flush()
    except Refused as refused:
        complain(refused.sentence)
        return refused.code
    except KeyboardInterrupt:
        return _INTERRUPTED
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            return _without_reader()
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{error.strerror or error}; see to it and try again")
        return NO
    except Exception as error:
        if os.environ.get("STELE_LOG_LEVEL", "").lower() == "debug":
            raise
        said = f"{type(error).__name__}: {error}".splitlines()[0]
        complain(_OURS.format(said))
        return NO
    return code


def _without_reader() -> int:
    """Whoever read the output has gone; Python would complain once more while it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NO


def _parser(chosen: str | None) -> Parser:
    """Return the parser, with the options of the chosen command only.

    So a command costs only its own imports, and one that cannot be imported breaks no other.
    """
    parser = Parser(
        prog="stele",
        description="Stele: an event-sourced backend for card games with hidden information.",
        epilog="example:\n  stele simulate --game chrononauts --seats 3 --matches 10 --seed 7\n\n"
        "`stele COMMAND --help` says more about a command.",
    )
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    done = set()
    for name, (module, line) in COMMANDS.items():
        if chosen is None or COMMANDS[chosen][0] != module:
            subparsers.add_parser(name, help=line)
        elif module not in done:
            done.add(module)
            _module(name, module).add_parser(subparsers)
    return parser


def _module(name: str, module: str) -> ModuleType:
    try:
        return importlib.import_module(f"service.cli.{module}")
    except ModuleNotFoundError as error:
        raise Refused(
            f"`stele {name}` needs {error.name}, which is not installed: run `make install`"
        ) from None
