"""What comes in: the arguments of every operation, checked strictly before anything else happens.

Arguments named in the path of an operation come from the path; the others from the query string of
a GET and from the JSON body of a POST. In GraphQL queries take them as field arguments, mutations
as one `input`. `expectedVersion` may also come as `If-Match`, `commandId` as `Idempotency-Key`.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator
from pydantic.alias_generators import to_camel
from pydantic_core import PydanticCustomError

from domain.engine.terms import DELAYS, TURN_SECONDS

Id = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SECRET_LENGTH = 16
# Its length is checked by the operation, which says why.
SecretId = Annotated[
    Annotated[Id, Field(json_schema_extra={"minLength": SECRET_LENGTH})] | None,
    Field(
        description=f"The command id. Here it is a secret of yours, of {SECRET_LENGTH} to 64 "
        "characters: whoever repeats it gets the same tokens."
    ),
]
CardName = Annotated[str, Field(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Field(ge=0, le=15)]
Version = Annotated[int, Field(ge=0, le=2**31 - 1)]
OptionValue = bool | int | Annotated[str, Field(max_length=64)]


class Arguments(BaseModel):
    """Base of everything that comes in: strict types, no unknown fields, camelCase names."""

    model_config = ConfigDict(
        strict=True, extra="forbid", frozen=True, alias_generator=to_camel, validate_by_alias=True
    )


class NoArguments(Arguments):
    """Nothing to say."""


class GameArguments(Arguments):
    """A game by name."""

    game: Id


class CardsArguments(Arguments):
    """The catalogue of a game in a locale ("en" or "ja")."""

    game: Id
    locale: Literal["en", "ja"] = "en"


class TurnLimitInput(Arguments):
    """How many seconds a seat may think in one turn, whosever turn it is, and what happens then.

    `bot`: a bot answers for it until the turn is over. `concede`: it gives up.
    """

    seconds: Annotated[int, Field(ge=TURN_SECONDS[0], le=TURN_SECONDS[-1])]
    then: Literal["bot", "concede"]


class SpectatorsInput(Arguments):
    """What those see who have no seat, until the match is over.

    `public`: everything that lies open. `delayed`: the match as it was some `turns` ago, or one.
    `none`: the match as it was before its start.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"policy": {"const": "delayed"}}},
            "else": {"properties": {"turns": {"type": "null"}}},
        }
    )

    policy: Literal["none", "public", "delayed"]
    turns: Annotated[int, Field(ge=DELAYS[0], le=DELAYS[-1])] | None = None

    @field_validator("turns")
    @classmethod
    def _delay(cls, turns: int | None, found: ValidationInfo) -> int | None:
        if turns is not None and found.data.get("policy") in ("none", "public"):
            raise PydanticCustomError(
                "no_delay", 'only the policy "delayed" has turns; leave them out'
            )
        return turns


class CreateMatchInput(Arguments):
    """A match to lay out. Options left out take their defaults or those of `preset`.

    `position` is a `stele-position` to begin with; options left out are then those of its match.
    Without `turnLimit` nobody has to hurry; without `spectators` they see what happens at once.
    """

    game: Id
    seats: Annotated[int, Field(ge=1, le=16)]
    options: dict[Annotated[str, Field(max_length=64)], OptionValue] = Field(
        default_factory=dict, max_length=64
    )
    preset: Annotated[str, Field(max_length=64)] | None = None
    visibility: Literal["private", "public"] = "private"
    position: Annotated[dict[str, Any], Field(max_length=32)] | None = None
    turn_limit: TurnLimitInput | None = None
    spectators: SpectatorsInput | None = None
    command_id: SecretId = None


class BotSeat(Arguments):
    """A bot on a seat."""

    seat: SeatNumber
    bot: Literal["random", "greedy"]


class ForkMatchInput(Arguments):
    """A match to begin anew from one of its versions; on `seats` bots sit down at once."""

    match_id: Id
    at: Version
    seats: Annotated[list[BotSeat], Field(max_length=16)] = Field(default_factory=list)
    command_id: SecretId = None


class TakeSeatInput(Arguments):
    """A seat to take: with an invite, or any free one of a public match; or a bot, by the owner.

    A bot gets no token: there, `commandId` may be shorter.
    """

    match_id: Id
    invite: Annotated[str, Field(max_length=1024)] | None = None
    seat: SeatNumber | None = None
    player: Annotated[str, Field(min_length=1, max_length=64)] = "player"
    bot: Literal["random", "greedy"] | None = None
    command_id: SecretId = None


class RotateTokenInput(Arguments):
    """A token to replace: that of a seat, or without `seat` the one that this is sent with.

    For an admin or an account, none is the owner's.
    """

    match_id: Id
    seat: SeatNumber | None = None
    command_id: SecretId = None


class IssueTokenInput(Arguments):
    """A token to issue: for the own seat, or without `seat`, by the owner, for a spectator.

    `scope` "read" sees what the seat sees and changes nothing, "play" moves, too, and needs a
    `seat`; neither replaces tokens. `seconds` is how long it lasts, but no longer than the
    token that issues it; without, it lasts until that of the seat or the owner is replaced.
    """

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"properties": {"scope": {"const": "play"}}, "required": ["scope"]},
            "then": {"properties": {"seat": {"type": "integer"}}, "required": ["seat"]},
        }
    )

    match_id: Id
    seat: SeatNumber | None = None
    scope: Literal["read", "play"] = "read"
    seconds: Annotated[int, Field(ge=60, le=366 * 24 * 3600)] | None = None

    @field_validator("scope")
    @classmethod
    def _plays(cls, scope: str, found: ValidationInfo) -> str:
        if scope == "play" and found.data.get("seat", 0) is None:
            raise PydanticCustomError("no_seat", '"play" is for a seat; name it in `seat`')
        return scope


