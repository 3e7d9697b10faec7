import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from domain.engine.codec import encode, type_of
from domain.engine.decider import fold
from domain.engine.events import Event
from domain.engine.ids import Scalar, Viewer
from domain.engine.match import Match
from domain.engine.playout import opening
from domain.engine.redaction import redact, redact_event
from domain.games.ancient_knowledge import GAME
from domain.games.ancient_knowledge import events as e
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.program import QUESTIONS
from domain.games.ancient_knowledge.view import MonumentView
from schema import log as format
from service.cli import main
from service.text import LOCALES, Words, board, tell
from service.text.ancient_knowledge.story import name_pick
from service.text.ancient_knowledge.table import CELL, NAME_LINES, timeline
from service.text.frame import WIDTH, fitted
from service.text.words import phrases
from tests.kit.laws import viewers
from tests.kit.matches import Case, seed_of, walk
from tests.kit.samples import sample
from tests.text.ancient_knowledge.cases import EVENTS, HERE, files, printed

NAME = GAME.name
SEATS = 3, 2, 4
MATCHES = range(20)
EVERY = 12
"""How many steps lie between two boards that are read; 20 matches have some 250 steps each."""


@pytest.mark.parametrize("file", sorted(files()))
def test_boards_and_events_read_as_before(file: str) -> None:
    assert files()[file] == (HERE / file).read_text(encoding="utf-8")


# Everything has words.


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", GAME.events, ids=lambda kind: kind.__name__)
def test_every_event_has_words_for_everybody(kind: type[Event], locale: str) -> None:
    words = Words(NAME, locale)
    found = [event for event in (*EVENTS, _set_up()) if type(event) is kind]
    assert found, "show it in `EVENTS`"
    for event in found:
        for viewer in (0, 1, None, "all"):
            said = tell(NAME, redact_event(event, viewer, NAME), words)
            assert said
            assert "{" not in said
            assert "None" not in said
            assert "\n" not in said


def _set_up() -> Event:
    log, _ = opening(NAME, 2, seed_of(1), {})
    return next(event for event in log if isinstance(event, e.SetUp))


def test_every_variant_of_an_event_is_shown() -> None:
    """No phrase of this game is left unused, so the golden story leaves nothing out."""
    said = _Recorder("en")
    for event in (*EVENTS, _set_up()):
        tell(NAME, event, said)
    prefix = f"{NAME}."
    assert {key for key in phrases("en") if key.startswith(prefix)} == {
        key for key in said.keys if key.startswith(prefix)
    }
    assert {type_of(event)[0] for event in (*EVENTS, _set_up())} == {
        type_of(sample(NAME, kind))[0] for kind in GAME.events
    }


class _Recorder(Words):
    """Remembers what was said."""

    def __init__(self, locale: str) -> None:
        super().__init__(NAME, locale)
        self.keys: set[str] = set()

    def say(self, key: str, **values: object) -> str:
        self.keys.add(key)
        return super().say(key, **values)


def test_every_question_has_words() -> None:
    prompts = {str(kind.__struct_config__.tag) for kind in QUESTIONS}  # type: ignore[attr-defined]  # questions are Structs
    assert {prompt for prompt in prompts if f"prompt_{prompt}" not in phrases("en")} == set()


@pytest.mark.parametrize(
    ("pick", "en", "ja"),
    [
        ("search", "to search", "探索する"),
        ("archive", "to archive", "記録する"),
        ("excavate", "to excavate", "発掘する"),
        ("learn:tech_04", "to learn Thales", "「タレス」を研究する"),
        ("create:artifact_28", "to create Dogū Figurines", "「土偶」を創造する"),
        ("create:city_09@3", "to create Petra in space 3", "スペース3に「ペトラ」を創造する"),
        ("city_09@3", "Petra in space 3", "スペース3に「ペトラ」"),
        ("city_09>5", "Petra to space 5", "スペース5へ「ペトラ」"),
        ("city_09:2", "2 from Petra", "「ペトラ」から2個"),
        ("1/city_09/3", "3 to Petra of seat 1", "席1の「ペトラ」へ3個"),
        ("tile:2", "tile 2", "技術タイル2"),
        ("yes", "yes", "はい"),
        ("lost", "lost knowledge", "失われた知識"),
        ("city_09", "Petra", "「ペトラ」"),
    ],
)
def test_every_kind_of_option_has_words(pick: str, en: str, ja: str) -> None:
    assert name_pick(pick, Words(NAME, "en")) == en
    assert name_pick(pick, Words(NAME, "ja")) == ja


