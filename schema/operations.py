"""The one table of everything clients can do; REST, GraphQL, SDL and OpenAPI are built from it."""

from collections.abc import Iterable
from enum import Enum

from msgspec import Struct

from schema import inputs as i
from schema import reads as r
from schema import types as t
from schema import webhooks as w


class Kind(Enum):
    """Query and mutation as in GraphQL; a move is a mutation that shares one REST route."""

    QUERY = "query"
    MUTATION = "mutation"
    MOVE = "move"


class Operation(Struct, frozen=True):
    """One row. `path` is under `/v1`; moves share theirs and are told apart by `type` in the body.

    `errors` are the codes that it can answer besides those of every operation (`errors.py`);
    `media` is the media type of a REST answer that is not JSON, `takes` one of a REST body besides
    JSON; both carry the field `text` alone. `streams` are the media types that send the result
    piece by piece as it comes to be. `renamed` pairs an argument with its name in GraphQL where
    that differs.
    """

    name: str
    kind: Kind
    method: str
    path: str
    arguments: type[i.Arguments]
    result: type
    doc: str
    errors: tuple[str, ...] = ()
    status: int = 200
    media: str | None = None
    takes: str | None = None
    streams: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()


class Subscription(Struct, frozen=True):
    """A row of its own kind: it answers again and again, over GraphQL's web socket alone."""

    name: str
    arguments: type[i.Arguments]
    result: type
    doc: str


def _query(
    name: str,
    path: str,
    arguments: type[i.Arguments],
    result: type,
    doc: str,
    *renamed: tuple[str, str],
    errors: tuple[str, ...] = (),
) -> Operation:
    errors += ("unknown_game",) if "{game}" in path else ()
    return Operation(name, Kind.QUERY, "GET", path, arguments, result, doc, errors, renamed=renamed)


def _move(name: str, arguments: type[i.Arguments], doc: str) -> Operation:
    path = "/matches/{matchId}/moves"
    return Operation(name, Kind.MOVE, "POST", path, arguments, t.MoveResult, doc, MOVE_ERRORS)


NDJSON = "application/x-ndjson"
EVENT_STREAM = "text/event-stream"

MOVE_ERRORS = (
    "match_not_started",
    "match_finished",
    "seat_gone",
    "not_your_turn",
    "unknown_choice",
    "illegal_choice",
    "illegal_move",
    "illegal_position",
    "version_conflict",
    "command_reused",
)

