"""What an operation costs, before it runs: a number that a client can work out itself.

A field of the root costs 10, or 50 if it changes something; introspection costs 500. Every other
field costs 1. What is selected of the items of a list counts 10 times, for it is answered for each.
Of fragments on different types of one union only the dearest counts. Spread fragments count where
they are spread.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLNamedType,
    GraphQLObjectType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    SelectionSetNode,
    get_named_type,
    is_abstract_type,
    is_list_type,
    is_non_null_type,
)

from schema.limits import fragments_of

MAX_COST: Final = 20_000

_ROOT: Final = {OperationType.QUERY: 10, OperationType.MUTATION: 50, OperationType.SUBSCRIPTION: 10}
_INTROSPECTION: Final = 500
_ITEMS: Final = 10  # that a list is taken to have


def costs(schema: GraphQLSchema, document: DocumentNode) -> dict[str, int]:
    """Return the cost of each operation of a valid document; the name of a nameless one is empty.

    Time: linear in the length of the document.
    """
    price = _Price(schema, fragments_of(document))
    return {
        node.name.value if node.name else "": price.operation(node)
        for node in document.definitions
        if isinstance(node, OperationDefinitionNode)
    }


class _Price:
    def __init__(
        self, schema: GraphQLSchema, fragments: Mapping[str, FragmentDefinitionNode]
    ) -> None:
        self._schema = schema
        self._fragments = fragments
        self._known: dict[str, int] = {}

    def operation(self, node: OperationDefinitionNode) -> int:
        root = self._schema.get_root_type(node.operation)
        assert root is not None, "the document is valid"
        self._known.clear()  # fields of the root cost what the operation is
        return self._selections(node.selection_set, root, _ROOT[node.operation])

    def _selections(self, node: SelectionSetNode, parent: GraphQLNamedType, each: int) -> int:
        total = 0
        branches: dict[str, int] = defaultdict(int)
        for selection in node.selections:
            if isinstance(selection, FieldNode):
                total += self._field(selection, parent, each)
                continue
            on, cost = self._fragment(selection, parent, each)
            if is_abstract_type(parent) and on is not parent:
                branches[on.name] += cost
            else:
                total += cost
        return total + max(branches.values(), default=0)

    def _fragment(
        self, node: SelectionNode, parent: GraphQLNamedType, each: int
    ) -> tuple[GraphQLNamedType, int]:
        if isinstance(node, FragmentSpreadNode):
            name = node.name.value
            fragment = self._fragments[name]
            on = self._type(fragment.type_condition.name.value)
            if name not in self._known:
                self._known[name] = self._selections(fragment.selection_set, on, each)
            return on, self._known[name]
        assert isinstance(node, InlineFragmentNode)
        condition = node.type_condition
        on = parent if condition is None else self._type(condition.name.value)
        return on, self._selections(node.selection_set, on, each)

    def _field(self, node: FieldNode, parent: GraphQLNamedType, each: int) -> int:
        name = node.name.value
        if name in ("__schema", "__type"):
            return _INTROSPECTION
        field = parent.fields.get(name) if isinstance(parent, GraphQLObjectType) else None
        if field is None or node.selection_set is None:
            return each
        below = self._selections(node.selection_set, get_named_type(field.type), 1)
        kind = field.type.of_type if is_non_null_type(field.type) else field.type
        return each + below * (_ITEMS if is_list_type(kind) else 1)

    def _type(self, name: str) -> GraphQLNamedType:
        found = self._schema.get_type(name)
        assert found is not None, "the document is valid"
        return found
