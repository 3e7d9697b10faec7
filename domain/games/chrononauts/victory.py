"""Who wins: home, mission, power (rules 10 and 11)."""

from itertools import combinations, product
from typing import Literal

from domain.engine.ids import CardId, Seat
from domain.engine.zones import seen
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.catalogue import to_sides
from domain.games.chrononauts.words import Mission

MONA_LISA = "mona-lisa"
FORGERY = "forgery"

Way = Literal["home", "mission", "power"]


def ways_to_win(board: Board, seat: Seat) -> tuple[Way, ...]:
    """Return every way in which the seat wins if its turn ends now: home, mission, power."""
    one = board.seats[seat]
    ways: list[Way] = []
    if any(is_home(board, board.cards.identities[card].years) for card in seen(one.identity)):
        ways.append("home")
    if any(is_fulfilled(board, seat, board.cards.missions[card]) for card in seen(one.mission)):
        ways.append("mission")
    if 0 < board.options.hand_victory <= len(one.hand):
        ways.append("power")
    return tuple(ways)


def is_home(board: Board, years: str) -> bool:
    """Tell whether every year shows what the home asks for; an open paradox never does."""
    line = board.timeline
    return all(line.shows(year, primed) for year, primed in to_sides(years))


def is_fulfilled(board: Board, seat: Seat, mission: Mission) -> bool:
    """Tell whether enough slots of the mission are filled, each by an artifact of its own."""
    artifacts = board.seats[seat].artifacts
    if len(artifacts) < mission.needs:
        return False
    fitting = [
        {card for card in artifacts if _fills(board, mission, slot, card)} for slot in mission.slots
    ]
    return any(
        len(set(chosen)) == mission.needs
        for slots in combinations(fitting, mission.needs)
        for chosen in product(*slots)
    )


def _fills(board: Board, mission: Mission, slot: str, card: CardId) -> bool:
    if slot == MONA_LISA:
        return card == most_convincing(board)
    play = board.card(card)
    if slot == FORGERY:
        return play.family == MONA_LISA and play.rank > 1
    if slot != card:
        return False
    if play.family == MONA_LISA and board.options.mona_lisa == "genuine-only":
        # Read literally no mission for all three could ever be fulfilled, so that one is exempt.
        named = sum(board.card(one).family == MONA_LISA for one in _named(board, mission))
        return named > 1 or card == most_convincing(board)
    return True


def _named(board: Board, mission: Mission) -> tuple[CardId, ...]:
    return tuple(slot for slot in mission.slots if slot in board.cards.play)


def most_convincing(board: Board) -> CardId | None:
    """Return the best-ranked Mona Lisa face up on the table, over all players, if there is one."""
    ranked = sorted(
        (board.card(card).rank, card)
        for _, card in board.on_table()
        if board.card(card).family == MONA_LISA
    )
    return ranked[0][1] if ranked else None
