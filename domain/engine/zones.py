"""Where cards lie: a zone is a tuple of cards, `None` standing for one lying face down.

One rule makes the same fold work on the whole truth and on what a viewer sees of it: taking a card
out of a zone removes that card or, where it cannot be seen, one face-down card.
"""

from typing import TypeAlias

from domain.engine.ids import CardId

Zone: TypeAlias = tuple[CardId | None, ...]


def without(zone: Zone, card: CardId | None) -> Zone:
    """Return the zone less one `card`, or less one face-down card where `card` is not to be seen.

    A zone that holds neither is returned as it is.
    """
    for wanted in (card, None):
        if wanted in zone:
            at = zone.index(wanted)
            return zone[:at] + zone[at + 1 :]
    return zone


def without_all(zone: Zone, cards: Zone) -> Zone:
    """Return the zone less each of the cards, one after the other."""
    for card in cards:
        zone = without(zone, card)
    return zone


def hide(zone: Zone) -> Zone:
    """Return a zone of the same size, every card face down."""
    return (None,) * len(zone)


def seen(zone: Zone) -> tuple[CardId, ...]:
    """Return the cards of a zone that lie face up, in their order."""
    return tuple(card for card in zone if card is not None)
