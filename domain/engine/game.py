"""What a game supplies: a record of functions, not a base class; and the list of known games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from domain.engine.choices import Choice, Offer
from domain.engine.effects import Effect, Question
from domain.engine.errors import InvalidOptions, UnknownGame
from domain.engine.events import Event, Fact, MatchCreated
from domain.engine.ids import CardId, Json, Picks, Scalar, Seat, Viewer
from domain.engine.remainders import nothing_strange
from domain.engine.upcast import Upcaster

if TYPE_CHECKING:
    from domain.engine.agenda import Run, Scope
    from domain.engine.codec import Frame
    from domain.engine.match import Match

B = TypeVar("B")


class Domain(Struct, frozen=True, rename={"source": "from"}):
    """What an argument may hold where its values are too many to list.

    Between `min` and `max` of the ids in `source`, each at most as often as its place in `limits`
    says.
    """

    source: tuple[str, ...]
    limits: tuple[int, ...]
    min: int
    max: int


class Move(Struct, frozen=True, omit_defaults=True):
    """A named move: its type, the arguments a client sends, and the picks that it stands for.

    `steps` are the picks of the open choice and, where the move announces more (targets), of the
    choices that follow it for the same seat, in order. An argument with a domain holds one legal
    value out of it. `cost` is the number of cards that the move costs.
    """

    type: str
    arguments: dict[str, Json]
    steps: tuple[Picks, ...]
    domains: dict[str, Domain] = {}
    cost: int | None = None

    def is_meant_by(self, type: str, arguments: Mapping[str, Json]) -> bool:
        """Tell whether a client that sends this means the move as it stands.

        An argument that is null says as much as one that is left out.
        """
        return type == self.type and _said(arguments) == _said(self.arguments)


def _said(arguments: Mapping[str, Json]) -> dict[str, Json]:
    said: dict[str, Json] = msgspec.to_builtins(arguments)
    return {name: value for name, value in said.items() if value is not None}


class PublishedCard(Struct, frozen=True, kw_only=True):
    """A card of the public catalogue, without its texts.

    `facts` are named values in the players' words; `effects` are its programs as readable JSON
    (`to_data`); `provenance` tells for each fact that is not confirmed how sure it is.
    """

    id: CardId
    kind: str
    count: int
    facts: dict[str, Json]
    effects: dict[str, Json]
    provenance: dict[str, str]


class Refused(Struct, frozen=True):
    """A named move that does not answer the open choice, and the code of the reason.

    Without a card it is the move as such.
    """

    move: str
    card: CardId | None
    code: str


class Rulebook(Struct, frozen=True):
    """Paragraphs of the rules: by type of event, by prompt of a choice, by code of a refusal."""

    events: Mapping[str, str] = {}
    prompts: Mapping[str, str] = {}
    refusals: Mapping[str, str] = {}


def no_refusals(match: object, choice: object) -> Iterator[Refused]:
    """Explain nothing: for a game whose moves speak for themselves."""
    return iter(())


def no_cards(facts: tuple[Fact, ...]) -> tuple[PublishedCard, ...]:
    """Publish nothing: the catalogue of a game without one.

    Raises:
        InvalidOptions: there is no card to replace a fact of.
    """
    if facts:
        raise InvalidOptions(f"facts: there is no card {facts[0].card!r} to replace a fact of")
    return ()


class Layout(Struct, Generic[B], frozen=True):
    """How a game puts a table into the words of a position, and back.

    - `words`: the Struct of a table with nothing hidden, as players name things.
    - `to_words`, `from_words`: a full board to its words; words to a board on a table that was laid
      out as `blank`, where these seats have conceded.
    - `begin`: puts on the agenda what the seat on turn does next, where a position does not say.
    """

    words: type[Struct]
    to_words: Callable[[B], Struct]
    from_words: Callable[[Any, B, tuple[Seat, ...]], B]
    begin: Callable[[Run[B]], None]


class Turn(Struct, frozen=True):
    """A turn by its number, counted from 1 (0: none has begun), and the seat whose turn it is."""

    number: int
    seat: Seat


class Fault(Struct, frozen=True):
    """Why a board cannot stand on a table: a place on it by its path, and what is wrong there."""

    path: str
    reason: str


def no_faults(board: object, blank: object) -> tuple[Fault, ...]:
    """Find no fault: for a game whose boards nobody lays out."""
    return ()


# Functions in the mappings take the one class that they are listed under, hence Any there.
class Game(Struct, Generic[B], frozen=True, eq=False, kw_only=True):
    """A rule set.

    - `options`: the Struct of its options, each field documented and with its default; `presets`
      name values for some of them; `configure` checks seats, options and facts together and
      returns the complete options.
    - `blank` makes the board before the deal; `start` deals and puts the first program on the
      agenda.
    - `evolvers`, `resolvers`, `offers`: one function for each event, leaf effect and question.
    - `turn`: the turn under way, as everybody sees it; `begins`: the event with which one begins,
      if there are turns; its `seat` is public.
    - `redact`, `redact_event`: what a viewer may see; `view` is what clients read.
    - `moves`: the named moves that answer a choice, complete and ready to send: operations of kind
      `MOVE` (`schema/operations.py`) with their arguments. `translate`: the steps of one named
      move, or `None` if it does not answer the choice; it may also raise `IllegalMove` with a
      reason. It gets every argument of the operation, null where none was sent. Where several
      options are picked and there are named moves, a domain of theirs holds every answer.
    - `concede`: takes a seat out of play; the engine goes on with what is left of the agenda.
    - `greedy`: how much the bot of that name likes an answer, judged by what its seat may see.
    - `decks`: the deck that each card comes from; cards of one deck look alike face down.
    - `layout`: how its tables are put into words, where positions of it can be set up.
    - `faults`: every reason why a board cannot stand on a table that was laid out as `blank` made
      it; none for a board that was reached by play. `strange`: the places of pending frames that
      its rules cannot have left on a board without faults.
    - `rules`: where the rules say why things happen; `refused`: the named moves that do not answer
      a choice, and why not, judged by what its seat may see.
    - `cards`: every card as the public catalogue shows it, with these facts replaced.
    """

    name: str
    title: str
    ruleset: int
    seats: range
    options: type[Struct]
    presets: Mapping[str, Mapping[str, Scalar]]
    configure: Callable[[int, Mapping[str, Scalar], tuple[Fact, ...]], dict[str, Scalar]]
    board: type[B]
    events: tuple[type[Event], ...]
    effects: tuple[type[Effect], ...]
    questions: tuple[type[Question], ...]
    blank: Callable[[MatchCreated], B]
    start: Callable[[Run[B]], None]
    evolvers: Mapping[type[Event], Callable[[B, Any], B]]
    resolvers: Mapping[type[Effect], Callable[[Run[B], Any], None]]
    offers: Mapping[type[Question], Callable[[Scope[B], Any], Offer]]
    turn: Callable[[B], Turn]
    begins: type[Event] | None
    redact: Callable[[B, Viewer], B]
    redact_event: Callable[[Event, Viewer], Event]
    view: Callable[[Match[B], Viewer], Struct]
    moves: Callable[[Match[B], Choice], tuple[Move, ...]]
    translate: Callable[[Match[B], Choice, str, Mapping[str, Json]], tuple[Picks, ...] | None]
    concede: Callable[[Run[B], Seat], None]
    greedy: Callable[[Match[B], Choice, Picks], float]
    decks: Callable[[B], Mapping[CardId, str]]
    cards: Callable[[tuple[Fact, ...]], tuple[PublishedCard, ...]] = no_cards
    rules: Rulebook = Rulebook()
    refused: Callable[[Match[B], Choice], Iterable[Refused]] = no_refusals
    layout: Layout[B] | None = None
    faults: Callable[[B, B], tuple[Fault, ...]] = no_faults
    strange: Callable[[B, Sequence[Frame]], Iterable[int]] = nothing_strange
    upcasters: Mapping[str, Upcaster] = {}


_GAMES: dict[str, Game[Any]] = {}


def register(game: Game[Any]) -> None:
    """Make a game known by its name; the last registration of a name counts."""
    _GAMES[game.name] = game


def game_of(name: str) -> Game[Any]:
    """Return the game of that name.

    Raises:
        UnknownGame: nobody registered it.
    """
    try:
        return _GAMES[name]
    except KeyError:
        raise UnknownGame(f"there is no game {name!r}", known=sorted(_GAMES)) from None
