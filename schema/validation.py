"""Words of a client to arguments: every fault is named with its path, none shows a value."""

from collections.abc import Mapping
from typing import TypeAlias

from pydantic import ValidationError

from schema.errors import Malformed
from schema.inputs import Arguments

Words: TypeAlias = dict[str, object]
"""What a client said, by the names that it writes."""

MAX_FAULTS = 50


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
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        path = _path(fault["loc"], words)
        path = names.get(path, path)
        message = fault["msg"][:1].lower() + fault["msg"][1:]
        faults[path] = f"{faults[path]}; or {message}" if path in faults else message
    return dict(list(faults.items())[:MAX_FAULTS])


def _path(location: tuple[int | str, ...], words: object) -> str:
    """Return the part of a location that is the client's; the rest names types of ours."""
    path: list[str] = []
    for step in location:
        match words, step:
            case dict(), str() if step in words or not path:
                words = words.get(step)
            case list(), int():
                words = words[step]
            case _:
                break
        path.append(str(step)[:64])
    return ".".join(path)
