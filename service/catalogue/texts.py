"""The texts of cards: the tables of the package, an operator's rows, translators' CSV."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from domain.engine.errors import MalformedCommand
from domain.engine.game import game_of
from service.catalogue.needed import needed
from service.catalogue.numbers import difference
from service.catalogue.tables import CatalogueInvalid, Row, Table, parse, read, to_csv

ENGLISH = "en"
COLUMNS = ("card", "text", "value")
TRANSLATION = ("card", "text", "source", "value")

Key = tuple[str, str]
"""A card and the name of one of its texts."""


@lru_cache(maxsize=16)
def locales(game: str) -> tuple[str, ...]:
    """Return the locales of the game's texts, in order: English at least, be it without a table.

    Raises:
        UnknownGame: no such game.
    """
    tables = _tables(game)
    names = {table.name for table in tables.iterdir()} if tables.is_dir() else set()
    found = {name.removesuffix(".csv") for name in names if name.endswith(".csv")}
    return tuple(sorted({ENGLISH, *found}))


def spoken(game: str, locale: str) -> str:
    """Return the locale, or English for a game that has no texts in it yet."""
    return locale if locale in locales(game) else ENGLISH


def _tables(game: str) -> Traversable:
    return files("domain.games") / game_of(game).name / "texts"


@lru_cache(maxsize=32)
def built_in(game: str, locale: str) -> Mapping[Key, Row]:
    """Return the texts of the package by card and text, in catalogue order.

    Raises:
        UnknownGame: no such game.
        MalformedCommand: the game has no texts in that locale.
    """
    known = locales(game)
    if locale not in known:
        raise MalformedCommand(
            f"{game} has no texts in {locale!r}; use {' or '.join(known)}", locales=list(known)
        )
    file = _tables(game) / f"{locale}.csv"
    if not file.is_file():
        return {}
    table = parse(f"texts/{locale}.csv", file.read_bytes(), COLUMNS)
    return {(row.cells["card"], row.cells["text"]): row for row in table.rows}


def texts(game: str, locale: str, where: Path | None) -> dict[Key, Row]:
    """Return every text with the rows of an operator's table in place of the package's.

    Raises:
        UnknownGame, MalformedCommand: as `built_in`.
        CatalogueInvalid: the operator's table has a fault.
    """
    rows = dict(built_in(game, locale))
    path = None if where is None else path_of(game, locale, where)
    if path is None or not path.exists():
        return rows
    own, faults = keyed(read(path, COLUMNS, TRANSLATION), known(game, locale))
    if faults:
        raise CatalogueInvalid(faults)
    return rows | own


def known(game: str, locale: str) -> tuple[Key, ...]:
    """Return the texts that may stand in a table: what the package has, and what cards need."""
    return tuple(dict.fromkeys((*built_in(game, ENGLISH), *built_in(game, locale), *needed(game))))


def path_of(game: str, locale: str, where: Path) -> Path:
    """Return where a directory has the operator's texts of that game and locale."""
    return where / game / f"texts.{locale}.csv"


def keyed(table: Table, known: Iterable[Key]) -> tuple[dict[Key, Row], list[str]]:
    """Return the rows by card and text, and the faults: unknown, repeated and empty ones."""
    keys = frozenset(known)
    cards = {card for card, _ in keys}
    rows: dict[Key, Row] = {}
    faults = list(table.faults)
    for row in table.rows:
        card, text = key = (row.cells["card"], row.cells["text"])
        if card not in cards:
            faults.append(f"{row.place}: there is no card {card!r}")
        elif key not in keys:
            faults.append(f"{row.place}: {card} has no text {text!r}")
        elif key in rows:
            faults.append(f"{row.place}: {card} {text} stands already in {rows[key].place}")
        elif not row.cells["value"].strip():
            faults.append(f"{row.place}: the value of {card} {text} is empty")
        rows.setdefault(key, row)
    return rows, faults


def incomplete(
    name: str, rows: Mapping[Key, Row], english: Mapping[Key, Row], wanted: Iterable[Key] = ()
) -> list[str]:
    """Return what a translation leaves out, and where its numbers are not those of the English.

    It needs what is wanted and whatever the English has.
    """
    faults = []
    for key in dict.fromkeys((*english, *wanted)):
        row, source = rows.get(key), english.get(key)
        if row is None:
            faults.append(f"{name}: {key[0]} {key[1]} is missing")
        elif source is not None and row.cells["value"].strip():
            wrong = difference(source.cells["value"], row.cells["value"])
            if wrong is not None:
                faults.append(f"{row.place}: {key[0]} {key[1]}: {wrong}")
    return faults


def to_translation(game: str, locale: str, where: Path | None) -> bytes:
    """Return the translators' CSV: every text beside its English source."""
    english, rows = texts(game, ENGLISH, where), texts(game, locale, where)
    return to_csv(
        TRANSLATION,
        ((*key, _value(english, key), _value(rows, key)) for key in known(game, locale)),
    )


def _value(rows: Mapping[Key, Row], key: Key) -> str:
    return rows[key].cells["value"] if key in rows else ""


def from_translation(game: str, locale: str, path: Path, where: Path | None) -> bytes:
    """Return the operator's table that a translators' CSV makes: the rows that the package lacks.

    Raises:
        UnknownGame, MalformedCommand: as `built_in`.
        CatalogueInvalid: the CSV has faults; all of them.
    """
    package = built_in(game, locale)
    rows, faults = translation(game, locale, path, where)
    if faults:
        raise CatalogueInvalid(faults)
    return to_csv(
        COLUMNS,
        (
            (*key, rows[key].cells["value"])
            for key in known(game, locale)
            if key in rows and _value(rows, key) != _value(package, key)
        ),
    )


def translation(
    game: str, locale: str, path: Path, where: Path | None
) -> tuple[dict[Key, Row], list[str]]:
    """Return the rows of a translators' CSV, and everything that is wrong with it."""
    package = built_in(game, locale)
    rows, faults = keyed(read(path, COLUMNS, TRANSLATION), known(game, locale))
    # English is its own source: whoever replaces a fact says so there first.
    source = {**package, **rows} if locale == ENGLISH else texts(game, ENGLISH, where)
    return rows, [*faults, *incomplete(str(path), rows, source)]


def faults_in_use(game: str, locale: str, where: Path | None) -> list[str]:
    """Return everything that is wrong with the texts in use, missing ones of any card included."""
    try:
        rows, english = texts(game, locale, where), texts(game, ENGLISH, where)
    except CatalogueInvalid as error:
        return list(error.faults)
    said = {key: row for key, row in rows.items() if row.cells["value"].strip()}
    return incomplete(f"texts/{locale}.csv", said, english, needed(game))
