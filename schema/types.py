"""What goes out: the values that operations answer with, the same over REST and GraphQL.

Frozen Structs with camelCase names. `Json` fields carry what differs from game to game (facts of a
card, data of an event, the body of a move); everything else is typed.
"""

from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.engine.choices import Choice
from domain.games.ancient_knowledge.view import AncientKnowledgeBoard
from domain.games.chrononauts.view import ChrononautsBoard

Board: TypeAlias = ChrononautsBoard | AncientKnowledgeBoard
"""The boards of all games: a union told apart by `game`."""

UNIONS: Final = {"game": "Board"}
"""The name of each union in GraphQL, by the field that tells its members apart."""

MILLISECONDS: Final = "Milliseconds"

# Milliseconds since 1970 UTC: more than the 32 bits of an `Int` in GraphQL.
Milliseconds: TypeAlias = Annotated[
    int, Meta(extra={"scalar": MILLISECONDS}, extra_json_schema={"format": "int64"})
]

# JSON whose shape the game decides; clients read it by the event's type or the card's kind.
Json: TypeAlias = Any


class Wire(Struct, frozen=True, rename="camel", kw_only=True):
    """Base of everything that goes out."""


class OptionInfo(Wire, frozen=True):
    """One option of a game: its type, default, meaning, and what it may be."""

    name: str
    type: Literal["boolean", "integer", "string"]
    default: Json
    description: str
    values: tuple[str, ...] | None = None
    min: int | None = None
    max: int | None = None


class PresetInfo(Wire, frozen=True):
    """A named set of option values."""

    name: str
    options: Json


class GameInfo(Wire, frozen=True):
    """A game that can be played here; seats are the fewest and the most.

    `positionSchema` is the JSON Schema of its positions; `false`, which nothing fits, without any.
    """

    name: str
    title: str
    ruleset: int
    min_seats: int
    max_seats: int
    options: tuple[OptionInfo, ...]
    presets: tuple[PresetInfo, ...]
    position_schema: Json


class CardText(Wire, frozen=True):
    """One text of a card in the locale asked for."""

    key: str
    value: str


class CardInfo(Wire, frozen=True):
    """A card of the public catalogue.

    `facts` and `effects` are data of the game; `provenance` tells for each fact that is not
    confirmed how sure it is ("likely", "stand-in", "operator").
    """

    id: str
    kind: str
    name: str
    count: int
    texts: tuple[CardText, ...]
    facts: Json
    effects: Json
    provenance: Json


class CardList(Wire, frozen=True):
    """The catalogue of a game in one locale."""

    game: str
    locale: str
    cards: tuple[CardInfo, ...]


class Invite(Wire, frozen=True):
    """Lets its bearer take that seat."""

    seat: int
    invite: str


class CreatedMatch(Wire, frozen=True):
    """A new match: the owner's token and one invite a seat."""

    match_id: str
    version: int
    owner_token: str
    invites: tuple[Invite, ...]


class ForkedMatch(CreatedMatch, frozen=True):
    """A new match that begins as the match `source` stood at version `at`.

    `at` is the version asked for, or the newest one before it at which nothing was under way that
    the caller may not know.
    """

    source: str
    at: int


class TakenSeat(Wire, frozen=True):
    """A seat is taken; `token` plays it (none for a bot)."""

    match_id: str
    version: int
    seat: int
    token: str | None
    started: bool


class RotatedToken(Wire, frozen=True):
    """The new token of a seat, or of the owner (no seat); the old one counts no more."""

    match_id: str
    version: int
    seat: int | None
    token: str


class IssuedToken(Wire, frozen=True):
    """A token for a seat, or for a spectator (no seat), and when it ends, if at a certain time."""

    match_id: str
    seat: int | None
    scope: Literal["read", "play"]
    expires: Milliseconds | None
    token: str


class EventView(Wire, frozen=True):
    """One event as this viewer may see it.

    `at` is in milliseconds since 1970 UTC; `seat` is the seat whose command made it happen, if one
    did; `v` is the version of the shape of `data`.
    """

    version: int
    type: str
    v: int
    at: Milliseconds
    seat: int | None
    data: Json


class EventPage(Wire, frozen=True):
    """Events after a version, in order; `version` is the newest one that exists."""

    match_id: str
    version: int
    events: tuple[EventView, ...]


class SeatInfo(Wire, frozen=True):
    """Who sits on a seat; `deadline` is when its time is up, while it has to choose on time."""

    seat: int
    player: str | None
    bot: str | None
    conceded: bool
    deadline: Milliseconds | None


class TurnLimitInfo(Wire, frozen=True):
    """How many seconds a seat may think in one turn; then a bot answers, or the seat concedes."""

    seconds: int
    then: Literal["bot", "concede"]


