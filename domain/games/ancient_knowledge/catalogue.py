"""All cards of Ancient Knowledge by id."""

from collections.abc import Mapping

from domain.engine.effects import Effect
from domain.engine.ids import CardId
from domain.games.ancient_knowledge.cards.artifacts import ARTIFACTS
from domain.games.ancient_knowledge.cards.cities import CITIES
from domain.games.ancient_knowledge.cards.megaliths import MEGALITHS
from domain.games.ancient_knowledge.cards.pyramids import PYRAMIDS
from domain.games.ancient_knowledge.cards.technologies import TECHNOLOGIES_OF_BOTH_LEVELS
from domain.games.ancient_knowledge.words import (
    BuilderCard,
    EnterWithLess,
    If,
    Modify,
    Reaction,
    SkipPhase,
    Technology,
    Timing,
)

BUILDER: Mapping[CardId, BuilderCard] = {
    card.id: card for card in (*CITIES, *MEGALITHS, *PYRAMIDS, *ARTIFACTS)
}
TECHNOLOGY: Mapping[CardId, Technology] = {card.id: card for card in TECHNOLOGIES_OF_BOTH_LEVELS}

REACTIONS: Mapping[CardId, Reaction] = {
    card.id: card.effect for card in BUILDER.values() if isinstance(card.effect, Reaction)
}
"""The abilities that listen to an event, by the card that has them."""

MODIFIERS: Mapping[CardId, Modify] = {
    card.id: card.effect for card in BUILDER.values() if isinstance(card.effect, Modify)
}
"""The abilities that change a rule value, by the card that has them."""


_DECKS: Mapping[CardId, str] = {
    **dict.fromkeys(BUILDER, "builder"),
    **{card.id: f"technology {card.level}" for card in TECHNOLOGY.values()},
}


def decks(_board: object) -> Mapping[CardId, str]:
    """Return the deck that each card comes from: builder, or the technologies of a level."""
    return _DECKS


def effect_of(card: CardId) -> Effect:
    """Return what a card does when its time has come: for a reaction what follows the event."""
    if card in REACTIONS:
        return REACTIONS[card].do
    return BUILDER[card].effect if card in BUILDER else TECHNOLOGY[card].effect


def entry_discount(card: BuilderCard) -> Effect | None:
    """Return the effect by which a monument itself enters with less, if it has one."""
    then = card.effect.then if isinstance(card.effect, If) else card.effect
    return card.effect if isinstance(then, EnterWithLess) else None


def skips(card: BuilderCard) -> bool:
    """Tell whether creating the card skips a phase, as a part of the creation (rules 11.1)."""
    return isinstance(card.effect, SkipPhase)


def is_immediate(card: BuilderCard) -> bool:
    """Tell whether creating the card triggers an effect of its own."""
    if skips(card) or entry_discount(card) is not None:
        return False
    return card.timing is Timing.IMMEDIATE
