"""Accounts: bearers of tokens that an OpenID provider has signed.

Theory of operation. The provider is found by its issuer (OpenID Connect Discovery); its public keys
are kept. They are asked for again when they are some minutes old, and when a token names a key that
is not among them, as after a rotation; but not twice within some seconds, so that made-up tokens
cannot make this service pester the provider. While the provider does not answer, the keys that are
known go on for a while; a token that would need others is answered with 503, and nobody else
notices. A token is verified once; then it is remembered, until it ends or the keys come anew.

An account is the digest of issuer and subject; neither is ever stored or logged.
"""

import asyncio
import hashlib
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

import httpx
import jwt

from schema.errors import ProviderUnavailable, Unauthenticated
from service.auth import Principal
from service.settings import is_safe_provider
from service.tokens import short

ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
LEEWAY_SECONDS: Final = 30
FRESH_SECONDS: Final = 600  # that keys are taken as they are
KEPT_SECONDS: Final = 3_600  # while the provider does not answer
PAUSE_SECONDS: Final = 10  # between two requests to the provider
_TIMEOUT_SECONDS: Final = 5.0
_REMEMBERED: Final = 10_000

_log = logging.getLogger(__name__)


class ProviderKeys:
    """The public keys of one provider."""

    def __init__(self, issuer: str, clock: Callable[[], float]) -> None:
        """Know nothing yet; `clock` is in seconds."""
        self._issuer = issuer
        self._clock = clock
        self._client: httpx.AsyncClient | None = None
        self._lock = asyncio.Lock()
        self._keys: Mapping[str | None, jwt.PyJWK] = {}
        self._got_at: float | None = None
        self._asked_at: float | None = None
        self.edition = 0  # counts up whenever the provider has answered

    async def fresh(self) -> None:
        """Ask for the keys again if they have grown old. Raises: ProviderUnavailable."""
        if self._got_at is None or self._clock() - self._got_at >= FRESH_SECONDS:
            await self.renew()

    async def find(self, kid: str | None) -> jwt.PyJWK | None:
        """Return the key of that id, or the only one if a token names none.

        Raises: ProviderUnavailable.
        """
        if kid not in self._keys:
            await self.renew()
            if kid not in self._keys and self._asked_at != self._got_at:
                raise _unavailable()  # it may be a new key
        return self._keys.get(kid)

    async def close(self) -> None:
        """Let go of the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def renew(self) -> None:
        """Ask the provider, unless somebody just has. Raises: ProviderUnavailable."""
        async with self._lock:
            now = self._clock()
            if self._asked_at is None or now - self._asked_at >= PAUSE_SECONDS:
                self._asked_at = now
                try:
                    self._take(await self._fetch(), now)
                except (httpx.HTTPError, ValueError, jwt.PyJWTError) as error:
                    _log.warning("the identity provider gives no keys: %s", type(error).__name__)
            if self._got_at is None or now - self._got_at >= KEPT_SECONDS:
                raise _unavailable()

    def _take(self, keys: Mapping[str | None, jwt.PyJWK], now: float) -> None:
        self._keys, self._got_at = keys, now
        self.edition += 1

    async def _fetch(self) -> Mapping[str | None, jwt.PyJWK]:
        about = await self._get(f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
        address = about.get("jwks_uri")
        if about.get("issuer") != self._issuer or not isinstance(address, str):
            raise ValueError("the document is not that of this issuer")
        if not is_safe_provider(address):
            raise ValueError("the keys are not at a safe address")
        found = [
            key
            for key in jwt.PyJWKSet.from_dict(await self._get(address)).keys
            if key.public_key_use in (None, "sig") and key.key_type != "oct"
        ]
        keys: dict[str | None, jwt.PyJWK] = {key.key_id: key for key in found}
        if len(found) == 1:
            keys[None] = found[0]
        return keys

    async def _get(self, address: str) -> dict[str, Any]:
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=_TIMEOUT_SECONDS)
        response = (await self._client.get(address)).raise_for_status()
        body = response.json()
        if not isinstance(body, dict):
            raise ValueError("the document is no object")
        return body


class Accounts:
    """Tells accounts by their tokens."""

    def __init__(self, issuer: str, audience: str, clock: Callable[[], float]) -> None:
        """Trust one issuer, for tokens to one audience; `clock` is in seconds."""
        self._issuer = issuer
        self._audience = audience
        self._clock = clock
        self._keys = ProviderKeys(issuer, clock)
        self._known: dict[bytes, Principal] = {}
        self._edition = 0

    async def principal(self, token: str) -> Principal:
        """Return the account that bears a token. Raises: Unauthenticated, ProviderUnavailable."""
        await self._keys.fresh()
        if self._edition != self._keys.edition:
            self._known.clear()
            self._edition = self._keys.edition
        digest = hashlib.sha256(token.encode()).digest()
        principal = self._known.get(digest)
        if principal is None:
            principal = await self._verified(token)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[digest] = principal
        if principal.expires is not None and self._clock() >= principal.expires:
            raise Unauthenticated("the token of the account has expired")
        return principal

    async def close(self) -> None:
        """Let go of the connections."""
        await self._keys.close()

    async def _verified(self, token: str) -> Principal:
        try:
            try:
                claims = await self._claims(token)
            except jwt.InvalidSignatureError:
                # A provider may sign with a new key under the old name, or name none.
                edition = self._keys.edition
                await self._keys.renew()
                if edition == self._keys.edition:
                    raise
                claims = await self._claims(token)
        except jwt.ExpiredSignatureError:
            raise Unauthenticated("the token of the account has expired") from None
        except jwt.InvalidAudienceError:
            raise Unauthenticated("the token of the account is for another audience") from None
        except jwt.PyJWTError:
            raise Unauthenticated("the token of the account is not valid") from None
        subject: str = claims["sub"]
        if not subject or any("\ud800" <= letter <= "\udfff" for letter in subject):
            raise Unauthenticated("the token of the account names nobody")
        return Principal(
            "account",
            expires=int(claims["exp"]) + LEEWAY_SECONDS,
            account=short(hashlib.sha256(f"{self._issuer}\0{subject}".encode()).digest()),
        )

    async def _claims(self, token: str) -> dict[str, Any]:
        """Return what a token says, once all of it is checked."""
        header = jwt.get_unverified_header(token)
        # Before anything is asked of the provider: never "none", never a secret for a key.
        if header.get("alg") not in ALGORITHMS:
            raise jwt.InvalidAlgorithmError
        key = await self._keys.find(header.get("kid"))
        if key is None:
            raise jwt.InvalidKeyError
        return jwt.decode(
            token,
            key,
            algorithms=ALGORITHMS,
            audience=self._audience,
            issuer=self._issuer,
            leeway=LEEWAY_SECONDS,
            options={"require": ["exp", "iss", "aud", "sub"]},
        )


def _unavailable() -> ProviderUnavailable:
    return ProviderUnavailable(
        "the identity provider gives no answer, so that tokens of accounts cannot be checked",
        retryAfter=PAUSE_SECONDS,
    )
