"""What clients of GraphQL ask to run, most of it over graphql-transport-ws, read with suspicion."""

from typing import Final, TypeAlias

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket

from schema.errors import Malformed
from schema.graphql import Api
from schema.limits import MAX_VARIABLES
from schema.subscriptions import Asked

LONGEST_ID: Final = 128

Message: TypeAlias = dict[str, object]


def with_token(websocket: WebSocket, payload: Message) -> HTTPConnection:
    """Return the handshake as if the token of the payload had come in its header.

    Raises: Malformed.
    """
    for name, token in payload.items():
        if name.lower() == "authorization" and token is not None:
            if not isinstance(token, str):
                raise Malformed("authorization is a string: Bearer <token>")
            kept = [pair for pair in websocket.scope["headers"] if pair[0] != b"authorization"]
            header = (b"authorization", token.encode("latin-1", errors="replace"))
            return HTTPConnection({**websocket.scope, "headers": [*kept, header]})
    return websocket


def id_of(message: Message) -> str:
    """Return the id of the operation that a message is about. Raises: Malformed."""
    id = message.get("id")
    if not isinstance(id, str) or not 0 < len(id) <= LONGEST_ID:
        raise Malformed(f"the id of an operation is a string of 1 to {LONGEST_ID} characters")
    return id


def asked_of(message: Message, schema: Api) -> Asked:
    """Return what a message asks to run. Raises: Malformed, NotFound."""
    payload = message.get("payload")
    if not isinstance(payload, dict):
        raise Malformed("the payload of subscribe is an object")
    document = schema.prepare.text_of(payload)
    if document is None:
        raise Malformed("query: must be a string")
    return Asked(document, *run_with(payload))


def run_with(words: Message) -> tuple[dict[str, object] | None, str | None]:
    """Return the variables and the name of the operation to run. Raises: Malformed."""
    variables, operation = words.get("variables"), words.get("operationName")
    if not isinstance(variables, dict | None):
        raise Malformed("variables: must be an object")
    if variables and len(variables) > MAX_VARIABLES:
        raise Malformed(f"variables: are more than {MAX_VARIABLES}")
    if not isinstance(operation, str | None):
        raise Malformed("operationName: must be a string")
    return variables or None, operation or None
