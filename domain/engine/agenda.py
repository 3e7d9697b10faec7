"""The machine: what remains to be done, and how it is done.

Theory of operation. An *agenda* is a stack of frames, the last one on top. A frame is a small
program: its owner (a seat), the card that it came from, the effects still to do, and the answers
bound so far. `settle` takes the first effect of the top frame, again and again:

- `Ask`: the game computes what each asked seat is offered. If somebody is offered something, one
  `choice.offered` event with the agenda in it is emitted and the machine stops: this is the only
  way to suspend a match. Otherwise an empty answer is bound and the machine goes on.
- any other effect: its resolver runs. It may emit events (folded at once, so that the next
  instruction sees the truth), put more effects in front (`Run.prepend`), or push and insert frames.

`resume` is the way back: all answers are in; they are bound in the top frame, the `Ask` is dropped
and `settle` goes on. Turns, respond windows, simultaneous choices and nested plays are programs on
this machine; there is no second one.

Invariants: only `settle` and `resume` touch the agenda of a match; a suspended agenda has its `Ask`
as the first effect of its top frame; answers of a frame die with it; a match that is neither
suspended nor over is a mistake of a game (`assert`).

One step: agenda `[[0,null,[["ask",…"play"],["play"]],{}]]`, seat 0 picks `discard:P1868`; `resume`
binds `play → ("discard:P1868",)` and leaves `[["play"]]`; `settle` runs its resolver, which emits
`card_discarded` and puts the next effects in front.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, Generic, TypeVar, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.engine.chance import Chance
from domain.engine.choices import Offer
from domain.engine.codec import Frame, codec
from domain.engine.effects import Ask, Effect, Seq, Who
from domain.engine.events import ChoiceOffered, Event, MatchEnded, Outcome
from domain.engine.game import Game, game_of
from domain.engine.ids import CardId, Picks, Seat
from domain.engine.match import Match, evolve

B = TypeVar("B")


BUDGET: Final = 1_000
"""Steps of one settling, and events of one command; in thousands of random matches none took 40."""

_ENDLESS: Final = "a program that somebody wrote goes on and on"


class Scope(Struct, Generic[B], frozen=True, gc=False):
    """What a question may look at: the board, the seat asked, and the frame that asks."""

    board: B
    seat: Seat
    frame: Frame


class Run(Generic[B]):
    """One command being carried out: the match as it stands, the events so far, the agenda."""

    __slots__ = ("agenda", "events", "frames", "game", "match")

    def __init__(self, match: Match[B]) -> None:
        """Begin at a match; its stored agenda is read only by `load`."""
        self.match = match
        self.events: list[Event] = []
        self.frames: list[Frame | None] = []  # in which each event happened
        self.agenda: list[Frame] = []
        self.game: Game[B] = game_of(match.game)

    @property
    def board(self) -> B:
        """The board as it stands."""
        return self.match.board

    @property
    def frame(self) -> Frame:
        """The frame whose effect is being done."""
        return self.agenda[-1]

    def emit(self, event: Event) -> None:
        """Let something happen."""
        if len(self.events) == BUDGET:
            raise AssertionError(_ENDLESS)
        self.events.append(event)
        self.frames.append(self.agenda[-1] if self.agenda else None)
        self.match = evolve(self.match, event)

    def chance(self) -> Chance:
        """Return the draws that belong to the next event."""
        assert self.match.seed is not None, "no draws before the start or for a viewer"
        return Chance(self.match.seed, self.match.version)

    def prepend(self, *effects: Effect) -> None:
        """Do these next, in the frame at hand."""
        self.agenda[-1] = replace(self.frame, todo=effects + self.frame.todo)

    def bind(self, name: str, picks: Picks) -> None:
        """Remember an answer, or a word for a later effect of the frame at hand."""
        self.agenda[-1] = replace(self.frame, bound={**self.frame.bound, name: picks})

    def push(
        self,
        seat: Seat,
        effects: Iterable[Effect],
        card: CardId | None = None,
        bound: dict[str, Picks] | None = None,
        depth: int | None = None,
    ) -> None:
        """Add a frame on top, or at `depth` frames from the bottom."""
        frame = Frame(seat, card, tuple(effects), bound or {})
        self.agenda.insert(len(self.agenda) if depth is None else depth, frame)

    def load(self) -> None:
        """Take up the stored agenda."""
        self.agenda = list(codec(self.match.game).frames(self.match.agenda))

    def live(self) -> tuple[Seat, ...]:
        """Return the seats that have not conceded."""
        return tuple(seat for seat, place in enumerate(self.match.places) if not place.conceded)

    def end(self, outcome: Outcome) -> None:
        """Finish the match and show what the commitment stood for."""
        assert self.match.seed is not None
        assert self.match.salt is not None
        self.agenda.clear()
        self.emit(MatchEnded(outcome=outcome, seed=self.match.seed, salt=self.match.salt))


def offer(match: Match[B], seat: Seat, frame: Frame, ask: Ask) -> Offer:
    """Return what the question offers the seat now."""
    game: Game[Any] = game_of(match.game)
    return game.offers[type(ask.question)](Scope(match.board, seat, frame), ask.question)


def asked(match: Match[B], owner: Seat, who: Who) -> tuple[Seat, ...]:
    """Return the seats that a question goes to: in turn order from the owner's left."""
    count = len(match.places)
    round_table = [(owner + step) % count for step in range(1, count)]
    match who:
        case Who.OWNER:
            round_table = [owner]
        case Who.ALL:
            round_table.append(owner)
        case Who.OTHERS:
            pass
        case _:
            assert_never(who)
    return tuple(seat for seat in round_table if not match.places[seat].conceded)


