"""What GraphQL runs at all: limits, cost, memory, trusted documents, negotiation."""

import hashlib
import json
import resource
from pathlib import Path

import httpx
import pytest
from graphql import build_schema, get_introspection_query, parse

from schema.cost import MAX_COST, costs
from schema.documents import KEPT_TOKENS, Documents
from service.graphql import GRAPHQL_JSON
from service.settings import Settings, SettingsError, load_settings
from service.store import EventStore
from tests.kit.service import service
from tests.schema.schemas import schema
from tests.service.transport.samples import Calls, client

pytestmark = pytest.mark.anyio

SCHEMA = schema({})._schema
GAMES = "query Games { games { name } }"
HASH = hashlib.sha256(GAMES.encode()).hexdigest()


def code(response: httpx.Response) -> str:
    found: str = response.json()["errors"][0]["extensions"]["code"]
    return found


def cost(document: str) -> int:
    return next(iter(costs(SCHEMA, parse(document)).values()))


def test_a_field_of_the_root_costs_10_and_every_other_1() -> None:
    assert cost('{ match(id: "m") { version status } }') == 12


def test_what_changes_something_costs_50() -> None:
    assert cost('mutation { concede(input: {matchId: "m"}) { version } }') == 51


def test_items_of_a_list_count_ten_times() -> None:
    assert cost("{ games { name title } }") == 30


def test_introspection_costs_500() -> None:
    assert cost("{ __schema { types { name } } }") == 500


def test_fragments_count_where_they_are_spread() -> None:
    spread = "fragment F on GameInfo { name title }"
    assert cost("{ games { ...F } a: games { ...F name } } " + spread) == 30 + 40


async def test_an_answer_tells_its_cost() -> None:
    async with client(Calls()) as http:
        response = await http.post("/graphql", json={"query": GAMES})
    assert response.json()["extensions"] == {"cost": {"requested": 20, "limit": MAX_COST}}


async def test_too_dear_a_document_is_refused_with_its_cost() -> None:
    inner = "options { name type default description values } presets { name }"
    every = f"{{ name title ruleset minSeats maxSeats {inner} }}"
    fields = " ".join(f"a{number}: games {every}" for number in range(30))
    found = cost("{" + fields + "}")
    async with client(Calls()) as http:
        response = await http.post("/graphql", json={"query": "{" + fields + "}"})
    (error,) = response.json()["errors"]
    assert error["message"] == f"the operation has cost {found}, more than {MAX_COST}"
    assert (error["extensions"]["limit"], error["extensions"]["max"]) == ("cost", MAX_COST)


def test_memory_stays_bounded_under_10_000_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("schema.documents.specified_rules", ())  # they take most of the time
    documents = Documents(build_schema("type Query { a: Int }"), introspection=True)
    half = 0
    for number in range(10_000):
        documents(f"query Q{number} {{ a }}")
        if number == 9_000:
            half = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - half
    print(f"the last 1,000 documents: {more} KiB more, {documents.tokens} tokens kept")
    assert KEPT_TOKENS / 2 < documents.tokens <= KEPT_TOKENS
    assert more < 2_000


def test_what_is_refused_is_not_kept() -> None:
    documents = Documents(SCHEMA, introspection=False)
    assert documents("{ nothing }").errors
    assert documents.tokens == 0


@pytest.mark.parametrize(
    ("document", "variables"),
    [
        ("{ gamez { name } }", {}),
        ("{ games { nam } }", {}),
        ('{ match(idd: "m") { version } }', {}),
        ("{ games { ... on GameInf { name } } }", {}),
        (
            "mutation($in: ConcedeInput!) { concede(input: $in) { version } }",
            {"in": {"matchId": "m", "commandIdd": "x"}},
        ),
    ],
)
async def test_nothing_is_suggested(document: str, variables: dict[str, object]) -> None:
    async with client(Calls()) as http:
        response = await http.post("/graphql", json={"query": document, "variables": variables})
    assert code(response) == "malformed"
    assert "Did you mean" not in response.text


