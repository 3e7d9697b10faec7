"""One event of every type with every field filled, made from the types of its fields."""

from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Raw, Struct

from domain.engine.codec import Frame, encode
from domain.engine.decider import CreateMatch, create
from domain.engine.effects import Ask, Effect, Question, Seq
from domain.engine.events import ENGINE_EVENTS, Event
from domain.engine.game import game_of
from domain.engine.match import State


def events_of(game: str) -> tuple[type[Event], ...]:
    """Return every type of event that a match of the game may hold."""
    return (*ENGINE_EVENTS, *game_of(game).events)


def sample(game: str, kind: type[Event]) -> Event:
    """Return an event of that type: numbers count up, words name their field."""
    event: Event = _fill(game, kind, "")
    return event


def _fill(game: str, kind: Any, name: str) -> Any:
    if kind is Raw and name == "state":
        _, match = create(CreateMatch(game, max(2, game_of(game).seats[0])))
        agenda = _fill(game, Raw, "agenda")
        return Raw(encode(State(match.board, agenda, "prompt", (1,), ((0, ("pick",)),))))
    if kind is Raw:
        return Raw(encode([_frame(game)]))
    if kind is bool:
        return True
    if kind is int:
        return {"seat": 1, "owner": 2, "year": 1865}.get(name, 3)
    if kind is str:
        return "5eed" * 8 if name in {"seed", "salt", "commitment"} else name
    if kind is Effect:
        # One without fields, so that effects which hold others come to an end.
        return next(one for one in game_of(game).effects if not _fields(one))()
    if kind is Question:
        return _fill(game, game_of(game).questions[0], name)
    if isinstance(kind, type) and issubclass(kind, Struct):
        hints = get_type_hints(kind)
        return kind(**{one: _fill(game, hints[one], one) for one in _fields(kind)})
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return inner[0]
    if origin in (Union, UnionType):
        plain = [one for one in inner if one in (bool, int, str) or get_origin(one) is Literal]
        return _fill(game, (plain or [one for one in inner if one is not type(None)])[0], name)
    if origin is tuple:
        repeated = inner[:1] if inner[-1] is Ellipsis else inner
        return tuple(_fill(game, one, name) for one in repeated)
    assert origin is dict, f"no sample of {kind}"
    return {name: _fill(game, inner[1], name)}


def _fields(kind: type) -> tuple[str, ...]:
    fields: tuple[str, ...] = kind.__struct_fields__  # type: ignore[attr-defined]  # all are Structs
    return fields


def _frame(game: str) -> Frame:
    question = game_of(game).questions[0]
    asked = Ask(_fill(game, question, ""), "answer", window=True)
    return Frame(1, None, (asked,), {"word": ("pick",)})


def agenda_sample(game: str) -> tuple[Frame, ...]:
    """Return an agenda with every effect and every question of the game in it."""
    rules = game_of(game)
    asks = tuple(Ask(_fill(game, kind, ""), "answer") for kind in rules.questions)
    effects = tuple(_fill(game, kind, "") for kind in rules.effects)
    return (Frame(1, "card", (*asks, Seq(effects)), {"word": ("pick",)}),)
