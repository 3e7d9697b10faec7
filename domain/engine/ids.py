"""The plain names of things: seats, cards, viewers."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

Seat: TypeAlias = int
"""A place at the table, counted from 0 in turn order."""

CardId: TypeAlias = str
"""A kind of card in a catalogue; copies of one card share it, as they do on a real table."""

OptionId: TypeAlias = str
"""Names one pickable thing inside one choice."""

Picks: TypeAlias = tuple[OptionId, ...]
"""The options picked in answer to one choice."""

Viewer: TypeAlias = int | Literal["all"] | None
"""Whose eyes: a seat, `None` for a spectator, `"all"` for everybody once the match is over."""

Scalar: TypeAlias = bool | int | str
"""The value of an option."""

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
"""A value that JSON can carry."""
