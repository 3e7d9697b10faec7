"""Nothing is forgotten: every event, effect and question of a game has what it needs."""

from typing import Any

import pytest

from domain.engine.codec import type_of
from domain.engine.effects import CONTROL
from domain.engine.events import ENGINE_EVENTS, Event
from domain.engine.game import Game, game_of
from domain.engine.redaction import redact_event
from tests.kit.matches import ALL_GAMES, CASES
from tests.kit.samples import events_of, sample

every_game = pytest.mark.parametrize("game", ALL_GAMES, ids=lambda game: game.name)


@every_game
def test_every_event_has_an_evolver(game: Game[Any]) -> None:
    assert set(game.evolvers) == set(game.events)


@every_game
def test_every_effect_has_a_resolver(game: Game[Any]) -> None:
    assert set(game.resolvers) == set(game.effects)
    assert not set(game.resolvers) & set(CONTROL)


@every_game
def test_every_question_has_an_offer(game: Game[Any]) -> None:
    assert set(game.offers) == set(game.questions)


@every_game
def test_somebody_has_decided_what_every_event_shows(game: Game[Any]) -> None:
    for kind in events_of(game.name):
        for viewer in (0, 1, None, "all"):
            assert type(redact_event(sample(game.name, kind), viewer, game.name)) is kind


@every_game
def test_an_event_that_nobody_has_decided_about_is_not_shown(game: Game[Any]) -> None:
    class Unheard(Event):
        pass

    with pytest.raises(TypeError, match="nobody has decided what Unheard shows"):
        redact_event(Unheard(), 0, game.name)


@every_game
def test_event_types_are_named_after_their_game(game: Game[Any]) -> None:
    names = [type_of(sample(game.name, kind))[0] for kind in game.events]
    assert all(name.startswith(f"{game.name}.") for name in names)
    assert len(set(names)) == len(names)


def test_engine_events_are_named_after_match_or_choice() -> None:
    names = [type_of(sample("toy", kind))[0] for kind in ENGINE_EVENTS]
    assert {name.split(".")[0] for name in names} == {"match", "choice"}


@every_game
def test_presets_are_complete_options(game: Game[Any]) -> None:
    for values in game.presets.values():
        assert game.configure(game.seats[-1], values, ())


def test_every_game_is_tested() -> None:
    assert {case.game for case in CASES} == {game.name for game in ALL_GAMES}
    for case in CASES:
        assert case.seats in game_of(case.game).seats
