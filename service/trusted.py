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
    except (OSError, ValueError) as error:
        raise ValueError(f"no JSON file that can be read ({error})") from None
    if not isinstance(found, dict):
        raise ValueError("not a JSON object with the text of each document by its id")
    for id, text in found.items():
        if not isinstance(text, str) or not text:
            raise ValueError(f"{id!r} has no text of a document")
    return found
