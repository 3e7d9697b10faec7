"""The options that a client names, checked against a game's Struct of them."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct, inspect

from domain.engine.errors import InvalidOptions
from domain.engine.ids import Json, Scalar

S = TypeVar("S", bound=Struct)

_LONGEST_SHOWN = 40


def chosen(
    given: Mapping[str, Scalar], presets: Mapping[str, Mapping[str, Scalar]], default: str
) -> dict[str, Scalar]:
    """Return the values of the preset named, with those named beside it in their place.

    Raises:
        InvalidOptions: there is no such preset.
    """
    named = dict(given)
    preset = named.pop("preset", default)
    if not isinstance(preset, str) or preset not in presets:
        raise InvalidOptions(
            f"preset: one of {', '.join(presets)}, not {_shown(preset)}",
            options=["preset"],
            presets=sorted(presets),
        )
    return {**presets[preset], **named}


def to_options(values: Mapping[str, Scalar], kind: type[S]) -> S:
    """Return the options with these values, by the names that clients use.

    Raises:
        InvalidOptions: names nobody knows, or values out of range; every one of them is told, with
            what it may be.
    """
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType), "options are a Struct"
    fields = {field.encode_name: field for field in described.fields}
    faults = {}
    for name, value in values.items():
        if name not in fields:
            faults[name] = f"there is no such option; there are {', '.join(fields)}"
        elif not _fits({name: value}, kind):
            faults[name] = f"{_allowed(fields[name])}, not {_shown(value)}"
    if faults:
        names: list[Json] = list(faults)
        told = "; ".join(f"{_name(name)}: {fault}" for name, fault in faults.items())
        raise InvalidOptions(told, options=names)
    return msgspec.convert(values, kind)


def _fits(values: Mapping[str, Scalar], kind: type[Struct]) -> bool:
    try:
        msgspec.convert(values, kind)
    except msgspec.ValidationError:
        return False
    return True


def _allowed(field: inspect.Field) -> str:
    kind = field.type.type if isinstance(field.type, inspect.Metadata) else field.type
    match kind:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=min, le=max):
            return f"a whole number from {min} to {max}"
        case inspect.LiteralType(values=values):
            return f"one of {', '.join(str(value) for value in values)}"
        case _:
            raise AssertionError(f"option {field.name}: a switch, a whole number or named values")


def _shown(value: Scalar) -> str:
    return _name(msgspec.json.encode(value).decode())


def _name(text: str) -> str:
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
