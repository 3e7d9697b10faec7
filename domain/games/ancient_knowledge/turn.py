"""The course of a match: setup, turns, the two phases, the end.

A turn is a program like any card (`TURN`): two actions, the timeline phase, the decline phase.
Each phase is a program too; what happens inside it (creations, moves, technologies, reactions) runs
on top and comes back to it, so nothing is special about a creation in mid-decline.
"""

from domain.engine.agenda import Run, Scope
from domain.engine.chance import Chance
from domain.engine.effects import Ask, Effect, Who
from domain.engine.events import Outcome
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone, seen
from domain.games.ancient_knowledge import events as e
from domain.games.ancient_knowledge import program as p
from domain.games.ancient_knowledge.amounts import could_do, own
from domain.games.ancient_knowledge.board import FLIP_AT, Board, SeatBoard, Tile
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY, effect_of
from domain.games.ancient_knowledge.offers import KEEP, card_scope
from domain.games.ancient_knowledge.reactions import reactions
from domain.games.ancient_knowledge.scoring import points
from domain.games.ancient_knowledge.supply import SHOWN, bottom, close_aside, draw, flip
from domain.games.ancient_knowledge.words import Timing

TURN: tuple[Effect, ...] = (
    p.Action(),
    p.Action(),
    p.TimelinePhase(),
    p.DeclinePhase(),
    p.EndTurn(),
)
OPENING: tuple[Effect, ...] = (
    Ask(p.WhichKept(), "keep", who=Who.ALL, revisable=True),
    p.HandsKept(),
)
DEALT = 10


def start(run: Run[Board]) -> None:
    """Shuffle, lay the technologies out, deal, pick who begins (rules 4)."""
    chance, count = run.chance(), len(run.board.seats)
    first = chance.below(count)
    deck = chance.shuffled(BUILDER)
    one = chance.shuffled(card.id for card in TECHNOLOGY.values() if card.level == 1)
    two = chance.shuffled(card.id for card in TECHNOLOGY.values() if card.level == 2)
    tiles = (Tile(1, one[:SHOWN]), Tile(1, one[SHOWN : 2 * SHOWN]), Tile(2, two[:SHOWN]))
    draft = run.board.options.starting_hands == "draft"
    if draft:
        hands: tuple[Zone, ...] = tuple(
            deck[seat * DEALT : (seat + 1) * DEALT] for seat in range(count)
        )
        deck = deck[count * DEALT :]
    else:
        hands, deck = _ready_made(chance, count)
    run.emit(
        e.SetUp(
            seats=tuple(SeatBoard(hand=hand) for hand in hands),
            deck=deck,
            tech_decks=(one[2 * SHOWN :], two[SHOWN:]),
            tiles=tiles,
            start=first,
        )
    )
    if draft:
        run.push(first, OPENING)
    else:
        _begin(run)


def _ready_made(chance: Chance, count: int) -> tuple[tuple[Zone, ...], tuple[CardId, ...]]:
    """Return a fixed hand for every seat, at random; unused ones are shuffled into the deck."""
    numbers = chance.shuffled(range(1, 5))[:count]
    hands = tuple(
        tuple(card.id for card in BUILDER.values() if card.starting_hand == number)
        for number in numbers
    )
    rest = [card.id for card in BUILDER.values() if card.starting_hand not in numbers]
    return hands, chance.shuffled(rest)


def hands_kept(run: Run[Board], _: p.HandsKept) -> None:
    """Give up what was not kept, all at once, then begin."""
    for seat, one in enumerate(run.board.seats):
        kept = run.frame.picks(f"keep@{seat}") or tuple(sorted(seen(one.hand)))[:KEEP]
        given = tuple(card for card in one.hand if card not in kept)
        run.emit(e.HandKept(seat=seat, cards=given))
    _begin(run)


def _begin(run: Run[Board]) -> None:
    first, count = run.board.start, len(run.board.seats)
    if run.board.options.extra_card:
        for step in range(2, count):
            draw(run, (first + step) % count, 1)
    seat = first if not run.board.seats[first].gone else _next_seat(run.board, first)[0]
    _begin_turn(run, seat)


def _begin_turn(run: Run[Board], seat: Seat) -> None:
    run.agenda.clear()
    run.emit(e.TurnStarted(seat=seat))
    run.push(seat, TURN)


def timeline_phase(run: Run[Board], _: p.TimelinePhase) -> None:
    """Take a snapshot of the active timeline effects; each is resolved once (rules 7)."""
    active = run.board.seats[run.frame.seat].active()
    waiting = tuple(card for card in active if BUILDER[card].timing is Timing.TIMELINE)
    run.prepend(p.AnyOrder(waiting))


def any_order(run: Run[Board], effect: p.AnyOrder) -> None:
    """Ask which waiting effect comes next, as long as one of them could do something."""
    frame = run.frame
    scope = Scope(run.board, frame.seat, frame)
    waiting = effect.waiting
    if not any(could_do(card_scope(scope, card), effect_of(card)) for card in waiting):
        return
    if len(waiting) == 1:
        run.push(frame.seat, (effect_of(waiting[0]),), waiting[0])
    else:
        run.prepend(Ask(p.WhichNext(waiting), "pick"), p.Picked(effect))


