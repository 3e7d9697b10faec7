"""Why things happen, and why a card cannot be played now: by paragraph of the rules.

Paragraph numbers are those of `docs/rules/chrononauts.md`.
"""

from collections.abc import Iterator, Mapping

from domain.engine.agenda import Scope
from domain.engine.choices import Choice
from domain.engine.codec import Frame
from domain.engine.effects import Question
from domain.engine.game import Refused, Rulebook
from domain.engine.ids import CardId
from domain.engine.match import Match
from domain.engine.zones import seen
from domain.games.chrononauts import words as w
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.offers import OFFERS
from domain.games.chrononauts.timeline import fits

RULES = Rulebook(
    events={
        "match.created": "2",
        "match.started": "2",
        "match.seat_conceded": "20",
        "match.finished": "10",
        "choice.expired": "12",
        "chrononauts.set_up": "2",
        "chrononauts.identity_swapped": "2",
        "chrononauts.turn_started": "3",
        "chrononauts.cards_drawn": "3",
        "chrononauts.draw_pile_shuffled": "13",
        "chrononauts.card_played": "4",
        "chrononauts.play_ended": "4",
        "chrononauts.card_discarded": "3",
        "chrononauts.linchpin_turned": "5",
        "chrononauts.point_patched": "6",
        "chrononauts.patch_nullified": "6",
        "chrononauts.artifact_taken": "14",
        "chrononauts.artifact_discarded": "14",
        "chrononauts.hand_set_aside": "14",
        "chrononauts.hand_taken_back": "14",
        "chrononauts.hands_moved": "14",
        "chrononauts.secret_replaced": "14",
        "chrononauts.secret_shown": "10",
        "chrononauts.secrets_shuffled": "13",
        "chrononauts.character_home": "16",
        "chrononauts.universe_destroyed": "8",
        "chrononauts.victory_claimed": "10",
        "chrononauts.seat_left": "20",
    },
    prompts={
        "artifact": "14",
        "direction": "14",
        "fetch": "14",
        "kill_time": "3",
        "linchpin": "5",
        "play": "3",
        "player": "14",
        "respond": "12",
        "small_discard": "14",
        "swap_identity": "2",
    },
    refusals={
        "answer_only": "12",
        "no_answer": "12",
        "no_open_paradox": "6",
        "patched_already": "6",
        "sides_do_not_fit": "7",
        "out_of_reach": "9",
        "condition_not_met": "15",
        "no_linchpin": "5",
        "no_artifact": "14",
        "no_target": "4",
        "nothing_to_fetch": "14",
        "not_to_be_fetched": "14",
    },
)


def refused(match: Match[Board], choice: Choice) -> Iterator[Refused]:
    """Yield the cards that the seat cannot play in answer to the choice, and why not."""
    offered = {option.card for option in choice.options if not option.id.startswith("discard:")}
    answering = choice.prompt == "respond"
    for card in sorted(_within_reach(match.board, choice) - offered):
        code = "no_answer" if answering else _why_not(match.board, choice, card)
        yield Refused("respond" if answering else "playCard", card, code)


def _within_reach(board: Board, choice: Choice) -> set[CardId]:
    """Return the cards that the choice is about."""
    match choice.prompt:
        case "play":
            return {option.card for option in choice.options if option.card is not None}
        case "fetch":
            # Only a draw pile is shown, and an empty one is not searched; discards lie open.
            return set(choice.shown or board.draw.discards)
        case "respond":
            one = board.seats[choice.seat]
            return {*seen(one.hand), *(card for small in one.small for card in seen(small))}
        case _:
            return set()


def _why_not(board: Board, choice: Choice, card: CardId) -> str:
    """Return the first reason that `offers.is_playable` would find."""
    play, line = board.card(card), board.timeline
    if play.out_of_turn:
        return "answer_only"
    if choice.prompt == "fetch" and play.kind is w.Kind.TIMEWARP:
        return "not_to_be_fetched"
    if play.kind is w.Kind.PATCH:
        if not line.reachable(play.year):
            return "out_of_reach"
        if play.year not in line.paradoxes:
            return "no_open_paradox"
        return "patched_already" if play.year in line.patched else "sides_do_not_fit"
    if play.requires and not fits(line, play.requires):
        return "condition_not_met"
    scope = Scope(board, choice.seat, Frame(choice.seat, card, (), {}))
    for question in (*(ask.question for ask in play.targets), *play.needs):
        offer = OFFERS[type(question)](scope, question)
        if not offer.options and not offer.always:
            return _MISSING.get(type(question), "no_target")
    return "no_target"


_MISSING: Mapping[type[Question], str] = {
    w.WhichLinchpin: "no_linchpin",
    w.WhichArtifact: "no_artifact",
    w.Fetch: "nothing_to_fetch",
}
