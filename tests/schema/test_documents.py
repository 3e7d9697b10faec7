"""Documents and subscriptions of GraphQL, taken one by one."""

from collections.abc import AsyncGenerator, Mapping
from hashlib import sha256
from typing import Annotated

import msgspec
import pytest
from graphql import GraphQLError
from graphql import build_schema as build
from msgspec.structs import replace

from schema.documents import Documents
from schema.errors import Malformed, NotFound
from schema.graphql import Api, build_schema
from schema.operations import OPERATIONS
from schema.reflect import output
from schema.subscriptions import Asked, Refused, is_subscription, subscribe
from schema.types import MatchUpdate
from tests.schema.schemas import Reports, schema, unexpected

pytestmark = pytest.mark.anyio

DOCUMENT = "{ a ...on Query { b: a } ...more } fragment more on Query { c: a }"
HASH = sha256(DOCUMENT.encode()).hexdigest()
SCHEMA = build("type Query { a: Int }")
FEED = "subscription($m: String!, $v: Boolean!) { matchUpdates(matchId: $m) %s }"


def documents(trusted: Mapping[str, str] | None = None) -> Documents:
    return Documents(SCHEMA, introspection=True, trusted=trusted)


def test_fields_of_fragments_are_counted_by_the_name_of_their_answer() -> None:
    prepared = documents()(DOCUMENT)
    assert prepared.errors == ()
    demand = prepared.demand(None)
    assert demand is not None
    assert demand.fields == ("a", "a", "a")
    assert prepared.demand("Other") is None


def test_one_of_several_operations_has_to_be_named() -> None:
    prepared = documents()("query A { a } query B { b: a }")
    assert prepared.demand(None) is None
    demand = prepared.demand("B")
    assert demand is not None
    assert demand.fields == ("a",)


def test_it_is_said_why_a_document_cannot_run() -> None:
    asked = documents()
    assert asked.reason("{ a }") is None
    assert "Syntax Error" in str(asked.reason("{ a"))
    assert "Cannot query field 'z'" in str(asked.reason("{ z }"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"query": 7}, "query: must be a string"),
        ({"extensions": []}, "extensions: must be an object"),
        ({"extensions": {"persistedQuery": "x"}}, "needs a sha256Hash"),
        ({"extensions": {"persistedQuery": {"sha256Hash": "zz"}}}, "needs a sha256Hash"),
        ({"documentId": 7}, "must be the id of a trusted document"),
    ],
)
def test_a_document_named_in_a_wrong_way_is_refused(words: dict[str, object], said: str) -> None:
    with pytest.raises(Malformed, match=said):
        documents({HASH: DOCUMENT}).text_of(words)


def test_a_trusted_document_is_found_by_its_id_and_by_its_hash() -> None:
    asked = documents({HASH: DOCUMENT})
    hashed = {"persistedQuery": {"sha256Hash": HASH}}
    assert asked.text_of({"documentId": f"sha256:{HASH}"}) == DOCUMENT
    assert asked.text_of({"extensions": hashed}) == DOCUMENT
    assert asked.text_of({"extensions": {"tracing": True}}) is None
    with pytest.raises(NotFound):
        asked.text_of({"documentId": "another"})


def test_a_trusted_document_is_found_by_the_hash_of_its_text_whatever_its_id() -> None:
    asked = documents({"games": DOCUMENT})
    assert asked.text_of({"extensions": {"persistedQuery": {"sha256Hash": HASH}}}) == DOCUMENT
    assert asked.text_of({"documentId": f"sha256:{HASH}"}) == DOCUMENT
    assert asked.text_of({"documentId": "games"}) == DOCUMENT
    with pytest.raises(NotFound):
        asked.text_of({"extensions": {"persistedQuery": {"sha256Hash": "0" * 64}}})


def test_an_id_comes_before_the_hash_of_another_text() -> None:
    other = "{ __typename }"
    asked = documents({HASH: other, "games": DOCUMENT})
    assert asked.text_of({"documentId": HASH}) == other


def test_a_tagged_struct_alone_is_a_union_and_annotations_are_looked_through() -> None:
    class Alone(msgspec.Struct, tag="alone", tag_field="game"):
        n: Annotated[int, msgspec.Meta(ge=0)]

    assert "StrawberryUnion" in str(output(Alone))
    assert output(Annotated[int, msgspec.Meta(extra={"unit": "seconds"})]) is int


def test_a_document_that_names_no_operation_is_refused() -> None:
    asked = Asked("query a { games { name } } query b { games { name } }", operation="c")
    with pytest.raises(Refused) as refused:
        is_subscription(schema({}), asked)
    assert "operationName" in refused.value.errors[0].message


def feed(failure: Exception | None = None) -> Api:
    async def updates(principal: object, arguments: object) -> AsyncGenerator[object, None]:
        if failure is not None:
            raise failure
        yield {"version": 3}

    every = {row.name: unexpected for row in OPERATIONS}
    return build_schema(every, Reports(), feeds={"matchUpdates": updates})


async def key_of(selection: str, match: str, shows: bool) -> object:
    asked = Asked(FEED % selection, {"m": match, "v": shows})
    assert is_subscription(feed(), asked)
    source = await subscribe(feed(), asked, object())
    await source.updates.aclose()
    return source.key


async def test_subscribers_of_one_key_take_one_rendering() -> None:
    below = "{ version @include(if: $v) }"
    assert await key_of(below, "m1", True) == await key_of(below, "m2", True)
    assert await key_of(below, "m1", True) != await key_of(below, "m1", False)


async def test_fields_of_fragments_belong_to_the_answer() -> None:
    asked = Asked(
        "subscription($m: String!, $v: Boolean!) { matchUpdates(matchId: $m) { ...one } }"
        " fragment one on MatchUpdate { version @include(if: $v) }",
        {"m": "m1", "v": True},
    )
    source = await subscribe(feed(), asked, object())
    update = MatchUpdate(version=3, view=None, events=())
    assert source.render(update) == b'{"data":{"matchUpdates":{"version":3}}}'
    told = source.render(replace(update, version="no number"))
    assert b'"errors"' in told
    assert b"no number" not in told
    await source.updates.aclose()


async def test_arguments_that_are_not_well_formed_are_refused() -> None:
    selection = FEED % "{ version @include(if: $v) }"
    right = await subscribe(feed(), Asked(selection, {"m": "m1", "v": True}), object())
    assert await anext(right.updates) is not None
    await right.updates.aclose()
    wrong = await subscribe(feed(), Asked(selection, {"m": "not an id!", "v": True}), object())
    with pytest.raises((Malformed, GraphQLError)):
        await anext(wrong.updates)


async def test_variables_that_are_not_well_formed_are_refused() -> None:
    with pytest.raises(Refused):
        await subscribe(feed(), Asked(FEED % "{ version @include(if: $v) }", {"m": 7}), object())
