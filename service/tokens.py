"""Signed tokens: what the service hands out, and whose they are.

A token is `kind.match[.seat][.generation].mac`; one that `issueToken` made begins with the version
of its format: `v2.kind.match.seat.generation.right.expires.mac`, with `-` for what it has none of.
All of it is URL-safe, and nothing of it secret but the MAC: HMAC-SHA256 under the first signing
key; every key verifies, so keys can be rotated. The same words always make the same token, so an
answer can be repeated and no token needs to be stored. The next generation of a token makes the
ones before void, with everything that was issued by it.
"""

import hmac
import time
from base64 import b32encode, urlsafe_b64encode
from collections.abc import Callable
from functools import lru_cache
from hashlib import sha256
from typing import Final

from domain.engine.ids import Seat
from schema.errors import Unauthenticated
from service.auth import ADMIN, ANONYMOUS, Principal

_LIMITED: Final = "v2"
_RIGHTS: Final = {"read": True, "play": False}  # by name: whether it only reads
_LONGEST: Final = 512
_KNOWN: Final = 4_096  # tokens whose bearers are remembered


class Keyring:
    """The signing keys, the current one first."""

    def __init__(
        self,
        keys: tuple[bytes, ...],
        admin_token: str | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        assert keys, "there is always a key"
        self._keys = keys
        self._admin = None if admin_token is None else admin_token.encode()
        self._clock = clock
        self._known = lru_cache(maxsize=_KNOWN)(self._read)

    def owner_token(self, match_id: str, generation: int = 0) -> str:
        """Return the token of whoever created the match."""
        return self._sign(f"owner.{match_id}.{generation}" if generation else f"owner.{match_id}")

    def seat_token(self, match_id: str, seat: Seat, generation: int = 0) -> str:
        """Return the token that plays a seat."""
        return self._sign(f"seat.{match_id}.{seat}.{generation}")

    def invite(self, match_id: str, seat: Seat) -> str:
        """Return what lets its bearer take a seat."""
        return self._sign(f"invite.{match_id}.{seat}.0")

    def limited(self, bearer: Principal) -> str:
        """Return a token that is issued to a seat or a spectator beside the own one."""
        seat = "-" if bearer.seat is None else bearer.seat
        right = "read" if bearer.reads else "play"
        expires = "-" if bearer.expires is None else bearer.expires
        words = (bearer.kind, bearer.match_id, seat, bearer.generation, right, expires)
        return self._sign(f"{_LIMITED}.{'.'.join(map(str, words))}")

    def read(self, token: str) -> Principal | None:
        """Return the bearer of a token, or `None` if we did not sign it."""
        # What is too long to be one of ours takes no memory either.
        return self._known(token) if len(token) <= _LONGEST else self._read(token)

    def _read(self, token: str) -> Principal | None:
        if self._admin is not None and hmac.compare_digest(token.encode(), self._admin):
            return ADMIN
        body, _, mac = token.rpartition(".")
        if len(token) > _LONGEST or not token.isascii() or not self._is_ours(body, mac):
            return None
        match body.split("."):
            case ["owner", match_id]:
                return Principal("owner", match_id)
            case ["owner", match_id, generation]:
                return Principal("owner", match_id, generation=int(generation))
            case ["seat", match_id, seat, generation]:
                return Principal("seat", match_id, int(seat), int(generation))
            case ["invite", match_id, seat, _]:
                return Principal("invite", match_id, int(seat))
            case ["v2", "seat" | "spectator" as kind, match_id, seat, generation, right, expires]:
                return Principal(
                    "seat" if kind == "seat" else "spectator",
                    match_id,
                    None if seat == "-" else int(seat),
                    int(generation),
                    reads=_RIGHTS[right],
                    expires=None if expires == "-" else int(expires),
                    issued=True,
                )
            case _:
                return None

    def authenticate(self, authorization: str | None) -> Principal:
        """Return who sent a request with that `Authorization` header.

        Raises:
            Unauthenticated: there is a header, but no valid token in it.
        """
        if authorization is None:
            return ANONYMOUS
        principal = self.read(bearer_token(authorization))
        if principal is None:
            raise Unauthenticated('the token is not valid; send "Authorization: Bearer <token>"')
        if self.is_over(principal):
            raise Unauthenticated("the token has expired")
        return principal

    def is_over(self, principal: Principal) -> bool:
        """Tell whether the time of a bearer is up."""
        return principal.expires is not None and self._clock() >= principal.expires

    def until(self, seconds: int) -> int:
        """Return when something ends that begins now and lasts so long."""
        return int(self._clock()) + seconds

    def bindings(self, match_id: str, account: str) -> tuple[str, ...]:
        """Return what stands for an account in a match, then the same under older keys.

        It differs from match to match, so that logs do not tell that two players are one.
        """
        text = f"account\0{match_id}\0{account}"
        return tuple(short(_mac(key, text)) for key in self._keys)

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


def bearer_token(authorization: str) -> str:
    """Return the token of an `Authorization` header; nothing if it is of another scheme."""
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def command_key(sender: str, command_id: str) -> str:
    """Return the id under which a command is stored.

    It depends on who sent it, so nobody reaches the answer to somebody else's command; and all look
    alike in a log, whether a client named them, the service did, or its clock.
    """
    return short(sha256(f"{sender}\0{command_id}".encode()).digest())


def short(digest: bytes) -> str:
    """Return 128 bits of a digest as 22 URL-safe characters."""
    return _text(digest[:16])


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
