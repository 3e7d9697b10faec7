"""The GraphQL documents that may run here: each parsed, measured and validated once.

Those seen last are kept, up to a number of tokens in all, because it is tokens that fill memory; a
document that is refused is not kept. Where documents are *trusted*, only those run, and no other is
even parsed; a client then names one by its id.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from typing import Final, NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    GraphQLSyntaxError,
    InlineFragmentNode,
    KnownFragmentNamesRule,
    NoFragmentCyclesRule,
    NoSchemaIntrospectionCustomRule,
    OperationDefinitionNode,
    SelectionSetNode,
    parse,
    specified_rules,
    validate,
)

from schema.cost import MAX_COST, costs
from schema.errors import Forbidden, Malformed, NotFound
from schema.limits import MAX_LENGTH, MAX_TOKENS, Measure, beyond, exceeded, fragments_of

KEPT_TOKENS: Final = 40_000  # of all documents that are kept; some 20 MB
MAX_ERRORS: Final = 20
LONGEST_MESSAGE: Final = 500  # characters

_CIRCLES: Final = (KnownFragmentNamesRule, NoFragmentCyclesRule)
_LONGEST_ID: Final = 200
_LONG_NUMBER: Final = re.compile(r"\d{400}")  # Python refuses to read those of thousands
_TOO_MANY: Final = re.compile(r"more than \d+ (tokens|comments)")  # how the parser says so
_HASH: Final = re.compile(r"[0-9a-f]{64}")


class Demand(NamedTuple):
    """What an operation asks of the service: its cost, and the fields of the root it runs."""

    cost: int = 0
    fields: tuple[str, ...] = ()


class Prepared(NamedTuple):
    """A document, why it cannot be run, and what each of its operations asks."""

    document: DocumentNode
    errors: tuple[GraphQLError, ...]
    demands: Mapping[str, Demand]

    def demand(self, operation: str | None) -> Demand | None:
        """Return what an operation asks; without a name, the only one. None, if there is none."""
        if operation is None and len(self.demands) == 1:
            return next(iter(self.demands.values()))
        return self.demands.get(operation or "")


class Documents:
    """Prepares documents, and remembers."""

    def __init__(
        self,
        schema: GraphQLSchema,
        introspection: bool,
        trusted: Mapping[str, str] | None = None,
    ) -> None:
        """Run any document or, of `trusted` ones by id, only those."""
        self._schema = schema
        self._hides = not introspection
        self._rules = list(specified_rules)
        if not introspection:
            self._rules.append(NoSchemaIntrospectionCustomRule)
        self._trusted = None if trusted is None else _named(trusted)
        self._texts = None if trusted is None else frozenset(trusted.values())
        self._kept: OrderedDict[str, tuple[Prepared, int]] = OrderedDict()
        self._tokens = 0

    @property
    def tokens(self) -> int:
        """How many tokens the documents have that are kept."""
        return self._tokens

    def __contains__(self, text: str) -> bool:
        """Tell whether a document is kept, so that to prepare it costs nothing."""
        return text in self._kept

    def __call__(self, text: str) -> Prepared:
        """Return the document, prepared.

        Raises:
            GraphQLError: it is no document.
            Forbidden: it is not a trusted one.
        """
        kept = self._kept.get(text)
        if kept is not None:
            self._kept.move_to_end(text)
            return kept[0]
        if self._texts is not None and text not in self._texts:
            raise Forbidden("only trusted documents run here; send the documentId of one")
        document = _parsed(text)
        prepared = self._checked(document)
        if not prepared.errors:
            self._keep(text, prepared, document.token_count)
        return prepared

    def reason(self, text: str) -> str | None:
        """Return why a document cannot run, or None."""
        try:
            errors = self(text).errors
        except GraphQLError as error:
            errors = (error,)
        return errors[0].message if errors else None

    def text_of(self, words: Mapping[str, object]) -> str | None:
        """Return the document that a request holds, or names as `documentId` or by its hash.

        Raises:
            Malformed: it does so in a wrong way, or names one where none are trusted.
            NotFound: there is no such trusted document.
        """
        text = words.get("query")
        if not isinstance(text, str | None):
            raise Malformed("query: must be a string")
        id = words.get("documentId") or _hash(words)
        if text or id is None:
            return text
        if self._trusted is None:
            # Apollo's clients know this sentence and send the whole document.
            raise Malformed("PersistedQueryNotSupported")
        if not isinstance(id, str) or len(id) > _LONGEST_ID:
            raise Malformed("documentId: must be the id of a trusted document")
        found = self._trusted.get(id) or self._trusted.get(id.removeprefix("sha256:"))
        if found is None:
            raise NotFound("there is no trusted document of this id or hash")
        return found

    def shown(self, message: str) -> str:
        """Return a message without hints at other names, unless introspection gives them, too.

        The words of a client come back in it, but not any number of them.
        """
        if self._hides:
            message = message.partition(" Did you mean ")[0]
        return message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"

    def _checked(self, document: DocumentNode) -> Prepared:
        measure = Measure(document)
        errors = exceeded(measure)
        if not errors:
            # What goes in a circle was not measured to the end.
            rules = _CIRCLES if measure.is_circular else self._rules
            errors = validate(
                self._schema,
                document,
                rules,
                max_errors=MAX_ERRORS,
                hide_suggestions=self._hides,
            )
        if errors:
            return Prepared(document, tuple(errors), {})
        prices = costs(self._schema, document)
        dearest = max(prices.values(), default=0)
        if dearest > MAX_COST:
            return Prepared(document, (beyond("cost", dearest, MAX_COST),), {})
        fragments = fragments_of(document)
        demands = {}
        for node in document.definitions:
            if isinstance(node, OperationDefinitionNode):
                name = node.name.value if node.name else ""
                fields: dict[str, str] = {}
                _collect(node.selection_set, fragments, fields)
                demands[name] = Demand(prices[name], tuple(fields.values()))
        return Prepared(document, (), demands)

    def _keep(self, text: str, prepared: Prepared, tokens: int) -> None:
        self._kept[text] = prepared, tokens
        self._tokens += tokens
        while self._tokens > KEPT_TOKENS:
            _, (_, fewer) = self._kept.popitem(last=False)
            self._tokens -= fewer


def _parsed(text: str) -> DocumentNode:
    """Return the document that a text holds. Raises: GraphQLError."""
    if len(text) > MAX_LENGTH:  # before anything looks at all of it
        raise beyond("length", len(text), MAX_LENGTH)
    if _LONG_NUMBER.search(text):
        raise GraphQLError("the document holds a number that is too long")
    try:
        # The parser refuses what nests too deeply for it.
        return parse(text, max_lexical_tokens=MAX_TOKENS, max_comments=MAX_TOKENS)
    except GraphQLSyntaxError as error:
        if _TOO_MANY.search(error.message):
            raise beyond("tokens", MAX_TOKENS + 1, MAX_TOKENS) from None
        raise


def _named(trusted: Mapping[str, str]) -> Mapping[str, str]:
    """Return the documents by their ids and by the hashes of their texts; an id comes first."""
    hashed = {sha256(text.encode()).hexdigest(): text for text in trusted.values()}
    return {**hashed, **trusted}


def _hash(words: Mapping[str, object]) -> object:
    """Return the hash in `extensions.persistedQuery`, as Apollo's clients write it."""
    extensions = words.get("extensions")
    if extensions is None:
        return None
    if not isinstance(extensions, dict):
        raise Malformed("extensions: must be an object")
    persisted = extensions.get("persistedQuery")
    if persisted is None:
        return None
    hash = persisted.get("sha256Hash") if isinstance(persisted, dict) else None
    if not isinstance(hash, str) or not _HASH.fullmatch(hash):
        raise Malformed("extensions.persistedQuery: needs a sha256Hash of 64 hexadecimal digits")
    return hash


def _collect(
    selections: SelectionSetNode,
    fragments: Mapping[str, FragmentDefinitionNode],
    fields: dict[str, str],
) -> None:
    """Collect the names of fields by the name of their answer, as they run."""
    for node in selections.selections:
        if isinstance(node, FieldNode):
            fields[(node.alias or node.name).value] = node.name.value
        elif isinstance(node, FragmentSpreadNode):
            _collect(fragments[node.name.value].selection_set, fragments, fields)
        else:
            assert isinstance(node, InlineFragmentNode)
            _collect(node.selection_set, fragments, fields)
