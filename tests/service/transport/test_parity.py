"""The same JSON over REST and GraphQL, for every operation."""

import json

import pytest
from msgspec import inspect

from schema.operations import OPERATIONS, Operation
from tests.kit.asking import over_graphql, over_rest
from tests.service.transport.samples import ARGUMENTS, Calls, client, sample

pytestmark = pytest.mark.anyio

ANN = {"authorization": "Bearer Ann"}


@pytest.mark.parametrize("row", OPERATIONS, ids=lambda row: str(row.name))
async def test_both_transports_ask_and_answer_the_same(row: Operation) -> None:
    calls, words = Calls(), ARGUMENTS[row.name]
    async with client(calls) as http:
        plain = await over_rest(http, row, words, {**ANN, "accept": "application/json"})
        picked = await over_graphql(http, row, words, ANN)
    assert plain.status_code == row.status, plain.text
    assert "errors" not in picked.json(), picked.text
    assert plain.json() == picked.json()["data"][row.name] == sample(inspect.type_info(row.result))
    first, second = calls.seen
    assert first == second
    assert (first[0], first[1]) == (row.name, "Ann")
    assert (
        json.loads(first[2].model_dump_json(by_alias=True, exclude_unset=True))
        == (ARGUMENTS[row.name])
    )
