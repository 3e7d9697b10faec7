"""The catalogue of errors as Markdown: what each code means and what a client does about it."""

from collections.abc import Iterator

from schema.errors import ROWS, ErrorRow
from schema.operations import OPERATIONS

INTRODUCTION = """# Errors

Made of `schema/errors.py`; not edited by hand.

REST answers a refusal as `application/problem+json` (RFC 9457), GraphQL beside the data in
`errors[].extensions`, with the same members: `code`, `status`, `retryable`, `doc` (the address of
the paragraph here), and where they help `errors` (the path of every fault), `version`, `reason`. A
refused or failed command has changed nothing.

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
    "version_conflict": "Read `events` (what has happened since), then decide again.",
    "command_reused": "Make a new command id for every new command.",
    "busy": "Send the same request again, with the same command id.",
    "too_many_webhooks": "Delete one; `webhooks` lists them. `most` is how many there may be.",
    "not_your_turn": "Wait for an event that asks your seat; `awaiting` tells who has to choose.",
    "unknown_choice": "Read `legalMoves` again: the choice has been answered or has passed.",
    "illegal_choice": "Pick among the options of the open choice, between `min` and `max` of them.",
    "illegal_move": "Send one of the bodies of `legalMoves`; while you have a choice there is one.",
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
    advice = f"\n\n{ADVICE[row.code]}" if row.code in ADVICE else ""
    named = [f"`{one.name}`" for one in OPERATIONS if row.code in one.errors]
    # Most codes of moves belong to all moves: they are not listed one by one.
    where = f"\n\nAnswered by {', '.join(named)}." if 0 < len(named) <= 6 else ""
    return f"## {row.code}\n\n{row.status}. {row.meaning} {retry}{advice}{where}\n\n"
