"""JSON Schemas (2020-12) of the positions of each game: what `games` shows and files hold."""

from typing import Any, Final, TypeAlias

import msgspec

from domain.engine.game import game_of
from domain.engine.position import Position, layout_of
from domain.games import GAMES

Part: TypeAlias = dict[str, Any]  # one object of the document

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
URN: Final = "urn:stele:position:"


def build_position(game: str) -> Part:
    """Return the schema of the positions of a game.

    Raises:
        LookupError: it has none.
    """
    words, rules = layout_of(game).words, game_of(game)
    (top, board), parts = msgspec.json.schema_components(
        [Position, words], ref_template="#/$defs/{name}"
    )
    (options,), more = msgspec.json.schema_components(
        [rules.options], ref_template="#/$defs/{name}"
    )
    own = parts.pop(top["$ref"].rpartition("/")[2])
    properties = {
        **own["properties"],
        "game": {"const": game},
        "ruleset": {"const": rules.ruleset},
        "seats": {"type": "integer", "minimum": rules.seats[0], "maximum": rules.seats[-1]},
        "options": options,
        "board": board,
    }
    head = {"$schema": DIALECT, "$id": URN + game, "title": f"Position of {rules.title}"}
    return {
        **head,
        **own,
        "properties": properties,
        "$defs": dict(sorted({**parts, **more}.items())),
    }


def build_positions() -> dict[str, Part]:
    """Return the schemas of all games that have positions, by name."""
    return {game.name: build_position(game.name) for game in GAMES if game.layout is not None}
