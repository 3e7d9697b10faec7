"""Texts of the package, of an operator, and of translators."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service import catalogue
from service.catalogue import texts as module
from service.catalogue.needed import needed
from service.catalogue.numbers import difference, numbers
from service.catalogue.tables import parse, to_csv
from service.catalogue.texts import (
    COLUMNS,
    TRANSLATION,
    built_in,
    faults_in_use,
    from_translation,
    locales,
    path_of,
    texts,
    to_translation,
    translation,
)
from tests.catalogue.conftest import Operator

GAME = "chrononauts"
Cells = dict[str, str]


def exported(locale: str = "ja") -> list[Cells]:
    return [row.cells for row in parse("", to_translation(GAME, locale, None), TRANSLATION).rows]


def written(rows: list[Cells]) -> bytes:
    return to_csv(TRANSLATION, (tuple(row[name] for name in TRANSLATION) for row in rows))


def test_the_package_has_english_and_japanese() -> None:
    assert locales(GAME) == ("en", "ja")
    assert list(built_in(GAME, "ja")) == list(built_in(GAME, "en"))


@pytest.mark.parametrize("locale", ["en", "ja"])
def test_the_texts_of_the_package_are_complete(locale: str) -> None:
    assert faults_in_use(GAME, locale, None) == []


@pytest.mark.parametrize("game", ["chrononauts", "ancient_knowledge"])
def test_cards_need_the_texts_that_the_package_has(game: str) -> None:
    assert set(needed(game)) == set(built_in(game, "en"))


def without(monkeypatch: pytest.MonkeyPatch, game: str, *keys: tuple[str, str]) -> None:
    tables = {
        locale: {key: row for key, row in built_in(game, locale).items() if key not in keys}
        for locale in locales(game)
    }
    monkeypatch.setattr(module, "built_in", lambda game, locale: tables[locale])


@pytest.mark.parametrize(
    ("game", "card", "text"),
    [
        ("chrononauts", "1865", "effect"),
        ("chrononauts", "T-MEMO", "name"),
        ("ancient_knowledge", "city_01", "country"),
        ("ancient_knowledge", "tech_01", "requirement"),
    ],
)
def test_a_text_that_no_table_has_is_missing_in_every_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, game: str, card: str, text: str
) -> None:
    english = built_in(game, "en")[card, text].cells["value"]
    without(monkeypatch, game, (card, text))
    for locale in locales(game):
        assert faults_in_use(game, locale, None) == [
            f"texts/{locale}.csv: {card} {text} is missing"
        ]
    place = path_of(game, "en", tmp_path)
    place.parent.mkdir()
    place.write_bytes(to_csv(COLUMNS, [(card, text, english)]))
    assert faults_in_use(game, "en", tmp_path) == []


def test_texts_follow_the_order_of_the_cards() -> None:
    order = list(dict.fromkeys(card for card, _ in built_in(GAME, "en")))
    assert order == [card.id for card in catalogue.cards(GAME).cards]


def test_an_export_has_every_text_beside_its_source() -> None:
    rows = exported()
    assert rows[0] == {
        "card": "1865",
        "text": "name",
        "source": "Lincoln is assassinated",
        "value": "リンカーン、暗殺される",
    }
    assert [(row["card"], row["text"]) for row in rows] == list(built_in(GAME, "en"))
    assert all(row["source"] == row["value"] for row in exported("en"))


def test_importing_an_export_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "ja.csv"
    path.write_bytes(to_translation(GAME, "ja", None))
    assert from_translation(GAME, "ja", path, None) == to_csv(COLUMNS, ())


ROWS = st.integers(0, len(built_in(GAME, "en")) - 1)
# Numbers are checked against the English text, so the hostile text has none.
HOSTILE = st.text(st.characters(exclude_categories=["Cs", "N"]), max_size=20) | st.sampled_from(
    ["=x+x", "+x", "-x", "@sum(x)", '"', '""",', ",", "\r\n", "\n", "\r", "\ufeff"]
)


@given(st.lists(st.tuples(ROWS, HOSTILE, HOSTILE), max_size=8), st.booleans())
def test_export_import_export_is_the_identity(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, str, str]], mark: bool
) -> None:
    folder = tmp_path_factory.mktemp("own")
    rows = exported()
    for at, before, after in changes:
        rows[at]["value"] = f"{before}“{rows[at]['value']}”{after}"
    data = written(rows)
    path = folder / "ja.csv"
    path.write_bytes(b"\xef\xbb\xbf" * mark + data)
    place = path_of(GAME, "ja", folder)
    place.parent.mkdir()
    place.write_bytes(from_translation(GAME, "ja", path, folder))
    assert to_translation(GAME, "ja", folder) == data
    path.write_bytes(data)
    assert from_translation(GAME, "ja", path, folder) == place.read_bytes()


