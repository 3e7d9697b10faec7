"""What Schemathesis is told of GraphQL: matches and games that exist, and the token of a seat."""

import re
from itertools import cycle
from typing import Any

import schemathesis
from graphql import parse_value
from hypothesis import strategies

from schema.errors import ERRORS
from tests.contract_guard.tables import GAMES, TABLES, chosen

STRING = re.compile(r'\b(\w+): ("(?:[^"\\]|\\.)*")')
NUMBER = re.compile(r"\b(first|seats): -?\d+")
WORDS = {
    "game": GAMES,
    "name": GAMES,
    "locale": ("en", "ja"),
    "visibility": ("public", "private"),
    "bot": ("greedy", "random"),
    "player": ("Ann", "Ben"),
    "url": ("https://hooks.example.org/", "https://hooks.example.com:8443/a?b=c"),
    "commandId": ("a-command-of-a-client", "another-command-of-it"),
}
OPTIONS = ("{}", '{variant: "artifaxx"}', "{handVictory: 0}", '{windowSeconds: "x"}', "[1]", "1.5")
turns = cycle(TABLES)

schemathesis.graphql.scalar("JSON", strategies.sampled_from([parse_value(one) for one in OPTIONS]))


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Put a match that exists into the document, and send its token along."""
    table = next(turns)
    if isinstance(case.body, str):
        document = STRING.sub(lambda found: _better(found, table.id), case.body)
        case.body = NUMBER.sub(r"\1: 2", document)
    case.headers = {**(case.headers or {}), "Authorization": f"Bearer {table.seat}"}


def _better(found: re.Match[str], match_id: str) -> str:
    name, value = found[1], found[2]
    if name in ("matchId", "id"):
        return f'{name}: "{match_id}"'
    word = chosen(WORDS[name], value) if name in WORDS else value
    return f"{name}: {value}" if word == value else f'{name}: "{word}"'


@schemathesis.check
def known_refusals(context: Any, response: Any, case: Any) -> None:
    """Every error has a code of the table with what the table says of it, and none is our fault."""
    assert response.status_code in (200, 400, 401, 413, 503), response.status_code
    body = response.json()
    for error in body.get("errors", ()):
        told = error["extensions"]
        row = ERRORS[told["code"]]
        assert (told["status"], told["retryable"], told["doc"]) == (
            row.status,
            row.retryable,
            row.doc,
        )
        assert row.code != "internal"
    assert "data" in body or body["errors"]
