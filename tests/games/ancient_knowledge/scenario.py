"""Lay any table of Ancient Knowledge.

`scenario` is laid card by card and then begun: at an action, at the timeline phase or at the
decline phase of a seat. What is not named lies in the decks, below the cards that are; the tiles
show technologies that nobody can learn on an empty board.

    table = scenario().timeline(0, "city_10", knowledge=4).timeline(0, "city_24", knowledge=7)
    table = table.at_timeline_phase(0)
    assert table.limits(0) == {"city_10": 4, "city_24": 7}
    assert table.picks(0, "city_24").timeline(0)["city_24"] == "4L k6"
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from domain.engine.agenda import Run, settle
from domain.engine.decider import CreateMatch, StartMatch, TakeSeat, carry_out, create
from domain.engine.effects import Effect
from domain.engine.ids import CardId, Scalar, Seat
from domain.engine.match import Match
from domain.games.ancient_knowledge import GAME
from domain.games.ancient_knowledge.board import (
    EVERYBODY,
    Board,
    Cell,
    PastCard,
    SeatBoard,
    Thrown,
    Tile,
    placed,
)
from domain.games.ancient_knowledge.catalogue import BUILDER, TECHNOLOGY
from domain.games.ancient_knowledge.options import Options
from domain.games.ancient_knowledge.turn import TURN
from domain.games.ancient_knowledge.words import AtMost
from tests.games.ancient_knowledge.table import Table, cards_of, census, check_board

SEED = "5eed" * 8
SALT = "5a17" * 16


class Scenario:
    """A table being laid."""

    def __init__(self, match: Match[Board]) -> None:
        """Begin with empty seats, the tiles and decks still to be laid."""
        self._match = match
        self._seats = [SeatBoard() for _ in match.seats]
        self._fills: list[tuple[Seat, str, int]] = []
        self._deck: tuple[CardId, ...] = ()
        self._discard: tuple[CardId, ...] = ()
        self._tiles: dict[int, tuple[CardId, ...]] = {}
        self._tech_decks: list[tuple[CardId, ...]] = [(), ()]
        self._tech_discards: list[tuple[CardId, ...]] = [(), ()]
        self._levels = [1, 1, 2]
        self._bare = False
        self._changes: dict[str, int | bool] = {}

    def hand(self, seat: Seat, *cards: CardId, fill: int = 0) -> Scenario:
        """Put cards into a hand, and so many more that the test does not name."""
        self._fills.append((seat, "hand", fill))
        return self._lay(seat, hand=self._seats[seat].hand + cards)

    def timeline(
        self, seat: Seat, card: CardId, space: int | None = None, knowledge: int = 0
    ) -> Scenario:
        """Put a monument on a timeline, the lower slot first; no space: its own."""
        at = BUILDER[card].space if space is None else space
        assert self._seats[seat].free(at), f"there are two monuments in space {at} already"
        return self._lay(
            seat, timeline=placed(self._seats[seat].timeline, at, Cell(card, knowledge))
        )

    def past(self, seat: Seat, *cards: CardId, rotated: bool = False) -> Scenario:
        """Put monuments into a past."""
        laid = tuple(PastCard(card, rotated) for card in cards)
        return self._lay(seat, past=self._seats[seat].past + laid)

    def past_of(
        self, seat: Seat, cities: int = 0, megaliths: int = 0, pyramids: int = 0
    ) -> Scenario:
        """Put so many monuments into a past that the test does not name, none that scores more."""
        counts = (("city", cities), ("megalith", megaliths), ("pyramid", pyramids))
        self._fills += [(seat, category, count) for category, count in counts]
        return self

    def artifacts(self, seat: Seat, *cards: CardId) -> Scenario:
        """Put artifacts on a board."""
        return self._lay(seat, artifacts=self._seats[seat].artifacts + cards)

    def techs(self, seat: Seat, *cards: CardId) -> Scenario:
        """Let a seat have learned technologies."""
        return self._lay(seat, techs=self._seats[seat].techs + cards)

    def lost(self, seat: Seat, tokens: int) -> Scenario:
        """Let a seat have lost knowledge."""
        return self._lay(seat, lost=tokens)

    def tile(self, at: int, *techs: CardId) -> Scenario:
        """Show these technologies on a tile, 0 to 2; its level is that of the first one."""
        self._tiles[at] = techs
        if techs:
            self._levels[at] = TECHNOLOGY[techs[0]].level
        return self

    def deck(self, *cards: CardId) -> Scenario:
        """Put cards on the builder deck, top card first."""
        self._deck += cards
        return self

    def discard(self, *cards: CardId) -> Scenario:
        """Put cards on the builder discard pile, the top card last."""
        self._discard += cards
        return self

    def tech_deck(self, level: int, *techs: CardId) -> Scenario:
        """Put technologies on a deck, top card first."""
        self._tech_decks[level - 1] += techs
        return self

    def tech_discard(self, level: int, *techs: CardId) -> Scenario:
        """Discard technologies."""
        self._tech_discards[level - 1] += techs
        return self

    def bare(self) -> Scenario:
        """Leave everything that is not named in the box, instead of putting it into the decks."""
        self._bare = True
        return self

    def set(self, **changes: int | bool) -> Scenario:
        """Set fields of the board: `start`, `flipped`, `turns`."""
        self._changes.update(changes)
        return self

    def at_action(self, seat: Seat, number: int = 1) -> Table:
        """Begin where a seat takes its first or second action."""
        return self._begin(seat, TURN[number - 1 :], actions=number - 1)

    def at_timeline_phase(self, seat: Seat) -> Table:
        """Begin with the timeline phase of a seat."""
        return self._begin(seat, TURN[2:], actions=2)

    def at_decline_phase(self, seat: Seat) -> Table:
        """Begin with the decline phase of a seat."""
        return self._begin(seat, TURN[3:], actions=2)

    def _lay(self, seat: Seat, **zones: object) -> Scenario:
        self._seats[seat] = replace(self._seats[seat], **zones)
        return self

    def _begin(self, seat: Seat, program: tuple[Effect, ...], actions: int) -> Table:
        board = self._board(seat, actions)
        run = Run(replace(self._match, board=board, asked=(), answers=()))
        run.push(seat, program)
        settle(run)
        check_board(board, census(board))
        return Table(run.match, run.events)

    def _board(self, turn: Seat, actions: int) -> Board:
        builder, techs = self._unused_builder(), self._unused_techs()
        tiles = tuple(
            Tile(level, self._tiles[at] if at in self._tiles else _take(techs[level - 1], 3))
            for at, level in enumerate(self._levels)
        )
        one, two = self._tech_decks
        rest = ((), (), ()) if self._bare else (tuple(builder), *map(tuple, techs))
        return replace(
            self._match.board,
            seats=tuple(self._seats),
            deck=self._deck + rest[0],
            discard=tuple(Thrown(card, EVERYBODY) for card in self._discard),
            tech_decks=(one + rest[1], two + rest[2]),
            tech_discards=(self._tech_discards[0], self._tech_discards[1]),
            tiles=tiles,
            turn=turn,
            actions=actions,
            **{"start": 0, "turns": 1, **self._changes},
        )

    def _unused_builder(self) -> list[CardId]:
        named = Counter([*self._deck, *self._discard])
        for one in self._seats:
            named.update(cards_of(replace(one, techs=())))
        assert set(named) <= set(BUILDER), f"no such card: {set(named) - set(BUILDER)}"
        assert not named or max(named.values()) == 1, f"twice on the table: {named}"
        unused = [card for card in BUILDER if card not in named]
        for seat, what, count in self._fills:
            fitting = [card for card in reversed(unused) if _fills(card, what)][:count]
            assert len(fitting) == count, f"not enough cards to fill {what}"
            unused = [card for card in unused if card not in fitting]
            if what == "hand":
                self._lay(seat, hand=self._seats[seat].hand + tuple(fitting))
            else:
                self.past(seat, *fitting)
        self._fills = []
        return unused

    def _unused_techs(self) -> tuple[list[CardId], list[CardId]]:
        named = Counter(tech for one in self._seats for tech in one.techs)
        for zone in (*self._tiles.values(), *self._tech_decks, *self._tech_discards):
            named.update(zone)
        assert set(named) <= set(TECHNOLOGY), f"no such card: {set(named) - set(TECHNOLOGY)}"
        assert not named or max(named.values()) == 1, f"twice on the table: {named}"
        unused = sorted([tech for tech in TECHNOLOGY if tech not in named], key=_ease)
        one = [tech for tech in unused if TECHNOLOGY[tech].level == 1]
        return one, [tech for tech in unused if TECHNOLOGY[tech].level == 2]


def scenario(seats: int = 2, **options: Scalar) -> Scenario:
    """Return a table to be laid; options by their names in Python."""
    return Scenario(opening(seats, SEED, **options).match)


def opening(seats: int = 2, seed: str = SEED, **options: Scalar) -> Table:
    """Return a match just started and dealt."""
    names = dict(zip(Options.__struct_fields__, Options.__struct_encode_fields__, strict=True))
    wanted = {names.get(name, name): value for name, value in options.items()}
    match: Match[Board] = create(CreateMatch(GAME.name, seats, wanted))[1]
    for seat in range(seats):
        match = carry_out(match, TakeSeat(seat=seat, player=f"player {seat}")).match
    run = carry_out(match, StartMatch(seed=seed, salt=SALT))
    return Table(run.match, run.events[1:])


def _fills(card: CardId, what: str) -> bool:
    facts = BUILDER[card]
    if what == "hand":
        return facts.kind == "monument"
    return facts.category == what and facts.timing.value != "endgame"


def _ease(tech: CardId) -> int:
    """Tell how easily it is learned: first what an empty board never allows."""
    requirement = TECHNOLOGY[tech].requirement
    if requirement is None:
        return 2
    return int(all(isinstance(one, AtMost) for one in requirement.all))


def _take(cards: list[CardId], count: int) -> tuple[CardId, ...]:
    taken = tuple(cards[:count])
    del cards[:count]
    return taken
