import re
from pathlib import Path
from string import Formatter

import pytest
from rich.cells import cell_len

from domain.games.chrononauts.events import EVENTS
from schema import log as format
from service.text import GAMES, Words, tell
from service.text.frame import WIDTH, listed
from service.text.words import LOCALES, phrases
from tests.cli.conftest import Run
from tests.cli.replay.cases import CASES, HERE, LOGS, README, drawn, printed
from tests.cli.terminal import Terminal

LOG = LOGS / "standard-3.jsonl"


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_board_is_printed_as_before(name: str) -> None:
    assert printed(name) == (HERE / f"{name}.txt").read_text(encoding="utf-8")


def test_the_picture_in_the_readme_is_what_its_commands_print() -> None:
    readme = README.read_text(encoding="utf-8")
    assert drawn(readme) == readme


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("path", sorted(LOGS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_lines_fit_a_terminal_and_the_timeline_is_aligned(
    stele: Run, path: Path, locale: str
) -> None:
    last = format.read(path.read_bytes()).header.events
    for at in (1, last // 3, last // 2, last):
        lines = stele("replay", path, "--at", at, "--locale", locale).out.splitlines()
        assert all(cell_len(line) <= WIDTH for line in lines)
        grid = [line for line in lines if line.startswith(("+", "|"))]
        assert len({cell_len(line) for line in grid}) <= 1
        assert all(line.count("|") in (0, 9) for line in grid)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_event_of_every_golden_log_is_put_into_words(locale: str) -> None:
    for path in LOGS.glob("*.jsonl"):
        full = format.read(path.read_bytes())
        game = full.header.game
        words = Words(game, locale)
        for one in (full, format.redacted(full, 0), format.redacted(full, None)):
            for entry in one.entries:
                said = tell(game, entry.event, words)
                assert said
                assert not set("{}_") & set(said)


def test_the_board_shows_what_lies_on_it(stele: Run) -> None:
    out = stele("replay", LOGS / "quarrel-4.jsonl").out
    assert "|*1963   | 1968   | 1969   |" in out
    assert "| altered| patched| PARADOX|" in out
    assert "open paradoxes 3/13" in out
    assert "1968': A Vietnam peace accord is signed" in out
    assert "over: seat 3 won (the last one left)" in out


def test_years_out_of_reach_are_marked(stele: Run) -> None:
    # World War III lies in none of the golden logs for long, so look for it.
    for path in sorted(LOGS.glob("*.jsonl")):
        lines = path.read_bytes().splitlines()
        for at, line in enumerate(lines):
            if b'"type":"chrononauts.point_patched"' in line and b"P1962" in line:
                out = stele("replay", path, "--at", at).out
                assert "|*1963 x " in out
                assert " x" not in out.split("1945")[0].split("TimeLine")[1]
                return
    raise AssertionError("no golden log has the war")


@pytest.mark.parametrize("viewer", ["0", "2", "spectator"])
def test_a_viewer_sees_of_a_full_log_what_the_redacted_one_shows(
    stele: Run, tmp_path: Path, viewer: str
) -> None:
    full = format.read(LOG.read_bytes())
    eyes = None if viewer == "spectator" else int(viewer)
    path = tmp_path / "redacted.jsonl"
    path.write_bytes(format.write(format.redacted(full, eyes)))
    for at in (6, 100, 300, full.header.events):
        shown = stele("replay", path, "--at", at).out
        assert shown == stele("replay", LOG, "--at", at, "--as", viewer).out
        assert shown != stele("replay", LOG, "--at", at).out


def test_a_redacted_log_shows_nobody_more(stele: Run, tmp_path: Path) -> None:
    path = tmp_path / "redacted.jsonl"
    path.write_bytes(format.write(format.redacted(format.read(LOG.read_bytes()), 1)))
    assert stele("replay", path, "--as", "1").code == 0
    said = stele("replay", path, "--as", "all")
    assert said.code == 2
    assert said.err == ("stele: --as all: this log is redacted for 1; export a full one\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--at", "0"), "--at 0: the log has the versions 1 to "),
        (("--at", "99999"), "--at 99999: the log has the versions 1 to "),
        (("--as", "3"), "--as 3: take a seat from 0 to 2, spectator or all"),
        (("--as", "queen"), "--as queen: take a seat from 0 to 2, spectator or all"),
        (("--locale", "tlh"), "invalid choice: 'tlh'"),
        (("--step",), "--step needs a terminal; use --at V to see one version without it"),
    ],
)
def test_what_cannot_be_shown_is_refused(stele: Run, words: tuple[str, ...], told: str) -> None:
    said = stele("replay", LOG, *words)
    assert said.code == 2
    assert told in said.err
    assert said.err.count("\n") == 1


