"""Command and state in, events out: the only way into the core.

`decide` checks everything, then says what happens: it raises a `DomainError` or returns at least
one event. The time is no part of it; a deadline that has passed arrives as a command.
"""

from collections.abc import Iterable
from functools import reduce
from typing import Any, TypeAlias, TypeVar, assert_never

from msgspec import Struct

from domain.engine.access import OpenLog, ReplaceToken, open_log, replace_token
from domain.engine.agenda import Run, offer, resume, settle, waiting
from domain.engine.chance import commitment
from domain.engine.choices import Choice, is_legal, to_choice
from domain.engine.codec import Frame, codec
from domain.engine.effects import Ask
from domain.engine.errors import (
    IllegalChoice,
    InvalidOptions,
    MalformedCommand,
    MatchFinished,
    MatchNotOpen,
    MatchNotStarted,
    NotYourTurn,
    SeatGone,
    SeatsEmpty,
    SeatTaken,
    UnknownChoice,
    UnknownSeat,
)
from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    Event,
    Fact,
    MatchCreated,
    MatchStarted,
    SeatConceded,
    SeatFilled,
    Spectators,
    TimeRanOut,
    TurnLimit,
)
from domain.engine.game import game_of
from domain.engine.ids import Json, Picks, Scalar, Seat
from domain.engine.layout import LayOut, lay_out
from domain.engine.match import Match, created, evolve
from domain.engine.stumbles import Guarded
from domain.engine.terms import RunOut, check_terms
from domain.engine.undo import AnswerUndo, Undo, answer_undo, undo
from domain.engine.worlds import foreseeable

B = TypeVar("B")


LONGEST_NAME = 64
BOTS = ("random", "greedy")
"""The kinds of bots that can sit down."""


class CreateMatch(Struct, frozen=True):
    """Lay out a match of a game; options left out take their defaults."""

    game: str
    seats: int
    options: dict[str, Scalar] = {}
    facts: tuple[Fact, ...] = ()
    account: str | None = None
    limit: TurnLimit | None = None
    spectators: Spectators | None = None


class TakeSeat(Struct, frozen=True):
    """Seat a player, or a bot of that kind."""

    seat: Seat
    player: str
    bot: str | None = None
    account: str | None = None


class StartMatch(Struct, frozen=True):
    """Begin; seed (128 bits) and salt (256 bits) are secrets in hexadecimal."""

    seed: str
    salt: str


class Choose(Struct, frozen=True):
    """Answer the open choice of a seat, and with further `steps` the choices that follow it.

    A step may follow only where the one before brought nothing hidden to light: otherwise a seat
    could learn a card that it is about to draw, or an answer of somebody else, by guessing steps
    until one is not refused.
    """

    seat: Seat
    choice: int
    steps: tuple[Picks, ...]


class ExpireChoice(Struct, frozen=True):
    """The time of this window is up: whoever has not answered passes."""

    choice: int


class Concede(Struct, frozen=True):
    """Give up the match for this seat."""

    seat: Seat


Command: TypeAlias = (
    TakeSeat
    | StartMatch
    | LayOut
    | Choose
    | ExpireChoice
    | RunOut
    | Concede
    | Undo
    | AnswerUndo
    | ReplaceToken
    | OpenLog
)


def create(command: CreateMatch) -> tuple[MatchCreated, Match[Any]]:
    """Return the first event of a match, and the match.

    Raises:
        UnknownGame: no such game.
        InvalidOptions: seats, options or facts do not fit the game, or limits are out of range.
    """
    game = game_of(command.game)
    if command.seats not in game.seats:
        raise InvalidOptions(
            f"{game.name} takes {game.seats[0]} to {game.seats[-1]} seats",
            seats=[game.seats[0], game.seats[-1]],
        )
    check_terms(command.limit, command.spectators)
    options = game.configure(command.seats, command.options, command.facts)
    event = MatchCreated(
        game=game.name,
        ruleset=game.ruleset,
        seats=command.seats,
        options=options,
        facts=command.facts,
        account=command.account,
        limit=command.limit,
        spectators=command.spectators,
    )
    return event, created(event)


