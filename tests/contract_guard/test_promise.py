"""The committed contract keeps the promises of the baseline; the guard sees every kind of break."""

import copy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from domain.engine.codec import type_of
from domain.engine.ids import Viewer
from domain.games import GAMES
from schema.openapi import build_openapi
from schema.shapes import build_shapes
from scripts.compatibility import __main__ as command
from scripts.compatibility import openapi
from scripts.compatibility.__main__ import accepted, unwanted
from scripts.compatibility.contract import BASELINE, EVENTS, ROOT, SDL, breaks, files
from scripts.compatibility.json_schema import Comparison, Part, Use, resolver
from service.views import to_events
from tests.kit.samples import events_of, sample

Document = dict[str, Any]
HOW = "add instead of changing, or see python -m scripts.compatibility --help"


def test_no_client_of_the_last_promise_is_broken() -> None:
    assert unwanted() == [], HOW


def test_a_break_is_accepted_only_while_it_is_one() -> None:
    assert set(accepted()) <= set(breaks(BASELINE, ROOT))


@pytest.fixture(scope="module")
def document() -> Document:
    return build_openapi()


def operation(document: Document, path: str = "/v1/matches", method: str = "post") -> Document:
    found: Document = document["paths"][path][method]
    return found


def schema(document: Document, name: str) -> Document:
    found: Document = document["components"]["schemas"][name]
    return found


def remove_operation(document: Document) -> None:
    del document["paths"]["/v1/games"]["get"]


def rename_operation(document: Document) -> None:
    operation(document)["operationId"] = "layMatch"


def remove_argument(document: Document) -> None:
    del schema(document, "CreateMatchInput")["properties"]["preset"]


def require_argument(document: Document) -> None:
    schema(document, "CreateMatchInput")["required"].append("preset")


def narrow_argument(document: Document) -> None:
    schema(document, "CreateMatchInput")["properties"]["seats"]["maximum"] = 8


def remove_word(document: Document) -> None:
    schema(document, "CreateMatchInput")["properties"]["visibility"]["enum"].remove("public")


def retype_argument(document: Document) -> None:
    schema(document, "CreateMatchInput")["properties"]["seats"]["type"] = "string"


def remove_move(document: Document) -> None:
    body = operation(document, "/v1/matches/{matchId}/moves")["requestBody"]
    body["content"]["application/json"]["schema"]["oneOf"].pop(0)


def remove_parameter(document: Document) -> None:
    parameters = operation(document, "/v1/matches/{matchId}", "get")["parameters"]
    parameters[:] = [one for one in parameters if one.get("name") != "at"]


def require_parameter(document: Document) -> None:
    parameters = operation(document, "/v1/matches/{matchId}", "get")["parameters"]
    next(one for one in parameters if one.get("name") == "at")["required"] = True


def add_required_parameter(document: Document) -> None:
    operation(document)["parameters"].append(
        {"name": "by", "in": "query", "required": True, "schema": {"type": "string"}}
    )


def remove_field(document: Document) -> None:
    del schema(document, "MatchView")["properties"]["outcome"]


def make_field_optional(document: Document) -> None:
    schema(document, "MatchView")["required"].remove("version")


def make_field_nullable(document: Document) -> None:
    schema(document, "MatchView")["properties"]["version"] = {
        "anyOf": [{"type": "integer"}, {"type": "null"}]
    }


def retype_field(document: Document) -> None:
    schema(document, "MatchView")["properties"]["version"] = {"type": "string"}


def remove_status_word(document: Document) -> None:
    schema(document, "MatchView")["properties"]["status"]["enum"].remove("open")


def remove_code(document: Document) -> None:
    schema(document, "Problem")["properties"]["code"]["enum"].remove("busy")


def change_success(document: Document) -> None:
    responses = operation(document)["responses"]
    responses["200"] = responses.pop("201")


def remove_media(document: Document) -> None:
    answer = operation(document, "/v1/matches/{matchId}/log", "get")["responses"]["200"]
    del answer["content"]["application/x-ndjson"]


