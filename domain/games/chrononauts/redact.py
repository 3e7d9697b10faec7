"""What a viewer may see of the table and of what happens on it.

Hands, identities and missions are their owner's; piles are nobody's; everything else is public.
"""

from msgspec.structs import replace

from domain.engine.events import Event
from domain.engine.ids import Viewer
from domain.engine.zones import hide
from domain.games.chrononauts import events as e
from domain.games.chrononauts.board import Board, SeatBoard


def redact(board: Board, viewer: Viewer) -> Board:
    """Return the table as a seat or a spectator sees it."""
    return replace(
        board,
        seats=_seats(board.seats, viewer, open_hands=board.options.variant == "solonauts"),
        draw=replace(board.draw, cards=hide(board.draw.cards)),
        identities=replace(board.identities, cards=hide(board.identities.cards)),
        missions=replace(board.missions, cards=hide(board.missions.cards)),
    )


def _seats(seats: tuple[SeatBoard, ...], viewer: Viewer, open_hands: bool) -> tuple[SeatBoard, ...]:
    return tuple(
        one if open_hands or seat == viewer else _hidden(one) for seat, one in enumerate(seats)
    )


def _hidden(one: SeatBoard) -> SeatBoard:
    return replace(
        one,
        hand=hide(one.hand),
        small=tuple(hide(hand) for hand in one.small),
        identity=one.identity if "identity" in one.shown else hide(one.identity),
        mission=one.mission if "mission" in one.shown else hide(one.mission),
    )


def redact_event(event: Event, viewer: Viewer) -> Event:
    """Return the event as a seat or a spectator sees it.

    Raises:
        TypeError: nobody has decided what the event shows.
    """
    match event:
        case e.SetUp():
            solo = bool(event.waiting)
            return replace(
                event,
                seats=_seats(event.seats, viewer, open_hands=solo),
                draw=hide(event.draw),
                identities=hide(event.identities),
                missions=hide(event.missions),
            )
        case e.IdentitySwapped():
            drawn = event.drawn if event.seat == viewer else hide(event.drawn)
            return replace(event, drawn=drawn, pile=hide(event.pile))
        case e.CardsDrawn():
            shown = event.open or event.seat == viewer
            return event if shown else replace(event, cards=hide(event.cards))
        case e.DrawPileShuffled() | e.SecretsShuffled():
            return replace(event, cards=hide(event.cards))
        case e.HandsMoved():
            hands = tuple(
                hand if seat == viewer else hide(hand) for seat, hand in enumerate(event.hands)
            )
            return replace(event, hands=hands)
        case e.SecretReplaced():
            return event if event.seat == viewer else replace(event, drawn=hide(event.drawn))
        case (
            e.TurnStarted()
            | e.CardPlayed()
            | e.PlayEnded()
            | e.CardDiscarded()
            | e.LinchpinTurned()
            | e.PointPatched()
            | e.PatchNullified()
            | e.ArtifactTaken()
            | e.ArtifactDiscarded()
            | e.HandSetAside()
            | e.HandTakenBack()
            | e.SecretShown()
            | e.CharacterHome()
            | e.UniverseDestroyed()
            | e.VictoryClaimed()
            | e.SeatLeft()
        ):
            return event
        case _:
            raise TypeError(f"nobody has decided what {type(event).__name__} shows")
