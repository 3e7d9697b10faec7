from pathlib import Path

import pytest

from scripts import generate


def test_generated_files_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate.main(["--check"]) == 0, capsys.readouterr().err


def test_a_stale_file_is_named_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(generate, "ROOT", tmp_path)
    (tmp_path / "schema").mkdir()
    (tmp_path / "schema" / "schema.graphql").write_text("type Query", "utf-8")
    assert generate.main(["--check"]) == 1
    assert capsys.readouterr().err == (
        "schema/schema.graphql is stale: make generate\n"
        "openapi/openapi.yaml is stale: make generate\n"
    )
    assert generate.main([]) == 0
    assert generate.main(["--check"]) == 0


def test_the_schema_for_printing_cannot_be_run() -> None:
    with pytest.raises(AssertionError):
        generate._unreported(ValueError())
