"""Verbs that look at cards: set aside, take, steal, turn over, put under a deck (rules 6.6, 13)."""

from domain.engine.agenda import Run
from domain.engine.zones import seen
from domain.games.ancient_knowledge import events as e
from domain.games.ancient_knowledge import program as p
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.amounts import could_do, is_builder, own
from domain.games.ancient_knowledge.board import Board
from domain.games.ancient_knowledge.program import ask, scope_of
from domain.games.ancient_knowledge.supply import bottom, close_aside, set_aside, stocked, take

REST = w.Discard("all_remaining", w.Filter(zone="looked_at"))


def each_player(run: Run[Board], effect: w.EachPlayer) -> None:
    """Let every player do it, clockwise from the owner."""
    owner = run.frame.seat
    for seat in reversed((owner, *run.board.opponents(owner))):
        run.push(seat, (effect.effect,), run.frame.card)


def draw_keep(run: Run[Board], effect: w.DrawKeep) -> None:
    """Look, take one, discard the rest; not even looked at with a full hand (OQ-7)."""
    if own(scope_of(run)).room() and stocked(run):
        set_aside(run, run.frame.seat, "builder", effect.n, public=False)
        run.prepend(*(w.TakeCard("owner"),) * effect.keep, REST)


def look_top(run: Run[Board], effect: w.LookTop) -> None:
    """Set cards aside; later steps use them."""
    set_aside(run, run.frame.seat, effect.deck, effect.n, public=effect.visible_to == "all")


def take_card(run: Run[Board], effect: w.TakeCard) -> None:
    """Ask which of the cards set aside to take."""
    ask(run, p.WhichTaken(), effect)


def taken(run: Run[Board], _: w.TakeCard) -> None:
    """Take it."""
    for card in run.frame.picks("pick"):
        take(run, run.frame.seat, card)


def reveal_until(run: Run[Board], effect: w.RevealUntil) -> None:
    """Turn cards over one by one; the old discards are shuffled in at most once (OQ-18)."""
    seat, found, is_shuffled, is_open = run.frame.seat, 0, False, False
    while found < effect.count and run.board.seats[seat].room():
        if not run.board.deck:
            if is_shuffled or not stocked(run):
                break
            is_shuffled = True
        top = run.board.deck[:1]
        run.emit(e.CardsSetAside(seat=seat, deck="builder", cards=top, public=True, more=is_open))
        is_open = True
        for card in seen(top):
            if is_builder(card, effect.match):
                found += 1
                take(run, seat, card)
    if is_open:
        close_aside(run)


def steal_card(run: Run[Board], effect: w.StealCard) -> None:
    """Ask whose hand to look at; skipped with a full hand (OQ-7)."""
    if could_do(scope_of(run), effect):
        ask(run, p.WhichOpponent(), effect)


def opponent_picked(run: Run[Board], _: w.StealCard) -> None:
    """Show that hand and ask which card to take."""
    for pick in run.frame.picks("pick"):
        victim = int(pick.removeprefix("seat:"))
        hand = tuple(sorted(seen(run.board.seats[victim].hand)))
        run.emit(e.HandLookedAt(seat=run.frame.seat, victim=victim, cards=hand))
        ask(run, p.WhichStolen(victim), p.StealFrom(victim))


def stolen(run: Run[Board], effect: p.StealFrom) -> None:
    """Take it; nothing if its owner has just conceded."""
    for card in run.frame.picks("pick"):
        run.emit(e.CardStolen(seat=run.frame.seat, victim=effect.victim, card=card, into=(card,)))


def put_under(run: Run[Board], effect: w.BottomCards) -> None:
    """Ask which one goes next; the last of those set aside needs no question."""
    is_market = effect.source.zone == "tech_market"
    left = () if is_market else seen(run.board.asides[-1].cards)
    if is_market or len(left) > 1:
        ask(run, p.WhichBottomed(effect.source), effect)
        return
    for tech in left:
        bottom(run, run.frame.seat, tech, aside=True)
    close_aside(run)


def bottomed(run: Run[Board], effect: w.BottomCards) -> None:
    """Put it under its deck; go on as long as cards are set aside."""
    aside = effect.source.zone == "looked_at"
    for tech in run.frame.picks("pick"):
        bottom(run, run.frame.seat, tech, aside)
    if aside:
        run.prepend(effect)
