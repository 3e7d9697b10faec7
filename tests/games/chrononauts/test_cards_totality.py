"""Every action and timewarp has a test that would notice if the card did nothing."""

from importlib import import_module

import pytest
from msgspec.structs import replace

from domain.engine.ids import CardId
from domain.games.chrononauts.catalogue import catalogue
from tests.games.chrononauts.claims import CLAIMS, DOING
from tests.kit.claimed import fails

for _name in ("actions", "timewarps"):
    import_module(f"tests.games.chrononauts.test_cards_{_name}")


@pytest.mark.parametrize("card", DOING)
def test_a_test_fails_when_the_card_does_nothing(
    card: CardId, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = replace(DOING[card], does=(), out_of_turn=False)
    monkeypatch.setitem(catalogue(()).play, card, idle)
    assert any(fails(test) for test in CLAIMS.get(card, ())), "write a test and claim the card"


def test_only_tests_that_pass_claim_cards() -> None:
    claiming = {test for tests in CLAIMS.values() for test in tests}
    assert [test for test in claiming if fails(test)] == []
