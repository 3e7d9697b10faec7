"""What the cards do: one small function for each leaf effect. No card id stands here.

A target that is gone when the card resolves makes the effect do nothing (rules 20).
"""

from collections.abc import Callable, Mapping
from typing import Any

from domain.engine.agenda import Run
from domain.engine.effects import Ask, Effect
from domain.engine.ids import CardId, Seat
from domain.engine.zones import Zone, seen
from domain.games.chrononauts import events as e
from domain.games.chrononauts import turn
from domain.games.chrononauts import words as w
from domain.games.chrononauts.board import Board
from domain.games.chrononauts.timeline import lost_patches
from domain.games.chrononauts.victory import MONA_LISA, most_convincing
from domain.games.chrononauts.words import PlayCard


def _card(run: Run[Board]) -> PlayCard:
    assert run.frame.card is not None, "a card's effect runs in its card's frame"
    return run.board.card(run.frame.card)


def _turn_linchpin(run: Run[Board], _: w.TurnLinchpin) -> None:
    pick = run.frame.pick("linchpin")
    if pick is None:
        return
    year = int(pick)
    side: w.Side = "true" if year in run.board.timeline.altered else "altered"
    run.emit(e.LinchpinTurned(year=year, side=side))
    _settle(run)


def _settle(run: Run[Board]) -> None:
    """Let every patch go that has lost its footing, in order of year (rules 5, 7)."""
    board = run.board
    for year, card in lost_patches(board.timeline, dict(board.cards.play)):
        run.emit(e.PatchNullified(year=year, card=card))


def _lay_patch(run: Run[Board], _: w.LayPatch) -> None:
    card = _card(run)
    run.emit(e.PointPatched(year=card.year, card=card.id))
    _settle(run)
    if run.board.options.variant != "solonauts":
        turn.draw(run, run.frame.seat, 1)


def _grant_plays(run: Run[Board], effect: w.GrantPlays) -> None:
    """Put the plays under every card under way: a card goes to its place first (rules 4).

    So they come after a Miracle that this card was played out of (rules 14), but before what an
    enclosing grant has left (rules 20). Only turns and grants are frames without a card.
    """
    depth = 1 + max(index for index, frame in enumerate(run.agenda) if frame.card is None)
    run.push(run.frame.seat, (w.Play(),) * effect.n, depth=depth)


def _play_fetched(run: Run[Board], effect: w.PlayFetched) -> None:
    pick = run.frame.pick("fetch")
    if pick is not None:
        turn.push_play(run, run.frame.seat, pick.removeprefix("play:"), effect.source)


def _shuffle_draw(run: Run[Board], _: w.ShuffleDraw) -> None:
    cards = run.chance().shuffled(run.board.draw.cards)
    run.emit(e.DrawPileShuffled(cards=cards, discards=False))


def _chosen_artifact(run: Run[Board]) -> tuple[Seat, CardId] | None:
    pick = run.frame.pick("artifact")
    return next((found for found in run.board.on_table() if found[1] == pick), None)


def _take_artifact(run: Run[Board], _: w.TakeArtifact) -> None:
    if (found := _chosen_artifact(run)) is not None:
        run.emit(e.ArtifactTaken(seat=run.frame.seat, owner=found[0], card=found[1]))


def _destroy_artifact(run: Run[Board], _: w.DestroyArtifact) -> None:
    if (found := _chosen_artifact(run)) is not None:
        run.emit(e.ArtifactDiscarded(owner=found[0], card=found[1]))


def _is_bonus(run: Run[Board], artifact: CardId) -> bool:
    """Tell whether the artifact is on the bonus list, a Mona Lisa only if it is the best one."""
    family = run.board.card(artifact).family
    if not {family, artifact} & set(_card(run).bonus):
        return False
    return family != MONA_LISA or artifact == most_convincing(run.board)


def _sell_artifact(run: Run[Board], _: w.SellArtifact) -> None:
    found = _chosen_artifact(run)
    if found is None:
        return
    options = run.board.options
    count = options.sell_bonus_draws if _is_bonus(run, found[1]) else options.sell_draws
    run.emit(e.ArtifactDiscarded(owner=found[0], card=found[1]))
    turn.draw(run, run.frame.seat, count)


