import re
from collections.abc import Iterator
from typing import get_args, get_origin

import pytest
from pydantic import BaseModel

from schema import inputs
from schema.errors import Malformed
from schema.inputs import (
    Arguments,
    ChooseInput,
    CreateMatchInput,
    ForkMatchInput,
    RecordKnowledgeInput,
)
from schema.operations import OPERATIONS
from schema.validation import MAX_FAULTS, Words, validated

MODELS = list({row.arguments.__name__: row.arguments for row in OPERATIONS}.values())


def faults(words: Words) -> object:
    with pytest.raises(Malformed) as caught:
        validated(CreateMatchInput, words)
    return caught.value.detail["errors"]


def test_words_become_arguments() -> None:
    arguments = validated(CreateMatchInput, {"game": "g", "seats": 2})
    assert arguments == CreateMatchInput(game="g", seats=2)


@pytest.mark.parametrize("seats", ["2", 2.0, True, None])
def test_a_value_of_another_type_is_not_converted(seats: object) -> None:
    assert faults({"game": "g", "seats": seats}) == [
        {"path": "seats", "message": "has to be a whole number"}
    ]


def test_every_fault_is_named_once() -> None:
    assert faults({"seats": 99, "options": {"a": 1.5}, "extra": 1}) == [
        {"path": "game", "message": "is missing"},
        {"path": "seats", "message": "has to be at most 16"},
        {
            "path": "options.a",
            "message": "has to be true or false; or has to be a whole number; "
            "or has to be a string",
        },
        {"path": "extra", "message": "is not known here"},
    ]


def test_the_message_tells_how_many_more_there_are() -> None:
    with pytest.raises(Malformed, match=r"^game: is missing \(and 1 more\)$"):
        validated(CreateMatchInput, {})


def test_places_in_lists_are_numbered() -> None:
    with pytest.raises(Malformed, match=r"^picks\.1: has to be a string$"):
        validated(ChooseInput, {"matchId": "m", "choice": 1, "picks": ["a", 2]})


MISSING: tuple[tuple[type[Arguments], Words, list[str]], ...] = (
    (CreateMatchInput, {"game": "g", "seats": 2, "turnLimit": {"seconds": 5}}, ["turnLimit.then"]),
    (
        CreateMatchInput,
        {"game": "g", "seats": 2, "turnLimit": {}, "spectators": {}},
        ["turnLimit.seconds", "turnLimit.then", "spectators.policy"],
    ),
    (ForkMatchInput, {"matchId": "m", "at": 1, "seats": [{"seat": 1}]}, ["seats.0.bot"]),
    (
        RecordKnowledgeInput,
        {"matchId": "m", "cards": ["a"], "from": [{"monument": "y"}, {"tokens": 1}]},
        ["from.0.tokens", "from.1.monument"],
    ),
)


@pytest.mark.parametrize(("model", "words", "paths"), MISSING)
def test_what_is_missing_is_named_where_it_belongs(
    model: type[Arguments], words: Words, paths: list[str]
) -> None:
    with pytest.raises(Malformed) as caught:
        validated(model, words)
    assert caught.value.detail["errors"] == [
        {"path": path, "message": "is missing"} for path in paths
    ]


def inside(model: type[BaseModel]) -> Iterator[tuple[str, bool, type[Arguments]]]:
    """Yield the fields that hold objects: the name, whether they stand in a list, their model."""
    for field in model.model_fields.values():
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, Arguments):
                yield str(field.alias), get_origin(field.annotation) is list, kind


@pytest.mark.parametrize("model", MODELS)
def test_the_path_of_each_missing_field_leads_to_it(model: type[Arguments]) -> None:
    words: Words = {}
    expected = {str(one.alias) for one in model.model_fields.values() if one.is_required()}
    for name, is_list, kind in inside(model):
        words[name] = [{}] if is_list else {}
        place = f"{name}.0" if is_list else name
        needed = [str(one.alias) for one in kind.model_fields.values() if one.is_required()]
        expected = expected - {name} | {f"{place}.{one}" for one in needed}
    if expected:
        with pytest.raises(Malformed) as caught:
            validated(model, words)
        faults = caught.value.detail["errors"]
        assert isinstance(faults, list)
        assert {one["path"]: one["message"] for one in faults} == dict.fromkeys(
            expected, "is missing"
        )
    else:
        validated(model, words)


def test_the_names_are_those_of_the_client() -> None:
    with pytest.raises(Malformed, match=r"^match: is missing"):
        validated(ChooseInput, {"choice": 1, "picks": []}, {"matchId": "match"})


def test_thousands_of_faults_are_not_listed() -> None:
    words: Words = {f"x{number}": 1 for number in range(1000)}
    listed = faults(words)
    assert isinstance(listed, list)
    assert len(listed) == MAX_FAULTS


def test_an_object_is_described_by_its_fields() -> None:
    words: Words = {"matchId": "m", "cards": ["a"], "from": ["city_07"]}
    with pytest.raises(Malformed, match=r"^from\.0: has to be an object \{monument, tokens\}$"):
        validated(RecordKnowledgeInput, words)


WRONG: tuple[object, ...] = (
    *(None, True, -1, 2**40, 1.5, "", "no spaces", "x" * 16_000_001, "\ud800"),
    *([], ["", 1, {}] * 50, {}, {"x" * 99: [], "b": {}} | {str(n): n for n in range(99)}),
)


def nested(model: type[BaseModel], words: object) -> Iterator[Words]:
    """Yield the words for each field alone, and inside a list and an object."""
    for field in model.model_fields.values():
        for value in (words, [words]):
            yield {str(field.alias): value}


@pytest.mark.parametrize("model", MODELS)
def test_every_fault_is_told_in_words_of_the_api(model: type[Arguments]) -> None:
    classes = {name for name in vars(inputs) if name[0].isupper()}
    for wrong in WRONG:
        for words in nested(model, wrong):
            with pytest.raises(Malformed) as caught:
                validated(model, words | {"no such argument": 1})
            message = str(caught.value.detail["errors"])
            assert not re.search(r"[\^$]|[Ii]nput|instance|should|required", message)
            assert not classes & set(re.findall(r"\w+", message))


def test_only_ids_have_a_pattern() -> None:
    schemas = str([row.arguments.model_json_schema() for row in OPERATIONS])
    assert set(re.findall(r"'pattern': '(.*?)'", schemas)) == {"^[A-Za-z0-9_-]+$"}
