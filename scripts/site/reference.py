"""The REST reference, made of the OpenAPI document, and the reference of the events."""

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from scripts.site.frame import Heading
from scripts.site.shapes import Part, about, example, fields, kind

INTRODUCTION = """<h1>REST reference</h1>
<p>Made of <a href="/openapi.json"><code>/openapi.json</code></a> (OpenAPI 3.1), the same as
<code>openapi/openapi.yaml</code> in the repository. How it all fits together:
<a href="/docs/api">the API</a>. Tokens go into the header
<code>Authorization: Bearer …</code>. Bodies are JSON. Errors are
<code>application/problem+json</code>; each code has <a href="/docs/errors">its place</a>.</p>
<p>The examples are for a shell that knows <code>HOST</code> (<code>http://127.0.0.1:8000</code>),
<code>ID</code> (a match), <code>TOKEN</code> (its token), and where they are named
<code>VERSION</code> (of an event) and <code>WEBHOOK</code> (its id); put a value of yours for
<code>…</code>. <a href="/docs/first-use">First use</a> gets you the first ones.</p>
"""

SAMPLES: Mapping[str, Any] = {
    "createMatch": {"game": "chrononauts", "seats": 2},
    "createWebhook": {"url": "https://push.example.org/stele"},
    "move": {"type": "choose", "choice": 12, "picks": ["…"]},
    "takeSeat": {"invite": "…", "player": "Ann"},
}
"""Bodies that say more than the required fields do."""

_GAPS: Mapping[str, str] = {
    "{matchId}": "$ID",
    "{game}": "chrononauts",
    "{version}": "$VERSION",
    "{webhookId}": "$WEBHOOK",
}


def rest(document: Part) -> tuple[str, tuple[Heading, ...]]:
    """Return the text of the REST reference and its headings."""
    parts, headings = [INTRODUCTION], []
    for path, item in document["paths"].items():
        for method, operation in item.items():
            name = operation["operationId"]
            headings.append(Heading(name, name))
            parts.append("".join(_operation(document, path, method, operation)))
    headings.append(Heading("schemas", "Schemas"))
    parts.append('<h2 id="schemas">Schemas</h2>\n')
    parts += [_schema(name, schema) for name, schema in document["components"]["schemas"].items()]
    return "".join(parts), tuple(headings)


def _operation(document: Part, path: str, method: str, operation: Part) -> Iterator[str]:
    name = operation["operationId"]
    yield f'<section>\n<h2 id="{name}">{name}</h2>\n'
    yield f'<p class="route"><b>{method.upper()}</b> <code>{escape(path)}</code></p>\n'
    yield f"<p>{escape(operation['summary'])}</p>\n"
    parameters = [_resolved(document, one) for one in operation["parameters"]]
    if parameters:
        yield _parameters(parameters)
    if "requestBody" in operation:
        yield from _body(document, operation["requestBody"])
    yield f"<pre><code>{escape(_curl(document, path, method, operation))}</code></pre>\n"
    yield "<h3>Answers</h3>\n" + '<div class="wide"><table>\n'
    for status, answer in operation["responses"].items():
        yield f"<tr><td>{status}</td><td>{_answer(status, answer)}</td></tr>\n"
    yield "</table></div>\n"
    answers = operation["responses"].values()
    links: Part = next((one["links"] for one in answers if "links" in one), {})
    if links:
        yield "<p>Then: " + ", ".join(
            f'<a href="#{link["operationId"]}">{escape(link["description"].rstrip("."))}</a>'
            for link in links.values()
        )
        yield "</p>\n"
    yield "</section>\n"


def _resolved(document: Part, part: Part) -> Part:
    if "$ref" not in part:
        return part
    found: Any = document
    for step in str(part["$ref"]).removeprefix("#/").split("/"):
        found = found[step]
    resolved: Part = found
    return resolved


def _parameters(parameters: list[Part]) -> str:
    rows = "".join(
        f"<tr><td><code>{one['name']}</code></td><td>{one['in']}</td>"
        f"<td>{kind(one['schema'], _here)}</td>"
        f"<td>{about(one['schema'], one['description'])}</td></tr>\n"
        for one in parameters
    )
    head = "<tr><th>parameter</th><th>in</th><th>type</th><th></th></tr>"
    return f'<div class="wide"><table>\n{head}\n{rows}</table></div>\n'


