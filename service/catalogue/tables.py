"""Tables that people edit: CSV in UTF-8, each row with the file and line that it stands on.

Reading tolerates what spreadsheets do to a file: a byte order mark, CRLF, columns in another order,
blank lines. Cells are taken as they are; a cell that begins with `=`, `+`, `-` or `@` stays so.
"""

import codecs
import csv
import os
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from msgspec import Struct

MAX_BYTES = 4 * 1024 * 1024


class CatalogueInvalid(Exception):
    """The catalogue that an operator supplied cannot be used; `faults` says where and why."""

    def __init__(self, faults: Sequence[str]) -> None:
        more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
        super().__init__(f"{faults[0]}{more}")
        self.faults = tuple(faults)


class Row(Struct, frozen=True):
    """The cells of a row by column, and its place: `facts.csv:12`."""

    place: str
    cells: dict[str, str]


class Table(Struct, frozen=True):
    """The rows that could be read, in order, and what is wrong with the file."""

    rows: tuple[Row, ...]
    faults: tuple[str, ...]


def read(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> Table:
    """Return the table in a file; whatever is wrong with the file is a fault of the table."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        return Table((), (f"{path}: the file cannot be read: {error.strerror}",))
    return parse(str(path), data, columns, optional)


def parse(name: str, data: bytes, columns: Sequence[str], optional: Sequence[str] = ()) -> Table:
    """Return the table in the bytes of a file of that name."""
    if len(data) > MAX_BYTES:
        return Table((), (f"{name}: the file is larger than {MAX_BYTES} bytes",))
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return Table((), (f"{name}:{line}: this is not UTF-8; save the file as CSV in UTF-8",))
    rows: list[Row] = []
    faults: list[str] = []
    header: list[str] = []
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            place, line = f"{name}:{line}", reader.line_num + 1
            if not cells:
                continue
            if not header:
                header = cells
                if not _fits(header, columns, optional):
                    return Table((), (f"{place}: the columns have to be {','.join(columns)}",))
            elif len(cells) != len(header):
                faults.append(f"{place}: {len(cells)} cells in a row of {len(header)} columns")
            else:
                rows.append(Row(place, dict(zip(header, cells, strict=True))))
    except csv.Error as error:
        faults.append(f"{name}:{reader.line_num}: this is not CSV: {error}")
    if not header and not faults:
        faults.append(f"{name}:1: the columns have to be {','.join(columns)}")
    return Table(tuple(rows), tuple(faults))


def _fits(header: Sequence[str], columns: Sequence[str], optional: Sequence[str]) -> bool:
    names = set(header)
    return len(names) == len(header) and set(columns) <= names <= {*columns, *optional}


def to_csv(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """Return the rows as CSV (RFC 4180: CRLF ends a row) in UTF-8."""
    out = StringIO(newline="")
    # The writer quotes what contains a character of the line end, so CRLF keeps both apart.
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue().encode()


def write(path: Path, data: bytes) -> None:
    """Put the data in place whole: readers see the old file or the new one, never a part.

    Raises: OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
