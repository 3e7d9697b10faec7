"""Secrets of webhooks, and what they sign with.

A secret is derived from a signing key and kept nowhere; the webhook holds the name of the key. So
it lives as long as that key is among the keys, as tokens do.
"""

import hmac
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from standardwebhooks import Webhook

from service.tokens import short

_NAME_BYTES: Final = 6


class Signer:
    """The signing keys, the current one first."""

    def __init__(self, keys: Sequence[bytes]) -> None:
        self._keys = {_name(key): key for key in reversed(keys)}
        self.current = _name(keys[0])
        self._newest = keys[0]

    def secret(self, key: str, match_id: str, hook: str, generation: int) -> str | None:
        """Return the secret that a webhook has by a key; None if that key is gone."""
        found = self._keys.get(key)
        if found is None:
            return None
        words = f"webhook\0{match_id}\0{hook}\0{generation}"
        return "whsec_" + b64encode(hmac.digest(found, words.encode(), "sha256")).decode()

    def alias(self, client: str) -> str:
        """Return what stands for a client and tells nobody who that is."""
        return short(hmac.digest(self._newest, f"client\0{client}".encode(), "sha256"))


def headers(id: str, at: int, body: str, secrets: Sequence[str]) -> dict[str, str]:
    """Return the headers of Standard Webhooks for a body sent at a time (ms since 1970)."""
    sent = datetime.fromtimestamp(at // 1000, UTC)
    signatures = [Webhook(secret).sign(id, sent, body) for secret in secrets]
    return {
        "webhook-id": id,
        "webhook-timestamp": str(at // 1000),
        "webhook-signature": " ".join(signatures),
    }


def _name(key: bytes) -> str:
    return hmac.digest(key, b"name of the key", "sha256")[:_NAME_BYTES].hex()
