"""What the parameters of addresses mean, in words; their types and bounds stand in `inputs.py`."""

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "matchId": "The id of the match, as the answer to `createMatch` has it.",
    "webhookId": "The id of the webhook, as `webhooks` lists it.",
    "version": "The version of the event.",
    "game": "The name of the game, as `games` lists it.",
    "at": "An earlier version of the match; without, the newest that you may see.",
    "after": "The last version that you have seen; 412 if it is beyond the newest.",
    "limit": "How many events a page has at most.",
    "wait": "How many seconds to wait for the first event if there is none yet; 0 answers at once.",
    "locale": "The language of names and texts.",
    "recent": "How many of the last events to tell.",
    "first": "How many matches a page has at most.",
    "status": "Only matches that are so far; without, all.",
    "visibility": "`public`, or `mine`: those of your token or account; without, both.",
    "matches.after": "The `endCursor` of the page before; without, the newest matches.",
    "matches.game": "Only matches of this game; without, of all.",
}
"""By the name of the parameter, or of the operation and the parameter where it differs."""


def meaning(operation: str, name: str) -> str:
    """Return what a parameter of an operation means."""
    return MEANINGS.get(f"{operation}.{name}") or MEANINGS[name]
