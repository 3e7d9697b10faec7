"""What can be pending: what may be left of a turn, a grant and a play, one upon the other."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Final, get_args

from domain.engine.codec import Frame
from domain.engine.effects import Ask, Effect
from domain.engine.events import Fact
from domain.engine.ids import CardId
from domain.engine.remainders import Program, Remainders, is_bound, one_of, remainders
from domain.games.chrononauts import words as w
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.catalogue import catalogue
from domain.games.chrononauts.timeline import LINCHPINS
from domain.games.chrononauts.turn import OPENING, STEP, TURN, WINDOW

_SMALL: Final = 2
"""Cards that a Miracle can let its player play."""


def strange(board: Board, frames: Sequence[Frame]) -> Iterator[int]:
    """Yield the places of frames that the rules do not leave on this table, from the bottom."""
    plays = [(one.seat, one.card) for one in board.plays]
    under_way = 0
    for at, frame in enumerate(frames):
        is_announced = frame.card is not None and not _is_chosen(frame)
        is_left = _is_left(board, at, frame, top=at == len(frames) - 1)
        is_known = is_left and is_bound(frame.bound, _WORDS, most=1)
        if is_announced:
            is_known = is_known and plays[under_way : under_way + 1] == [(frame.seat, frame.card)]
            under_way += 1
        if not is_known or (_is_chosen(frame) and at < len(frames) - 1):
            yield at
    if under_way != len(plays) or _small_hands(frames) != len(board.seats[board.turn].small):
        yield len(frames) - 1


def _is_chosen(frame: Frame) -> bool:
    """Tell whether the card of a frame is not announced yet: its targets are being chosen."""
    return any(type(effect) is w.Announce for effect in frame.todo)


def _small_hands(frames: Sequence[Frame]) -> int:
    return sum(type(effect) is w.TakeBack for frame in frames for effect in frame.todo)


def _is_left(board: Board, at: int, frame: Frame, top: bool) -> bool:
    """Tell whether this can be left of what such a frame begins with."""
    if frame.card is None:
        programs = _turn(board) if at == 0 else _GRANTS
        return frame.seat == board.turn and programs.hold(frame.todo, top)
    card = board.cards.play.get(frame.card)
    if at == 0 or card is None or (frame.seat != board.turn and not card.out_of_turn):
        return False
    return _play(board.facts, frame.card).hold(frame.todo, top)


def _turn(board: Board) -> Remainders:
    turn = _STEP if board.options.variant == "solonauts" else _TURN
    return turn if board.turns else turn | _OPENING


@lru_cache(maxsize=1024)
def _play(facts: tuple[Fact, ...], card: CardId) -> Remainders:
    """Return what can be left of the play of a card."""
    play = catalogue(facts).play[card]
    programs = [(*play.targets, w.Announce(source)) for source in get_args(w.Source)]
    return remainders(programs, partial(_follows, card=play))


def _follows(effect: Effect, card: w.PlayCard | None = None) -> tuple[Program, ...]:
    """Return what the resolver of an effect may put in its place."""
    match effect:
        case w.Play(small=small):
            return ((Ask(w.WhichPlay(small), "play"), w.Played(small)),)
        case w.Played(small=small):
            killing: Program = (Ask(w.SecondDiscard(), "second"), w.KillTime())
            return ((w.Play(small),), *(() if small else (killing,)))
        case w.KillTime():
            return ((Ask(w.SecondDiscard(drawn=True), "second"), w.KillTime()),)
        case w.Announce():
            does = () if card is None or card.out_of_turn else (w.CarryOut(),)
            return ((*WINDOW, *does),)
        case w.Answered():
            return (WINDOW,)
        case w.CarryOut():
            says = () if card is None else card.does
            return ((*says, w.ToDiscard(), w.CheckUniverse()),)
        case w.PlayFetched(source=source):
            return ((Ask(w.Fetch(source), "fetch"), w.PlayFetched(source)),)
        case w.Miracle():
            discard = Ask(w.WhichSmallDiscard(), "small_discard")
            end = (discard, w.DiscardSmall(), w.TakeBack())
            return tuple((*(w.Play(small=True),) * n, *end) for n in range(1, _SMALL + 1))
        case _:
            return ()


_TURN = remainders([TURN], _follows)
_STEP = remainders([STEP], _follows)
_OPENING = remainders([OPENING], _follows)
_GRANTS = remainders(
    [
        (w.Play(),) * effect.n
        for card in catalogue().play.values()
        for effect in card.does
        if isinstance(effect, w.GrantPlays)
    ],
    _follows,
)
_CARD = one_of(catalogue().play)
_WORDS = {
    "play": re.compile(f"(?:play|discard):{_CARD}"),
    "second": re.compile(f"kill_time|discard:{_CARD}"),
    "linchpin": re.compile(one_of(map(str, LINCHPINS))),
    "artifact": re.compile(_CARD),
    "player": re.compile("seat:[0-5]"),
    "direction": re.compile("left|right"),
    "fetch": re.compile(f"play:{_CARD}"),
    "small_discard": re.compile(f"discard:{_CARD}"),
    "answer@": re.compile(f"(?:hand|small):{_CARD}"),
    "swap@": re.compile("swap"),
}
"""What can be picked, by the name under which it is remembered."""
