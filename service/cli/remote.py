"""Talking to a running service from a command, one request at a time."""

import argparse
import os
from collections.abc import Mapping

import httpx

from service.cli.console import Refused, WrongUsage
from service.urls import is_url

URL = "http://127.0.0.1:8000"
TOKEN = "STELE_TOKEN"
_SECONDS = 60.0


def add_url(parser: argparse.ArgumentParser) -> None:
    """Add the option `--url`."""
    parser.add_argument("--url", default=URL, help="the service (default: %(default)s)")


def checked_url(url: str) -> str:
    """Return the address of a service without its last slash."""
    if not is_url(url):
        raise WrongUsage(f"--url: not an http or https URL; write it like {URL}")
    return url.rstrip("/")


def token(arguments: argparse.Namespace) -> str | None:
    """Return the token given, or the one in the environment, which no process list shows."""
    given: str | None = arguments.token or os.environ.get(TOKEN)
    if given is not None and not (given.isascii() and given.isprintable()):
        raise WrongUsage(f"--token or {TOKEN}: not a token; take it as the service printed it")
    return given


def ask(
    method: str,
    url: str,
    path: str,
    token: str | None = None,
    body: Mapping[str, object] | None = None,
    accept: str = "application/json",
) -> bytes:
    """Return the body of a good answer.

    Raises:
        Refused: the service refused, or there is none.
    """
    headers = {"Accept": accept}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    base = checked_url(url)
    try:
        answer = httpx.request(
            method, f"{base}/v1{path}", headers=headers, json=body, timeout=_SECONDS
        )
    except (httpx.HTTPError, httpx.InvalidURL):
        raise Refused(
            f"no service answers at {base}: start one with `stele serve` or name it with --url"
        ) from None
    if answer.is_success:
        return answer.content
    raise Refused(_reason(answer))


def _reason(answer: httpx.Response) -> str:
    try:
        problem = answer.json()
        said = problem.get("detail") or problem.get("title") or problem["code"]
    except (ValueError, AttributeError, LookupError):
        return f"the service answered {answer.status_code} {answer.reason_phrase}; check --url"
    hint = f"; give the token of a seat or of the owner with --token or {TOKEN}"
    return f"{said}{hint if answer.status_code in (401, 403, 404) else ''}"
