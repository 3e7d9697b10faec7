from collections.abc import Mapping

import pytest
from graphql import get_introspection_query
from msgspec.structs import replace

from domain.engine.errors import IllegalMove
from schema.errors import MatchNotFound
from schema.graphql import build_schema
from schema.inputs import Arguments
from schema.types import EventPage, EventView, GameInfo, MoveResult
from tests.schema.schemas import Reports, schema, unexpected

pytestmark = pytest.mark.anyio

GAME = GameInfo(
    name="g",
    title="G",
    ruleset=1,
    min_seats=2,
    max_seats=6,
    options=(),
    presets=(),
    position_schema=None,
)
RESULT = MoveResult(
    deadline=None,
    match_id="m1",
    version=18,
    events=(),
    choice=None,
    awaiting=(1,),
    outcome=None,
    complete=True,
)


async def test_a_query_takes_its_arguments_one_by_one() -> None:
    seen: list[tuple[object, Arguments]] = []

    async def events(principal: object, arguments: Arguments) -> EventPage:
        seen.append((principal, arguments))
        event = EventView(version=1, type="t", v=1, at=1_760_000_000_000, seat=None, data={"a": 1})
        return EventPage(match_id="m1", version=1, events=(event,))

    result = await schema({"events": events}).execute(
        '{ events(matchId: "m1", first: 5) { version events { at seat data } } }',
        context_value="Ann",
    )
    assert result.errors is None
    assert result.data == {
        "events": {
            "version": 1,
            "events": [{"at": 1_760_000_000_000, "seat": None, "data": {"a": 1}}],
        }
    }
    (principal, arguments), *more = seen
    assert principal == "Ann"
    assert arguments.model_dump() == {"match_id": "m1", "after": 0, "limit": 5, "wait": 0}
    assert more == []


async def test_a_mutation_takes_one_input() -> None:
    seen: list[Mapping[str, object]] = []

    async def respond(principal: object, arguments: Arguments) -> MoveResult:
        seen.append(arguments.model_dump(exclude_unset=True, by_alias=True))
        return RESULT

    result = await schema({"respond": respond}).execute(
        "mutation($input: RespondInput!) { respond(input: $input) { version awaiting } }",
        variable_values={"input": {"matchId": "m1", "card": None, "expectedVersion": 17}},
    )
    assert result.data == {"respond": {"version": 18, "awaiting": [1]}}
    assert seen == [{"matchId": "m1", "card": None, "expectedVersion": 17, "dryRun": False}]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("{ games { name }", "Syntax Error: Expected Name, found <EOF>."),
        ("{ nothing }", "Cannot query field 'nothing' on type 'Query'."),
        (
            '{ match(id: "m1", at: "4") { version } }',
            'Int cannot represent non-integer value: "4"',
        ),
        (
            '{ match(id: "no spaces") { version } }',
            "id: has to be of letters, digits, - and _",
        ),
        (
            'mutation { createMatch(input: {game: "g", seats: 99}) { version } }',
            "seats: has to be at most 16",
        ),
        (
            'mutation { createMatch(input: {game: "g", seats: 2, options: {a: [1]}}) { version } }',
            "options.a: has to be true or false; or has to be a whole number; "
            "or has to be a string",
        ),
        ("{ __schema { types { name } } }", "GraphQL introspection has been disabled"),
        ("{" + "a{" * 700, "nested too deeply"),
    ],
)
async def test_a_malformed_request_is_told_what_is_wrong(query: str, message: str) -> None:
    result = await schema({}).execute(query)
    assert result.errors is not None
    error = result.errors[0]
    assert message in error.message
    assert error.extensions is not None
    assert error.extensions["code"] == "malformed"
    assert (error.extensions["status"], error.extensions["retryable"]) == (400, False)


