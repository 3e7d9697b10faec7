"""Why a board cannot stand on a table: every reason, by the words of a position."""

from collections import Counter
from collections.abc import Iterable, Iterator

from domain.engine.game import Fault
from domain.engine.ids import CardId
from domain.engine.zones import Zone, seen
from domain.games.ancient_knowledge.board import (
    ARTIFACT_SLOTS,
    CELLS,
    EVERYBODY,
    HAND_LIMIT,
    MOST_TOKENS,
    Board,
    SeatBoard,
    space_of,
)
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.supply import SHOWN
from domain.games.ancient_knowledge.turn import DEALT

_ASIDES = ("builder", "tech_deck_2")


def faults(board: Board, blank: Board) -> tuple[Fault, ...]:
    """Return every reason why the board cannot stand on a table laid out as `blank`."""
    if board.options != blank.options:
        return (Fault("options", "are not those of the match"),)
    if len(board.seats) != len(blank.seats):
        return (Fault("seats", f"there are {len(blank.seats)}, not {len(board.seats)}"),)
    found = [*_cards(board), *_tiles(board), *_course(board)]
    for seat, one in enumerate(board.seats):
        found += _seat(f"seats[{seat}]", one, most=HAND_LIMIT if board.turns else DEALT)
    return tuple(found)


def _cards(board: Board) -> Iterator[Fault]:
    """Yield the cards that are missing or too many, deck by deck."""
    asides = {deck: [one.cards for one in board.asides if one.deck == deck] for deck in _ASIDES}
    builder: list[Zone] = [board.deck, tuple(one.card for one in board.discard)]
    builder += asides["builder"]
    for one in board.seats:
        builder += [one.hand, one.artifacts, tuple(cell.card for _, cell in one.cells())]
        builder.append(tuple(card.card for card in one.past))
    yield from _census("deck", builder, BUILDER)
    for level in (1, 2):
        zones: list[Zone] = [board.tech_decks[level - 1], board.tech_discards[level - 1]]
        zones += [tile.techs for tile in board.tiles if tile.level == level]
        zones += [_of_level(one.techs, level) for one in board.seats]
        zones += asides["tech_deck_2"] if level == 2 else []
        wanted = [card.id for card in TECHNOLOGY.values() if card.level == level]
        yield from _census(("levelOne", "levelTwo")[level - 1], zones, wanted)
    for seat, one in enumerate(board.seats):
        for tech in one.techs:
            if tech not in TECHNOLOGY:
                yield Fault(f"seats[{seat}].technologies", f"{tech} is no technology")


def _of_level(techs: Iterable[CardId], level: int) -> tuple[CardId, ...]:
    return tuple(one for one in techs if one in TECHNOLOGY and TECHNOLOGY[one].level == level)


def _census(path: str, zones: Iterable[Zone], wanted: Iterable[CardId]) -> Iterator[Fault]:
    there = Counter(card for zone in zones for card in seen(zone))
    deck = Counter(list(wanted))
    for card in sorted(there - deck):
        if card in deck:
            yield Fault(path, f"{card} is there {there[card]} times")
        else:
            yield Fault(path, f"{card} is no card of this deck")
    for card in sorted(deck - there):
        yield Fault(path, f"{card} is missing")


def _tiles(board: Board) -> Iterator[Fault]:
    levels = [tile.level for tile in board.tiles]
    if sorted(levels) != ([1, 2, 2] if board.flipped else [1, 1, 2]):
        yield Fault("tiles", "there are three, two of level I until one has been turned")
    for at, tile in enumerate(board.tiles):
        if len(tile.techs) > SHOWN:
            yield Fault(f"tiles[{at}]", f"it shows {SHOWN} technologies at most")


def _seat(path: str, one: SeatBoard, most: int) -> Iterator[Fault]:
    if len(one.hand) > most:
        yield Fault(f"{path}.hand", f"it holds {most} cards at most")
    if len(one.artifacts) > ARTIFACT_SLOTS:
        yield Fault(f"{path}.artifacts", f"there are {ARTIFACT_SLOTS} slots")
    for card in one.artifacts:
        if _kind(card) == "monument":
            yield Fault(f"{path}.artifacts", f"{card} is no artifact")
    for at, cell in one.cells():
        place = f"{path}.timeline"
        if _kind(cell.card) == "artifact":
            yield Fault(place, f"{cell.card} is no monument")
        if at % 2 and one.timeline[at - 1] is None:
            yield Fault(place, f"{cell.card} lies over an empty slot of space {space_of(at)}")
        if not 0 <= cell.knowledge <= MOST_TOKENS:
            yield Fault(place, f"{cell.card} has between 0 and {MOST_TOKENS} tokens")
    if len(one.timeline) != len(CELLS):
        yield Fault(f"{path}.timeline", f"it has {len(CELLS)} slots")
    for past in one.past:
        if _kind(past.card) == "artifact":
            yield Fault(f"{path}.past", f"{past.card} is no monument")
    if not 0 <= one.lost <= MOST_TOKENS:
        yield Fault(f"{path}.lostKnowledge", f"is between 0 and {MOST_TOKENS}")


def _kind(card: CardId) -> str | None:
    return BUILDER[card].kind if card in BUILDER else None


def _course(board: Board) -> Iterator[Fault]:
    seats = range(len(board.seats))
    if board.turn not in seats or (board.turns and board.seats[board.turn].gone):
        yield Fault("turn", f"seat {board.turn} takes no turn")
    if board.start not in seats:
        yield Fault("start", f"there is no seat {board.start}")
    cap = board.options.turn_cap
    if cap and board.turns > cap:
        yield Fault("turns", f"the match ends after {cap}")
    if not 0 <= board.actions <= 2:
        yield Fault("actions", "a turn has two")
    if board.declining is not None and (
        board.turn not in seats or board.seats[board.turn].where(board.declining) is None
    ):
        yield Fault("declining", f"{board.declining} is not on the timeline of the seat on turn")
    for at, one in enumerate(board.discard):
        if one.known_to not in (EVERYBODY, *seats):
            yield Fault(f"discards[{at}].knownTo", f"there is no seat {one.known_to}")
    for at, aside in enumerate(board.asides):
        if aside.seat not in seats:
            yield Fault(f"setAside[{at}].seat", f"there is no seat {aside.seat}")
        if aside.deck not in _ASIDES:
            yield Fault(f"setAside[{at}].deck", f"there is no deck {aside.deck}")
