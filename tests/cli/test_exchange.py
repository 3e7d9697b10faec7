import json
from pathlib import Path

import httpx
import pytest

from bench.served import Service
from schema import log as format
from tests.cli.conftest import Run
from tests.golden.logs.grow import QUARREL, path_of

LOG = path_of("standard-4")


def test_a_log_goes_in_and_comes_out(stele: Run, running: Service, tmp_path: Path) -> None:
    said = stele("import", LOG, "--url", running.url, "--json")
    assert said.code == 0
    made = said.json
    assert made["version"] == format.read(LOG.read_bytes()).header.events
    assert made["invites"] == []  # bots sit on all of its seats
    out = tmp_path / "out.jsonl"
    words = ("export", made["matchId"], "--url", running.url, "--token", made["ownerToken"])
    said = stele(*words, "--out", out)
    assert said.code == 0
    assert said.out == f"{out}: {made['version']} events, full\n"
    assert stele("verify", out).code == 0
    events = [entry.event for entry in format.read(out.read_bytes()).entries]
    assert events == [entry.event for entry in format.read(LOG.read_bytes()).entries]


def test_the_token_may_stand_in_the_environment(
    stele: Run, running: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = stele("import", LOG, "--url", running.url, "--json").json
    monkeypatch.setenv("STELE_TOKEN", made["ownerToken"])
    said = stele("export", made["matchId"], "--url", f"{running.url}/")
    assert said.code == 0
    assert json.loads(said.out.splitlines()[0])["viewer"] == "all"


def test_people_read_the_tokens_of_an_import(stele: Run, running: Service) -> None:
    lines = stele("import", path_of(QUARREL), "--url", running.url).out.splitlines()
    assert lines[0].startswith("match ")
    assert lines[1].startswith("owner token  owner.")
    assert lines[2:] == []  # the match is over: nobody can sit down


def test_an_open_match_that_is_taken_in_has_invites_for_its_free_seats(
    stele: Run, running: Service, tmp_path: Path
) -> None:
    with httpx.Client(base_url=f"{running.url}/v1") as client:
        made = client.post("/matches", json={"game": "chrononauts", "seats": 3}).json()
        path = f"/matches/{made['matchId']}"
        client.post(f"{path}/seats", json={"invite": made["invites"][1]["invite"]})
        headers = {"Authorization": f"Bearer {made['ownerToken']}"}
        log = tmp_path / "open.jsonl"
        log.write_bytes(client.get(f"{path}/log", headers=headers).content)
        lines = stele("import", log, "--url", running.url).out.splitlines()
        words = [line.split("  ") for line in lines[2:]]
        assert [name for name, _ in words] == ["invite for seat 0", "invite for seat 2"]
        copy = lines[0].split()[1].rstrip(",")
        for _, invite in words:
            sat = client.post(f"/matches/{copy}/seats", json={"invite": invite})
            assert sat.is_success
        assert sat.json()["started"] is True


def test_an_unknown_match_and_a_false_token_are_refused(stele: Run, running: Service) -> None:
    said = stele("export", "nothing", "--url", running.url)
    assert said.code == 1
    assert "there is no match nothing; give the token" in said.err
    said = stele("export", "nothing", "--url", running.url, "--token", "false")
    assert said.code == 1
    assert "the token is not valid" in said.err
    assert said.err.count("\n") == 1


def test_a_log_that_does_not_verify_is_refused_by_the_service(
    stele: Run, running: Service, tmp_path: Path
) -> None:
    full = format.read(LOG.read_bytes())
    path = tmp_path / "redacted.jsonl"
    path.write_bytes(format.write(format.redacted(full, None)))
    said = stele("import", path, "--url", running.url)
    assert said.code == 1
    assert "the log is redacted; only a full one can be taken in" in said.err


def test_a_log_that_cannot_be_read_is_not_even_sent(stele: Run, tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(LOG.read_bytes()[:-9])
    said = stele("import", path, "--url", "http://127.0.0.1:1")
    assert said.code == 1
    assert "the line is cut off in the middle; export it again" in said.err


@pytest.mark.parametrize("words", [("export", "m"), ("import", LOG), ("swarm",)])
def test_without_a_service_one_is_told_how_to_start_it(
    stele: Run, words: tuple[object, ...]
) -> None:
    said = stele(*words, "--url", "http://127.0.0.1:1")
    assert said.code == 1
    assert said.err == (
        "stele: no service answers at http://127.0.0.1:1: "
        "start one with `stele serve` or name it with --url\n"
    )


def _answering(monkeypatch: pytest.MonkeyPatch, answer: httpx.Response) -> None:
    monkeypatch.setattr(httpx, "request", lambda *_, **__: answer)


def test_a_log_that_did_not_come_whole_is_refused(
    stele: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _answering(monkeypatch, httpx.Response(200, content=LOG.read_bytes()[:-30]))
    said = stele("export", "m")
    assert said.code == 1
    assert "the log did not come whole (line " in said.err


def test_a_file_that_cannot_be_written_is_refused(
    stele: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _answering(monkeypatch, httpx.Response(200, content=LOG.read_bytes()))
    said = stele("export", "m", "--out", tmp_path)
    assert said.code == 2
    assert "Is a directory; name another file" in said.err


@pytest.mark.parametrize(("viewer", "whose"), [(None, "a spectator"), (2, "seat 2")])
def test_one_is_told_whose_log_it_is(
    stele: Run,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    viewer: int | None,
    whose: str,
) -> None:
    full = format.read(LOG.read_bytes())
    text = format.write(format.redacted(full, viewer))
    _answering(monkeypatch, httpx.Response(200, content=text))
    said = stele("export", "m", "--out", tmp_path / "log.jsonl")
    assert said.out.endswith(f" events, redacted for {whose}\n")


def test_something_else_that_answers_is_told_by_its_status(
    stele: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    _answering(monkeypatch, httpx.Response(502, content=b"<html>"))
    said = stele("export", "m")
    assert said.code == 1
    assert said.err == "stele: the service answered 502 Bad Gateway; check --url\n"
    _answering(monkeypatch, httpx.Response(200, content=b"<html>"))
    said = stele("import", LOG)
    assert said.code == 1
    assert said.err == "stele: what answers is no Stele service; check --url\n"
