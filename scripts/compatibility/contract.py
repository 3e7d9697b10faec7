"""The contract as files: where they are, what the last promise was, what breaks between the two."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from graphql import build_schema
from graphql.utilities import find_breaking_changes

from scripts.compatibility import openapi
from scripts.compatibility.json_schema import Comparison, Use, resolver

ROOT = Path(__file__).resolve().parents[2]
BASELINE = ROOT / "tests" / "contract_guard" / "baseline"

OPENAPI = Path("openapi/openapi.yaml")
SDL = Path("schema/schema.graphql")
EVENTS = Path("schema/events")


def files(root: Path) -> Iterator[Path]:
    """Yield the files of the contract below a directory, relative to it."""
    yield OPENAPI
    yield SDL
    yield from sorted(path.relative_to(root) for path in (root / EVENTS).glob("*.json"))


def breaks(old: Path, new: Path) -> tuple[str, ...]:
    """Return one sentence for each break between the contracts in two directories."""
    found = (*_openapi(old, new), *_graphql(old, new), *_events(old, new))
    return tuple(dict.fromkeys(found))


def _openapi(old: Path, new: Path) -> Iterator[str]:
    before = yaml.load((old / OPENAPI).read_text("utf-8"), yaml.CSafeLoader)
    after = yaml.load((new / OPENAPI).read_text("utf-8"), yaml.CSafeLoader)
    for sentence in openapi.breaks(before, after):
        yield f"REST: {sentence}"


def _graphql(old: Path, new: Path) -> Iterator[str]:
    before = build_schema((old / SDL).read_text("utf-8"))
    after = build_schema((new / SDL).read_text("utf-8"))
    for change in find_breaking_changes(before, after):
        yield f"GraphQL: {change.description}"


def _events(old: Path, new: Path) -> Iterator[str]:
    for path in sorted((old / EVENTS).glob("*.json")):
        after = new / EVENTS / path.name
        if not after.is_file():
            yield f"event {path.stem}: is gone"
            continue
        was, now = _json(path), _json(after)
        comparison = Comparison(resolver(was), resolver(now))
        yield from comparison.breaks(was, now, Use.READ, f"event {path.stem}")


def _json(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
