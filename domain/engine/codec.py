"""Bytes to events, agendas and matches, and back; one codec a game.

The engine's control words contain effects that it cannot know (`Seq(steps)`), the leaves belong to
the games. So `Effect` and `Question` are marker classes; a codec closes both sets with one game's
words and refuses everything else. Agendas repeat a great deal, so decoded ones are remembered.
"""

from collections.abc import Iterable
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.engine.effects import CONTROL, Effect
from domain.engine.events import ENGINE_EVENTS, ChoiceOffered, Event, MatchRestored
from domain.engine.game import Game, game_of
from domain.engine.ids import CardId, Picks, Seat
from domain.engine.match import Match, State, state_of
from domain.engine.upcast import ENGINE_UPCASTERS, upcast

B = TypeVar("B")
REMEMBERED = 4096
"""How many decoded agendas a codec keeps."""


class Frame(Struct, frozen=True, array_like=True):
    """One entry of an agenda: owner, source card, effects still to do, answers bound so far."""

    seat: Seat
    card: CardId | None
    todo: tuple[Effect, ...]
    bound: dict[str, Picks]

    def picks(self, name: str) -> Picks:
        """Return the answer bound to a name, empty if there is none."""
        return self.bound.get(name, ())

    def pick(self, name: str) -> str | None:
        """Return the single pick bound to a name, if there is one."""
        picks = self.bound.get(name, ())
        return picks[0] if picks else None


class Codec(Generic[B]):
    """Encodes and decodes what one game stores."""

    def __init__(self, game: Game[B]) -> None:
        """Close the sets of effects, questions and events with those of the game."""
        self._name = game.name
        self._effects = _by_tag((*CONTROL, *game.effects))
        self._questions = _by_tag(game.questions)
        event: Any = reduce(or_, (*ENGINE_EVENTS, *game.events))
        self._event = event
        self._upcasters = {**ENGINE_UPCASTERS, **game.upcasters}
        self._events = msgspec.json.Decoder(tuple[event, ...])
        self._match = msgspec.json.Decoder(Match[game.board])  # type: ignore[name-defined]  # a class known at run time
        self._agenda = msgspec.json.Decoder(tuple[Frame, ...], dec_hook=self._dec_hook)
        self._remembered: dict[bytes, tuple[Frame, ...]] = {}

    def _dec_hook(self, kind: type, value: object) -> object:
        closed = self._effects if kind is Effect else self._questions
        tag = value[0] if isinstance(value, list) and value else None
        if tag not in closed:
            raise ValueError(f"{tag!r} is no word of this game")
        return msgspec.convert(value, closed[tag], dec_hook=self._dec_hook)

    def events(self, data: bytes) -> tuple[Event, ...]:
        """Return the events of a JSON array, old shapes brought up to date.

        Raises:
            msgspec.ValidationError: not events of this game; the message names the path.
        """
        try:
            return self._events.decode(data)
        except msgspec.ValidationError:
            raw = msgspec.json.decode(data, type=list[dict[str, Any]])
            return tuple(self.event(item) for item in raw)

    def event(self, data: dict[str, Any]) -> Event:
        """Return one event from JSON values, whoever wrote them and in whatever shape.

        An old shape is brought up to date; what stays encoded (an agenda, a state) is rewritten as
        this codec writes it, so that equal events have equal bytes.

        Raises:
            msgspec.ValidationError: no event of this game; the message names the path.
        """
        current = upcast(data, self._upcasters)
        event: Event = msgspec.convert(_with_raw(current), self._event)
        if isinstance(event, ChoiceOffered):
            return replace(event, agenda=self._canonical(event.agenda))
        if isinstance(event, MatchRestored):
            return replace(event, state=Raw(encode(self.state(event.state))))
        return event

    def state(self, data: Raw) -> State[B]:
        """Return a state, its agenda as this codec writes it.

        Raises:
            msgspec.ValidationError: no state of this game; the message names the path.
        """
        state: State[B] = state_of(self._name, data)
        return replace(state, agenda=self._canonical(state.agenda))

    def _canonical(self, agenda: Raw) -> Raw:
        return Raw(encode(self._agenda.decode(agenda)))

    def match(self, data: bytes) -> Match[B]:
        """Return a match from what `encode` made of it."""
        match: Match[B] = self._match.decode(data)
        return match

    def frames(self, agenda: Raw) -> tuple[Frame, ...]:
        """Return the frames of a stored agenda."""
        frames = self._remembered.get(bytes(agenda))
        return self.remember(agenda, self._agenda.decode(agenda)) if frames is None else frames

    def agenda(self, frames: Iterable[Frame]) -> Raw:
        """Return the stored form of an agenda."""
        kept = tuple(frames)
        agenda = Raw(encode(kept))
        self.remember(agenda, kept)
        return agenda

    def remember(self, agenda: Raw, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
        """Keep decoded agendas at hand: the next command usually resumes the last one."""
        if len(self._remembered) >= REMEMBERED:
            self._remembered.clear()
        self._remembered[bytes(agenda)] = frames
        return frames


def _by_tag(kinds: Iterable[type]) -> dict[object, Any]:
    return {kind.__struct_config__.tag: kind for kind in kinds}  # type: ignore[attr-defined]  # Structs


def encode(value: object) -> bytes:
    """Return compact JSON; the same value always gives the same bytes."""
    return _ENCODER.encode(value)


def _with_raw(data: dict[str, Any]) -> dict[str, Any]:
    """Encode the parts of an event that stay encoded until they are needed."""
    raw: dict[str, Any] = {
        name: Raw(encode(data[name])) for name in ("agenda", "state") if name in data
    }
    return {**data, **raw}


def codec(name: str) -> Codec[Any]:
    """Return the codec of the game of that name."""
    return _codec(game_of(name))


@lru_cache
def _codec(game: Game[Any]) -> Codec[Any]:
    return Codec(game)


def type_of(event: Event) -> tuple[str, int]:
    """Return an event's type and the version of its shape."""
    tag = str(event.__struct_config__.tag)  # type: ignore[attr-defined]  # events are Structs
    name, _, version = tag.partition("@")
    return name, int(version or 1)


_ENCODER = msgspec.json.Encoder(order="deterministic")
