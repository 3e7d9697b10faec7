"""Small things: the registry, programs as readable data, errors."""

import pytest
from msgspec.structs import replace

from domain.engine import errors
from domain.engine.effects import Ask, Seq, Who, to_data
from domain.engine.errors import DomainError, InvalidOptions, UnknownGame
from domain.engine.events import Fact
from domain.engine.game import game_of, register
from tests.engine.lab import LAB, Menu, Say
from tests.games.toy.game import TOY


def test_a_game_is_found_by_its_name() -> None:
    assert game_of("lab") is LAB


def test_the_last_registration_of_a_name_counts() -> None:
    first, second = replace(LAB, name="lab-again"), replace(LAB, name="lab-again", ruleset=2)
    register(first)
    register(second)
    assert game_of("lab-again") is second


def test_an_unknown_game_is_refused_with_those_known() -> None:
    with pytest.raises(UnknownGame, match="there is no game 'chess'") as refusal:
        game_of("chess")
    known = refusal.value.detail["known"]
    assert isinstance(known, list)
    assert {"lab", TOY.name} <= set(known)


def test_a_game_need_not_publish_cards() -> None:
    assert LAB.cards(()) == ()
    with pytest.raises(InvalidOptions, match="no card 'ace' to replace a fact of"):
        LAB.cards((Fact(card="ace", name="count", value="2"),))


def test_a_program_can_be_read() -> None:
    program = Seq((Say("hello"), Ask(Menu(("a",), shown=("ace",)), "word", who=Who.ALL)))
    data = to_data(program)
    assert data == {
        "do": "seq",
        "steps": [
            {"do": "say", "word": "hello"},
            {
                "do": "ask",
                "question": {
                    "do": "menu",
                    "words": ["a"],
                    "min": 1,
                    "max": 1,
                    "always": False,
                    "shown": ["ace"],
                    "seats": None,
                },
                "bind": "word",
                "who": "all",
                "window": False,
                "revisable": False,
            },
        ],
    }


def test_values_around_a_program_can_be_read() -> None:
    fact = Fact(card="a", name="b", value="c")
    assert to_data({"facts": [fact], "n": 1.5}) == {
        "facts": [{"card": "a", "name": "b", "value": "c"}],
        "n": 1.5,
    }
    with pytest.raises(TypeError, match="no JSON form for object"):
        to_data(object())


def test_every_refusal_has_a_code_of_its_own() -> None:
    classes = [one for one in vars(errors).values() if isinstance(one, type)]
    kinds = [one for one in classes if issubclass(one, DomainError)]
    codes = [one.code for one in kinds]
    assert len(set(codes)) == len(codes) > 10
    assert all(one.__doc__ for one in kinds)


def test_a_refusal_keeps_a_sentence_and_details() -> None:
    error = DomainError("no", seat=1)
    assert (str(error), error.message, error.detail) == ("no", "no", {"seat": 1})
