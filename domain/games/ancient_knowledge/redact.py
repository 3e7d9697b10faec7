"""What a viewer may see of the table and of what happens on it (rules 13).

Hands and decks are hidden; of the builder discards only what somebody has seen lie there; cards set
aside are seen by the seat that looks, or by all. Everything else is public.
"""

from msgspec.structs import replace

from domain.engine.events import Event
from domain.engine.ids import Viewer
from domain.engine.zones import Zone, hide
from domain.games.ancient_knowledge import events as e
from domain.games.ancient_knowledge.board import EVERYBODY, Aside, Board, SeatBoard, Thrown


def redact(board: Board, viewer: Viewer) -> Board:
    """Return the table as a seat or a spectator sees it."""
    one, two = board.tech_decks
    return replace(
        board,
        seats=_seats(board.seats, viewer),
        deck=hide(board.deck),
        discard=tuple(
            [
                card if card.known_to in (EVERYBODY, viewer) else Thrown(None, card.known_to)
                for card in board.discard
            ]
        ),
        tech_decks=(hide(one), hide(two)),
        asides=tuple(
            [
                aside
                if aside.public or aside.seat == viewer
                else Aside(aside.seat, aside.deck, hide(aside.cards), aside.public)
                for aside in board.asides
            ]
        ),
    )


def _seats(seats: tuple[SeatBoard, ...], viewer: Viewer) -> tuple[SeatBoard, ...]:
    return tuple(
        [
            one if seat == viewer else replace(one, hand=hide(one.hand))
            for seat, one in enumerate(seats)
        ]
    )


def _all_but_last(cards: Zone) -> Zone:
    return (*hide(cards[:-1]), *cards[-1:])


def redact_event(event: Event, viewer: Viewer) -> Event:
    """Return the event as a seat or a spectator sees it.

    Raises:
        TypeError: nobody has decided what the event shows.
    """
    match event:
        case e.SetUp(tech_decks=(one, two)):
            return replace(
                event,
                seats=_seats(event.seats, viewer),
                deck=hide(event.deck),
                tech_decks=(hide(one), hide(two)),
            )
        case e.HandKept() | e.CardsDrawn():
            return event if event.seat == viewer else replace(event, cards=hide(event.cards))
        case e.CardsDiscarded():
            if event.seat == viewer:
                return event
            return replace(event, cards=_all_but_last(event.cards))
        case e.DeckShuffled() | e.TechDeckShuffled():
            return replace(event, cards=hide(event.cards))
        case e.CardsSetAside():
            shown = event.public or event.seat == viewer
            return event if shown else replace(event, cards=hide(event.cards))
        case e.CardTaken():
            shown = event.public or event.looker == viewer
            card = event.card if shown else None
            into = event.into if event.seat == viewer else hide(event.into)
            return replace(event, card=card, into=into)
        case e.AsideClosed():
            shown = event.public or event.looker == viewer
            return event if shown else replace(event, cards=_all_but_last(event.cards))
        case e.TechnologyBottomed():
            shown = event.tile is not None or event.looker == viewer
            card = event.card if shown else None
            return replace(event, card=card, under=hide(event.under))
        case e.HandLookedAt():
            shown = viewer in (event.seat, event.victim)
            return event if shown else replace(event, cards=hide(event.cards))
        case e.CardStolen():
            card = event.card if viewer in (event.seat, event.victim) else None
            into = event.into if event.seat == viewer else hide(event.into)
            return replace(event, card=card, into=into)
        case (
            e.TurnStarted()
            | e.ActionTaken()
            | e.MonumentCreated()
            | e.ArtifactCreated()
            | e.ArtifactDiscarded()
            | e.MonumentDiscarded()
            | e.KnowledgeRemoved()
            | e.KnowledgeAdded()
            | e.LostReduced()
            | e.MonumentsRotated()
            | e.MonumentsStraightened()
            | e.MonumentMoved()
            | e.MonumentsSwapped()
            | e.TechnologyLearned()
            | e.TileRefilled()
            | e.TileFlipped()
            | e.DeclineSkipped()
            | e.DeclineStarted()
            | e.MonumentDeclining()
            | e.MonumentDeclined()
            | e.TimelineSlid()
            | e.SeatLeft()
        ):
            return event
        case _:
            raise TypeError(f"nobody has decided what {type(event).__name__} shows")
