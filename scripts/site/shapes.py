"""JSON Schemas to HTML: a table of fields, types in words, an example of a value."""

import json
from collections.abc import Callable, Mapping
from html import escape
from typing import Any, TypeAlias

Part: TypeAlias = Mapping[str, Any]
Link: TypeAlias = Callable[[str], str]
"""Takes the name of a schema, gives its address."""

BOUNDS = (
    ("minimum", "at least {}"),
    ("maximum", "at most {}"),
    ("minLength", "{} or more characters"),
    ("maxLength", "up to {} characters"),
    ("minItems", "{} or more"),
    ("maxItems", "up to {}"),
)


def fields(schema: Part, link: Link) -> str:
    """Return the table of an object's fields."""
    required = set(schema.get("required", ()))
    rows = "".join(
        f"<tr><td><code>{escape(name)}</code>{'' if name in required else ' <i>optional</i>'}</td>"
        f"<td>{kind(inner, link)}</td><td>{about(inner)}</td></tr>\n"
        for name, inner in schema.get("properties", {}).items()
    )
    if not rows:
        return "<p>No fields.</p>\n"
    head = "<tr><th>field</th><th>type</th><th></th></tr>"
    return f'<div class="wide"><table>\n{head}\n{rows}</table></div>\n'


def kind(schema: Part, link: Link) -> str:
    """Return the type in words."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f'<a href="{escape(link(name))}">{escape(name)}</a>'
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " or ".join(kind(arm, link) for arm in schema[union])
    if "const" in schema or "enum" in schema:
        words = [schema["const"]] if "const" in schema else schema["enum"]
        return " | ".join(f"<code>{escape(json.dumps(word))}</code>" for word in words)
    if "prefixItems" in schema:
        return f"[{', '.join(kind(item, link) for item in schema['prefixItems'])}]"
    match schema.get("type"):
        case "array":
            return f"list of {kind(schema.get('items', {}), link)}"
        case "object" if isinstance(schema.get("additionalProperties"), Mapping):
            return f"object of {kind(schema['additionalProperties'], link)}"
        case str(word):
            return word
        case _:
            return "any JSON"


def about(schema: Part, description: str = "") -> str:
    """Return what a value means, its bounds and its default."""
    arms = [schema, *schema.get("anyOf", ())]
    said = [words.format(arm[key]) for arm in arms for key, words in BOUNDS if key in arm]
    if schema.get("default") not in (None, [], {}):
        said.append(f"default {json.dumps(schema['default'])}")
    meaning = str(schema.get("description", description)).rstrip(".")
    return escape("; ".join([*([meaning] if meaning else []), *said]))


def example(schema: Part, schemas: Mapping[str, Part]) -> Any:
    """Return a value with the required fields, made of nothing but the schema."""
    if "$ref" in schema:
        return example(schemas[str(schema["$ref"]).rpartition("/")[2]], schemas)
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return example(schema[union][0], schemas)
    if "const" in schema or "enum" in schema:
        return schema["const"] if "const" in schema else schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {
                name: example(inner, schemas)
                for name, inner in schema.get("properties", {}).items()
                if name in schema.get("required", ())
            }
        case "array":
            least = max(1, schema.get("minItems", 1))
            return [example(schema.get("items", {}), schemas)] * least
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return True
        case _:
            return "…"
