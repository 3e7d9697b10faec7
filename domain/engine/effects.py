"""Instructions: what a card or a turn does, as data.

Cards and turns are programs of these. The control words live here; each game adds its leaves
(`Draw`, `TurnLinchpin`) and its questions (`WhichLinchpin`). A program is plain data: it can be
printed, compared, stored in the log and resumed by a later build.
"""

from enum import Enum

from msgspec import Struct

from domain.engine.ids import Json


class Effect:
    """An instruction of the agenda machine (marker of a closed set, see `codec.py`)."""

    __slots__ = ()


class Question:
    """What an `Ask` asks; the game computes what it offers a seat (marker of a closed set)."""

    __slots__ = ()


class Who(Enum):
    """Who is asked, seen from the owner of the frame."""

    OWNER = "owner"
    OTHERS = "others"
    ALL = "all"


class Ask(Effect, Struct, frozen=True, array_like=True, tag="ask", omit_defaults=True):
    """Offer a choice and bind the answer; the only instruction that can suspend a match.

    Seats that are offered nothing are not asked; if that is everybody, the answer is empty. Several
    seats answer at the same time and secretly. A `window` closes by itself when its time is up:
    whoever has not answered then has passed. A `revisable` answer may be given again until the last
    seat has answered.
    """

    question: Question
    bind: str
    who: Who = Who.OWNER
    window: bool = False
    revisable: bool = False


class Seq(Effect, Struct, frozen=True, array_like=True, tag="seq"):
    """Do the steps one after the other, each completely."""

    steps: tuple[Effect, ...]


CONTROL: tuple[type[Effect], ...] = (Ask, Seq)


def to_data(node: object) -> Json:
    """Return an instruction as readable JSON: `{"do": tag, field: value, …}`, nested.

    Used where programs are shown to people; the log stores the compact form.
    """
    if isinstance(node, Struct):
        tag = node.__struct_config__.tag
        data: dict[str, Json] = {} if tag is None else {"do": str(tag)}
        for name in node.__struct_fields__:
            data[name] = to_data(getattr(node, name))
        return data
    if isinstance(node, Enum):
        return to_data(node.value)
    if isinstance(node, tuple | list):
        return [to_data(item) for item in node]
    if isinstance(node, dict):
        return {str(key): to_data(value) for key, value in node.items()}
    if node is None or isinstance(node, bool | int | float | str):
        return node
    raise TypeError(f"no JSON form for {type(node).__name__}")
