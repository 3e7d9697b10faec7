"""The OpenAPI 3.1 document, built from the table of operations.

Arguments come from the models that check them, answers from the Structs that are encoded, errors
from the one table of codes: for each operation every status it may answer with, and which codes
stand behind it.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias, get_args

import msgspec

from schema.errors import ERRORS, ROWS
from schema.inputs import SECRET_LENGTH, Arguments, flattened
from schema.links import links_from
from schema.operations import BY_NAME, EVENT_STREAM, OPERATIONS, Kind, Operation
from schema.parameters import meaning
from schema.problem import PROBLEM, problem
from schema.reflect import described
from schema.webhooks import News, NewsType

Part: TypeAlias = dict[str, Any]  # one object of the document

REF = "#/components/schemas/"
REF_TEMPLATE = REF + "{name}"
JSON = "application/json"
VERSION_TAG = r'^(\*|(W/)?("(0|[1-9][0-9]{0,8})"|(0|[1-9][0-9]{0,8})))$'
COMMAND_ID = '^("[A-Za-z0-9_-]{{{least},64}}"|[A-Za-z0-9_-]{{{least},64}})$'

EVERYWHERE = (
    "malformed",
    "unauthenticated",
    "not_acceptable",
    "misdirected",
    "rate_limited",
    "headers_too_large",
    "internal",
    "overloaded",
    "store_unavailable",
    "provider_unavailable",
)
WITH_BODY = ("too_slow", "too_large", "wrong_media_type", "busy")
IN_MATCH = ("forbidden", "match_not_found", "match_damaged", "store_regressed")

MOVES = tuple(row for row in OPERATIONS if row.kind is Kind.MOVE)

_RATES = {
    "RateLimit": {"$ref": "#/components/headers/RateLimit"},
    "RateLimit-Policy": {"$ref": "#/components/headers/RateLimitPolicy"},
}
"""Where rates are limited, every answer has them."""


def build_openapi() -> Part:
    """Return the document."""
    paths: dict[str, Part] = {}
    for row in OPERATIONS:
        if row.kind is not Kind.MOVE:
            paths.setdefault(f"/v1{row.path}", {})[row.method.lower()] = _operation(row)
    paths[f"/v1{BY_NAME['choose'].path}"] = {"post": _moves()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Stele",
            "version": "1",
            "summary": "An event-sourced backend for card games with hidden information.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "security": [{}, {"bearer": []}],
        "paths": dict(sorted(paths.items())),
        "webhooks": {name: {"post": _webhook(name)} for name in get_args(NewsType)},
        "components": {
            "schemas": dict(sorted(_schemas().items())),
            "parameters": _parameters(),
            "headers": _headers(),
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The token of an owner or of a seat.",
                }
            },
        },
    }


def _operation(row: Operation) -> Part:
    part: Part = {
        "operationId": row.name,
        "summary": row.doc,
        "parameters": [*_from_address(row), *_from_headers(row)],
    }
    if row.method == "POST":
        content: Part = {JSON: {"schema": _ref(row.arguments.__name__)}}
        if row.takes is not None:
            content[row.takes] = {"schema": {"type": "string"}}
        # All that some operations need stands in the path.
        is_needed = bool(_body_schema(row.arguments).get("required"))
        part["requestBody"] = {"required": is_needed, "content": content}
    part["responses"] = {str(row.status): _success(row, row.name), **_failures((row,))}
    return part


def _webhook(name: str) -> Part:
    """Return what a receiver is sent, by the rules of Standard Webhooks."""

    def header(name: str, description: str) -> Part:
        part = {"name": name, "in": "header", "required": True, "schema": {"type": "string"}}
        return {**part, "description": description}

    body = {"allOf": [_ref(News.__name__), {"properties": {"type": {"const": name}}}]}
    return {
        "summary": "Sent to webhooks, at least once; `createWebhook` registers one.",
        "security": [{}],
        "parameters": [
            header("webhook-id", "The same for every repeat."),
            header("webhook-timestamp", "When this was sent, in seconds since 1970 UTC."),
            header("webhook-signature", "`v1,` and the signature; several stand side by side."),
        ],
        "requestBody": {"required": True, "content": {JSON: {"schema": body}}},
        "responses": {
            "2XX": {"description": "It was taken."},
            "410": {"description": "The webhook is to be told nothing any more."},
            "default": {"description": "It is sent again, later and later over a day."},
        },
    }


def _moves() -> Part:
    row = BY_NAME["choose"]
    mapping = {move.name: REF + _move_name(move) for move in MOVES}
    body = {
        "oneOf": [{"$ref": ref} for ref in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }
    return {
        "operationId": "move",
        "summary": "Make a named move, or answer the open choice; `type` tells which.",
        "parameters": [*_from_address(row), *_from_headers(row)],
        "requestBody": {"required": True, "content": {JSON: {"schema": body}}},
        "responses": {str(row.status): _success(row, "move"), **_failures(MOVES)},
    }


def _from_address(row: Operation) -> Iterator[Part]:
    schema, parts = _schema(row.arguments), dict(flattened(row.arguments))
    for name, property in schema.get("properties", {}).items():
        if f"{{{name}}}" in row.path:
            yield _parameter(row, name, "path", property)
        elif row.method == "GET" and name not in parts:
            yield _parameter(row, name, "query", property)
    for part in parts.values() if row.method == "GET" else ():
        for name, property in _schema(part)["properties"].items():
            yield _parameter(row, name, "query", property)


def _parameter(row: Operation, name: str, place: str, schema: Part) -> Part:
    return {
        "name": name,
        "in": place,
        "required": place == "path",
        "description": meaning(row.name, name),
        "schema": schema,
    }


def _from_headers(row: Operation) -> Iterator[Part]:
    fields = row.arguments.model_fields
    if "expected_version" in fields:
        yield {"$ref": "#/components/parameters/IfMatch"}
    if "command_id" in fields:
        least = _schema(row.arguments)["properties"]["commandId"]["anyOf"][0]["minLength"]
        is_secret = least == SECRET_LENGTH
        name = "SecretIdempotencyKey" if is_secret else "IdempotencyKey"
        yield {"$ref": f"#/components/parameters/{name}"}
    if row.method == "GET" and row.media is None:
        yield {"$ref": "#/components/parameters/IfNoneMatch"}
    if EVENT_STREAM in row.streams:
        yield {"$ref": "#/components/parameters/LastEventId"}


def _parameters() -> dict[str, Part]:
    def header(name: str, description: str, example: str, pattern: str | None = None) -> Part:
        return {
            "name": name,
            "in": "header",
            "required": False,
            "description": description,
            "schema": {"type": "string"} | ({"pattern": pattern} if pattern else {}),
            "example": example,
        }

    return {
        "IfMatch": header(
            "If-Match", "The expected version, like `expectedVersion`.", '"17"', VERSION_TAG
        ),
        "IdempotencyKey": header(
            "Idempotency-Key",
            "The command id, like `commandId`: a repeat is safe.",
            "c-1",
            COMMAND_ID.format(least=1),
        ),
        "SecretIdempotencyKey": header(
            "Idempotency-Key",
            "The command id, like `commandId`. Here it is a secret of yours, of "
            f"{SECRET_LENGTH} to 64 characters: whoever repeats it gets the same tokens.",
            "a-secret-of-16-or-more",
            COMMAND_ID.format(least=SECRET_LENGTH),
        ),
        "IfNoneMatch": header(
            "If-None-Match", "The ETag of what you have; 304 if it is still so.", '"17"'
        ),
        "LastEventId": header(
            "Last-Event-ID", "Where a stream of events was cut; it counts before `after`.", "17"
        ),
    }


def _headers() -> dict[str, Part]:
    return {
        "ETag": {
            "description": "The version of the match, or a hash where there is no match.",
            "schema": {"type": "string"},
        },
        "RetryAfter": {
            "description": "Seconds to wait before the same request may succeed.",
            "schema": {"type": "integer"},
        },
        "RateLimit": {
            "description": "The budget, what is left of it (`r`), and in how many seconds it is "
            "whole again (`t`).",
            "schema": {"type": "string"},
            "example": '"moves";r=599;t=42',
        },
        "RateLimitPolicy": {
            "description": "The budget: so many requests (`q`) in so many seconds (`w`).",
            "schema": {"type": "string"},
            "example": '"moves";q=600;w=60',
        },
    }


def _success(row: Operation, name: str) -> Part:
    (schema,), _ = msgspec.json.schema_components([row.result], ref_template=REF_TEMPLATE)
    content: Part = {JSON: {"schema": schema}}
    if row.media is not None:
        content = {row.media: {"schema": {"type": "string"}}, **content}
    content |= {media: {"schema": {"type": "string"}} for media in row.streams}
    part: Part = {"description": row.doc, "content": content, "headers": {**_RATES}}
    if row.method == "GET" and row.media is None:
        part["headers"]["ETag"] = {"$ref": "#/components/headers/ETag"}
    if links := links_from(name):
        part["links"] = links
    return part


def codes_of(row: Operation) -> set[str]:
    """Return every code that an operation can be refused with."""
    codes = {*EVERYWHERE, *row.errors}
    codes |= set(WITH_BODY) if row.method == "POST" else set()
    codes |= set(IN_MATCH) if "{matchId}" in row.path else set()
    return codes


def _failures(rows: tuple[Operation, ...]) -> dict[str, Part]:
    """Return one response for each status behind which an error of these operations stands."""
    row = rows[0]
    codes = set().union(*map(codes_of, rows))
    failures: dict[str, Part] = {}
    if EVENT_STREAM in row.streams:
        failures["204"] = {"description": "The stream has ended for good: the match is over."}
    if row.method == "GET" and row.media is None:
        failures["304"] = {"description": "It is still as you have it."}
    for error in ROWS:
        if error.code in codes:
            behind = [one for one in ROWS if one.status == error.status and one.code in codes]
            failures[str(error.status)] = _failure([one.code for one in behind])
    return failures


def _failure(codes: list[str]) -> Part:
    schema = {
        "allOf": [{"$ref": REF + "Problem"}, {"properties": {"code": {"enum": codes}}}],
    }
    part: Part = {
        "description": "\n".join(f"`{code}`: {ERRORS[code].meaning}" for code in codes),
        "content": {PROBLEM: {"schema": schema}},
    }
    headers = {}
    if any(ERRORS[code].retryable for code in codes):
        headers["Retry-After"] = {"$ref": "#/components/headers/RetryAfter"}
    if "rate_limited" in codes:
        headers |= _RATES
    return {**part, "headers": headers} if headers else part


def _schemas() -> dict[str, Part]:
    _, schemas = msgspec.json.schema_components(
        [*(row.result for row in OPERATIONS), News], ref_template=REF_TEMPLATE
    )
    schemas["Problem"] = problem(_ref("EventView"))
    for row in OPERATIONS:
        if row.kind is Kind.MOVE:
            schemas[_move_name(row)] = _move_schema(row)
        elif row.method == "POST":
            schemas[row.arguments.__name__] = _body_schema(row.arguments)
        if row.method == "POST":
            schemas.update(_parts(row.arguments))
    return schemas


def _parts(arguments: type[Arguments]) -> dict[str, Part]:
    """Return the schemas of the models that stand inside arguments, by name."""
    parts: dict[str, Part] = _full_schema(arguments).get("$defs", {})
    return parts


def _full_schema(arguments: type[Arguments]) -> Part:
    return arguments.model_json_schema(ref_template=REF + "{model}")


def _schema(arguments: type[Arguments]) -> Part:
    schema = {name: value for name, value in _full_schema(arguments).items() if name != "$defs"}
    for property in schema.get("properties", {}).values():
        property.pop("title", None)  # says again what the name says
        if property.get("default", ...) is None:
            del property["default"]  # to some generators, a field with a default has to be sent
    return schema


def _body_schema(arguments: type[Arguments]) -> Part:
    """Return the schema of a body: what stands in the path may be said again, but need not."""
    schema = _schema(arguments)
    in_path = {
        name for row in OPERATIONS if row.arguments is arguments for name in _named(row.path)
    }
    required = [name for name in schema.pop("required", []) if name not in in_path]
    schema["description"] = described(arguments)
    return {**schema, "required": required} if required else schema


def _named(path: str) -> Iterator[str]:
    for part in path.split("/"):
        if part.startswith("{"):
            yield part.strip("{}")


def _move_name(row: Operation) -> str:
    return row.arguments.__name__.removesuffix("Input") + "Move"


def _move_schema(row: Operation) -> Part:
    schema = _body_schema(row.arguments)
    properties = {"type": {"const": row.name}, **schema["properties"]}
    required = ["type", *schema.get("required", [])]
    title = _move_name(row)
    return {**schema, "title": title, "properties": properties, "required": required}


def _ref(name: str) -> Part:
    return {"$ref": REF + name}
