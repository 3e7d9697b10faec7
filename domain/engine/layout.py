"""Setting a table as a whole: a fork of another match, or a position.

The state comes from elsewhere, so it is looked at from all sides first, and every fault is named at
once: those of the engine here, those of a game by its own `faults`.
"""

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Raw, Struct
from msgspec.structs import replace

from domain.engine.agenda import Run, asked, offer, prompt_of, waiting
from domain.engine.choices import Offer, is_legal, to_choice
from domain.engine.codec import Frame, codec, encode
from domain.engine.errors import IllegalPosition, MatchNotOpen
from domain.engine.events import MatchRestored
from domain.engine.game import Fault, game_of
from domain.engine.ids import Json, Picks
from domain.engine.match import Match, State
from domain.engine.remainders import MOST_FRAMES
from domain.engine.stumbles import STUMBLES


class LayOut(Struct, frozen=True):
    """Set the table of a match that has not started: a fork of another match, or a position."""

    why: Literal["fork", "position"]
    state: State[Any]
    match: str | None = None
    version: int = 0


def lay_out(run: Run[Any], command: LayOut) -> None:
    """Set the table.

    Raises:
        MatchNotOpen: the match has started.
        IllegalPosition: the state cannot stand on this table; `errors` names every fault.
    """
    if run.match.started:
        raise MatchNotOpen("the match has started")
    found = faults(run.match, command.state)
    if found:
        raise illegal(found)
    state = Raw(encode(command.state))
    run.emit(
        MatchRestored(why=command.why, state=state, match=command.match, version=command.version)
    )


def illegal(found: tuple[Fault, ...]) -> IllegalPosition:
    """Return the refusal that names every fault."""
    errors: list[Json] = [{"path": fault.path, "message": fault.reason} for fault in found]
    reasons = "; ".join(f"{fault.path}: {fault.reason}" for fault in found)
    return IllegalPosition(f"this cannot stand on the table: {reasons}", errors=errors)


def faults(match: Match[Any], state: State[Any]) -> tuple[Fault, ...]:
    """Return every reason why a state cannot stand on the table of a match that is laid out."""
    found = _game_faults(match, state)
    return tuple(dict.fromkeys((*found, *_pending(match, state, sound=not found))))


def _game_faults(match: Match[Any], state: State[Any]) -> tuple[Fault, ...]:
    try:
        return game_of(match.game).faults(state.board, match.board)
    except STUMBLES:
        return (Fault("", "the board does not hold together"),)


def _pending(match: Match[Any], state: State[Any], sound: bool) -> Iterator[Fault]:
    """Yield what is wrong with who is asked, and with what remains to be done.

    Nothing of the program is carried out or even asked before all of it is known to be what the
    rules can have left; on a board that is not sound, not even then.
    """
    involved = (*state.asked, *[seat for seat, _ in state.answers])
    if not {*involved, *state.gone} <= set(match.seats):
        yield Fault("pending", "names a seat that is not there")
    elif len(set(involved)) != len(involved) or set(state.asked) & set(state.gone):
        yield Fault("pending", "asks a seat that has answered or conceded")
    elif not state.asked:
        yield Fault("pending", "nobody has to choose")
    else:
        try:
            frames: tuple[Frame, ...] = codec(match.game).frames(state.agenda)
            found = tuple(_strange(match, state, frames))
            if sound and not found:
                found = tuple(_unasked(match, state, frames))
        except STUMBLES:
            found = (Fault("pending", "the rules cannot go on from here"),)
        yield from found


def _strange(match: Match[Any], state: State[Any], frames: tuple[Frame, ...]) -> Iterator[Fault]:
    """Yield the frames that the rules cannot have left."""
    if len(frames) > MOST_FRAMES:
        yield Fault("pending.program", f"has more than {MOST_FRAMES} parts")
        return
    # What several seats have answered will stand in the frame that asks.
    frame, ask = waiting(frames)
    given = {f"{ask.bind}@{seat}": picks or () for seat, picks in state.answers}
    told = (*frames[:-1], replace(frame, bound={**frame.bound, **given}))
    strange = set(game_of(match.game).strange(state.board, told))
    strange |= {at for at, frame in enumerate(frames) if frame.seat not in match.seats}
    if not frames[0].todo:
        strange.add(0)  # with it the match would come to nothing
    for at in sorted(strange):
        yield Fault(f"pending.program[{at}]", "is nothing that the rules leave to be done here")


def _unasked(match: Match[Any], state: State[Any], frames: tuple[Frame, ...]) -> Iterator[Fault]:
    """Yield what the question at hand does not ask, or not of these seats."""
    frame, ask = waiting(frames)
    if state.prompt != prompt_of(ask):
        yield Fault("pending.prompt", f"is not {prompt_of(ask)}")
    gone = tuple([replace(match.places[seat], conceded=seat in state.gone) for seat in match.seats])
    table = replace(match, board=state.board, places=gone)
    offers = {seat: offer(table, seat, frame, ask) for seat in asked(table, frame.seat, ask.who)}
    wanted = [seat for seat, one in offers.items() if one.options or one.always]
    answers = dict(state.answers)
    if list(state.asked) != [seat for seat in wanted if seat not in answers]:
        yield Fault("pending.asked", "are not those who still have to choose")
    could = asked(match, frame.seat, ask.who)
    for seat, picks in answers.items():
        if seat not in could or not _is_answer(offers.get(seat), seat in state.gone, picks):
            yield Fault("pending.answers", f"seat {seat} cannot have picked that")


def _is_answer(offered: Offer | None, gone: bool, picks: Picks | None) -> bool:
    """Tell whether a seat can have answered with that.

    One that has conceded since was offered something else, and whoever was left without a choice
    has passed.
    """
    if picks is None or gone or not picks:
        return picks is not None
    return offered is not None and is_legal(to_choice(0, 0, "", offered, None), picks)