def decide(match: Match[B], command: Command) -> tuple[Event, ...]:
    """Return what the command makes happen.

    Raises:
        DomainError: the command is refused; see `errors.py` for the reasons.
    """
    return tuple(carry_out(match, command).events)


def carry_out(match: Match[B], command: Command) -> Run[B]:
    """Decide and fold at once: the events and the match after them."""
    with Guarded(match):
        return _carry_out(match, command)


def _carry_out(match: Match[B], command: Command) -> Run[B]:
    if match.outcome is not None:
        raise MatchFinished("the match is over")
    run = Run(match)
    match command:
        case Choose():
            _choose(run, command)
        case TakeSeat():
            _take_seat(run, command)
        case StartMatch():
            _start(run, command)
        case ExpireChoice():
            _expire(run, command)
        case RunOut():
            _run_out(run, command)
        case Concede():
            _concede(run, command)
        case LayOut():
            lay_out(run, command)
        case Undo():
            _check_seat(match, command.seat)
            undo(run, command)
        case AnswerUndo():
            _check_seat(match, command.seat)
            answer_undo(run, command)
        case ReplaceToken():
            replace_token(run, command)
        case OpenLog():
            open_log(run)
        case _:
            assert_never(command)
    return run


def _take_seat(run: Run[Any], command: TakeSeat) -> None:
    if run.match.started:
        raise MatchNotOpen("the match has started")
    if command.seat not in run.match.seats:
        raise UnknownSeat(f"there is no seat {command.seat}", seats=len(run.match.places))
    if run.match.places[command.seat].conceded:
        raise SeatGone("this seat has conceded")
    if run.match.places[command.seat].player is not None:
        raise SeatTaken(f"seat {command.seat} is taken")
    if not 1 <= len(command.player) <= LONGEST_NAME or not command.player.isprintable():
        # Control and format characters could rewrite the screen of whoever reads the name.
        raise MalformedCommand(f"a name is 1 to {LONGEST_NAME} printable characters")
    if command.bot not in (None, *BOTS):
        raise MalformedCommand("there is no such bot", bots=list(BOTS))
    run.emit(
        SeatFilled(
            seat=command.seat, player=command.player, bot=command.bot, account=command.account
        )
    )


def _start(run: Run[Any], command: StartMatch) -> None:
    if run.match.started:
        raise MatchNotOpen("the match has started")
    free: list[Json] = [
        seat
        for seat, place in enumerate(run.match.places)
        if place.player is None and not place.conceded
    ]
    if free:
        raise SeatsEmpty("some seats are free", seats=free)
    run.emit(
        MatchStarted(
            commitment=commitment(command.seed, command.salt),
            seed=command.seed,
            salt=command.salt,
        )
    )
    if not run.match.asked:
        run.game.start(run)
        settle(run)


def _choose(run: Run[Any], command: Choose) -> None:
    _check_seat(run.match, command.seat)
    choice = open_choice(run.match, command.seat)
    if choice is None:
        raise NotYourTurn("this seat has nothing to choose now")
    if choice.id != command.choice:
        raise UnknownChoice("that is not the open choice", choice=choice.id)
    if not command.steps:
        raise _illegal(choice, 0)
    is_alone, known, before = True, 0, run.match
    for number, picks in enumerate(command.steps):
        if number:
            happened, frames = run.events[known:], run.frames[known:]
            foreseen = is_alone and foreseeable(before, happened, frames, command.seat) == happened
            choice = open_choice(run.match, command.seat) if foreseen else None
        if choice is None or not is_legal(choice, picks):
            raise _illegal(choice, number)
        is_alone = run.match.asked == (command.seat,) and not run.match.answers
        known, before = len(run.events), run.match
        run.emit(ChoiceMade(seat=command.seat, picks=picks))
        if not run.match.asked:
            resume(run)


def _illegal(choice: Choice | None, number: int) -> IllegalChoice:
    if choice is None:
        return IllegalChoice("there is nothing more to choose", step=number)
    return IllegalChoice(
        f"pick between {choice.min} and {choice.max} of the options offered",
        choice=choice.id,
        min=choice.min,
        max=choice.max,
        step=number,
    )


