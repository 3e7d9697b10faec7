"""The pages: complete, linked, strict about where things come from, and current."""

import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag

import httpx
import pytest
from graphql import build_schema, get_introspection_query, parse, validate
from jsonschema import Draft202012Validator

from schema.errors import ROWS
from schema.openapi import build_openapi
from schema.operations import BY_NAME, OPERATIONS
from schema.shapes import build_shapes
from scripts.generate import ROOT
from scripts.site.frame import PAGES, address
from scripts.site.markdown import rendered, target
from scripts.site.reference import SAMPLES
from scripts.site.shapes import example, kind
from service.store import EventStore, MemoryStore
from tests.kit.service import lay, service

pytestmark = pytest.mark.anyio

HTML = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
ADDRESSES = [address(page.name) for page in PAGES]


class Outline(HTMLParser):
    """Everything on a page that can be linked to, and everything that it links to or loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.loads: list[str] = []
        self.scripts = 0
        self.styles = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        self.links += [given["href"] or ""] if tag == "a" else []
        self.loads += [given["href"] or ""] if tag == "link" else []
        self.loads += [given["src"] or ""] if "src" in given else []
        self.scripts += tag == "script"
        self.styles += tag == "style" or "style" in given


async def outline(http: httpx.AsyncClient, page: str) -> Outline:
    response = await http.get(page, headers=HTML)
    assert response.status_code == 200, page
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    return Outline(response.text)


@pytest.mark.parametrize("page", ADDRESSES)
async def test_a_page_runs_no_script_and_loads_from_this_service_only(
    http: httpx.AsyncClient, page: str
) -> None:
    response = await http.get(page, headers=HTML)
    policy = response.headers["content-security-policy"]
    found = Outline(response.text)
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "unsafe" not in policy
    assert (found.scripts, found.styles) == (0, 0)
    assert all(load.startswith("/docs/static/") for load in found.loads)
    for load in found.loads:
        assert (await http.get(load)).status_code == 200


async def test_every_link_of_every_page_leads_somewhere(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path, graphiql=True) as http:
        pages = {page: await outline(http, page) for page in ADDRESSES}
        for page, found in pages.items():
            assert len(found.ids) == len(set(found.ids)), page
            for link in found.links:
                if re.match(r"\w+:", link):
                    continue
                path, anchor = urldefrag(link)
                if anchor:
                    assert anchor in pages[path or page].ids, f"{page} links to {link}"
                elif path not in pages:
                    assert (await http.get(path, headers=HTML)).status_code == 200, link


async def test_a_browser_is_led_from_the_root_to_the_documentation(
    http: httpx.AsyncClient,
) -> None:
    response = await http.get("/", headers=HTML)
    assert (response.status_code, response.headers["location"]) == (302, "/docs")
    assert (await http.get("/", headers={"Accept": "application/json"})).status_code == 404


async def test_the_checker_of_logs_is_handed_out_as_it_is(http: httpx.AsyncClient) -> None:
    response = await http.get("/docs/verify_log.py")
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.text == (ROOT / "docs" / "verify_log.py").read_text("utf-8")
    assert "/docs/verify_log.py" in (await outline(http, "/docs/logs")).links


def test_every_document_of_graphql_in_the_docs_is_valid() -> None:
    written = re.compile(
        r"(?:^```\n|\")((?:query|mutation|subscription)\b[^{\"]*\{.*?)(?:^```$|\")", re.M | re.S
    )
    schema = build_schema((ROOT / "schema" / "schema.graphql").read_text("utf-8"))
    found = set()
    for page in (ROOT / "docs").glob("*.md"):
        if page.name == "first-use.md":
            continue  # its documents are run as they stand, with ids that the shell fills in
        for text in written.findall(page.read_text("utf-8")):
            found.add(page.name)
            assert validate(schema, parse(text)) == [], (page.name, text)
    assert found >= {"api.md", "live.md", "mobile.md"}


def test_the_names_that_differ_in_graphql_are_those_of_the_table() -> None:
    text = (ROOT / "docs" / "api.md").read_text("utf-8")
    told = re.findall(r"^\| `(\w+)` \| `(\w+)` \| `(\w+)` \|$", text, re.M)
    assert told == [(row.name, *names) for row in OPERATIONS for names in row.renamed]


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_sample_of_the_rest_reference_is_a_body_that_is_taken(name: str) -> None:
    schemas = json.loads(json.dumps(build_openapi()))
    model = "ChooseMove" if name == "move" else BY_NAME[name].arguments.__name__
    schema = {"$ref": f"#/components/schemas/{model}", "components": schemas["components"]}
    Draft202012Validator(schema).validate(SAMPLES[name])


async def test_no_example_of_the_rest_reference_has_a_gap(http: httpx.AsyncClient) -> None:
    text = (await http.get("/docs/rest", headers=HTML)).text
    lines = re.findall(r"curl -s (?:-X \w+ )?(\S+)", text)
    assert len(lines) == len(re.findall(r"curl -s", text)) > 20
    assert not any("{" in line for line in lines)
    assert "curl -s -X DELETE $HOST/v1/matches/$ID/webhooks/$WEBHOOK " in text


async def test_every_error_has_its_place(http: httpx.AsyncClient) -> None:
    found = await outline(http, "/docs/errors")
    for row in ROWS:
        page, anchor = urldefrag(row.doc)
        assert page == "/docs/errors"
        assert anchor in found.ids


async def test_every_operation_schema_and_event_has_its_place(http: httpx.AsyncClient) -> None:
    document, rest = build_openapi(), await outline(http, "/docs/rest")
    for item in document["paths"].values():
        assert {operation["operationId"] for operation in item.values()} <= set(rest.ids)
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= set(rest.ids)
    assert set(build_shapes()) <= set((await outline(http, "/docs/events")).ids)
    shapes = json.loads(json.dumps(build_shapes()))  # its tuples become lists
    assert (await http.get("/docs/events.json")).json() == shapes


async def test_the_rule_of_a_refusal_leads_to_its_paragraph(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, game="ancient_knowledge")
    choice = (await table.legal(0))["choice"]["id"]
    refusal = await table.move(0, {"type": "choose", "choice": choice, "picks": ["nothing"]})
    rule = refusal.json()["rule"]
    found = await outline(http, "/docs/rules/ancient_knowledge")
    assert f"rule-{rule}" in found.ids


async def test_pages_are_compressed_and_answered_by_tag(http: httpx.AsyncClient) -> None:
    plain = await http.get("/docs/rest", headers={"Accept-Encoding": "identity"})
    async with http.stream("GET", "/docs/rest", headers={"Accept-Encoding": "gzip"}) as packed:
        raw = b"".join([piece async for piece in packed.aiter_raw()])
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(raw) == plain.content
    again = await http.get("/docs/rest", headers={"If-None-Match": plain.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert (await http.head("/docs/rest")).content == b""


async def test_graphiql_is_for_browsers_where_it_is_on(memory: EventStore, tmp_path: Path) -> None:
    async with service(memory, tmp_path, graphiql=True) as http:
        response = await http.get("/graphql", headers=HTML)
        found = Outline(response.text)
        assert response.headers["content-type"] == "text/html; charset=utf-8"
        assert "script-src 'self';" in response.headers["content-security-policy"]
        assert len(found.loads) == found.scripts + 3
        for load in found.loads:
            assert (await http.get(load)).status_code == 200
        query = {"query": "{ games { name } }"}
        asked = await http.get("/graphql", params=query, headers={"Accept": "application/json"})
        assert asked.json()["data"]["games"]
        assert (await http.post("/graphql", json=query, headers=HTML)).json()["data"]["games"]


async def test_graphiql_may_ask_for_the_whole_schema(memory: EventStore, tmp_path: Path) -> None:
    query = get_introspection_query(schema_description=True, input_value_deprecation=True)
    async with service(memory, tmp_path, graphiql=True) as http:
        answer = (await http.post("/graphql", json={"query": query})).json()
    assert "errors" not in answer
    assert answer["data"]["__schema"]["queryType"]["name"] == "Query"


async def test_graphiql_is_not_there_where_it_is_off(tmp_path: Path) -> None:
    async with service(MemoryStore(), tmp_path, graphiql=False) as http:
        response = await http.get("/graphql", headers=HTML)
        assert response.status_code == 400
        introspection = await http.post(
            "/graphql", json={"query": "{ __schema { types { name } } }"}
        )
        assert "errors" in introspection.json()


def test_no_vendored_file_names_a_font_or_a_map_to_load() -> None:
    for file in Path("service/pages/static/graphiql").glob("*.[cj]s*"):
        text = file.read_text("utf-8")
        assert "sourceMappingURL" not in text
        assert "@font-face" not in text
        assert "@import" not in text


def test_a_link_to_a_file_that_is_no_page_is_refused() -> None:
    assert target("api.md#errors") == "/docs/api#errors"
    assert target("https://example.org/a.md") == "https://example.org/a.md"
    with pytest.raises(LookupError, match=r"rules\.md"):
        rendered("[rules](rules.md)")


@pytest.mark.parametrize(
    ("schema", "words", "value"),
    [
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null", "…"),
        ({"type": "array", "items": {"type": "integer", "minimum": 3}}, "list of integer", [3]),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "object of boolean", {}),
        ({"prefixItems": [{"type": "string"}, {}]}, "[string, any JSON]", "…"),
        ({"const": "a"}, "<code>&quot;a&quot;</code>", "a"),
        ({"type": "boolean"}, "boolean", True),
    ],
)
def test_types_are_told_in_words(schema: dict[str, object], words: str, value: object) -> None:
    assert kind(schema, str) == words
    assert example(schema, {}) == value
