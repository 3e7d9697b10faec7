"""The append-only files of the private server: what is wrong with them, seen from outside.

The server starts empty where its list of files (the manifest) is missing, and says in its own log
alone that it has cut off a half-written end. Both would lose moves without a word.
"""

from pathlib import Path
from typing import Final

from service.store.base import ServerFailed

_DIRECTORY: Final = "appendonlydir"  # the server's name for it
_CUT_OFF: Final = "Truncating the AOF"


def check_listed(data_dir: Path) -> None:
    """Check that files with data have the list without which the server would not read them.

    Raises: ServerFailed.
    """
    directory = data_dir / _DIRECTORY
    if any(directory.glob("*")) and not any(directory.glob("*.manifest")):
        raise ServerFailed(
            f"{directory} has lost its manifest, and its matches would not be found: restore the "
            "data directory from a backup; if there is nothing to keep, delete it"
        )


def was_cut_off(log: Path, since: int) -> bool:
    """Tell whether the server has cut off a half-written end, by its log from byte `since` on."""
    with log.open(errors="replace") as lines:
        lines.seek(since)
        return any(_CUT_OFF in line for line in lines)
