"""What the verbs do: one small function for each, and one for the answer it asked for.

No card id stands here. A verb with nothing to do is skipped; its question is not even asked, unless
only a hidden hand could tell.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from domain.engine.agenda import Run
from domain.engine.effects import Ask, Effect, Who
from domain.engine.ids import CardId, Picks
from domain.engine.zones import seen
from domain.games.ancient_knowledge import events as e
from domain.games.ancient_knowledge import program as p
from domain.games.ancient_knowledge import turn
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.actions import (
    action,
    action_picked,
    created,
    excavate,
    excavate_draw,
    excavated,
    learned,
    put_down,
    replaced,
)
from domain.games.ancient_knowledge.amounts import amount, cells, could_do, holds
from domain.games.ancient_knowledge.board import Board
from domain.games.ancient_knowledge.cards.phrases import ANYWHERE
from domain.games.ancient_knowledge.looks import (
    bottomed,
    draw_keep,
    each_player,
    look_top,
    opponent_picked,
    put_under,
    reveal_until,
    steal_card,
    stolen,
    take_card,
    taken,
)
from domain.games.ancient_knowledge.program import ask, scope_of
from domain.games.ancient_knowledge.supply import close_aside, discard, draw


def _picks(run: Run[Board]) -> Picks:
    return run.frame.picks("pick")


def _if(run: Run[Board], effect: w.If) -> None:
    if holds(scope_of(run), effect.cond):
        run.prepend(effect.then)


def _may(run: Run[Board], effect: w.May) -> None:
    inner = effect.effect
    if not could_do(scope_of(run), inner):
        return
    match inner:
        case w.Create() | w.Learn() | w.Archive() | w.MoveMonument() | w.RemoveKnowledge():
            # The verb's own question may be answered with nothing: one decision instead of two.
            run.prepend(replace(inner, optional=True))
        case _:
            ask(run, p.Whether(inner), effect)


def _may_picked(run: Run[Board], effect: w.May) -> None:
    if _picks(run):
        run.prepend(effect.effect)


def _each_opponent(run: Run[Board], effect: w.EachOpponent) -> None:
    match effect.effect:
        case w.Discard(n=int(n), source=source):
            artifacts = source.zone == "opponent_artifacts"
            ask(run, p.WhichForced(n, artifacts), effect, Who.OTHERS)
        case w.AddKnowledge(n=n):
            seats = run.board.opponents(run.frame.seat)
            run.prepend(*(p.AddTo(seat, n) for seat in seats))
        case _:
            raise TypeError(f"no card makes opponents {type(effect.effect).__name__}")


def _forced(run: Run[Board], effect: w.EachOpponent) -> None:
    """Apply all forced discards at once; who had no choice gives everything (rules 15.3).

    A seat that has left answers by chance (OQ-34). Of its artifacts it gives the oldest: a draw in
    public could be undone for another one.
    """
    verb = effect.effect
    assert isinstance(verb, w.Discard)
    assert isinstance(verb.n, int)
    for seat in run.board.others(run.frame.seat):
        one = run.board.seats[seat]
        picks = run.frame.picks(f"pick@{seat}")
        if verb.source.zone == "opponent_artifacts":
            for card in picks or one.artifacts[: verb.n]:
                run.emit(e.ArtifactDiscarded(seat=seat, card=card))
        else:
            discard(run, seat, picks or _unchosen(run, seen(one.hand), verb.n))


def _unchosen(run: Run[Board], hand: Picks, n: int) -> Picks:
    """Return what goes out of a hand that nobody chooses from."""
    # Sorted, so that the card on top does not tell which one was drawn last.
    cards = tuple(sorted(hand))
    return cards if len(cards) <= n else run.chance().shuffled(cards)[:n]


def _draw(run: Run[Board], effect: w.Draw) -> None:
    paid = len(run.frame.picks("paid"))
    draw(run, run.frame.seat, amount(scope_of(run), effect.n), paid)


def _discard(run: Run[Board], effect: w.Discard) -> None:
    source, seat = effect.source, run.frame.seat
    if effect.n == "all_remaining":
        close_aside(run)
    elif source.zone == "own_timeline":
        for _, cell in cells(scope_of(run), source):
            run.emit(e.MonumentDiscarded(seat=seat, card=cell.card))
    elif source.only_self:
        run.emit(e.ArtifactDiscarded(seat=seat, card=str(run.frame.card)))
    else:
        ask(run, p.WhichDiscarded(effect.n, source), effect)


def _discarded(run: Run[Board], effect: w.Discard) -> None:
    picks = _picks(run)
    if effect.bind is not None:
        run.bind(effect.bind, picks)
    if effect.payment:
        run.bind("paid", picks)
    if effect.source.zone == "own_artifacts":
        for card in picks:
            run.emit(e.ArtifactDiscarded(seat=run.frame.seat, card=card))
    else:
        discard(run, run.frame.seat, picks)


def _remove(run: Run[Board], effect: w.RemoveKnowledge) -> None:
    if effect.mode != "each":
        ask(run, p.WhichTokens(effect), effect)
        return
    n = amount(scope_of(run), effect.n)
    targets = [cell for _, cell in cells(scope_of(run), effect.target)]
    _take_tokens(run, {cell.card: min(n, cell.knowledge) for cell in targets})


def _tokens_picked(run: Run[Board], effect: w.RemoveKnowledge) -> None:
    picks = _picks(run)
    match effect.mode:
        case "single":
            pairs = [pick.split(":") for pick in picks]
            _take_tokens(run, {card: int(n) for card, n in pairs})
        case "each_of_chosen":
            n = amount(scope_of(run), effect.n)
            chosen = [cell for _, cell in cells(scope_of(run), effect.target) if cell.card in picks]
            _take_tokens(run, {cell.card: min(n, cell.knowledge) for cell in chosen})
        case _:
            _take_tokens(run, {card: picks.count(card) for card in sorted(set(picks))})


def _take_tokens(run: Run[Board], tokens: dict[CardId, int]) -> None:
    taken = {card: n for card, n in tokens.items() if n}
    if taken:
        run.emit(e.KnowledgeRemoved(seat=run.frame.seat, tokens=taken))


def _add(run: Run[Board], effect: w.AddKnowledge) -> None:
    ask(run, p.WhichGift(effect.n), effect)


def _given(run: Run[Board], _: w.AddKnowledge) -> None:
    for pick in _picks(run):
        seat, card, n = pick.split("/")
        run.emit(e.KnowledgeAdded(seat=int(seat), card=card, tokens=int(n), giver=run.frame.seat))


def _add_to(run: Run[Board], effect: p.AddTo) -> None:
    if not run.board.seats[effect.seat].gone:
        ask(run, p.WhichTarget(effect.seat), effect)


def _added(run: Run[Board], effect: p.AddTo) -> None:
    for card in _picks(run):
        run.emit(e.KnowledgeAdded(seat=effect.seat, card=card, tokens=effect.n))


def _discard_lost(run: Run[Board], effect: w.DiscardLostKnowledge) -> None:
    if effect.rule == "up_to":
        ask(run, p.HowManyLost(effect.n), effect)
        return
    _give_back(run, min(effect.n, run.board.seats[run.frame.seat].lost))


def _lost_picked(run: Run[Board], _: w.DiscardLostKnowledge) -> None:
    _give_back(run, len(_picks(run)))


def _give_back(run: Run[Board], tokens: int) -> None:
    if tokens:
        run.emit(e.LostReduced(seat=run.frame.seat, tokens=tokens))


def _create(run: Run[Board], effect: w.Create) -> None:
    ask(run, p.WhichCreated(effect.source, effect.optional), effect)


def _learn(run: Run[Board], effect: w.Learn) -> None:
    ignored = effect.requirements == "ignored"
    ask(run, p.WhichLearned(effect.source, ignored, effect.optional), effect)


def _archive(run: Run[Board], effect: w.Archive) -> None:
    """Ask for cards and tokens before anything happens, so that one command can hold both."""
    cards = Ask(p.WhichArchived(effect.optional), "cards")
    tokens = w.RemoveKnowledge(w.Bound("cards"), ANYWHERE, "distribute", "exact")
    run.prepend(cards, Ask(p.WhichTokens(tokens), "pick"), p.Picked(effect))


def _archived(run: Run[Board], _: w.Archive) -> None:
    tokens = _picks(run)
    discard(run, run.frame.seat, run.frame.picks("cards"))
    _take_tokens(run, {card: tokens.count(card) for card in sorted(set(tokens))})


def _move(run: Run[Board], effect: w.MoveMonument) -> None:
    ask(run, p.WhichMove(effect), effect)


def _moved(run: Run[Board], _: w.MoveMonument) -> None:
    for pick in _picks(run):
        card, space = pick.split(">")
        run.emit(e.MonumentMoved(seat=run.frame.seat, card=card, space=int(space)))


def _swap(run: Run[Board], effect: w.Swap) -> None:
    ask(run, p.WhichSwap(effect.a, effect.b), effect)


def _swapped(run: Run[Board], _: w.Swap) -> None:
    picks = _picks(run)
    if picks:
        one = picks[0]
        other = picks[1] if len(picks) > 1 else str(run.frame.card)
        run.emit(e.MonumentsSwapped(seat=run.frame.seat, one=one, other=other))


def _straighten(run: Run[Board], effect: w.Straighten) -> None:
    past = run.board.seats[run.frame.seat].past
    cards = tuple([card.card for card in past if card.rotated])[: effect.n]
    if cards:
        run.emit(e.MonumentsStraightened(seat=run.frame.seat, cards=cards))


def _skip_phase(run: Run[Board], _: w.SkipPhase) -> None:
    """Without effect once the decline phase has begun (OQ-24)."""
    if not run.board.in_decline:
        run.emit(e.DeclineSkipped())


def _nothing(_run: Run[Board], _: Effect) -> None:
    """Do nothing: evaluated elsewhere (entry discounts, modifications, final scoring)."""


def _picked(run: Run[Board], effect: p.Picked) -> None:
    PICKED[type(effect.verb)](run, effect.verb)


# Each function takes its own effect class.
PICKED: Mapping[type[Effect], Callable[[Run[Board], Any], None]] = {
    p.Action: action_picked,
    p.Excavate: excavated,
    p.ExcavateDraw: replaced,
    p.AnyOrder: turn.next_picked,
    p.NextDecline: turn.decline_picked,
    p.StealFrom: stolen,
    p.AddTo: _added,
    w.May: _may_picked,
    w.EachOpponent: _forced,
    w.TakeCard: taken,
    w.StealCard: opponent_picked,
    w.Discard: _discarded,
    w.RemoveKnowledge: _tokens_picked,
    w.AddKnowledge: _given,
    w.DiscardLostKnowledge: _lost_picked,
    w.Create: created,
    w.Learn: learned,
    w.Archive: _archived,
    w.MoveMonument: _moved,
    w.Swap: _swapped,
    w.BottomCards: bottomed,
}

RESOLVERS: Mapping[type[Effect], Callable[[Run[Board], Any], None]] = {
    p.HandsKept: turn.hands_kept,
    p.Action: action,
    p.Excavate: excavate,
    p.ExcavateDraw: excavate_draw,
    p.PutDown: put_down,
    p.AnyOrder: turn.any_order,
    p.TimelinePhase: turn.timeline_phase,
    p.DeclinePhase: turn.decline_phase,
    p.NextDecline: turn.next_decline,
    p.Declined: turn.declined,
    p.Slide: turn.slide,
    p.FlipTile: turn.flip_tile,
    p.EndTurn: turn.end_turn,
    p.AddTo: _add_to,
    p.StealFrom: _nothing,
    p.Picked: _picked,
    w.If: _if,
    w.May: _may,
    w.EachOpponent: _each_opponent,
    w.EachPlayer: each_player,
    w.Draw: _draw,
    w.DrawKeep: draw_keep,
    w.LookTop: look_top,
    w.TakeCard: take_card,
    w.RevealUntil: reveal_until,
    w.StealCard: steal_card,
    w.Discard: _discard,
    w.RemoveKnowledge: _remove,
    w.AddKnowledge: _add,
    w.DiscardLostKnowledge: _discard_lost,
    w.EnterWithLess: _nothing,
    w.Create: _create,
    w.Learn: _learn,
    w.Archive: _archive,
    w.MoveMonument: _move,
    w.Swap: _swap,
    w.Straighten: _straighten,
    w.BottomCards: put_under,
    w.SkipPhase: _skip_phase,
    w.Score: _nothing,
    w.Reaction: _nothing,
    w.ReplaceDraw: _nothing,
    w.Modify: _nothing,
}
