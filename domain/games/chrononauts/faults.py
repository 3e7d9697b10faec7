"""Why a board cannot stand on a table: every reason, by the words of a position."""

from collections import Counter
from collections.abc import Iterable, Iterator

from domain.engine.game import Fault
from domain.engine.ids import CardId
from domain.engine.zones import Zone, seen
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.cards.timeline import POINTS
from domain.games.chrononauts.timeline import lost_patches
from domain.games.chrononauts.turn import deck
from domain.games.chrononauts.words import Kind

_LINCHPINS = frozenset(point.year for point in POINTS if point.linchpin)


def faults(board: Board, blank: Board) -> tuple[Fault, ...]:
    """Return every reason why the board cannot stand on a table laid out as `blank`."""
    if (board.options, board.facts) != (blank.options, blank.facts):
        return (Fault("options", "are not those of the match"),)
    if len(board.seats) != len(blank.seats):
        return (Fault("seats", f"there are {len(blank.seats)}, not {len(board.seats)}"),)
    return (*_cards(board), *_timeline(board), *_seats(board), *_course(board))


def _cards(board: Board) -> Iterator[Fault]:
    """Yield the cards that are missing or too many, deck by deck."""
    cards, variant = board.cards, board.options.variant
    solo, artifaxx = variant == "solonauts", variant == "artifaxx"
    seats = board.seats
    play = [
        *(zone for one in seats for zone in (one.hand, *one.small, one.artifacts)),
        board.draw.cards,
        board.draw.discards,
        tuple(play.card for play in board.plays),
        tuple(card for _, card in board.patches),
    ]
    yield from _census("drawPile", play, deck(board))
    identities = [board.identities.cards, board.identities.discards, board.waiting, board.home]
    identities += [one.identity for one in seats]
    yield from _census(
        "waiting" if solo else "identityPile",
        identities,
        () if artifaxx else cards.identities,
        some=board.options.solo_characters if solo else 0,
    )
    missions = [board.missions.cards, board.missions.discards, *(one.mission for one in seats)]
    yield from _census("missionPile", missions, () if solo else cards.missions)


def _census(
    path: str, zones: Iterable[Zone], wanted: Iterable[CardId], some: int = 0
) -> Iterator[Fault]:
    """Compare the cards on the table with a deck, or with so many of its cards."""
    there = Counter(card for zone in zones for card in seen(zone))
    deck = Counter(list(wanted))
    for card in sorted(there - deck):
        if card in deck:
            yield Fault(path, f"{card} is there {there[card]} times, of {deck[card]}")
        else:
            yield Fault(path, f"{card} is no card of this deck")
    if some:
        if there.total() != some:
            yield Fault(path, f"there are {there.total()} cards, not {some}")
        return
    for card in sorted(deck - there):
        yield Fault(path, f"{card} is missing" + (f" ({deck[card]})" if deck[card] > 1 else ""))


def _timeline(board: Board) -> Iterator[Fault]:
    if list(board.altered) != sorted(set(board.altered)):
        yield Fault("altered", "the years are not in order")
    for year in sorted(set(board.altered) - _LINCHPINS):
        yield Fault("altered", f"{year} is no linchpin")
    years = [year for year, _ in board.patches]
    if years != sorted(set(years)):
        yield Fault("patches", "the years are not in order")
    known = board.cards.play
    fitting = True
    for year, card in board.patches:
        if card not in known or known[card].kind is not Kind.PATCH or known[card].year != year:
            yield Fault("patches", f"{card} is no patch of {year}")
            fitting = False
    if fitting and set(board.altered) <= _LINCHPINS:
        for year, card in lost_patches(board.timeline, dict(known)):
            yield Fault("patches", f"{card} lies on {year}, which does not show its paradox")


def _seats(board: Board) -> Iterator[Fault]:
    known = board.cards.play
    for seat, one in enumerate(board.seats):
        path = f"seats[{seat}]"
        for card in one.artifacts:
            if card in known and known[card].kind is not Kind.ARTIFACT:
                yield Fault(f"{path}.artifacts", f"{card} is no artifact")
        if one.small and seat != board.turn:
            yield Fault(f"{path}.smallHands", "only the seat on turn has small hands")
        for secret in one.shown:
            if secret not in ("identity", "mission"):
                yield Fault(f"{path}.shown", f"{secret} is no secret of a seat")
        if one.gone and (one.hand or one.small or one.identity or one.mission or one.artifacts):
            yield Fault(path, "who has conceded has no cards")


def _course(board: Board) -> Iterator[Fault]:
    seats = range(len(board.seats))
    if board.turn not in seats or (board.turns and board.seats[board.turn].gone):
        yield Fault("turn", f"seat {board.turn} takes no turn")
    cap = board.options.turn_cap
    if cap and board.turns > cap:
        yield Fault("turns", f"the match ends after {cap}")
    for number, play in enumerate(board.plays):
        if play.seat not in seats:
            yield Fault(f"plays[{number}].seat", f"there is no seat {play.seat}")
    limit = board.options.paradox_limit
    is_known = set(board.altered) <= _LINCHPINS
    if limit and is_known and not board.plays and len(board.timeline.open) >= limit:
        yield Fault("altered", f"{limit} open paradoxes have destroyed the universe")
