"""Which test speaks for which card.

A test claims cards with `@card(...)`; `test_cards_totality.py` takes the effect of every card away
and sees to it that a test that claims it fails.
"""

from collections.abc import Callable
from typing import TypeVar

import pytest

from domain.engine.ids import CardId
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from tests.games.ancient_knowledge.scenario import Scenario, scenario

Test = TypeVar("Test", bound=Callable[..., None])

CLAIMS: dict[CardId, list[Callable[..., None]]] = {}
"""The tests that speak for a card."""

QUIET = ["DeclineStarted", "TimelineSlid", "TurnStarted"]
"""What happens when a timeline phase is over and nothing declines."""

IDLE_ARTIFACTS = ("artifact_36", "artifact_28", "artifact_26", "artifact_29", "artifact_16")
"""Artifacts that change or react to nothing but creations and excavations."""


def card(*ids: CardId) -> Callable[[Test], Test]:
    """Claim that a test would fail if one of the cards did not do what it says."""
    unknown = set(ids) - set(BUILDER) - set(TECHNOLOGY)
    assert not unknown, f"no such card: {unknown}"

    def claim(test: Test) -> Test:
        for id in ids:
            CLAIMS.setdefault(id, []).append(test)
        return test

    return claim


def each_card(*ids: CardId) -> Callable[[Test], Test]:
    """Claim cards for a test that is run once for each of them, as `id`."""

    def claim(test: Test) -> Test:
        parametrized: Test = pytest.mark.parametrize("id", ids)(test)
        return card(*ids)(parametrized)

    return claim


def lone(tech: CardId, seats: int = 2) -> Scenario:
    """Return a table that shows one technology, with nothing in the decks that is not named."""
    return scenario(seats).bare().tile(0, tech).tile(1).tile(2)


def with_techs(table: Scenario, ancient: int = 0, writing: int = 0, secret: int = 0) -> Scenario:
    """Let seat 0 have learned so many technologies of level I, then of level II."""
    for tech_type, count in (("ancient", ancient), ("writing", writing), ("secret", secret)):
        fitting = [tech.id for tech in TECHNOLOGY.values() if tech.tech_type == tech_type]
        table.techs(0, *fitting[:count])
    return table
