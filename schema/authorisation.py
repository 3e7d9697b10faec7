"""Who may call what, in which state of a match: one policy for each operation, cell by cell.

The service does not read this table; it is the statement that its checks are measured by. A test
walks every cell over REST, GraphQL and web sockets, and fails where an operation has no policy;
`docs/authorisation.md` is made of it.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from itertools import product
from typing import Final, NamedTuple

from msgspec import Struct

from schema.operations import BY_NAME, Kind

UNAUTHENTICATED: Final = "unauthenticated"
FORBIDDEN: Final = "forbidden"
NOT_FOUND: Final = "match_not_found"


class Role(Enum):
    """Who asks, and for those with a token of a match, what that is to the match asked about."""

    ANONYMOUS = "nobody: no token"
    STRANGER = "an account without a part in the match"
    OTHER = "the seat of another match"
    VOID = "a token that was replaced"
    EXPIRED = "a token whose time is up"
    SPECTATOR = "a spectator's token"
    INVITE = "an invite"
    READER = "a seat's token that only reads"
    PLAYER = "a token that a seat issued to play"
    SEAT = "a seat, by token or account"
    OWNER = "the owner, by token or account"
    ADMIN = "an admin"


class Phase(Enum):
    """How far the match has come."""

    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"


class State(NamedTuple):
    """The state of the match that is asked about."""

    phase: Phase
    public: bool


STATES: Final = tuple(State(phase, public) for public, phase in product((False, True), Phase))

_SEATED: Final = (Role.PLAYER, Role.SEAT)
"""Who moves for a seat."""

Rule = Callable[[Role, State], str | None]
"""Gives the code with which a role is refused, if it is."""


class Policy(Struct, frozen=True):
    """Who may call an operation; those who may are refused all the same in some phases."""

    rule: Rule
    phases: Mapping[Phase, str] = {}


def anybody(role: Role, state: State) -> str | None:
    """Let everybody: it is about no match."""
    return None


def lists(role: Role, state: State) -> str | None:
    """Let everybody whose token counts; what is listed differs."""
    return UNAUTHENTICATED if role is Role.VOID else None


def sees(role: Role, state: State) -> str | None:
    """Let whoever sees the match."""
    if role is Role.VOID:
        return UNAUTHENTICATED
    if role is Role.OTHER:
        return FORBIDDEN
    is_hidden = not state.public and state.phase is not Phase.FINISHED
    return NOT_FOUND if is_hidden and role in (Role.ANONYMOUS, Role.STRANGER) else None


def only(*roles: Role) -> Rule:
    """Let these roles; the others learn nothing of the match, not even whether there is one."""

    def rule(role: Role, state: State) -> str | None:
        if role in roles:
            return None
        # What was replaced is a seat's token.
        is_nobody = role is Role.ANONYMOUS or (role is Role.VOID and Role.SEAT in roles)
        return UNAUTHENTICATED if is_nobody else FORBIDDEN

    return rule


def sees_and_issues(role: Role, state: State) -> str | None:
    """Let the owner and admins, and every seat for itself."""
    return sees(role, state) or only(*_SEATED, Role.OWNER, Role.ADMIN)(role, state)


def knows_all(role: Role, state: State) -> str | None:
    """Let admins, and the owner of a match that is over."""
    is_over = state.phase is Phase.FINISHED
    return sees(role, state) or only(Role.ADMIN, *((Role.OWNER,) if is_over else ()))(role, state)


def sits_down(role: Role, state: State) -> str | None:
    """Let guests, the owner and admins; in a public match, everybody who sees it."""
    if found := sees(role, state):
        return found
    is_guest = state.public or role in (Role.INVITE, Role.OWNER, Role.ADMIN)
    return None if is_guest else FORBIDDEN


_PLAY: Final = Policy(
    only(*_SEATED), {Phase.OPEN: "match_not_started", Phase.FINISHED: "match_finished"}
)

_OWN: Final = only(Role.SEAT, Role.OWNER, Role.ADMIN)
"""Who has webhooks, or a token to replace: whoever bears no token that was issued."""

POLICIES: Final[Mapping[str, Policy]] = {
    "games": Policy(anybody),
    "game": Policy(anybody),
    "cards": Policy(anybody),
    "createMatch": Policy(anybody),
    "importMatch": Policy(anybody),
    "matches": Policy(lists),
    "match": Policy(sees),
    "events": Policy(sees),
    "explain": Policy(sees),
    "describe": Policy(sees),
    "exportLog": Policy(sees),
    "matchUpdates": Policy(sees),
    "forkMatch": Policy(sees, {Phase.OPEN: "match_not_started"}),
    "takeSeat": Policy(
        sits_down, {Phase.RUNNING: "match_not_open", Phase.FINISHED: "match_finished"}
    ),
    "startMatch": Policy(
        only(Role.OWNER, Role.ADMIN),
        {Phase.RUNNING: "match_not_open", Phase.FINISHED: "match_finished"},
    ),
    "rotateToken": Policy(_OWN, {Phase.FINISHED: "match_finished"}),
    "issueToken": Policy(sees_and_issues),
    "position": Policy(knows_all, {Phase.OPEN: "match_not_started"}),
    "webhooks": Policy(_OWN),
    "createWebhook": Policy(_OWN, {Phase.FINISHED: "match_finished"}),
    "deleteWebhook": Policy(_OWN),
    "rotateWebhookSecret": Policy(_OWN),
    "legalMoves": Policy(only(Role.READER, *_SEATED)),
    "playCard": _PLAY,
    "discardCards": _PLAY,
    "killTime": _PLAY,
    "tapMonuments": _PLAY,
    "recordKnowledge": _PLAY,
    "learnTechnology": _PLAY,
    "searchDeck": _PLAY,
    "respond": _PLAY,
    "choose": _PLAY,
    "concede": _PLAY,
    "undo": _PLAY,
}
"""The policy of every operation, and of every subscription."""


def refusal(name: str, role: Role, state: State) -> str | None:
    """Return the code with which an operation refuses a role in a state; none if it does not."""
    if role is Role.EXPIRED:
        return UNAUTHENTICATED
    changes = name in BY_NAME and BY_NAME[name].kind is not Kind.QUERY
    if changes and role in (Role.SPECTATOR, Role.READER):
        return FORBIDDEN
    policy = POLICIES[name]
    return policy.rule(role, state) or policy.phases.get(state.phase)
