"""Why things happen, and why a move cannot be made now: by paragraph of the rules.

Paragraph numbers are those of `docs/rules/ancient_knowledge.md`.
"""

from collections.abc import Iterator
from typing import Final

from domain.engine.choices import Choice
from domain.engine.effects import Seq
from domain.engine.game import Refused, Rulebook
from domain.engine.ids import CardId
from domain.engine.match import Match
from domain.engine.zones import seen
from domain.games.ancient_knowledge import words as w
from domain.games.ancient_knowledge.amounts import has_slot, is_builder
from domain.games.ancient_knowledge.board import Board, SeatBoard
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY, effect_of

WRONG_PAYMENT: Final = "wrong_payment"
WRONG_TOKENS: Final = "wrong_tokens"

RULES = Rulebook(
    events={
        "match.created": "4",
        "match.started": "4",
        "match.finished": "10",
        "ancient_knowledge.set_up": "4",
        "ancient_knowledge.hand_kept": "4",
        "ancient_knowledge.turn_started": "5",
        "ancient_knowledge.action_taken": "6",
        "ancient_knowledge.cards_drawn": "6.6",
        "ancient_knowledge.deck_shuffled": "6.6",
        "ancient_knowledge.cards_discarded": "11.3",
        "ancient_knowledge.monument_created": "6.1",
        "ancient_knowledge.artifact_created": "6.1",
        "ancient_knowledge.artifact_discarded": "11.3",
        "ancient_knowledge.monument_discarded": "11.3",
        "ancient_knowledge.knowledge_removed": "11.3",
        "ancient_knowledge.knowledge_added": "11.3",
        "ancient_knowledge.lost_reduced": "11.3",
        "ancient_knowledge.monuments_rotated": "6.4",
        "ancient_knowledge.monuments_straightened": "11.3",
        "ancient_knowledge.monument_moved": "11.3",
        "ancient_knowledge.monuments_swapped": "11.3",
        "ancient_knowledge.technology_learned": "6.2",
        "ancient_knowledge.tile_refilled": "6.2",
        "ancient_knowledge.tile_flipped": "9",
        "ancient_knowledge.tech_deck_shuffled": "6.2",
        "ancient_knowledge.technology_bottomed": "11.3",
        "ancient_knowledge.cards_set_aside": "13",
        "ancient_knowledge.card_taken": "13",
        "ancient_knowledge.aside_closed": "13",
        "ancient_knowledge.hand_looked_at": "13",
        "ancient_knowledge.card_stolen": "13",
        "ancient_knowledge.decline_skipped": "8",
        "ancient_knowledge.decline_started": "8",
        "ancient_knowledge.monument_declining": "8",
        "ancient_knowledge.monument_declined": "8",
        "ancient_knowledge.timeline_slid": "8",
    },
    prompts={
        "keep": "4",
        "action": "6",
        "create": "6.1",
        "payment": "6.1",
        "learn": "6.2",
        "archive": "6.3",
        "excavate": "6.4",
        "remove": "11.3",
        "next": "11.5",
        "may": "11.2",
        "discard": "11.3",
        "forced_discard": "15",
        "move": "11.3",
        "swap": "11.3",
        "add": "11.3",
        "give": "11.3",
        "lose": "11.3",
        "opponent": "13",
        "steal": "13",
        "take": "13",
        "bottom": "13",
        "flip": "9",
        "decline": "8",
    },
    refusals={
        "no_free_slot": "6.1",
        "cost_too_high": "6.1",
        "locked_space_full": "6.1",
        "no_space_affordable": "6.1",
        "not_asked_for": "6.1",
        "requirement_not_met": "6.2",
        "nothing_to_archive": "6.3",
        "nothing_to_excavate": "6.4",
        WRONG_PAYMENT: "6.1",
        WRONG_TOKENS: "6.3",
    },
)


def refused(match: Match[Board], choice: Choice) -> Iterator[Refused]:
    """Yield the moves that the seat cannot make in answer to the choice, and why not."""
    board, one = match.board, match.board.seats[choice.seat]
    offered = {option.card for option in choice.options}
    ids = {option.id for option in choice.options}
    acting = choice.prompt == "action"
    if acting or choice.prompt == "create":
        cards = choice.shown or one.hand
        wanted = w.Filter() if acting else _asked_for(str(choice.source))
        for card in sorted(set(seen(cards)) - offered):
            code = _why_not(one, card, aside=bool(choice.shown))
            yield Refused("playCard", card, code if is_builder(card, wanted) else "not_asked_for")
    if acting or choice.prompt == "learn":
        techs = choice.shown or tuple(tech for tile in board.tiles for tech in tile.techs)
        for tech in sorted(set(techs) - offered):
            yield Refused("learnTechnology", tech, "requirement_not_met")
    if acting and "archive" not in ids:
        yield Refused("recordKnowledge", None, "nothing_to_archive")
    if acting and "excavate" not in ids:
        yield Refused("tapMonuments", None, "nothing_to_excavate")


def _asked_for(source: CardId) -> w.Filter:
    """Return which cards a card lets create; any where it is no card that asks."""
    effect = effect_of(source) if source in BUILDER or source in TECHNOLOGY else None
    inner = effect.effect if isinstance(effect, w.May) else effect
    steps = inner.steps if isinstance(inner, Seq) else (inner,)
    return next((step.source for step in steps if isinstance(step, w.Create)), w.Filter())


def _why_not(one: SeatBoard, card: CardId, aside: bool) -> str:
    """Return the first reason that `offers.creatable` would find for a card of the right kind."""
    facts = BUILDER[card]
    purse = len(one.hand) - (0 if aside else 1)
    if not has_slot(one, facts.kind):
        return "no_free_slot"
    if facts.cost > purse:
        return "cost_too_high"
    return "locked_space_full" if facts.locked else "no_space_affordable"
