"""Accounts of a provider that the OpenID Foundation has certified: `oidc-provider`, on Node."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from service.accounts import FRESH_SECONDS, PAUSE_SECONDS
from service.store import MemoryStore
from service.store.launch import wait_until
from tests.browser.test_node import HERE, INSTALL, run
from tests.kit.servers import free_port
from tests.kit.service import Clock, Table, answered, refused, service

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(600)]

AUDIENCE = "urn:stele"


@pytest.fixture(scope="module", autouse=True)
def _packages() -> None:
    run(*INSTALL)


class Certified:
    """The provider, on a port that stays the same over its restarts."""

    def __init__(self, directory: Path) -> None:
        self.issuer = f"http://127.0.0.1:{(port := free_port())}"
        self._words = ("node", "provider.mjs", str(port), str(directory))

    @contextmanager
    def running(self, *keys: str) -> Iterator[None]:
        """Run it with these keys, the first of which signs."""
        process = subprocess.Popen(
            [*self._words, *keys],
            cwd=HERE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert wait_until(self._answers, 60), "the provider does not get ready"
            yield
        finally:
            process.terminate()
            process.wait()

    def token(self, subject: str, audience: str = AUDIENCE) -> str:
        """Return an access token that a client got for an audience."""
        body = {"grant_type": "client_credentials", "resource": audience}
        answer = httpx.post(f"{self.issuer}/token", data=body, auth=(subject, "secret"))
        token: str = answer.raise_for_status().json()["access_token"]
        return token

    def _answers(self) -> bool:
        try:
            return httpx.get(f"{self.issuer}/jwks", timeout=2).is_success
        except httpx.HTTPError:
            return False


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def test_accounts_play_while_their_provider_changes_its_keys(tmp_path: Path) -> None:
    provider, clock = Certified(tmp_path), Clock()
    settings: dict[str, Any] = {"oidc_issuer": provider.issuer, "oidc_audience": AUDIENCE}
    async with service(MemoryStore(), tmp_path, clock, **settings) as client:
        with provider.running("a:RS256"):
            ann, bob = provider.token("ann"), provider.token("bob")
            elsewhere = provider.token("ann", "urn:another")
            body = {"game": "chrononauts", "seats": 2}
            made = await client.post("/v1/matches", json=body, headers=bearer(ann))
            table = Table(client, answered(made))
            table.tokens = {0: ann, 1: bob}
            for seat in (0, 1):
                answered(await table.post("/seats", {"invite": table.invites[seat]}, seat))
            assert await table.step(Chance("21" * 16, 0))
            answer = await client.get("/v1/games", headers=bearer(elsewhere))
            assert refused(answer) == (401, "unauthenticated")
        with provider.running("b:ES256", "a:RS256"):
            table.tokens[0] = provider.token("ann")
            table.tokens[2] = ann
            clock.now += PAUSE_SECONDS * 1000
            for who in (0, 1, 2):
                assert (await table.view(who))["viewer"] == who % 2
            assert await table.step(Chance("22" * 16, 0))
        with provider.running("b:ES256"):
            clock.now += FRESH_SECONDS * 1000
            assert (await table.view(0))["viewer"] == 0
            # What the provider no longer vouches for counts no more, though it has not ended.
            assert refused(await table.get("", 2)) == (401, "unauthenticated")
            assert refused(await table.get("", 1)) == (401, "unauthenticated")
