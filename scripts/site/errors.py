"""The catalogue of errors as Markdown: what each code means and what a client does about it."""

from collections.abc import Callable, Iterator

from schema.errors import ROWS, ErrorRow
from schema.openapi import codes_of
from schema.operations import OPERATIONS, Kind, Operation

INTRODUCTION = """# Errors

Made of `schema/errors.py`; not edited by hand.

REST answers a refusal as `application/problem+json` (RFC 9457), GraphQL beside the data in
`errors[].extensions`, with the same members: `code`, `status`, `retryable`, `doc` (the address of
the paragraph here), and where they help `errors` (the path of every fault), `version`, `reason`. A
refused or failed command has changed nothing.

What conflicts with the match (409 and 412) tells its `version`, to whoever may see the match. A
command that says what you have seen, by `expectedVersion` or by the `choice` that it answers, is
also told the `events` since then, 200 at most: apply them as if they had come over a feed, and
decide again.

`retryable` says whether the same request, sent again unchanged, can succeed. Wait for `Retry-After`
seconds, then double the wait each time. Send a move again with the same command id: it counts once.

"""

ADVICE = {
    "malformed": "Correct the fields that `errors` names; the message never repeats a value.",
    "malformed_command": "Correct the client: it sent what no choice can be answered with.",
    "unauthenticated": "Send `Authorization: Bearer` with a token of this service.",
    "forbidden": "Use the token of the seat or of the owner that the operation asks for.",
    "not_found": "Check the address; for `at`, ask for a version that exists.",
    "match_not_found": "Check the id and the token: a private match does not exist for others.",
    "unknown_game": "Pick one of `known`.",
    "version_conflict": "To a move: read `events` (what has happened since), then decide "
    "again. To a feed or a page of events: `after` is beyond `version`, so the store was restored "
    "to an earlier state. Read `match` and go on from there.",
    "command_reused": "Make a new command id for every new command.",
    "busy": "Send the same request again, with the same command id.",
    "too_many_webhooks": "Delete one; `webhooks` lists them. `most` is how many there may be.",
    "not_your_turn": "Wait for an event that asks your seat; `awaiting` tells who has to choose.",
    "unknown_choice": "Read `legalMoves` again: the choice has been answered or has passed.",
    "illegal_choice": "Pick among the options of the open choice, between `min` and `max` of them. "
    "`errors` names the argument that does not fit, and what there is instead. "
    "`step` tells which picks were refused: 0 those for the open choice itself, 1 those for the "
    "choice that follows it, and so on, where one move answers several, as named moves can. "
    "Nothing of such a move counts.",
    "illegal_position": "Mend what `errors` names; each `path` leads into the position. Moves in a "
    "match that began with a position answer it where the rules cannot go on: the position fits "
    "piece by piece, but not as a whole.",
    "illegal_undo": "Undo moves of your own seat, and answer only while `undo` of `match` asks.",
    "invalid_log": "Export it again, whole: `line` counts the lines of the file from 1.",
    "match_not_open": "Nothing is left to do: the match goes on. Read `match`.",
    "match_not_started": "Wait for `match.started`; the seats that are free stand in `match`.",
    "match_finished": "Nothing is left to do: `outcome` of `match` tells how it ended.",
    "seat_taken": "Take another seat; `match` shows who sits where. If it was you, repeat the "
    "command with the same command id to get the token.",
    "seats_empty": "Seat players or bots first; `match` shows which seats are free.",
    "seat_gone": "Nothing is left to do for this seat; it can still look on.",
    "unknown_seat": "Seats count from 0; `seats` of `match` lists them.",
    "refused": "Read the message; this code is for what has no code of its own.",
    "illegal_move": "Send one of the bodies of `legalMoves`; while you have a choice there is one. "
    "`errors` names the argument that does not fit, and what there is instead.",
    "invalid_options": "Read `games` for the options, their values and the seats they fit.",
    "too_large": "Send less; the message says how much fits.",
    "too_slow": "Send it again, with the same command id, and without pauses.",
    "misdirected": "Use the address that the operator gave; `STELE_HOSTS` lists its host names.",
    "headers_too_large": "Send less in the address and the headers; long documents go by POST.",
    "overloaded": "Send the same request again after `Retry-After` seconds.",
    "wrong_media_type": "Send `Content-Type: application/json` in UTF-8, not compressed.",
    "not_acceptable": "Accept one of `offers`.",
    "method_not_allowed": "Use one of the methods in `Allow`.",
    "rate_limited": "Wait for `Retry-After` seconds.",
    "internal": "Report `requestId` to the operator, whose log has the place under it.",
    "store_unavailable": "Send the same request again later, with the same command id.",
    "provider_unavailable": "Send the request again later; tokens of this service go on.",
    "match_damaged": "Tell the operator, whose log names the match; a backup may have it whole.",
    "store_regressed": "Tell the operator; nothing that a client does can help.",
}


GROUPS: tuple[tuple[str, Callable[[Operation], bool]], ...] = (
    ("every operation", lambda row: True),
    ("every operation on a match", lambda row: "{matchId}" in row.path),
    ("every operation by POST", lambda row: row.method == "POST"),
    ("every move", lambda row: row.kind is Kind.MOVE),
)
"""What operations are called together, the larger groups first."""


def catalogue() -> str:
    """Return the page as Markdown."""
    return INTRODUCTION + "\n".join(_table()) + "\n" + "".join(map(_paragraph, ROWS))


def _table() -> Iterator[str]:
    yield "| code | status | retry |"
    yield "|---|---|---|"
    for row in ROWS:
        yield f"| [`{row.code}`](#{row.code}) | {row.status} | {'yes' if row.retryable else 'no'} |"
    yield ""


def _paragraph(row: ErrorRow) -> str:
    retry = "Can be sent again unchanged." if row.retryable else "Sending it again does not help."
    named = {one.name for one in OPERATIONS if row.code in codes_of(one)}
    where = f"\n\nAnswered by {', '.join(_grouped(named))}." if named else ""
    return f"## {row.code}\n\n{row.status}. {row.meaning} {retry}\n\n{ADVICE[row.code]}{where}\n\n"


def _grouped(names: set[str]) -> Iterator[str]:
    """Yield the groups of operations of which all are among these, then the rest by name."""
    for title, belongs in GROUPS:
        group = {row.name for row in OPERATIONS if belongs(row)}
        if group <= names:
            yield title
            names = names - group
    yield from (f"`{row.name}`" for row in OPERATIONS if row.name in names)
