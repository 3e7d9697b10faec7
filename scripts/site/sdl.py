"""The GraphQL reference, made of the printed schema: every type with links to the others."""

import re
from html import escape

from graphql import (
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    build_schema,
    is_introspection_type,
    is_specified_scalar_type,
    print_type,
)

from scripts.site.frame import Heading

INTRODUCTION = """<h1>GraphQL reference</h1>
<p>One address, <code>/graphql</code>; the schema is also <code>schema/schema.graphql</code> in the
repository and the answer of <code>stele sdl</code>. How it all fits together:
<a href="/docs/api">the API</a>. Each refusal is in <code>errors[].extensions</code>, with
<a href="/docs/errors">its code</a>.</p>
"""


def graphql(text: str) -> tuple[str, tuple[Heading, ...]]:
    """Return the text of the reference and its headings."""
    schema = build_schema(text)
    roots = [one for one in _roots(schema) if one is not None]
    others = sorted(
        (
            one
            for one in schema.type_map.values()
            if one not in roots and not is_introspection_type(one)
            if not is_specified_scalar_type(one)
        ),
        key=lambda one: one.name,
    )
    names = {one.name for one in (*roots, *others)}
    parts, headings = [INTRODUCTION], []
    for root in roots:
        headings.append(Heading(f"type-{root.name}", root.name))
        parts.append(_type(root, names, "h2"))
    headings.append(Heading("types", "Types"))
    parts.append('<h2 id="types">Types</h2>\n')
    parts += [_type(one, names, "h3") for one in others]
    return "".join(parts), tuple(headings)


def _roots(schema: GraphQLSchema) -> tuple[GraphQLObjectType | None, ...]:
    return schema.query_type, schema.mutation_type, schema.subscription_type


def _type(one: GraphQLNamedType, names: set[str], tag: str) -> str:
    text = escape(print_type(one), quote=False)
    linked = re.sub(
        r"(?<![\w.])[A-Z]\w+(?!\w)",
        lambda found: (
            f'<a href="#type-{found[0]}">{found[0]}</a>'
            if found[0] in names and found[0] != one.name and _is_type(text, found.start())
            else found[0]
        ),
        text,
    )
    return (
        f'<section>\n<{tag} id="type-{one.name}">{one.name}</{tag}>\n'
        f"<pre><code>{linked}</code></pre>\n</section>\n"
    )


def _is_type(text: str, at: int) -> bool:
    """Tell whether a word stands where the name of a type does, and not in a description."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return bool(re.search(r"(: \[*|[=|] )$", line))
