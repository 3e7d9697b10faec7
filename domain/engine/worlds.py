"""What a viewer cannot see, place by place: what comes to light, and other worlds that fit.

A card lies face down for a viewer where the redacted board has `None`. Cards of one deck
(`Game.decks`) that lie face down for a viewer could lie the other way round for all that it knows:
a fork of a running match deals them anew, and the tests prove the secrecy law with them.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.agenda import offer, waiting
from domain.engine.chance import Chance
from domain.engine.codec import Frame, codec
from domain.engine.events import ChoiceMade, ChoiceOffered, Event, MatchEnded
from domain.engine.game import game_of
from domain.engine.ids import CardId, Seat, Viewer
from domain.engine.match import Match, evolve
from domain.engine.redaction import redact_event

B = TypeVar("B")
Path: TypeAlias = tuple[str | int, ...]


class Spot(NamedTuple):
    """A place where a viewer sees a card lying face down."""

    path: Path
    card: CardId


def face_down(full: object, seen: object, path: Path = ()) -> Iterator[Spot]:
    """Yield every place where `seen` has a card face down; elsewhere both are the same."""
    if isinstance(full, Struct):
        for name in full.__struct_fields__:
            yield from face_down(getattr(full, name), getattr(seen, name), (*path, name))
    elif isinstance(full, tuple) and isinstance(seen, tuple):
        for at, (one, other) in enumerate(zip(full, seen, strict=True)):
            yield from face_down(one, other, (*path, at))
    elif isinstance(full, str) and seen is None:
        yield Spot(path, full)


def with_cards(node: Any, cards: Mapping[Path, CardId], path: Path = ()) -> Any:
    """Return a board with these cards put in these places; the types stay what they are."""
    if path in cards:
        return cards[path]
    if isinstance(node, Struct):
        names = node.__struct_fields__
        return replace(
            node, **{name: with_cards(getattr(node, name), cards, (*path, name)) for name in names}
        )
    if isinstance(node, tuple):
        return tuple(with_cards(item, cards, (*path, at)) for at, item in enumerate(node))
    return node


def deal_anew(match: Match[B], viewer: Viewer, chance: Chance) -> B:
    """Return the board with what lies face down for the viewer dealt anew, deck by deck."""
    game = game_of(match.game)
    decks = game.decks(match.board)
    groups: dict[str, list[Spot]] = defaultdict(list)
    for spot in face_down(match.board, game.redact(match.board, viewer)):
        groups[decks[spot.card]].append(spot)
    cards: dict[Path, CardId] = {}
    for group in groups.values():
        # Sorted, so that no order of the cards can leave a trace.
        dealt = chance.shuffled(sorted(spot.card for spot in group))
        cards.update(zip((spot.path for spot in group), dealt, strict=True))
    board: B = with_cards(match.board, cards)
    return board


def foreseeable(
    match: Match[Any], events: Sequence[Event], frames: Sequence[Frame | None], seat: Seat
) -> list[Event]:
    """Return the events, from the first on, of which the seat knew that they would happen.

    `frames` are those in which they happened. The first event is the command itself.
    What happens in frames of others may depend on their secrets, so it is no more foreseeable than
    a card that comes to light, or what follows from answers that nobody has seen yet.
    """
    known: list[Event] = []
    for event, frame in zip(events, frames, strict=True):
        is_own = frame is not None and frame.seat == seat
        if (known and not is_own) or reveals(match, event, seat):
            break
        known.append(event)
        if opens_answers(match, event):
            break
        match = evolve(match, event)
    return known


def opens_answers(match: Match[Any], event: Event) -> bool:
    """Tell whether the event that comes next brings secret answers of others to light."""
    if not isinstance(event, ChoiceMade) or match.asked != (event.seat,):
        return False
    return any(seat != event.seat for seat, _ in match.answers)


def reveals(match: Match[Any], event: Event, viewer: Viewer) -> bool:
    """Tell whether the event that comes next shows the viewer what it could not know before.

    That is a card that lay face down for it, anything that is not public, or the seed of the match:
    a seat could learn what it is about to draw if a refused or a dry run went past such an event.
    """
    if isinstance(event, MatchEnded):
        return True
    if isinstance(event, ChoiceMade | ChoiceOffered):
        return learns(match, event, viewer)
    return redact_event(event, None, match.game) != event or learns(match, event, viewer)


def learns(match: Match[Any], event: Event, viewer: Viewer) -> bool:
    """Tell whether the viewer learns a card by the event, or something happens out of its sight.

    Out of sight is what the event hides from it: a shuffle, a draw of somebody else. An open choice
    shows cards, too: those of a pile that is searched.
    """
    if isinstance(event, ChoiceMade):
        return False
    if isinstance(event, ChoiceOffered):
        return isinstance(viewer, int) and viewer in event.seats and _shows(match, event, viewer)
    if redact_event(event, viewer, match.game) != event:
        return True
    return not cards_seen(evolve(match, event), viewer) <= cards_seen(match, viewer)


def cards_seen(match: Match[Any], viewer: Viewer) -> Counter[CardId]:
    """Count the cards that lie face up for the viewer anywhere on the table."""
    game = game_of(match.game)
    return _cards(game.redact(match.board, viewer), game.decks(match.board))


def _shows(match: Match[Any], event: ChoiceOffered, seat: Seat) -> bool:
    """Tell whether a seat is offered more than it could work out by what it sees."""
    frame, ask = waiting(codec(match.game).frames(event.agenda))
    seen = replace(match, board=game_of(match.game).redact(match.board, seat))
    return offer(match, seat, frame, ask) != offer(seen, seat, frame, ask)


def _cards(node: object, decks: Mapping[CardId, str]) -> Counter[CardId]:
    """Count the cards that lie face up anywhere on a board."""
    if isinstance(node, str):
        return Counter([node] if node in decks else ())
    if isinstance(node, Struct):
        node = tuple(getattr(node, name) for name in node.__struct_fields__)
    if isinstance(node, tuple):
        return sum((_cards(item, decks) for item in node), Counter())
    return Counter()
