import pytest
from graphql import build_schema, parse

from schema.documents import Documents
from schema.limits import MAX_ALIASES, Measure, exceeded

SCHEMA = build_schema("type Query { a: Query b: Int }")


def complaints(document: str) -> list[str]:
    return [error.message for error in exceeded(Measure(parse(document)))]


def test_a_modest_document_is_within_the_limits() -> None:
    assert complaints("{ x: a { b } ...F } fragment F on Query { ... on Query { b } }") == []


def test_depth_is_limited() -> None:
    assert complaints("{" + "a{" * 12 + "b" + "}" * 13) == [
        "the operation has depth 13, more than 12"
    ]


def test_aliases_are_limited() -> None:
    fields = " ".join(f"x{number}: b" for number in range(MAX_ALIASES + 1))
    assert complaints("{" + fields + "}") == ["the operation has aliases 31, more than 30"]


def test_the_largest_operation_counts() -> None:
    assert complaints("query A { b } query B {" + "a{" * 12 + "b" + "}" * 13) != []


def test_fragments_that_double_each_time_are_measured_at_once() -> None:
    doubling = " ".join(
        f"fragment F{number} on Query {{ ...F{number + 1} ...F{number + 1} }}"
        for number in range(100)
    )
    document = "{ ...F0 } " + doubling + " fragment F100 on Query { b }"
    assert complaints(document) == [f"the operation has fields {2**100}, more than 1000"]


def test_a_fragment_inside_itself_or_unknown_is_left_to_validation() -> None:
    prepare = Documents(SCHEMA, introspection=False)
    _, errors, _ = prepare("{ ...F ...G } fragment F on Query { a { ...F } }")
    assert [error.message for error in errors] == [
        "Unknown fragment 'G'.",
        "Cannot spread fragment 'F' within itself.",
    ]


def test_introspection_counts_as_one_field() -> None:
    assert complaints("{ __schema " + "{a" * 13 + "}" * 13 + "}") == []


def test_a_document_is_prepared_once() -> None:
    prepare = Documents(SCHEMA, introspection=True)
    assert prepare("{ b }") is prepare("{ b }")


@pytest.mark.parametrize("document", ["{" + "b " * 2001 + "}", "# " + "x" * 20_000 + "\n{ b }"])
def test_a_document_of_too_many_words_is_not_parsed(document: str) -> None:
    prepare = Documents(SCHEMA, introspection=True)
    with pytest.raises(Exception, match="Syntax Error"):
        prepare(document)
