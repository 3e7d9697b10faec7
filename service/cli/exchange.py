"""`stele export` and `stele import`: logs out of a running service and into it."""

import argparse
from pathlib import Path
from urllib.parse import quote

import msgspec

import domain.games  # noqa: F401  # makes the games known
from schema import log
from schema.errors import InvalidLog
from schema.types import CreatedMatch
from service.cli.console import DONE, Refused, Subparsers, WrongUsage, add_json, command, print_json
from service.cli.remote import TOKEN, add_url, ask, token
from service.terminal import put, say


def add_parser(subparsers: Subparsers) -> None:
    """Add both commands."""
    out = command(
        subparsers,
        "export",
        "Fetch the log of a match: whole for its owner and after the end, else redacted.",
        "stele export MATCH --url http://127.0.0.1:8000 --out match.jsonl",
        export,
    )
    out.add_argument("match", metavar="MATCH", help="the id of the match")
    add_url(out)
    _add_token(out)
    out.add_argument("--out", type=Path, metavar="F", help="the file (default: standard output)")
    into = command(
        subparsers,
        "import",
        "Bring the full log of a match into a service, as a match of its own.",
        "stele import match.jsonl --url http://127.0.0.1:8000",
        import_,
    )
    into.add_argument("log", type=Path, metavar="LOG", help="the log")
    add_url(into)
    _add_token(into)
    add_json(into)


def _add_token(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--token", help=f"who you are (default: from {TOKEN})")


def export(arguments: argparse.Namespace) -> int:
    """Fetch a log, check that it came whole, and write it."""
    path = f"/matches/{quote(arguments.match, safe='')}/log"
    text = ask("GET", arguments.url, path, token(arguments), accept="application/x-ndjson")
    try:
        found = log.read(text)
    except InvalidLog as error:
        raise Refused(f"the log did not come whole ({error.message}): try again") from None
    if arguments.out is None:
        put(text)
        return DONE
    try:
        arguments.out.write_bytes(text)
    except OSError as error:
        raise WrongUsage(f"--out {arguments.out}: {error.strerror}; name another file") from None
    viewer = found.header.viewer
    kind = "full" if viewer == "all" else f"redacted for {_whom(viewer)}"
    say(f"{arguments.out}: {len(found.entries)} events, {kind}")
    return DONE


def _whom(viewer: str | int) -> str:
    return "a spectator" if viewer == "spectator" else f"seat {viewer}"


def import_(arguments: argparse.Namespace) -> int:
    """Send a log and print the tokens of the new match."""
    try:
        text = arguments.log.read_bytes()
        log.read(text)
    except OSError as error:
        raise WrongUsage(f"{arguments.log}: {error.strerror}; name a log") from None
    except InvalidLog as error:
        raise Refused(f"{arguments.log}: {error.message}; export it again") from None
    body = {"text": text.decode()}
    answer = ask("POST", arguments.url, "/matches/import", token(arguments), body)
    try:
        made = msgspec.json.decode(answer, type=CreatedMatch)
    except msgspec.DecodeError:
        raise Refused("what answers is no Stele service; check --url") from None
    if arguments.json:
        print_json(made)
        return DONE
    say(f"match {made.match_id}, version {made.version}")
    say(f"owner token  {made.owner_token}")
    for invite in made.invites:
        say(f"invite for seat {invite.seat}  {invite.invite}")
    return DONE
