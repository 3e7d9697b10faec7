"""What can be pending: what may be left of a turn and of what cards do, one upon the other.

Numbers and cards that only the table knows (what a reaction waits for, what an excavation draws)
are wiped out before a program is compared with what can be left, and looked at by themselves.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from msgspec.structs import replace

from domain.engine.codec import Frame
from domain.engine.effects import Ask, Effect, Question, Seq, Who
from domain.engine.ids import CardId
from domain.engine.remainders import Program, Remainders, is_bound, one_of, remainders
from domain.games.ancient_knowledge import program as p
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.board import Board
from domain.games.ancient_knowledge.cards.phrases import ANYWHERE
from domain.games.ancient_knowledge.catalogue import (
    BUILDER,
    MODIFIERS,
    TECHNOLOGY,
    effect_of,
    skips,
)
from domain.games.ancient_knowledge.looks import REST
from domain.games.ancient_knowledge.turn import OPENING, TURN

_MOST_PICKS: Final = 64
_MOST_DRAWN: Final = 2 + max(one.amount for one in MODIFIERS.values())
"""More than what an excavation draws for one card."""


def strange(board: Board, frames: Sequence[Frame]) -> Iterator[int]:
    """Yield the places of frames that the rules do not leave on this table, from the bottom."""
    for at, frame in enumerate(frames):
        if not (
            _is_left(board, at, frame, top=at == len(frames) - 1)
            and all(_is_possible(board, effect) for effect in frame.todo)
            and is_bound(frame.bound, _WORDS, _MOST_PICKS)
            and (frame.picks("create") or not _is_paid(frame))
        ):
            yield at


def _is_left(board: Board, at: int, frame: Frame, top: bool) -> bool:
    """Tell whether this can be left of what such a frame begins with."""
    todo = tuple([_plain(effect) for effect in frame.todo])
    if at == 0:
        programs = _TURN if board.turns else _TURN | _OPENING
        return frame.card is None and frame.seat == board.turn and programs.hold(todo, top)
    if frame.card is None:
        return _EXCAVATION.hold(todo, top)
    if frame.card not in BUILDER and frame.card not in TECHNOLOGY:
        return False
    return _card(frame.card).hold(todo, top)


def _is_paid(frame: Frame) -> bool:
    """Tell whether a card is on its way into play: then the frame knows which."""
    return any(type(effect) is p.PutDown for effect in frame.todo)


def _plain(effect: Effect) -> Effect:
    """Return an effect without what only the table knows."""
    match effect:
        case Ask(question=question):
            return replace(effect, question=_plain_question(question))
        case p.Picked(verb=verb):
            return p.Picked(_plain(verb))
        case p.AnyOrder():
            return _ANY_ORDER
        case p.ExcavateDraw():
            return _EXCAVATE_DRAW
        case p.Declined():
            return _DECLINED
        case p.StealFrom():
            return p.StealFrom(0)
        case p.AddTo(n=n):
            return p.AddTo(0, n)
        case _:
            return effect


def _plain_question(question: Question) -> Question:
    match question:
        case p.WhichPayment():
            return p.WhichPayment(0, None)
        case p.WhichNext():
            return p.WhichNext(())
        case p.WhichTarget():
            return p.WhichTarget(0)
        case p.WhichStolen():
            return p.WhichStolen(0)
        case _:
            return question


def _is_possible(board: Board, effect: Effect) -> bool:
    """Tell whether what `_plain` wipes out can be so on this table."""
    match effect:
        case Ask(question=p.WhichPayment(cost=cost, kept=kept)):
            hands = max(len(one.hand) for one in board.seats)
            return 0 < cost <= hands and (kept is None or kept in BUILDER)
        case Ask(question=p.WhichNext(waiting=waiting)) | p.AnyOrder(waiting=waiting):
            return len(set(waiting)) == len(waiting) and set(waiting) <= BUILDER.keys()
        case Ask(question=p.WhichTarget(seat=seat)) | p.AddTo(seat=seat) | p.StealFrom(victim=seat):
            return seat in range(len(board.seats))
        case Ask(question=p.WhichStolen(victim=seat)):
            return seat in range(len(board.seats))
        case p.ExcavateDraw(n=n):
            return n <= _MOST_DRAWN * max(len(one.past) for one in board.seats)
        case p.Declined(card=card):
            return card in BUILDER and BUILDER[card].kind == "monument"
        case p.Picked(verb=verb):
            return _is_possible(board, verb)
        case _:
            return True


def _asked(question: Question, verb: Effect, who: Who = Who.OWNER) -> Program:
    return (Ask(question, "pick", who=who), p.Picked(verb))


def _paid(aside: bool) -> tuple[Program, ...]:
    down = p.PutDown(aside)
    return ((Ask(p.WhichPayment(0, None), "payment"), down), (down,))


def _follows(effect: Effect, card: CardId | None = None) -> tuple[Program, ...]:
    """Return what the resolver of an effect, in the frame of a card, may put in its place."""
    match effect:
        case p.Picked(verb=verb):
            return _picked(verb, card)
        case Seq(steps=steps):
            return (steps,)
        case w.If(then=then):
            return ((then,),)
        case w.May(effect=w.Create() | w.Learn() | w.Archive() as inner):
            return ((replace(inner, optional=True),),)
        case w.May(effect=w.MoveMonument() | w.RemoveKnowledge() as inner):
            return ((replace(inner, optional=True),),)
        case w.May(effect=inner):
            return (_asked(p.Whether(inner), effect),)
        case w.EachOpponent(effect=w.Discard(n=int(n), source=source)):
            forced = p.WhichForced(n, source.zone == "opponent_artifacts")
            return (_asked(forced, effect, Who.OTHERS),)
        case w.EachOpponent(effect=w.AddKnowledge(n=n)):
            return tuple((p.AddTo(0, n),) * seats for seats in (1, 2, 3))
        case p.ExcavateDraw() if card is not None:
            return (_asked(p.Whether(effect_of(card)), effect),)
        case _:
            return (*_steps(effect), *_verbs(effect))


def _steps(effect: Effect) -> tuple[Program, ...]:
    """Return what may follow a step of a turn."""
    match effect:
        case p.Action():
            return (_asked(p.WhichAction(), effect),)
        case p.Excavate():
            return ((Ask(p.WhichRotated(), "rotated"), p.Picked(effect)),)
        case p.PutDown():
            return ((_ANY_ORDER,), *((skip, _ANY_ORDER) for skip in _SKIPS))
        case p.AnyOrder():
            return (_asked(p.WhichNext(()), effect),)
        case p.TimelinePhase():
            return ((_ANY_ORDER,),)
        case p.DeclinePhase():
            return ((p.NextDecline(),),)
        case p.NextDecline():
            return ((_ANY_ORDER, p.Slide()), (_DECLINED,), _asked(p.WhichDeclines(), effect))
        case p.Declined():
            on = p.NextDecline()
            return ((on,), (Ask(p.WhichTile(), "pick"), p.FlipTile(), on))
        case p.AddTo():
            return (_asked(p.WhichTarget(0), effect),)
        case _:
            return ()


def _verbs(effect: Effect) -> tuple[Program, ...]:
    """Return what may follow a verb."""
    match effect:
        case w.DrawKeep(keep=keep):
            return ((*(w.TakeCard("owner"),) * keep, REST),)
        case w.TakeCard():
            return (_asked(p.WhichTaken(), effect),)
        case w.StealCard():
            return (_asked(p.WhichOpponent(), effect),)
        case w.Discard(n=n, source=source) if n != "all_remaining":
            return (_asked(p.WhichDiscarded(n, source), effect),)
        case w.RemoveKnowledge():
            return (_asked(p.WhichTokens(effect), effect),)
        case w.AddKnowledge(n=n):
            return (_asked(p.WhichGift(n), effect),)
        case w.DiscardLostKnowledge(n=n):
            return (_asked(p.HowManyLost(n), effect),)
        case w.Create(source=source, optional=optional):
            return (_asked(p.WhichCreated(source, optional), effect),)
        case w.Learn(source=place, requirements=requirements, optional=optional):
            learned = p.WhichLearned(place, requirements == "ignored", optional)
            return (_asked(learned, effect),)
        case w.Archive(optional=optional):
            cards = Ask(p.WhichArchived(optional), "cards")
            tokens = w.RemoveKnowledge(w.Bound("cards"), ANYWHERE, "distribute", "exact")
            return ((cards, *_asked(p.WhichTokens(tokens), effect)),)
        case w.MoveMonument():
            return (_asked(p.WhichMove(effect), effect),)
        case w.Swap(a=a, b=b):
            return (_asked(p.WhichSwap(a, b), effect),)
        case w.BottomCards(source=source):
            return (_asked(p.WhichBottomed(source), effect),)
        case _:
            return ()


def _picked(verb: Effect, card: CardId | None) -> tuple[Program, ...]:
    """Return what may follow the answer to a verb's question."""
    match verb:
        case p.Action():
            return (*_paid(aside=False), (w.Archive(),), (p.Excavate(),))
        case w.Create(source=source):
            return _paid(aside=source.zone == "looked_at")
        case p.Excavate():
            return ((_ANY_ORDER,),)
        case p.ExcavateDraw() if card is not None:
            may = effect_of(card)
            instead = may.effect if isinstance(may, w.May) else None
            return ((instead.instead,),) if isinstance(instead, w.ReplaceDraw) else ()
        case p.AnyOrder() | w.BottomCards():
            return ((verb,),)
        case p.NextDecline():
            return ((_DECLINED,),)
        case w.May(effect=inner):
            return ((inner,),)
        case w.StealCard():
            return (_asked(p.WhichStolen(0), p.StealFrom(0)),)
        case _:
            return ()


