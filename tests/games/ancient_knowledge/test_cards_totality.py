"""Every card has a test that would notice if the card did nothing."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.ids import CardId
from domain.games.ancient_knowledge import catalogue
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.words import BottomCards, Discard, Score, StealCard
from tests.games.ancient_knowledge.claims import CLAIMS
from tests.kit.claimed import fails

HERE = Path(__file__)
for _path in sorted(HERE.parent.glob("test_cards_*.py")):
    if _path != HERE:
        import_module(f"tests.games.ancient_knowledge.{_path.stem}")

ALL = (*BUILDER, *TECHNOLOGY)
NOTHING = Score(0)


def test_every_card_is_claimed_by_a_test() -> None:
    assert [card for card in ALL if card not in CLAIMS] == []


def test_only_tests_claim_cards() -> None:
    claiming = {test for tests in CLAIMS.values() for test in tests}
    assert [test for test in claiming if not test.__name__.startswith("test_")] == []


@pytest.mark.parametrize("card", ALL)
def test_a_test_fails_when_the_card_does_nothing(
    card: CardId, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(catalogue.REACTIONS, card, raising=False)
    monkeypatch.delitem(catalogue.MODIFIERS, card, raising=False)
    if card in BUILDER:
        monkeypatch.setitem(BUILDER, card, replace(BUILDER[card], effect=NOTHING))
    else:
        monkeypatch.setitem(TECHNOLOGY, card, replace(TECHNOLOGY[card], effect=NOTHING))
    assert any(fails(test) for test in CLAIMS.get(card, ()))


def test_no_card_asks_twice_for_what_the_engine_does_once() -> None:
    """These numbers stand in the catalogue for its readers; the resolvers know no other."""
    once = [
        (card, node)
        for card in ALL
        for node in _nodes(BUILDER.get(card) or TECHNOLOGY[card])
        if isinstance(node, StealCard)
        or (isinstance(node, BottomCards) and node.source.zone == "tech_market")
        or (isinstance(node, Discard) and node.source.only_self)
    ]
    assert len(once) > 10
    assert [(card, node) for card, node in once if node.n != 1] == []


def _nodes(value: object) -> Iterator[object]:
    if isinstance(value, Struct):
        yield value
        for name in value.__struct_fields__:
            yield from _nodes(getattr(value, name))
    elif isinstance(value, tuple):
        for inner in value:
            yield from _nodes(inner)
