"""Trusted documents: a file with one JSON object, the text of each document by its id.

Tools that read the documents out of a client's source write such files; the ids are the tool's own.
"""

import json
from pathlib import Path


def load(path: Path) -> dict[str, str]:
    """Return the documents of a file by id.

    Raises:
        ValueError: it cannot be read, or is not such a file.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ValueError(f"the file cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"the file is not UTF-8, at byte {error.start}") from None
    except ValueError as error:
        raise ValueError(f"the file is not JSON ({error})") from None
    except RecursionError:
        raise ValueError("the file is nested too deeply for what it should hold") from None
    if not isinstance(found, dict):
        raise ValueError("not a JSON object with the text of each document by its id")
    for id, text in found.items():
        if not isinstance(text, str) or not text:
            raise ValueError(f"{id!r} has no text of a document")
        if not is_text(id + text):
            raise ValueError(f"{id!r} has half a character: \\ud800 to \\udfff stand in pairs only")
    return found


def is_text(value: str) -> bool:
    """Say whether all of it can be written: halves of characters cannot."""
    return not any("\ud800" <= one <= "\udfff" for one in value)
