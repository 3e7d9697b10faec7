"""What is printed: no word of a file or of a server may steer the terminal that shows it.

Escape sequences would change its title, its colours or what stands there already; other signs turn
the direction of writing. So whatever cannot be seen is written out, as JSON writes it.
"""

import sys
from typing import Final
from unicodedata import category

_SPACE: Final = "Zs"  # its category; the wide one is part of Japanese


def escaped(text: str, keep: str = "") -> str:
    """Return the text with all that cannot be seen, but for what is to be kept, written out."""
    if text.isprintable():
        return text
    return "".join(one if one in keep or _is_seen(one) else _written(one) for one in text)


def say(line: str = "") -> None:
    """Print one line to standard output."""
    print(escaped(line))


def show(text: str) -> None:
    """Print a text of several lines, the last one with its end, to standard output."""
    print(escaped(text, keep="\n"), end="", flush=True)


def complain(sentence: str) -> None:
    """Print one line to standard error."""
    print(f"stele: {escaped(sentence)}", file=sys.stderr)


def put(data: bytes) -> None:
    """Write the bytes of a file to standard output; a terminal gets the text that they are."""
    if sys.stdout.isatty():
        show(data.decode(errors="replace").replace("\r\n", "\n"))
    else:
        sys.stdout.buffer.write(data)


def _is_seen(one: str) -> bool:
    return one.isprintable() or category(one) == _SPACE


def _written(one: str) -> str:
    pairs = one.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{pairs[at]:02x}{pairs[at + 1]:02x}" for at in range(0, len(pairs), 2))
