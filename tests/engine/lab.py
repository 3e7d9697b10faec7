"""A game without rules, to test the machine: it runs the program that it is given as an option."""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.engine.agenda import Run, Scope
from domain.engine.choices import Choice, Offer, Option
from domain.engine.codec import codec, encode
from domain.engine.decider import Choose, carry_out, open_choice
from domain.engine.effects import Ask, Effect, Question, Who
from domain.engine.events import Event, Fact, Outcome
from domain.engine.game import Game, Move, Turn, register
from domain.engine.ids import CardId, Json, Picks, Scalar, Seat, Viewer
from domain.engine.match import Match
from domain.engine.playout import opening
from domain.engine.redaction import redact
from domain.engine.zones import Zone, hide

SEED = "5eed" * 8
CARDS = ("ace", "king", "queen")


class Say(Effect, Struct, frozen=True, array_like=True, tag="say"):
    """Say a word."""

    word: str


class Report(Effect, Struct, frozen=True, array_like=True, tag="report"):
    """Say everything that is bound in the frame, and its card."""


class Remember(Effect, Struct, frozen=True, array_like=True, tag="remember"):
    """Bind words without asking."""

    name: str
    words: Picks


class Nest(Effect, Struct, frozen=True, array_like=True, tag="nest"):
    """Push a frame, on top or at a depth."""

    steps: tuple[Effect, ...]
    seat: Seat = 0
    card: CardId | None = None
    depth: int | None = None


class Draw(Effect, Struct, frozen=True, array_like=True, tag="draw"):
    """Draw a card by chance, seen by its seat only."""


class Finish(Effect, Struct, frozen=True, array_like=True, tag="finish"):
    """End the match."""


class Menu(Question, Struct, frozen=True, array_like=True, tag="menu"):
    """Offer words to pick; to some seats only, if `seats` names them."""

    words: tuple[str, ...] = ("a", "b")
    min: int = 1
    max: int = 1
    always: bool = False
    shown: tuple[CardId, ...] = ()
    seats: tuple[Seat, ...] | None = None


class Hand(Question, Struct, frozen=True, array_like=True, tag="hand"):
    """Offer the cards drawn, and `swap`, which is a second step."""


class Said(Event, Struct, frozen=True, tag="lab.said"):
    """A seat said a word."""

    seat: Seat
    word: str


class Drawn(Event, Struct, frozen=True, tag="lab.drawn"):
    """A seat drew a card."""

    seat: Seat
    cards: Zone


class Bench(Struct, frozen=True, omit_defaults=True):
    """What was said, and what each seat has drawn."""

    said: tuple[str, ...] = ()
    hands: tuple[Zone, ...] = ()


class Options(Struct, frozen=True):
    """The program in JSON, and whether a concession ends it."""

    program: str = "[]"
    ends: bool = False


def _configure(_: int, given: Mapping[str, Scalar], __: tuple[Fact, ...]) -> dict[str, Scalar]:
    complete: dict[str, Scalar] = msgspec.to_builtins(msgspec.convert(given, Options))
    return complete


def _start(run: Run[Bench]) -> None:
    program = msgspec.Raw(str(run.match.options["program"]).encode())
    run.agenda.extend(codec("lab").frames(program))


def _report(run: Run[Bench], _: Report) -> None:
    bound = ",".join(f"{name}={'+'.join(words)}" for name, words in run.frame.bound.items())
    run.emit(Said(run.frame.seat, f"{run.frame.card}:{bound}"))


def _draw(run: Run[Bench], _: Draw) -> None:
    card = CARDS[run.chance().below(3)]
    run.emit(Drawn(run.frame.seat, (card,)))


def _menu(scope: Scope[Bench], menu: Menu) -> Offer:
    asked = menu.seats is None or scope.seat in menu.seats
    words = menu.words if asked else ()
    options = tuple(Option(word) for word in words)
    return Offer(options, menu.min, menu.max, menu.always, menu.shown)


def _hand(scope: Scope[Bench], _: Hand) -> Offer:
    cards = scope.board.hands[scope.seat]
    return Offer((*(Option(str(card)) for card in cards), Option("swap")))


def _said(bench: Bench, event: Said) -> Bench:
    return replace(bench, said=(*bench.said, event.word))


def _drawn(bench: Bench, event: Drawn) -> Bench:
    hands = list(bench.hands)
    hands[event.seat] += event.cards
    return replace(bench, hands=tuple(hands))


def _redact(bench: Bench, viewer: Viewer) -> Bench:
    hands = [hand if seat == viewer else hide(hand) for seat, hand in enumerate(bench.hands)]
    return replace(bench, hands=tuple(hands))


def _redact_event(event: Event, viewer: Viewer) -> Event:
    if isinstance(event, Drawn) and event.seat != viewer:
        return replace(event, cards=hide(event.cards))
    return event


def _concede(run: Run[Bench], seat: Seat) -> None:
    if run.match.options["ends"]:
        run.agenda.clear()
        run.push(seat, (Say("gone"), Finish()))


def _view(match: Match[Bench], viewer: Viewer) -> Struct:
    return redact(match, viewer).board


def _moves(match: Match[Bench], choice: Choice) -> tuple[Move, ...]:
    return ()


def _translate(
    match: Match[Bench], choice: Choice, type: str, arguments: Mapping[str, Json]
) -> tuple[Picks, ...] | None:
    return None


LAB = Game(
    name="lab",
    title="Laboratory",
    ruleset=1,
    seats=range(1, 5),
    options=Options,
    presets={},
    configure=_configure,
    board=Bench,
    events=(Said, Drawn),
    effects=(Say, Report, Remember, Nest, Draw, Finish),
    questions=(Menu, Hand),
    blank=lambda event: Bench(hands=((),) * event.seats),
    start=_start,
    evolvers={Said: _said, Drawn: _drawn},
    resolvers={
        Say: lambda run, effect: run.emit(Said(run.frame.seat, effect.word)),
        Report: _report,
        Remember: lambda run, effect: run.bind(effect.name, effect.words),
        Nest: lambda run, nest: run.push(nest.seat, nest.steps, nest.card, depth=nest.depth),
        Draw: _draw,
        Finish: lambda run, _: run.end(Outcome(winners=(), reasons=("finished",))),
    },
    offers={Menu: _menu, Hand: _hand},
    turn=lambda bench: Turn(len(bench.said), 0),
    begins=None,
    redact=_redact,
    redact_event=_redact_event,
    view=_view,
    moves=_moves,
    translate=_translate,
    concede=_concede,
    greedy=lambda match, choice, picks: 0.0,
    decks=lambda board: dict.fromkeys(CARDS, "cards"),
)

register(LAB)


def ask(bind: str, who: Who = Who.OWNER, **menu: Any) -> Ask:
    """Return an `Ask` of a menu."""
    return Ask(Menu(**menu), bind, who)


def begin(*program: Effect, seats: int = 2, seat: Seat = 0, ends: bool = False) -> Match[Bench]:
    """Return a match just started on the program, owned by a seat."""
    frames = encode([[seat, None, program, {}]]).decode()
    _, match = opening("lab", seats, SEED, {"program": frames, "ends": ends})
    return match


def answer(match: Match[Bench], seat: Seat, *picks: str) -> Match[Bench]:
    """Return the match after the seat has answered its open choice."""
    return carry_out(match, Choose(seat, match.choice, (picks,))).match


def offered(match: Match[Bench], seat: Seat) -> tuple[str, ...] | None:
    """Return the options of the seat's open choice, if it has one."""
    choice = open_choice(match, seat)
    return None if choice is None else tuple(option.id for option in choice.options)
