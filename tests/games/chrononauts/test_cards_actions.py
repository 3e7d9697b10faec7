import pytest

from domain.games.chrononauts.cards.actions import ACTIONS
from domain.games.chrononauts.events import (
    ArtifactDiscarded,
    ArtifactTaken,
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    HandSetAside,
    HandsMoved,
    HandTakenBack,
    PlayEnded,
    SecretReplaced,
)
from tests.games.chrononauts.claims import card
from tests.games.chrononauts.scenario import scenario

DECK = {
    "X-GET-THERE-FIRST": 3,
    "X-IT-NEVER-EXISTED": 2,
    "X-SELL": 2,
    "X-MIRACLE-BIBLICAL": 1,
    "X-MIRACLE-FUTURE": 1,
    "X-DISCONTINUITY": 2,
    "X-TIME-VORTEX": 1,
    "X-PARENTS": 1,
    "X-NEW-MISSION": 1,
}
NEED_ARTIFACTS = ("X-GET-THERE-FIRST", "X-IT-NEVER-EXISTED", "X-SELL")
MIRACLES = ("X-MIRACLE-BIBLICAL", "X-MIRACLE-FUTURE")


@pytest.mark.parametrize("card", [*NEED_ARTIFACTS, *MIRACLES])
def test_an_action_on_an_artifact_needs_one_on_the_table(card: str) -> None:
    assert scenario(hands={0: card, 1: "A-REX"}).options(0) == {f"discard:{card}"}


@card("X-GET-THERE-FIRST")
def test_get_there_first_takes_an_artifact_of_an_opponent() -> None:
    table = scenario(
        seats=3,
        hands={0: "X-GET-THERE-FIRST"},
        artifacts={0: "A-ARK", 1: "A-REX A-CURE", 2: "A-VIDEO"},
    )
    assert table.targets(0, "X-GET-THERE-FIRST") == {"A-CURE", "A-REX", "A-VIDEO"}
    table.plays_out(0, "X-GET-THERE-FIRST", artifact="A-CURE")
    assert table.events()[:2] == (
        ArtifactTaken(seat=0, owner=1, card="A-CURE"),
        PlayEnded(seat=0, card="X-GET-THERE-FIRST"),
    )
    assert table.artifacts(0) == "A-ARK A-CURE"
    assert table.artifacts(1) == "A-REX"


def test_get_there_first_is_not_playable_with_own_artifacts_only() -> None:
    table = scenario(hands={0: "X-GET-THERE-FIRST"}, artifacts={0: "A-ARK"})
    assert table.playable(0) == set()


@card("X-IT-NEVER-EXISTED")
def test_it_never_existed_destroys_any_artifact() -> None:
    table = scenario(hands={0: "X-IT-NEVER-EXISTED"}, artifacts={0: "A-ARK", 1: "A-REX"})
    assert table.targets(0, "X-IT-NEVER-EXISTED") == {"A-ARK", "A-REX"}
    table.plays_out(0, "X-IT-NEVER-EXISTED", artifact="A-REX")
    assert table.events()[0] == ArtifactDiscarded(owner=1, card="A-REX")
    assert table.discards() == "A-REX X-IT-NEVER-EXISTED"


@card("X-SELL")
@pytest.mark.parametrize(
    ("artifact", "others", "drawn"),
    [
        ("A-ARK", "", 2),
        ("A-CURE", "", 2),
        ("A-RONGO", "", 2),
        ("A-REX", "", 3),
        ("A-DINO-2", "", 3),
        ("A-DINO-3", "", 3),
        ("A-MONA-REAL", "A-MONA-EXCELLENT", 3),
        ("A-MONA-EXCELLENT", "A-MONA-OBVIOUS", 3),
        ("A-MONA-EXCELLENT", "A-MONA-REAL", 2),
        ("A-MONA-OBVIOUS", "", 3),
        ("A-MONA-OBVIOUS", "A-MONA-EXCELLENT", 2),
    ],
)
def test_sell_draws_two_or_with_the_bonus_three(artifact: str, others: str, drawn: int) -> None:
    table = scenario(
        hands={0: "X-SELL"}, artifacts={0: artifact, 1: others}, draw="P1868 P1917 P1918"
    )
    assert table.targets(0, "X-SELL") == {artifact}
    table.plays_out(0, "X-SELL", artifact=artifact)
    assert table.events()[:2] == (
        ArtifactDiscarded(owner=0, card=artifact),
        CardsDrawn(seat=0, cards=("P1868", "P1917", "P1918")[:drawn]),
    )
    assert table.discards() == f"{artifact} X-SELL"


@card("X-MIRACLE-BIBLICAL", "X-MIRACLE-FUTURE")
@pytest.mark.parametrize(
    ("card", "artifact"),
    [
        ("X-MIRACLE-BIBLICAL", "A-CURE"),
        ("X-MIRACLE-BIBLICAL", "A-REX"),
        ("X-MIRACLE-FUTURE", "A-ARK"),
        ("X-MIRACLE-FUTURE", "A-MONA-REAL"),
    ],
)
def test_a_miracle_draws_two_plays_one_discards_one(card: str, artifact: str) -> None:
    table = scenario(
        hands={0: f"{card} P1868"}, artifacts={0: artifact}, draw="A-VIDEO P1917 P1918"
    )
    assert table.targets(0, card) == {artifact}
    table.plays_out(0, card, artifact=artifact)
    assert table.events() == (
        ArtifactDiscarded(owner=0, card=artifact),
        HandSetAside(seat=0),
        CardsDrawn(seat=0, cards=("A-VIDEO", "P1917"), small=True),
    )
    assert table.options(0) == {"play:A-VIDEO", "discard:A-VIDEO", "discard:P1917"}
    table.plays(0, "A-VIDEO")
    assert table.events() == (CardPlayed(seat=0, card="A-VIDEO", source="small"),)
    table.passes()
    assert table.options(0) == {"discard:P1917"}
    table.throws(0, "P1917")
    assert table.events()[:3] == (
        CardDiscarded(seat=0, card="P1917", small=True),
        HandTakenBack(seat=0),
        PlayEnded(seat=0, card=card),
    )
    assert table.hand(0) == "P1868"
    assert table.board.seats[0].small == ()
    assert table.discards() == f"{artifact} P1917 {card}"