def settle(run: Run[Any]) -> None:
    """Do what remains to be done until a seat has to choose or the match is over."""
    for _ in range(BUDGET):
        if not run.agenda:
            break
        frame = run.agenda[-1]
        if not frame.todo:
            run.agenda.pop()
            continue
        effect = frame.todo[0]
        if type(effect) is Ask:
            if _suspended(run, frame, effect):
                return
            _bind(run, frame, effect, ())
            continue
        run.agenda[-1] = replace(frame, todo=frame.todo[1:])
        if type(effect) is Seq:
            run.prepend(*effect.steps)
            continue
        run.game.resolvers[type(effect)](run, effect)
    assert not run.agenda, _ENDLESS
    assert run.match.outcome is not None, "a program ended without ending the match"


def _suspended(run: Run[Any], frame: Frame, ask: Ask) -> bool:
    offers: dict[Seat, Offer] = {}
    for seat in asked(run.match, frame.seat, ask.who):
        offered = offer(run.match, seat, frame, ask)
        if offered.options or offered.always:
            offers[seat] = offered
    if not offers:
        return False
    run.emit(
        ChoiceOffered(
            seats=tuple(offers),
            agenda=codec(run.match.game).agenda(run.agenda),
            prompt=prompt_of(ask),
        )
    )
    run.match.offers.update(offers)
    return True


def prompt_of(ask: Ask) -> str:
    """Return the name of the question."""
    return str(ask.question.__struct_config__.tag)  # type: ignore[attr-defined]  # every Question is a Struct


def waiting(agenda: Sequence[Frame]) -> tuple[Frame, Ask]:
    """Return the frame of a suspended agenda that waits for an answer, and what it asks."""
    frame = agenda[-1]
    ask = frame.todo[0]
    assert type(ask) is Ask, "a suspended agenda waits for an answer"
    return frame, ask


def resume(run: Run[Any]) -> None:
    """Bind the answers of the choice that is complete and go on."""
    run.load()
    frame, ask = waiting(run.agenda)
    _bind(run, frame, ask, run.match.answers)
    settle(run)


def _bind(
    run: Run[Any], frame: Frame, ask: Ask, answers: tuple[tuple[Seat, Picks | None], ...]
) -> None:
    """Bind the owner's answer to the name, those of several seats to `name@seat`."""
    bound = dict(frame.bound)
    if ask.who is Who.OWNER:
        bound[ask.bind] = (answers[0][1] or ()) if answers else ()
    else:
        bound = {key: value for key, value in bound.items() if not key.startswith(f"{ask.bind}@")}
        bound.update({f"{ask.bind}@{seat}": picks or () for seat, picks in answers})
    run.agenda[-1] = replace(frame, todo=frame.todo[1:], bound=bound)
