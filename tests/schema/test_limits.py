from collections.abc import Callable

import pytest
from graphql import GraphQLError, build_schema, parse

from schema.documents import Documents
from schema.limits import LIMITS, MAX_LENGTH, MAX_TOKENS, Measure, exceeded

SCHEMA = build_schema("type Query { a: Query b: Int }")


def complaints(document: str) -> list[str]:
    return [error.message for error in exceeded(Measure(parse(document)))]


def test_a_modest_document_is_within_the_limits() -> None:
    assert complaints("{ x: a { b } ...F } fragment F on Query { ... on Query { b } }") == []


def many(count: int, word: str) -> str:
    return " ".join(word.replace("#", str(number)) for number in range(count))


SIZED: dict[str, Callable[[int], str]] = {
    "depth": lambda size: "{" + "a{" * (size - 1) + "b" + "}" * size,
    "aliases": lambda size: "{" + many(size, "x#: b") + "}",
    "fields": lambda size: "{" + many(size, "f#") + "}",
    "directives": lambda size: "{ b " + "@skip(if: false) " * size + "}",
    "variables": lambda size: "query(" + many(size, "$v#: Int") + ") { b }",
}


@pytest.mark.parametrize("name", SIZED)
def test_a_limit_is_reached_and_not_passed(name: str) -> None:
    most = getattr(LIMITS, name)
    assert complaints(SIZED[name](most)) == []
    (error,) = exceeded(Measure(parse(SIZED[name](most + 1))))
    assert error.message == f"the operation has {name} {most + 1}, more than {most}"
    assert error.extensions == {"limit": name, "found": most + 1, "max": most}


def test_directives_count_wherever_they_stand() -> None:
    each = "@skip(if: false) " * 17
    document = (
        f"query ($v: Int {each}) {each} {{ b ...F ... @skip(if: true) {{ b }} }} "
        f"fragment F on Query {each} {{ b }}"
    )
    assert complaints(document) == ["the operation has directives 52, more than 50"]


def test_fields_that_answer_under_one_name_are_limited_in_pairs() -> None:
    assert complaints("{" + "b " * 100 + "}") == []
    assert complaints("{" + "b " * 101 + "}") == ["the operation has repeats 5050, more than 5000"]
    nested = "{" + "a { b b } " * 60 + "}"  # and below, where all sixty are one
    assert complaints(nested) == ["the operation has repeats 8910, more than 5000"]


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


@pytest.mark.parametrize(
    ("document", "name", "found", "most"),
    [
        ("{" + "b " * 1999 + "}", "tokens", MAX_TOKENS + 1, MAX_TOKENS),
        ("#\n" * 2001 + "{ b }", "tokens", MAX_TOKENS + 1, MAX_TOKENS),
        ("# " + "x" * 20_000 + "\n{ b }", "length", 20_008, MAX_LENGTH),
    ],
)
def test_a_document_that_is_too_long_is_not_even_measured(
    document: str, name: str, found: int, most: int
) -> None:
    with pytest.raises(GraphQLError) as refused:
        Documents(SCHEMA, introspection=True)(document)
    assert refused.value.extensions == {"limit": name, "found": found, "max": most}


def test_a_document_of_as_many_words_as_there_may_be_is_parsed() -> None:
    prepare = Documents(SCHEMA, introspection=True)
    fields = many(30, "x#: b")
    document = "query Q {" + fields + "}" + " " * (MAX_LENGTH - len(fields) - 10)
    assert prepare(document).errors == ()
