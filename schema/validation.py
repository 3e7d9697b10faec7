"""Words of a client to arguments: every fault is named with its path, none shows a value.

A fault is told in the words of the API: no name of a class, no regular expression.
"""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from pydantic import ValidationError

from schema import inputs
from schema.errors import Malformed
from schema.inputs import Arguments

Words: TypeAlias = dict[str, object]
"""What a client said, by the names that it writes."""

MAX_FAULTS = 50

SAYINGS: Final[Mapping[str, str]] = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "string_type": "has to be a string",
    "string_unicode": "has to be a string of whole characters",
    "string_too_short": "has to have a length of at least {min_length}",
    "string_too_long": "has to have a length of at most {max_length}",
    "string_pattern_mismatch": "has to be of letters, digits, - and _",  # the only pattern: `Id`
    "int_type": "has to be a whole number",
    "greater_than_equal": "has to be at least {ge}",
    "less_than_equal": "has to be at most {le}",
    "bool_type": "has to be true or false",
    "literal_error": "has to be {expected}",
    "list_type": "has to be a list",
    "dict_type": "has to be an object",
    "model_type": "has to be an object {fields}",
    "too_short": "has to have a length of at least {min_length}",
    "too_long": "has to have a length of at most {max_length}",
}
"""What is said of each kind of fault; a fault of our own validators brings its own words."""


def validated(
    arguments: type[Arguments], words: Words, names: Mapping[str, str] | None = None
) -> Arguments:
    """Return the arguments. `names` are the names that the client used instead of ours.

    Raises:
        Malformed: a word is missing, unknown, or not of its type.
    """
    try:
        return arguments.model_validate(words)
    except ValidationError as error:
        raise faulty(_faults(error, words, names or {})) from None


def faulty(faults: Mapping[str, str]) -> Malformed:
    """Return the error that names these faults by path; there is at least one."""
    errors = [{"path": path, "message": message} for path, message in faults.items()]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return Malformed(f"{errors[0]['path']}: {errors[0]['message']}{more}", errors=errors)


def _faults(error: ValidationError, words: Words, names: Mapping[str, str]) -> dict[str, str]:
    faults: dict[str, str] = {}
    for fault in error.errors(include_url=False, include_input=False):
        path = ".".join(_path(fault["loc"], words, is_missing=fault["type"] == "missing"))
        path = names.get(path, path)
        message = _message(fault["type"], fault["msg"], fault.get("ctx", {}))
        faults[path] = f"{faults[path]}; or {message}" if path in faults else message
    return dict(list(faults.items())[:MAX_FAULTS])


def _message(kind: str, own: str, context: Mapping[str, object]) -> str:
    if kind not in SAYINGS:
        return own
    fields = ""
    if kind == "model_type":
        model: type[Arguments] = getattr(inputs, str(context["class_name"]))
        names = [str(field.alias) for field in model.model_fields.values()]
        fields = f"{{{', '.join(names)}}}"
    return SAYINGS[kind].format(**context, fields=fields)


def _path(location: tuple[int | str, ...], words: object, is_missing: bool) -> Iterator[str]:
    """Yield the steps of a location that are the client's; the rest names types of ours.

    What is missing stands nowhere in the words: it is the last step, and the client's all the same.
    """
    for index, step in enumerate(location, 1):
        match words, step:
            case dict(), str() if step in words:
                words = words[step]
            case list(), int():
                words = words[step]
            case _:
                if not is_missing or index < len(location):
                    return
        yield str(step)[:64]
