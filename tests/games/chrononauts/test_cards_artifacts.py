import pytest

from domain.engine.events import Fact
from domain.games.chrononauts.cards.artifacts import ARTIFACTS
from domain.games.chrononauts.events import CardPlayed, PlayEnded
from tests.games.chrononauts.scenario import scenario

FAMILIES = {
    "mona-lisa": "A-MONA-REAL A-MONA-EXCELLENT A-MONA-OBVIOUS",
    "dinosaur": "A-REX A-DINO-2 A-DINO-3",
    "relic": "A-ARK A-CROWN A-RELIC-3",
    "wisdom": "A-CURE A-WISDOM-2 A-WISDOM-3",
    "mystery": "A-RONGO A-VIDEO A-SHAKESPEARE",
}
NAMES = sorted(card for cards in FAMILIES.values() for card in cards.split())


@pytest.mark.parametrize("card", NAMES)
def test_an_artifact_comes_to_lie_in_front_of_its_player(card: str) -> None:
    table = scenario(hands={0: card})
    assert table.options(0) == {f"play:{card}", f"discard:{card}"}
    table.plays(0, card)
    assert table.events() == (CardPlayed(seat=0, card=card),)
    assert table.artifacts(0) == ""
    table.passes()
    assert table.events()[0] == PlayEnded(seat=0, card=card, to="table")
    assert table.artifacts(0) == card
    assert table.hand(0) == table.discards() == ""


@pytest.mark.parametrize("card", NAMES)
def test_an_artifact_answered_with_a_memo_is_discarded(card: str) -> None:
    table = scenario(hands={0: card, 1: "T-MEMO"})
    table.plays(0, card).answers(1, "T-MEMO").passes()
    assert table.artifacts(0) == ""
    assert table.discards() == f"T-MEMO {card}"


def test_an_artifact_with_a_condition_is_playable_only_while_it_holds() -> None:
    album = (Fact("A-VIDEO", "requires", "1980'"),)
    assert scenario(hands={0: "A-VIDEO"}, facts=album).playable(0) == set()
    assert scenario(hands={0: "A-VIDEO"}, altered="1980", facts=album).playable(0) == {"A-VIDEO"}


def test_an_artifact_that_was_playable_stays_when_its_condition_goes() -> None:
    album = (Fact("A-VIDEO", "requires", "1980'"),)
    table = scenario(
        hands={0: "I-RESTORE-HISTORY"}, altered="1980", artifacts={0: "A-VIDEO"}, facts=album
    )
    table.plays_out(0, "I-RESTORE-HISTORY", linchpin=1980)
    assert table.artifacts(0) == "A-VIDEO"


def test_every_artifact_has_its_test() -> None:
    families = {card.id: card.family for card in ARTIFACTS}
    named = {card: family for family, cards in FAMILIES.items() for card in cards.split()}
    assert families == named
    assert all(card.count == 1 for card in ARTIFACTS)
    assert {card.id: card.rank for card in ARTIFACTS if card.rank} == {
        "A-MONA-REAL": 1,
        "A-MONA-EXCELLENT": 2,
        "A-MONA-OBVIOUS": 3,
    }
