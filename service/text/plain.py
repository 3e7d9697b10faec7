"""Text for a game that has no module of its own yet: what the view says, field by field."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.engine.codec import encode, type_of
from domain.engine.events import Event
from domain.engine.game import game_of
from domain.engine.match import Match
from service.text.words import Words


def lay_out(match: Match[Any], words: Words) -> list[str]:
    """Return the lines of the table of a match that has started, already redacted."""
    # The match is redacted already; to its own viewer everything left in it is open.
    return list(_lines(msgspec.to_builtins(game_of(match.game).view(match, "all")), 0))


def _lines(value: object, depth: int) -> Iterator[str]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]  # a list
    for name, part in pairs:
        if isinstance(part, dict | list | tuple) and part:
            yield f"{'  ' * depth}{name}"
            yield from _lines(part, depth + 1)
        else:
            yield f"{'  ' * depth}{name}: {msgspec.json.encode(part).decode()}"


def tell(event: Event, words: Words) -> str:
    """Say what happened: the type and the fields of the event."""
    name, _ = type_of(event)
    data: dict[str, object] = msgspec.json.decode(encode(event))
    del data["type"]
    fields = ", ".join(
        f"{key} {msgspec.json.encode(value).decode()}" for key, value in data.items()
    )
    return f"{name} {fields}".rstrip()


def name_pick(pick: str, words: Words) -> str:
    """Name an option that was picked."""
    return words.card(pick)
