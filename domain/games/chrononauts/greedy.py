"""The greedy bot: likes answers that bring its own home, mission or hand nearer; no lookahead.

It judges by the redacted match only, so it knows what a person on its seat would know.
"""

from domain.engine.choices import Choice
from domain.engine.ids import CardId, Picks, Seat
from domain.engine.match import Match
from domain.engine.zones import seen
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.catalogue import to_sides
from domain.games.chrononauts.timeline import timeline
from domain.games.chrononauts.victory import MONA_LISA
from domain.games.chrononauts.words import Kind, Year


def greedy(match: Match[Board], choice: Choice, picks: Picks) -> float:
    """Return how much the bot on the seat of the choice likes the answer; more is better."""
    return sum(_pick(match.board, choice, pick) for pick in picks)


def _pick(board: Board, choice: Choice, pick: str) -> float:
    match choice.prompt:
        case "play" | "fetch" | "kill_time" | "small_discard":
            verb, _, card = pick.partition(":")
            if verb == "kill_time":
                return 0.1
            value = _worth(board, choice.seat, card)
            return 2 + value if verb == "play" else -value
        case "linchpin":
            return _nearer(board, choice.seat, int(pick))
        case "artifact":
            wanted = pick in _wanted(board, choice.seat)
            own = pick in board.seats[choice.seat].artifacts
            return -2.0 if wanted and own else 1.0 if wanted else 0.5
        case "player":
            return 1.0 if pick != f"seat:{choice.seat}" else 0.0
        case "respond":
            return _alarm(board, choice.seat)
        case _:
            return 0.0


def _worth(board: Board, seat: Seat, card: CardId) -> float:
    play = board.card(card)
    match play.kind:
        case Kind.PATCH:
            return 6.0 if play.year in _years(board, seat) else 4.0
        case Kind.ARTIFACT:
            near = play.family == MONA_LISA and MONA_LISA in _wanted(board, seat)
            return 5.0 if near or card in _wanted(board, seat) else 1.0
        case Kind.INVERTER:
            return 1.5
        case Kind.ACTION:
            return 0.5
        case Kind.TIMEWARP:
            return 3.0


def _years(board: Board, seat: Seat) -> tuple[Year, ...]:
    homes = (*seen(board.seats[seat].identity), *board.waiting)
    return tuple(year for card in homes for year, _ in to_sides(board.cards.identities[card].years))


def _wanted(board: Board, seat: Seat) -> tuple[str, ...]:
    missions = seen(board.seats[seat].mission)
    return tuple(slot for card in missions for slot in board.cards.missions[card].slots)


def _nearer(board: Board, seat: Seat, year: Year) -> float:
    """Return how many years of the own homes come to show the wanted paradox or true side."""
    turned = set(board.altered) ^ {year}
    line = timeline(
        tuple(sorted(turned)),
        board.patches,
        board.options.ripple_1944,
        board.options.late_paradoxes_count,
    )
    score = 0.0
    for card in (*seen(board.seats[seat].identity), *board.waiting):
        for point, primed in to_sides(board.cards.identities[card].years):
            was = point in board.timeline.paradoxes
            score += ((point in line.paradoxes) == primed) - (was == primed)
    limit = board.options.paradox_limit
    return score - (10.0 if limit and len(line.open) >= limit - 1 else 0.0)


def _alarm(board: Board, seat: Seat) -> float:
    """Spend a Memo on a patch or artifact of somebody who holds many cards, else keep it."""
    play = board.plays[-1]
    threat = len(board.seats[play.seat].hand) + 2 * len(board.seats[play.seat].artifacts)
    return 1.0 if play.seat != seat and threat >= 7 else -1.0
