"""An operator's table of facts."""

import re
from pathlib import Path

import pytest

from domain.engine.decider import CreateMatch, create
from domain.engine.errors import UnknownGame
from domain.engine.events import Fact
from service import catalogue
from tests.catalogue.conftest import Operator


def test_without_a_directory_or_a_table_nothing_is_replaced(own: Operator) -> None:
    assert catalogue.facts("chrononauts") == ()
    own(texts_ja="card,text,value\n")
    assert catalogue.facts("chrononauts") == ()


def test_facts_stand_in_the_first_event_of_a_match(own: Operator) -> None:
    own(facts="card,fact,value\nT-MEMO,count,1\nI-HALT-ATTACK,turns,1941'\n")
    facts = catalogue.facts("chrononauts")
    event, match = create(CreateMatch(game="chrononauts", seats=2, facts=facts))
    assert event.facts == (
        Fact("I-HALT-ATTACK", "turns", "1941'"),
        Fact("T-MEMO", "count", "1"),
    )
    cards = match.board.cards
    assert cards.play["T-MEMO"].count == 1
    assert cards.play["I-HALT-ATTACK"].turns == "1941'"


def test_every_row_of_the_example_in_the_docs_replaces_a_fact(own: Operator) -> None:
    text = Path("docs/catalogue.md").read_text("utf-8")
    (table,) = re.findall(r"```csv\n(card,fact,value\n.*?)```", text, re.DOTALL)
    own(facts=table)
    rows = sorted(tuple(line.split(",")) for line in table.splitlines()[1:])
    assert catalogue.facts("chrononauts") == tuple(Fact(*row) for row in rows)


def test_only_what_differs_from_the_built_in_facts_is_kept_in_order(own: Operator) -> None:
    own(
        facts="card,fact,value\n"
        "X-SELL,count,3\nT-MEMO,count,3\nM-RELICS,needs,3\nA-CURE,family,mystery\nX-SELL,bonus,\n"
    )
    assert catalogue.facts("chrononauts") == (
        Fact("A-CURE", "family", "mystery"),
        Fact("X-SELL", "bonus", ""),
        Fact("X-SELL", "count", "3"),
    )


@pytest.mark.parametrize(
    ("rows", "faults"),
    [
        ("A-NOTHING,count,1", ["2: there is no card 'A-NOTHING'"]),
        ("T-MEMO,colour,red", ["2: T-MEMO has no fact 'colour' to replace; it has count"]),
        ("A-CURE,count,2", ["2: A-CURE has no fact 'count' to replace; it has family, requires"]),
        ("T-MEMO,count,81", ["2: T-MEMO count: a count is a number from 0 to 80"]),
        ("T-MEMO,count,2\nT-MEMO,count,2", ["3: T-MEMO count stands already in {}:2"]),
        ("ID-ANDY,years,1939'", ["2: ID-ANDY years: a home has three years"]),
        (f"A-CURE,family,{'x' * 201}", ["2: a value has at most 200 characters"]),
        (
            "T-MEMO,count,4,5\n\nT-NOTHING,count,4",
            ["2: 4 cells in a row of 3 columns", "4: there is no card 'T-NOTHING'"],
        ),
        ("I-SABOTAGE,turns,1939'", ["2: I-SABOTAGE turns: name linchpins only"]),
    ],
)
def test_a_fault_is_named_with_file_line_and_reason(
    own: Operator, rows: str, faults: list[str]
) -> None:
    path = own(facts=f"card,fact,value\n{rows}\n") / "facts.csv"
    with pytest.raises(catalogue.CatalogueInvalid) as caught:
        catalogue.facts("chrononauts")
    assert list(caught.value.faults) == [f"{path}:{fault.format(path)}" for fault in faults]


def test_a_fact_of_the_timeline_cannot_be_replaced(own: Operator) -> None:
    path = own(facts="card,fact,value\n1865,ripples,1868\n") / "facts.csv"
    with pytest.raises(catalogue.CatalogueInvalid) as caught:
        catalogue.facts("chrononauts")
    assert caught.value.faults == (f"{path}:2: there is no card '1865' to replace a fact of",)


def test_counts_that_leave_no_game_are_refused(own: Operator) -> None:
    inverters = (
        "REVERSE-FATE RESTORE-HISTORY PREVENT-ASSASSINATION AVERT-DISASTER HALT-ATTACK SABOTAGE"
    )
    rows = "\n".join(f"I-{name},count,0" for name in inverters.split())
    path = own(facts=f"card,fact,value\n{rows}\n") / "facts.csv"
    with pytest.raises(catalogue.CatalogueInvalid) as caught:
        catalogue.facts("chrononauts")
    assert caught.value.faults == (f"{path}: keep at least one inverter, or no year ever changes",)


def test_the_message_is_one_sentence_that_counts_the_other_faults(own: Operator) -> None:
    path = own(facts="card,fact,value\nA,count,1\nB,count,1\nC,count,1\n") / "facts.csv"
    with pytest.raises(catalogue.CatalogueInvalid) as caught:
        catalogue.load()
    assert str(caught.value) == f"{path}:2: there is no card 'A' (and 2 more)"


def test_an_unknown_game_has_no_facts() -> None:
    with pytest.raises(UnknownGame):
        catalogue.facts("go")
