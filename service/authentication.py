"""Who sent a request, by its `Authorization` header: a token of ours, or one of an account."""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from starlette.requests import HTTPConnection

from service.auth import Principal
from service.settings import Settings
from service.tokens import Keyring, bearer_token

_LONGEST: Final = 8_192


class AccountTokens(Protocol):
    """What tells accounts by their tokens."""

    async def principal(self, token: str) -> Principal:
        """Return the account that bears a token. Raises: Unauthenticated, ProviderUnavailable."""

    async def close(self) -> None:
        """Let go of the connections."""


class Authentication:
    """Tells who sent a request; of tokens of ours at once, as no other work is needed for it."""

    def __init__(self, keys: Keyring, accounts: AccountTokens | None = None) -> None:
        self._keys = keys
        self._accounts = accounts

    def __call__(self, connection: HTTPConnection) -> Principal | Awaitable[Principal]:
        """Return the principal. Raises: Unauthenticated, ProviderUnavailable."""
        header = connection.headers.get("authorization")
        if self._accounts is not None and header is not None:
            token = bearer_token(header)
            if looks_like_jwt(token):
                return self._accounts.principal(token)
        return self._keys.authenticate(header)

    async def close(self) -> None:
        """Let go of the connections to the provider."""
        if self._accounts is not None:
            await self._accounts.close()


def authentication(settings: Settings, keys: Keyring, clock: Callable[[], float]) -> Authentication:
    """Return what the settings ask for; `clock` is in seconds."""
    if settings.oidc_issuer is None or settings.oidc_audience is None:
        return Authentication(keys)
    # Imported here, for it takes time and not every service has accounts.
    from service.accounts import Accounts

    return Authentication(keys, Accounts(settings.oidc_issuer, settings.oidc_audience, clock))


def looks_like_jwt(token: str) -> bool:
    """Tell whether a token can be one of a provider; ours never look like that."""
    return token.startswith("ey") and token.count(".") == 2 and len(token) <= _LONGEST
