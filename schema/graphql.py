"""The GraphQL schema, built from the table of operations.

A query and a subscription take their arguments one by one, a mutation one `input`. The context of
an operation is the principal. Fields of the root are null only beside an error, so one refusal does
not hide what else was done. Every error has a code and what `ERRORS` says of it in its
`extensions`; of a mistake of ours nothing is told but an id.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing
from inspect import Parameter, Signature
from typing import TypeAlias

import strawberry
from graphql import GraphQLError
from strawberry.extensions import SchemaExtension
from strawberry.schema.config import StrawberryConfig
from strawberry.types import ExecutionContext, Info
from strawberry.types.field import StrawberryField

from domain.engine.errors import DomainError
from schema.documents import Documents
from schema.errors import ApiError, Internal, Malformed, Refusal, row_of
from schema.executor import PlainExecutor
from schema.operations import (
    OPERATIONS,
    SUBSCRIPTIONS,
    Kind,
    Operation,
    Subscription,
    check_names,
)
from schema.reflect import SCALARS, input_type, output, parameters
from schema.validation import Words, validated

Handler: TypeAlias = Callable[..., Awaitable[object]]
"""Takes the principal and the arguments of an operation, gives its result."""

Feed: TypeAlias = Callable[..., AsyncGenerator[object, None]]
"""Takes the principal and the arguments of a subscription, gives its results one by one."""

Report: TypeAlias = Callable[[BaseException], str]
"""Takes note of a mistake of ours and gives the id under which it is found."""


def extensions(error: Refusal) -> dict[str, object]:
    """Return what a program may know of an error."""
    row = row_of(error)
    known = {
        "code": row.code,
        "status": row.status,
        "retryable": row.retryable,
        "doc": row.doc,
    }
    return {**known, **error.detail, **known}


class Api(strawberry.Schema):
    """A schema that tells of every error by its code."""

    report: Report
    prepare: Documents

    def process_errors(
        self, errors: list[GraphQLError], execution_context: ExecutionContext | None = None
    ) -> None:
        """Replace the errors by what may be told of them."""
        errors[:] = [self.told(error) for error in errors]

    def told(self, error: GraphQLError) -> GraphQLError:
        """Return what may be told of an error."""
        refusal = self._refusal(error)
        return GraphQLError(
            self.prepare.shown(refusal.message),
            nodes=error.nodes,
            source=error.source,
            positions=error.positions,
            path=error.path,
            extensions=extensions(refusal),
        )

    def _refusal(self, error: GraphQLError) -> Refusal:
        cause = error.original_error
        if isinstance(cause, ApiError | DomainError):
            return cause
        # Errors of the document and its variables have no path, those of arguments have nodes; the
        # words of both are the client's own.
        if error.path is None and (cause is None or isinstance(cause, GraphQLError)):
            return Malformed(error.message, **(error.extensions or {}))
        if isinstance(cause, GraphQLError) and cause.nodes:
            return Malformed(error.message)
        incident = self.report(cause or error)
        return Internal(
            "the service failed; its log has the reason under this id", requestId=incident
        )


def build_schema(
    handlers: Mapping[str, Handler],
    report: Report,
    introspection: bool = False,
    feeds: Mapping[str, Feed] | None = None,
    trusted: Mapping[str, str] | None = None,
) -> Api:
    """Return the schema whose fields call the handlers, and `feeds` for subscriptions.

    Where `trusted` documents are given, by id, only those run.

    Raises:
        LookupError: an operation has no handler, or a handler no operation.
    """
    check_names(handlers)
    schema = Api(
        query=_root("Query", handlers, lambda row: row.kind is Kind.QUERY),
        mutation=_root("Mutation", handlers, lambda row: row.kind is not Kind.QUERY),
        subscription=_subscription_root(feeds or {}),
        config=StrawberryConfig(
            auto_camel_case=False,
            scalar_map=SCALARS,
            disable_field_suggestions=not introspection,
        ),
        extensions=[lambda: _Preparation(prepare)],
        execution_context_class=PlainExecutor,
    )
    prepare = schema.prepare = Documents(schema._schema, introspection, trusted)
    schema.report = report
    return schema


class _Preparation(SchemaExtension):
    """Parses and validates within limits, each document once."""

    def __init__(self, prepare: Documents) -> None:
        self._prepare = prepare
        self._errors: tuple[GraphQLError, ...] = ()

    def on_parse(self) -> Iterator[None]:
        context = self.execution_context
        prepared = self._prepare(context.query or "")
        context.graphql_document, self._errors = prepared.document, prepared.errors
        yield

    def on_validate(self) -> Iterator[None]:
        self.execution_context.pre_execution_errors = list(self._errors)
        yield


def _root(name: str, handlers: Mapping[str, Handler], belongs: Callable[[Operation], bool]) -> type:
    fields = {row.name: _field(row, handlers[row.name]) for row in OPERATIONS if belongs(row)}
    return strawberry.type(type(name, (), fields))


def _field(row: Operation, handler: Handler) -> StrawberryField:
    if row.kind is Kind.QUERY:
        resolver, taken = _query(row, handler), parameters(row.arguments, dict(row.renamed))
    else:
        resolver = _mutation(row, handler)
        taken = [Parameter("input", Parameter.KEYWORD_ONLY, annotation=input_type(row.arguments))]
    info = Parameter("info", Parameter.POSITIONAL_OR_KEYWORD, annotation=Info)
    # Strawberry reads the arguments of a field from the signature of its resolver.
    resolver.__signature__ = Signature(  # type: ignore[attr-defined] # functions take any attribute
        [info, *taken], return_annotation=output(row.result) | None
    )
    return strawberry.field(resolver, name=row.name, description=row.doc)


def _subscription_root(feeds: Mapping[str, Feed]) -> type:
    fields = {row.name: _subscription(row, feeds.get(row.name)) for row in SUBSCRIPTIONS}
    return strawberry.type(type("Subscription", (), fields))


def _subscription(row: Subscription, feed: Feed | None) -> StrawberryField:
    async def subscribe(info: Info, **said: object) -> AsyncGenerator[object, None]:
        assert feed is not None, "a schema without feeds is printed, not run"
        updates = feed(info.context, validated(row.arguments, said))
        async with aclosing(updates):
            async for update in updates:
                yield update

    info = Parameter("info", Parameter.POSITIONAL_OR_KEYWORD, annotation=Info)
    subscribe.__signature__ = Signature(  # type: ignore[attr-defined] # as above
        [info, *parameters(row.arguments, {})],
        return_annotation=AsyncGenerator[output(row.result), None],  # type: ignore[misc] # known now
    )
    return strawberry.subscription(subscribe, name=row.name, description=row.doc)


def _query(row: Operation, handler: Handler) -> Handler:
    names = dict(row.renamed)
    back = {there: here for here, there in row.renamed}

    async def query(info: Info, **said: object) -> object:
        words = {back.get(name, name): value for name, value in said.items()}
        return await handler(info.context, validated(row.arguments, words, names))

    return query


def _mutation(row: Operation, handler: Handler) -> Handler:
    async def mutation(info: Info, input: Words) -> object:
        return await handler(info.context, validated(row.arguments, input))

    return mutation
