"""The cards that Chrononauts publishes, and the facts that it takes from an operator."""

from collections import Counter

import pytest

from domain.engine.decider import CreateMatch, StartMatch, TakeSeat, create, decide, fold
from domain.engine.errors import InvalidOptions
from domain.engine.events import Event, Fact
from domain.engine.game import no_cards
from domain.engine.playout import plies
from domain.games.chrononauts import GAME
from domain.games.chrononauts.publish import published

# What the published sources leave open; see the stand-ins of the researched facts.
STAND_INS = {
    "count": "I-RESTORE-HISTORY I-PREVENT-ASSASSINATION I-AVERT-DISASTER I-HALT-ATTACK I-SABOTAGE "
    "T-REWIND T-QUICK-TRIP T-FAST-FORWARD T-MEMO X-GET-THERE-FIRST X-IT-NEVER-EXISTED X-SELL "
    "X-MIRACLE-BIBLICAL X-MIRACLE-FUTURE X-DISCONTINUITY X-NEW-MISSION",
    "name": "P1945-3 A-DINO-2 A-DINO-3 A-RELIC-3 A-WISDOM-2 A-WISDOM-3 X-SELL M-FORGERY "
    "M-DINOSAURS M-RELICS M-WISDOM M-MIXED-1 M-MIXED-2 M-MIXED-3",
    "requires": "P1945-3",
    "family": "A-RONGO A-VIDEO A-SHAKESPEARE A-DINO-3 A-RELIC-3 A-WISDOM-2 A-WISDOM-3",
    "bonus": "X-SELL",
    "slots": "M-GREAT-MYSTERIES M-FORGERY M-DINOSAURS M-RELICS M-WISDOM M-MIXED-1 M-MIXED-2 "
    "M-MIXED-3",
}


def test_every_card_of_the_original_edition_is_published() -> None:
    copies: Counter[str] = Counter()
    for card in published():
        copies[card.kind] += card.count
    assert copies == {
        "linchpin": 13,
        "ripplepoint": 19,
        "patch": 21,
        "inverter": 20,
        "artifact": 15,
        "timewarp": 10,
        "action": 14,
        "identity": 14,
        "mission": 10,
    }
    assert len({card.id for card in published()}) == len(published()) == 111


def test_every_stand_in_says_that_it_is_one() -> None:
    found = {
        (card.id, fact)
        for card in published()
        for fact, how in card.provenance.items()
        if how == "stand-in"
    }
    assert found == {(id, fact) for fact, ids in STAND_INS.items() for id in ids.split()}


def test_provenance_names_nothing_confirmed() -> None:
    assert {how for card in published() for how in card.provenance.values()} == {
        "likely",
        "stand-in",
    }


def test_facts_are_written_as_players_write_them() -> None:
    cards = {card.id: card for card in published()}
    assert cards["1865"].facts == {"year": 1865, "index": "A1", "ripples": [1868, 1974]}
    assert cards["1974"].facts == {
        "year": 1974,
        "index": "D1",
        "hangsOn": [1865, 1963],
        "condition": "and",
    }
    assert cards["I-AVERT-DISASTER"].facts == {"turns": "1912' 1915' 1937'", "toward": "any"}
    assert cards["P1945-2"].facts == {"year": 1945, "requires": "1936 1941'"}
    assert cards["A-MONA-REAL"].facts == {"family": "mona-lisa", "requires": "", "rank": 1}
    assert cards["X-SELL"].facts == {"bonus": ["mona-lisa", "dinosaur"]}
    assert cards["T-MEMO"].facts == {"outOfTurn": True}
    assert cards["ID-BETTY"].facts == {"years": "1945 1968' 1969'"}
    assert cards["M-FORGERY"].facts == {"slots": ["forgery", "A-CURE", "A-DINO-2"], "needs": 3}


def test_effects_are_programs_as_data() -> None:
    cards = {card.id: card for card in published()}
    assert cards["T-REWIND"].effects["needs"] == [{"do": "fetch", "source": "discard"}]
    assert cards["X-TIME-VORTEX"].effects == {
        "targets": [],
        "needs": [],
        "does": [{"do": "deal_hands"}],
    }
    assert cards["ID-ANDY"].effects == {}


def test_a_replaced_fact_comes_from_the_operator() -> None:
    cards = {card.id: card for card in published((Fact("T-MEMO", "count", "5"),))}
    assert cards["T-MEMO"].count == 5
    assert cards["T-MEMO"].provenance == {"count": "operator"}


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        (Fact("I-SABOTAGE", "turns", "1939'"), "name linchpins only"),
        (Fact("I-SABOTAGE", "turns", "1937 1937'"), "name each year once"),
        (Fact("P1945-1", "requires", "1944'"), "name linchpins only"),
        (Fact("P1945-1", "requires", "1936 1936"), "name each year once"),
        (Fact("ID-ANDY", "years", "1939' 1939 1969"), "name each year once"),
        (Fact("1865", "ripples", "1868"), "no card '1865'"),
    ],
)
def test_a_fact_that_no_match_can_be_played_with_is_refused(fact: Fact, reason: str) -> None:
    with pytest.raises(InvalidOptions, match=reason):
        GAME.configure(2, {}, (fact,))


def test_an_artifact_may_require_any_year() -> None:
    cards = {card.id: card for card in published((Fact("A-CURE", "requires", "1939' 1980"),))}
    assert cards["A-CURE"].facts["requires"] == "1939' 1980"


def none_of(*kinds: str, left: str = "") -> tuple[Fact, ...]:
    return tuple(
        Fact(card.id, "count", "1" if card.id == left else "0")
        for card in published()
        if card.kind in kinds
    )


def test_a_deck_without_inverters_is_refused() -> None:
    with pytest.raises(InvalidOptions, match="keep at least one inverter"):
        published(none_of("inverter"))


@pytest.mark.parametrize("left", ["", "X-PARENTS"])
def test_a_deck_that_can_run_out_for_good_is_refused(left: str) -> None:
    with pytest.raises(InvalidOptions, match="keep at least one action or timewarp"):
        published(none_of("action", "timewarp", left=left))


@pytest.mark.parametrize("variant", ["standard", "artifaxx"])
def test_the_smallest_deck_allowed_can_be_played(variant: str) -> None:
    facts = none_of("action", "timewarp", left="T-MEMO")
    options: dict[str, bool | int | str] = {"variant": variant, "turnCap": 150, "paradoxLimit": 0}
    first, match = create(CreateMatch(game="chrononauts", seats=4, options=options, facts=facts))
    events: list[Event] = [first]
    for seat in range(4):
        events += decide(fold(events), TakeSeat(seat, f"player {seat}"))
    events += decide(fold(events), StartMatch(seed="0" * 32, salt="0" * 64))
    *_, (_, _, match) = plies(fold(events), "a seed", limit=3000)
    assert match.outcome is not None
    assert match.facts == facts


def test_a_game_without_a_catalogue_has_no_fact_to_replace() -> None:
    assert no_cards(()) == ()
    with pytest.raises(InvalidOptions, match="no card 'A-CURE'"):
        no_cards((Fact("A-CURE", "family", "wisdom"),))
