"""What Schemathesis is told of the REST interface: matches that exist, and tokens that open them.

Most requests go to one of a few matches with a token of the right kind; the others keep what was
made up for them.
"""

import atexit
import json
import os
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.specs.openapi.checks import negative_data_rejection

from tests.contract_guard.tables import GAMES, TABLES, chosen, legal_move

JSON = "application/json"
turns = count()
COUNTS: Counter[str] = Counter()
ANSWER_TOKENS = {"takeSeat", "rotateToken", "issueToken"}
SECRET = 18  # characters, quotes included
OWNERS = {"takeSeat", "startMatch", "exportLog"}
WITH_CURSOR = {"matches"}
URLS = ("https://hooks.example.org/", "https://hooks.example.com:8443/a?b=c")
TWICE = {"matchId", "webhookId", "commandId", "expectedVersion"}
IDS = tuple(table.id for table in TABLES)
OWNER_OF = {table.id: table.owner for table in TABLES}
SEAT_OF = {table.id: table.seat for table in TABLES}


@schemathesis.hook
def before_load_schema(context: Any, raw_schema: dict[str, Any]) -> None:
    """Take the body of a link as it is: mixed with one made up it is no move any more."""
    for path in raw_schema["paths"].values():
        for operation in path.values():
            for response in operation["responses"].values():
                for link in response.get("links", {}).values():
                    link["x-schemathesis"] = {"merge_body": False}


@schemathesis.hook
def map_query(context: Any, query: dict[str, Any]) -> dict[str, Any]:
    """Wait for nothing: a long poll would use up the time."""
    return {name: value for name, value in (query or {}).items() if name != "wait"}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Make what is good better, leave wrong what is wrong, and add a token for the match."""
    if _is_good(case, ParameterLocation.PATH):
        real = {"matchId": IDS, "game": GAMES}
        case.path_parameters = {
            # What a link brought from another answer is real already.
            name: chosen(real[name], value) if name in real and value not in OWNER_OF else value
            for name, value in (case.path_parameters or {}).items()
        }
    name = case.operation.definition.raw.get("operationId")
    if name in WITH_CURSOR and _is_good(case, ParameterLocation.QUERY):
        # A cursor is one that the service gave.
        case.query = {key: value for key, value in (case.query or {}).items() if key != "after"}
    if _is_good(case, ParameterLocation.BODY):
        case.body = _better(case.body)
    if _is_good(case, ParameterLocation.HEADER) and case.headers:
        # A version made up is never the right one; some stay, to be refused.
        if "If-Match" in case.headers and next(turns) % 8:
            del case.headers["If-Match"]
        # Who repeats it gets the same token: so it has to be a secret, where one is answered.
        if name in ANSWER_TOKENS and len(case.headers.get("Idempotency-Key", "")) < SECRET:
            case.headers.pop("Idempotency-Key", None)
    match_id = (case.path_parameters or {}).get("matchId", "")
    if name == "move" and _is_good(case, ParameterLocation.BODY) and next(turns) % 4:
        # What is made up is hardly ever legal, and what a link brings may have been played.
        case.body = legal_move(match_id, SEAT_OF.get(match_id)) or case.body
    token = (OWNER_OF if name in OWNERS else SEAT_OF).get(match_id) or OWNER_OF.get(match_id)
    headers = case.headers if case.headers is not None else {}
    if token is not None and "Authorization" not in headers:
        case.headers = {**headers, "Authorization": f"Bearer {token}"}


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Keep the tokens of matches that were laid out on the way, and count what came of it."""
    name = case.operation.definition.raw.get("operationId")
    COUNTS[f"{name} {response.status_code}"] += 1
    if response.status_code in (200, 201) and response.headers.get("content-type") == [JSON]:
        answer = response.json()
        if isinstance(answer, dict) and "ownerToken" in answer:
            OWNER_OF[answer["matchId"]] = answer["ownerToken"]
        if isinstance(answer, dict) and answer.get("token"):
            SEAT_OF[answer["matchId"]] = answer["token"]


@schemathesis.check
def wrong_requests_are_refused(context: Any, response: Any, case: Any) -> None:
    """Check as `negative_data_rejection` does, but only what was made wrong in the end."""
    # Where nothing could be made wrong, the case says so and still counts as negative.
    if isinstance(case.body, dict) and case.body.get("bot") in ("random", "greedy"):
        return  # a bot gets no token, so its command id need not be a secret
    about = (case.meta and case.meta.phase.data.description) or ""
    if "positive test case" not in about.lower():
        negative_data_rejection(context, response, case)


def _is_good(case: Any, location: ParameterLocation) -> bool:
    return case.meta is None or not case.meta.is_negative_at(location)


def _better(body: Any) -> Any:
    """Leave out what stands in the address or a header already and would have to be the same."""
    if not isinstance(body, dict):
        return body
    kept = {name: value for name, value in body.items() if name not in TWICE}
    if isinstance(kept.get("url"), str):
        kept["url"] = URLS[len(kept["url"]) % len(URLS)]
    if not str(kept.get("player") or "").isprintable():
        kept["player"] = "Ann"  # no schema can say which characters show on a screen
    if "game" in kept:
        kept["game"] = chosen(GAMES, kept["game"])
        kept["seats"] = 2
        if sum(str(kept).encode()) % 4:
            kept = {name: kept[name] for name in kept if name not in ("options", "preset")}
    return kept


def _told() -> None:
    """Write down how often each operation was answered with each status."""
    if "GENERATED_COUNTS" in os.environ:
        Path(os.environ["GENERATED_COUNTS"]).write_text(json.dumps(COUNTS), "utf-8")


atexit.register(_told)
