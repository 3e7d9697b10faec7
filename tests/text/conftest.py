from domain.engine.game import register
from domain.games.ancient_knowledge import GAME

register(GAME)
