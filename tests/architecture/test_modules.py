import ast
import csv
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Set
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("domain", "schema", "service")
BANNED_IN_CATALOGUES = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.Lambda,
    ast.If,
    ast.IfExp,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.comprehension,
)


def modules() -> Iterator[Path]:
    for package in PACKAGES:
        yield from sorted((ROOT / package).rglob("*.py"))


def is_catalogue(module: Path) -> bool:
    return module.parent.name == "cards"


def logic_lines(source: str) -> list[int]:
    """Return the lines with anything that a catalogue, which is data, must not contain."""
    tree = ast.parse(source)
    banned = [node for node in ast.walk(tree) if isinstance(node, BANNED_IN_CATALOGUES)]
    return sorted(
        node.target.lineno if isinstance(node, ast.comprehension) else node.lineno
        for node in banned
    )


def card_ids() -> set[str]:
    tables = (ROOT / "domain").glob("games/*/texts/*.csv")
    return {
        row["card"]
        for table in tables
        for row in csv.DictReader(table.read_text("utf-8").splitlines())
    }


def rules_modules() -> Iterator[Path]:
    yield from sorted((ROOT / "domain").glob("engine/*.py"))
    yield from sorted((ROOT / "domain").glob("games/*/resolve*.py"))
    yield from sorted((ROOT / "domain").glob("games/*/turn*.py"))


def named_cards(source: str, ids: Set[str]) -> list[str]:
    """Return the card ids that the source names as strings."""
    constants = (
        node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)
    )
    return sorted(value for value in constants if isinstance(value, str) and value in ids)


def test_modules_stay_small_enough_to_read() -> None:
    sizes = {module: len(module.read_text("utf-8").splitlines()) for module in modules()}
    too_long = [
        f"{module.relative_to(ROOT)}: {lines} lines"
        for module, lines in sizes.items()
        if lines > (600 if is_catalogue(module) else 400)
    ]
    assert too_long == []


def test_card_catalogues_are_data_only() -> None:
    logic = [
        f"{module.relative_to(ROOT)}:{line}"
        for module in modules()
        if is_catalogue(module)
        for line in logic_lines(module.read_text("utf-8"))
    ]
    assert logic == []


@pytest.mark.parametrize(
    "source",
    [
        "def card(): ...",
        "CARD = lambda: 1",
        "if True:\n    CARD = 1",
        "CARD = 1 if True else 2",
        "for card in (): ...",
        "CARDS = [card for card in ()]",
    ],
)
def test_logic_in_a_catalogue_is_found(source: str) -> None:
    assert logic_lines(source) == [1]


def test_constructor_calls_are_no_logic() -> None:
    assert logic_lines("CARDS = (*MORE, Card('parthenon', effect=Seq((Draw(2),))))") == []


def test_rules_name_no_card() -> None:
    ids = card_ids()
    named = {
        str(module.relative_to(ROOT)): cards
        for module in rules_modules()
        if (cards := named_cards(module.read_text("utf-8"), ids))
    }
    assert named == {}


def test_a_card_named_in_the_rules_is_found() -> None:
    assert named_cards("if card == 'A-ARK': draw('A-')", {"A-ARK", "A-CROWN"}) == ["A-ARK"]


@pytest.mark.parametrize("name", ["game.py", "words.py"])
def test_the_game_of_the_tutorial_can_be_moved_into_the_domain(name: str) -> None:
    """It is copied by whoever adds a game, so it keeps the rules that hold there."""
    source = (ROOT / "tests/games/toy" / name).read_bytes()
    lint = [sys.executable, "-m", "ruff", "check", "--stdin-filename", f"domain/games/toy/{name}"]
    checked = subprocess.run([*lint, "-"], input=source, cwd=ROOT, capture_output=True)
    assert checked.returncode == 0, checked.stdout.decode()
    assert len(source.splitlines()) <= 400


def test_every_data_file_is_part_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    left_out = [
        str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*"))
        if path.is_file()
        and path.suffix not in {".py", ".pyc"}
        and not any(fnmatch(path.name, pattern) for pattern in patterns)
    ]
    assert left_out == []
