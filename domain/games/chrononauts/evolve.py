"""How each event changes the table. No rules here, and nothing that can fail for a stored event."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.engine.events import Event, MatchCreated
from domain.engine.ids import CardId
from domain.engine.zones import without
from domain.games.chrononauts import events as e
from domain.games.chrononauts.board import Board, Pile, PlayUnderWay, SeatBoard, with_seat
from domain.games.chrononauts.options import Options


def blank(event: MatchCreated) -> Board:
    """Return the table before the deal."""
    return Board(
        options=msgspec.convert(event.options, Options),
        facts=event.facts,
        seats=(SeatBoard(),) * event.seats,
    )


def _discard(board: Board, *cards: CardId) -> Pile:
    return replace(board.draw, discards=board.draw.discards + cards)


def _less(cards: tuple[CardId, ...], card: CardId) -> tuple[CardId, ...]:
    at = cards.index(card)
    return cards[:at] + cards[at + 1 :]


def _set_up(board: Board, event: e.SetUp) -> Board:
    return replace(
        board,
        seats=event.seats,
        draw=Pile(cards=event.draw),
        identities=Pile(cards=event.identities),
        missions=Pile(cards=event.missions),
        turn=event.turn,
        waiting=event.waiting,
    )


def _identity_swapped(board: Board, event: e.IdentitySwapped) -> Board:
    one = replace(board.seats[event.seat], identity=event.drawn)
    return replace(
        with_seat(board, event.seat, one), identities=replace(board.identities, cards=event.pile)
    )


def _turn_started(board: Board, event: e.TurnStarted) -> Board:
    return replace(board, turn=event.seat, turns=board.turns + 1)


def _cards_drawn(board: Board, event: e.CardsDrawn) -> Board:
    one = board.seats[event.seat]
    if event.small:
        one = replace(one, small=(*one.small[:-1], one.small[-1] + event.cards))
    else:
        one = replace(one, hand=one.hand + event.cards)
    draw = replace(board.draw, cards=board.draw.cards[len(event.cards) :])
    return replace(with_seat(board, event.seat, one), draw=draw)


def _draw_pile_shuffled(board: Board, event: e.DrawPileShuffled) -> Board:
    discards = () if event.discards else board.draw.discards
    return replace(board, draw=Pile(cards=event.cards, discards=discards))


def _card_played(board: Board, event: e.CardPlayed) -> Board:
    play = PlayUnderWay(seat=event.seat, card=event.card, targets=event.targets)
    one = board.seats[event.seat]
    match event.source:
        case "hand":
            board = with_seat(board, event.seat, replace(one, hand=without(one.hand, event.card)))
        case "small":
            small = (*one.small[:-1], without(one.small[-1], event.card))
            board = with_seat(board, event.seat, replace(one, small=small))
        case "discard":
            discards = _less(board.draw.discards, event.card)
            board = replace(board, draw=replace(board.draw, discards=discards))
        case "draw":
            cards = without(board.draw.cards, event.card)
            board = replace(board, draw=replace(board.draw, cards=cards))
    return replace(board, plays=(*board.plays, play))


def _play_ended(board: Board, event: e.PlayEnded) -> Board:
    board = replace(board, plays=board.plays[:-1])
    if event.to == "table":
        one = board.seats[event.seat]
        return with_seat(board, event.seat, replace(one, artifacts=(*one.artifacts, event.card)))
    return replace(board, draw=_discard(board, event.card))


def _card_discarded(board: Board, event: e.CardDiscarded) -> Board:
    one = board.seats[event.seat]
    if event.small:
        one = replace(one, small=(*one.small[:-1], without(one.small[-1], event.card)))
    else:
        one = replace(one, hand=without(one.hand, event.card))
    return replace(with_seat(board, event.seat, one), draw=_discard(board, event.card))


def _linchpin_turned(board: Board, event: e.LinchpinTurned) -> Board:
    others = [year for year in board.altered if year != event.year]
    if event.side == "altered":
        others.append(event.year)
    return replace(board, altered=tuple(sorted(others)))


def _point_patched(board: Board, event: e.PointPatched) -> Board:
    patches = tuple(sorted((*board.patches, (event.year, event.card))))
    return replace(board, patches=patches, plays=board.plays[:-1])


def _patch_nullified(board: Board, event: e.PatchNullified) -> Board:
    patches = tuple([patch for patch in board.patches if patch[0] != event.year])
    return replace(board, patches=patches, draw=_discard(board, event.card))


def _artifact_taken(board: Board, event: e.ArtifactTaken) -> Board:
    owner, taker = board.seats[event.owner], board.seats[event.seat]
    board = with_seat(
        board, event.owner, replace(owner, artifacts=_less(owner.artifacts, event.card))
    )
    return with_seat(board, event.seat, replace(taker, artifacts=(*taker.artifacts, event.card)))


def _artifact_discarded(board: Board, event: e.ArtifactDiscarded) -> Board:
    one = board.seats[event.owner]
    board = with_seat(board, event.owner, replace(one, artifacts=_less(one.artifacts, event.card)))
    return replace(board, draw=_discard(board, event.card))


def _hand_set_aside(board: Board, event: e.HandSetAside) -> Board:
    one = board.seats[event.seat]
    return with_seat(board, event.seat, replace(one, small=(*one.small, ())))


def _hand_taken_back(board: Board, event: e.HandTakenBack) -> Board:
    one = board.seats[event.seat]
    return with_seat(board, event.seat, replace(one, small=one.small[:-1]))


def _hands_moved(board: Board, event: e.HandsMoved) -> Board:
    seats = tuple(
        replace(one, hand=hand) for one, hand in zip(board.seats, event.hands, strict=True)
    )
    return replace(board, seats=seats)


def _with_pile(board: Board, which: str, pile: Pile) -> Board:
    if which == "identity":
        return replace(board, identities=pile)
    return replace(board, missions=pile)


def _with_secret(
    one: SeatBoard, which: str, cards: tuple[CardId | None, ...], shown: bool
) -> SeatBoard:
    others = tuple(word for word in one.shown if word != which)
    words = tuple(sorted((*others, which))) if shown else others
    if which == "identity":
        return replace(one, identity=cards, shown=words)
    return replace(one, mission=cards, shown=words)


def _secret_replaced(board: Board, event: e.SecretReplaced) -> Board:
    pile = board.pile(event.which)
    pile = Pile(cards=pile.cards[1:], discards=(*pile.discards, event.shown))
    one = _with_secret(board.seats[event.seat], event.which, event.drawn, shown=False)
    return _with_pile(with_seat(board, event.seat, one), event.which, pile)


def _secret_shown(board: Board, event: e.SecretShown) -> Board:
    one = _with_secret(board.seats[event.seat], event.which, (event.card,), shown=True)
    return with_seat(board, event.seat, one)


def _secrets_shuffled(board: Board, event: e.SecretsShuffled) -> Board:
    return _with_pile(board, event.which, Pile(cards=event.cards))


def _character_home(board: Board, event: e.CharacterHome) -> Board:
    return replace(board, waiting=_less(board.waiting, event.card), home=(*board.home, event.card))


def _unchanged(board: Board, _: Event) -> Board:
    return board


def _seat_left(board: Board, event: e.SeatLeft) -> Board:
    artifacts = board.seats[event.seat].artifacts
    board = with_seat(board, event.seat, SeatBoard(gone=True))
    identities, missions = board.identities, board.missions
    return replace(
        board,
        draw=_discard(board, *event.hand, *artifacts),
        identities=replace(identities, discards=identities.discards + event.identity),
        missions=replace(missions, discards=missions.discards + event.mission),
    )


# Each function takes its own event class.
EVOLVERS: Mapping[type[Event], Callable[[Board, Any], Board]] = {
    e.SetUp: _set_up,
    e.IdentitySwapped: _identity_swapped,
    e.TurnStarted: _turn_started,
    e.CardsDrawn: _cards_drawn,
    e.DrawPileShuffled: _draw_pile_shuffled,
    e.CardPlayed: _card_played,
    e.PlayEnded: _play_ended,
    e.CardDiscarded: _card_discarded,
    e.LinchpinTurned: _linchpin_turned,
    e.PointPatched: _point_patched,
    e.PatchNullified: _patch_nullified,
    e.ArtifactTaken: _artifact_taken,
    e.ArtifactDiscarded: _artifact_discarded,
    e.HandSetAside: _hand_set_aside,
    e.HandTakenBack: _hand_taken_back,
    e.HandsMoved: _hands_moved,
    e.SecretReplaced: _secret_replaced,
    e.SecretShown: _secret_shown,
    e.SecretsShuffled: _secrets_shuffled,
    e.CharacterHome: _character_home,
    e.UniverseDestroyed: _unchanged,
    e.VictoryClaimed: _unchanged,
    e.SeatLeft: _seat_left,
}
