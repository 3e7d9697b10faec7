"""Text laid out for a terminal: widths count in cells, so Japanese characters count as two.

Lines are drawn in ASCII, because terminals disagree about the width of box characters.
"""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, chop_cells

WIDTH = 78


def padded(text: str, width: int) -> str:
    """Return the text, filled up with spaces to the width in cells."""
    return text + " " * (width - cell_len(text))


def pair(left: str, right: str, width: int = WIDTH) -> list[str]:
    """Return a line with one text at each end, or two lines where one has no room for both."""
    gap = width - cell_len(left) - cell_len(right)
    return [left + " " * gap + right] if gap > 1 else [left, right]


def grid(rows: Sequence[Sequence[tuple[str, ...]]], width: int) -> list[str]:
    """Return a table of cells, each of several lines of at most `width` cells."""
    rule = "+" + "+".join("-" * width for _ in rows[0]) + "+"
    lines = [rule]
    for row in rows:
        for line in zip(*row, strict=True):
            lines.append("|" + "|".join(padded(text, width) for text in line) + "|")
        lines.append(rule)
    return lines


def listed(label: str, parts: Iterable[str], comma: str, indent: int, column: int) -> list[str]:
    """Return a label and what it lists, broken between its parts and hanging under the first."""
    head = " " * indent + padded(label, column)
    # A line that goes on ends with a comma.
    room = WIDTH - cell_len(head) - cell_len(comma.rstrip())
    lines: list[str] = []
    for part in parts:
        if lines and cell_len(lines[-1] + comma + part) <= room:
            lines[-1] += comma + part
            continue
        if lines:
            lines[-1] += comma.rstrip()
        lines += _broken(part, room)
    return [
        (head if number == 0 else " " * cell_len(head)) + line for number, line in enumerate(lines)
    ]


def _broken(text: str, room: int) -> list[str]:
    """Break a text that is wider than the room: between words, where there are words."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(longer) <= room:
            lines[-1] = longer
        else:
            lines += chop_cells(word, room)
    return [line for line in lines if line]


def fitted(text: str, width: int, count: int) -> tuple[str, ...]:
    """Return a text as so many lines; where it has no room it ends with a full stop."""
    lines = _broken(text, width)
    if len(lines) > count:
        lines[count - 1] = chop_cells(lines[count - 1], width - 1)[0] + "."
    return tuple([*lines, *[""] * count][:count])
