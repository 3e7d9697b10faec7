from collections.abc import Mapping

import pytest

from domain.engine.decider import CreateMatch, create
from domain.engine.errors import InvalidOptions
from domain.engine.events import Fact
from domain.engine.ids import CardId
from domain.games.chrononauts.catalogue import OPERATOR, catalogue
from domain.games.chrononauts.words import PlayCard
from tests.games.chrononauts.scenario import scenario


def refused(*facts: tuple[str, str, str]) -> str:
    with pytest.raises(InvalidOptions) as error:
        create(CreateMatch("chrononauts", 2, facts=tuple(Fact(*fact) for fact in facts)))
    return error.value.message


def size(deck: Mapping[CardId, PlayCard]) -> int:
    return sum(card.count for card in deck.values())


def test_a_count_changes_the_deck() -> None:
    facts = (Fact("T-MEMO", "count", "5"), Fact("X-SELL", "count", "0"))
    deck = create(CreateMatch("chrononauts", 2, facts=facts))[1].board.cards
    assert deck.play["T-MEMO"].count == 5
    assert deck.play["X-SELL"].count == 0
    before, after = catalogue().play, deck.play
    assert size(after) - size(before) == 5 - before["T-MEMO"].count - before["X-SELL"].count


def test_a_replaced_fact_says_who_replaced_it() -> None:
    cards = catalogue((Fact("T-MEMO", "count", "5"),))
    assert cards.play["T-MEMO"].provenance == {"count": OPERATOR}
    assert catalogue().play["T-MEMO"].provenance != {"count": OPERATOR}


def test_the_targets_of_an_inverter_can_be_replaced() -> None:
    facts = (Fact("I-HALT-ATTACK", "turns", "1936' 1865"),)
    table = scenario(hands={0: "I-HALT-ATTACK"}, altered="1865", facts=facts)
    assert table.targets(0, "I-HALT-ATTACK") == {"1865", "1936"}


def test_the_condition_of_a_patch_can_be_replaced() -> None:
    facts = (Fact("P1945-1", "requires", "1943'"), Fact("P1868", "requires", "1936"))
    table = scenario(hands={0: "P1945-1 P1868"}, altered="1936 1943 1865", facts=facts)
    assert table.playable(0) == {"P1945-1"}


def test_a_family_and_a_bonus_list_can_be_replaced() -> None:
    facts = (Fact("A-RONGO", "family", "relic"), Fact("X-SELL", "bonus", "relic A-CURE"))
    sizes = {"A-RONGO": 3, "A-ARK": 3, "A-CURE": 3, "A-WISDOM-2": 2, "A-REX": 2, "A-MONA-REAL": 2}
    for artifact, size in sizes.items():
        table = scenario(hands={0: "X-SELL"}, artifacts={0: artifact}, facts=facts)
        table.plays_out(0, "X-SELL", artifact=artifact)
        assert len(table.board.seats[0].hand) == size


def test_the_years_of_an_identity_can_be_replaced() -> None:
    facts = (Fact("ID-ANDY", "years", "1868' 1912' 1933"),)
    for altered, home in (("1865 1912", False), ("1865", False)):
        table = scenario(
            hands={0: "T-MEMO"},
            identities={0: "ID-ANDY"},
            altered=altered,
            patches="P1868",
            facts=facts,
        )
        assert (table.throws(0, "T-MEMO").outcome() is not None) == home
    facts = (Fact("ID-ANDY", "years", "1868' 1865' 1993"),)
    table = scenario(
        hands={0: "T-MEMO"},
        identities={0: "ID-ANDY"},
        altered="1865",
        patches="P1868",
        facts=facts,
    )
    assert table.throws(0, "T-MEMO").outcome() is not None


def test_the_last_of_two_values_for_one_fact_counts() -> None:
    facts = (Fact("T-MEMO", "count", "5"), Fact("T-MEMO", "count", "2"))
    assert catalogue(facts).play["T-MEMO"].count == 2


@pytest.mark.parametrize(
    ("card", "name", "value", "said"),
    [
        ("P2001", "count", "1", "there is no card 'P2001'"),
        ("1865", "year", "1866", "there is no card '1865'"),
        ("P1868", "count", "2", "P1868 has no fact 'count'"),
        ("A-REX", "count", "2", "A-REX has no fact 'count'"),
        ("T-MEMO", "bonus", "relic", "T-MEMO has no fact 'bonus'"),
        ("ID-ANDY", "slots", "A-REX", "ID-ANDY has no fact 'slots'"),
        ("M-RELICS", "years", "1868", "M-RELICS has no fact 'years'"),
        ("T-MEMO", "count", "many", "T-MEMO count"),
        ("T-MEMO", "count", "-1", "T-MEMO count: a count is a number from 0 to 80"),
        ("T-MEMO", "count", "81", "T-MEMO count: a count is a number from 0 to 80"),
        ("I-SABOTAGE", "turns", "1944'", "I-SABOTAGE turns: name linchpins only"),
        ("I-SABOTAGE", "turns", "1866", "I-SABOTAGE turns: '1866' is not on the TimeLine"),
        ("I-SABOTAGE", "turns", "1912''", "I-SABOTAGE turns: \"1912''\" is not on the TimeLine"),
        ("I-SABOTAGE", "turns", "1912 1912'", "I-SABOTAGE turns: name each year once"),
        ("P1945-1", "requires", "1939'", "P1945-1 requires: name linchpins only"),
        ("A-REX", "family", "  ", "A-REX family: a word is missing"),
        ("X-SELL", "bonus", "crowns", "X-SELL bonus: families and artifacts out of"),
        ("A-REX", "requires", "soon", "A-REX requires: 'soon' is not on the TimeLine"),
        ("ID-ANDY", "years", "1868 1917", "ID-ANDY years: a home has three years"),
        ("ID-ANDY", "years", "1868 1868' 1917", "ID-ANDY years: name each year once"),
        ("M-RELICS", "slots", "A-ARK A-CROWN", "M-RELICS slots: three or four"),
        ("M-RELICS", "slots", "A-ARK A-CROWN T-MEMO", "M-RELICS slots: three or four"),
        ("M-RELICS", "needs", "2", "M-RELICS needs"),
        ("M-RELICS", "needs", "all", "M-RELICS needs"),
    ],
)
def test_a_bad_fact_is_refused_and_named(card: str, name: str, value: str, said: str) -> None:
    assert said in refused((card, name, value))


def test_a_deck_without_inverters_is_refused() -> None:
    names = [
        *("I-REVERSE-FATE", "I-RESTORE-HISTORY", "I-PREVENT-ASSASSINATION"),
        *("I-AVERT-DISASTER", "I-HALT-ATTACK", "I-SABOTAGE"),
    ]
    assert "inverter" in refused(*((name, "count", "0") for name in names))
