"""What cannot be seen is written out before it comes to a terminal."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.terminal import complain, escaped, put, say, show

EVIL = "\x1b]0;title\x07\x1b[31m\x9b1m\u202e\r\n\x7f\ud800\U000e0041"
WRITTEN = r"\u001b]0;title\u0007\u001b[31m\u009b1m\u202e\u000d\u000a\u007f\ud800\udb40\udc41"


@pytest.mark.parametrize(
    "text", ["", "a b", "Émile Zola", "時を\u3000超えて", "\u0418\u0306", "a\u00a0b", "👍🏽"]
)
def test_what_can_be_seen_stays(text: str) -> None:
    assert escaped(text) == text


def test_what_steers_is_written_as_json_writes_it() -> None:
    assert escaped(EVIL) == WRITTEN


@given(st.text())
def test_escaped_text_is_the_same_text_to_json(text: str) -> None:
    told = json.dumps(text, ensure_ascii=False)
    assert json.loads(escaped(told)) == text
    assert all(one.isprintable() or one.isspace() for one in escaped(text))
    assert not set(escaped(text)) & set(map(chr, range(32)))


def test_one_line_stays_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    say(EVIL)
    complain(EVIL)
    assert capsys.readouterr() == (f"{WRITTEN}\n", f"stele: {WRITTEN}\n")
    show("one\n\ttwo\n")
    assert capsys.readouterr().out == "one\n\\u0009two\n"


def test_a_file_is_whole_but_on_a_terminal(
    capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"a\x1b\xff\r\n"
    put(data)
    assert capfdbinary.readouterr().out == data
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    put(data)
    assert capfdbinary.readouterr().out == "a\\u001b\ufffd\n".encode()
