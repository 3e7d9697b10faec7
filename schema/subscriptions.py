"""Subscriptions in two steps, so that what is the same for many subscribers is made once.

A document that subscribes gives a source of updates, and a function that answers one update with
what the document selects. Neither the cursor nor the match shows in an answer, so all subscribers
with the same document, and the same values of variables below the root field, share a `key`: one of
them has an update rendered, the others take the bytes.
"""

from collections.abc import AsyncGenerator, Callable, Hashable
from functools import partial
from inspect import isawaitable
from typing import Any, NamedTuple

import msgspec
from graphql import (
    SKIP,
    DocumentNode,
    Executor,
    FieldNode,
    GraphQLError,
    OperationType,
    VariableDefinitionNode,
    VariableNode,
    Visitor,
    VisitorAction,
    create_source_event_stream,
    execute_sync,
    get_operation_ast,
    visit,
)

from schema.executor import PlainExecutor
from schema.graphql import Api
from schema.operations import SUBSCRIPTIONS

_ROOTS = frozenset(row.name for row in SUBSCRIPTIONS)


class Refused(Exception):
    """A document that gives nothing; `errors` say why, as they may be told."""

    def __init__(self, errors: list[GraphQLError]) -> None:
        super().__init__("the document is refused")
        self.errors = errors


class Asked(NamedTuple):
    """What a client asks to run."""

    document: str
    variables: dict[str, object] | None = None
    operation: str | None = None


class Source(NamedTuple):
    """A running subscription."""

    updates: AsyncGenerator[Any, None]
    key: Hashable
    render: Callable[[object], bytes]


def is_subscription(schema: Api, asked: Asked) -> bool:
    """Say whether a document subscribes.

    Raises:
        Refused: it cannot run at all.
    """
    try:
        prepared = schema.prepare(asked.document)
        errors = prepared.errors
    except GraphQLError as error:
        errors = (error,)
    if not errors:
        operation = get_operation_ast(prepared.document, asked.operation)
        if operation is not None:
            return operation.operation is OperationType.SUBSCRIPTION
        errors = (GraphQLError("operationName: names no operation of the document"),)
    raise Refused([schema.told(error) for error in errors])


async def subscribe(schema: Api, asked: Asked, context: object) -> Source:
    """Return the source of a document that `is_subscription`.

    Raises:
        Refused: its variables or arguments are not well formed.
    """
    document = schema.prepare(asked.document).document
    executor = Executor.build(
        schema._schema,
        document,
        context_value=context,
        raw_variable_values=asked.variables,
        operation_name=asked.operation,
    )
    if not isinstance(executor, Executor):
        raise Refused([schema.told(error) for error in executor])
    begun = create_source_event_stream(executor)
    updates = await begun if isawaitable(begun) else begun
    # The document is valid and its variables are read: what is wrong from here on comes later.
    assert isinstance(updates, AsyncGenerator)
    values = asked.variables or {}
    used = {name: values.get(name) for name in _variables_below(document)}
    key = (asked.document, asked.operation, msgspec.json.encode(used, order="sorted"))
    return Source(updates, key, partial(_render, schema, document, asked))


def _render(schema: Api, document: DocumentNode, asked: Asked, update: object) -> bytes:
    result = execute_sync(
        schema._schema,
        document,
        root_value=update,
        variable_values=asked.variables or {},
        operation_name=asked.operation,
        executor_class=PlainExecutor,
    )
    body: dict[str, object] = {"data": result.data}
    if result.errors:
        body["errors"] = [schema.told(error).formatted for error in result.errors]
    return msgspec.json.encode(body)


def _variables_below(document: DocumentNode) -> tuple[str, ...]:
    """Return the variables that an answer depends on: all but those that begin the feed."""
    found = _Variables()
    visit(document, found)
    return tuple(sorted(found.names))


class _Variables(Visitor):
    """Collects the variables outside the arguments of root fields."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()

    def enter_variable_definition(self, node: VariableDefinitionNode, *_: object) -> VisitorAction:
        return SKIP

    def enter_field(self, node: FieldNode, *_: object) -> VisitorAction:
        if node.name.value not in _ROOTS:
            return None
        # A root field is an object and bears no directive: validation sees to that.
        assert node.selection_set is not None
        visit(node.selection_set, self)
        return SKIP

    def enter_variable(self, node: VariableNode, *_: object) -> None:
        self.names.add(node.name.value)