def remove_tag(document: Document) -> None:
    del operation(document, "/v1/matches/{matchId}", "get")["responses"]["200"]["headers"]["ETag"]


BREAKS: dict[Callable[[Document], None], str] = {
    remove_operation: "GET /v1/games: the operation is gone",
    rename_operation: "POST /v1/matches: operationId was createMatch, is now layMatch",
    remove_argument: "POST /v1/matches body.preset: is gone",
    require_argument: "POST /v1/matches body.preset: is now required",
    narrow_argument: "POST /v1/matches body.seats: maximum fell from 16 to 8",
    remove_word: 'POST /v1/matches body.visibility: no longer knows the value "public"',
    retype_argument: "POST /v1/matches body.seats: was integer, is now string",
    remove_move: "POST /v1/matches/{matchId}/moves body: no longer takes the form of PlayCardMove",
    remove_parameter: "GET /v1/matches/{matchId} ?at: is gone",
    require_parameter: "GET /v1/matches/{matchId} ?at: is now required",
    add_required_parameter: "POST /v1/matches query by: is new and required",
    remove_field: "GET /v1/matches/{matchId} 200.outcome: is gone",
    make_field_optional: "GET /v1/matches/{matchId} 200.version: may now be left out",
    make_field_nullable: "GET /v1/matches/{matchId} 200.version: may now be null",
    retype_field: "GET /v1/matches/{matchId} 200.version: was integer, is now string",
    remove_status_word: 'GET /v1/matches/{matchId} 200.status: no longer knows the value "open"',
    remove_code: "no longer knows the value",
    change_success: "POST /v1/matches: no longer answers 201",
    remove_media: "GET /v1/matches/{matchId}/log 200: application/x-ndjson is gone",
    remove_tag: "GET /v1/matches/{matchId} 200: the header ETag is gone",
}


@pytest.mark.parametrize("change", BREAKS, ids=lambda change: change.__name__)
def test_a_break_of_rest_is_found(document: Document, change: Callable[[Document], None]) -> None:
    changed = copy.deepcopy(document)
    change(changed)
    found = list(openapi.breaks(document, changed))
    assert any(BREAKS[change] in sentence for sentence in found), found


def add_operation(document: Document) -> None:
    document["paths"]["/v1/news"] = {"get": {"operationId": "news", "responses": {"200": {}}}}


def add_argument(document: Document) -> None:
    schema(document, "CreateMatchInput")["properties"]["title"] = {"type": "string"}


def add_move(document: Document) -> None:
    body = operation(document, "/v1/matches/{matchId}/moves")["requestBody"]
    body["content"]["application/json"]["schema"]["oneOf"].append(
        {"$ref": "#/components/schemas/CreateMatchInput"}
    )


def add_field(document: Document) -> None:
    view = schema(document, "MatchView")
    view["properties"]["title"] = {"type": "string"}
    view["required"].append("title")


def add_status(document: Document) -> None:
    operation(document)["responses"]["402"] = {"description": "pay"}


def remove_error(document: Document) -> None:
    del operation(document)["responses"]["415"]


def widen_argument(document: Document) -> None:
    schema(document, "CreateMatchInput")["properties"]["seats"]["maximum"] = 32


ADDITIONS = (
    add_operation,
    add_argument,
    add_move,
    add_field,
    add_status,
    remove_error,
    widen_argument,
)


