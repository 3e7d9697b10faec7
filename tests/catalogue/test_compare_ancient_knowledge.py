"""The comparison of Ancient Knowledge with card files: no difference stays unseen."""

import json
from collections.abc import Iterator, Mapping
from enum import Enum
from pathlib import Path

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from domain.games.ancient_knowledge import words
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.publish import published, to_published
from scripts.compared.ancient_knowledge import (
    ToldArtifact,
    ancient_knowledge,
    builder_card,
    checksums,
)

CARDS: tuple[words.BuilderCard | words.Technology, ...] = (
    *BUILDER.values(),
    *TECHNOLOGY.values(),
)
WORDS: list[type[Struct]] = [
    word for word in vars(words).values() if isinstance(word, type) and issubclass(word, Struct)
]
WORDING = {"effect_text": "", "edge_cases": []}

# Some records of card files as they are, but for their wording.
SAMPLE = {
    "monuments_city.json": """{
        "id": "city_32", "number": 32, "name": "Persepolis", "country": "Iran",
        "kind": "monument", "category": "city", "cost": 0, "start_space": 3, "locked": false,
        "knowledge": 3, "vp": 3, "starting_hand": null, "timing": "immediate",
        "effect": {"verb": "may", "effect": {"verb": "archive", "n": {
            "value": "any_number", "min": 1, "max": {"value": "min", "of": [
                {"value": "count", "of": {"zone": "own_hand"}},
                {"value": "knowledge_on", "of": {"zone": "own_timeline", "kind": "monument"}}
            ]}
        }}}
    }""",
    "monuments_megalith_pyramid.json": """{
        "id": "megalith_36", "number": 36, "name": "Poulnabrone Dolmen", "country": "Ireland",
        "kind": "monument", "category": "megalith", "cost": 0, "start_space": 6, "locked": false,
        "knowledge": 0, "vp": 0, "starting_hand": null, "timing": "passive",
        "effect": {
            "verb": "passive", "active_while": "in_own_timeline",
            "on": {
                "event": "create", "by": "owner", "kind": "monument", "exclude_self": true,
                "not_caused_by_self": true,
                "cond": {
                    "op": ">=", "right": 11,
                    "left": {"value": "count", "of": {"zone": "own_past", "kind": "monument"}}
                }
            },
            "do": {"verb": "may", "effect": {
                "verb": "create", "n": 1, "from": {"zone": "own_hand", "kind": "monument"}
            }}
        }
    }""",
    "artifacts.json": """{
        "id": "artifact_25", "number": 25, "name": "Kensington Runestone",
        "country": "United States", "kind": "artifact", "cost": 0, "starting_hand": null,
        "timing": "passive",
        "effect": {
            "verb": "passive", "active_while": "on_own_board",
            "on": {
                "event": "excavate", "by": "owner",
                "cond": {"op": "==", "left": {"value": "rotated_now"}, "right": 2}
            },
            "do": {"verb": "may", "effect": {
                "verb": "replace", "what": "excavate_draw", "with": {
                    "verb": "remove_knowledge", "n": 6, "mode": "distribute", "rule": "up_to",
                    "target": {"zone": "own_timeline", "kind": "monument", "min_knowledge": 1}
                }
            }}
        }
    }""",
    "technologies.json": """{
        "id": "tech_23", "number": 23, "name": "Arabic Numerals", "kind": "technology",
        "tech_type": "writing", "level": 1, "timing": "immediate",
        "requirement": {"op": "and", "all": [
            {"op": ">=", "left": {"value": "lost_knowledge", "of": "owner"}, "right": 5}
        ]},
        "effect": {"verb": "discard_lost_knowledge", "n": 3, "rule": "exact"}
    }""",
}


def changes(node: object) -> Iterator[object]:
    """Yield the node with one thing in it changed, for each thing in turn."""
    match node:
        case Struct():
            for name in (field.name for field in fields(node)):
                for value in changes(getattr(node, name)):
                    yield replace(node, **{name: value})
            yield from twins(node)
        case dict():
            yield {**node, "more": 1}
            for name in node:
                yield {key: value for key, value in node.items() if key != name}
                for value in changes(node[name]):
                    yield {**node, name: value}
        case tuple():
            yield from (tuple(changed) for changed in changed_lists(list(node)))
        case list():
            yield from changed_lists(node)
        case Enum():
            yield from (other for other in type(node) if other is not node)
        case bool():
            yield not node
        case int():
            yield from (node - 1, node + 1)
        case str():
            yield f"{node}_"
        case _:
            assert node is None
            yield from ("more", 1)


