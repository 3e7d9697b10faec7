"""Runs what is *plain* in one go.

For every field, graphql-core prepares that its resolver takes arguments, asks where it stands, has
to be awaited, or fails. Below the fields of the root nothing of ours does: there are Structs, and a
field is an attribute. So a selection of a plain type, one that has such fields only, is read in a
loop, several times as fast. Whatever turns out not to fit is executed once more by the library,
which knows how to say what is wrong, and where.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from inspect import signature
from operator import attrgetter
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from graphql import (
    Executor,
    GraphQLField,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLOutputType,
    GraphQLSchema,
    GraphQLUnionType,
    is_leaf_type,
)
from strawberry.schema.schema import StrawberryGraphQLCoreExecutionContext

Get: TypeAlias = Callable[[Any], Any]
"""Takes an object, gives the value of a field of it."""

Complete: TypeAlias = Callable[[Executor[Any], Any, Any], Any]
"""Takes a value and what is selected of it, gives what goes out."""

_FIELD: Final = "strawberry-definition"  # where strawberry keeps its own field


class PlainExecutor(StrawberryGraphQLCoreExecutionContext):
    """An executor that reads plain types in one go."""

    def execute_fields(
        self,
        parent_type: GraphQLObjectType,
        source_value: Any,
        path: Any,
        grouped_field_set: Any,
        position_context: Any,
    ) -> Any:
        """Return the fields of an object by their names in the answer, maybe awaitable."""
        plain = _plain_of(self.schema).get(parent_type)
        if plain is not None:
            with suppress(Exception):
                return plain.read(self, source_value, grouped_field_set)
        return super().execute_fields(
            parent_type, source_value, path, grouped_field_set, position_context
        )


class _Plain:
    """A plain type: for each of its fields, how to get its value, and how that goes out."""

    def __init__(self, type: GraphQLObjectType) -> None:
        self.type = type
        self.fields: dict[str, tuple[Get, Complete]] = {}

    def __call__(self, executor: Executor[Any], value: Any, selected: Any) -> Any:
        if value is None:
            return None
        return self.read(executor, value, executor.collect_subfields(self.type, selected)[0])

    def read(
        self, executor: Executor[Any], value: Any, selected: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return what is selected of an object."""
        found: dict[str, Any] = {}
        for name, details in selected.items():
            get, complete = self.fields[details[0].node.name.value]
            found[name] = complete(executor, get(value), details)
        return found


_schemas: WeakKeyDictionary[GraphQLSchema, Mapping[GraphQLObjectType, _Plain]] = WeakKeyDictionary()


def _plain_of(schema: GraphQLSchema) -> Mapping[GraphQLObjectType, _Plain]:
    """Return the plain types of a schema."""
    known = _schemas.get(schema)
    if known is None:
        objects = [one for one in schema.type_map.values() if isinstance(one, GraphQLObjectType)]
        known = {one: _Plain(one) for one in objects if all(map(_get, one.fields.values()))}
        for type, plain in known.items():
            plain.fields["__typename"] = _constant(type.name), _as_it_is
            for name, field in type.fields.items():
                get = _get(field)
                assert get is not None, "the type is plain"
                plain.fields[name] = get, _complete(field.type, known)
        _schemas[schema] = known
    return known


def _get(field: GraphQLField) -> Get | None:
    """Return how to get the value of a field that is an attribute, or always the same."""
    own = field.extensions.get(_FIELD)
    if own is None or field.args:
        return None
    if own.base_resolver is None:
        return attrgetter(own.python_name)
    resolver = own.base_resolver.wrapped_func
    return None if signature(resolver).parameters else _constant(resolver())


def _constant(value: object) -> Get:
    return lambda _: value


def _complete(type: GraphQLOutputType, known: Mapping[GraphQLObjectType, _Plain]) -> Complete:
    """Return how a value of a type goes out. What does not fit raises."""
    match type:
        case GraphQLNonNull(of_type=inner):
            return _present(_complete(inner, known))
        case GraphQLList(of_type=inner):
            return _each(_complete(inner, known))
        case GraphQLObjectType():
            return known[type]
        case GraphQLUnionType():
            return _member({one.name: known[one] for one in type.types})
        case _:
            assert is_leaf_type(type)
            return _leaf(type.coerce_output_value)


def _as_it_is(executor: Executor[Any], value: Any, selected: Any) -> Any:
    return value


def _present(inner: Complete) -> Complete:
    def present(executor: Executor[Any], value: Any, selected: Any) -> Any:
        if value is None:
            raise ValueError("a value that cannot be null is null")
        return inner(executor, value, selected)

    return present


def _each(inner: Complete) -> Complete:
    def each(executor: Executor[Any], value: Any, selected: Any) -> Any:
        return None if value is None else [inner(executor, one, selected) for one in value]

    return each


def _member(members: Mapping[str, _Plain]) -> Complete:
    # A member has the name of the Struct that it is made of.
    def member(executor: Executor[Any], value: Any, selected: Any) -> Any:
        return None if value is None else members[type(value).__name__](executor, value, selected)

    return member


def _leaf(coerce: Callable[[Any], Any]) -> Complete:
    def leaf(executor: Executor[Any], value: Any, selected: Any) -> Any:
        return None if value is None else coerce(value)

    return leaf
