"""What each question offers a seat: one function for each question, options in sorted order.

Option ids are made of public words only, and options are sorted by them, so that neither tells how
cards lie. Ids: `play:P1868`, `discard:P1868`, a year, a card id, `seat:1`, `left`.
"""

from collections.abc import Callable, Mapping
from typing import Any

from domain.engine.agenda import Scope
from domain.engine.choices import Offer, Option
from domain.engine.codec import Frame
from domain.engine.effects import Question
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone, seen
from domain.games.chrononauts import words as w
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.timeline import fits, legal_linchpins


def is_playable(board: Board, seat: Seat, card: CardId) -> bool:
    """Tell whether the seat could play the card now, wherever it comes from.

    A card whose effect has no legal target cannot be played, only discarded (rules 4).
    """
    play = board.card(card)
    if play.out_of_turn:
        return False
    if play.kind is w.Kind.PATCH:
        line = board.timeline
        if play.year not in line.paradoxes or play.year in line.patched:
            return False
        if not line.reachable(play.year):
            return False
        if not play.requires or fits(line, play.requires):
            return True
        return board.options.misfit_1945 == "wasted"
    if play.requires and not fits(board.timeline, play.requires):
        return False
    if not play.targets and not play.needs:
        return True
    frame = Frame(seat, card, (), {})
    scope = Scope(board, seat, frame)
    for question in (*(ask.question for ask in play.targets), *play.needs):
        offer = OFFERS[type(question)](scope, question)
        if not offer.options and not offer.always:
            return False
    return True


def _cards(zone: Zone) -> tuple[CardId, ...]:
    """Return the different cards of a zone that is seen, in order of id."""
    return tuple(sorted(set(seen(zone))))


def _which_play(scope: Scope[Board], question: w.WhichPlay) -> Offer:
    one = scope.board.seats[scope.seat]
    cards = _cards(one.small[-1] if question.small else one.hand)
    playable = [card for card in cards if is_playable(scope.board, scope.seat, card)]
    options = [Option(f"discard:{card}", card=card) for card in cards]
    options += [Option(f"play:{card}", card=card) for card in playable]
    return Offer(tuple(options))


def _second_discard(scope: Scope[Board], question: w.SecondDiscard) -> Offer:
    if scope.board.options.kill_time == "draw-first" and not question.drawn:
        return Offer((Option("kill_time"),), min=0)
    cards = _cards(scope.board.seats[scope.seat].hand)
    options = tuple(Option(f"discard:{card}", card=card) for card in cards)
    return Offer(options, min=1 if question.drawn else 0)


def _which_linchpin(scope: Scope[Board], _: w.WhichLinchpin) -> Offer:
    assert scope.frame.card is not None
    board = scope.board
    card = board.card(scope.frame.card)
    line = board.timeline
    years = legal_linchpins(
        card.turns, card.toward, board.options.restoring_targets, line.altered, line.war
    )
    return Offer(tuple([_YEAR[year] for year in years]))


_YEAR = {year: Option(str(year)) for year in range(1800, 2100)}


def _which_artifact(scope: Scope[Board], question: w.WhichArtifact) -> Offer:
    cards = sorted(
        card
        for seat, card in scope.board.on_table()
        if question.whose == "any" or (seat == scope.seat) == (question.whose == "own")
    )
    return Offer(tuple([Option(card, card=card) for card in cards]))


def _which_player(scope: Scope[Board], question: w.WhichPlayer) -> Offer:
    own_only = question.mission and scope.board.options.new_mission_target == "self"
    seats = [
        seat
        for seat, one in enumerate(scope.board.seats)
        if not one.gone and (seat == scope.seat or not own_only)
    ]
    return Offer(tuple([Option(f"seat:{seat}") for seat in seats]))


def _which_direction(scope: Scope[Board], _: w.WhichDirection) -> Offer:
    if scope.board.options.discontinuity == "left":
        return Offer((Option("left"),))
    return Offer((Option("left"), Option("right")))


def _fetch(scope: Scope[Board], question: w.Fetch) -> Offer:
    board = scope.board
    pile = board.draw.cards if question.source == "draw" else board.draw.discards
    cards = _cards(pile)
    options = tuple(
        Option(f"play:{card}", card=card)
        for card in cards
        if board.card(card).kind is not w.Kind.TIMEWARP and is_playable(board, scope.seat, card)
    )
    if question.source == "discard":
        return Offer(options)
    # The searcher sees the whole pile even where nothing in it can be played, so that the question
    # itself tells nobody else anything (rules 14, 20).
    shown = tuple(sorted(seen(pile)))
    return Offer(options, always=bool(pile), shown=shown)


def _respond(scope: Scope[Board], _: w.Respond) -> Offer:
    one = scope.board.seats[scope.seat]
    options = [
        Option(f"{source}:{card}", card=card)
        for source, zone in (("hand", one.hand), ("small", one.small[-1] if one.small else ()))
        for card in _cards(zone)
        if scope.board.card(card).out_of_turn
    ]
    return Offer(tuple(options), min=0, max=1, always=True)


def _which_small_discard(scope: Scope[Board], _: w.WhichSmallDiscard) -> Offer:
    cards = _cards(scope.board.seats[scope.seat].small[-1])
    return Offer(tuple(Option(f"discard:{card}", card=card) for card in cards))


def _whether_to_swap(_scope: Scope[Board], _: w.WhetherToSwap) -> Offer:
    return Offer((Option("swap"),), min=0)


# Each function takes its own question class.
OFFERS: Mapping[type[Question], Callable[[Scope[Board], Any], Offer]] = {
    w.WhichPlay: _which_play,
    w.SecondDiscard: _second_discard,
    w.WhichLinchpin: _which_linchpin,
    w.WhichArtifact: _which_artifact,
    w.WhichPlayer: _which_player,
    w.WhichDirection: _which_direction,
    w.Fetch: _fetch,
    w.Respond: _respond,
    w.WhichSmallDiscard: _which_small_discard,
    w.WhetherToSwap: _whether_to_swap,
}