@pytest.mark.parametrize(
    ("card", "artifact"),
    [(MIRACLES[0], relic) for relic in ("A-ARK", "A-CROWN", "A-RELIC-3")]
    + [(MIRACLES[1], wisdom) for wisdom in ("A-CURE", "A-WISDOM-2", "A-WISDOM-3")],
)
def test_a_miracle_with_its_bonus_draws_three_plays_two_discards_one(
    card: str, artifact: str
) -> None:
    table = scenario(hands={0: card}, artifacts={0: artifact}, draw="A-VIDEO P1917 A-REX")
    table.plays_out(0, card, artifact=artifact)
    assert table.small(0) == "A-REX A-VIDEO P1917"
    table.plays_out(0, "A-VIDEO").plays_out(0, "A-REX")
    assert table.options(0) == {"discard:P1917"}
    table.throws(0, "P1917")
    assert table.artifacts(0) == "A-VIDEO A-REX"
    assert table.discards() == f"{artifact} P1917 {card}"


@card("X-DISCONTINUITY")
@pytest.mark.parametrize(
    ("direction", "hands"),
    [("left", ("A-REX", "P1868", "P1917 P1918")), ("right", ("P1917 P1918", "A-REX", "P1868"))],
)
def test_discontinuity_passes_every_hand_one_seat(direction: str, hands: tuple[str, ...]) -> None:
    table = scenario(
        seats=3, hands={0: "X-DISCONTINUITY P1868", 1: "P1917 P1918", 2: "A-REX"}, draw="T-MEMO"
    )
    assert table.targets(0, "X-DISCONTINUITY") == {"left", "right"}
    table.plays_out(0, "X-DISCONTINUITY", direction=direction)
    (moved,) = table.happened(HandsMoved)
    assert isinstance(moved, HandsMoved)
    assert (moved.how, tuple(" ".join(map(str, hand)) for hand in moved.hands)) == (
        direction,
        hands,
    )


@card("X-TIME-VORTEX")
def test_time_vortex_deals_all_hands_out_again_from_its_player_on() -> None:
    table = scenario(
        seats=3,
        turn=1,
        hands={0: "P1868 P1917 P1918 P1929", 1: "X-TIME-VORTEX", 2: "A-REX"},
        draw="T-MEMO",
    )
    table.plays_out(1, "X-TIME-VORTEX")
    (moved,) = table.happened(HandsMoved)
    assert isinstance(moved, HandsMoved)
    assert moved.how == "dealt"
    assert [len(hand) for hand in moved.hands] == [1, 2, 2]
    dealt = sorted(str(card) for hand in moved.hands for card in hand)
    assert dealt == ["A-REX", "P1868", "P1917", "P1918", "P1929"]
    assert table.discards() == "X-TIME-VORTEX"


@card("X-PARENTS")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_parents_replaces_the_identity_of_any_player(seat: int) -> None:
    table = scenario(
        seats=3,
        hands={0: "X-PARENTS"},
        identities={0: "ID-ANDY", 1: "ID-BETTY", 2: "ID-YURI"},
        identity_pile="ID-WERNER ID-TIMMY",
    )
    assert table.targets(0, "X-PARENTS") == {"seat:0", "seat:1", "seat:2"}
    shown = ("ID-ANDY", "ID-BETTY", "ID-YURI")[seat]
    table.plays_out(0, "X-PARENTS", player=seat)
    assert table.events()[0] == SecretReplaced(
        which="identity", seat=seat, shown=shown, drawn=("ID-WERNER",)
    )
    assert table.board.seats[seat].identity == ("ID-WERNER",)
    assert table.board.identities.cards == ("ID-TIMMY",)
    assert table.board.identities.discards == (shown,)


@card("X-NEW-MISSION")
@pytest.mark.parametrize("seat", [0, 1])
def test_new_mission_replaces_the_mission_of_any_player(seat: int) -> None:
    table = scenario(
        hands={0: "X-NEW-MISSION"},
        missions={0: "M-RELICS", 1: "M-WISDOM"},
        mission_pile="M-FORGERY",
    )
    assert table.targets(0, "X-NEW-MISSION") == {"seat:0", "seat:1"}
    shown = ("M-RELICS", "M-WISDOM")[seat]
    table.plays_out(0, "X-NEW-MISSION", player=seat)
    assert table.events()[0] == SecretReplaced(
        which="mission", seat=seat, shown=shown, drawn=("M-FORGERY",)
    )
    assert table.board.seats[seat].mission == ("M-FORGERY",)
    assert table.board.missions.discards == (shown,)


def test_the_deck_has_so_many_of_each_action() -> None:
    assert {card.id: card.count for card in ACTIONS} == DECK
