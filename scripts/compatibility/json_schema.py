"""What breaks between two JSON Schemas: for who sends such values, and for who reads them.

A reader is broken by a value that was promised and is gone: a field, a type, a member of a union.
A writer is broken by a value that was taken and is refused: a new required field, a word fewer, a
narrower bound. Words that vanish from what is read are reported too: somebody may wait for them.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, TypeAlias

Part: TypeAlias = Mapping[str, Any]
Resolve: TypeAlias = Callable[[Part], Part]
"""Takes a schema and gives what its `$ref` names, or the schema itself."""

LOWER = ("minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties")
UPPER = ("maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties")
UNIONS = ("anyOf", "oneOf")


class Use(Enum):
    """Whether clients send the values or read them."""

    SENT = "sent"
    READ = "read"


def resolver(document: Part) -> Resolve:
    """Return the function that follows references within a document."""

    def resolve(schema: Part) -> Part:
        while "$ref" in schema:
            found: Any = document
            for step in str(schema["$ref"]).removeprefix("#/").split("/"):
                found = found[step]
            schema = found
        return schema

    return resolve


class Comparison:
    """Compares schemas of two documents; each pair of references once."""

    def __init__(self, old: Resolve, new: Resolve) -> None:
        self._old = old
        self._new = new
        self._seen: set[tuple[str, str, Use]] = set()

    def breaks(self, old: Part, new: Part, use: Use, place: str) -> Iterator[str]:
        """Yield one sentence for each break."""
        if "$ref" in old and "$ref" in new:
            pair = (str(old["$ref"]), str(new["$ref"]), use)
            if pair in self._seen:
                return
            self._seen.add(pair)
        old, new = self._old(old), self._new(new)
        yield from _types(old, new, use, place)
        yield from _words(old, new, place)
        yield from self._unions(old, new, use, place)
        yield from self._fields(old, new, use, place)
        yield from self._items(old, new, use, place)
        if use is Use.SENT:
            yield from _bounds(old, new, place)

    def _unions(self, old: Part, new: Part, use: Use, place: str) -> Iterator[str]:
        if not _is_union(old) and not _is_union(new):
            return
        before, after = self._arms(old, self._old), self._arms(new, self._new)
        for label, arm in before.items():
            if label not in after:
                yield f"{place}: no longer takes the form of {label}"
            else:
                yield from self.breaks(arm, after[label], use, f"{place}<{label}>")
        if use is Use.READ and "null" in after and "null" not in before and before:
            yield f"{place}: may now be null"

    def _arms(self, schema: Part, resolve: Resolve) -> dict[str, Part]:
        """Return the alternatives of a schema by a label that outlives their order."""
        for union in UNIONS:
            if union in schema:
                return {
                    label: arm
                    for inner in schema[union]
                    for label, arm in self._arms(inner, resolve).items()
                }
        if "$ref" in schema:
            target = resolve(schema)
            if any(union in target for union in UNIONS):
                return self._arms(target, resolve)
            return {str(schema["$ref"]).rpartition("/")[2]: schema}
        kind = schema.get("type")
        return {kind: schema} if isinstance(kind, str) else {}

    def _fields(self, old: Part, new: Part, use: Use, place: str) -> Iterator[str]:
        if "properties" not in old and "properties" not in new:
            return
        before, after = old.get("properties", {}), new.get("properties", {})
        for name in before:
            where = f"{place}.{name}"
            if name not in after:
                yield f"{where}: is gone"
            else:
                yield from self.breaks(before[name], after[name], use, where)
        needed, was_needed = set(new.get("required", ())), set(old.get("required", ()))
        if use is Use.SENT:
            for name in sorted(needed - was_needed):
                yield f"{place}.{name}: is now required"
        else:
            for name in sorted((was_needed - needed) & set(after)):
                yield f"{place}.{name}: may now be left out"

    def _items(self, old: Part, new: Part, use: Use, place: str) -> Iterator[str]:
        for key, shown in (("items", "[]"), ("additionalProperties", "{}")):
            before, after = old.get(key), new.get(key)
            if isinstance(before, Mapping) and isinstance(after, Mapping):
                yield from self.breaks(before, after, use, place + shown)
        for number, before in enumerate(old.get("prefixItems", ())):
            arms = new.get("prefixItems", ())
            if number >= len(arms):
                yield f"{place}[{number}]: is gone"
            else:
                yield from self.breaks(before, arms[number], use, f"{place}[{number}]")
        for number, before in enumerate(old.get("allOf", ())):
            for after in new.get("allOf", ())[number : number + 1]:
                yield from self.breaks(before, after, use, place)


def _types(old: Part, new: Part, use: Use, place: str) -> Iterator[str]:
    before, after = _kinds(old), _kinds(new)
    if not before and not after:
        return
    if not before:
        # Anything became something: fine for readers, who get less than they were ready for.
        if use is Use.SENT and not _is_union(old):
            yield f"{place}: was of any type, is now {_shown(after)}"
    elif not after:
        if use is Use.READ and not _is_union(new):
            yield f"{place}: was {_shown(before)}, is now of any type"
    elif before - after - ({"integer"} if "number" in after and use is Use.SENT else set()):
        yield f"{place}: was {_shown(before)}, is now {_shown(after)}"
    elif use is Use.READ and after - before:
        yield f"{place}: was {_shown(before)}, may now be {_shown(after)}"


def _kinds(schema: Part) -> set[str]:
    kind = schema.get("type", ())
    return {kind} if isinstance(kind, str) else set(kind)


def _is_union(schema: Part) -> bool:
    return any(union in schema for union in UNIONS)


def _shown(kinds: set[str]) -> str:
    return " or ".join(sorted(kinds))


def _words(old: Part, new: Part, place: str) -> Iterator[str]:
    before, after = _listed(old), _listed(new)
    if before and after:
        for word in before:
            if word not in after:
                yield f"{place}: no longer knows the value {word}"
    elif before and not after and "type" not in new and not _is_union(new):
        yield f"{place}: the list of its values is gone"


def _listed(schema: Part) -> list[str]:
    values = [schema["const"]] if "const" in schema else schema.get("enum", [])
    return [json.dumps(value, ensure_ascii=False) for value in values]


def _bounds(old: Part, new: Part, place: str) -> Iterator[str]:
    for key in LOWER:
        if key in new and new[key] > old.get(key, float("-inf")):
            yield f"{place}: {key} rose from {old.get(key, 'none')} to {new[key]}"
    for key in UPPER:
        if key in new and new[key] < old.get(key, float("inf")):
            yield f"{place}: {key} fell from {old.get(key, 'none')} to {new[key]}"
    for key in ("pattern", "format", "additionalProperties"):
        if key in new and new[key] != old.get(key) and not isinstance(new[key], Mapping):
            if key == "additionalProperties" and new[key] is not False:
                continue
            yield f"{place}: {key} is now {json.dumps(new[key])}"
    if not _listed(old) and (listed := _listed(new)):
        yield f"{place}: takes only {', '.join(listed)}"
