"""CSV as people and their spreadsheets write it."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.catalogue.tables import MAX_BYTES, Row, parse, read, to_csv, write

COLUMNS = ("card", "fact", "value")
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def faults(data: bytes) -> tuple[str, ...]:
    return parse("facts.csv", data, COLUMNS).faults


@given(st.lists(st.tuples(TEXT, TEXT, TEXT), max_size=5))
def test_what_is_written_is_read_again(rows: list[tuple[str, str, str]]) -> None:
    table = parse("facts.csv", to_csv(COLUMNS, rows), COLUMNS)
    assert table.faults == ()
    assert [tuple(row.cells.values()) for row in table.rows] == rows


def test_a_byte_order_mark_crlf_blank_lines_and_another_order_are_tolerated() -> None:
    table = parse("facts.csv", b"\xef\xbb\xbfvalue,card,fact\r\n\r\n3,T-MEMO,count\r\n", COLUMNS)
    assert table.faults == ()
    assert table.rows == (Row("facts.csv:3", {"value": "3", "card": "T-MEMO", "fact": "count"}),)


def test_a_row_has_the_line_that_it_begins_on() -> None:
    table = parse("facts.csv", b'card,fact,value\nA,b,"one\ntwo"\nC,d,e\n', COLUMNS)
    assert [row.place for row in table.rows] == ["facts.csv:2", "facts.csv:4"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "facts.csv:1: the columns have to be card,fact,value"),
        (b"card;fact;value\n", "facts.csv:1: the columns have to be card,fact,value"),
        (b"card,fact\n", "facts.csv:1: the columns have to be card,fact,value"),
        (b"card,fact,value,note\n", "facts.csv:1: the columns have to be card,fact,value"),
        (b"card,fact,value,value\n", "facts.csv:1: the columns have to be card,fact,value"),
        (
            "card,fact,value\nT-MEMO,count,é\n".encode("latin-1"),
            "facts.csv:2: this is not UTF-8; save the file as CSV in UTF-8",
        ),
        (
            "card,fact,value\n".encode("utf-16"),
            "facts.csv:1: this is not UTF-8; save the file as CSV in UTF-8",
        ),
        (b'card,fact,value\nA,b,"c\n', "facts.csv:2: this is not CSV: unexpected end of data"),
        (
            b'card,fact,value\nA,b,"c"d\n',
            "facts.csv:2: this is not CSV: ',' expected after '\"'",
        ),
        (
            b"card,fact,value\nA,b," + b"c" * 200_000,
            "facts.csv:2: this is not CSV: field larger than field limit (131072)",
        ),
        (b"," * (MAX_BYTES + 1), f"facts.csv: the file is larger than {MAX_BYTES} bytes"),
    ],
)
def test_a_broken_file_is_one_fault(data: bytes, fault: str) -> None:
    assert faults(data) == (fault,)


def test_a_file_that_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    assert read(tmp_path, COLUMNS).faults == (
        f"{tmp_path}: the file cannot be read: Is a directory",
    )


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "new" / "texts.ja.csv"
    write(path, b"old")

    def full(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        write(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(path.parent.iterdir()) == [path]
