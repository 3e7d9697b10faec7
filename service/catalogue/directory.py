"""Where an operator's own catalogue lies."""

import os
from collections.abc import Sequence
from pathlib import Path

from domain.games import GAMES
from service.catalogue.tables import CatalogueInvalid
from service.catalogue.texts import locales

SETTING = "STELE_CATALOGUE_DIR"


def directory() -> Path | None:
    """Return the directory that the setting names, `None` if it names none.

    Raises:
        CatalogueInvalid: there is no such directory, or `checked` finds a fault in it.
    """
    named = os.environ.get(SETTING)
    if not named:
        return None
    if not os.path.isdir(named):  # which says no where `Path` raises
        raise CatalogueInvalid(
            [f"{SETTING}: there is no such directory; create it, or leave the setting out"]
        )
    return checked(Path(named))


def checked(path: Path) -> Path:
    """Return the directory.

    Raises:
        CatalogueInvalid: a folder in it is no game's, or a table no name of one.
    """
    games = sorted(game.name for game in GAMES)
    faults = []
    for one in _entries(path):
        if not one.is_dir():
            faults += _misnamed(one, [f"{game}/facts.csv" for game in games])
        elif one.name not in games:
            faults.append(f"{one}: there is no such game; use {', '.join(games)}")
        else:
            tables = ["facts.csv", *(f"texts.{locale}.csv" for locale in locales(one.name))]
            for table in _entries(one):
                if table.name not in tables:
                    faults += _misnamed(table, tables)
    if faults:
        raise CatalogueInvalid(faults)
    return path


def _entries(path: Path) -> list[Path]:
    # What begins with a point belongs to the file system or to whoever mounted it.
    return sorted(one for one in path.iterdir() if not one.name.startswith("."))


def _misnamed(path: Path, names: Sequence[str]) -> list[str]:
    """Return the fault of a table that nothing reads; other files are the operator's own."""
    if path.suffix.lower() != ".csv":
        return []
    return [f"{path}: no table has this name, so nothing reads it; use {', '.join(names)}"]
