"""The words that Ancient Knowledge cards are written in: the verbs, and those of `values.py`.

Cards are data: a catalogue module under `cards/` holds constructor calls only. Effects are
compulsory and carried out as far as possible unless they stand inside `May` or say `UP_TO`
(rules 11.2).
"""

from __future__ import annotations

from enum import Enum
from typing import Literal

from msgspec import Struct

from domain.engine.effects import Effect
from domain.engine.ids import CardId
from domain.games.ancient_knowledge.values import (
    All,
    Amount,
    AnyNumber,
    AtLeast,
    AtMost,
    Bound,
    Category,
    Condition,
    Count,
    Exactly,
    Few,
    Filter,
    FloorDiv,
    FreeSlots,
    Kind,
    KnowledgeOn,
    LostKnowledge,
    LostThisDecline,
    MaxOf,
    MinOf,
    RotatedNow,
    Steps,
    TechType,
    Times,
    Zone,
)

# Words too: cards import everything from here.
__all__ = ["All", "Amount", "AnyNumber", "AtLeast", "AtMost", "Bound", "Category", "Condition"]
__all__ += ["Count", "Exactly", "Few", "Filter", "FloorDiv", "FreeSlots", "Kind", "KnowledgeOn"]
__all__ += ["LostKnowledge", "LostThisDecline", "MaxOf", "MinOf", "RotatedNow", "Steps", "TechType"]
__all__ += ["Times", "Zone"]

Deck = Literal["builder", "tech_deck_2"]
Rule = Literal["exact", "up_to"]
EXACT: Rule = "exact"
UP_TO: Rule = "up_to"


class Timing(Enum):
    """When a card's effect works (rules 11.1)."""

    IMMEDIATE = "immediate"
    TIMELINE = "timeline"
    DECLINE = "decline"
    ENDGAME = "endgame"
    PASSIVE = "passive"


class If(Effect, Struct, frozen=True, array_like=True, tag="if"):
    """Do it if the condition holds at the moment of resolution."""

    cond: Condition
    then: Effect


class May(Effect, Struct, frozen=True, array_like=True, tag="may"):
    """The owner may do it or leave it."""

    effect: Effect


class EachOpponent(Effect, Struct, frozen=True, array_like=True, tag="each_opponent"):
    """Once for every opponent, in turn order; opponents choose at the same time."""

    effect: Effect


class EachPlayer(Effect, Struct, frozen=True, array_like=True, tag="each_player"):
    """Once for every player, clockwise from the owner."""

    effect: Effect


class Draw(Effect, Struct, frozen=True, array_like=True, tag="draw"):
    """Draw min(n, room in hand) builder cards."""

    n: Amount


class DrawKeep(Effect, Struct, frozen=True, array_like=True, tag="draw_keep"):
    """Look at the top n cards, keep so many, discard the rest; skipped with a full hand."""

    n: Few
    keep: Few


class LookTop(Effect, Struct, frozen=True, array_like=True, tag="look_top"):
    """Set the top n cards of a deck aside, seen by the owner or by all."""

    n: Few
    deck: Deck
    visible_to: Literal["owner", "all"]


class TakeCard(Effect, Struct, frozen=True, array_like=True, tag="take_card"):
    """Take one of the cards set aside into the own hand; skipped with a full hand."""

    chooser: Literal["owner", "that_player"]


class RevealUntil(Effect, Struct, frozen=True, array_like=True, tag="reveal_until"):
    """Turn over builder cards until so many match, the hand is full or none are left."""

    match: Filter
    count: Few


class StealCard(Effect, Struct, frozen=True, array_like=True, tag="steal_card"):
    """Name an opponent, look at that hand, take one card; skipped with a full hand."""

    n: Few


class Discard(Effect, Struct, frozen=True, array_like=True, tag="discard"):
    """Discard cards of a zone; `payment`: all or nothing; `bind` remembers the number."""

    n: Amount | Literal["all_remaining"]
    source: Filter
    chooser: Literal["owner", "that_opponent"] | None = None
    payment: bool = False
    bind: str | None = None


class RemoveKnowledge(Effect, Struct, frozen=True, array_like=True, tag="remove_knowledge"):
    """Tokens leave own monuments for the supply.

    `distribute` splits n freely, `single` takes all from one, `each` takes n from every target,
    `each_of_chosen` from `choose` targets.
    """

    n: Amount
    target: Filter
    mode: Literal["distribute", "single", "each", "each_of_chosen"]
    rule: Rule
    min: Few = 0
    choose: Few = 0
    optional: bool = False


