"""An OpenID provider as a process of its own: Authlib's, as packaged for tests.

It speaks the real protocol over HTTP (discovery, authorization code, signed tokens) and lets
anybody log in. Each start makes it a new key, as after a rotation. The certified provider of
`tests/browser` needs Node.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs, urlsplit

import httpx

from service.store.launch import wait_until
from tests.kit.servers import free_port

_READY_SECONDS = 30.0
_CALLBACK = "http://127.0.0.1/callback"


class Provider:
    """One provider on a port that stays the same over its restarts."""

    def __init__(self) -> None:
        self.port = free_port()
        self.issuer = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, with a key of its own, and return when it answers."""
        words = ("-m", "oidc_provider_mock", "--port", str(self.port))
        self._process = subprocess.Popen(
            [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert wait_until(self._answers, _READY_SECONDS), "the provider does not get ready"

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def token(self, subject: str, audience: str = "stele") -> str:
        """Let somebody log in for an audience; the ID token, by way of an authorization code."""
        asked = {
            "client_id": audience,
            "redirect_uri": _CALLBACK,
            "response_type": "code",
            "scope": "openid",
        }
        with httpx.Client(base_url=self.issuer, timeout=20) as client:
            sent = client.post("/oauth2/authorize", params=asked, data={"sub": subject})
            (code,) = parse_qs(urlsplit(sent.headers["location"]).query)["code"]
            given = {"grant_type": "authorization_code", "code": code, "redirect_uri": _CALLBACK}
            answer = client.post("/oauth2/token", data=given, auth=(audience, "any"))
        token: str = answer.raise_for_status().json()["id_token"]
        return token

    def keys(self) -> bytes:
        """Return its public keys, as it tells them."""
        return httpx.get(f"{self.issuer}/jwks", timeout=20).content

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.issuer}/jwks", timeout=2).is_success
        except httpx.HTTPError:
            return False


@contextmanager
def running_provider() -> Iterator[Provider]:
    """Give a running provider."""
    provider = Provider()
    try:
        provider.start()
        yield provider
    finally:
        provider.stop()