def test_a_bad_log_is_named_by_its_line(stele: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(LOG.read_bytes()[:-20])
    said = stele("replay", path)
    assert said.code == 1
    assert re.search(r"bad.jsonl: line \d+: the line is cut off in the middle", said.err)


def test_keys_walk_through_the_versions() -> None:
    last = format.read(LOG.read_bytes()).header.events
    terminal = Terminal("replay", LOG, "--step", "--at", 100)
    assert "version 100" in terminal.screen(b"", f"[100/{last}]")
    assert "version 101" in terminal.screen(b"n", f"[101/{last}]")
    assert "version 102" in terminal.screen(b"\x1b[C", f"[102/{last}]")
    assert "version 101" in terminal.screen(b"p", f"[101/{last}]")
    assert "version 100" in terminal.screen(b"\x1b[D", f"[100/{last}]")
    assert "version 120" in terminal.screen(b"N", f"[120/{last}]")
    assert "version 100" in terminal.screen(b"P", f"[100/{last}]")
    terminal.screen(b"G", f"[{last}/{last}]")
    terminal.screen(b"n", f"[{last}/{last}]")
    terminal.screen(b"g", f"[1/{last}]")
    terminal.screen(b"p", f"[1/{last}]")
    assert terminal.end(b"q") == 0


def test_the_keys_are_told_in_the_language_and_again_after_a_strange_one() -> None:
    terminal = Terminal("replay", LOG, "--step", "--at", 100, "--locale", "ja")
    shown = terminal.screen(b"", "[100/")
    assert "q：終了" in shown
    assert "そのキーは使えません" not in shown
    assert "そのキーは使えません" in terminal.screen(b"x", "[100/")
    assert "そのキーは使えません" not in terminal.screen(b"n", "[101/")
    assert terminal.end(b"q") == 0


def test_several_logs_are_refused_in_one_sentence(stele: Run) -> None:
    said = stele("replay", LOG, LOG)
    told = f"replay shows one log at a time: name {LOG} or another one alone"
    assert (said.code, said.err) == (2, f"stele: {told}\n")


def test_both_languages_have_the_same_phrases_with_the_same_gaps() -> None:
    english, japanese = phrases("en"), phrases("ja")
    assert list(english) == list(japanese)
    for key, phrase in english.items():
        assert _gaps(phrase) == _gaps(japanese[key]), key
        assert phrase.strip()
        assert japanese[key].strip()


def _gaps(phrase: str) -> set[str]:
    return {field for _, field, _, _ in Formatter().parse(phrase) if field}


def test_every_kind_of_event_has_a_phrase() -> None:
    for kind in EVENTS:
        name = str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # events are Structs
        assert any(key.startswith(name) for key in phrases("en")), name


def test_a_game_without_words_of_its_own_is_shown_field_by_field(
    stele: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(GAMES, "chrononauts")
    out = stele("replay", LOG, "--at", "300").out
    assert "\nturn: 2\n" in out
    assert "\nseats\n  0\n    seat: 0\n    hand\n      0: " in out
    assert 'chrononauts.cards_drawn seat 2, cards ["' in out


def test_a_card_without_a_name_is_called_by_its_id() -> None:
    assert Words("chrononauts", "en").card("P2001") == "P2001"


def test_a_word_that_is_wider_than_the_line_is_broken() -> None:
    lines = listed("hand", ["x" * 200, "y"], ", ", 2, 8)
    assert all(cell_len(line) <= WIDTH for line in lines)
    assert "".join(line.strip() for line in lines).replace("hand", "").strip() == "x" * 200 + ",y"


def test_a_catalogue_that_is_not_there_is_told(
    stele: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STELE_CATALOGUE_DIR", "n" * 5000)
    said = stele("replay", log)
    assert (said.code, said.out) == (2, "")
    assert said.err.startswith("stele: STELE_CATALOGUE_DIR: there is no such directory; ")
