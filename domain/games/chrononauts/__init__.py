"""Chrononauts, original edition: history as a grid of cards that ripple when someone changes it.

Start with `turn.py` for the course of a match and with `cards/` for the cards.
"""

from domain.engine.game import Game, Layout, Turn
from domain.games.chrononauts.board import Board, decks
from domain.games.chrononauts.concession import concede
from domain.games.chrononauts.events import EVENTS, TurnStarted
from domain.games.chrononauts.evolve import EVOLVERS, blank
from domain.games.chrononauts.faults import faults
from domain.games.chrononauts.greedy import greedy
from domain.games.chrononauts.moves import moves, translate
from domain.games.chrononauts.offers import OFFERS
from domain.games.chrononauts.options import PRESETS, Options, configure
from domain.games.chrononauts.pending import strange
from domain.games.chrononauts.position import ChrononautsPosition, begin, from_position, to_position
from domain.games.chrononauts.publish import published
from domain.games.chrononauts.reasons import RULES, refused
from domain.games.chrononauts.redact import redact, redact_event
from domain.games.chrononauts.resolve import RESOLVERS
from domain.games.chrononauts.turn import start
from domain.games.chrononauts.view import view
from domain.games.chrononauts.words import EFFECTS, QUESTIONS

GAME = Game(
    name="chrononauts",
    title="Chrononauts",
    ruleset=1,
    seats=range(1, 7),
    options=Options,
    presets=PRESETS,
    configure=configure,
    board=Board,
    events=EVENTS,
    effects=EFFECTS,
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
    layout=Layout(ChrononautsPosition, to_position, from_position, begin),
    faults=faults,
    strange=strange,
)
