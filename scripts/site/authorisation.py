"""The authorisation matrix as Markdown, made of `schema/authorisation.py`."""

from collections.abc import Iterator

from schema.authorisation import POLICIES, Phase, Role, State, refusal
from schema.errors import ERRORS

INTRODUCTION = """# Authorisation

Made of `schema/authorisation.py`; not edited by hand. A test asks the running service for every
cell, over REST, GraphQL, web sockets and streams, and fails where an operation has none.

A cell says how the operation answers that role: **yes**, or the status of the refusal: 401
`unauthenticated`, 403 `forbidden`, 404 `match_not_found`; 409 where the role may, but not in that
state (`match_not_started`, `match_not_open`, `match_finished`). Three words are for a match that is
open, running, finished; one word is for all three. [Identity](identity.md) tells what a role sees.

An account has every role that it has in the match: who created it and sat down is owner and seat.

"""

SHORT = {
    Role.ANONYMOUS: "nobody",
    Role.STRANGER: "account without a part",
    Role.OTHER: "other match",
    Role.VOID: "replaced",
    Role.EXPIRED: "expired",
    Role.SPECTATOR: "spectator",
    Role.INVITE: "invite",
    Role.READER: "seat that reads",
    Role.PLAYER: "issued to play",
    Role.SEAT: "seat",
    Role.OWNER: "owner",
    Role.ADMIN: "admin",
}


def matrix() -> str:
    """Return the page as Markdown."""
    lines = [INTRODUCTION + "## Roles\n"]
    lines += [f"- **{SHORT[role]}**: {role.value}" for role in Role]
    for public in (False, True):
        lines += ["", f"## {'Public' if public else 'Private'} matches", "", *_table(public)]
    return "\n".join(lines) + "\n"


def _table(public: bool) -> Iterator[str]:
    yield f"| operation | {' | '.join(SHORT[role] for role in Role)} |"
    yield "|---" * (len(Role) + 1) + "|"
    rows: dict[tuple[str, ...], list[str]] = {}
    for name in POLICIES:
        cells = tuple(_cell(name, role, public) for role in Role)
        rows.setdefault(cells, []).append(f"`{name}`")
    for cells, names in rows.items():
        yield f"| {', '.join(names)} | {' | '.join(cells)} |"


def _cell(name: str, role: Role, public: bool) -> str:
    codes = [refusal(name, role, State(phase, public)) for phase in Phase]
    words = ["yes" if code is None else str(ERRORS[code].status) for code in codes]
    return words[0] if len(set(words)) == 1 else " · ".join(words)
