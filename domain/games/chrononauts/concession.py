"""What is left of a match when a seat leaves it (rules 20, "Leaving the game")."""

from domain.engine.agenda import Run
from domain.engine.ids import Seat
from domain.engine.zones import seen
from domain.games.chrononauts import events as e
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.turn import WINDOW, choose_anew, end, pass_turn


def concede(run: Run[Board], seat: Seat) -> None:
    """Take a seat out of play.

    Its cards go to their discards. On its own turn everything under way comes to nothing and the
    turn passes. On somebody else's, a Memo of its comes to nothing: the one that waits for answers
    goes at once and the card beneath it may be answered anew; one further down counts as cancelled,
    and goes as soon as nothing lies on it. A card whose target is still being chosen was not
    announced yet: its player chooses anew, whatever card it is, so that nobody learns which one had
    its targets among what has left.
    """
    board = run.board
    one = board.seats[seat]
    hand = seen(one.hand) + tuple(card for small in one.small for card in seen(small))
    run.emit(
        e.SeatLeft(seat=seat, hand=hand, identity=seen(one.identity), mission=seen(one.mission))
    )
    left = run.live()
    if len(left) == 1:
        _drop_plays(run)
        end(run, left, "last_one_left")
    elif not left:
        end(run, (), "conceded")
    elif board.turn == seat:
        _drop_plays(run)
        if run.board.turns:
            pass_turn(run, seat)
    elif board.plays and board.plays[-1].seat == seat:
        while run.board.seats[(memo := run.board.plays[-1]).seat].gone:
            run.emit(e.PlayEnded(seat=memo.seat, card=memo.card, cancelled=True))
            run.agenda.pop()
        run.prepend(*WINDOW)
    else:
        choose_anew(run)


def _drop_plays(run: Run[Board]) -> None:
    for one in reversed(run.board.plays):
        run.emit(e.PlayEnded(seat=one.seat, card=one.card, cancelled=True))
