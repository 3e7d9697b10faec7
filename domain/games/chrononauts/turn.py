"""The course of a match: setup, turns, plays and their windows, the end.

A turn is a program like any card (`TURN`). A play is one frame: its targets, `Announce`, the
window (`Ask` everybody else, holders of a Memo or not), `Answered`, `CarryOut`. A Memo that answers
it is a frame on top with a window of its own, so a chain of Memos unwinds like any nested play.
"""

from typing import Literal

from msgspec.structs import replace

from domain.engine.agenda import Run
from domain.engine.effects import Ask, Effect, Who
from domain.engine.events import Outcome
from domain.engine.ids import CardId, Seat
from domain.engine.zones import seen
from domain.games.chrononauts import events as e
from domain.games.chrononauts import words as w
from domain.games.chrononauts.board import Board, PlayUnderWay, SeatBoard
from domain.games.chrononauts.victory import is_home, ways_to_win

TURN: tuple[Effect, ...] = (w.Draw(1), w.Play(), w.EndTurn())
STEP: tuple[Effect, ...] = (w.Play(), w.EndStep())
WINDOW: tuple[Effect, ...] = (
    Ask(w.Respond(), "answer", who=Who.OTHERS, window=True),
    w.Answered(),
)
OPENING: tuple[Effect, ...] = (Ask(w.WhetherToSwap(), "swap", who=Who.ALL), w.SwapIdentities())
HAND = 3

_ALL_KINDS = tuple(w.Kind)
_KINDS = {
    "standard": _ALL_KINDS,
    "artifaxx": (w.Kind.ARTIFACT, w.Kind.ACTION, w.Kind.TIMEWARP),
    "solonauts": (w.Kind.INVERTER, w.Kind.PATCH),
}


def start(run: Run[Board]) -> None:
    """Shuffle, deal, pick who begins, and put the first turn on the agenda (rules 2, 16)."""
    board, chance = run.board, run.chance()
    cards, options = board.cards, board.options
    solo, artifaxx = options.variant == "solonauts", options.variant == "artifaxx"
    pack = chance.shuffled(deck(board))
    identities = () if artifaxx else chance.shuffled(cards.identities)
    missions = () if solo else chance.shuffled(cards.missions)
    count, size = len(board.seats), options.solo_hand if solo else HAND
    seats = tuple(
        SeatBoard(
            hand=pack[seat * size : (seat + 1) * size],
            identity=() if solo or artifaxx else identities[seat : seat + 1],
            mission=missions[seat : seat + 1],
        )
        for seat in range(count)
    )
    first = chance.below(count)
    run.emit(
        e.SetUp(
            seats=seats,
            draw=pack[count * size :],
            identities=() if solo else identities[count:],
            missions=missions[count:],
            turn=first,
            waiting=identities[: options.solo_characters] if solo else (),
        )
    )
    if options.courtesy_swap and not solo and not artifaxx:
        run.push(first, OPENING)
    else:
        begin_turn(run, first)


def deck(board: Board) -> tuple[CardId, ...]:
    """Return every play card that the variant plays with (rules 16)."""
    variant = board.options.variant
    return tuple(
        card
        for card in board.cards.deck(_KINDS[variant])
        if not (variant == "artifaxx" and _aims_at_identities(board, card))
    )


def _aims_at_identities(board: Board, card: CardId) -> bool:
    return w.NewSecret("identity") in board.card(card).does


def swap_identities(run: Run[Board], _: w.SwapIdentities) -> None:
    """Swap one after the other, in order of seat; what is given back goes under the pile."""
    frame = run.frame
    for seat in run.live():
        if frame.picks(f"swap@{seat}"):
            pile = run.board.identities.cards
            back = run.board.seats[seat].identity
            run.emit(e.IdentitySwapped(seat=seat, drawn=pile[:1], pile=pile[1:] + back))
    first = frame.seat
    begin_turn(run, next_seat(run.board, first) if run.board.seats[first].gone else first)


def begin_turn(run: Run[Board], seat: Seat) -> None:
    """Leave whatever was on the agenda behind and begin this seat's turn."""
    run.agenda.clear()
    run.emit(e.TurnStarted(seat=seat))
    run.push(seat, STEP if run.board.options.variant == "solonauts" else TURN)


