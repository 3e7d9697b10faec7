"""JSON Schemas (2020-12) of the events: one for each type and version of the shape of its data.

They describe `data` as clients read it in `events` and in logs, so without the type, which stands
beside it. What a viewer may not see is `null` or left out, in the same shape. A state or an agenda,
which no client has to read, is of any shape.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

import msgspec
import msgspec.inspect

from domain.engine.events import ENGINE_EVENTS, Event
from domain.games import GAMES

Part: TypeAlias = dict[str, Any]  # one object of the document

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
URN: Final = "urn:stele:event:"


def build_shapes() -> dict[str, Part]:
    """Return the schemas by type and version: `chrononauts.cards_drawn.v1`."""
    kinds = (*ENGINE_EVENTS, *(event for game in GAMES for event in game.events))
    return dict(sorted(_shapes(kinds)))


def _shapes(kinds: tuple[type[Event], ...]) -> Iterator[tuple[str, Part]]:
    for kind in kinds:
        info = msgspec.inspect.type_info(kind)
        assert isinstance(info, msgspec.inspect.StructType)
        type, _, version = str(info.tag).partition("@")
        name = f"{type}.v{version or 1}"
        (ref,), schemas = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
        own = schemas.pop(ref["$ref"].rpartition("/")[2])
        own["properties"].pop("type")
        own["required"].remove("type")
        head = {"$schema": DIALECT, "$id": URN + name}
        yield name, {**head, **own, **({"$defs": dict(sorted(schemas.items()))} if schemas else {})}