@lru_cache(maxsize=1024)
def _card(card: CardId) -> Remainders:
    """Return what can be left of what a card does, or lets every player do."""
    effect = effect_of(card)
    programs: list[Program] = [(effect,), (_EXCAVATE_DRAW,)]
    if card in TECHNOLOGY:
        programs = [(effect, _ANY_ORDER), (effect,)]
    steps = effect.steps if isinstance(effect, Seq) else (effect,)
    programs += [(step.effect,) for step in steps if isinstance(step, w.EachPlayer)]
    return remainders(programs, partial(_follows, card=card))


_ANY_ORDER: Final = p.AnyOrder(())
_EXCAVATE_DRAW: Final = p.ExcavateDraw(0)
_DECLINED: Final = p.Declined("")
_SKIPS: Final = tuple({card.effect for card in BUILDER.values() if skips(card)})
_TURN: Final = remainders([TURN], _follows)
_OPENING: Final = remainders([OPENING], _follows)
_EXCAVATION: Final = remainders([(_EXCAVATE_DRAW,)], _follows)

_CARD = one_of((*BUILDER, *TECHNOLOGY))
_PICK = re.compile(
    "|".join(
        [
            f"{_CARD}(?:[@>][1-6]|:[0-9]{{1,3}})?",
            f"[0-3]/{_CARD}/[0-9]{{1,2}}",
            f"create:{_CARD}(?:@[1-6])?",
            f"learn:{_CARD}",
            *("seat:[0-3]", "tile:[0-2]", "yes", "lost", "search", "archive", "excavate"),
        ]
    )
)
_PLAIN_CARD = re.compile(_CARD)
_BINDS: Final = ("cards", "paid", "payment", "rotated", "keep@", "k")
_WORDS = {
    **dict.fromkeys(("pick", "pick@"), _PICK),
    **dict.fromkeys(_BINDS, _PLAIN_CARD),
    "create": re.compile(f"{_CARD}(?:@[1-6])?"),
}
"""What can be picked, by the name under which it is remembered."""
