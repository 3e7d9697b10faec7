"""What Schemathesis is told of the REST interface: matches that exist, and tokens that open them.

Most requests go to one of a few matches with a token of the right kind; the others keep what was
made up for them.
"""

from typing import Any

import schemathesis
from schemathesis.core.parameters import ParameterLocation

from tests.contract_guard.tables import GAMES, TABLES, chosen

JSON = "application/json"
OWNERS = {"takeSeat", "startMatch", "exportLog"}
TWICE = {"matchId", "commandId", "expectedVersion"}
IDS = tuple(table.id for table in TABLES)
OWNER_OF = {table.id: table.owner for table in TABLES}
SEAT_OF = {table.id: table.seat for table in TABLES}


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any]) -> dict[str, Any]:
    """Name a match and a game that exist, three times out of four."""
    real = {"matchId": IDS, "game": GAMES}
    return {
        name: chosen(real[name], value) if name in real else value
        for name, value in (path_parameters or {}).items()
    }


@schemathesis.hook
def map_query(context: Any, query: dict[str, Any]) -> dict[str, Any]:
    """Wait for nothing: a long poll would use up the time."""
    return {name: value for name, value in (query or {}).items() if name != "wait"}


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Make a good request a better one, and add the token that opens the match."""
    if case.meta is None or not case.meta.is_negative_at(ParameterLocation.BODY):
        case.body = _better(case.body)
    match_id = (case.path_parameters or {}).get("matchId", "")
    name = case.operation.definition.raw.get("operationId")
    token = (OWNER_OF if name in OWNERS else SEAT_OF).get(match_id) or OWNER_OF.get(match_id)
    headers = case.headers if case.headers is not None else {}
    if token is not None and "Authorization" not in headers:
        case.headers = {**headers, "Authorization": f"Bearer {token}"}


@schemathesis.hook
def after_call(context: Any, case: Any, response: Any) -> None:
    """Keep the tokens of matches that were laid out on the way."""
    if response.status_code in (200, 201) and response.headers.get("content-type") == [JSON]:
        answer = response.json()
        if isinstance(answer, dict) and "ownerToken" in answer:
            OWNER_OF[answer["matchId"]] = answer["ownerToken"]
        if isinstance(answer, dict) and answer.get("token"):
            SEAT_OF[answer["matchId"]] = answer["token"]


def _better(body: Any) -> Any:
    """Leave out what stands in the address or a header already and would have to be the same."""
    if not isinstance(body, dict):
        return body
    kept = {name: value for name, value in body.items() if name not in TWICE}
    if "game" in kept:
        kept["game"] = chosen(GAMES, kept["game"])
        kept["seats"] = 2
        if sum(str(kept).encode()) % 4:
            kept = {name: kept[name] for name in kept if name not in ("options", "preset")}
    return kept
