"""`stele catalogue`."""

import json
import re
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from domain.games import GAMES
from service import catalogue
from service.catalogue.texts import built_in
from tests.catalogue.conftest import Operator, Stele


def test_show_json_is_what_the_operation_answers(own: Operator, stele: Stele) -> None:
    code, out, _ = stele("show", "--locale", "ja", "--json")
    assert code == 0
    assert out.encode() == msgspec.json.encode(catalogue.cards("chrononauts", "ja")) + b"\n"


def test_show_prints_every_card(own: Operator, stele: Stele) -> None:
    own(texts_en="card,text,value\nT-MEMO,name,[red]Memo[/red]\n")
    code, out, _ = stele("show")
    assert code == 0
    assert all(f"{card.id} ({card.kind})\n" in out for card in catalogue.cards("chrononauts").cards)
    assert "ripples: 1868, 1974" in out
    assert "count is stand-in" in out
    assert "[red]Memo[/red]" in out


@pytest.mark.parametrize("width", ["30", "60", "80", "200"])
@pytest.mark.parametrize("terminal", [True, False])
def test_show_loses_nothing_of_a_japanese_text(
    own: Operator, stele: Stele, monkeypatch: pytest.MonkeyPatch, width: str, terminal: bool
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    monkeypatch.setattr(Console, "is_terminal", terminal)
    cards = catalogue.cards("chrononauts", "ja").cards
    _, out, _ = stele("show", "--locale", "ja")
    assert "…" not in out
    if not terminal or int(width) < 60:
        assert all(text.value in out for card in cards for text in card.texts)
    else:
        shown = Counter(re.sub(r"\x1b\[[0-9;]*m", "", out))
        told = Counter("".join(text.value for card in cards for text in card.texts))
        assert all(shown[one] >= count for one, count in told.items() if one > "\u3000")


def test_export_then_import_then_export(own: Operator, stele: Stele, tmp_path: Path) -> None:
    own()
    table, again = tmp_path / "ja.csv", tmp_path / "again.csv"
    code, out, _ = stele("export", "--locale", "ja")
    assert code == 0
    table.write_bytes(out.replace("巻き戻し", "=逆戻り").encode())
    code, out, _ = stele("import", "--locale", "ja", "--csv", table)
    place = tmp_path / "own" / "chrononauts" / "texts.ja.csv"
    assert code == 0
    assert out == f"1 text replaced in {place}; restart the service to use them\n"
    assert place.read_text("utf-8").splitlines() == ["card,text,value", "T-REWIND,name,=逆戻り"]
    code, out, _ = stele("export", "--locale", "ja", "--csv", again, "--json")
    assert (code, json.loads(out)) == (
        0,
        {"game": "chrononauts", "locale": "ja", "file": str(again)},
    )
    assert again.read_bytes() == table.read_bytes()


def test_import_makes_the_directory_that_it_is_given(
    own: Operator, stele: Stele, tmp_path: Path
) -> None:
    table, folder = tmp_path / "en.csv", tmp_path / "new"
    stele("export", "--csv", table)
    code, out, _ = stele("import", "--locale", "en", "--csv", table, "--dir", folder, "--json")
    assert (code, json.loads(out)["file"]) == (0, str(folder / "chrononauts" / "texts.en.csv"))
    code, _, errors = stele("check", "--dir", folder)
    assert (code, errors) == (0, "")


def test_a_refused_import_names_every_fault_and_writes_nothing(
    own: Operator, stele: Stele, tmp_path: Path
) -> None:
    folder = own()
    table = tmp_path / "ja.csv"
    table.write_text("card,text,source,value\n1865,name,x, \n1066,name,x,y\n", "utf-8")
    code, out, errors = stele("import", "--locale", "ja", "--csv", table)
    lines = errors.splitlines()
    assert (code, out) == (1, "")
    assert lines[:2] == [
        f"stele: {table}:2: the value of 1865 name is empty",
        f"stele: {table}:3: there is no card '1066'",
    ]
    assert len(lines) == 2 + len(built_in("chrononauts", "en")) - 1, "all others are missing"
    assert list(folder.iterdir()) == []


def test_check_says_yes_to_the_package(own: Operator, stele: Stele) -> None:
    code, out, errors = stele("check", "--json")
    assert (code, errors) == (0, "")
    assert json.loads(out) == {
        "game": "chrononauts",
        "locales": ["en", "ja"],
        "ok": True,
        "problems": [],
    }
    assert stele("check") == (0, "chrononauts: en, ja: complete\n", "")


def test_check_names_every_fault_in_use(own: Operator, stele: Stele) -> None:
    folder = own(
        facts="card,fact,value\nT-MEMO,count,x\nT-MEMO,colour,red\n",
        texts_en="card,text,value\nT-MEMO,name,\n",
    )
    code, out, errors = stele("check", "--json")
    problems = json.loads(out)["problems"]
    assert code == 1
    assert [f"stele: {problem}" for problem in problems] == errors.splitlines()
    assert problems[0] == f"{folder / 'texts.en.csv'}:2: the value of T-MEMO name is empty"
    assert problems[1].startswith(f"{folder / 'facts.csv'}:2: T-MEMO count: ")
    assert problems[2].startswith(f"{folder / 'facts.csv'}:3: T-MEMO has no fact 'colour'")
    assert len(problems) == 3


def test_check_names_a_table_that_nothing_reads(own: Operator, stele: Stele) -> None:
    folder = own(text_en="card,text,value\n")
    (folder / "notes.txt").touch()
    (folder.parent / "facts.csv").touch()
    code, _, errors = stele("check")
    assert code == 1
    assert errors.splitlines() == [
        f"stele: {folder / 'text.en.csv'}: no table has this name, so nothing reads it; "
        "use facts.csv, texts.en.csv, texts.ja.csv",
        f"stele: {folder.parent / 'facts.csv'}: no table has this name, so nothing reads it; "
        f"use {', '.join(sorted(f'{game.name}/facts.csv' for game in GAMES))}",
    ]
    with pytest.raises(catalogue.CatalogueInvalid, match=r"text\.en\.csv: no table has this name"):
        catalogue.load()


def test_check_of_a_translation(own: Operator, stele: Stele, tmp_path: Path) -> None:
    table = tmp_path / "ja.csv"
    stele("export", "--locale", "ja", "--csv", table)
    assert stele("check", "--locale", "ja", "--csv", table)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("show", "--locale", "fr"), "chrononauts has no texts in 'fr'; use en or ja"),
        (("show", "--dir", "nowhere"), "--dir: there is no directory nowhere; "),
        (("export", "--json"), "with --json, say with --csv FILE where the CSV goes"),
        (("export", "--csv", "/dev/null/x"), "/dev/null/x: the file cannot be written: "),
        (("import", "--locale", "ja"), "an import needs --csv FILE and the --locale"),
        (("import", "--locale", "ja", "--csv", "x"), "say with --dir or STELE_CATALOGUE_DIR"),
        (
            ("import", "--locale", "ja", "--csv", "x", "--dir", "nowhere"),
            "--csv: x cannot be read (No such file or directory); name ",
        ),
        (
            ("check", "--locale", "ja", "--csv", "."),
            "--csv: . cannot be read (Is a directory); name ",
        ),
        (("check", "--csv", "x"), "say with --locale which language the CSV is in"),
    ],
)
def test_wrong_usage_is_one_sentence(
    own: Operator, stele: Stele, arguments: tuple[str, ...], sentence: str
) -> None:
    code, out, errors = stele(*arguments)
    assert (code, out) == (2, "")
    assert errors.startswith(f"stele: {sentence}")
    assert errors.count("\n") == 1


def test_help_has_an_example(stele: Stele, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with pytest.raises(SystemExit) as caught:
        stele("show", "--help")
    assert caught.value.code == 0
    assert b"example:\n  stele catalogue export" in capfdbinary.readouterr().out
