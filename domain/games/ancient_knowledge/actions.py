"""The five actions, and creating, learning and excavating wherever they come from (rules 6)."""

from domain.engine.agenda import Run, Scope
from domain.engine.codec import Frame
from domain.engine.effects import Ask, Effect
from domain.engine.ids import CardId, Picks
from domain.games.ancient_knowledge import events as e
from domain.games.ancient_knowledge import program as p
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.amounts import (
    active_modifiers,
    amount,
    could_do,
    holds,
    is_builder,
)
from domain.games.ancient_knowledge.board import Board
from domain.games.ancient_knowledge.catalogue import (
    BUILDER,
    TECHNOLOGY,
    effect_of,
    entry_discount,
    is_immediate,
    skips,
)
from domain.games.ancient_knowledge.reactions import reactions
from domain.games.ancient_knowledge.supply import discard, draw, tidy, tile_of

DRAW_PER_CARD = 2


def action(run: Run[Board], effect: p.Action) -> None:
    """Ask for one of the five actions."""
    run.prepend(Ask(p.WhichAction(), "pick"), p.Picked(effect))


def action_picked(run: Run[Board], _: p.Action) -> None:
    """Carry the action out completely, with everything that it triggers."""
    pick = run.frame.pick("pick")
    assert pick is not None, "an action is compulsory"
    verb, _colon, rest = pick.partition(":")
    run.emit(e.ActionTaken(action=verb))
    match verb:
        case "create":
            _pay(run, rest, aside=False)
        case "learn":
            learn(run, rest, tile_of(run.board, rest))
        case "archive":
            run.prepend(w.Archive())
        case "excavate":
            run.prepend(p.Excavate())
        case _:
            draw(run, run.frame.seat, 1)


def created(run: Run[Board], effect: w.Create) -> None:
    """Go on with the card picked, if one was."""
    pick = run.frame.pick("pick")
    if pick is not None:
        _pay(run, pick, aside=effect.source.zone == "looked_at")


def _pay(run: Run[Board], pick: str, aside: bool) -> None:
    """Ask for the payment: printed cost and distance, in other hand cards (rules 6.1)."""
    card, _at, space = pick.partition("@")
    facts = BUILDER[card]
    cost = facts.cost + (abs(int(space) - facts.space) if space else 0)
    run.bind("create", (pick,))
    run.bind("payment", ())
    question = p.WhichPayment(cost, None if aside else card)
    run.prepend(*((Ask(question, "payment"),) if cost else ()), p.PutDown(aside))


def put_down(run: Run[Board], effect: p.PutDown) -> None:
    """Pay, put the card down with its tokens, and collect what this triggers at this moment."""
    frame = run.frame
    pick = frame.pick("create")
    assert pick is not None
    card, _at, space = pick.partition("@")
    discard(run, frame.seat, frame.picks("payment"))
    facts = BUILDER[card]
    if facts.kind == "artifact":
        run.emit(e.ArtifactCreated(seat=frame.seat, card=card, aside=effect.aside))
    else:
        tokens = max(0, facts.knowledge - _discount(run, card))
        run.emit(e.MonumentCreated(seat=frame.seat, card=card, space=int(space), knowledge=tokens))
    where = int(space) if space else None
    reacting = reactions(run.board, frame.seat, "create", card, frame, where)
    waiting = p.AnyOrder((*((card,) if is_immediate(facts) else ()), *reacting))
    run.prepend(*((facts.effect,) if skips(facts) else ()), waiting)


def _discount(run: Run[Board], card: CardId) -> int:
    """Return by how much less the monument enters: its own discount and those of other cards."""
    frame, facts = run.frame, BUILDER[card]
    scope = Scope(run.board, frame.seat, Frame(frame.seat, card, (), {}))
    less = sum(
        [
            -modify.amount
            for modify in active_modifiers(scope, "entry_knowledge")
            if modify.applies_to is None or is_builder(card, modify.applies_to)
        ]
    )
    effect = entry_discount(facts)
    if isinstance(effect, w.If):
        effect = effect.then if holds(scope, effect.cond) else None
    if isinstance(effect, w.EnterWithLess):
        less += amount(scope, effect.n)
    return less


def learned(run: Run[Board], effect: w.Learn) -> None:
    """Learn the technology picked, if one was."""
    for tech in run.frame.picks("pick"):
        market = effect.source == "tech_market"
        learn(run, tech, tile_of(run.board, tech) if market else None)


def learn(run: Run[Board], tech: CardId, tile: int | None) -> None:
    """Take it, tidy its tile up, then its own effect, then the reactions (rules 6.2, OQ-14)."""
    frame, facts = run.frame, TECHNOLOGY[tech]
    run.emit(e.TechnologyLearned(seat=frame.seat, card=tech, tile=tile))
    reacting = reactions(run.board, frame.seat, "learn", tech, frame)
    if tile is not None:
        tidy(run, facts.level)
    effects: tuple[Effect, ...] = (p.AnyOrder(reacting),) if reacting else ()
    run.push(frame.seat, (facts.effect, *effects), tech)


def excavate(run: Run[Board], effect: p.Excavate) -> None:
    """Ask which straight monuments of the past to rotate."""
    run.prepend(Ask(p.WhichRotated(), "rotated"), p.Picked(effect))


def excavated(run: Run[Board], _: p.Excavate) -> None:
    """Rotate them, then the draw or what replaces it, then the reactions (rules 6.4)."""
    frame = run.frame
    cards: Picks = frame.picks("rotated")
    run.emit(e.MonumentsRotated(seat=frame.seat, cards=cards))
    scope = Scope(run.board, frame.seat, frame)
    reacting = reactions(run.board, frame.seat, "excavate", None, frame)
    instead = tuple(card for card in reacting if _replaces(card))
    per_card = [one.amount for one in active_modifiers(scope, "excavate_draw_per_card")]
    count = len(cards) * max(per_card, default=DRAW_PER_CARD)
    run.prepend(p.AnyOrder(tuple(card for card in reacting if card not in instead)))
    run.push(frame.seat, (p.ExcavateDraw(count),), instead[0] if instead else None)


def _replaces(card: CardId) -> bool:
    effect = effect_of(card)
    return isinstance(effect, w.May) and isinstance(effect.effect, w.ReplaceDraw)


def excavate_draw(run: Run[Board], effect: p.ExcavateDraw) -> None:
    """Draw, or ask whether to do something else instead."""
    card = run.frame.card
    scope = Scope(run.board, run.frame.seat, run.frame)
    if card is not None and could_do(scope, effect_of(card)):
        run.prepend(Ask(p.Whether(effect_of(card)), "pick"), p.Picked(effect))
    else:
        draw(run, run.frame.seat, effect.n)


def replaced(run: Run[Board], effect: p.ExcavateDraw) -> None:
    """Do what the card offers in place of the draw, if that was wanted."""
    card = run.frame.card
    assert card is not None
    may = effect_of(card)
    if run.frame.picks("pick") and isinstance(may, w.May) and isinstance(may.effect, w.ReplaceDraw):
        run.prepend(may.effect.instead)
    else:
        draw(run, run.frame.seat, effect.n)
