"""Build any table of Chrononauts and act on it through the decider.

`scenario` makes a started match whose board is as the test wants it; every card of the deck that
is not named lies at the bottom of the draw pile, unless `bare` leaves it in the box. The seat whose
turn it is has drawn already and chooses its play, unless `drawn=False`. Zones are written as words:
`"P1868 T-MEMO"`. After every act the table checks that the act can be replayed and that no card
came or went.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec.structs import replace

from domain.engine.agenda import Run, settle
from domain.engine.choices import Choice
from domain.engine.codec import codec, encode
from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    CreateMatch,
    ExpireChoice,
    StartMatch,
    TakeSeat,
    carry_out,
    create,
    fold,
    open_choice,
)
from domain.engine.effects import Ask, Effect
from domain.engine.errors import DomainError
from domain.engine.events import (
    ChoiceExpired,
    ChoiceMade,
    ChoiceOffered,
    Event,
    Fact,
    MatchEnded,
    Outcome,
)
from domain.engine.ids import CardId, Picks, Scalar, Seat
from domain.engine.match import Match
from domain.games import chrononauts  # registers the game
from domain.games.chrononauts import words as w
from domain.games.chrononauts.board import Board, Pile, PlayUnderWay, SeatBoard
from domain.games.chrononauts.options import Options
from domain.games.chrononauts.turn import STEP, TURN
from domain.games.chrononauts.words import Kind, Year

SEED = "5eed" * 8
SALT = "5a17" * 16
Zones = Mapping[Seat, str]
NOTHING: Zones = {}

MIRACLE: tuple[Effect, ...] = (
    w.Play(small=True),
    Ask(w.WhichSmallDiscard(), "small_discard"),
    w.DiscardSmall(),
    w.TakeBack(),
    w.ToDiscard(),
    w.CheckUniverse(),
)
"""What is left of a Miracle without a bonus once its small hand is drawn."""

_PLUMBING = (ChoiceOffered, ChoiceMade, ChoiceExpired)


class Table:
    """A match, and what happened since the scenario was made or the last act began."""

    def __init__(self, match: Match[Board]) -> None:
        self.match = match
        self.last: tuple[Event, ...] = ()
        self._cards = census(match.board)

    # Acting

    def picks(self, seat: Seat, *steps: Picks) -> Table:
        """Answer the open choice of the seat, and those that follow it."""
        choice = self._choice(seat)
        assert choice is not None, f"seat {seat} has nothing to choose"
        return self._do(Choose(seat=seat, choice=choice.id, steps=steps))

    def plays(self, seat: Seat, card: CardId, **target: str | int) -> Table:
        """Play a card, or fetch it, with its target."""
        steps = [(_target(*item),) for item in target.items()]
        return self.picks(seat, (f"play:{card}",), *steps)

    def plays_out(self, seat: Seat, card: CardId, **target: str | int) -> Table:
        """Play a card that nobody answers."""
        return self.plays(seat, card, **target).passes()

    def throws(self, seat: Seat, card: CardId) -> Table:
        """Discard a card, and no second one."""
        self.picks(seat, (f"discard:{card}",))
        if self.prompt(seat) == "kill_time":
            discarded = self.last
            self.picks(seat, ())
            self.last = (*discarded, *self.last)
        return self

    def kills_time(self, seat: Seat, one: CardId, two: CardId) -> Table:
        """Discard two cards and draw one."""
        return self.picks(seat, (f"discard:{one}",), (f"discard:{two}",))

    def answers(self, seat: Seat, card: CardId, source: str = "hand") -> Table:
        """Answer the play with a card."""
        return self.picks(seat, (f"{source}:{card}",))

    def passes(self, *seats: Seat) -> Table:
        """Let these seats pass, or all that are asked in a window."""
        events: list[Event] = []
        for seat in seats or self._window():
            self.picks(seat, ())
            events += self.last
        self.last = tuple(events)
        return self

    def concedes(self, seat: Seat) -> Table:
        """Let a seat leave."""
        return self._do(Concede(seat=seat))

    def expires(self) -> Table:
        """Let the time of the window run out."""
        return self._do(ExpireChoice(choice=self.match.choice))

    def refusal(self, seat: Seat, *steps: Picks) -> str:
        """Return the code with which an answer is refused."""
        choice = self._choice(seat)
        command = Choose(seat=seat, choice=choice.id if choice else 0, steps=steps)
        try:
            carry_out(self.match, command)
        except DomainError as error:
            return error.code
        raise AssertionError("the answer was accepted")

    # Looking

    def events(self) -> tuple[Event, ...]:
        """Return what happened in the last act, offers and answers left out."""
        return self.last

    def options(self, seat: Seat) -> set[str]:
        """Return what the seat may pick now."""
        choice = self._choice(seat)
        return {option.id for option in choice.options} if choice else set()

    def options_in_order(self, seat: Seat) -> list[str]:
        """Return what the seat may pick now, in the order in which it is offered."""
        choice = self._choice(seat)
        return [option.id for option in choice.options] if choice else []

    def playable(self, seat: Seat) -> set[str]:
        """Return the cards that the seat may play (or fetch) now."""
        return {one.removeprefix("play:") for one in self.options(seat) if one.startswith("play:")}

    def targets(self, seat: Seat, card: CardId) -> set[str]:
        """Return the targets that a card of the hand has."""
        choice = self._choice(seat)
        assert choice is not None, f"seat {seat} has nothing to choose"
        command = Choose(seat=seat, choice=choice.id, steps=((f"play:{card}",),))
        return Table(carry_out(self.match, command).match).options(seat)

    def bounds(self, seat: Seat) -> tuple[int, int]:
        """Return how few and how many picks answer the open choice."""
        choice = self._choice(seat)
        assert choice is not None, f"seat {seat} has nothing to choose"
        return choice.min, choice.max

    def shown(self, seat: Seat) -> tuple[CardId, ...]:
        """Return the cards that the seat may look at while it chooses."""
        choice = self._choice(seat)
        return choice.shown if choice else ()

    def prompt(self, seat: Seat) -> str | None:
        """Return the name of the question that the seat is asked."""
        choice = self._choice(seat)
        return choice.prompt if choice else None

    def happened(self, kind: type[Event]) -> tuple[Event, ...]:
        """Return the events of one kind in the last act."""
        return tuple(event for event in self.last if isinstance(event, kind))

    def hand(self, seat: Seat) -> str:
        """Return a hand as words, sorted."""
        return _words(self.board.seats[seat].hand)

    def small(self, seat: Seat) -> str:
        """Return the innermost small hand as words, sorted."""
        return _words(self.board.seats[seat].small[-1])

    def artifacts(self, seat: Seat) -> str:
        """Return the artifacts in front of a seat as words, oldest first."""
        return " ".join(self.board.seats[seat].artifacts)

    @property
    def board(self) -> Board:
        """The table itself."""
        return self.match.board

    def asked(self) -> tuple[Seat, ...]:
        """Return the seats that have to choose."""
        return self.match.asked

    def outcome(self) -> Outcome | None:
        """Return how the match ended, if it did."""
        return self.match.outcome

    def discards(self) -> str:
        """Return the discard pile as words, oldest first."""
        return " ".join(self.board.draw.discards)

    def draw_pile(self) -> str:
        """Return the draw pile as words, top first."""
        return " ".join(str(card) for card in self.board.draw.cards)

    def open(self) -> tuple[Year, ...]:
        """Return the open paradoxes that count."""
        return self.board.timeline.open

    def paradoxes(self) -> tuple[Year, ...]:
        """Return every year on its paradox side, patched or not."""
        return tuple(sorted(self.board.timeline.paradoxes))

    def patches(self) -> dict[Year, CardId]:
        """Return the patched years."""
        return dict(self.board.patches)

    def _window(self) -> tuple[Seat, ...]:
        assert self.match.prompt == "respond", "no window is open"
        return self.match.asked

    def _choice(self, seat: Seat) -> Choice | None:
        return open_choice(self.match, seat)

    def _do(self, command: Command) -> Table:
        run = carry_out(self.match, command)
        assert run.events, "a command makes at least one event"
        stored = codec("chrononauts").events(encode(run.events))
        assert fold(stored, self.match) == run.match, "what was stored does not fold back"
        self.match = run.match
        self.last = tuple(one for one in run.events if not isinstance(one, _PLUMBING))
        self.last = tuple(one for one in self.last if not isinstance(one, MatchEnded))
        assert census(self.board) == self._cards, "a card came or went"
        return self


def scenario(
    *,
    hands: Zones = NOTHING,
    seats: int = 2,
    turn: Seat = 0,
    drawn: bool = True,
    altered: str = "",
    patches: str = "",
    artifacts: Zones = NOTHING,
    identities: Zones = NOTHING,
    missions: Zones = NOTHING,
    identity_pile: str | None = None,
    mission_pile: str | None = None,
    identity_discards: str = "",
    mission_discards: str = "",
    draw: str = "",
    discards: str = "",
    small: Zones = NOTHING,
    waiting: str = "",
    home: str = "",
    bare: bool = False,
    facts: tuple[Fact, ...] = (),
    **options: Scalar,
) -> Table:
    """Return a table on which the seat `turn` chooses its play.

    `patches` are named by card; `altered` are years; identities and missions that are not named
    are dealt out in catalogue order. A `small` hand puts its seat, whose turn it must be, in the
    middle of a Miracle (the one for future wisdom).
    """
    match = opening(seats, facts, SEED, **options)
    board = match.board
    catalogue = board.cards
    solo = board.options.variant == "solonauts"
    named = [hands, artifacts, small]
    used = Counter(card for zones in named for zone in zones.values() for card in zone.split())
    used.update(f"{patches} {draw} {discards}".split())
    if small:
        used["X-MIRACLE-FUTURE"] += 1
    kinds = {"solonauts": (Kind.INVERTER, Kind.PATCH)}.get(board.options.variant, tuple(Kind))
    deck = Counter(catalogue.deck(kinds))
    assert all(card in catalogue.play for card in used), f"no such card: {used - deck}"
    rest = () if bare else tuple((deck - used).elements())
    ids = _dealt(identities, catalogue.identities, seats, identity_pile)
    goals = _dealt(missions, catalogue.missions, seats, mission_pile)
    places = tuple(
        SeatBoard(
            hand=tuple(hands.get(seat, "").split()),
            small=(tuple(small[seat].split()),) if seat in small else (),
            identity=() if solo else ids[0][seat],
            mission=() if solo else goals[0][seat],
            artifacts=tuple(artifacts.get(seat, "").split()),
        )
        for seat in range(seats)
    )
    board = replace(
        board,
        seats=places,
        altered=tuple(sorted(int(year) for year in altered.split())),
        patches=tuple(sorted((catalogue.play[card].year, card) for card in patches.split())),
        draw=Pile(cards=(*draw.split(), *rest), discards=tuple(discards.split())),
        identities=Pile(() if solo else ids[1], tuple(identity_discards.split())),
        missions=Pile(() if solo else goals[1], tuple(mission_discards.split())),
        plays=(PlayUnderWay(seat=turn, card="X-MIRACLE-FUTURE"),) if small else (),
        turn=turn,
        turns=1,
        waiting=tuple(waiting.split()),
        home=tuple(home.split()),
    )
    run = Run(replace(match, board=board, asked=(), answers=()))
    program = STEP if solo else TURN
    if small:
        run.push(turn, program[-1:])
        run.push(turn, MIRACLE, "X-MIRACLE-FUTURE")
    else:
        run.push(turn, program if solo or not drawn else program[1:])
    settle(run)
    table = Table(run.match)
    table.last = tuple(one for one in run.events if not isinstance(one, _PLUMBING))
    return table


def opening(
    seats: int = 2, facts: tuple[Fact, ...] = (), seed: str = SEED, **options: Scalar
) -> Match[Board]:
    """Return a match just started and dealt; options by their names in Python."""
    names = dict(zip(Options.__struct_fields__, Options.__struct_encode_fields__, strict=True))
    wanted = {names.get(name, name): value for name, value in options.items()}
    name = chrononauts.GAME.name
    match: Match[Board] = create(CreateMatch(name, seats, wanted, facts))[1]
    for seat in range(seats):
        match = carry_out(match, TakeSeat(seat=seat, player=f"player {seat}")).match
    return carry_out(match, StartMatch(seed=seed, salt=SALT)).match


def census(board: Board) -> Counter[str]:
    """Return every card on the table, wherever it lies."""
    cards: Counter[str] = Counter()
    for one in board.seats:
        zones = (one.hand, *one.small, one.identity, one.mission, one.artifacts)
        cards.update(str(card) for zone in zones for card in zone)
    for pile in (board.draw, board.identities, board.missions):
        cards.update(str(card) for card in (*pile.cards, *pile.discards))
    cards.update(card for _, card in board.patches)
    cards.update(play.card for play in board.plays)
    cards.update((*board.waiting, *board.home))
    return cards


def _dealt(
    named: Zones, known: Mapping[CardId, object], seats: int, pile: str | None
) -> tuple[list[tuple[CardId, ...]], tuple[CardId, ...]]:
    taken = {card for zone in named.values() for card in zone.split()}
    taken |= set((pile or "").split())
    free = [card for card in known if card not in taken]
    dealt: list[tuple[CardId, ...]] = [
        (named[seat],) if seat in named else (free.pop(0),) for seat in range(seats)
    ]
    return dealt, tuple(free if pile is None else pile.split())


def _target(name: str, value: str | int) -> str:
    return f"seat:{value}" if name == "player" else str(value)


def _words(zone: tuple[CardId | None, ...]) -> str:
    return " ".join(sorted(str(card) for card in zone))