def draw(run: Run[Board], seat: Seat, count: int, small: bool = False) -> None:
    """Draw one pile after the other: the discards are shuffled in when a card has to be drawn.

    With fewer cards than called for, take what there is (rules 13). Solonauts never reshuffles.
    """
    solo = run.board.options.variant == "solonauts"
    while count > 0:
        pile = run.board.draw
        if not pile.cards:
            if solo or not pile.discards:
                return
            run.emit(e.DrawPileShuffled(cards=run.chance().shuffled(pile.discards), discards=True))
            continue
        cards = pile.cards[:count]
        run.emit(e.CardsDrawn(seat=seat, cards=cards, small=small, open=solo))
        count -= len(cards)


def draw_effect(run: Run[Board], effect: w.Draw) -> None:
    """Draw into the main hand, wherever the card that says so came from."""
    draw(run, run.frame.seat, effect.n)


def play(run: Run[Board], effect: w.Play) -> None:
    """Ask which card to play or discard; with no card in hand the play is skipped (rules 20)."""
    one = run.board.seats[run.frame.seat]
    if one.small[-1] if effect.small else one.hand:
        run.prepend(Ask(w.WhichPlay(effect.small), "play"), w.Played(effect.small))


def played(run: Run[Board], effect: w.Played) -> None:
    """Discard, or push the frame of a play."""
    frame = run.frame
    pick = frame.pick("play")
    assert pick is not None, "a play is compulsory"
    verb, card = pick.split(":")
    if verb == "play":
        push_play(run, frame.seat, card, "small" if effect.small else "hand")
        return
    run.emit(e.CardDiscarded(seat=frame.seat, card=card, small=effect.small))
    solo = run.board.options.variant == "solonauts"
    if not effect.small and not solo and run.board.seats[frame.seat].hand:
        run.prepend(Ask(w.SecondDiscard(), "second"), w.KillTime())


def kill_time(run: Run[Board], _: w.KillTime) -> None:
    """Discard the second card and draw one; or, by option, draw and then discard (rules 3, 18)."""
    frame = run.frame
    pick = frame.pick("second")
    if pick is None:
        return
    if pick == "kill_time":
        draw(run, frame.seat, 1)
        run.prepend(Ask(w.SecondDiscard(drawn=True), "second"), w.KillTime())
        return
    run.emit(e.CardDiscarded(seat=frame.seat, card=pick.removeprefix("discard:")))
    if run.board.options.kill_time == "discard-first":
        draw(run, frame.seat, 1)


def push_play(run: Run[Board], seat: Seat, card: CardId, source: w.Source) -> None:
    """Put the play of a card on the agenda: targets first, then its announcement."""
    run.push(seat, (*run.board.card(card).targets, w.Announce(source)), card)


def announce(run: Run[Board], effect: w.Announce) -> None:
    """Announce the card of the frame and ask everybody else for an answer (rules 4, 12)."""
    frame = run.frame
    assert frame.card is not None
    card = run.board.card(frame.card)
    targets = {ask.bind: frame.picks(ask.bind)[0] for ask in card.targets}
    run.emit(e.CardPlayed(seat=frame.seat, card=card.id, source=effect.source, targets=targets))
    run.prepend(*WINDOW, *(() if card.out_of_turn else (w.CarryOut(),)))


def choose_anew(run: Run[Board]) -> None:
    """Take back the choice of a card that is not announced yet, if there is one."""
    last = run.frame.todo[-1]
    if not isinstance(last, w.Announce):
        return
    run.agenda.pop()
    if last.source in ("hand", "small"):
        run.prepend(w.Play(small=last.source == "small"))
    else:
        run.prepend(Ask(w.Fetch(last.source), "fetch"), w.PlayFetched(last.source))


def answered(run: Run[Board], _: w.Answered) -> None:
    """Let the first Memo count, asked from the active player's left, and open a window on it."""
    frame, count = run.frame, len(run.board.seats)
    for step in range(1, count + 1):
        seat = (run.board.turn + step) % count
        pick = frame.pick(f"answer@{seat}")
        if pick is not None and not run.board.seats[seat].gone:
            source, card = pick.split(":")
            push_play(run, seat, card, "small" if source == "small" else "hand")
            return


