"""Where an operator's own catalogue lies."""

import os
from pathlib import Path

from domain.games import GAMES
from service.catalogue.tables import CatalogueInvalid

SETTING = "STELE_CATALOGUE_DIR"


def directory() -> Path | None:
    """Return the directory that the setting names, `None` if it names none.

    Raises:
        CatalogueInvalid: there is no such directory, or a folder in it is no game's.
    """
    named = os.environ.get(SETTING)
    if not named:
        return None
    if not Path(named).is_dir():
        raise CatalogueInvalid(
            [f"{SETTING}: there is no directory {named}; create it, or leave the setting out"]
        )
    return checked(Path(named))


def checked(path: Path) -> Path:
    """Return the directory.

    Raises:
        CatalogueInvalid: a folder in it is no game's.
    """
    known = sorted(game.name for game in GAMES)
    # What begins with a point belongs to the file system or to whoever mounted it.
    strange = sorted(
        one.name
        for one in path.iterdir()
        if one.is_dir() and not one.name.startswith(".") and one.name not in known
    )
    if strange:
        raise CatalogueInvalid(
            [f"{path / name}: there is no such game; use {', '.join(known)}" for name in strange]
        )
    return path
