"""Who is asking: signed tokens, and what each kind of bearer may see.

A token is `kind.match[.seat.generation].mac`, all of it URL-safe and nothing of it secret but the
MAC: HMAC-SHA256 under the first signing key; every key verifies, so keys can be rotated. The same
match and seat always get the same token, so an answer can be repeated; a seat's `generation` will
count up when its token is to be replaced.
"""

import hmac
from base64 import b32encode, urlsafe_b64encode
from hashlib import sha256
from typing import Final, Literal

from msgspec import Struct

from domain.engine.ids import Seat, Viewer
from domain.engine.match import Match
from schema.errors import Forbidden, Malformed, MatchNotFound, Unauthenticated

Kind = Literal["anonymous", "owner", "seat", "invite", "admin"]

_GENERATION: Final = "0"
_LONGEST: Final = 512
_SHORTEST_SECRET: Final = 16  # characters of a command id that answers with tokens


class Principal(Struct, frozen=True):
    """Whoever sent a request: nobody in particular, or the bearer of a token of one match."""

    kind: Kind
    match_id: str | None = None
    seat: Seat | None = None

    @property
    def scope(self) -> str:
        """Name whose command ids are told apart from everybody else's."""
        return self.kind if self.seat is None else f"{self.kind}:{self.seat}"


ANONYMOUS: Final = Principal("anonymous")
_ADMIN: Final = Principal("admin")


class Keyring:
    """The signing keys, the current one first."""

    def __init__(self, keys: tuple[bytes, ...], admin_token: str | None = None) -> None:
        assert keys, "there is always a key"
        self._keys = keys
        self._admin = None if admin_token is None else admin_token.encode()

    def owner_token(self, match_id: str) -> str:
        """Return the token of whoever created the match."""
        return self._sign(f"owner.{match_id}")

    def seat_token(self, match_id: str, seat: Seat) -> str:
        """Return the token that plays a seat."""
        return self._sign(f"seat.{match_id}.{seat}.{_GENERATION}")

    def invite(self, match_id: str, seat: Seat) -> str:
        """Return what lets its bearer take a seat."""
        return self._sign(f"invite.{match_id}.{seat}.{_GENERATION}")

    def read(self, token: str) -> Principal | None:
        """Return the bearer of a token, or `None` if we did not sign it."""
        if self._admin is not None and hmac.compare_digest(token.encode(), self._admin):
            return _ADMIN
        body, _, mac = token.rpartition(".")
        if len(token) > _LONGEST or not token.isascii() or not self._is_ours(body, mac):
            return None
        match body.split("."):
            case ["owner", match_id]:
                return Principal("owner", match_id)
            case ["seat", match_id, seat, _]:
                return Principal("seat", match_id, int(seat))
            case ["invite", match_id, seat, _]:
                return Principal("invite", match_id, int(seat))
            case _:
                return None

    def authenticate(self, authorization: str | None) -> Principal:
        """Return who sent a request with that `Authorization` header.

        Raises:
            Unauthenticated: there is a header, but no valid token in it.
        """
        if authorization is None:
            return ANONYMOUS
        scheme, _, token = authorization.partition(" ")
        principal = self.read(token.strip()) if scheme.lower() == "bearer" else None
        if principal is None:
            raise Unauthenticated('the token is not valid; send "Authorization: Bearer <token>"')
        return principal

    def derive(self, *words: object) -> bytes:
        """Return 32 secret bytes that belong to these words, always the same under one key."""
        return _mac(self._keys[0], "derive\0" + "\0".join(map(str, words)))

    def match_ids(self, command_id: str) -> tuple[str, ...]:
        """Return the id of the match that a `createMatch` makes, then those under older keys."""
        return tuple(
            b32encode(_mac(key, f"match\0{command_id}")[:15]).decode().lower() for key in self._keys
        )

    def _sign(self, body: str) -> str:
        return f"{body}.{_text(_mac(self._keys[0], f'token{chr(0)}{body}'))}"

    def _is_ours(self, body: str, mac: str) -> bool:
        valid = False
        for key in self._keys:
            valid |= hmac.compare_digest(_text(_mac(key, f"token\0{body}")), mac)
        return valid


def command_key(scope: str, command_id: str) -> str:
    """Return the id under which a command is stored.

    It depends on who sent it, so nobody reaches the answer to somebody else's command; and all look
    alike in a log, whether a client named them, the service did, or its clock.
    """
    return short(sha256(f"{scope}\0{command_id}".encode()).digest())


def short(digest: bytes) -> str:
    """Return 128 bits of a digest as 22 URL-safe characters."""
    return _text(digest[:16])


def check_access(principal: Principal, match_id: str) -> None:
    """Refuse a token of another match, whether or not the match asked for exists.

    Raises: Forbidden.
    """
    if principal.match_id is not None and principal.match_id != match_id:
        raise Forbidden("the token belongs to another match")


def check_visible(principal: Principal, match_id: str, match: Match[object], public: bool) -> None:
    """Hide a private match, until it is over, from whoever has no token of it.

    Then its log is everybody's, as is what stands in it. Raises: MatchNotFound.
    """
    if principal.kind == "anonymous" and not public and match.outcome is None:
        raise no_match(match_id)


def no_match(match_id: str) -> MatchNotFound:
    """Return the refusal that tells nothing about whether the match exists."""
    return MatchNotFound(f"there is no match {match_id}", match=match_id)


def seat_of(principal: Principal) -> Seat:
    """Return the seat that the token plays.

    Raises:
        Unauthenticated: there is no token.
        Forbidden: the token plays no seat.
    """
    if principal.kind == "anonymous":
        raise Unauthenticated("this needs the token of a seat")
    if principal.kind != "seat" or principal.seat is None:
        raise Forbidden("this needs the token of a seat")
    return principal.seat


def own_seat(principal: Principal) -> Seat | None:
    """Return the seat that the token plays, if it plays one."""
    return principal.seat if principal.kind == "seat" else None


def check_owner(principal: Principal) -> None:
    """Refuse whoever is neither the owner nor an admin. Raises: Unauthenticated, Forbidden."""
    if principal.kind == "anonymous":
        raise Unauthenticated("this needs the token of the owner")
    if principal.kind not in ("owner", "admin"):
        raise Forbidden("this is up to the owner")


def check_secret(command_id: str | None) -> None:
    """Refuse a command id that could be guessed, where a repeat of it answers with tokens.

    Raises: Malformed.
    """
    if command_id is not None and len(command_id) < _SHORTEST_SECRET:
        complaint = f"has to be a secret of {_SHORTEST_SECRET} characters or more here"
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
    return principal.seat if principal.kind == "seat" else None


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
