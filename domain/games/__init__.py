"""The one list of rule sets; importing this package makes them known to the engine."""

from typing import Any

from domain.engine.game import Game, register
from domain.games.ancient_knowledge import GAME as ANCIENT_KNOWLEDGE
from domain.games.chrononauts import GAME as CHRONONAUTS

# Each game has a board type of its own.
GAMES: tuple[Game[Any], ...] = (CHRONONAUTS, ANCIENT_KNOWLEDGE)

for _game in GAMES:
    register(_game)