class MatchArguments(Arguments):
    """A match, at its newest version or at an earlier one."""

    match_id: Id
    at: Version | None = None


class MatchFilter(Arguments):
    """Which matches: of that game, in that state; "mine": that of your token, or your account's."""

    game: Id | None = None
    status: Literal["open", "running", "finished"] | None = None
    visibility: Literal["public", "mine"] | None = None


class MatchesArguments(Arguments):
    """A page of the matches that you may see, newest first.

    `after` is the cursor of the last one that you have.
    """

    filter: MatchFilter | None = None
    first: Annotated[int, Field(ge=1, le=100)] = 20
    after: Annotated[str, Field(min_length=1, max_length=256)] | None = None


def flattened(arguments: type[Arguments]) -> Iterator[tuple[str, type[Arguments]]]:
    """Yield the arguments that are objects: a query string writes their fields one by one."""
    for name, field in arguments.model_fields.items():
        for kind in (field.annotation, *get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, Arguments):
                yield field.alias or name, kind


class PositionArguments(Arguments):
    """A match to write down as a position: at its newest version, or at an earlier one."""

    match_id: Id
    at: Version | None = None


class LegalMovesArguments(Arguments):
    """A match; the seat is that of the token."""

    match_id: Id


class DescribeArguments(Arguments):
    """A match to put into words: now, or at an earlier version, with its last events."""

    match_id: Id
    at: Version | None = None
    locale: Literal["en", "ja"] = "en"
    recent: Annotated[int, Field(ge=0, le=50)] = 10


class ExplainArguments(Arguments):
    """An event of a match, by its version."""

    match_id: Id
    version: Version
    locale: Literal["en", "ja"] = "en"


class EventsArguments(Arguments):
    """Events after a version; with `wait`, wait so many seconds for the first of them.

    A stream takes `after` only and goes on until the match is over.
    """

    match_id: Id
    after: Version = 0
    limit: Annotated[int, Field(ge=1, le=1000)] = 200
    wait: Annotated[int, Field(ge=0, le=30)] = 0


class MatchUpdatesArguments(Arguments):
    """A match to follow: from its board on, or from the events after a version on."""

    match_id: Id
    after: Version | None = None


class StartMatchInput(Arguments):
    """A match to start before all invites are used is refused; its owner starts it."""

    match_id: Id
    command_id: Id | None = None


class MoveInput(Arguments):
    """What every move accepts.

    `dryRun` true changes nothing: it answers what would happen, as far as the seat can know that.
    """

    match_id: Id
    expected_version: Version | None = None
    command_id: Id | None = None
    dry_run: bool = False


class PlayCardInput(MoveInput):
    """Play a card with its target or place.

    Chrononauts: a linchpin (year), an artifact, a player (seat) or a direction. Ancient Knowledge:
    the space of a monument, and the cards discarded in payment, as many as it costs; without
    `payment` that is the next choice.
    """

    card: CardName
    linchpin: Annotated[int, Field(ge=0, le=9999)] | None = None
    artifact: CardName | None = None
    player: SeatNumber | None = None
    direction: Literal["left", "right"] | None = None
    space: Annotated[int, Field(ge=1, le=6)] | None = None
    payment: Annotated[list[CardName], Field(max_length=16)] | None = None


class DiscardCardsInput(MoveInput):
    """Discard cards instead of playing."""

    cards: Annotated[list[CardName], Field(min_length=1, max_length=16)]


class KillTimeInput(MoveInput):
    """Kill time: both discards in order, or the second one alone where the first has been made."""

    cards: Annotated[list[CardName], Field(min_length=1, max_length=2)]


class TapMonumentsInput(MoveInput):
    """Excavate: rotate straight monuments of the own past and draw for them."""

    monuments: Annotated[list[CardName], Field(min_length=1, max_length=64)]


class Tokens(Arguments):
    """Knowledge that leaves one monument."""

    monument: CardName
    tokens: Annotated[int, Field(ge=1, le=99)]


class RecordKnowledgeInput(MoveInput):
    """Archive: discard cards and remove as many tokens from own monuments.

    The `tokens` in `from` are together as many as `cards`.
    """

    cards: Annotated[list[CardName], Field(min_length=1, max_length=16)]
    source: Annotated[list[Tokens], Field(min_length=1, max_length=16, alias="from")]


class LearnTechnologyInput(MoveInput):
    """Learn a displayed technology."""

    technology: CardName


class SearchDeckInput(MoveInput):
    """Draw one card."""


class RespondInput(MoveInput):
    """Answer somebody's play with a card, or pass (`card` null).

    `source` tells which hand it comes from where both hold one ("hand", "small"). `standing` true
    passes from now on without being asked, false asks again (and answers nothing by itself); nobody
    else learns of it.
    """

    card: CardName | None = None
    source: Literal["hand", "small"] | None = None
    standing: bool | None = None


class ChooseInput(MoveInput):
    """The general form of every move: the choice answered and the options picked."""

    choice: Version
    picks: Annotated[list[Annotated[str, Field(max_length=128)]], Field(max_length=256)]


class ConcedeInput(MoveInput):
    """Give up."""


class UndoInput(MoveInput):
    """Take your last move back; with `agree`, answer the undo that another seat asks for."""

    agree: bool | None = None


class ExportLogArguments(Arguments):
    """A match whose log to export."""

    match_id: Id


class ImportMatchInput(Arguments):
    """A finished or running match to take in from its full log."""

    text: Annotated[str, Field(min_length=2, max_length=16_000_000)]
    command_id: SecretId = None