def test_line_ends_of_another_system_are_tolerated(tmp_path: Path) -> None:
    data = to_translation(GAME, "ja", None)
    path = tmp_path / "ja.csv"
    path.write_bytes(data.replace(b"\r\n", b"\n"))
    assert translation(GAME, "ja", path, None)[1] == []


def change(at: int, **cells: str) -> Callable[[list[Cells]], None]:
    def do(rows: list[Cells]) -> None:
        rows[at] |= cells

    return do


@pytest.mark.parametrize(
    ("break_it", "fault"),
    [
        (lambda rows: rows.pop(1), "{}: 1865 altered is missing"),
        (lambda rows: rows.append(dict(rows[1])), "{}:{last}: 1865 altered stands already in {}:3"),
        (change(1, value=" \n"), "{}:3: the value of 1865 altered is empty"),
        (
            change(2, value="1868年と1963年。"),
            "{}:4: 1865 effect: 1974 of the English text is missing",
        ),
        (
            change(2, value="1868年、1963年、1974'"),
            "{}:4: 1865 effect: 1974 of the English text is missing",
        ),
        (
            change(2, value="1868、1963、1974、1999"),
            "{}:4: 1865 effect: 1999 is not in the English text",
        ),
        (
            lambda rows: rows.append({**rows[0], "card": "1066"}),
            "{}:{last}: there is no card '1066'",
        ),
        (
            lambda rows: rows.append({**rows[0], "text": "flavour"}),
            "{}:{last}: 1865 has no text 'flavour'",
        ),
    ],
)
def test_every_fault_of_a_translation_is_found(
    tmp_path: Path, break_it: Callable[[list[Cells]], None], fault: str
) -> None:
    rows = exported()
    break_it(rows)
    path = tmp_path / "ja.csv"
    path.write_bytes(written(rows))
    wanted = fault.replace("{}", str(path)).replace("{last}", str(len(rows) + 1))
    assert translation(GAME, "ja", path, None)[1] == [wanted]
    with pytest.raises(catalogue.CatalogueInvalid):
        from_translation(GAME, "ja", path, None)


def test_english_is_its_own_source_and_then_that_of_translations(own: Operator) -> None:
    folder = own()
    rows = exported("en")
    at = next(
        at
        for at, row in enumerate(rows)
        if (row["card"], row["text"]) == ("I-AVERT-DISASTER", "effect")
    )
    rows[at]["value"] = "Turn 1912 or 1915 to its altered side."
    path = folder / "en.csv"
    path.write_bytes(written(rows))
    assert translation(GAME, "en", path, folder.parent)[1] == []
    path_of(GAME, "en", folder.parent).write_bytes(
        from_translation(GAME, "en", path, folder.parent)
    )
    assert faults_in_use(GAME, "en", folder.parent) == []
    place = built_in(GAME, "ja")["I-AVERT-DISASTER", "effect"].place
    assert faults_in_use(GAME, "ja", folder.parent) == [
        f"{place}: I-AVERT-DISASTER effect: 1937 is not in the English text"
    ]


def test_an_operator_may_replace_some_texts_only(own: Operator) -> None:
    folder = own(texts_ja="card,text,value\nT-MEMO,name,=メモ\n")
    rows = texts(GAME, "ja", folder.parent)
    assert rows["T-MEMO", "name"].cells["value"] == "=メモ"
    assert rows["T-REWIND", "name"].cells["value"] == "巻き戻し"


def test_a_fault_in_an_operators_texts_stops_the_start(own: Operator) -> None:
    path = own(texts_ja="card,text,value\nT-MEMO,name,\n") / "texts.ja.csv"
    with pytest.raises(catalogue.CatalogueInvalid) as caught:
        catalogue.load()
    assert caught.value.faults == (f"{path}:2: the value of T-MEMO name is empty",)
    assert faults_in_use(GAME, "ja", path.parents[1]) == list(caught.value.faults)


def test_numbers_are_found_in_any_width_and_with_any_prime() -> None:
    assert numbers("１９３６’ and 1941′, 7") == {"1936'", "1941'", "7"}


@pytest.mark.parametrize(
    ("source", "value", "wrong"),
    [
        ("Draw two cards.", "2枚引く。1枚捨てる。", None),
        ("Draw two cards.", "3枚引く。", "3 is not in the English text"),
        ("World War III", "第3次世界大戦", None),
        ("Apollo 11 lands", "アポロ、着陸", "11 of the English text is missing"),
        ("Patch 1936'", "1936", "1936' of the English text is missing"),
    ],
)
def test_numbers_of_a_translation_are_those_of_its_source(
    source: str, value: str, wrong: str | None
) -> None:
    assert difference(source, value) == wrong