async def test_the_words_of_a_client_do_not_come_back_without_end() -> None:
    async with client(Calls()) as http:
        response = await http.post("/graphql", json={"query": "{ " + "x" * 15_000 + " }"})
    assert len(response.content) < 2000


def trusting(tmp_path: Path, documents: object) -> Settings:
    path = tmp_path / "documents.json"
    path.write_text(json.dumps(documents))
    return load_settings(trusted_documents=path)


@pytest.mark.parametrize(
    "named",
    [
        {"documentId": HASH},
        {"documentId": f"sha256:{HASH}"},
        {"extensions": {"persistedQuery": {"version": 1, "sha256Hash": HASH}}},
        {"query": GAMES},
    ],
)
async def test_a_trusted_document_runs(
    named: dict[str, object], tmp_path: Path, memory: EventStore
) -> None:
    settings = trusting(tmp_path, {HASH: GAMES})
    async with service(memory, tmp_path, trusted_documents=settings.trusted_documents) as http:
        response = await http.post("/graphql", json=named)
        params = {
            name: word if isinstance(word, str) else json.dumps(word)
            for name, word in named.items()
        }
        by_get = await http.get("/graphql", params=params)
    assert response.json()["data"]["games"]
    assert by_get.json() == response.json()


async def test_only_trusted_documents_run(tmp_path: Path, memory: EventStore) -> None:
    settings = trusting(tmp_path, {"games": GAMES})
    async with service(memory, tmp_path, trusted_documents=settings.trusted_documents) as http:
        other = await http.post("/graphql", json={"query": GAMES + " "})
        unknown = await http.post("/graphql", json={"documentId": "game"})
    assert code(other) == "forbidden"
    assert code(unknown) == "not_found"


async def test_who_names_a_document_where_none_are_trusted_is_told_to_send_it() -> None:
    async with client(Calls()) as http:
        response = await http.post("/graphql", json={"documentId": "games"})
        beside = await http.post("/graphql", json={"documentId": "games", "query": GAMES})
    assert response.json()["errors"][0]["message"] == "PersistedQueryNotSupported"
    assert "errors" not in beside.json()


@pytest.mark.parametrize("wrong", [[], {"a": 1}, {"a": ""}])
def test_a_file_of_another_shape_stops_the_start(wrong: object, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="STELE_TRUSTED_DOCUMENTS"):
        trusting(tmp_path, wrong)


async def test_a_trusted_document_that_cannot_run_stops_the_start(
    tmp_path: Path, memory: EventStore
) -> None:
    settings = trusting(tmp_path, {"old": "{ nothing }"})
    with pytest.raises(SettingsError, match="'old' cannot run"):
        async with service(memory, tmp_path, trusted_documents=settings.trusted_documents):
            pass


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        (None, "application/json"),
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        ("application/json", "application/json"),
        (GRAPHQL_JSON, GRAPHQL_JSON),
        (f"{GRAPHQL_JSON}, application/json;q=0.9", GRAPHQL_JSON),
        (f"{GRAPHQL_JSON};q=0.5, application/json", "application/json"),
        (f"{GRAPHQL_JSON};q=0, */*", "application/json"),
        (f"{GRAPHQL_JSON}; charset=utf-8, application/json; charset=utf-8", GRAPHQL_JSON),
    ],
)
async def test_the_media_type_is_negotiated(accept: str | None, media: str) -> None:
    async with client(Calls()) as http:
        del http.headers["accept"]
        headers = {} if accept is None else {"accept": accept}
        response = await http.post("/graphql", json={"query": GAMES}, headers=headers)
    assert response.headers["content-type"] == media
    assert "Accept" in response.headers["vary"]


async def test_who_accepts_no_json_is_told_so() -> None:
    async with client(Calls()) as http:
        response = await http.post(
            "/graphql", json={"query": GAMES}, headers={"accept": "text/html"}
        )
    assert response.status_code == 406
    assert code(response) == "not_acceptable"


def test_the_question_of_tools_is_within_the_limits() -> None:
    documents = Documents(SCHEMA, introspection=True)
    assert documents(get_introspection_query(input_value_deprecation=True)).errors == ()
