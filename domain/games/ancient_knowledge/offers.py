"""What each question offers a seat: one function for each question, options in sorted order.

Option ids: a card id; `card@space` (create), `card>space` (move), `card:n` (tokens off one
monument), `seat/card/n` (a gift), `create:…` and `learn:…` (actions), `seat:n`, `tile:n`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from domain.engine.agenda import Scope
from domain.engine.choices import Offer, Option
from domain.engine.codec import Frame
from domain.engine.effects import Question, Seq
from domain.engine.ids import CardId
from domain.engine.zones import Zone, seen
from domain.games.ancient_knowledge import program as p
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.amounts import (
    amount,
    bottomable,
    cells,
    could_do,
    has_slot,
    is_builder,
    is_learnable,
    market,
    movable,
    own,
    swappable,
)
from domain.games.ancient_knowledge.board import SPACES, Board, SeatBoard
from domain.games.ancient_knowledge.catalogue import BUILDER, effect_of

KEEP = 6
DOES_NOTHING = "would do nothing"
NOBODY = Offer(())


def _options(cards: Zone) -> tuple[Option, ...]:
    return tuple([Option(card, card=card) for card in sorted(seen(cards))])


def _which_kept(scope: Scope[Board], _: p.WhichKept) -> Offer:
    return Offer(_options(own(scope).hand), min=KEEP, max=KEEP)


def _which_action(scope: Scope[Board], _: p.WhichAction) -> Offer:
    """Offer the actions that can be carried out; searching always can (rules 6)."""
    one = own(scope)
    options = [Option("search")]
    if one.hand and one.knowledge():
        options.append(Option("archive"))
    if not all(card.rotated for card in one.past):
        options.append(Option("excavate"))
    options += [Option(f"learn:{tech}", card=tech) for _, tech in market(scope)]
    for option in creatable(one, w.Filter(zone="own_hand"), one.hand):
        options.append(Option(f"create:{option.id}", card=option.card, hint=option.hint))
    return Offer(tuple(sorted(options, key=_by_id)))


def _by_id(option: Option) -> str:
    return option.id


def creatable(one: SeatBoard, wanted: w.Filter, cards: Zone) -> Iterator[Option]:
    """Yield every card with every place that the seat can pay for; the hint is the price.

    Printed cost plus one a space of distance, paid with other hand cards; a locked monument goes to
    its own space only (rules 6.1). Cards set aside never pay, nor do they cost distance.
    """
    aside = wanted.zone == "looked_at"
    purse = len(one.hand) - (0 if aside else 1)
    for card in sorted(set(seen(cards))):
        facts = BUILDER[card]
        if not is_builder(card, wanted) or facts.cost > purse or not has_slot(one, facts.kind):
            continue
        if facts.kind == "artifact":
            yield Option(card, card=card, hint=f"cost {facts.cost}")
            continue
        for space in SPACES:
            cost = facts.cost + abs(space - facts.space)
            if one.free(space) and cost <= purse and not (facts.locked and cost > facts.cost):
                yield Option(f"{card}@{space}", card=card, hint=f"cost {cost}")


def _which_created(scope: Scope[Board], question: p.WhichCreated) -> Offer:
    one, wanted = own(scope), question.source
    if wanted.zone == "looked_at":
        aside = scope.board.asides[-1].cards
        options = tuple(creatable(one, wanted, aside))
        return Offer(options, always=bool(aside), shown=tuple(sorted(seen(aside))))
    options = tuple(creatable(one, wanted, one.hand))
    return Offer(options, min=0 if question.optional else 1, always=True)


def _which_payment(scope: Scope[Board], question: p.WhichPayment) -> Offer:
    hand = tuple([card for card in own(scope).hand if card != question.kept])
    return Offer(_options(hand), min=question.cost, max=question.cost)


def _which_learned(scope: Scope[Board], question: p.WhichLearned) -> Offer:
    least = 0 if question.optional else 1
    if question.source == "tech_market":
        techs = tuple([tech for _, tech in market(scope, question.ignored)])
        return Offer(_options(techs), min=least)
    aside = seen(scope.board.asides[-1].cards)
    techs = tuple([tech for tech in aside if question.ignored or is_learnable(scope, tech)])
    return Offer(_options(techs), min=least, always=bool(aside), shown=tuple(sorted(aside)))


def _which_archived(scope: Scope[Board], question: p.WhichArchived) -> Offer:
    one = own(scope)
    most = min(len(one.hand), one.knowledge())
    return Offer(_options(one.hand), min=0 if question.optional else 1, max=most)


def _which_rotated(scope: Scope[Board], _: p.WhichRotated) -> Offer:
    straight = tuple([card.card for card in own(scope).past if not card.rotated])
    return Offer(_options(straight), max=len(straight))


def _which_tokens(scope: Scope[Board], question: p.WhichTokens) -> Offer:
    verb = question.verb
    targets = [cell for _, cell in cells(scope, verb.target) if cell.knowledge]
    n = amount(scope, verb.n)
    if n == 0:
        return NOBODY
    targets.sort(key=lambda cell: cell.card)
    match verb.mode:
        case "distribute":
            options = tuple([Option(one.card, one.knowledge, one.card) for one in targets])
            n = min(n, sum([one.knowledge for one in targets]))
            least = verb.min if verb.rule == "up_to" else n
            return Offer(options, min=0 if verb.optional else least, max=n)
        case "single":
            least = max(1, verb.min)
            options = tuple(
                [
                    Option(f"{one.card}:{k}", card=one.card)
                    for one in targets
                    for k in range(min(n, one.knowledge), 0, -1)
                    if k == min(n, one.knowledge) or (verb.rule == "up_to" and k >= least)
                ]
            )
            return Offer(options)
        case _:
            options = tuple([Option(one.card, card=one.card) for one in targets])
            return Offer(options, min=verb.choose, max=verb.choose)


def card_scope(scope: Scope[Board], card: CardId) -> Scope[Board]:
    """Return the scope in which a card's own effect is judged."""
    return Scope(scope.board, scope.seat, Frame(scope.seat, card, (), scope.frame.bound))


