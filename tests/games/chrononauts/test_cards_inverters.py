import pytest

from domain.games.chrononauts.cards.inverters import INVERTERS
from domain.games.chrononauts.events import CardPlayed, LinchpinTurned, PlayEnded
from tests.games.chrononauts.scenario import scenario

EVERY = "1865 1912 1914 1915 1936 1937 1941 1943 1957 1963 1980 1981 1993"
EARLY = "1865 1912 1914 1915 1936 1937 1941 1943 1957"

# The board, the war on it, and what each inverter may turn there.
BOARDS = {
    "undisturbed": ("", ""),
    "all altered": (EVERY, ""),
    "some altered": ("1865 1915 1936 1937 1943 1963 1981", ""),
    "war, two late ones altered": ("1943 1963 1981", "P1962"),
    "war, none other altered": ("1957", "P1962"),
}
TARGETS = {
    "I-REVERSE-FATE": {
        "undisturbed": EVERY,
        "all altered": EVERY,
        "some altered": EVERY,
        "war, two late ones altered": EARLY,
        "war, none other altered": EARLY,
    },
    "I-RESTORE-HISTORY": {
        "undisturbed": "",
        "all altered": EVERY,
        "some altered": "1865 1915 1936 1937 1943 1963 1981",
        "war, two late ones altered": "1943",
        "war, none other altered": "1957",
    },
    "I-PREVENT-ASSASSINATION": {
        "undisturbed": "1865 1914 1963 1980",
        "all altered": "1936 1981",
        "some altered": "1914 1936 1980 1981",
        "war, two late ones altered": "1865 1914",
        "war, none other altered": "1865 1914",
    },
    "I-AVERT-DISASTER": {
        "undisturbed": "1912 1915 1937",
        "all altered": "",
        "some altered": "1912",
        "war, two late ones altered": "1912 1915 1937",
        "war, none other altered": "1912 1915 1937",
    },
    "I-HALT-ATTACK": {
        "undisturbed": "1915 1941 1993",
        "all altered": "",
        "some altered": "1941 1993",
        "war, two late ones altered": "1915 1941",
        "war, none other altered": "1915 1941",
    },
    "I-SABOTAGE": {
        "undisturbed": "1943 1957",
        "all altered": "1937",
        "some altered": "1937 1957",
        "war, two late ones altered": "1957",
        "war, none other altered": "1943",
    },
}
COUNTS = {
    "I-REVERSE-FATE": 9,
    "I-RESTORE-HISTORY": 3,
    "I-PREVENT-ASSASSINATION": 3,
    "I-AVERT-DISASTER": 3,
    "I-HALT-ATTACK": 1,
    "I-SABOTAGE": 1,
}


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("card", TARGETS)
def test_an_inverter_has_exactly_these_targets(card: str, board: str) -> None:
    altered, patches = BOARDS[board]
    table = scenario(hands={0: card}, altered=altered, patches=patches, paradox_limit=0)
    targets = set(TARGETS[card][board].split())
    if not targets:
        assert table.options(0) == {f"discard:{card}"}
        return
    assert table.options(0) == {f"play:{card}", f"discard:{card}"}
    assert table.targets(0, card) == targets


@pytest.mark.parametrize("card", TARGETS)
def test_an_inverter_turns_its_linchpin_and_is_discarded(card: str) -> None:
    board = "undisturbed" if TARGETS[card]["undisturbed"] else "all altered"
    altered, _ = BOARDS[board]
    year = int(TARGETS[card][board].split()[0])
    table = scenario(hands={0: card}, altered=altered, paradox_limit=0)
    table.plays(0, card, linchpin=year)
    assert table.events() == (CardPlayed(seat=0, card=card, targets={"linchpin": str(year)}),)
    table.passes()
    turned = LinchpinTurned(year=year, side="altered" if board == "undisturbed" else "true")
    assert turned in table.events()
    assert table.happened(PlayEnded) == (PlayEnded(seat=0, card=card),)
    assert table.discards() == card
    assert table.hand(0) == ""


@pytest.mark.parametrize(
    ("card", "altered", "targets"),
    [
        ("I-PREVENT-ASSASSINATION", "1936 1981", "1865 1914 1963 1980"),
        ("I-SABOTAGE", "1937", "1943 1957"),
        ("I-RESTORE-HISTORY", "1936 1937", "1936 1937"),
        ("I-REVERSE-FATE", "1936", EVERY),
    ],
)
def test_without_restoring_targets_only_limited_inverters_lose_some(
    card: str, altered: str, targets: str
) -> None:
    table = scenario(hands={0: card}, altered=altered, restoring_targets=False)
    assert table.targets(0, card) == set(targets.split())


def test_every_inverter_has_its_test() -> None:
    assert {card.id: card.count for card in INVERTERS} == COUNTS
    assert set(TARGETS) == set(COUNTS)
    assert sum(COUNTS.values()) == 20
