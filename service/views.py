"""Domain values to what goes out: boards, events, answers to moves; each for one viewer."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import msgspec

from domain.engine.agenda import Run
from domain.engine.choices import Choice
from domain.engine.codec import encode, type_of
from domain.engine.decider import fold, is_window, open_choice
from domain.engine.events import Event, Outcome, Spectators, TurnLimit
from domain.engine.game import game_of
from domain.engine.ids import Seat, Viewer
from domain.engine.match import Match, UndoRequest
from domain.engine.moves import all_moves, refusals
from domain.engine.redaction import redact, redact_event
from domain.engine.worlds import foreseeable
from schema import types as t
from service.matches import Done
from service.snapshots import Snapshot, deadline

WINDOW_OPTION = "windowSeconds"
_WINDOW_SECONDS = 30
_PUBLIC = t.SpectatorsInfo(policy="public", turns=None)


def window_ms(match: Match[Any]) -> int:
    """Return how long a window of the match stays open, in milliseconds."""
    return int(match.options.get(WINDOW_OPTION, _WINDOW_SECONDS)) * 1000


def to_events(
    events: Iterable[Event], first: int, at: int, seat: Seat | None, viewer: Viewer, game: str
) -> tuple[t.EventView, ...]:
    """Return the events of one commit as the viewer sees them; `first` is the first's version."""
    return tuple(
        [
            _event(redact_event(event, viewer, game), version, at, seat)
            for version, event in enumerate(events, first)
        ]
    )


def _event(event: Event, version: int, at: int, seat: Seat | None) -> t.EventView:
    data: dict[str, Any] = msgspec.json.decode(encode(event))
    del data["type"]
    type, v = type_of(event)
    return t.EventView(version=version, type=type, v=v, at=at, seat=seat, data=data)


def to_result(done: Done, seat: Seat | None, viewer: Viewer) -> t.MoveResult:
    """Return what a command did, for the seat that sent it."""
    match = done.snapshot.match
    choice = choice_of(match, seat)
    return t.MoveResult(
        match_id=done.snapshot.match_id,
        version=match.version,
        events=to_events(done.events, done.first, done.at, done.seat, viewer, match.game),
        choice=choice,
        deadline=_closes(done.snapshot, choice),
        awaiting=match.asked,
        outcome=_outcome(match.outcome),
        complete=True,
    )


def to_rehearsal(snapshot: Snapshot, run: Run[Any], seat: Seat, at: int) -> t.MoveResult:
    """Return what a command would do, as far as the seat that sends it can know that."""
    match = snapshot.match
    known = foreseeable(match, run.events, run.frames, seat)
    complete = known == run.events
    after = fold(known, match)
    return t.MoveResult(
        match_id=snapshot.match_id,
        version=match.version,
        events=to_events(known, match.version + 1, at, seat, seat, match.game),
        choice=choice_of(after, seat) if complete else None,
        deadline=None,
        awaiting=after.asked,
        outcome=None,
        complete=complete,
    )


def unchanged(snapshot: Snapshot, seat: Seat) -> t.MoveResult:
    """Return the answer to a command that left the match as it is."""
    return to_result(Done(snapshot, snapshot.version + 1, snapshot.at, seat, ()), seat, seat)


def choice_of(match: Match[Any], seat: Seat | None) -> Choice | None:
    """Return the open choice of a seat; a spectator has none."""
    return None if seat is None or match.outcome is not None else open_choice(match, seat)


def _closes(snapshot: Snapshot, choice: Choice | None) -> int | None:
    """Return when a choice is answered without its seat: as a window, or by the seat's clock."""
    if choice is None:
        return None
    if is_window(snapshot.match):
        return snapshot.opened_at + window_ms(snapshot.match)
    return deadline(snapshot, choice.seat)


def to_view(snapshot: Snapshot, seat: Seat | None, viewer: Viewer) -> t.MatchView:
    """Return the board for a viewer who sits on that seat, or on none."""
    match = snapshot.match
    seen = redact(match, viewer)
    closes = snapshot.opened_at + window_ms(match) if is_window(match) else None
    board: Any = game_of(match.game).view(match, viewer)
    return t.MatchView(
        match_id=snapshot.match_id,
        game=match.game,
        ruleset=match.ruleset,
        version=match.version,
        status=status_of(match),
        created_at=snapshot.created_at,
        options=match.options,
        turn_limit=_limit(match.limit),
        spectators=_spectators(match.spectators),
        seats=tuple(
            [
                t.SeatInfo(
                    seat=number,
                    player=place.player,
                    bot=place.bot,
                    conceded=place.conceded,
                    deadline=deadline(snapshot, number),
                )
                for number, place in enumerate(match.places)
            ]
        ),
        viewer=seat,
        awaiting=match.asked,
        choice=choice_of(match, seat),
        deadline=closes,
        undo=_undo(match.undo),
        board=board,
        outcome=_outcome(match.outcome),
        commitment=match.commitment,
        seed=seen.seed if match.outcome is not None else None,
        salt=seen.salt if match.outcome is not None else None,
        log_opened=match.opened,
    )


def status_of(match: Match[Any]) -> Literal["open", "running", "finished"]:
    """Return how far the match has come."""
    if match.outcome is not None:
        return "finished"
    return "running" if match.started else "open"


def to_moves(snapshot: Snapshot, seat: Seat) -> t.LegalMoves:
    """Return the open choice of a seat and the moves that answer it."""
    match = snapshot.match
    choice = choice_of(match, seat)
    moves: Sequence[t.MoveOption] = ()
    refused: tuple[t.RefusedMove, ...] = ()
    if choice is not None:
        refused = to_refused(match, choice)
        # From what the seat sees, so that no move can tell of more.
        moves = [
            t.MoveOption(
                type=move.type,
                body={"type": move.type, **move.arguments},
                cost=move.cost,
                domains=tuple(
                    t.MoveDomain(
                        argument=name,
                        source=domain.source,
                        limits=domain.limits,
                        min=domain.min,
                        max=domain.max,
                    )
                    for name, domain in move.domains.items()
                ),
            )
            for move in all_moves(redact(match, seat), choice)
        ]
    return t.LegalMoves(
        match_id=snapshot.match_id,
        version=match.version,
        choice=choice,
        deadline=_closes(snapshot, choice),
        moves=tuple(moves),
        explain=refused,
    )


def to_refused(match: Match[Any], choice: Choice) -> tuple[t.RefusedMove, ...]:
    """Return the named moves that do not answer a choice, and why, as its seat may know it."""
    game = game_of(match.game)
    return tuple(
        t.RefusedMove(
            move=one.move, card=one.card, code=one.code, rule=game.rules.refusals.get(one.code)
        )
        for one in refusals(redact(match, choice.seat), choice)
    )


def _limit(limit: TurnLimit | None) -> t.TurnLimitInfo | None:
    return None if limit is None else t.TurnLimitInfo(seconds=limit.seconds, then=limit.then)


def _spectators(spectators: Spectators | None) -> t.SpectatorsInfo:
    if spectators is None:
        return _PUBLIC
    policy: Literal["none", "delayed"] = "none" if spectators.delay is None else "delayed"
    return t.SpectatorsInfo(policy=policy, turns=spectators.delay)


def _undo(undo: UndoRequest | None) -> t.UndoInfo | None:
    if undo is None:
        return None
    return t.UndoInfo(seat=undo.seat, version=undo.version, agreed=undo.agreed)


def _outcome(outcome: Outcome | None) -> t.OutcomeView | None:
    if outcome is None:
        return None
    return t.OutcomeView(winners=outcome.winners, reasons=outcome.reasons, scores=outcome.scores)
