"""Tokens that may do less or end, and logs that are opened."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.engine.chance import Chance
from service.auth import Principal
from service.store import EventStore
from service.tokens import Keyring
from tests.kit.service import Clock, Table, Who, answered, lay, refused
from tests.service.identity.test_rotation import closed
from tests.service.live.serving import connected, serving, streaming, token_of

pytestmark = pytest.mark.anyio

KEY = b"k" * 32
VOID = (401, "unauthenticated")
SCREEN = 8  # where tests keep the token of a second screen


async def issued(table: Table, who: Who, **body: Any) -> dict[str, Any]:
    token = answered(await table.post("/tokens", body, who))
    table.tokens[SCREEN] = token["token"]
    return token


class Hand:
    """A clock in seconds that moves when told."""

    now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def test_a_limited_token_says_what_it_may() -> None:
    hand = Hand()
    keys = Keyring((KEY,), clock=hand)
    for bearer in (
        Principal("seat", "m", 2, 3, reads=True, issued=True),
        Principal("seat", "m", 1, 0, issued=True),
        Principal("seat", "m", 0, 0, expires=1_700_000_060, issued=True),
        Principal("spectator", "m", None, 1, reads=True, expires=1_700_000_060, issued=True),
    ):
        token = keys.limited(bearer)
        assert token.startswith("v2.")
        assert keys.read(token) == bearer
        assert keys.authenticate(f"Bearer {token}") == bearer
        changed = [token.replace(".read.", ".play."), token.replace("v2.", "v3."), token + "A"]
        assert {keys.read(one) for one in changed if one != token} == {None}


def test_a_kind_that_is_not_issued_is_not_taken() -> None:
    keys = Keyring((KEY,))
    assert keys.read(keys.limited(Principal("invite", "m", 1))) is None


def test_a_token_ends_at_its_time() -> None:
    hand = Hand()
    keys = Keyring((KEY,), clock=hand)
    bearer = Principal("seat", "m", 0, expires=keys.until(60))
    assert not keys.is_over(bearer)
    hand.now += 60
    assert keys.is_over(bearer)
    assert not keys.is_over(Principal("seat", "m", 0))


async def test_a_second_screen_sees_what_the_seat_sees_and_changes_nothing(
    http: httpx.AsyncClient,
) -> None:
    table = await lay(http)
    seat = await table.next_seat()
    assert seat is not None
    token = await issued(table, seat, seat=seat)
    assert (token["seat"], token["scope"], token["expires"]) == (seat, "read", None)
    assert await table.view(SCREEN) == await table.view(seat)
    moves = (await table.legal(SCREEN))["moves"]
    assert moves == (await table.legal(seat))["moves"]
    for path, body in (
        ("/moves", moves[0]["body"]),
        ("/moves", {**moves[0]["body"], "dryRun": True}),
        ("/concede", {}),
        ("/token", {}),
        ("/tokens", {"seat": seat}),
        ("/fork", {"at": 3}),
    ):
        assert refused(await table.post(path, body, SCREEN)) == (403, "forbidden")


async def test_a_token_that_plays_without_end_replaces_none(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    token = await issued(table, 0, seat=0, scope="play")
    assert (token["scope"], token["expires"]) == ("play", None)
    for body in ({}, {"seat": 0}, {"commandId": "s" * 16}):
        assert refused(await table.post("/token", body, SCREEN)) == (403, "forbidden")
    # Nor does one that it has issued in its turn.
    table.tokens[SCREEN] = answered(
        await table.post("/tokens", {"seat": 0, "scope": "play"}, SCREEN)
    )["token"]
    assert refused(await table.post("/token", {}, SCREEN)) == (403, "forbidden")
    answered(await table.post("/token", {}, 0))
    assert refused(await table.get("", SCREEN)) == VOID


async def test_a_token_that_plays_ends_and_replaces_none(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    seat = await table.next_seat()
    assert seat is not None
    token = await issued(table, seat, seat=seat, scope="play", seconds=60)
    assert token["scope"] == "play"
    assert refused(await table.post("/token", {}, SCREEN)) == (403, "forbidden")
    longer = answered(
        await table.post("/tokens", {"seat": seat, "scope": "play", "seconds": 9999}, SCREEN)
    )
    assert longer["expires"] == token["expires"]
    answered(await table.move(SCREEN, (await table.legal(SCREEN))["moves"][0]["body"]))


async def test_the_owner_lets_somebody_watch_a_private_match(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    refusal = await table.post("/tokens", {"scope": "play"}, "owner")
    assert refused(refusal) == (400, "malformed")
    assert refusal.json()["errors"] == [
        {"path": "scope", "message": '"play" is for a seat; name it in `seat`'}
    ]
    token = await issued(table, "owner")
    assert (token["seat"], token["scope"]) == (None, "read")
    view = await table.view(SCREEN)
    assert view["viewer"] is None
    assert all(set(seat["hand"]) == {None} for seat in view["board"]["seats"])
    listed = await http.get("/v1/matches?visibility=mine", headers=table.bearer(SCREEN))
    assert [edge["node"]["matchId"] for edge in answered(listed)["edges"]] == [table.id]
    assert '"viewer":"spectator"' in (await table.get("/log", SCREEN)).text
    assert refused(await table.get("/legal-moves", SCREEN)) == (403, "forbidden")


async def test_nobody_issues_a_token_of_somebody_else(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    bodies: tuple[tuple[Who, dict[str, Any]], ...]
    bodies = (("owner", {"seat": 0}), ("admin", {"seat": 0}), (1, {"seat": 0}), (1, {}))
    for who, body in bodies:
        assert refused(await table.post("/tokens", body, who)) == (403, "forbidden")
    assert refused(await table.post("/tokens", {"seat": 0})) == (404, "match_not_found")
    public = await lay(http, visibility="public")
    assert refused(await public.post("/tokens", {})) == VOID
    too_short = await table.post("/tokens", {"seat": 0, "seconds": 1}, 0)
    assert refused(too_short) == (400, "malformed")


async def test_what_a_token_issued_goes_with_it(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    await issued(table, 0, seat=0)
    answered(await table.post("/token", {}, 0))
    assert refused(await table.get("", SCREEN)) == VOID


async def test_an_expired_token_is_refused_and_what_it_opened_ends(
    memory: EventStore, tmp_path: Path
) -> None:
    clock = Clock()
    async with serving(memory, tmp_path, clock=clock) as served:
        table = await lay(served.client)
        token = await issued(table, 0, seat=0, seconds=60)
        assert token["expires"] == (1_700_000_000 + 60) * 1000
        async with (
            connected(served.socket_url, token_of(table, SCREEN)) as screen,
            connected(served.socket_url, token_of(table, 0)) as seat,
            streaming(served, table, SCREEN) as stream,
        ):
            await stream.event()
            await served.bearers.check()
            clock.now += 60_000
            assert refused(await table.get("", SCREEN)) == VOID
            await served.bearers.check()
            assert await closed(screen.socket) == (4403, "the token is not valid any more")
            while await stream.event() is not None:
                pass
            await seat.send("ping")
            assert await seat.receive() == {"type": "pong"}


async def test_every_seat_learns_that_the_owner_looks_into_the_log(
    http: httpx.AsyncClient,
) -> None:
    table = await lay(http)
    before = await table.view(1)
    assert before["logOpened"] is False
    log = (await table.get("/log", "owner")).text
    assert '"viewer":"all"' in log
    assert log.splitlines()[-1].count("match.log_opened") == 1
    after = await table.view(1)
    assert (after["logOpened"], after["version"]) == (True, before["version"] + 1)
    (event,) = answered(await table.get("/events", 1, after=before["version"]))["events"]
    assert (event["type"], event["seat"], event["data"]) == ("match.log_opened", None, {})
    # It counts from then on, so it is told once.
    assert (await table.get("/log", "owner")).text == log
    assert await table.step(Chance("11" * 16, 0))
    assert "match.log_opened" not in (await table.get("/log", "owner")).text.splitlines()[-1]


async def test_two_exports_at_once_are_told_once(memory: EventStore, tmp_path: Path) -> None:
    async with serving(memory, tmp_path) as here, serving(memory, tmp_path) as there:
        table = await lay(here.client)
        path, headers = f"/v1/matches/{table.id}/log", table.bearer("owner")
        version = (await table.view())["version"]
        answered(await there.client.get(f"/v1/matches/{table.id}", headers=headers))
        for served in (here, there):
            assert (await served.client.get(path, headers=headers)).is_success
        assert (await table.view())["version"] == version + 1


async def test_no_event_tells_of_a_log_that_was_everybodys(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    answered(await table.post("/concede", {}, 0))
    assert "match.log_opened" not in (await table.get("/log", "owner")).text
    public = await lay(http, visibility="public")
    for who in ("owner", "admin", 0, None):
        assert "match.log_opened" not in (await public.get("/log", who)).text
