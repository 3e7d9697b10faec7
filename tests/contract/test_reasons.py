"""Why things happen and why moves are refused: complete tables, and reasons that are true."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.engine.codec import type_of
from domain.engine.decider import open_choice
from domain.engine.events import ENGINE_EVENTS
from domain.engine.game import Game
from domain.engine.redaction import redact
from domain.games import GAMES
from scripts.site.markdown import rendered
from service.text import LOCALES, Words
from tests.kit.matches import ALL_GAMES, CASES, Case, walk
from tests.kit.samples import sample

every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
PARAGRAPHS = Path(__file__).resolve().parents[2] / "docs" / "rules"


@pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)
def test_every_event_and_question_has_a_paragraph(game: Game[Any]) -> None:
    events = {type_of(sample(game.name, kind))[0] for kind in game.events}
    engine = {type_of(sample(game.name, kind))[0] for kind in ENGINE_EVENTS}
    assert events - game.rules.events.keys() <= {"ancient_knowledge.seat_left"}, "ours, no rule's"
    assert game.rules.events.keys() <= events | engine
    prompts = {str(question.__struct_config__.tag) for question in game.questions}  # type: ignore[attr-defined]  # Structs
    assert game.rules.prompts.keys() == prompts


@every_game
def test_every_paragraph_has_a_place_to_link_to_and_a_title(game: Game[Any]) -> None:
    rules = game.rules
    named = {*rules.events.values(), *rules.prompts.values(), *rules.refusals.values()}
    meanings = json.dumps(msgspec.json.schema(game.options))
    said = {
        number
        for numbers in re.findall(r"\(rules ([^)]+)\)", meanings)
        for number in numbers.split(", ")
    }
    text, _ = rendered((PARAGRAPHS / f"{game.name}.md").read_text(encoding="utf-8"))
    places = re.findall(r'id="rule-([^"]+)"', text)
    assert said, "options name paragraphs"
    assert named | said <= set(places)
    assert len(places) == len(set(places))
    for locale in LOCALES:
        words = Words(game.name, locale)
        assert all(words.knows(f"rule_{game.name}_{number}") for number in named)


@pytest.mark.parametrize("case", [case for case in CASES if case.game != "toy"], ids=str)
def test_what_is_not_offered_is_explained(case: Case) -> None:
    """Every card of the question is offered or refused, never both; with a code of the table."""
    for number in range(2):
        for step in walk(case, number):
            match = step.after
            for seat in match.asked:
                choice = open_choice(match, seat)
                assert choice is not None
                game = next(game for game in GAMES if game.name == case.game)
                refused = list(game.refused(redact(match, seat), choice))
                assert refused == list(game.refused(match, choice)), "by what the seat sees"
                assert len({(one.move, one.card) for one in refused}) == len(refused)
                for one in refused:
                    assert one.code in game.rules.refusals
                moves = game.moves(match, choice)
                offered = {
                    (move.type, move.arguments.get("card", move.arguments.get("technology")))
                    for move in moves
                }
                assert not offered & {(one.move, one.card) for one in refused}