def _expire(run: Run[Any], command: ExpireChoice) -> None:
    if run.match.choice != command.choice or not run.match.asked:
        raise UnknownChoice("that is not the open choice", choice=run.match.choice)
    if not run.match.started:
        raise MatchNotStarted("the match has not started")
    if not is_window(run.match):
        raise IllegalChoice("this choice has no time limit", choice=command.choice)
    run.emit(ChoiceExpired(seats=run.match.asked))
    resume(run)


def _run_out(run: Run[Any], command: RunOut) -> None:
    match, seat = run.match, command.seat
    _check_seat(match, seat)
    if match.choice != command.choice or seat not in match.asked:
        raise UnknownChoice("that is not the open choice", choice=match.choice)
    if match.limit is None or is_window(match):
        raise IllegalChoice("this choice has no time limit", choice=command.choice)
    concedes = match.limit.then == "concede"
    if concedes != (command.picks is None):
        raise IllegalChoice("that is not what happens when time runs out", choice=command.choice)
    run.emit(TimeRanOut(seat=seat))
    if command.picks is None:
        _concede(run, Concede(seat))
    else:
        _choose(run, Choose(seat, command.choice, (command.picks,)))


def _concede(run: Run[Any], command: Concede) -> None:
    _check_seat(run.match, command.seat)
    run.load()
    suspended = list(run.agenda)
    run.emit(SeatConceded(seat=command.seat))
    run.game.concede(run, command.seat)
    stands = run.match.outcome is None and run.agenda == suspended
    if stands:
        _pass_over(run, command.seat)
    # No frame made this happen, and the card of the one at hand may not be announced yet.
    run.frames = [None] * len(run.events)
    if run.match.outcome is not None:
        return
    if not stands:
        settle(run)
    elif not run.match.asked:
        resume(run)


def _pass_over(run: Run[Any], gone: Seat) -> None:
    """Let the open question stand after a concession, and the seat that left pass.

    The others keep their open choice as it is, unless nothing is left of what they were offered.
    """
    frame, ask = waiting(run.agenda)
    if gone in run.match.asked:
        run.emit(ChoiceMade(seat=gone, picks=()))
    for seat in run.match.asked:
        offered = offer(run.match, seat, frame, ask)
        if not offered.options and not offered.always:
            run.emit(ChoiceMade(seat=seat, picks=()))


def _check_seat(match: Match[Any], seat: Seat) -> None:
    if seat not in match.seats:
        raise UnknownSeat(f"there is no seat {seat}", seats=len(match.places))
    if not match.started:
        raise MatchNotStarted("the match has not started")
    if match.places[seat].conceded:
        raise SeatGone("this seat has conceded")


def open_choice(match: Match[Any], seat: Seat) -> Choice | None:
    """Return the open choice of the seat, with every option that the rules allow now.

    A seat that has answered a revisable question has it open until the last seat has answered.

    Raises:
        IllegalPosition: the match was laid out, and the rules cannot tell what they allow.
    """
    if not match.asked or match.places[seat].conceded:
        return None
    with Guarded(match):
        return _open_choice(match, seat)


def _open_choice(match: Match[Any], seat: Seat) -> Choice | None:
    frame, ask = _open(match)
    answered = ask.revisable and any(seat == one for one, _ in match.answers)
    if seat not in match.asked and not answered:
        return None
    if seat not in match.offers:
        match.offers[seat] = offer(match, seat, frame, ask)
    return to_choice(match.choice, seat, str(match.prompt), match.offers[seat], frame.card)


def _open(match: Match[Any]) -> tuple[Frame, Ask]:
    """Return the frame that waits for an answer, and what it asks."""
    return waiting(codec(match.game).frames(match.agenda))


def is_window(match: Match[Any]) -> bool:
    """Tell whether the open choice closes by itself when its time is up."""
    with Guarded(match):
        return bool(match.asked) and _open(match)[1].window


def fold(events: Iterable[Event], match: Match[Any] | None = None) -> Match[Any]:
    """Return the match that the events make, from its creation or on top of a match."""
    steps = iter(events)
    if match is None:
        first = next(steps)
        assert isinstance(first, MatchCreated), "a log begins with match.created"
        match = created(first)
    return reduce(evolve, steps, match)