@pytest.mark.parametrize("change", ADDITIONS, ids=lambda one: one.__name__)
def test_an_addition_to_rest_passes(document: Document, change: Callable[[Document], None]) -> None:
    changed = copy.deepcopy(document)
    change(changed)
    assert list(openapi.breaks(document, changed)) == []


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A copy of the contract."""
    for path in files(ROOT):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, tmp_path / path)
    return tmp_path


def test_a_contract_breaks_nothing_of_itself(elsewhere: Path) -> None:
    assert breaks(ROOT, elsewhere) == ()


def test_a_break_of_graphql_is_found(elsewhere: Path) -> None:
    sdl = (elsewhere / SDL).read_text("utf-8")
    (elsewhere / SDL).write_text(sdl.replace("preset: String", "preset: String!"), "utf-8")
    assert any(sentence.startswith("GraphQL: ") for sentence in breaks(ROOT, elsewhere))


def test_an_event_that_is_gone_is_found(elsewhere: Path) -> None:
    (elsewhere / EVENTS / "match.started.v1.json").unlink()
    assert breaks(ROOT, elsewhere) == ("event match.started.v1: is gone",)


def test_a_changed_field_of_an_event_is_found(elsewhere: Path) -> None:
    path = elsewhere / EVENTS / "match.seat_taken.v1.json"
    text = path.read_text("utf-8")
    path.write_text(text.replace('"type": "integer"', '"type": "string"'), "utf-8")
    assert breaks(ROOT, elsewhere) == (
        "event match.seat_taken.v1.seat: was integer, is now string",
    )


ONE: Part = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
PAIR: Part = {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}


@pytest.mark.parametrize(
    ("old", "new", "use", "expected"),
    [
        (ONE, {}, Use.READ, "x: was object, is now of any type"),
        ({}, ONE, Use.SENT, "x: was of any type, is now object"),
        (PAIR, {**PAIR, "prefixItems": [{"type": "string"}]}, Use.READ, "x[1]: is gone"),
        (
            {"items": {"type": "string"}},
            {"items": {"type": "integer"}},
            Use.READ,
            "x[]: was string, is now integer",
        ),
        ({"type": "string"}, {"type": "string", "pattern": "^a"}, Use.SENT, "pattern is now"),
        ({"type": "string"}, {"type": "string", "minLength": 1}, Use.SENT, "minLength rose"),
        ({"type": "string"}, {"type": "string", "enum": ["a"]}, Use.SENT, 'takes only "a"'),
        ({"enum": ["a"]}, {}, Use.READ, "the list of its values is gone"),
    ],
)
def test_a_break_between_schemas_is_found(old: Part, new: Part, use: Use, expected: str) -> None:
    found = list(Comparison(resolver(old), resolver(new)).breaks(old, new, use, "x"))
    assert any(expected in sentence for sentence in found), found


@pytest.mark.parametrize("game", [game.name for game in GAMES])
def test_events_as_clients_read_them_have_their_published_shape(game: str) -> None:
    shapes = build_shapes()
    viewers: tuple[Viewer, ...] = (None, 0, 1, "all")
    for kind in events_of(game):
        event = sample(game, kind)
        shape = shapes["{}.v{}".format(*type_of(event))]
        jsonschema.Draft202012Validator.check_schema(shape)
        for viewer in viewers:
            (seen,) = to_events((event,), 1, 0, None, viewer, game)
            jsonschema.validate(seen.data, shape)


def test_a_break_can_be_accepted_with_its_reason_and_then_be_promised(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(elsewhere, elsewhere / "old" / "baseline")
    (elsewhere / "old" / "accepted.json").write_text("{}", "utf-8")
    (elsewhere / EVENTS / "match.started.v1.json").unlink()
    monkeypatch.setattr(command, "ROOT", elsewhere)
    monkeypatch.setattr(command, "BASELINE", elsewhere / "old" / "baseline")
    monkeypatch.setattr(command, "ACCEPTED", elsewhere / "old" / "accepted.json")
    assert command.main([]) == command.main(["--promise"]) == 1
    assert "event match.started.v1: is gone" in capsys.readouterr().err
    assert command.main(["--accept", "nobody starts any more"]) == command.main([]) == 0
    assert accepted() == {"event match.started.v1: is gone": "nobody starts any more"}
    assert command.main(["--promise"]) == 0
    assert accepted() == {}
    assert breaks(elsewhere / "old" / "baseline", elsewhere) == ()