def carry_out(run: Run[Board], _: w.CarryOut) -> None:
    """Unwind the Memos on the play of the frame; an even number of them lets it happen."""
    frame = run.frame
    assert frame.card is not None
    plays = run.board.plays
    at = max(
        index
        for index, one in enumerate(plays)
        if one.seat == frame.seat and one.card == frame.card
    )
    happens = True
    for memo in reversed(plays[at + 1 :]):
        happens = not (happens and not run.board.seats[memo.seat].gone)
        run.emit(e.PlayEnded(seat=memo.seat, card=memo.card))
    if not happens:
        run.emit(e.PlayEnded(seat=frame.seat, card=frame.card, cancelled=True))
        run.agenda[-1] = replace(frame, todo=())
        return
    card = run.board.card(frame.card)
    match card.kind:
        case w.Kind.PATCH:
            run.prepend(w.LayPatch())
        case w.Kind.ARTIFACT:
            run.prepend(w.ToTable())
        case w.Kind.INVERTER | w.Kind.ACTION | w.Kind.TIMEWARP:
            run.prepend(*card.does, w.ToDiscard(), w.CheckUniverse())


def to_discard(run: Run[Board], _: w.ToDiscard) -> None:
    """Put the card of the frame on the discard pile."""
    _end_play(run, run.board.plays[-1], "discard")


def to_table(run: Run[Board], _: w.ToTable) -> None:
    """Put the artifact of the frame in front of its player."""
    _end_play(run, run.board.plays[-1], "table")


def _end_play(run: Run[Board], one: PlayUnderWay, to: Literal["discard", "table"]) -> None:
    run.emit(e.PlayEnded(seat=one.seat, card=one.card, to=to))


def check_universe(run: Run[Board], _: w.CheckUniverse) -> None:
    """End the match for everybody if too many paradoxes are open (rules 8)."""
    limit, open_years = run.board.options.paradox_limit, run.board.timeline.open
    if limit and len(open_years) >= limit:
        run.emit(e.UniverseDestroyed(open=open_years))
        end(run, (), "universe_destroyed")


def end(run: Run[Board], winners: tuple[Seat, ...], *reasons: str) -> None:
    """End the match; Solonauts reports how many got home (rules 16)."""
    solo = run.board.options.variant == "solonauts"
    scores = (len(run.board.home),) if solo else ()
    run.end(Outcome(winners=winners, reasons=reasons, scores=scores))


def end_turn(run: Run[Board], _: w.EndTurn) -> None:
    """Check the victory of the active seat, and nobody else's; then the next seat's turn."""
    board, seat = run.board, run.frame.seat
    ways = ways_to_win(board, seat)
    if ways:
        run.emit(e.VictoryClaimed(seat=seat, ways=ways))
        for which in ("identity", "mission"):
            way = "home" if which == "identity" else "mission"
            if way in ways:
                run.emit(_show(board.seats[seat], seat, which))
        end(run, (seat,), *ways)
    else:
        pass_turn(run, seat)


def pass_turn(run: Run[Board], seat: Seat) -> None:
    """Begin the turn of the next seat, unless this was the last turn that the match may have."""
    cap = run.board.options.turn_cap
    if cap and run.board.turns >= cap:
        end(run, (), "turn_cap")
    else:
        begin_turn(run, next_seat(run.board, seat))


def _show(one: SeatBoard, seat: Seat, which: str) -> e.SecretShown:
    if which == "identity":
        return e.SecretShown(which="identity", seat=seat, card=seen(one.identity)[0])
    return e.SecretShown(which="mission", seat=seat, card=seen(one.mission)[0])


def next_seat(board: Board, seat: Seat) -> Seat:
    """Return the next seat to the left that has not conceded."""
    count = len(board.seats)
    return next(
        (seat + step) % count
        for step in range(1, count + 1)
        if not board.seats[(seat + step) % count].gone
    )


def end_step(run: Run[Board], _: w.EndStep) -> None:
    """Solonauts: bring home whoever can go, refill the hand, win or lose (rules 16)."""
    for character in run.board.waiting:
        if is_home(run.board, run.board.cards.identities[character].years):
            run.emit(e.CharacterHome(card=character))
    board = run.board
    if not board.waiting:
        end(run, (0,), "all_home")
        return
    draw(run, 0, max(0, board.options.solo_hand - len(board.seats[0].hand)))
    if not run.board.seats[0].hand:
        end(run, (), "cards_ran_out")
        return
    pass_turn(run, 0)
