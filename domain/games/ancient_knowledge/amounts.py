"""Filters, amounts and conditions evaluated on a board, and what an effect could do.

A scope names the board, the seat (the owner of the card), and the frame with the card and the
answers bound so far. Everything here looks at public facts only: of a hand just its size. So
whether a card is resolved or skipped never tells anybody what somebody holds.
"""

from typing import Literal, assert_never

from domain.engine.agenda import Scope
from domain.engine.effects import Effect, Seq
from domain.engine.ids import CardId
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.board import (
    ARTIFACT_SLOTS,
    SPACES,
    Board,
    Cell,
    SeatBoard,
    neighbours,
    space_of,
)
from domain.games.ancient_knowledge.catalogue import BUILDER, MODIFIERS, TECHNOLOGY


def own(scope: Scope[Board]) -> SeatBoard:
    """Return the owner's seat."""
    return scope.board.seats[scope.seat]


def cells(scope: Scope[Board], wanted: w.Filter) -> tuple[tuple[int, Cell], ...]:
    """Return the cells of the own timeline that match, in order."""
    one, card = own(scope), scope.frame.card
    around: tuple[int, ...] = ()
    if wanted.adjacent_to_self and card is not None and (at := one.where(card)) is not None:
        around = neighbours(at)
    return tuple(
        [
            (at, cell)
            for at, cell in one.cells()
            if (not wanted.adjacent_to_self or at in around)
            and (not wanted.only_self or cell.card == card)
            and not (wanted.exclude_self and cell.card == card)
            and (wanted.min_knowledge is None or cell.knowledge >= wanted.min_knowledge)
            and (wanted.max_knowledge is None or cell.knowledge <= wanted.max_knowledge)
            and (wanted.space is None or space_of(at) in wanted.space)
            and is_builder(cell.card, wanted)
        ]
    )


def is_builder(card: CardId, wanted: w.Filter | w.OnEvent) -> bool:
    """Tell whether a builder card is of the kind and category asked for."""
    facts = BUILDER[card]
    if wanted.kind is not None and facts.kind != wanted.kind:
        return False
    return wanted.category is None or facts.category == wanted.category


def count(scope: Scope[Board], wanted: w.Filter) -> int:
    """Return the number of cards that match."""
    one = own(scope)
    match wanted.zone:
        case "own_timeline":
            return len(cells(scope, wanted))
        case "own_past":
            return sum(
                [
                    is_builder(card.card, wanted)
                    and (wanted.timing is None or BUILDER[card.card].timing.value == wanted.timing)
                    and (wanted.rotated is None or card.rotated == wanted.rotated)
                    for card in one.past
                ]
            )
        case "own_technologies":
            return sum(
                [
                    wanted.tech_type is None or TECHNOLOGY[card].tech_type == wanted.tech_type
                    for card in one.techs
                ]
            )
        case "own_artifacts":
            return len(one.artifacts)
        case "own_hand":
            return len(one.hand)
        case _:
            raise TypeError(f"nothing counts cards in {wanted.zone}")


def amount(scope: Scope[Board], value: w.Amount) -> int:
    """Return what an amount is worth now."""
    match value:
        case int():
            return value
        case w.Count(of=of):
            return count(scope, of)
        case w.KnowledgeOn(of=of):
            return sum([cell.knowledge for _, cell in cells(scope, of)])
        case w.LostKnowledge():
            return own(scope).lost
        case w.LostThisDecline():
            return scope.board.declined_lost
        case w.RotatedNow():
            return len(scope.frame.picks("rotated"))
        case w.FreeSlots(space=space):
            return own(scope).free(space)
        case w.MinOf(of=of):
            return min([amount(scope, one) for one in of])
        case w.MaxOf(of=of):
            return max([amount(scope, one) for one in of])
        case w.Times(factor=factor, of=of):
            return factor * amount(scope, of)
        case w.FloorDiv(by=by, of=of):
            return amount(scope, of) // by
        case w.Steps(of=of, table=table):
            reached = amount(scope, of)
            return max([result for threshold, result in table if reached >= threshold], default=0)
        case w.AnyNumber(max=most):
            return -1 if most is None else amount(scope, most)
        case w.Bound(name=name):
            return len(scope.frame.picks(name))
        case _:
            assert_never(value)


def holds(scope: Scope[Board], condition: w.Condition) -> bool:
    """Tell whether a condition holds now."""
    match condition:
        case w.AtLeast(left=left, right=right):
            return amount(scope, left) >= right
        case w.AtMost(left=left, right=right):
            return amount(scope, left) <= right
        case w.Exactly(left=left, right=right):
            return amount(scope, left) == right
        case w.All(all=conditions):
            return all(holds(scope, one) for one in conditions)
        case _:
            assert_never(condition)


def active_modifiers(scope: Scope[Board], mod: str) -> tuple[w.Modify, ...]:
    """Return the modifications of that kind by the owner's active cards, conditions met."""
    found = []
    for card in own(scope).active():
        modify = MODIFIERS.get(card)
        if modify is None or modify.mod != mod:
            continue
        if modify.cond is None or holds(scope, modify.cond):
            found.append(modify)
    return tuple(found)


def is_learnable(scope: Scope[Board], tech: CardId) -> bool:
    """Tell whether the requirement of a technology is met, with one value lowered if a card may.

    A lowered value is one of an "at least" clause, by 1, not below 0 (rules 6.2, OQ-11).
    """
    requirement = TECHNOLOGY[tech].requirement
    if requirement is None:
        return True
    missed = [one for one in requirement.all if not holds(scope, one)]
    if not missed:
        return True
    if len(missed) > 1 or not active_modifiers(scope, "learn_requirement_value"):
        return False
    short = missed[0]
    return isinstance(short, w.AtLeast) and amount(scope, short.left) >= short.right - 1


