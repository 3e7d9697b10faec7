"""A table of Ancient Knowledge under test: act through the decider, look at what came of it.

After every act the table checks that the act can be replayed, that each viewer who folds its own
feed sees what a fresh look shows, that no card came or went, and the invariants of rules 3.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from domain.engine.choices import Choice
from domain.engine.codec import codec, encode
from domain.engine.decider import (
    Choose,
    Command,
    Concede,
    carry_out,
    fold,
    open_choice,
)
from domain.engine.errors import DomainError
from domain.engine.events import ChoiceMade, ChoiceOffered, Event, MatchEnded, Outcome, SeatConceded
from domain.engine.game import Move
from domain.engine.ids import CardId, Json, Picks, Seat, Viewer
from domain.engine.match import Match, evolve
from domain.engine.redaction import redact_event
from domain.games.ancient_knowledge import GAME
from domain.games.ancient_knowledge.board import (
    ARTIFACT_SLOTS,
    HAND_LIMIT,
    Board,
    SeatBoard,
    space_of,
)
from domain.games.ancient_knowledge.catalogue import TECHNOLOGY
from tests.kit.laws import check_redaction

_PLUMBING = (ChoiceOffered, ChoiceMade, SeatConceded, MatchEnded)


class Table:
    """A match, and what happened in the last act."""

    def __init__(self, match: Match[Board], events: Iterable[Event] = ()) -> None:
        self.match = match
        self._last = tuple(events)
        self._cards = census(match.board)

    # Acting

    def picks(self, seat: Seat, *picks: str) -> Table:
        """Answer the open choice of a seat."""
        return self._do(Choose(seat=seat, choice=self._choice(seat).id, steps=(picks,)))

    def passes(self, seat: Seat) -> Table:
        """Answer the open choice of a seat with nothing."""
        return self.picks(seat)

    def plays(self, seat: Seat, move: str, **arguments: Json) -> Table:
        """Make a named move; `from_` is the argument `from`."""
        choice = self._choice(seat)
        given = {name.rstrip("_"): value for name, value in arguments.items()}
        steps = GAME.translate(self.match, choice, move, given)
        assert steps is not None, f"{move} does not answer {choice.prompt!r}"
        return self._do(Choose(seat=seat, choice=choice.id, steps=steps))

    def searches(self, seat: Seat, times: int = 1) -> Table:
        """Take so many search actions."""
        for _ in range(times):
            self.picks(seat, "search")
        return self

    def concedes(self, seat: Seat) -> Table:
        """Let a seat leave."""
        return self._do(Concede(seat=seat))

    def refusal(self, seat: Seat, *picks: str) -> str:
        """Return the code with which an answer is refused."""
        return self.refusals(seat, picks)

    def refusals(self, seat: Seat, *steps: Picks) -> str:
        """Return the code with which an answer of several steps is refused."""
        choice = open_choice(self.match, seat)
        command = Choose(seat=seat, choice=choice.id if choice else 0, steps=steps)
        try:
            carry_out(self.match, command)
        except DomainError as error:
            return error.code
        raise AssertionError("the answer was accepted")

    def fork(self) -> Table:
        """Return the same table, to try another answer on."""
        return Table(self.match)

    # Looking: at the open choice

    @property
    def asked(self) -> tuple[Seat, ...]:
        """The seats that have to choose."""
        return self.match.asked

    def prompt(self, seat: Seat) -> str | None:
        """Return the name of the question that the seat is asked, if it is asked one."""
        choice = open_choice(self.match, seat)
        return choice.prompt if choice else None

    def asks(self, seat: Seat) -> tuple[str, dict[str, int], tuple[int, int]] | None:
        """Return what a seat is asked: the question, options with limits, bounds; or nothing."""
        choice = open_choice(self.match, seat)
        return None if choice is None else (choice.prompt, self.limits(seat), self.bounds(seat))

    def source(self, seat: Seat) -> CardId | None:
        """Return the card that asks."""
        return self._choice(seat).source

    def options(self, seat: Seat, prefix: str = "") -> set[str]:
        """Return what the seat may pick now; with a prefix what follows it."""
        ids = [option.id for option in self._choice(seat).options]
        return {one.removeprefix(prefix) for one in ids if one.startswith(prefix)}

    def limits(self, seat: Seat) -> dict[str, int]:
        """Return what the seat may pick now, with how often."""
        return {option.id: option.limit for option in self._choice(seat).options}

    def hints(self, seat: Seat, prefix: str = "") -> dict[str, str | None]:
        """Return what the seat may pick now, with what it is told about it."""
        options = [one for one in self._choice(seat).options if one.id.startswith(prefix)]
        return {one.id.removeprefix(prefix): one.hint for one in options}

    def bounds(self, seat: Seat) -> tuple[int, int]:
        """Return how few and how many picks answer the open choice."""
        choice = self._choice(seat)
        return choice.min, choice.max

    def shown(self, seat: Seat) -> set[CardId]:
        """Return the cards that the seat may look at while it chooses."""
        return set(self._choice(seat).shown)

    def moves(self, seat: Seat, type: str) -> tuple[Move, ...]:
        """Return the named moves of one type that answer the open choice."""
        moves = GAME.moves(self.match, self._choice(seat))
        return tuple(move for move in moves if move.type == type)

    # Looking: at the table

    @property
    def board(self) -> Board:
        """The table itself."""
        return self.match.board

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened in the last act; offers, answers and the end left out."""
        return tuple(event for event in self._last if not isinstance(event, _PLUMBING))

    def kinds(self) -> list[str]:
        """Return the names of what happened in the last act."""
        return [type(event).__name__ for event in self.events]

    def happened(self, kind: type[Event]) -> tuple[Event, ...]:
        """Return the events of one kind in the last act."""
        return tuple(event for event in self.events if isinstance(event, kind))

    def seen_by(self, viewer: Viewer) -> tuple[Event, ...]:
        """Return the last act as a viewer is told it, offers and answers included."""
        return tuple(redact_event(event, viewer, GAME.name) for event in self._last)

    def seat(self, seat: Seat) -> SeatBoard:
        """Return what lies before a seat."""
        return self.board.seats[seat]

    def hand(self, seat: Seat) -> set[str]:
        """Return the cards in a hand."""
        return {str(card) for card in self.seat(seat).hand}

    def timeline(self, seat: Seat) -> dict[CardId, str]:
        """Return where each monument lies and its tokens: `3L k2` is space 3, lower slot."""
        return {
            cell.card: f"{space_of(at)}{'LU'[at % 2]} k{cell.knowledge}"
            for at, cell in self.seat(seat).cells()
        }

    def past(self, seat: Seat) -> tuple[CardId, ...]:
        """Return the monuments of the past, oldest first."""
        return tuple(card.card for card in self.seat(seat).past)

    def rotated(self, seat: Seat) -> set[CardId]:
        """Return the rotated monuments of the past."""
        return {card.card for card in self.seat(seat).past if card.rotated}

    def artifacts(self, seat: Seat) -> set[CardId]:
        """Return the artifacts on a board."""
        return set(self.seat(seat).artifacts)

    def techs(self, seat: Seat) -> set[CardId]:
        """Return the technologies that a seat has learned."""
        return set(self.seat(seat).techs)

    def lost(self, seat: Seat) -> int:
        """Return the lost knowledge of a seat."""
        return self.seat(seat).lost

    def discards(self) -> tuple[str, ...]:
        """Return the builder discards, oldest first."""
        return tuple(str(thrown.card) for thrown in self.board.discard)

    def outcome(self) -> Outcome | None:
        """Return how the match ended, if it did."""
        return self.match.outcome

    def _choice(self, seat: Seat) -> Choice:
        choice = open_choice(self.match, seat)
        assert choice is not None, f"seat {seat} has nothing to choose"
        return choice

    def _do(self, command: Command) -> Table:
        run = carry_out(self.match, command)
        assert run.events, "a command makes at least one event"
        stored = codec(GAME.name).events(encode(run.events))
        assert fold(stored, self.match) == run.match, "what was stored does not fold back"
        match = self.match
        for event in run.events:
            after = evolve(match, event)
            check_redaction(match, event, after)
            check_board(after.board, self._cards)
            match = after
        self.match, self._last = run.match, tuple(run.events)
        return self