# Whole matches.


def _match(number: int) -> Iterator[tuple[Match[Any], tuple[Event, ...]]]:
    """Walk through a random match: some boards, each with the events that led to it."""
    options: dict[str, Scalar] = {"startingHands": "ready-made"} if number % 5 == 4 else {}
    case = Case(NAME, SEATS[number % len(SEATS)], options)
    for at, step in enumerate(walk(case, number, concede=2 * (number % 2))):
        if at % EVERY == number % EVERY or step.after.outcome is not None:
            yield step.after, step.events


def _printed(match: Match[Any], told: Sequence[Event], viewer: Viewer, words: Words) -> str:
    first = match.version - len(told) + 1
    return board("m", match, viewer, words, list(enumerate(told, first)))


_IDS = re.compile(r"(?:city|megalith|pyramid|artifact|tech)_\d\d")


def _known(match: Match[Any], told: tuple[Event, ...], viewer: Viewer) -> set[str]:
    """Return the cards that a viewer is told of: by its look at the table, by these events."""
    return set(_IDS.findall(encode((redact(match, viewer), told)).decode()))


def _reader(locale: str) -> Callable[[str], set[str]]:
    """Return what finds the cards whose names a text holds.

    Timelines are open and their names cut short, so what stands in the grid is left out.
    """
    words = Words(NAME, locale)
    ids = {words.card(card): card for card in (*BUILDER, *TECHNOLOGY)}
    # The longest first: Baalbek is part of Baalbek Trilithon.
    anyone = "|".join(re.escape(name) for name in sorted(ids, key=len, reverse=True))
    pattern = re.compile(rf"\b(?:{anyone})\b" if locale == "en" else anyone)
    joint = " " if locale == "en" else ""

    def read(text: str) -> set[str]:
        lines = [line for line in text.splitlines() if not line.startswith(("  |", "  +"))]
        whole = re.sub(r"\n\s*", joint, "\n".join(lines))
        return {ids[name] for name in pattern.findall(whole)}

    return read


@pytest.mark.parametrize("number", MATCHES)
def test_no_text_names_a_card_that_its_viewer_may_not_know(number: int) -> None:
    locale = LOCALES[number % len(LOCALES)]
    read, words = _reader(locale), Words(NAME, locale)
    hidden = 0
    for match, events in _match(number):
        everything = read(_printed(match, events, "all", words))
        for viewer in (*match.seats, None):
            told = tuple(redact_event(event, viewer, NAME) for event in events)
            known = _known(match, told, viewer)
            shown = read(_printed(match, told, viewer, words))
            assert shown <= known, (match.version, viewer)
            hidden += len(everything - known)
    assert hidden > 100, "this match had hardly a secret to keep"


@pytest.mark.parametrize("locale", LOCALES)
def test_names_are_found_wherever_a_text_has_them(locale: str) -> None:
    """Guards the law above against a reader that overlooks names."""
    read, words = _reader(locale), Words(NAME, locale)
    for match, _ in _match(2):
        seats = match.board.seats
        named = {card for one in seats for card in (*one.hand, *one.artifacts, *one.techs)}
        named |= {monument.card for one in seats for monument in one.past}
        assert named <= read(_printed(match, (), "all", words))
    event = e.CardsDrawn(seat=0, cards=tuple(BUILDER)[:40])
    assert read(_printed(match, (event,), "all", words)) >= set(event.cards)


@pytest.mark.parametrize("locale", LOCALES)
def test_lines_fit_a_terminal_and_timelines_are_aligned(locale: str) -> None:
    words = Words(NAME, locale)
    for match, events in _match(1):
        for viewer in viewers(match):
            told = tuple(redact_event(event, viewer, NAME) for event in events)
            lines = _printed(match, told, viewer, words).splitlines()
            assert all(cell_len(line) <= WIDTH for line in lines)
            assert not any("{" in line or "None" in line for line in lines)
            grid = [line for line in lines if line.startswith(("  |", "  +"))]
            assert {cell_len(line) for line in grid} <= {2 + 6 * (CELL + 1) + 1}
            assert all(line.count("|") in (0, 7) for line in grid)


