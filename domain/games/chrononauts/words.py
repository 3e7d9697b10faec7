"""The words that Chrononauts cards are written in: leaf effects, questions, and what a card holds.

Cards are data: a catalogue module under `cards/` holds constructor calls only. Facts that the
published sources leave open have a provenance other than `confirmed`, and an operator can replace
them (`catalogue.py`). Years and the side they show are written as players do: `1912` for the true
side, `1912'` for the altered side or the patch.
"""

from collections.abc import Mapping
from enum import Enum
from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.engine.effects import Ask, Effect, Question
from domain.engine.ids import CardId

Year = int
Few = Annotated[int, Meta(ge=0, le=9)]
"""A number on a card."""
Side = Literal["true", "altered"]
Source = Literal["hand", "small", "discard", "draw"]

CONFIRMED = "confirmed"
LIKELY = "likely"
STAND_IN = "stand-in"


class Kind(Enum):
    """What kind of play card."""

    INVERTER = "inverter"
    PATCH = "patch"
    ARTIFACT = "artifact"
    ACTION = "action"
    TIMEWARP = "timewarp"


class Draw(Effect, Struct, frozen=True, array_like=True, tag="draw"):
    """Draw `n` cards into the main hand."""

    n: Few


class Play(Effect, Struct, frozen=True, array_like=True, tag="play"):
    """Play a card of the hand (or of the small hand of a Miracle), or discard instead."""

    small: bool = False


class Played(Effect, Struct, frozen=True, array_like=True, tag="played"):
    """Do what the answer to `Play` says."""

    small: bool = False


class KillTime(Effect, Struct, frozen=True, array_like=True, tag="kill_time"):
    """Discard a second card and draw one, if the seat wants to."""


class Announce(Effect, Struct, frozen=True, array_like=True, tag="announce"):
    """Play the card of the frame, with its targets, and open its window."""

    source: Source


class Answered(Effect, Struct, frozen=True, array_like=True, tag="answered"):
    """Close a window: the first Memo counts and has a window of its own."""


class CarryOut(Effect, Struct, frozen=True, array_like=True, tag="carry_out"):
    """Do what the card of the frame says, unless Memos cancel it, and put it in its place."""


class ToDiscard(Effect, Struct, frozen=True, array_like=True, tag="to_discard"):
    """The play is over: its card goes to the discard pile."""


class ToTable(Effect, Struct, frozen=True, array_like=True, tag="to_table"):
    """The artifact comes to lie in front of its player."""


class LayPatch(Effect, Struct, frozen=True, array_like=True, tag="lay_patch"):
    """The patch comes to lie on its year and pays a card."""


class CheckUniverse(Effect, Struct, frozen=True, array_like=True, tag="check_universe"):
    """Too many open paradoxes destroy the universe."""


class EndTurn(Effect, Struct, frozen=True, array_like=True, tag="end_turn"):
    """Check the victory of the seat whose turn it is, then pass the turn to the left."""


class EndStep(Effect, Struct, frozen=True, array_like=True, tag="end_step"):
    """Solonauts: bring characters home, refill the hand, or end."""


class SwapIdentities(Effect, Struct, frozen=True, array_like=True, tag="swap_identities"):
    """Courtesy: give those who asked for it another identity, then begin."""


class TurnLinchpin(Effect, Struct, frozen=True, array_like=True, tag="turn_linchpin"):
    """Turn the linchpin chosen and settle the ripples."""


class GrantPlays(Effect, Struct, frozen=True, array_like=True, tag="grant_plays"):
    """Play `n` more cards once this one, and a Miracle around it, is over."""

    n: Few


class PlayFetched(Effect, Struct, frozen=True, array_like=True, tag="play_fetched"):
    """Play the card chosen out of a pile."""

    source: Source


class ShuffleDraw(Effect, Struct, frozen=True, array_like=True, tag="shuffle_draw"):
    """Shuffle the draw pile; the discards stay where they are."""


class TakeArtifact(Effect, Struct, frozen=True, array_like=True, tag="take_artifact"):
    """The artifact chosen comes to lie in front of the player."""


class DestroyArtifact(Effect, Struct, frozen=True, array_like=True, tag="destroy_artifact"):
    """The artifact chosen goes to the discard pile."""


class SellArtifact(Effect, Struct, frozen=True, array_like=True, tag="sell_artifact"):
    """The artifact chosen goes to the discard pile for cards; some are worth one more."""


class Miracle(Effect, Struct, frozen=True, array_like=True, tag="miracle"):
    """Discard the artifact chosen; play from a small hand drawn for the purpose."""


class DiscardSmall(Effect, Struct, frozen=True, array_like=True, tag="discard_small"):
    """Discard the card chosen from the small hand."""


class TakeBack(Effect, Struct, frozen=True, array_like=True, tag="take_back"):
    """The Miracle is over: take the main hand up again."""


