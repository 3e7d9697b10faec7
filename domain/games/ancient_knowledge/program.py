"""The words that the course of a match is written in: steps of a turn, and questions.

A verb that needs an answer is carried out in two steps: its resolver asks and puts
`Picked(verb)` behind the question, which then does what the answer (bound to `pick`) says.
"""

from typing import Literal

from msgspec import Struct

from domain.engine.agenda import Run, Scope
from domain.engine.effects import Ask, Effect, Question, Who
from domain.engine.ids import CardId, Seat
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.board import Board


class HandsKept(Effect, Struct, frozen=True, array_like=True, tag="hands_kept"):
    """Everybody has chosen a first hand: begin."""


class Action(Effect, Struct, frozen=True, array_like=True, tag="action"):
    """Take one of the five actions."""


class Excavate(Effect, Struct, frozen=True, array_like=True, tag="excavate"):
    """Rotate straight monuments of the past and draw for them."""


class ExcavateDraw(Effect, Struct, frozen=True, array_like=True, tag="excavate_draw"):
    """The draw of an excavation, or what a card offers in its place."""

    n: w.Few


class PutDown(Effect, Struct, frozen=True, array_like=True, tag="put_down"):
    """Pay for the card chosen and bring it into play, with everything that this triggers."""

    aside: bool = False


class AnyOrder(Effect, Struct, frozen=True, array_like=True, tag="any_order"):
    """These cards' effects, each once, in the order that the owner likes."""

    waiting: tuple[CardId, ...]


class TimelinePhase(Effect, Struct, frozen=True, array_like=True, tag="timeline_phase"):
    """Every active timeline effect once, in any order."""


class DeclinePhase(Effect, Struct, frozen=True, array_like=True, tag="decline_phase"):
    """Space 1 declines, then everything slides."""


class NextDecline(Effect, Struct, frozen=True, array_like=True, tag="next_decline"):
    """One more monument of space 1, as long as there is one."""


class Declined(Effect, Struct, frozen=True, array_like=True, tag="declined"):
    """The decline effect is done: the monument goes to the past."""

    card: CardId


class Slide(Effect, Struct, frozen=True, array_like=True, tag="slide"):
    """The end of the decline phase."""


class FlipTile(Effect, Struct, frozen=True, array_like=True, tag="flip_tile"):
    """Somebody's past reached seven: a tile of level I is turned."""


class EndTurn(Effect, Struct, frozen=True, array_like=True, tag="end_turn"):
    """Pass the turn, or score after the last round."""


class StealFrom(Effect, Struct, frozen=True, array_like=True, tag="steal_from"):
    """Look at that hand and take a card."""

    victim: Seat


class AddTo(Effect, Struct, frozen=True, array_like=True, tag="add_to"):
    """Put tokens on one monument of that seat."""

    seat: Seat
    n: w.Few


class Picked(Effect, Struct, frozen=True, array_like=True, tag="picked"):
    """Do what the answer to the verb's question says."""

    verb: Effect


class WhichKept(Question, Struct, frozen=True, array_like=True, tag="keep"):
    """Which six of the ten cards to keep."""


class WhichAction(Question, Struct, frozen=True, array_like=True, tag="action"):
    """Which action, with the card or technology that it is about."""


class WhichCreated(Question, Struct, frozen=True, array_like=True, tag="create"):
    """Which card to create where."""

    source: w.Filter
    optional: bool


class WhichPayment(Question, Struct, frozen=True, array_like=True, tag="payment"):
    """Which other cards to discard for a creation; `kept` is the one created."""

    cost: w.Few
    kept: CardId | None


class WhichLearned(Question, Struct, frozen=True, array_like=True, tag="learn"):
    """Which technology to learn."""

    source: Literal["tech_market", "looked_at"]
    ignored: bool
    optional: bool


class WhichArchived(Question, Struct, frozen=True, array_like=True, tag="archive"):
    """Which cards to discard for an archive."""

    optional: bool


