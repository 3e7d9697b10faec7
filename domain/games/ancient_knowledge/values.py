"""Which cards, how many, and whether: filters, amounts and conditions of Ancient Knowledge cards.

"Own" and "owner" mean the seat of the card that carries the effect, for a technology the learner.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Category = Literal["city", "megalith", "pyramid"]
Few = Annotated[int, Meta(ge=0, le=99)]
"""A number on a card, or that follows from those on a few cards."""

TechType = Literal["ancient", "writing", "secret"]
Kind = Literal["monument", "artifact", "technology"]
Zone = Literal[
    "own_timeline",
    "own_past",
    "own_artifacts",
    "own_hand",
    "own_technologies",
    "opponent_timeline",
    "opponent_hand",
    "opponent_artifacts",
    "tech_market",
    "looked_at",
]


class Filter(Struct, frozen=True, omit_defaults=True):
    """Which cards: all keys given must hold. `zone` is where they lie."""

    zone: Zone | None = None
    kind: Kind | None = None
    category: Category | None = None
    tech_type: TechType | None = None
    level: int | None = None
    timing: Literal["endgame"] | None = None
    space: tuple[int, ...] | None = None
    min_knowledge: int | None = None
    max_knowledge: int | None = None
    rotated: bool | None = None
    adjacent_to_self: bool = False
    only_self: bool = False
    exclude_self: bool = False


class Count(Struct, frozen=True, array_like=True, tag="count"):
    """The number of matching cards; of the own hand its size."""

    of: Filter


class KnowledgeOn(Struct, frozen=True, array_like=True, tag="knowledge_on"):
    """The tokens on the matching monuments."""

    of: Filter


class LostKnowledge(Struct, frozen=True, array_like=True, tag="lost_knowledge"):
    """The owner's lost knowledge."""


class LostThisDecline(Struct, frozen=True, array_like=True, tag="lost_this_decline"):
    """The tokens that became lost in the owner's decline phase under way."""


class RotatedNow(Struct, frozen=True, array_like=True, tag="rotated_now"):
    """The monuments rotated by the excavation that raised the event."""


class FreeSlots(Struct, frozen=True, array_like=True, tag="free_slots"):
    """The free slots, 0 to 2, of a space of the own timeline."""

    space: int


class MinOf(Struct, frozen=True, array_like=True, tag="min"):
    """The smallest."""

    of: tuple[Amount, ...]


class MaxOf(Struct, frozen=True, array_like=True, tag="max"):
    """The largest."""

    of: tuple[Amount, ...]


class Times(Struct, frozen=True, array_like=True, tag="mul"):
    """The product."""

    factor: Few
    of: Amount


class FloorDiv(Struct, frozen=True, array_like=True, tag="floor_div"):
    """The quotient rounded down."""

    by: Annotated[int, Meta(ge=1, le=99)]
    of: Amount


class Steps(Struct, frozen=True, array_like=True, tag="steps"):
    """The result of the highest threshold reached, else 0."""

    of: Amount
    table: tuple[tuple[int, int], ...]


class AnyNumber(Struct, frozen=True, array_like=True, tag="any_number"):
    """A number of the chooser's own choice; no `max`: all there are."""

    min: int
    max: Amount | None = None


class Bound(Struct, frozen=True, array_like=True, tag="bound"):
    """The number that an earlier step bound to a name."""

    name: str


Amount: TypeAlias = (
    Few
    | Count
    | KnowledgeOn
    | LostKnowledge
    | LostThisDecline
    | RotatedNow
    | FreeSlots
    | MinOf
    | MaxOf
    | Times
    | FloorDiv
    | Steps
    | AnyNumber
    | Bound
)


class AtLeast(Struct, frozen=True, array_like=True, tag=">="):
    """The amount is at least that number."""

    left: Amount
    right: int


class AtMost(Struct, frozen=True, array_like=True, tag="<="):
    """The amount is at most that number."""

    left: Amount
    right: int


class Exactly(Struct, frozen=True, array_like=True, tag="=="):
    """The amount is that number."""

    left: Amount
    right: int


class All(Struct, frozen=True, array_like=True, tag="and"):
    """Every condition holds."""

    all: tuple[Condition, ...]


Condition: TypeAlias = AtLeast | AtMost | Exactly | All
