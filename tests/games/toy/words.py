"""What a game of Magpies is made of: effects, questions, cards and events. All of it is data."""

from msgspec import Struct

from domain.engine.effects import Ask, Effect, Question, Who
from domain.engine.events import Event
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone


class DrawCard(Effect, Struct, frozen=True, array_like=True, tag="draw"):
    """Take the top card of the pile."""


class PlayNamed(Effect, Struct, frozen=True, array_like=True, tag="play"):
    """Play the card that the answer names."""


class Resolve(Effect, Struct, frozen=True, array_like=True, tag="resolve"):
    """Do what the card of the frame says, unless somebody hushed it."""


class DiscardNamed(Effect, Struct, frozen=True, array_like=True, tag="discard"):
    """Every other seat discards the card that its answer names."""


class TakeNamed(Effect, Struct, frozen=True, array_like=True, tag="take"):
    """Take the card that the answer names out of the pile."""


class EndTurn(Effect, Struct, frozen=True, array_like=True, tag="end_turn"):
    """End the match, or begin the next turn."""


class WhichPlay(Question, Struct, frozen=True, array_like=True, tag="play"):
    """Which card of the hand to play."""


class Respond(Question, Struct, frozen=True, array_like=True, tag="respond"):
    """Whether to hush the card just played."""


class WhichDiscard(Question, Struct, frozen=True, array_like=True, tag="discard"):
    """Which card of the hand to discard."""


class Look(Question, Struct, frozen=True, array_like=True, tag="look"):
    """Which card of the pile to take."""


TURN: tuple[Effect, ...] = (DrawCard(), Ask(WhichPlay(), "card"), PlayNamed(), EndTurn())
WINDOW: tuple[Effect, ...] = (Ask(Respond(), "hush", who=Who.OTHERS, window=True), Resolve())


class Card(Struct, frozen=True, kw_only=True):
    """A kind of card; `worth` makes it a gem."""

    id: CardId
    count: int
    worth: int = 0
    does: tuple[Effect, ...] = ()


CARDS: tuple[Card, ...] = (
    Card(id="glass", count=7, worth=1),
    Card(id="hush", count=3),
    Card(id="ruby", count=4, worth=3),
    Card(id="spyglass", count=3, does=(Ask(Look(), "found"), TakeNamed())),
    Card(id="storm", count=4, does=(Ask(WhichDiscard(), "lost", who=Who.OTHERS), DiscardNamed())),
)


class Dealt(Event, Struct, frozen=True, tag="toy.dealt"):
    """The cards were shuffled and dealt."""

    hands: tuple[Zone, ...]
    pile: Zone


class TurnStarted(Event, Struct, frozen=True, tag="toy.turn_started"):
    """A seat's turn began."""

    seat: Seat


class PileShuffled(Event, Struct, frozen=True, tag="toy.pile_shuffled"):
    """The pile was shuffled, or the discards became the new pile (`discards`)."""

    pile: Zone
    discards: bool


class CardTaken(Event, Struct, frozen=True, tag="toy.card_taken"):
    """A seat took a card from the pile; a zone of one card."""

    seat: Seat
    card: Zone


class CardDiscarded(Event, Struct, frozen=True, tag="toy.card_discarded"):
    """A card went from a hand to the discards."""

    seat: Seat
    card: CardId


class CardPlayed(Event, Struct, frozen=True, tag="toy.card_played"):
    """A seat announced a card; it lies on the table until the play is over."""

    seat: Seat
    card: CardId


class PlayEnded(Event, Struct, frozen=True, omit_defaults=True, tag="toy.play_ended"):
    """The card on the table went into its seat's nest (`kept`) or to the discards."""

    seat: Seat
    card: CardId
    kept: bool = False


EFFECTS = (DrawCard, PlayNamed, Resolve, DiscardNamed, TakeNamed, EndTurn)
QUESTIONS = (WhichPlay, Respond, WhichDiscard, Look)
EVENTS = (Dealt, TurnStarted, PileShuffled, CardTaken, CardDiscarded, CardPlayed, PlayEnded)