def next_picked(run: Run[Board], effect: p.AnyOrder) -> None:
    """Resolve the effect picked completely before the next one is asked for."""
    frame = run.frame
    pick = frame.pick("pick")
    if pick is None:
        return
    run.prepend(p.AnyOrder(tuple(card for card in effect.waiting if card != pick)))
    run.push(frame.seat, (effect_of(pick),), pick)


def decline_phase(run: Run[Board], _: p.DeclinePhase) -> None:
    """Decline space 1 and slide, unless the phase is skipped (rules 8)."""
    if not run.board.skip_decline:
        run.emit(e.DeclineStarted())
        run.prepend(p.NextDecline())


def next_decline(run: Run[Board], effect: p.NextDecline) -> None:
    """Let the next monument of space 1 decline; whatever has come to lie there declines too."""
    seat = run.frame.seat
    there = [cell.card for cell in run.board.seats[seat].timeline[:2] if cell is not None]
    if not there:
        waiting = reactions(run.board, seat, "decline_phase_end", None, run.frame)
        run.prepend(p.AnyOrder(waiting), p.Slide())
    elif len(there) == 1:
        _decline(run, there[0])
    else:
        run.prepend(Ask(p.WhichDeclines(), "pick"), p.Picked(effect))


def decline_picked(run: Run[Board], _: p.NextDecline) -> None:
    """Let the monument picked decline."""
    pick = run.frame.pick("pick")
    assert pick is not None
    _decline(run, pick)


def _decline(run: Run[Board], card: CardId) -> None:
    """The effect comes first: the monument still counts for the timeline, tokens and all."""
    seat = run.frame.seat
    run.emit(e.MonumentDeclining(seat=seat, card=card))
    run.prepend(p.Declined(card))
    if BUILDER[card].timing is Timing.DECLINE:
        run.push(seat, (effect_of(card),), card)


def declined(run: Run[Board], effect: p.Declined) -> None:
    """Move the monument to the past unless its effect has discarded it; look at the tiles."""
    one = own(Scope(run.board, run.frame.seat, run.frame))
    at = one.where(effect.card)
    if at is not None:
        cell = one.timeline[at]
        assert cell is not None
        run.emit(e.MonumentDeclined(seat=run.frame.seat, card=effect.card, lost=cell.knowledge))
    run.prepend(p.NextDecline())
    past = run.board.seats[run.frame.seat].past
    if len(past) >= FLIP_AT and not run.board.flipped:
        run.prepend(Ask(p.WhichTile(), "pick"), p.FlipTile())


def flip_tile(run: Run[Board], _: p.FlipTile) -> None:
    """Turn the tile picked (rules 9)."""
    pick = run.frame.pick("pick")
    assert pick is not None
    flip(run, int(pick.removeprefix("tile:")))


def slide(run: Run[Board], _: p.Slide) -> None:
    """Slide every monument one space; the phase is over."""
    run.emit(e.TimelineSlid(seat=run.frame.seat))


def end_turn(run: Run[Board], _: p.EndTurn) -> None:
    """Pass the turn, or score when everybody has had the same number of turns (rules 10)."""
    _pass_turn(run, run.frame.seat)


def _pass_turn(run: Run[Board], seat: Seat) -> None:
    board = run.board
    following, round_over = _next_seat(board, seat)
    capped = 0 < board.options.turn_cap <= board.turns
    if capped or (board.last_round and round_over):
        reason = "fourteen_monuments" if board.last_round else "turn_cap"
        run.end(_outcome(board, reason))
    else:
        _begin_turn(run, following)


def _next_seat(board: Board, seat: Seat) -> tuple[Seat, bool]:
    """Return the next seat that plays, and whether a new round begins with it."""
    count = len(board.seats)
    order = [(seat + step) % count for step in range(1, count + 1)]
    steps = next(at for at, other in enumerate(order) if not board.seats[other].gone)
    return order[steps], board.start in order[: steps + 1]


def _outcome(board: Board, reason: str) -> Outcome:
    """Return the outcome: most points, then fewest lost tokens, then shared (rules 10, OQ-25)."""
    scores = tuple(sum(points(board, seat).values()) for seat in range(len(board.seats)))
    ranks = {
        seat: (-scores[seat], one.lost) for seat, one in enumerate(board.seats) if not one.gone
    }
    best = min(ranks.values())
    winners = tuple(seat for seat, rank in ranks.items() if rank == best)
    return Outcome(winners=winners, reasons=(reason,), scores=scores)


def concede(run: Run[Board], seat: Seat) -> None:
    """Take a seat out of play: its turns are skipped, its cards stay out of play (OQ-34)."""
    run.emit(e.SeatLeft(seat=seat))
    left = run.live()
    if len(left) == 1:
        run.end(Outcome(winners=left, reasons=("last_one_left",)))
    elif run.board.turns and run.board.turn == seat:
        for aside in reversed(run.board.asides):
            close_aside(run) if aside.deck == "builder" else _put_back(run)
        _pass_turn(run, seat)


def _put_back(run: Run[Board]) -> None:
    aside = run.board.asides[-1]
    for tech in seen(aside.cards):
        bottom(run, aside.seat, tech, aside=True)
    close_aside(run)