class SpectatorsInfo(Wire, frozen=True):
    """What those see who have no seat, until the match is over; `turns` is how far they are behind.

    `public`: what lies open. `delayed`: the match as it was. `none`: as it was before its start.
    """

    policy: Literal["none", "public", "delayed"]
    turns: int | None


class OutcomeView(Wire, frozen=True):
    """How the match ended: winners (none: nobody), reasons, and points by seat if it has them."""

    winners: tuple[int, ...]
    reasons: tuple[str, ...]
    scores: tuple[int, ...]


class UndoInfo(Wire, frozen=True):
    """A seat wants to go back to a version; these seats have agreed so far, all others have to."""

    seat: int
    version: int
    agreed: tuple[int, ...]


class MatchView(Wire, frozen=True):
    """The board for this viewer at a version.

    `viewer` is the viewer's seat (none for a spectator); `awaiting` are the seats that have to
    choose; `choice` is the viewer's own open choice; `deadline` is when an open window closes, in
    milliseconds since 1970 UTC; `commitment` is SHA-256(seed ‖ salt), `seed` and `salt` are shown
    at the end. `logOpened` tells that the owner has looked into the full log, hands and all.
    """

    match_id: str
    game: str
    ruleset: int
    version: int
    status: Literal["open", "running", "finished"]
    created_at: Milliseconds
    options: Json
    turn_limit: TurnLimitInfo | None
    spectators: SpectatorsInfo
    seats: tuple[SeatInfo, ...]
    viewer: int | None
    awaiting: tuple[int, ...]
    choice: Choice | None
    deadline: Milliseconds | None
    undo: UndoInfo | None
    board: Board
    outcome: OutcomeView | None
    commitment: str | None
    seed: str | None
    salt: str | None
    log_opened: bool


class MoveDomain(Wire, frozen=True, rename={"source": "from"}):
    """What one argument of a move may hold where its values are too many to list.

    Send a list of between `min` and `max` of the ids in `from`. `limits` runs parallel to `from`:
    how often each may be in the list. Only `from` of `recordKnowledge` is written in another way:
    for each id its `tokens`, `[{"monument": id, "tokens": 2}]`, together as many as `cards`.
    """

    argument: str
    source: tuple[str, ...]
    limits: tuple[int, ...]
    min: int
    max: int


class MoveOption(Wire, frozen=True):
    """A move that is legal now; `body` is complete and ready to send.

    An argument with a domain holds one legal value out of it, and may be replaced by others; `cost`
    is the number of cards that the move costs, where it costs any. `choose` is the general form.
    """

    type: str
    body: Json
    cost: int | None
    domains: tuple[MoveDomain, ...]


class RefusedMove(Wire, frozen=True):
    """A named move that is not legal now: with that card, or as such where no card is named.

    `code` is the reason, `rule` the paragraph of the rules that says so:
    `/docs/rules/{game}#rule-{rule}`.
    """

    move: str
    card: str | None
    code: str
    rule: str | None


class LegalMoves(Wire, frozen=True):
    """The open choice of this seat and the moves that answer it (none of both: not its turn).

    Named moves come first, then `choose` for every answer that has no name, passing included.

    `explain` tells of cards within reach, and of moves, why they do not answer it. `deadline` is
    when the choice is answered without the seat, in milliseconds since 1970 UTC.
    """

    match_id: str
    version: int
    choice: Choice | None
    deadline: Milliseconds | None
    moves: tuple[MoveOption, ...]
    explain: tuple[RefusedMove, ...]


class MoveResult(Wire, frozen=True):
    """What a move did: the new version, its events for this viewer, and the next open choice.

    A dry run changes nothing, so `version` stays the current one. Its events end, and `complete` is
    false, where something would come to light, or depends on what the seat cannot know. `deadline`
    is when the next choice is answered without the seat, in milliseconds since 1970 UTC.
    """

    match_id: str
    version: int
    events: tuple[EventView, ...]
    choice: Choice | None
    deadline: Milliseconds | None
    awaiting: tuple[int, ...]
    outcome: OutcomeView | None
    complete: bool


class MatchUpdate(Wire, frozen=True):
    """What a subscriber is told: the board, or the events of one commit, up to `version`.

    A board (`view`) replaces what the subscriber has; it comes first, unless the subscription goes
    on after a version, and last, when the match is over and shows everything.
    """

    version: int
    view: MatchView | None
    events: tuple[EventView, ...]


class LogFile(Wire, frozen=True):
    """A portable log: JSON Lines (`stele-log` v1)."""

    match_id: str
    text: str


class Health(Wire, frozen=True):
    """Whether the service is alive or ready."""

    status: Literal["ok", "unavailable"]