class PassHands(Effect, Struct, frozen=True, array_like=True, tag="pass_hands"):
    """All hands move one seat in the direction chosen."""


class DealHands(Effect, Struct, frozen=True, array_like=True, tag="deal_hands"):
    """All hands are gathered, shuffled and dealt out again."""


class NewSecret(Effect, Struct, frozen=True, array_like=True, tag="new_secret"):
    """The player chosen shows and discards an identity or mission and draws another."""

    which: Literal["identity", "mission"]


class WhichPlay(Question, Struct, frozen=True, array_like=True, tag="play"):
    """Which card to play or discard, out of the hand or a small hand."""

    small: bool = False


class SecondDiscard(Question, Struct, frozen=True, array_like=True, tag="kill_time"):
    """Which second card to discard, killing time, if any."""

    drawn: bool = False


class WhichLinchpin(Question, Struct, frozen=True, array_like=True, tag="linchpin"):
    """Which linchpin the inverter turns."""


class WhichArtifact(Question, Struct, frozen=True, array_like=True, tag="artifact"):
    """Which artifact on the table."""

    whose: Literal["own", "opponents", "any"]


class WhichPlayer(Question, Struct, frozen=True, array_like=True, tag="player"):
    """Which player, oneself included."""

    mission: bool = False


class WhichDirection(Question, Struct, frozen=True, array_like=True, tag="direction"):
    """Which way the hands go: to the left or to the right neighbour."""


class Fetch(Question, Struct, frozen=True, array_like=True, tag="fetch"):
    """Which card to play out of the discard pile or the draw pile."""

    source: Source


class Respond(Question, Struct, frozen=True, array_like=True, tag="respond"):
    """Whether to answer the card just played."""


class WhichSmallDiscard(Question, Struct, frozen=True, array_like=True, tag="small_discard"):
    """Which card of the small hand to discard at the end of a Miracle."""


class WhetherToSwap(Question, Struct, frozen=True, array_like=True, tag="swap_identity"):
    """Whether to swap the identity dealt."""


EFFECTS: tuple[type[Effect], ...] = (
    *(Draw, Play, Played, KillTime, Announce, Answered, CarryOut, ToDiscard, ToTable, LayPatch),
    *(CheckUniverse, EndTurn, EndStep, SwapIdentities, TurnLinchpin, GrantPlays, PlayFetched),
    *(ShuffleDraw, TakeArtifact, DestroyArtifact, SellArtifact, Miracle, DiscardSmall, TakeBack),
    *(PassHands, DealHands, NewSecret),
)
QUESTIONS: tuple[type[Question], ...] = (
    *(WhichPlay, SecondDiscard, WhichLinchpin, WhichArtifact, WhichPlayer, WhichDirection),
    *(Fetch, Respond, WhichSmallDiscard, WhetherToSwap),
)


class Point(Struct, frozen=True, kw_only=True):
    """A card of the TimeLine: a linchpin (nothing hangs over it) or a ripplepoint."""

    year: Year
    index: str
    hangs_on: tuple[Year, ...] = ()
    condition: Literal["or", "and"] = "or"
    provenance: Mapping[str, str] = {}

    @property
    def linchpin(self) -> bool:
        """Whether inverters turn it."""
        return not self.hangs_on


class PlayCard(Struct, frozen=True, kw_only=True):
    """A card of the play deck.

    `targets` are asked and announced with the card; `needs` are questions that must offer something
    for the card to be playable; `does` is carried out when the card is not cancelled. The other
    fields are facts that targets and effects look up: `turns` the linchpins and the sides an
    inverter turns them to (empty: any), `year` and `requires` of a patch, `family` and `rank` of an
    artifact, `bonus` the families or artifacts that are worth more.
    """

    id: CardId
    kind: Kind
    count: int = 1
    targets: tuple[Ask, ...] = ()
    needs: tuple[Question, ...] = ()
    does: tuple[Effect, ...] = ()
    out_of_turn: bool = False
    turns: str = ""
    toward: Literal["any", "true", "altered"] = "any"
    year: Year = 0
    requires: str = ""
    family: str = ""
    rank: int = 0
    bonus: tuple[str, ...] = ()
    provenance: Mapping[str, str] = {}


class Identity(Struct, frozen=True, kw_only=True):
    """A character and the three years of its home."""

    id: CardId
    years: str
    provenance: Mapping[str, str] = {}


class Mission(Struct, frozen=True, kw_only=True):
    """Artifacts to collect: `needs` of the slots have to be filled.

    A slot names an artifact, `mona-lisa` (the most convincing one on the table) or `forgery`
    (either of the two).
    """

    id: CardId
    slots: tuple[str, ...]
    needs: int = 3
    provenance: Mapping[str, str] = {}
