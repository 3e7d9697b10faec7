"""Request to arguments: path, query, body and headers become one checked value.

Every fault is named with its path. Words that stand twice (path and body, header and body) must
agree.
"""

import re
import types
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Union, get_args, get_origin

from starlette.requests import Request

from schema.inputs import Arguments, flattened
from schema.operations import Operation
from schema.validation import Words, faulty, validated
from service.http import JSON, SMALL_BODY, decode_object, decode_text, media_type, read_body

_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,18})")
_QUOTED = re.compile(r'"([^"]*)"')
_TAG = re.compile(r'(?:W/)?"?(0|[1-9][0-9]{0,18})"?')


async def from_body(request: Request, limit: int, takes: str | None = None) -> Words:
    """Return what the body says: a JSON object, or the text of media type `takes`.

    Raises: Malformed, TooLarge, WrongMediaType.
    """
    headers = request.headers
    if "content-type" not in headers and headers.get("content-length", "0") == "0":
        await read_body(request, 0)
        return {}
    media = media_type(request, (JSON,) if takes is None else (JSON, takes))
    body = await read_body(request, limit if takes else min(limit, SMALL_BODY))
    if media == takes:
        return {"text": decode_text(body)}
    return decode_object(decode_text(body)) if body else {}


def from_query(request: Request, arguments: type[Arguments]) -> Words:
    """Return what the query string says, with numbers and truth values read as such."""
    words: Words = {}
    if not request.scope["query_string"]:
        return words
    kinds = _kinds(arguments)
    for key, value in request.query_params.multi_items():
        if key in words:
            raise faulty({key[:64]: "is given twice"})
        words[key] = _read(value, kinds.get(key, str))
    for name, part in flattened(arguments):
        # `?filter=` itself is not how a query string writes it.
        inner = {key: words.pop(key) for key in _kinds(part) if key in words}
        if inner:
            words.setdefault(name, inner)
    return words


def _read(value: str, kind: type) -> object:
    """Return the value, or the text itself where it is none: validation then says what is wrong."""
    if kind is int and _NUMBER.fullmatch(value):
        return int(value)
    if kind is bool and value in ("true", "false"):
        return value == "true"
    return value


@cache
def _kinds(arguments: type[Arguments]) -> Mapping[str, type]:
    return {
        field.alias or name: _kind(field.annotation)
        for name, field in arguments.model_fields.items()
    }


def _kind(annotation: object) -> type:
    """Return int, bool or str: what an argument is, `None` aside."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _kind(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        return next(_kind(arm) for arm in get_args(annotation) if arm is not types.NoneType)
    return annotation if annotation in (int, bool) and isinstance(annotation, type) else str


def to_arguments(request: Request, operation: Operation, words: Words) -> Arguments:
    """Return the checked arguments: the words with what path and headers add.

    Raises: Malformed.
    """
    merged = dict(words)
    kinds = _kinds(operation.arguments)
    for key, text in request.path_params.items():
        value = _read(text, kinds.get(key, str))
        if merged.setdefault(key, value) != value:
            raise faulty({key: f"differs from the {key} in the address"})
    if operation.method == "POST":
        _merge_headers(request, operation, merged)
    return validated(operation.arguments, merged, _flat(operation))


def _flat(operation: Operation) -> Mapping[str, str]:
    """Return what a query string writes instead of the paths of fields of objects."""
    parts = flattened(operation.arguments) if operation.method == "GET" else ()
    return {f"{name}.{key}": key for name, part in parts for key in _kinds(part)}


def _merge_headers(request: Request, operation: Operation, words: Words) -> None:
    key = request.headers.get("idempotency-key")
    if key is not None:
        quoted = _QUOTED.fullmatch(key)
        _merge(words, "commandId", quoted[1] if quoted else key, "differs from Idempotency-Key")
    expected = request.headers.get("if-match", "*").strip()
    if expected == "*":  # any version: what is asked of a match that does not exist fails anyway
        return
    if "expected_version" not in operation.arguments.model_fields:
        raise faulty({"If-Match": f"{operation.name} expects no version"})
    # A proxy that compresses makes tags weak; they still name one version.
    tag = _TAG.fullmatch(expected)
    if tag is None:
        raise faulty({"If-Match": 'names no version; write "17"'})
    _merge(words, "expectedVersion", int(tag[1]), "differs from If-Match")


def _merge(words: Words, key: str, value: object, complaint: str) -> None:
    if key in words and words[key] is not None and words[key] != value:
        raise faulty({key: complaint})
    words[key] = value