def market(scope: Scope[Board], ignored: bool = False) -> tuple[tuple[int, CardId], ...]:
    """Return the displayed technologies that the owner could learn, with their tiles."""
    return tuple(
        [
            (at, tech)
            for at, tile in enumerate(scope.board.tiles)
            for tech in tile.techs
            if ignored or is_learnable(scope, tech)
        ]
    )


def movable(
    scope: Scope[Board], wanted: w.Filter, space: int | None
) -> tuple[tuple[CardId, int], ...]:
    """Return monuments and the other spaces with a free slot that each could move to.

    A declining monument never moves (rules 11.3).
    """
    one = own(scope)
    spaces = [to for to in SPACES if one.free(to) and space in (None, to)]
    return tuple(
        [
            (cell.card, to)
            for at, cell in cells(scope, wanted)
            if cell.card != scope.board.declining
            for to in spaces
            if to != space_of(at)
        ]
    )


def swappable(scope: Scope[Board], wanted: w.Filter) -> tuple[CardId, ...]:
    """Return the monuments that could be swapped; a declining one never is."""
    return tuple(
        [cell.card for _, cell in cells(scope, wanted) if cell.card != scope.board.declining]
    )


def could_do(scope: Scope[Board], effect: Effect) -> bool:
    """Tell whether an effect could do anything, judged by what everybody can see.

    Only effects that compete with others, or that may be left, are looked at more closely. Where
    only the hand could tell (does it hold two artifacts?), the answer is yes if its size
    allows it: the owner is asked and may find that there is nothing to pick.
    """
    one = own(scope)
    match effect:
        case w.If(cond=cond, then=then):
            return holds(scope, cond) and could_do(scope, then)
        case w.May(effect=inner):
            return could_do(scope, inner)
        case Seq(steps=steps):
            first = steps[0]
            if isinstance(first, w.Discard) and first.n != "all_remaining":
                return could_do(scope, first)
            return any(could_do(scope, step) for step in steps)
        case w.Draw(n=n):
            return amount(scope, n) > 0 and _can_draw(scope)
        case w.StealCard():
            rich = any(scope.board.seats[seat].hand for seat in _opponents(scope))
            return rich and one.room() > 0
        case w.RemoveKnowledge(n=n, target=target):
            return amount(scope, n) != 0 and any(cell.knowledge for _, cell in cells(scope, target))
        case w.DiscardLostKnowledge():
            return one.lost > 0
        case w.EachOpponent(effect=w.AddKnowledge()):
            return any(scope.board.seats[seat].cells() for seat in _opponents(scope))
        case w.EachOpponent(effect=w.Discard(source=source)):
            hand = source.zone == "opponent_hand"
            seats = [scope.board.seats[seat] for seat in scope.board.others(scope.seat)]
            return any(other.hand if hand else other.artifacts for other in seats)
        case w.Create(source=source):
            return source.zone != "own_hand" or (bool(one.hand) and has_slot(one, source.kind))
        case w.Learn(source="tech_market", requirements=requirements):
            return bool(market(scope, requirements == "ignored"))
        case w.Archive():
            return bool(one.hand) and one.knowledge() > 0
        case w.MoveMonument(target=target, space=space):
            return bool(movable(scope, target, space))
        case w.Swap(a=a, b=b):
            firsts, seconds = swappable(scope, a), swappable(scope, b)
            return bool(firsts) and len({*firsts, *seconds}) > 1
        case w.Discard(n=n, source=source, payment=payment):
            return _could_discard(scope, n, source, payment)
        case w.BottomCards(source=source) if source.zone == "tech_market":
            return bool(bottomable(scope, source))
        case w.ReplaceDraw(instead=instead):
            return could_do(scope, instead)
        case w.Score() | w.Modify() | w.EnterWithLess():
            return False
        case _:
            return True


def _can_draw(scope: Scope[Board]) -> bool:
    board = scope.board
    return own(scope).room() > 0 and bool(board.deck or board.discard)


def _opponents(scope: Scope[Board]) -> tuple[int, ...]:
    return scope.board.opponents(scope.seat)


def has_slot(one: SeatBoard, kind: str | None) -> bool:
    """Tell whether a card of the kind (either kind for `None`) would find a free place."""
    artifact = len(one.artifacts) < ARTIFACT_SLOTS
    monument = None in one.timeline
    return {"artifact": artifact, "monument": monument}.get(str(kind), artifact or monument)


def bottomable(scope: Scope[Board], wanted: w.Filter) -> tuple[tuple[int, CardId], ...]:
    """Return the displayed technologies of the level asked for, with their tiles."""
    return tuple(
        [
            (at, tech)
            for at, tile in enumerate(scope.board.tiles)
            for tech in tile.techs
            if wanted.level in (None, tile.level)
        ]
    )


def _could_discard(
    scope: Scope[Board], n: w.Amount | Literal["all_remaining"], source: w.Filter, payment: bool
) -> bool:
    one = own(scope)
    if n == "all_remaining":
        return True
    if source.zone == "own_hand":
        least = 1 if isinstance(n, w.AnyNumber) else amount(scope, n)
        return len(one.hand) >= (least if payment else 1)
    if source.zone == "own_artifacts":
        return scope.frame.card in one.artifacts if source.only_self else bool(one.artifacts)
    return bool(cells(scope, source))
