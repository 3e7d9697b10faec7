"""Write the generated files again, or say which of them is stale (`--check`)."""

import argparse
import json
import sys
from collections.abc import Container, Iterator
from pathlib import Path

import yaml

from schema.graphql import build_schema
from schema.openapi import build_openapi
from schema.operations import OPERATIONS
from schema.positions import build_positions
from schema.shapes import build_shapes
from scripts.site.authorisation import matrix
from scripts.site.errors import catalogue
from scripts.site.pages import site

ROOT = Path(__file__).resolve().parents[1]
EVENTS = ROOT / "schema" / "events"
POSITIONS = ROOT / "schema" / "positions"
PAGES = ROOT / "service" / "pages" / "site"


async def _never(principal: object, arguments: object) -> object:
    raise AssertionError("the schema is printed, not run")


def _unreported(error: BaseException) -> str:
    raise AssertionError("the schema is printed, not run") from error


def sdl() -> str:
    """Return the GraphQL schema as text."""
    return build_schema({row.name: _never for row in OPERATIONS}, _unreported).as_str() + "\n"


def openapi() -> str:
    """Return the OpenAPI document as YAML."""
    # Parts that stand in several places are written out in each, without YAML's anchors.
    document = json.loads(json.dumps(build_openapi()))
    text: str = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)
    return text


def files() -> Iterator[tuple[Path, str]]:
    """Yield every generated file with what it should hold."""
    schema, errors = sdl(), catalogue()
    yield ROOT / "schema" / "schema.graphql", schema
    yield ROOT / "openapi" / "openapi.yaml", openapi()
    for name, shape in build_shapes().items():
        yield EVENTS / f"{name}.json", json.dumps(shape, indent=2, ensure_ascii=False) + "\n"
    for name, shape in build_positions().items():
        yield POSITIONS / f"{name}.json", json.dumps(shape, indent=2, ensure_ascii=False) + "\n"
    cells = matrix()
    yield ROOT / "docs" / "errors.md", errors
    yield ROOT / "docs" / "authorisation.md", cells
    for name, page in site(ROOT / "docs", schema, errors, cells).items():
        yield PAGES / name, page


def stale() -> list[Path]:
    """Return the files that differ from what would be written, and those nobody would write."""
    made = dict(files())
    different = [
        path
        for path, text in made.items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]
    return different + left_over(made)


def left_over(made: Container[Path]) -> list[Path]:
    """Return the files in generated directories that are no longer made."""
    there = (*EVENTS.glob("*"), *POSITIONS.glob("*"), *PAGES.rglob("*.*"))
    return sorted(path for path in there if path not in made)


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if stale")
    if parser.parse_args(words).check:
        found = stale()
        for path in found:
            print(f"{path.relative_to(ROOT)} is stale: make generate", file=sys.stderr)
        return 1 if found else 0
    made = dict(files())
    for path, text in made.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for path in left_over(made):
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
