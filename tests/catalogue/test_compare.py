"""The script that compares the catalogue with a folder of researched facts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts import compare_catalogue
from scripts.compared.facts import Fact, facts_of, provenance_of, weakest
from service.catalogue.listing import cards_in


def test_a_fact_agrees_or_is_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def facts(folder: Path) -> Iterator[Fact]:
        yield Fact("A-CURE count", 1, 1)
        yield Fact("A-CURE family", "wisdom", folder.name)

    monkeypatch.setattr(compare_catalogue, "GAMES", {"toy": facts})
    assert compare_catalogue.main(["facts"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "toy: A-CURE family: the folder says wisdom, the catalogue toy",
        "1 passed, 1 failed",
    ]


def test_a_folder_without_facts_is_wrong_usage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert compare_catalogue.main([str(tmp_path)]) == 2
    assert compare_catalogue.main([]) == 2
    assert "name a folder of researched facts" in capsys.readouterr().err


def test_facts_and_provenance_of_a_card_are_compared_completely() -> None:
    card = next(card for card in cards_in("chrononauts", "en", None).cards if card.id == "A-CURE")
    wanted = {"family": "wisdom", "requires": ""}
    assert all(fact.wanted == fact.found for fact in facts_of(card, wanted))
    (named, *_) = facts_of(card, {"family": "wisdom"})
    assert (named.wanted, named.found) == (["family"], ["family", "requires"])
    (sure,) = provenance_of(card, {"name": "confirmed", "family": "likely"})
    assert sure.wanted == sure.found == {"family": "likely"}


def test_the_least_sure_counts() -> None:
    assert weakest("confirmed", "unknown", "likely") == "unknown"