class WhichRotated(Question, Struct, frozen=True, array_like=True, tag="excavate"):
    """Which straight monuments of the past to rotate."""


class WhichTokens(Question, Struct, frozen=True, array_like=True, tag="remove"):
    """Which tokens to remove: how many from each, one monument, or which monuments."""

    verb: w.RemoveKnowledge


class WhichNext(Question, Struct, frozen=True, array_like=True, tag="next"):
    """Which of the waiting effects comes next."""

    waiting: tuple[CardId, ...]


class Whether(Question, Struct, frozen=True, array_like=True, tag="may"):
    """Whether to do what a card offers."""

    effect: Effect


class WhichDiscarded(Question, Struct, frozen=True, array_like=True, tag="discard"):
    """Which cards to discard from hand or board."""

    n: w.Amount
    source: w.Filter


class WhichForced(Question, Struct, frozen=True, array_like=True, tag="forced_discard"):
    """Which cards an opponent makes this seat discard."""

    n: w.Few
    artifacts: bool


class WhichMove(Question, Struct, frozen=True, array_like=True, tag="move"):
    """Which monument to move to which space."""

    verb: w.MoveMonument


class WhichSwap(Question, Struct, frozen=True, array_like=True, tag="swap"):
    """Which monuments exchange their slots."""

    a: w.Filter
    b: w.Filter


class WhichTarget(Question, Struct, frozen=True, array_like=True, tag="add"):
    """Which monument of that seat takes the tokens."""

    seat: Seat


class WhichGift(Question, Struct, frozen=True, array_like=True, tag="give"):
    """How many lost tokens to put on which opponent's monument."""

    n: w.Few


class HowManyLost(Question, Struct, frozen=True, array_like=True, tag="lose"):
    """How many lost tokens to give back to the supply."""

    n: w.Few


class WhichOpponent(Question, Struct, frozen=True, array_like=True, tag="opponent"):
    """Whose hand to look at."""


class WhichStolen(Question, Struct, frozen=True, array_like=True, tag="steal"):
    """Which card of that hand to take."""

    victim: Seat


class WhichTaken(Question, Struct, frozen=True, array_like=True, tag="take"):
    """Which of the cards set aside to take."""


class WhichBottomed(Question, Struct, frozen=True, array_like=True, tag="bottom"):
    """Which technology goes under its deck next."""

    source: w.Filter


class WhichTile(Question, Struct, frozen=True, array_like=True, tag="flip"):
    """Which tile of level I to turn."""


class WhichDeclines(Question, Struct, frozen=True, array_like=True, tag="decline"):
    """Which monument of space 1 declines first."""


STEPS: tuple[type[Effect], ...] = (
    *(HandsKept, Action, Excavate, ExcavateDraw, PutDown, AnyOrder, TimelinePhase, DeclinePhase),
    *(NextDecline, Declined, Slide, FlipTile, EndTurn, StealFrom, AddTo, Picked),
)
QUESTIONS: tuple[type[Question], ...] = (
    *(WhichKept, WhichAction, WhichCreated, WhichPayment, WhichLearned, WhichArchived),
    *(WhichRotated, WhichTokens, WhichNext, Whether, WhichDiscarded, WhichForced, WhichMove),
    *(WhichSwap, WhichTarget, WhichGift, HowManyLost, WhichOpponent, WhichStolen, WhichTaken),
    *(WhichBottomed, WhichTile, WhichDeclines),
)


def scope_of(run: Run[Board]) -> Scope[Board]:
    """Return the scope of the effect being done."""
    return Scope(run.board, run.frame.seat, run.frame)


def ask(run: Run[Board], question: Question, verb: Effect, who: Who = Who.OWNER) -> None:
    """Ask, and do what the answer says next."""
    run.prepend(Ask(question, "pick", who=who), Picked(verb))
