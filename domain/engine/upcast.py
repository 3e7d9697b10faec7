"""Old stored events rewritten step by step to the shape that this build knows.

An upcaster takes the JSON object of one event, whose `type` is the old tag, and returns the
object of the next shape, its new tag in `type`. Steps are pure and chain while one takes the tag.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

# JSON objects of events: any value may stand in them.
Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]

ENGINE_UPCASTERS: Mapping[str, Upcaster] = {}


def upcast(event: dict[str, Any], upcasters: Mapping[str, Upcaster]) -> dict[str, Any]:
    """Return the event in its newest shape."""
    while (step := upcasters.get(str(event.get("type")))) is not None:
        event = step(event)
    return event
