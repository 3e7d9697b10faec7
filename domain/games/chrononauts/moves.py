"""Named moves: what clients send instead of picks, and the picks that each stands for.

| move | answers | arguments |
|---|---|---|
| playCard | play, fetch | card and target: linchpin (year), artifact, player (seat), direction |
| discardCards | play, small_discard | cards (one, and no second one to kill time) |
| killTime | play, kill_time | cards: both; drawing first, the first one; then the second one |
| respond | respond | card (`null`: pass), source where both hands hold one |
"""

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from domain.engine.agenda import Scope
from domain.engine.choices import Choice, Option
from domain.engine.codec import Frame
from domain.engine.game import Move
from domain.engine.ids import CardId, Json, Picks
from domain.engine.match import Match
from domain.engine.zones import seen
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.offers import OFFERS


def moves(match: Match[Board], choice: Choice) -> tuple[Move, ...]:
    """Return every named move that answers the choice, complete and ready to send."""
    return tuple(_moves(match.board, choice))


def translate(
    match: Match[Board], choice: Choice, type: str, arguments: Mapping[str, Json]
) -> tuple[Picks, ...] | None:
    """Return the steps of a named move, or `None` if it does not answer the choice."""
    for move in _moves(match.board, choice):
        if move.is_meant_by(type, arguments):
            return move.steps
        if move.type == "killTime" and _turned_round(move).is_meant_by(type, arguments):
            return move.steps[::-1]
    return None


def _turned_round(move: Move) -> Move:
    """Return the move with both discards of killing time in the other order."""
    cards = move.arguments["cards"]
    assert isinstance(cards, list)
    return replace(move, arguments={"cards": cards[::-1]})


def _moves(board: Board, choice: Choice) -> Iterator[Move]:
    match choice.prompt:
        case "play" | "fetch":
            for option in choice.options:
                yield from _play_or_discard(board, choice, option)
            if choice.prompt == "play":
                yield from _kill_time(board, choice)
        case "kill_time":
            for option in choice.options:
                if option.card is not None:
                    yield Move("killTime", {"cards": [option.card]}, ((option.id,),))
        case "small_discard":
            for option in choice.options:
                yield Move("discardCards", {"cards": [option.card]}, ((option.id,),))
        case "respond":
            yield Move("respond", {"card": None}, ((),))
            for option in choice.options:
                yield Move("respond", _response(choice, option), ((option.id,),))
        case _:
            # Targets asked on their own, and the courtesy swap: `choose` is their move.
            return


def _response(choice: Choice, option: Option) -> dict[str, Json]:
    source = option.id.split(":")[0]
    both = len(choice.options) > 1
    return {"card": option.card, "source": source} if both else {"card": option.card}


def _play_or_discard(board: Board, choice: Choice, option: Option) -> Iterator[Move]:
    assert option.card is not None
    if option.id.startswith("discard:"):
        no_second: tuple[Picks, ...] = ((),) if _may_kill_time(board, choice) else ()
        yield Move("discardCards", {"cards": [option.card]}, ((option.id,), *no_second))
        return
    targets = list(_targets(board, choice, option.card))
    if not targets:
        yield Move("playCard", {"card": option.card}, ((option.id,),))
    for name, value, pick in targets:
        yield Move("playCard", {"card": option.card, name: value}, ((option.id,), (pick,)))


def _targets(board: Board, choice: Choice, card: CardId) -> Iterator[tuple[str, Json, str]]:
    """Yield argument, value and pick of each target; a card of this game has at most one."""
    scope = Scope(board, choice.seat, Frame(choice.seat, card, (), {}))
    for ask in board.card(card).targets:
        for option in OFFERS[type(ask.question)](scope, ask.question).options:
            yield ask.bind, _value(ask.bind, option.id), option.id


def _value(name: str, pick: str) -> Json:
    match name:
        case "linchpin":
            return int(pick)
        case "player":
            return int(pick.removeprefix("seat:"))
        case _:
            return pick


def _may_kill_time(board: Board, choice: Choice) -> bool:
    """Tell whether a discard now is followed by the question for a second one."""
    if board.options.variant == "solonauts" or choice.source is not None:
        return False
    return len(board.seats[choice.seat].hand) > 1


def _kill_time(board: Board, choice: Choice) -> Iterator[Move]:
    """Yield both discards of killing time, or the first one where a draw comes in between."""
    if not _may_kill_time(board, choice):
        return
    hand = sorted(seen(board.seats[choice.seat].hand))
    if board.options.kill_time == "draw-first":
        for card in sorted(set(hand)):
            yield Move("killTime", {"cards": [card]}, ((f"discard:{card}",), ("kill_time",)))
        return
    pairs = {(one, two) for at, one in enumerate(hand) for two in hand[at + 1 :]}
    for one, two in sorted(pairs):
        steps = ((f"discard:{one}",), (f"discard:{two}",))
        yield Move("killTime", {"cards": [one, two]}, steps)
