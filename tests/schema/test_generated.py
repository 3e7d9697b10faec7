from pathlib import Path

import pytest

from scripts import generate


def test_generated_files_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 0, capsys.readouterr().err


def test_a_stale_file_is_named_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    events = tmp_path / "events"
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    monkeypatch.setattr(generate, "EVENTS", events)
    monkeypatch.setattr(generate, "POSITIONS", tmp_path / "positions")
    monkeypatch.setattr(generate, "PAGES", tmp_path / "pages")
    made = {tmp_path / "schema.graphql": "type Query", events / "new.json": "{}"}
    monkeypatch.setattr(generate, "files", lambda: iter(made.items()))
    events.mkdir()
    (tmp_path / "schema.graphql").write_text("type Quarry", "utf-8")
    (events / "old.json").write_text("{}", "utf-8")
    assert generate.main(["--check"]) == 1
    assert set(capsys.readouterr().err.splitlines()) == {
        "schema.graphql is stale: make generate",
        "events/new.json is stale: make generate",
        "events/old.json is stale: make generate",
    }
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0
    assert not (events / "old.json").exists()


def test_the_schema_for_printing_cannot_be_run() -> None:
    with pytest.raises(AssertionError):
        generate._unreported(ValueError())