def _miracle(run: Run[Board], _: w.Miracle) -> None:
    """Draw two and play one, with a bonus draw three and play two; then discard one."""
    found = _chosen_artifact(run)
    if found is None:
        return
    plays = 2 if _is_bonus(run, found[1]) else 1
    seat = run.frame.seat
    run.emit(e.ArtifactDiscarded(owner=found[0], card=found[1]))
    run.emit(e.HandSetAside(seat=seat))
    turn.draw(run, seat, plays + 1, small=True)
    run.prepend(
        *(w.Play(small=True),) * plays,
        Ask(w.WhichSmallDiscard(), "small_discard"),
        w.DiscardSmall(),
        w.TakeBack(),
    )


def _discard_small(run: Run[Board], _: w.DiscardSmall) -> None:
    pick = run.frame.pick("small_discard")
    if pick is not None:
        card = pick.removeprefix("discard:")
        run.emit(e.CardDiscarded(seat=run.frame.seat, card=card, small=True))


def _take_back(run: Run[Board], _: w.TakeBack) -> None:
    run.emit(e.HandTakenBack(seat=run.frame.seat))


def _pass_hands(run: Run[Board], _: w.PassHands) -> None:
    """Pass all hands on, sorted: the order in which cards were drawn is nobody else's to know."""
    pick = run.frame.pick("direction")
    step = -1 if pick == "left" else 1
    seats = run.board.seats
    live = [seat for seat, one in enumerate(seats) if not one.gone]
    hands: list[Zone] = [()] * len(seats)
    for at, seat in enumerate(live):
        hands[seat] = tuple(sorted(seen(seats[live[(at + step) % len(live)]].hand)))
    run.emit(e.HandsMoved(how="left" if pick == "left" else "right", hands=tuple(hands)))


def _deal_hands(run: Run[Board], _: w.DealHands) -> None:
    """Deal all hands anew, one by one, beginning with the player of the card."""
    seats, first = run.board.seats, run.frame.seat
    cards = run.chance().shuffled(card for one in seats for card in seen(one.hand))
    order = [
        (first + step) % len(seats)
        for step in range(len(seats))
        if not seats[(first + step) % len(seats)].gone
    ]
    hands: list[Zone] = [()] * len(seats)
    for at, seat in enumerate(order):
        hands[seat] = cards[at :: len(order)]
    run.emit(e.HandsMoved(how="dealt", hands=tuple(hands)))


def _new_secret(run: Run[Board], effect: w.NewSecret) -> None:
    """Show, discard and draw; with nothing to draw the player keeps the card, known to all."""
    pick, which = run.frame.pick("player"), effect.which
    seat = -1 if pick is None else int(pick.removeprefix("seat:"))
    if seat < 0 or run.board.seats[seat].gone:
        return
    one = run.board.seats[seat]
    card = seen(one.identity if which == "identity" else one.mission)[0]
    pile = run.board.pile(which)
    if not pile.cards and pile.discards:
        run.emit(e.SecretsShuffled(which=which, cards=run.chance().shuffled(pile.discards)))
        pile = run.board.pile(which)
    if pile.cards:
        run.emit(e.SecretReplaced(which=which, seat=seat, shown=card, drawn=pile.cards[:1]))
    else:
        run.emit(e.SecretShown(which=which, seat=seat, card=card))


# Each function takes its own effect class.
RESOLVERS: Mapping[type[Effect], Callable[[Run[Board], Any], None]] = {
    w.Draw: turn.draw_effect,
    w.Play: turn.play,
    w.Played: turn.played,
    w.KillTime: turn.kill_time,
    w.Announce: turn.announce,
    w.Answered: turn.answered,
    w.CarryOut: turn.carry_out,
    w.ToDiscard: turn.to_discard,
    w.ToTable: turn.to_table,
    w.CheckUniverse: turn.check_universe,
    w.EndTurn: turn.end_turn,
    w.EndStep: turn.end_step,
    w.SwapIdentities: turn.swap_identities,
    w.LayPatch: _lay_patch,
    w.TurnLinchpin: _turn_linchpin,
    w.GrantPlays: _grant_plays,
    w.PlayFetched: _play_fetched,
    w.ShuffleDraw: _shuffle_draw,
    w.TakeArtifact: _take_artifact,
    w.DestroyArtifact: _destroy_artifact,
    w.SellArtifact: _sell_artifact,
    w.Miracle: _miracle,
    w.DiscardSmall: _discard_small,
    w.TakeBack: _take_back,
    w.PassHands: _pass_hands,
    w.DealHands: _deal_hands,
    w.NewSecret: _new_secret,
}
