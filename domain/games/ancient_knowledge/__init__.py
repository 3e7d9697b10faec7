"""Ancient Knowledge: monuments age along a timeline and carry knowledge into the past or lose it.

Start with `turn.py` for the course of a match, `resolve.py` for what cards do, `cards/` for the
cards.
"""

from domain.engine.game import Game, Layout, Turn
from domain.games.ancient_knowledge.board import Board
from domain.games.ancient_knowledge.catalogue import decks
from domain.games.ancient_knowledge.events import EVENTS, TurnStarted
from domain.games.ancient_knowledge.evolve import EVOLVERS, blank
from domain.games.ancient_knowledge.faults import faults
from domain.games.ancient_knowledge.greedy import greedy
from domain.games.ancient_knowledge.moves import moves, translate
from domain.games.ancient_knowledge.offers import OFFERS
from domain.games.ancient_knowledge.options import PRESETS, Options, configure
from domain.games.ancient_knowledge.pending import strange
from domain.games.ancient_knowledge.position import (
    AncientKnowledgePosition,
    begin,
    from_position,
    to_position,
)
from domain.games.ancient_knowledge.program import QUESTIONS, STEPS
from domain.games.ancient_knowledge.publish import published
from domain.games.ancient_knowledge.reasons import RULES, refused
from domain.games.ancient_knowledge.redact import redact, redact_event
from domain.games.ancient_knowledge.resolve import RESOLVERS
from domain.games.ancient_knowledge.turn import concede, start
from domain.games.ancient_knowledge.view import view
from domain.games.ancient_knowledge.words import VERBS

GAME = Game(
    name="ancient_knowledge",
    title="Ancient Knowledge",
    ruleset=1,
    seats=range(2, 5),
    options=Options,
    presets=PRESETS,
    configure=configure,
    board=Board,
    events=EVENTS,
    effects=(*VERBS, *STEPS),
    questions=QUESTIONS,
    blank=blank,
    start=start,
    evolvers=EVOLVERS,
    resolvers=RESOLVERS,
    offers=OFFERS,
    turn=lambda board: Turn(board.turns, board.turn),
    begins=TurnStarted,
    redact=redact,
    redact_event=redact_event,
    view=view,
    moves=moves,
    translate=translate,
    concede=concede,
    greedy=greedy,
    decks=decks,
    cards=published,
    rules=RULES,
    refused=refused,
    layout=Layout(AncientKnowledgePosition, to_position, from_position, begin),
    faults=faults,
    strange=strange,
)