def test_what_a_viewer_folds_from_its_own_feed_reads_the_same() -> None:
    log, _ = opening(NAME, 3, seed_of(3), {})
    for step in walk(Case(NAME, 3, {}), 3):
        log += step.events
        if step.after.version > 200:
            break
    words = Words(NAME, "en")
    for viewer in (0, 1, 2, None):
        mine = fold([redact_event(event, viewer, NAME) for event in log])
        fresh = redact(fold(log), viewer)
        assert _printed(mine, (), viewer, words) == _printed(fresh, (), viewer, words)


# The timeline.


@pytest.mark.parametrize("locale", LOCALES)
def test_shortened_names_stay_different(locale: str) -> None:
    words = Words(NAME, locale)
    monuments = [card for card, facts in BUILDER.items() if facts.kind == "monument"]
    short = {card: fitted(words.card(card), CELL, NAME_LINES) for card in monuments}
    assert len(set(short.values())) == len(monuments)
    assert all(len(lines) == NAME_LINES for lines in short.values())
    assert all(cell_len(line) <= CELL for lines in short.values() for line in lines)


def test_the_upper_row_lies_above_the_lower_and_the_past_is_on_the_left() -> None:
    monuments = (
        MonumentView("city_09", 2, 0, 1),
        MonumentView("megalith_01", 2, 1, 12),
        MonumentView("pyramid_31", 6, 0, 0),
    )
    assert timeline(monuments, "city_09", Words(NAME, "en")) == [
        "+-----------+-----------+-----------+-----------+-----------+-----------+",
        "| 1         | 2         | 3         | 4         | 5         | 6         |",
        "|           |Stonehenge |           |           |           |           |",
        "|           |           |           |           |           |           |",
        "|           | M k12     |           |           |           |           |",
        "+-----------+-----------+-----------+-----------+-----------+-----------+",
        "|           |Petra      |           |           |           |Toniná     |",
        "|           |           |           |           |           |           |",
        "|           | C k1 !    |           |           |           | P k0      |",
        "+-----------+-----------+-----------+-----------+-----------+-----------+",
    ]


# The command line.


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the log of a match that `stele simulate` has played."""
    directory = tmp_path_factory.mktemp("logs")
    words = ["simulate", "--game", NAME, "--seats", "3", "--matches", "1", "--seed", "5"]
    assert main([*words, "--json", "--out", str(directory)]) == 0
    (path,) = directory.iterdir()
    return path


def _replayed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    capsys.readouterr()
    assert main(["replay", *map(str, words)]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("locale", LOCALES)
def test_a_match_can_be_followed_from_end_to_end(
    played: Path, capsys: pytest.CaptureFixture[str], locale: str
) -> None:
    last = format.read(played.read_bytes()).header.events
    seen = ""
    for at in (*range(8, last, 80), last):
        seen = _replayed(capsys, played, "--at", at, "--locale", locale)
        assert f"{at}" in seen.splitlines()[0]
    assert {"en": "(the fourteenth monument)", "ja": "（14枚目のモニュメント）"}[locale] in seen


@pytest.mark.parametrize(("viewer", "hands"), [("0", [0]), ("spectator", []), ("all", [0, 1, 2])])
def test_a_viewer_reads_the_hands_that_it_may_see(
    played: Path, capsys: pytest.CaptureFixture[str], viewer: str, hands: list[int]
) -> None:
    out = _replayed(capsys, played, "--at", "12", "--as", viewer)
    lines = [line for line in out.splitlines() if line.startswith("  hand ")]
    assert [seat for seat, line in enumerate(lines) if "unseen" not in line] == hands


def test_a_golden_board_shows_everything_that_lies_on_the_table() -> None:
    text = printed("action-all", "en")
    for line in (
        "turn 9: seat 0                                           actions, 2 of 2 begun",
        "                    Flower Of Life (secret): At least 2 cities in your Past.",
        "  score 3           past 3, endgame 0, technologies 0, timeline 3, lost -3",
        "    cities 2        Petra; Bagan (rotated)",
        "  artifacts         Dogū Figurines; Disks Of Bayan Kara Ula",
        "  technologies 2    Planetary Grid (secret); Runic Alphabet (writing)",
        "piles               draw 125; discards 2, Machu Picchu on top;",
    ):
        assert line in text.splitlines()
