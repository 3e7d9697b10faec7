import pytest

from domain.engine.events import Outcome
from domain.games.chrononauts.cards.missions import MISSIONS
from domain.games.chrononauts.events import SecretShown, VictoryClaimed
from tests.games.chrononauts.scenario import scenario

# Each mission, and every set of three artifacts that fulfils it.
FULFILLED = {
    "M-GREAT-MYSTERIES": ("A-RONGO A-VIDEO A-SHAKESPEARE",),
    "M-MONA-DINOSAUR": (
        "A-MONA-REAL A-REX A-SHAKESPEARE",
        "A-MONA-EXCELLENT A-REX A-SHAKESPEARE",
        "A-MONA-OBVIOUS A-REX A-SHAKESPEARE",
    ),
    "M-ALL-MONAS": ("A-MONA-REAL A-MONA-EXCELLENT A-MONA-OBVIOUS",),
    "M-FORGERY": (
        "A-MONA-EXCELLENT A-CURE A-DINO-2",
        "A-MONA-OBVIOUS A-CURE A-DINO-2",
    ),
    "M-DINOSAURS": ("A-REX A-DINO-2 A-DINO-3",),
    "M-RELICS": ("A-ARK A-CROWN A-RELIC-3",),
    "M-WISDOM": ("A-CURE A-WISDOM-2 A-WISDOM-3",),
    "M-MIXED-1": ("A-VIDEO A-CROWN A-WISDOM-2",),
    "M-MIXED-2": ("A-RONGO A-ARK A-DINO-3",),
    "M-MIXED-3": ("A-SHAKESPEARE A-RELIC-3 A-WISDOM-3",),
}
CASES = [(name, artifacts) for name, sets in FULFILLED.items() for artifacts in sets]


@pytest.mark.parametrize(("name", "artifacts"), CASES)
def test_a_mission_is_fulfilled_by_laying_down_its_last_artifact(name: str, artifacts: str) -> None:
    *lying, last = artifacts.split()
    table = scenario(hands={0: last}, missions={0: name}, artifacts={0: " ".join(lying)})
    table.plays_out(0, last)
    assert table.events()[-2:] == (
        VictoryClaimed(seat=0, ways=("mission",)),
        SecretShown(which="mission", seat=0, card=name),
    )
    assert table.outcome() == Outcome(winners=(0,), reasons=("mission",))


@pytest.mark.parametrize(("name", "artifacts"), CASES)
@pytest.mark.parametrize("missing", range(3))
def test_a_mission_is_not_fulfilled_while_an_opponent_has_one_artifact(
    name: str, artifacts: str, missing: int
) -> None:
    cards = artifacts.split()
    theirs = cards.pop(missing)
    own = " ".join(cards)
    table = scenario(hands={0: "T-MEMO"}, missions={0: name}, artifacts={0: own, 1: theirs})
    assert table.throws(0, "T-MEMO").outcome() is None


@pytest.mark.parametrize("name", FULFILLED)
def test_more_artifacts_than_asked_for_do_no_harm(name: str) -> None:
    every = {card for sets in FULFILLED.values() for cards in sets for card in cards.split()}
    if name == "M-FORGERY":
        every -= {"A-MONA-REAL"}
    table = scenario(
        hands={0: "T-MEMO"}, missions={0: name}, artifacts={0: " ".join(sorted(every))}
    )
    assert table.throws(0, "T-MEMO").outcome() == Outcome(winners=(0,), reasons=("mission",))


def test_every_mission_has_its_test() -> None:
    assert {card.id for card in MISSIONS} == set(FULFILLED)
    assert all(card.needs == len(card.slots) == 3 for card in MISSIONS)
