"""Files and servers of others, whose words would steer the terminal."""

import json
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.cli.conftest import Run
from tests.cli.tamper import Lines, chained, parsed

EVIL = "\x1b]0;title\x07\x1b[31mred\u202e\nstele: all good\r"


def evil_match(lines: Lines) -> None:
    lines[0]["match"] = EVIL


def evil_player(lines: Lines) -> None:
    lines[0]["seats"][0]["player"] = EVIL


def evil_option(lines: Lines) -> None:
    lines[0]["options"][EVIL] = 1


def evil_game(lines: Lines) -> None:
    lines[0]["game"] = EVIL


def evil_field(lines: Lines) -> None:
    lines[5][EVIL] = 1


def evil_type(lines: Lines) -> None:
    lines[5]["type"] = EVIL


def evil_version(lines: Lines) -> None:
    lines[5]["version"] = EVIL


def evil_count(lines: Lines) -> None:
    lines[0]["events"] = EVIL


EVILS = [
    evil_match,
    evil_player,
    evil_option,
    evil_game,
    evil_field,
    evil_type,
    evil_version,
    evil_count,
]


@pytest.mark.parametrize("evil", EVILS)
@pytest.mark.parametrize("command", ["verify", "replay", "import"])
def test_a_hostile_log_does_not_steer_the_terminal(
    stele: Run,
    log: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    evil: Callable[[Lines], None],
) -> None:
    answering(monkeypatch, httpx.Response(409, json={"detail": EVIL}))
    lines = parsed(log.read_bytes())
    evil(lines)
    path = tmp_path / "evil.jsonl"
    path.write_bytes(chained(lines))
    said = stele(command, path)
    harmless(said.out + said.err)


def answering(monkeypatch: pytest.MonkeyPatch, answer: httpx.Response) -> None:
    monkeypatch.setattr(httpx, "request", lambda *_, **__: answer)


def harmless(text: str) -> None:
    assert "\n" in text
    assert text.replace("\n", "").isprintable()
    assert not any(line.startswith("stele: all good") for line in text.splitlines())


def test_a_hostile_server_does_not_steer_the_terminal(
    stele: Run, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for problem in ({"detail": EVIL}, {"title": EVIL}, {"code": EVIL}):
        answering(monkeypatch, httpx.Response(403, json=problem))
        said = stele("export", "m")
        assert (said.code, said.out) == (1, "")
        assert r"\u001b]0;title\u0007\u001b[31mred\u202e\u000astele" in said.err
        harmless(said.err)
    made = {"matchId": EVIL, "version": 1, "ownerToken": EVIL, "started": False}
    made["invites"] = [{"seat": 0, "invite": EVIL}]
    answering(monkeypatch, httpx.Response(200, json=made))
    for words in ((), ("--json",)):
        said = stele("import", log, *words)
        assert (said.code, said.err) == (0, "")
        harmless(said.out)
    assert json.loads(said.out)["ownerToken"] == EVIL
