import shutil
import sys

import pytest

from service.cli import console
from service.cli import main as entry
from service.cli.main import COMMANDS
from tests.cli.conftest import Run, program

PROMISED = {
    *("serve", "simulate", "swarm", "replay", "verify", "export", "import", "corpus"),
    *("catalogue", "bench", "openapi", "sdl"),
}


def test_help_names_every_command(stele: Run) -> None:
    said = stele("--help")
    assert said.code == 0
    assert set(COMMANDS) == PROMISED
    assert all(name in said.out for name in PROMISED)
    assert "example:" in said.out


@pytest.mark.parametrize("name", sorted(PROMISED))
def test_every_command_has_help_with_an_example(stele: Run, name: str) -> None:
    said = stele(name, "--help")
    assert said.code == 0
    assert said.err == ""
    assert f"usage: stele {name} " in said.out
    assert f"example:\n  stele {name}" in said.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["shuffle"], "invalid choice: 'shuffle'"),
        (["simulate", "--seats", "many"], "'many' is not a number from 1 up"),
        (["simulate", "--matches", "0"], "'0' is not a number from 1 up"),
        (["simulate", "--colour", "red"], "unrecognized arguments: --colour red"),
        (["verify"], "the following arguments are required: LOG"),
        (["verify", "nowhere.jsonl"], "nowhere.jsonl: there is no such file; name a log"),
        (["replay", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory; name a log"),
        (["import", "nowhere.jsonl"], "nowhere.jsonl: No such file or directory; name a log"),
        (["corpus", "check", "nowhere"], "nowhere: there is no such directory; name one"),
        *(
            ([*words, "--url", url], "--url: not an http or https URL; write it like http://")
            for words in (["export", "m"], ["swarm"])
            for url in ("ftp://x", "http://", "http://[::1", "http://x:99999", "http://x\x1b")
        ),
        (["export", "m", "--token", "Secr\xe9t"], "--token or STELE_TOKEN: not a token"),
        (["serve", "--port", "99999"], "'99999' is not a port from 0 to 65535"),
    ],
)
def test_wrong_usage_is_told_in_one_sentence(stele: Run, words: list[str], told: str) -> None:
    said = stele(*words)
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("stele")
    assert told in said.err
    assert said.err.count("\n") == 1


def test_the_exit_code_and_the_sentence_reach_the_shell() -> None:
    said = program("simulate", "--bot", "search")
    assert said.code == 2
    assert said.out == ""
    assert said.err == "stele: there is no search bot yet: take --bot random or --bot greedy\n"
    assert "search" not in program("simulate", "--help").out


def test_a_missing_module_breaks_its_own_command_only(
    stele: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(COMMANDS, "bench", ("not_there", "measure"))
    assert stele("--help").code == 0
    assert stele("sdl").code == 0
    said = stele("bench")
    assert said.code == 1
    assert said.err == (
        "stele: `stele bench` needs service.cli.not_there, which is not installed: "
        "run `make install`\n"
    )


def test_our_own_mistakes_are_told_without_a_traceback(
    stele: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> int:
        raise KeyError("lost")

    monkeypatch.setattr("service.cli.contract.sdl", fail)
    said = stele("sdl")
    assert said.code == 1
    assert said.err.startswith("stele: our mistake (KeyError: 'lost'): report it with")
    assert said.err.count("\n") == 1
    monkeypatch.setenv("STELE_LOG_LEVEL", "debug")
    with pytest.raises(KeyError):
        entry(["sdl"])


def test_a_full_disk_is_told_in_one_sentence(stele: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> int:
        raise OSError(28, "No space left on device", "match.jsonl")

    monkeypatch.setattr("service.cli.contract.sdl", fail)
    said = stele("sdl")
    assert said.code == 1
    assert said.err == ("stele: match.jsonl: No space left on device; see to it and try again\n")


def test_ctrl_c_ends_a_command_quietly(stele: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("service.cli.contract.sdl", interrupt)
    said = stele("sdl")
    assert (said.code, said.err) == (130, "")


def test_the_contract_is_printed(stele: Run) -> None:
    assert stele("openapi").json["openapi"].startswith("3.1")
    sdl = stele("sdl").out
    assert "type Mutation {" in sdl
    assert "playCard(input: PlayCardInput!)" in sdl


@pytest.mark.parametrize(
    ("given", "found", "called"),
    [
        (".venv/bin/stele", None, ".venv/bin/stele"),
        ("/here/bin/stele", "/there/bin/stele", "/here/bin/stele"),
        ("/here/bin/stele", "/here/bin/stele", "stele"),
        ("/here/service/cli/__main__.py", None, "stele"),
    ],
)
def test_a_hint_calls_the_command_as_it_was_called(
    monkeypatch: pytest.MonkeyPatch, given: str, found: str | None, called: str
) -> None:
    monkeypatch.setattr(sys, "argv", [given])
    monkeypatch.setattr(shutil, "which", lambda _: found)
    assert console.called() == called
