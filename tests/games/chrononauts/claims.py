"""Which test speaks for which card that does something by itself.

A test claims cards with `@card(...)`; `test_cards_totality.py` takes away what a card does and sees
to it that a test that claims it fails.
"""

from collections.abc import Callable
from typing import TypeVar

from domain.engine.ids import CardId
from domain.games.chrononauts.cards.actions import ACTIONS
from domain.games.chrononauts.cards.timewarps import TIMEWARPS

Test = TypeVar("Test", bound=Callable[..., None])

DOING = {card.id: card for card in (*ACTIONS, *TIMEWARPS)}
"""The cards that are tested one by one; those of the other kinds are cases of one test each."""

CLAIMS: dict[CardId, list[Callable[..., None]]] = {}
"""The tests that speak for a card."""


def card(*ids: CardId) -> Callable[[Test], Test]:
    """Claim that a test would fail if one of the cards did not do what it says."""
    unknown = set(ids) - set(DOING)
    assert not unknown, f"no such card: {unknown}"

    def claim(test: Test) -> Test:
        for id in ids:
            CLAIMS.setdefault(id, []).append(test)
        return test

    return claim