def is_optional(card: CardId) -> bool:
    """Tell whether a card's effect can be declined as a whole."""
    effect = effect_of(card)
    return isinstance(effect.then if isinstance(effect, w.If) else effect, w.May)


def _which_next(scope: Scope[Board], question: p.WhichNext) -> Offer:
    """Offer every waiting effect; passing is allowed when all that could do something may be."""
    options, least = [], 0
    for card in sorted(question.waiting):
        able = could_do(card_scope(scope, card), effect_of(card))
        options.append(Option(card, card=card, hint=None if able else DOES_NOTHING))
        if able and not is_optional(card):
            least = 1
    return Offer(tuple(options), min=least)


def _whether(scope: Scope[Board], question: p.Whether) -> Offer:
    """Offer a yes, unless a payment cannot be made; asked all the same, so that nobody can tell."""
    effect = question.effect
    first = effect.steps[0] if isinstance(effect, Seq) else effect
    if isinstance(first, w.Discard) and first.payment and isinstance(first.n, int):
        fitting = len(_discardable(scope, first.source))
        if fitting < first.n:
            return Offer((), min=0, always=True)
    return Offer((Option("yes"),), min=0)


def _discardable(scope: Scope[Board], source: w.Filter) -> tuple[CardId, ...]:
    one = own(scope)
    if source.zone == "own_artifacts":
        return one.artifacts
    return tuple([card for card in seen(one.hand) if is_builder(card, source)])


def _which_discarded(scope: Scope[Board], question: p.WhichDiscarded) -> Offer:
    cards = _discardable(scope, question.source)
    n = amount(scope, question.n)
    if isinstance(question.n, w.AnyNumber):
        most = len(cards) if n < 0 else n
        return Offer(_options(cards), min=question.n.min, max=most)
    return Offer(_options(cards), min=n, max=n)


def _which_forced(scope: Scope[Board], question: p.WhichForced) -> Offer:
    """Ask only who has a real choice: with so few cards everything goes (rules 15.3)."""
    one = own(scope)
    cards: Zone = one.artifacts if question.artifacts else one.hand
    if len(cards) <= question.n:
        return NOBODY
    return Offer(_options(cards), min=question.n, max=question.n)


def _which_move(scope: Scope[Board], question: p.WhichMove) -> Offer:
    verb = question.verb
    options = [
        Option(f"{card}>{space}", card=card)
        for card, space in movable(scope, verb.target, verb.space)
    ]
    return Offer(tuple(sorted(options, key=_by_id)), min=0 if verb.optional else 1)


