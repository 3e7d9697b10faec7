"""What is read in one go is what graphql-core would have answered."""

from itertools import islice
from typing import Any

import pytest
from graphql import (
    ExecutionResult,
    GraphQLObjectType,
    GraphQLUnionType,
    execute,
    get_named_type,
    is_leaf_type,
    parse,
)
from msgspec.structs import replace
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

from domain.engine.playout import opening, plies
from domain.games import GAMES
from schema.executor import PlainExecutor
from schema.types import MatchView
from service.snapshots import Snapshot
from service.views import to_view
from tests.schema.schemas import Reports, schema

pytestmark = pytest.mark.anyio


def views() -> list[MatchView]:
    """Return boards of every game, at the start, in the middle and at the end."""
    found = []
    for game in GAMES:
        _, match = opening(game.name, max(game.seats), "5" * 32)
        matches = [match, *(after for _, _, after in islice(plies(match, "5" * 32), 120))]
        for seen in (*matches[::10], matches[-1]):
            snapshot = Snapshot(
                match_id="m", match=seen, created_at=1, at=2, opened_at=2, public=True, records={}
            )
            found.append(to_view(snapshot, 0, "all" if seen.outcome else 0))
    return found


def everything(kind: object, depth: int = 8) -> str:
    """Return a selection of all that a type has."""
    named = get_named_type(kind)  # type: ignore[call-overload] # any type will do
    if is_leaf_type(named):
        return ""
    if isinstance(named, GraphQLUnionType):
        arms = [f"... on {one.name} {everything(one, depth)}" for one in named.types]
        return "{ __typename " + " ".join(arms) + " }"
    assert isinstance(named, GraphQLObjectType)
    assert depth, "types of ours do not nest without end"
    # Members of a union may have fields of one name and different types, hence the aliases.
    fields = [
        f"{named.name}_{name}: {name} {everything(field.type, depth - 1)}"
        for name, field in named.fields.items()
    ]
    return "{ __typename " + " ".join(fields) + " }"


async def both(
    view: object, document: str, variables: dict[str, Any] | None = None
) -> list[tuple[object, object]]:
    """Return data and errors as the plain and as the library's executor give them."""

    async def handler(principal: object, arguments: object) -> object:
        return view

    api = schema({"match": handler}, Reports())
    found: list[tuple[object, object]] = []
    for executor in (PlainExecutor, StrawberryGraphQLCoreExecutionContext):
        running = execute(
            api._schema, parse(document), variable_values=variables, executor_class=executor
        )
        result = running if isinstance(running, ExecutionResult) else await running
        found.append((result.data, [error.formatted for error in result.errors or ()]))
    return found


async def test_all_of_a_board_reads_the_same() -> None:
    async def never(principal: object, arguments: object) -> object:
        raise AssertionError

    query = schema({"match": never})._schema.query_type
    assert query is not None
    document = f'{{ match(id: "m") {everything(query.fields["match"].type)} }}'
    for view in views():
        plain, slow = await both(view, document)
        assert plain == slow
        assert plain[1] == []
        assert str(plain[0]) == str(slow[0])  # the order of fields, too


async def test_fragments_aliases_and_directives_read_the_same() -> None:
    document = """
        query ($yes: Boolean!, $no: Boolean = false) {
          one: match(id: "a") { ...Head board { ... on ChrononautsBoard { year: turn } } }
          match(id: "b") {
            ...Head
            ... on MatchView @include(if: $no) { game }
            seats { seat player @skip(if: $yes) bot }
            seats { conceded }
            options
          }
        }
        fragment Head on MatchView { version outcome { winners scores } choice { options { id } } }
    """
    for view in views()[::5]:
        plain, slow = await both(view, document, {"yes": True})
        assert plain == slow
        assert plain[1] == []


@pytest.mark.parametrize(
    "broken",
    [
        {"version": None},
        {"version": "many"},
        {"created_at": "then"},
        {"seats": (None,)},
        {"seats": 5},
        {"board": object()},
        {"awaiting": (1, "two")},
    ],
)
async def test_what_does_not_fit_is_told_of_in_the_same_words(broken: dict[str, Any]) -> None:
    view = replace(views()[0], **broken)
    document = (
        '{ match(id: "m") '
        "{ version createdAt awaiting seats { seat } board { ... on ChrononautsBoard { turn } } } }"
    )
    plain, slow = await both(view, document)
    assert plain == slow
    assert plain[1] != []