OPERATIONS: tuple[Operation, ...] = (
    _query("games", "/games", i.NoArguments, tuple[t.GameInfo, ...], "The games played here."),
    _query(
        "game",
        "/games/{game}",
        i.GameArguments,
        t.GameInfo,
        "One game, with its options.",
        ("game", "name"),
    ),
    _query("cards", "/games/{game}/cards", i.CardsArguments, t.CardList, "The public catalogue."),
    Operation(
        "createMatch",
        Kind.MUTATION,
        "POST",
        "/matches",
        i.CreateMatchInput,
        t.CreatedMatch,
        "Lay out a match; answers the owner's token and one invite a seat.",
        ("unknown_game", "invalid_options", "illegal_position", "forbidden", "command_reused"),
        201,
    ),
    Operation(
        "takeSeat",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/seats",
        i.TakeSeatInput,
        t.TakenSeat,
        "Take a seat, or seat a bot; the match starts by itself when the last seat is taken.",
        (
            *("match_not_open", "match_finished", "seat_taken", "unknown_seat", "command_reused"),
            "malformed_command",
        ),
    ),
    Operation(
        "rotateToken",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/token",
        i.RotateTokenInput,
        t.RotatedToken,
        "Replace a token that got lost: the old one, and all that it issued, counts no more.",
        ("match_finished", "unknown_seat", "seats_empty", "command_reused"),
    ),
    Operation(
        "issueToken",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/tokens",
        i.IssueTokenInput,
        t.IssuedToken,
        "Issue a token that may do less or ends: for a second screen, a bot, a spectator.",
    ),
    Operation(
        "startMatch",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/start",
        i.StartMatchInput,
        t.MoveResult,
        "Start a match whose seats are all taken.",
        ("match_not_open", "match_finished", "seats_empty", "command_reused"),
    ),
    Operation(
        "matches",
        Kind.QUERY,
        "GET",
        "/matches",
        i.MatchesArguments,
        r.MatchConnection,
        "The public matches, and that of your token or those of your account; newest first.",
        ("not_found",),
    ),
    Operation(
        "match",
        Kind.QUERY,
        "GET",
        "/matches/{matchId}",
        i.MatchArguments,
        t.MatchView,
        "The board, as you see it.",
        ("not_found",),
        renamed=(("matchId", "id"),),
    ),
    _query(
        "legalMoves",
        "/matches/{matchId}/legal-moves",
        i.LegalMovesArguments,
        t.LegalMoves,
        "The open choice of your seat and the named moves that answer it.",
        errors=("illegal_position",),
    ),
    Operation(
        "events",
        Kind.QUERY,
        "GET",
        "/matches/{matchId}/events",
        i.EventsArguments,
        t.EventPage,
        "What happened after a version, as you may see it; a page, or a stream that goes on.",
        ("version_conflict",),
        streams=(NDJSON, EVENT_STREAM),
        renamed=(("limit", "first"),),
    ),
    Operation(
        "explain",
        Kind.QUERY,
        "GET",
        "/matches/{matchId}/events/{version}/explain",
        i.ExplainArguments,
        r.Explanation,
        "Why an event happened: the rule, the card, the choice answered; in words, too.",
        ("not_found",),
    ),
    Operation(
        "describe",
        Kind.QUERY,
        "GET",
        "/matches/{matchId}/describe",
        i.DescribeArguments,
        r.Description,
        "Board, options and last events as plain text, for readers without eyes and for chats.",
        ("not_found",),
    ),
    _move("playCard", i.PlayCardInput, "Play a card with its target or place."),
    _move("discardCards", i.DiscardCardsInput, "Discard instead of playing."),
    _move("killTime", i.KillTimeInput, "Discard a second card and draw one."),
    _move("tapMonuments", i.TapMonumentsInput, "Excavate: rotate monuments and draw."),
    _move("recordKnowledge", i.RecordKnowledgeInput, "Archive: discard cards, remove knowledge."),
    _move("learnTechnology", i.LearnTechnologyInput, "Learn a displayed technology."),
    _move("searchDeck", i.SearchDeckInput, "Draw one card."),
    _move("respond", i.RespondInput, "Answer somebody's play with a card, or pass."),
    _move("choose", i.ChooseInput, "Answer the open choice: the general form of every move."),
    Operation(
        "concede",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/concede",
        i.ConcedeInput,
        t.MoveResult,
        "Give up the match for your seat.",
        ("match_not_started", "match_finished", "seat_gone", "version_conflict", "command_reused"),
    ),
    Operation(
        "undo",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/undo",
        i.UndoInput,
        t.MoveResult,
        "Take your last move back: at once while nothing came of it that you can know, else when "
        "all other seats agree; or answer such a question with `agree`.",
        (
            *("match_not_started", "match_finished", "seat_gone", "illegal_undo", "busy"),
            *("version_conflict", "command_reused"),
        ),
    ),
    Operation(
        "position",
        Kind.QUERY,
        "GET",
        "/matches/{matchId}/position",
        i.PositionArguments,
        r.PositionDocument,
        "The full state as one document, for the owner of a finished match and for admins.",
        ("match_not_started", "not_found"),
    ),
    Operation(
        "forkMatch",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/fork",
        i.ForkMatchInput,
        t.ForkedMatch,
        "Begin a new match from any version of this one. While it runs you keep what you may know; "
        "the rest is dealt anew.",
        (
            *("match_not_started", "unknown_seat", "seat_gone", "seat_taken", "command_reused"),
            "not_found",
        ),
        201,
    ),
    Operation(
        "exportLog",
        Kind.QUERY,
        "GET",
        "/matches/{matchId}/log",
        i.ExportLogArguments,
        t.LogFile,
        "The portable log: whole after the end, for admins, and for the owner of a private match; "
        "else redacted.",
        media=NDJSON,
    ),
    Operation(
        "importMatch",
        Kind.MUTATION,
        "POST",
        "/matches/import",
        i.ImportMatchInput,
        t.CreatedMatch,
        "Take in a match from its full log, after verifying it.",
        ("invalid_log", "forbidden", "command_reused"),
        201,
        takes=NDJSON,
    ),
    _query(
        "webhooks",
        "/matches/{matchId}/webhooks",
        w.WebhooksArguments,
        w.WebhookList,
        "Your webhooks of the match, and how sending goes.",
    ),
    Operation(
        "createWebhook",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/webhooks",
        w.CreateWebhookInput,
        w.WebhookSecret,
        "Have a server told when a turn begins and when the match is over; answers its secret.",
        ("match_finished", "too_many_webhooks", "command_reused"),
        201,
    ),
    Operation(
        "deleteWebhook",
        Kind.MUTATION,
        "DELETE",
        "/matches/{matchId}/webhooks/{webhookId}",
        w.DeleteWebhookInput,
        w.WebhookList,
        "Send nothing more to a webhook; answers those that are left.",
        ("not_found", "busy"),
    ),
    Operation(
        "rotateWebhookSecret",
        Kind.MUTATION,
        "POST",
        "/matches/{matchId}/webhooks/{webhookId}/secret",
        w.RotateWebhookSecretInput,
        w.WebhookSecret,
        "Give a webhook another secret; for a while, both sign.",
        ("not_found", "command_reused"),
    ),
)

SUBSCRIPTIONS: tuple[Subscription, ...] = (
    Subscription(
        "matchUpdates",
        i.MatchUpdatesArguments,
        t.MatchUpdate,
        "First the board, then every event, exactly once; with `after`, the events after it.",
    ),
)

BY_NAME = {operation.name: operation for operation in OPERATIONS}


def check_names(handlers: Iterable[str]) -> None:
    """Raise LookupError unless there is one handler for each operation and no other."""
    names = set(handlers)
    if missing := sorted(set(BY_NAME) - names):
        raise LookupError(f"operations without a handler: {', '.join(missing)}")
    if unknown := sorted(names - set(BY_NAME)):
        raise LookupError(f"handlers without an operation: {', '.join(unknown)}")