def census(board: Board) -> Counter[str]:
    """Return every card on the table, wherever it lies."""
    cards: Counter[str] = Counter()
    for one in board.seats:
        cards.update(cards_of(one))
    zones = (board.deck, *board.tech_decks, *board.tech_discards)
    for zone in (*zones, *(aside.cards for aside in board.asides)):
        cards.update(str(card) for card in zone)
    cards.update(str(thrown.card) for thrown in board.discard)
    cards.update(tech for tile in board.tiles for tech in tile.techs)
    return cards


def check_board(board: Board, cards: Counter[str]) -> None:
    """Check the invariants of rules 3."""
    assert census(board) == cards, "a card came or went"
    assert not cards or max(cards.values()) == 1, "a card is in two places"
    for one in board.seats:
        assert 0 <= len(one.hand) <= HAND_LIMIT
        assert len(one.artifacts) <= ARTIFACT_SLOTS
        assert one.lost >= 0
        for lower, upper in zip(one.timeline[::2], one.timeline[1::2], strict=True):
            assert upper is None or lower is not None, "a monument floats"
        assert all(cell.knowledge >= 0 for _, cell in one.cells()), "negative knowledge"
    for tile in board.tiles:
        assert len(tile.techs) <= 3
        assert all(TECHNOLOGY[tech].level == tile.level for tech in tile.techs)


def cards_of(one: SeatBoard) -> list[str]:
    timeline = [cell.card for _, cell in one.cells()]
    past = [card.card for card in one.past]
    return [*map(str, one.hand), *timeline, *past, *one.artifacts, *one.techs]