async def test_every_fault_is_listed_with_its_path() -> None:
    result = await schema({}).execute('{ events(matchId: "", after: -1) { version } }')
    assert result.errors is not None
    assert result.errors[0].extensions is not None
    assert result.errors[0].extensions["errors"] == [
        {"path": "matchId", "message": "has to have a length of at least 1"},
        {"path": "after", "message": "has to be at least 0"},
    ]


async def test_null_for_an_argument_with_a_default_is_malformed() -> None:
    reports = Reports()
    result = await schema({}, reports).execute(
        'query($n: Int = 5) { events(matchId: "m1", first: $n) { version } }',
        variable_values={"n": None},
    )
    assert result.errors is not None
    assert result.errors[0].extensions is not None
    assert result.errors[0].extensions["code"] == "malformed"
    assert reports.seen == []


async def test_a_refusal_has_its_code_and_details() -> None:
    async def choose(principal: object, arguments: Arguments) -> MoveResult:
        raise IllegalMove("not now", choice=12, code="not this one")

    result = await schema({"choose": choose}).execute(
        'mutation { choose(input: {matchId: "m1", choice: 12, picks: []}) { version } }'
    )
    assert result.data == {"choose": None}
    assert result.errors is not None
    assert result.errors[0].formatted == {
        "message": "not now",
        "locations": [{"line": 1, "column": 12}],
        "path": ["choose"],
        "extensions": {
            "code": "illegal_move",
            "status": 422,
            "retryable": False,
            "doc": "/docs/errors#illegal_move",
            "choice": 12,
        },
    }


async def test_one_refusal_does_not_hide_what_else_was_done() -> None:
    async def match(principal: object, arguments: Arguments) -> object:
        raise MatchNotFound("there is no such match")

    async def games(principal: object, arguments: Arguments) -> tuple[GameInfo, ...]:
        return (GAME,)

    result = await schema({"match": match, "games": games}).execute(
        '{ match(id: "m1") { version } games { name } }'
    )
    assert result.data == {"match": None, "games": [{"name": "g"}]}


async def test_nothing_is_told_of_a_mistake_of_ours() -> None:
    secret = ValueError("seat 2 holds the Mona Lisa")
    reports = Reports()

    async def games(principal: object, arguments: Arguments) -> object:
        raise secret

    result = await schema({"games": games}, reports).execute("{ games { name } }")
    assert result.errors is not None
    (error,) = result.errors
    assert "Mona Lisa" not in str(error.formatted)
    assert error.original_error is None
    assert error.extensions == {
        "code": "internal",
        "status": 500,
        "retryable": False,
        "doc": "/docs/errors#internal",
        "requestId": "incident-1",
    }
    assert reports.seen == [secret]


async def test_a_value_that_does_not_fit_its_type_is_a_mistake_of_ours() -> None:
    reports = Reports()

    async def games(principal: object, arguments: Arguments) -> object:
        return (replace(GAME, ruleset=2**40),)

    result = await schema({"games": games}, reports).execute("{ games { ruleset } }")
    assert result.errors is not None
    assert result.errors[0].extensions is not None
    assert result.errors[0].extensions["code"] == "internal"
    assert str(2**40) not in result.errors[0].message
    assert len(reports.seen) == 1


async def test_introspection_can_be_allowed() -> None:
    result = await schema({}, introspection=True).execute(get_introspection_query())
    assert result.errors is None


async def test_names_are_suggested_only_where_introspection_is_allowed() -> None:
    for allowed in (False, True):
        result = await schema({}, introspection=allowed).execute("{ gamez { name } }")
        assert result.errors is not None
        assert ("Did you mean" in result.errors[0].message) is allowed


def test_every_operation_needs_a_handler() -> None:
    with pytest.raises(LookupError, match="operations without a handler: cards, choose"):
        build_schema({}, Reports())


def test_a_handler_needs_an_operation() -> None:
    with pytest.raises(LookupError, match="handlers without an operation: cheat"):
        schema({"cheat": unexpected})
