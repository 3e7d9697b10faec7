import pytest

from schema.errors import Malformed
from schema.inputs import ChooseInput, CreateMatchInput
from schema.validation import MAX_FAULTS, Words, validated


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
        {"path": "seats", "message": "input should be a valid integer"}
    ]


def test_every_fault_is_named_once() -> None:
    assert faults({"seats": 99, "options": {"a": 1.5}, "extra": 1}) == [
        {"path": "game", "message": "field required"},
        {"path": "seats", "message": "input should be less than or equal to 16"},
        {
            "path": "options.a",
            "message": "input should be a valid boolean; or input should be a valid integer; "
            "or input should be a valid string",
        },
        {"path": "extra", "message": "extra inputs are not permitted"},
    ]


def test_the_message_tells_how_many_more_there_are() -> None:
    with pytest.raises(Malformed, match=r"^game: field required \(and 1 more\)$"):
        validated(CreateMatchInput, {})


def test_places_in_lists_are_numbered() -> None:
    with pytest.raises(Malformed, match=r"^picks\.1: input should be a valid string$"):
        validated(ChooseInput, {"matchId": "m", "choice": 1, "picks": ["a", 2]})


def test_the_names_are_those_of_the_client() -> None:
    with pytest.raises(Malformed, match=r"^match: field required"):
        validated(ChooseInput, {"choice": 1, "picks": []}, {"matchId": "match"})


def test_thousands_of_faults_are_not_listed() -> None:
    words: Words = {f"x{number}": 1 for number in range(1000)}
    listed = faults(words)
    assert isinstance(listed, list)
    assert len(listed) == MAX_FAULTS
