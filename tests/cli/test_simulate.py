from pathlib import Path

import pytest

from service.cli import simulate
from service.cli.playing import Plan, Played, play
from tests.cli.conftest import Run
from tests.cli.terminal import Terminal

FIELDS = {
    *("game", "seats", "matches", "plies", "decisions", "seconds", "decisionsPerSecond"),
    *("outcomes", "errors"),
}


def test_the_report_has_the_promised_fields(stele: Run) -> None:
    said = stele("simulate", "--bot", "greedy", "--seats", 2, "--matches", 3, "--json")
    assert said.code == 0
    assert said.err == ""
    report = said.json
    assert set(report) == FIELDS
    assert (report["game"], report["seats"], report["matches"]) == ("chrononauts", 2, 3)
    assert report["plies"] == report["decisions"] > 0
    assert report["errors"] == 0
    assert sum(outcome["matches"] for outcome in report["outcomes"]) == 3
    assert all(set(row) == {"winners", "reasons", "matches"} for row in report["outcomes"])


def test_people_read_plies_rate_and_winners(stele: Run) -> None:
    said = stele("simulate", "--bot", "greedy", "--matches", 2)
    first, headings, *rows = said.out.splitlines()
    assert headings == "matches  winners   reasons"
    assert first.startswith("chrononauts, 3 seats: 2 matches, ")
    assert first.endswith(" decisions/s")
    assert rows


def test_a_bar_shows_on_a_terminal_how_far_it_has_come(stele: Run) -> None:
    words = ("simulate", "--matches", 3, "--seats", 2)
    terminal = Terminal(*words)
    shown = terminal.screen(b"", "3 matches, ")
    assert "chrononauts, 2 seats" in shown
    assert "3/3" in shown
    assert terminal.end(b"") == 0
    assert stele(*words).err == ""
    quiet = Terminal(*words, "--json")
    assert "0/3" not in quiet.screen(b"", '"errors":0}')
    assert quiet.end(b"") == 0


def test_the_same_seed_plays_the_same_matches(stele: Run, tmp_path: Path, logs: Path) -> None:
    words = ("simulate", "--bot", "greedy", "--matches", 3, "--out", tmp_path)
    assert stele(*words, "--seed", 7).code == 0
    again = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert again == {path.name: path.read_bytes() for path in logs.iterdir()}
    assert stele(*words, "--seed", 8).code == 0
    assert len(list(tmp_path.iterdir())) == 6


def test_several_processes_play_the_same_matches(stele: Run, tmp_path: Path, logs: Path) -> None:
    words = ("simulate", "--bot", "greedy", "--matches", 3, "--seed", 7, "--jobs", 2)
    assert stele(*words, "--out", tmp_path).code == 0
    again = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert again == {path.name: path.read_bytes() for path in logs.iterdir()}


@pytest.mark.parametrize(
    "words",
    [
        ("--seats", 1, "--option", "variant=solonauts"),
        ("--seats", 4, "--option", "variant=artifaxx", "--bot", "greedy"),
        ("--seats", 6, "--preset", "sheet", "--bot", "greedy"),
        ("--seats", 3, "--option", "courtesySwap=true", "--option", "paradoxLimit=4"),
    ],
)
def test_every_variant_is_played_and_its_logs_verify(stele: Run, words: tuple[object, ...]) -> None:
    said = stele("simulate", "--matches", 2, "--verify", "--json", *words)
    assert said.code == 0
    assert said.json["errors"] == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--game", "chess"), "there is no game 'chess': take one of"),
        (("--seats", 9), "chrononauts takes 1 to 6 seats"),
        (("--seats", 1), "standard takes 2 to 6 seats"),
        (("--option", "variant"), "--option variant: write NAME=VALUE"),
        (("--option", "luck=7"), "luck: there is no such option; there are variant, "),
        (("--preset", "mine"), 'preset: one of published, sheet, not "mine"'),
    ],
)
def test_what_cannot_be_played_is_refused(stele: Run, words: tuple[object, ...], told: str) -> None:
    said = stele("simulate", *words)
    assert said.code == 2
    assert told in said.err


def test_a_directory_that_cannot_be_made_is_refused(stele: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = stele("simulate", "--out", tmp_path / "file" / "logs")
    assert said.code == 2
    assert "Not a directory; name another directory" in said.err


def test_an_engine_error_is_named_and_the_others_are_played(
    stele: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(plan: Plan, number: int) -> Played:
        if number == 1:
            raise AssertionError("a program ended without ending the match")
        return play(plan, number)

    monkeypatch.setattr(simulate, "play", fail)
    said = stele("simulate", "--bot", "greedy", "--matches", 3, "--json")
    assert said.code == 1
    assert said.json["errors"] == 1
    assert said.json["matches"] == 3
    assert said.err == (
        "stele: chrononauts-3-greedy-0-00001: AssertionError: "
        "a program ended without ending the match\n"
    )


def test_a_match_without_end_is_an_error(stele: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.cli.playing.PLY_LIMIT", 5)
    monkeypatch.setattr(simulate, "PLY_LIMIT", 5)
    said = stele("simulate", "--matches", 1)
    assert said.code == 1
    assert "chrononauts-3-random-0-00000: not over after 5 plies" in said.err