class AddKnowledge(Effect, Struct, frozen=True, array_like=True, tag="add_knowledge"):
    """Put tokens on one monument of an opponent, from the supply or from the own lost knowledge."""

    n: Few
    source: Literal["supply", "own_lost_knowledge"]
    rule: Rule


class DiscardLostKnowledge(
    Effect, Struct, frozen=True, array_like=True, tag="discard_lost_knowledge"
):
    """The own lost knowledge drops by n, never below 0."""

    n: Few
    rule: Rule


class EnterWithLess(Effect, Struct, frozen=True, array_like=True, tag="enter_with_less"):
    """This card enters with n tokens less; evaluated while it is created, never afterwards."""

    n: Amount


class Create(Effect, Struct, frozen=True, array_like=True, tag="create"):
    """Create one card, paying all its costs from hand."""

    source: Filter
    optional: bool = False


class Learn(Effect, Struct, frozen=True, array_like=True, tag="learn"):
    """Learn one technology of the market or of the cards looked at."""

    source: Literal["tech_market", "looked_at"] = "tech_market"
    requirements: Literal["enforced", "ignored"] = "enforced"
    optional: bool = False


class Archive(Effect, Struct, frozen=True, array_like=True, tag="archive"):
    """Discard hand cards and remove as many tokens."""

    optional: bool = False


class MoveMonument(Effect, Struct, frozen=True, array_like=True, tag="move_monument"):
    """Move an own monument to a free slot of another space (or of the space named)."""

    target: Filter
    space: int | None = None
    optional: bool = False


class Swap(Effect, Struct, frozen=True, array_like=True, tag="swap"):
    """Two own monuments exchange their slots."""

    a: Filter
    b: Filter


class Straighten(Effect, Struct, frozen=True, array_like=True, tag="straighten"):
    """So many rotated monuments of the past become straight."""

    n: Few


class BottomCards(Effect, Struct, frozen=True, array_like=True, tag="bottom_cards"):
    """Put technologies under the deck of their level, one after the other."""

    n: Few | Literal["all_remaining"]
    source: Filter


class SkipPhase(Effect, Struct, frozen=True, array_like=True, tag="skip_phase"):
    """The decline phase of this turn does not happen, unless it has begun."""


class Score(Effect, Struct, frozen=True, array_like=True, tag="score"):
    """Victory points in final scoring."""

    formula: Amount


class OnEvent(Struct, frozen=True, omit_defaults=True):
    """What a passive ability listens to; always what its owner does."""

    event: Literal["create", "learn", "excavate", "decline_phase_end"]
    kind: Kind | None = None
    category: Category | None = None
    tech_type: TechType | None = None
    space: tuple[int, ...] | None = None
    exclude_self: bool = False
    not_caused_by_self: bool = False
    cond: Condition | None = None


class Reaction(Effect, Struct, frozen=True, array_like=True, tag="reaction"):
    """Each time that happens, do this."""

    on: OnEvent
    do: Effect


class ReplaceDraw(Effect, Struct, frozen=True, array_like=True, tag="replace"):
    """Do this in place of the draw of an excavation."""

    instead: Effect


class Modify(Effect, Struct, frozen=True, array_like=True, tag="modify"):
    """A rule value is different while this is active."""

    mod: Literal["entry_knowledge", "learn_requirement_value", "excavate_draw_per_card"]
    amount: int
    applies_to: Filter | None = None
    cond: Condition | None = None


VERBS: tuple[type[Effect], ...] = (
    *(If, May, EachOpponent, EachPlayer, Draw, DrawKeep, LookTop, TakeCard, RevealUntil),
    *(StealCard, Discard, RemoveKnowledge, AddKnowledge, DiscardLostKnowledge, EnterWithLess),
    *(Create, Learn, Archive, MoveMonument, Swap, Straighten, BottomCards, SkipPhase, Score),
    *(Reaction, ReplaceDraw, Modify),
)


class BuilderCard(Struct, frozen=True, kw_only=True):
    """A card of the builder deck.

    A monument has a category, a native `space`, a `locked` flag, printed `knowledge` and `vp`.
    `starting_hand` 1 to 4 belongs to that ready-made hand.
    """

    id: CardId
    name: str
    country: str
    kind: Literal["monument", "artifact"]
    category: Category | None = None
    cost: int = 0
    space: int = 0
    locked: bool = False
    knowledge: int = 0
    vp: int = 0
    starting_hand: int | None = None
    timing: Timing
    effect: Effect


class Technology(Struct, frozen=True, kw_only=True):
    """A technology. The requirement is tested before it is taken, so it never counts itself."""

    id: CardId
    name: str
    tech_type: TechType
    level: int
    requirement: All | None = None
    timing: Timing
    effect: Effect