def changed_lists(items: list[object]) -> Iterator[list[object]]:
    yield [*items, 1]
    yield items[1:]
    for index, item in enumerate(items):
        for value in changes(item):
            yield [*items[:index], value, *items[index + 1 :]]


def twins(node: Struct) -> Iterator[Struct]:
    """Yield every other word with the same arguments: `AtMost` for `AtLeast`."""
    values = [getattr(node, field.name) for field in fields(node)]
    for word in WORDS:
        if word is not type(node) and word.__struct_fields__ == node.__struct_fields__:
            yield word(*values)


@pytest.mark.parametrize("card", CARDS, ids=[card.id for card in CARDS])
def test_whatever_changes_on_a_card_is_published(
    card: words.BuilderCard | words.Technology,
) -> None:
    # Name and country are published as texts, what only monuments have with monuments only.
    left_out = {"name", "country"}
    if isinstance(card, words.BuilderCard) and card.kind == "artifact":
        left_out |= {"space", "locked", "knowledge", "vp"}
    before = to_published(card)
    for name in (field.name for field in fields(card) if field.name not in left_out):
        for value in changes(getattr(card, name)):
            assert to_published(replace(card, **{name: value})) != before, (name, value)


@pytest.mark.parametrize("name", ["name", "country", "category", "space", "knowledge", "vp"])
def test_what_an_artifact_does_not_publish_is_compared(name: str) -> None:
    card = BUILDER["artifact_25"]
    told = msgspec.convert({**json.loads(SAMPLE["artifacts.json"]), **WORDING}, ToldArtifact)
    assert [fact for fact in builder_card(told, card) if fact.wanted != fact.found] == []
    for value in changes(getattr(card, name)):
        facts = builder_card(told, replace(card, **{name: value}))
        assert any(fact.wanted != fact.found for fact in facts), value


def write(folder: Path, records: Mapping[str, object]) -> None:
    for name, record in records.items():
        (folder / name).write_text(json.dumps([record]))


@pytest.fixture
def records(tmp_path: Path) -> dict[str, dict[str, object]]:
    """Return the sample by file, and write it."""
    sample = {name: {**json.loads(text), **WORDING} for name, text in SAMPLE.items()}
    sample["technologies.json"]["requirement_text"] = None
    write(tmp_path, sample)
    return sample


def differences(folder: Path) -> list[str]:
    return [of for of, wanted, found in ancient_knowledge(folder) if wanted != found]


def test_the_sample_agrees_but_leaves_most_cards_out(
    tmp_path: Path, records: dict[str, dict[str, object]]
) -> None:
    assert differences(tmp_path) == ["cards"]


@pytest.mark.parametrize("file", SAMPLE)
def test_whatever_changes_in_a_card_file_is_a_difference(
    tmp_path: Path, records: dict[str, dict[str, object]], file: str
) -> None:
    record = records[file]
    told = {key: value for key, value in record.items() if not key.endswith(("_text", "_cases"))}
    rest = {key: value for key, value in record.items() if key not in told}
    seen = 0
    for changed in changes(told):
        assert isinstance(changed, dict)
        write(tmp_path, {file: {**changed, **rest}})
        try:
            found = differences(tmp_path)
        except msgspec.ValidationError:
            # A field that is missing, unknown or of another type.
            continue
        assert found != ["cards"], changed
        seen += 1
    assert seen >= 25


def test_a_difference_is_named_where_it_is(
    tmp_path: Path, records: dict[str, dict[str, object]]
) -> None:
    effect = {"verb": "discard_lost_knowledge", "n": 4, "rule": "exact"}
    changed = {**records["technologies.json"], "effect": effect}
    write(tmp_path, {"technologies.json": changed})
    assert differences(tmp_path) == ["cards", "tech_23 effects.does.n"]


def test_a_card_of_the_files_that_the_catalogue_lacks_is_a_difference(
    tmp_path: Path, records: dict[str, dict[str, object]]
) -> None:
    write(tmp_path, {"artifacts.json": {**records["artifacts.json"], "id": "artifact_37"}})
    assert differences(tmp_path) == ["cards", "artifact_37"]


def test_the_checksums_of_the_rules_hold() -> None:
    found = list(checksums(published()))
    assert [fact for fact in found if fact.wanted != fact.found] == []
    assert len(found) >= 15


def test_a_mistyped_number_breaks_a_checksum() -> None:
    first, *others = published()
    for name in ("cost", "space", "locked", "knowledge", "vp", "startingHand", "timing"):
        changed = replace(first, facts={**first.facts, name: 9})
        facts = checksums((changed, *others))
        assert any(fact.wanted != fact.found for fact in facts), name