def _which_swap(scope: Scope[Board], question: p.WhichSwap) -> Offer:
    firsts, seconds = swappable(scope, question.a), swappable(scope, question.b)
    if question.a.only_self:
        return Offer(_options(seconds) if firsts else ())
    both = tuple({*firsts, *seconds})
    return Offer(_options(both), min=2, max=2) if len(both) > 1 else NOBODY


def _which_target(scope: Scope[Board], question: p.WhichTarget) -> Offer:
    one = scope.board.seats[question.seat]
    return NOBODY if one.gone else Offer(_options(tuple([cell.card for _, cell in one.cells()])))


def _which_gift(scope: Scope[Board], question: p.WhichGift) -> Offer:
    most = min(question.n, own(scope).lost)
    free = scope.board.options.lost_up_to == "choice"
    options = [
        Option(f"{seat}/{cell.card}/{n}", card=cell.card)
        for seat in scope.board.opponents(scope.seat)
        for _, cell in scope.board.seats[seat].cells()
        for n in range(1 if free else max(1, most), most + 1)
    ]
    return Offer(tuple(sorted(options, key=_by_id)), min=0 if free else 1)


def _how_many_lost(scope: Scope[Board], question: p.HowManyLost) -> Offer:
    most = min(question.n, own(scope).lost)
    least = most if scope.board.options.lost_up_to == "maximum" else 0
    return Offer((Option("lost", limit=most),) if most else (), min=least, max=most)


def _which_opponent(scope: Scope[Board], _: p.WhichOpponent) -> Offer:
    seats = sorted(scope.board.opponents(scope.seat))
    return Offer(tuple([Option(f"seat:{seat}") for seat in seats if scope.board.seats[seat].hand]))


def _which_stolen(scope: Scope[Board], question: p.WhichStolen) -> Offer:
    victim = scope.board.seats[question.victim]
    if victim.gone:
        return NOBODY
    hand = victim.hand
    return Offer(_options(hand), shown=tuple(sorted(seen(hand))))


def _which_taken(scope: Scope[Board], _: p.WhichTaken) -> Offer:
    cards = scope.board.asides[-1].cards
    if not own(scope).room() or not cards:
        return NOBODY
    return Offer(_options(cards), shown=tuple(sorted(seen(cards))))


def _which_bottomed(scope: Scope[Board], question: p.WhichBottomed) -> Offer:
    if question.source.zone == "looked_at":
        aside = scope.board.asides[-1].cards
        return Offer(_options(aside), shown=tuple(sorted(seen(aside))))
    return Offer(_options(tuple([tech for _, tech in bottomable(scope, question.source)])))


def _which_tile(scope: Scope[Board], _: p.WhichTile) -> Offer:
    tiles = [at for at, tile in enumerate(scope.board.tiles) if tile.level == 1]
    return Offer(tuple([Option(f"tile:{at}") for at in tiles]))


def _which_declines(scope: Scope[Board], _: p.WhichDeclines) -> Offer:
    return Offer(_options(tuple([cell.card for cell in own(scope).timeline[:2] if cell])))


# Each function takes its own question class.
OFFERS: Mapping[type[Question], Callable[[Scope[Board], Any], Offer]] = {
    p.WhichKept: _which_kept,
    p.WhichAction: _which_action,
    p.WhichCreated: _which_created,
    p.WhichPayment: _which_payment,
    p.WhichLearned: _which_learned,
    p.WhichArchived: _which_archived,
    p.WhichRotated: _which_rotated,
    p.WhichTokens: _which_tokens,
    p.WhichNext: _which_next,
    p.Whether: _whether,
    p.WhichDiscarded: _which_discarded,
    p.WhichForced: _which_forced,
    p.WhichMove: _which_move,
    p.WhichSwap: _which_swap,
    p.WhichTarget: _which_target,
    p.WhichGift: _which_gift,
    p.HowManyLost: _how_many_lost,
    p.WhichOpponent: _which_opponent,
    p.WhichStolen: _which_stolen,
    p.WhichTaken: _which_taken,
    p.WhichBottomed: _which_bottomed,
    p.WhichTile: _which_tile,
    p.WhichDeclines: _which_declines,
}
