from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.engine.codec import Frame, codec, encode, type_of
from domain.engine.decider import fold
from domain.engine.events import (
    ENGINE_EVENTS,
    ChoiceOffered,
    Event,
    MatchCreated,
    Outcome,
    SeatFilled,
)
from domain.engine.game import register
from domain.engine.playout import opening, plies
from domain.engine.upcast import upcast
from tests.engine.lab import LAB, Finish, Menu, Say, begin
from tests.games.toy.game import TOY
from tests.kit.samples import sample

SEED = "c0dec000" * 4


@pytest.mark.parametrize("kind", ENGINE_EVENTS)
def test_every_engine_event_survives_bytes(kind: type[Event]) -> None:
    event = sample("lab", kind)
    assert codec("lab").events(encode([event])) == (event,)
    assert codec("lab").event(msgspec.json.decode(encode(event))) == event


def test_a_whole_match_survives_bytes() -> None:
    events, match = opening(TOY.name, 3, SEED)
    for _, more, after in plies(match, SEED):
        events += more
        assert codec(TOY.name).match(encode(after)) == after
        match = after
    assert fold(codec(TOY.name).events(encode(events))) == match


def test_the_same_value_has_the_same_bytes() -> None:
    assert encode({"b": 1, "a": 2}) == b'{"a":2,"b":1}'


def test_an_unknown_event_is_refused_with_its_path() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"toy\.unheard_of.*\$\.type"):
        codec(TOY.name).events(b'[{"type":"toy.unheard_of","seat":1}]')


def test_a_wrong_value_is_refused_with_its_path() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"Expected `int`, got `str` - at `\$\.seat`"):
        codec(TOY.name).events(b'[{"type":"toy.turn_started","seat":"1"}]')


def test_an_event_of_another_game_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        codec("lab").events(b'[{"type":"toy.turn_started","seat":1}]')


@pytest.mark.parametrize(
    "agenda",
    [
        '[[0,null,[["say"]],{}]]',
        '[[0,null,[["unheard_of"]],{}]]',
        '[[0,null,[["ask",["unheard_of"],"w"]],{}]]',
        '[[0,null,["say"],{}]]',
        "5",
    ],
)
def test_an_agenda_of_unknown_words_is_refused(agenda: str) -> None:
    event = {"type": "choice.offered", "seats": [0], "agenda": msgspec.json.decode(agenda)}
    with pytest.raises(msgspec.ValidationError):
        codec("lab").event(event)


def test_an_agenda_is_rewritten_as_this_build_writes_it() -> None:
    match = begin(Say("x"), Finish())
    assert match.outcome is not None
    long = b'[[0, null, [["ask", ["menu", ["a"], 1, 1], "w", "owner"]], {}]]'
    event = codec("lab").event(
        {"type": "choice.offered", "seats": [0], "agenda": msgspec.json.decode(long)}
    )
    assert isinstance(event, ChoiceOffered)
    frames = codec("lab").frames(event.agenda)
    assert encode(frames) == bytes(event.agenda)
    assert frames[0].todo[0].question == Menu(("a",))  # type: ignore[attr-defined]  # it is an Ask


def test_only_so_many_agendas_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("domain.engine.codec.REMEMBERED", 2)
    words = codec("lab")
    agendas = [words.agenda([Frame(seat, None, (Say("x"),), {})]) for seat in range(5)]
    assert [words.frames(agenda)[0].seat for agenda in agendas] == [0, 1, 2, 3, 4]
    assert len(words._remembered) <= 2


def test_a_frame_gives_the_picks_bound_to_a_name() -> None:
    (frame,) = codec("lab").frames(msgspec.Raw(b'[[0,null,[],{"w":["a","b"],"none":[]}]]'))
    assert frame.picks("w") == ("a", "b")
    assert frame.picks("unheard of") == ()
    assert frame.pick("w") == "a"
    assert frame.pick("none") is None
    assert frame.pick("unheard of") is None


def test_an_event_has_a_type_and_a_version() -> None:
    assert type_of(SeatFilled(seat=0, player="x")) == ("match.seat_taken", 1)

    class Later(Event, msgspec.Struct, frozen=True, tag="lab.said@2"):
        pass

    assert type_of(Later()) == ("lab.said", 2)


# An old shape of `lab.said`, two changes ago.


def from_first(event: dict[str, Any]) -> dict[str, Any]:
    return {"type": "lab.spoken@2", "seat": event["who"], "text": event["text"]}


def from_second(event: dict[str, Any]) -> dict[str, Any]:
    return {"type": "lab.said", "seat": event["seat"], "word": event["text"]}


UPCASTERS = {"lab.spoken": from_first, "lab.spoken@2": from_second}


def test_old_shapes_are_brought_up_to_date_step_by_step() -> None:
    old = {"type": "lab.spoken", "who": 1, "text": "hello"}
    new = {"type": "lab.said", "seat": 1, "word": "hello"}
    assert upcast(old, UPCASTERS) == new
    assert upcast(new, UPCASTERS) == new
    assert upcast({"no": "type"}, UPCASTERS) == {"no": "type"}


def test_an_old_log_is_read_by_a_game_that_knows_its_shapes() -> None:
    register(replace(LAB, name="lab-with-a-past", upcasters=UPCASTERS))
    words = codec("lab-with-a-past")
    old, new = words.events(
        b'[{"type":"lab.spoken","who":1,"text":"hello"},{"type":"lab.said","seat":0,"word":"hi"}]'
    )
    assert encode(old) == b'{"type":"lab.said","seat":1,"word":"hello"}'
    assert encode(new) == b'{"type":"lab.said","seat":0,"word":"hi"}'


def test_the_codec_is_that_of_the_last_registration() -> None:
    register(replace(LAB, name="lab-twice"))
    with pytest.raises(msgspec.ValidationError):
        codec("lab-twice").events(b'[{"type":"lab.spoken@2","seat":1,"text":"hello"}]')
    register(replace(LAB, name="lab-twice", upcasters=UPCASTERS))
    assert codec("lab-twice").events(b'[{"type":"lab.spoken@2","seat":1,"text":"hello"}]')


def test_defaults_are_left_out_and_read_again() -> None:
    event = MatchCreated(game="lab", ruleset=1, seats=1, options={})
    assert b"facts" not in encode(event)
    assert codec("lab").events(encode([event])) == (event,)
    outcome = Outcome(winners=(), reasons=())
    assert encode(outcome) == b'{"winners":[],"reasons":[]}'
