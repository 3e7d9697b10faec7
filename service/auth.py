"""Who is asking, and what each kind of bearer may see and do.

A token of a match tells its bearer's role; which *generation* of a token counts stands in the log
of the match (`match.token_replaced`), so it is checked against the match that a request reads or
changes anyway, at no cost of its own. An account has its roles by the log, too: it is bound to a
match or a seat when it creates the one or takes the other.
"""

from typing import Any, Final, Literal

from msgspec import Struct

from domain.engine.access import generation_of
from domain.engine.ids import Seat, Viewer
from domain.engine.match import Match
from schema.errors import Forbidden, Malformed, MatchNotFound, Unauthenticated
from schema.inputs import SECRET_LENGTH

Kind = Literal["anonymous", "spectator", "owner", "seat", "invite", "account", "admin"]


class Principal(Struct, frozen=True):
    """Whoever sent a request: nobody in particular, the bearer of a token of one match, an account.

    `generation` is that of the token of a seat or of the owner; a bearer that only `reads` changes
    nothing; after `expires`, in seconds since 1970 UTC, the token is void; one that was `issued`
    beside the own token of a seat replaces none. What an account is in a match stands in `seat` and
    `owns` once it is known, and only then.
    """

    kind: Kind
    match_id: str | None = None
    seat: Seat | None = None
    generation: int = 0
    reads: bool = False
    expires: int | None = None
    issued: bool = False
    account: str | None = None
    owns: bool = False

    @property
    def sender(self) -> str:
        """Name whose command ids are told apart from everybody else's."""
        if self.account is not None:
            return f"account:{self.account}"
        return self.kind if self.seat is None else f"{self.kind}:{self.seat}"


ANONYMOUS: Final = Principal("anonymous")
ADMIN: Final = Principal("admin")


def check_access(principal: Principal, match_id: str) -> None:
    """Refuse a token of another match, whether or not the match asked for exists.

    Raises: Forbidden.
    """
    if principal.match_id is not None and principal.match_id != match_id:
        raise Forbidden("the token belongs to another match")


def check_current(principal: Principal, match: Match[Any]) -> None:
    """Refuse a token that was replaced by a newer one. Raises: Unauthenticated."""
    if principal.kind in ("seat", "owner", "spectator"):
        seat = principal.seat if principal.kind == "seat" else None
        if principal.generation != generation_of(match, seat):
            raise Unauthenticated("this token was replaced by a newer one")


def is_voided(principal: Principal, seat: Seat | None, generation: int) -> bool:
    """Tell whether the token of a bearer is one that a newer generation replaced."""
    kinds = ("owner", "spectator") if seat is None else ("seat",)
    own = principal.seat if seat is not None else None
    return principal.kind in kinds and own == seat and principal.generation < generation


def check_visible(principal: Principal, match_id: str, match: Match[object], public: bool) -> None:
    """Hide a private match, until it is over, from whoever has no part in it.

    Then its log is everybody's, as is what stands in it. Raises: MatchNotFound.
    """
    is_stranger = principal.kind == "anonymous" or (
        principal.kind == "account" and principal.seat is None and not principal.owns
    )
    if is_stranger and not public and match.outcome is None:
        raise no_match(match_id)


def no_match(match_id: str) -> MatchNotFound:
    """Return the refusal that tells nothing about whether the match exists."""
    return MatchNotFound(f"there is no match {match_id}", match=match_id)


def seat_of(principal: Principal) -> Seat:
    """Return the seat that the bearer plays.

    Raises:
        Unauthenticated: there is no token.
        Forbidden: the bearer plays no seat.
    """
    if principal.kind == "anonymous":
        raise Unauthenticated("this needs the token of a seat")
    seat = own_seat(principal)
    if seat is None:
        raise Forbidden("this needs the token of a seat")
    return seat


def own_seat(principal: Principal) -> Seat | None:
    """Return the seat that the bearer plays, if it plays one."""
    return principal.seat if principal.kind in ("seat", "account") else None


def is_owner(principal: Principal) -> bool:
    """Tell whether the match is the bearer's own; an admin's it is not."""
    return principal.kind == "owner" or principal.owns


def is_spectator(principal: Principal) -> bool:
    """Tell whether somebody only watches: has no seat, and no say in the match."""
    if principal.kind == "account":
        return principal.seat is None and not principal.owns
    return principal.kind in ("anonymous", "spectator", "invite")


def check_owner(principal: Principal, whose: str = "the owner") -> None:
    """Refuse whoever is neither the owner nor an admin; `whose` names all who may.

    Raises: Unauthenticated, Forbidden.
    """
    if principal.kind == "anonymous":
        raise Unauthenticated(f"this needs the token of {whose}")
    if principal.kind != "admin" and not is_owner(principal):
        raise Forbidden(f"this is up to {whose}")


def check_secret(command_id: str | None) -> None:
    """Refuse a command id that could be guessed, where a repeat of it answers with tokens.

    Raises: Malformed.
    """
    if command_id is not None and len(command_id) < SECRET_LENGTH:
        complaint = f"has to be a secret of {SECRET_LENGTH} characters or more here"
        raise Malformed(
            f"commandId: {complaint}, for whoever repeats it gets the same tokens",
            errors=[{"path": "commandId", "message": complaint}],
        )


def viewer_of(principal: Principal, match: Match[object]) -> Viewer:
    """Return whose eyes the bearer sees the match with.

    A match that is over is open to all eyes. While it runs, only the seat itself sees its cards: an
    owner or an admin looks on like a spectator, for the owner may be playing, too.
    """
    if match.outcome is not None:
        return "all"
    return own_seat(principal)