def _body(document: Part, body: Part) -> Iterator[str]:
    yield "<h3>Body</h3>\n"
    for media, content in body["content"].items():
        schema = content["schema"]
        if "oneOf" in schema:
            yield f"<p>One of: {kind(schema, _here)}.</p>\n"
        elif "$ref" in schema:
            yield f"<p>{kind(schema, _here)}</p>\n"
            yield fields(_resolved(document, schema), _here)
        else:
            yield f"<p>Or <code>{media}</code>.</p>\n"


def _curl(document: Part, path: str, method: str, operation: Part) -> str:
    address = "$HOST" + path
    for gap, filled in _GAPS.items():
        address = address.replace(gap, filled)
    lines = [f"curl -s {address}"]
    if method not in ("get", "post"):
        lines[0] = f"curl -s -X {method.upper()} {address}"
    if "{matchId}" in path:
        lines.append('-H "authorization: Bearer $TOKEN"')
    if method == "post":
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        made = example(schema, document["components"]["schemas"])
        value = SAMPLES.get(operation["operationId"], made)
        lines.append("-H 'content-type: application/json'")
        lines.append(f"-d '{json.dumps(value, ensure_ascii=False)}'")
    return " \\\n  ".join(lines)


def _answer(status: str, answer: Part) -> str:
    if status < "400":
        kinds = [
            kind(content["schema"], _here)
            + ("" if media == "application/json" else f" as <code>{media}</code>")
            for media, content in answer.get("content", {}).items()
        ]
        return " or ".join(kinds) or escape(answer["description"])
    codes = [line.split("`")[1] for line in answer["description"].splitlines() if "`" in line]
    return ", ".join(f'<a href="/docs/errors#{code}"><code>{code}</code></a>' for code in codes)


def _schema(name: str, schema: Part) -> str:
    about = "".join(
        f"<p>{escape(paragraph)}</p>\n" for paragraph in _paragraphs(schema.get("description", ""))
    )
    inside = fields(schema, _here) if "properties" in schema else f"<p>{kind(schema, _here)}</p>\n"
    return f'<section>\n<h3 id="schema-{name}">{escape(name)}</h3>\n{about}{inside}</section>\n'


def _paragraphs(text: str) -> list[str]:
    return [part for part in text.split("\n\n") if part]


def _here(name: str) -> str:
    return f"#schema-{name}"


def events(shapes: Mapping[str, Part]) -> tuple[str, tuple[Heading, ...]]:
    """Return the text of the reference of events and its headings, one for each family."""
    parts = [
        "<h1>Events</h1>\n"
        "<p>What stands in <code>data</code>, by <code>type</code> and its version "
        "<code>v</code>. What you may not see is <code>null</code> or left out. The same as JSON "
        'Schema: <a href="/docs/events.json"><code>/docs/events.json</code></a>, and one file each '
        "in <code>schema/events/</code>. A change that would break you is a new version or a new "
        "type; new fields may come at any time.</p>\n"
    ]
    headings: list[Heading] = []
    for name, shape in shapes.items():
        family = name.partition(".")[0]
        if family not in [one.anchor for one in headings]:
            headings.append(Heading(family, family))
            parts.append(f'<h2 id="{family}">{family}</h2>\n')
        parts.append(_event(name, shape))
    return "".join(parts), tuple(headings)


def _event(name: str, shape: Part) -> str:
    kind_name, _, version = name.rpartition(".v")

    def link(part: str) -> str:
        return f"#{name}-{part}"

    inner = "".join(
        f'<h4 id="{name}-{part}">{part}</h4>\n<p>{escape(schema.get("description", ""))}</p>\n'
        + (fields(schema, link) if "properties" in schema else f"<p>{kind(schema, link)}</p>\n")
        for part, schema in shape.get("$defs", {}).items()
    )
    return (
        f'<section>\n<h3 id="{name}"><code>{kind_name}</code> v{version}</h3>\n'
        f"<p>{escape(shape.get('description', ''))}</p>\n{fields(shape, link)}{inner}</section>\n"
    )
