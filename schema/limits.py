"""How large a GraphQL document may be.

Tokens bound the work of parsing; depth, aliases, fields, directives and variables of the operation,
fragments spread out, bound the work of answering, and repeated fields that of validation, which
compares each with each. Fragments are measured once each, so spreading them again and again costs
nothing; a document whose fragments go in a circle is measured no further. Introspection counts in
every respect but depth: the question that tools ask is deep.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

MAX_TOKENS: Final = 2000
MAX_LENGTH: Final = 20_000  # characters of a document
MAX_DEPTH: Final = 12
MAX_ALIASES: Final = 30
MAX_FIELDS: Final = 1000
MAX_DIRECTIVES: Final = 50
MAX_VARIABLES: Final = 50
MAX_REPEATS: Final = 5000  # pairs of fields that answer under one name

_META: Final = "__"  # how the names of introspection begin


class Size(NamedTuple):
    """How large a selection is, fragments spread out."""

    depth: int = 0
    aliases: int = 0
    fields: int = 0
    directives: int = 0
    variables: int = 0
    repeats: int = 0


LIMITS: Final = Size(MAX_DEPTH, MAX_ALIASES, MAX_FIELDS, MAX_DIRECTIVES, MAX_VARIABLES, MAX_REPEATS)


def exceeded(measure: "Measure") -> list[GraphQLError]:
    """Return one error for each limit that an operation of the measured document exceeds."""
    largest = measure.largest()
    return [
        beyond(name, found, limit)
        for name, found, limit in zip(Size._fields, largest, LIMITS, strict=True)
        if found > limit
    ]


def beyond(name: str, found: int, limit: int) -> GraphQLError:
    """Return the error of an operation that has more of something than it may."""
    return GraphQLError(
        f"the operation has {name} {found}, more than {limit}",
        extensions={"limit": name, "found": min(found, 2**53), "max": limit},
    )


def fragments_of(document: DocumentNode) -> dict[str, FragmentDefinitionNode]:
    """Return the fragments of a document by name."""
    return {
        node.name.value: node
        for node in document.definitions
        if isinstance(node, FragmentDefinitionNode)
    }


class Measure:
    """Measures one document."""

    def __init__(self, document: DocumentNode) -> None:
        """Remember the fragments."""
        self._document = document
        self._fragments = fragments_of(document)
        self._measured: dict[str, Size] = {}
        self._under_way: set[str] = set()
        self.is_circular = False

    def largest(self) -> Size:
        """Return the largest size in each respect, of what is spread and what is not."""
        # How deep a fragment is depends on where it is spread.
        sizes = [self._fragment(name)._replace(depth=0) for name in self._fragments]
        selections = [node.selection_set for node in self._fragments.values()]
        for node in self._document.definitions:
            if isinstance(node, OperationDefinitionNode):
                sizes.append(self._operation(node))
                selections.append(node.selection_set)
        largest = Size(*map(max, zip(Size(), *sizes, strict=True)))
        if self.is_circular or largest.fields > MAX_FIELDS:
            return largest
        return largest._replace(
            repeats=max((self._repeats([one]) for one in selections), default=0)
        )

    def _operation(self, node: OperationDefinitionNode) -> Size:
        size = self._size(node.selection_set)
        variables = node.variable_definitions or ()
        directives = size.directives + len(node.directives or ())
        directives += sum(len(variable.directives or ()) for variable in variables)
        return size._replace(directives=directives, variables=len(variables))

    def _size(self, selections: SelectionSetNode | None) -> Size:
        total = Size()
        for node in selections.selections if selections else ():
            match node:
                case FragmentSpreadNode():
                    size = self._fragment(node.name.value)
                case FieldNode():
                    size = self._field(node)
                case _:
                    assert isinstance(node, InlineFragmentNode)
                    size = self._size(node.selection_set)
            total = Size(
                max(total.depth, size.depth),
                total.aliases + size.aliases,
                total.fields + size.fields,
                total.directives + size.directives + len(node.directives or ()),
            )
        return total

    def _field(self, node: FieldNode) -> Size:
        below = self._size(node.selection_set)
        depth = 0 if node.name.value.startswith(_META) else below.depth
        return below._replace(
            depth=depth + 1, aliases=below.aliases + bool(node.alias), fields=below.fields + 1
        )

    def _fragment(self, name: str) -> Size:
        if name in self._under_way:
            self.is_circular = True
        if name not in self._measured:
            # A fragment that is unknown or spreads itself is refused by validation.
            self._measured[name] = Size()
            if name in self._fragments:
                self._under_way.add(name)
                fragment = self._fragments[name]
                size = self._size(fragment.selection_set)
                directives = size.directives + len(fragment.directives or ())
                self._measured[name] = size._replace(directives=directives)
                self._under_way.discard(name)
        return self._measured[name]

    def _repeats(self, merged: Iterable[SelectionSetNode]) -> int:
        """Return how many pairs of fields answer under one name, here and below.

        Fields under one name are one field with the selections of all, so it is with them that the
        walk goes on.
        """
        groups: dict[str, list[FieldNode]] = defaultdict(list)
        spread: set[str] = set()
        waiting = list(merged)
        while waiting:
            for node in waiting.pop().selections:
                if isinstance(node, FieldNode):
                    groups[(node.alias or node.name).value].append(node)
                elif isinstance(node, InlineFragmentNode):
                    waiting.append(node.selection_set)
                else:
                    assert isinstance(node, FragmentSpreadNode)
                    fragment = self._fragments.get(node.name.value)
                    if fragment is not None and node.name.value not in spread:
                        spread.add(node.name.value)
                        waiting.append(fragment.selection_set)
        pairs = 0
        for fields in groups.values():
            below = [field.selection_set for field in fields if field.selection_set]
            pairs += len(fields) * (len(fields) - 1) // 2 + (self._repeats(below) if below else 0)
        return pairs
