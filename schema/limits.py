"""How large a GraphQL document may be, and each one parsed and validated once.

Tokens bound the work of parsing; depth, aliases and fields of the operation, fragments spread out,
bound the work of answering. Fragments are measured once each, so spreading them again and again
costs nothing.
"""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    InlineFragmentNode,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    SelectionSetNode,
    parse,
    specified_rules,
    validate,
)

MAX_TOKENS = 2000
MAX_LENGTH = 20_000  # characters of a document
MAX_DEPTH = 12
MAX_ALIASES = 30
MAX_FIELDS = 1000
CACHED_DOCUMENTS = 256

Prepared: TypeAlias = tuple[DocumentNode, tuple[GraphQLError, ...]]
"""A document, and why it cannot be run."""


class Size(NamedTuple):
    """How large a selection is, fragments spread out; introspection counts as one field."""

    depth: int
    aliases: int
    fields: int


def preparer(schema: GraphQLSchema, introspection: bool) -> Callable[[str], Prepared]:
    """Return the function that parses and validates; it keeps the documents seen last.

    It raises GraphQLError for what is no document.
    """
    rules = list(specified_rules)
    if not introspection:
        rules.append(NoSchemaIntrospectionCustomRule)

    @lru_cache(maxsize=CACHED_DOCUMENTS)
    def prepare(query: str) -> Prepared:
        # The parser refuses what nests too deeply for it.
        document = parse(
            query,
            max_lexical_tokens=MAX_TOKENS,
            max_comments=MAX_TOKENS,
            max_source_length=MAX_LENGTH,
        )
        errors = exceeded(document) or validate(schema, document, rules, max_errors=20)
        return document, tuple(errors)

    return prepare


def exceeded(document: DocumentNode) -> list[GraphQLError]:
    """Return one error for each limit that an operation of the document exceeds."""
    fragments = {
        node.name.value: node
        for node in document.definitions
        if isinstance(node, FragmentDefinitionNode)
    }
    measured: dict[str, Size] = {}
    largest = _largest(
        _size(node.selection_set, fragments, measured)
        for node in document.definitions
        if isinstance(node, OperationDefinitionNode)
    )
    limits = Size(MAX_DEPTH, MAX_ALIASES, MAX_FIELDS)
    return [
        GraphQLError(f"the operation has {name} {found}, more than {limit}")
        for name, found, limit in zip(Size._fields, largest, limits, strict=True)
        if found > limit
    ]


def _size(
    selections: SelectionSetNode | None,
    fragments: dict[str, FragmentDefinitionNode],
    measured: dict[str, Size],
) -> Size:
    depth, aliases, fields = 0, 0, 0
    for node in selections.selections if selections else ():
        if isinstance(node, FragmentSpreadNode):
            size = _fragment(node.name.value, fragments, measured)
        elif isinstance(node, FieldNode):
            is_ours = not node.name.value.startswith("__")
            below = _size(node.selection_set if is_ours else None, fragments, measured)
            size = Size(below.depth + 1, below.aliases + bool(node.alias), below.fields + 1)
        else:
            assert isinstance(node, InlineFragmentNode)
            size = _size(node.selection_set, fragments, measured)
        depth = max(depth, size.depth)
        aliases, fields = aliases + size.aliases, fields + size.fields
    return Size(depth, aliases, fields)


def _fragment(
    name: str, fragments: dict[str, FragmentDefinitionNode], measured: dict[str, Size]
) -> Size:
    if name not in measured:
        # A fragment that is unknown or spreads itself is refused by validation.
        measured[name] = Size(0, 0, 0)
        if name in fragments:
            measured[name] = _size(fragments[name].selection_set, fragments, measured)
    return measured[name]


def _largest(sizes: Iterable[Size]) -> Size:
    largest = Size(0, 0, 0)
    for size in sizes:
        largest = Size(*map(max, largest, size))
    return largest
