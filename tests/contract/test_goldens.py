"""What was stored or counted once; `python -m scripts.goldens` writes the files."""

import json
from pathlib import Path

import msgspec
import pytest

from domain.engine.codec import codec, encode, type_of
from domain.engine.effects import Ask, Seq
from scripts.goldens import GOLDEN, perft_table, playthrough, samples
from tests.kit.matches import ALL_GAMES, CASES, Case
from tests.kit.samples import events_of

EVENTS = sorted(GOLDEN.glob("events/*.json"))
AGENDAS = sorted(GOLDEN.glob("agendas/*.json"))


def game_of_sample(file: Path) -> str:
    name = file.name.split(".")[0]
    return name if name in {game.name for game in ALL_GAMES} else "chrononauts"


@pytest.mark.parametrize("file", EVENTS, ids=lambda file: file.stem)
def test_every_event_ever_stored_can_be_read(file: Path) -> None:
    words = codec(game_of_sample(file))
    (event,) = words.events(b"[" + file.read_bytes() + b"]")
    assert words.events(encode([event])) == (event,)
    assert type(event) in events_of(game_of_sample(file))
    assert file.name.startswith(type_of(event)[0].split(".")[0])


@pytest.mark.parametrize("file", AGENDAS, ids=lambda file: file.stem)
def test_every_word_of_an_agenda_ever_stored_can_be_read(file: Path) -> None:
    words = codec(game_of_sample(file))
    (frame,) = words.frames(msgspec.Raw(file.read_bytes().strip()))
    *asks, rest = frame.todo
    assert all(isinstance(one, Ask) for one in asks)
    assert isinstance(rest, Seq)


def test_every_event_type_and_every_game_has_a_sample() -> None:
    missing = [path for path, _ in samples() if not (GOLDEN / path).exists()]
    assert missing == []


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_number_of_legal_answers_is_as_it_was(case: Case) -> None:
    tables = json.loads((GOLDEN / "perft.json").read_text("utf-8"))
    assert perft_table(case) == tables[str(case)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_match_plays_as_it_did(case: Case) -> None:
    """Options in their order, answers, events; the first line is the digest of the whole log."""
    stored = (GOLDEN / f"playthroughs/{case}.txt").read_text("utf-8")
    assert playthrough(case).splitlines() == stored.splitlines()


def test_no_golden_file_is_left_over() -> None:
    names = {f"{case}.txt" for case in CASES}
    assert {file.name for file in GOLDEN.glob("playthroughs/*")} == names
