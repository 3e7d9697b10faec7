"""Who may do what: owners, seats, guests with an invite, spectators, admins."""

from pathlib import Path

import httpx
import pytest

from domain.engine.chance import Chance
from service.auth import ANONYMOUS, Principal
from service.store import EventStore
from service.tokens import Keyring, command_key
from tests.kit.service import ADMIN_TOKEN, Table, answered, lay, refused, service

pytestmark = pytest.mark.anyio

OLD, NEW = b"o" * 32, b"n" * 32


def test_tokens_tell_who_bears_them() -> None:
    keys = Keyring((NEW,), ADMIN_TOKEN)
    assert keys.read(keys.owner_token("m")) == Principal("owner", "m")
    assert keys.read(keys.seat_token("m", 3)) == Principal("seat", "m", 3)
    assert keys.read(keys.invite("m", 2)) == Principal("invite", "m", 2)
    assert keys.read(ADMIN_TOKEN) == Principal("admin")
    assert keys.authenticate(None) == ANONYMOUS


def test_keys_can_be_rotated() -> None:
    token = Keyring((OLD,)).seat_token("m", 0)
    assert Keyring((NEW, OLD)).read(token) == Principal("seat", "m", 0)
    assert Keyring((NEW,)).read(token) is None
    assert Keyring((NEW, OLD)).seat_token("m", 0) == Keyring((NEW,)).seat_token("m", 0)


def test_tokens_of_earlier_builds_count_for_ever() -> None:
    keys = Keyring((b"k" * 32,))
    promised = {
        "owner.m.jNk2vSoYYhUW2KZofba0ZOOA05A8VHO8Gi35-w7AJpE": Principal("owner", "m"),
        "seat.m.3.0.1nEX-3CjTg7zBmzOC82Vm0fG2qs3j-AiaGSlp6kdsRU": Principal("seat", "m", 3),
        "invite.m.2.0.7Kv8-aW0ULq8K1ayDDtyrLd8KMFP5HQzg0pE5uZT4oY": Principal("invite", "m", 2),
        "v2.seat.m.3.1.read.4000000000.MDBI_-em4ShbRtU33fLGxKMKMbkd3DBKvI3xt0ct4kM": Principal(
            "seat", "m", 3, 1, reads=True, expires=4_000_000_000, issued=True
        ),
    }
    assert {token: keys.read(token) for token in promised} == promised


def test_a_changed_token_is_not_valid() -> None:
    keys = Keyring((NEW,), ADMIN_TOKEN)
    token = keys.seat_token("m", 0)
    changed = [token.replace("seat.m.0", "seat.m.1"), token.replace("seat", "owner"), token[:-1]]
    changed += [token + "A", token.upper(), "", ".", "seat.m.0.0.", "é", ADMIN_TOKEN + "x"]
    changed += [keys.invite("m", 0).replace("invite", "seat"), "." * 2000]
    for text in changed:
        assert keys.read(text) is None


def test_command_ids_of_two_scopes_are_stored_apart() -> None:
    assert command_key("seat:0", "once") != command_key("seat:1", "once")
    assert len(command_key("seat:0", "once")) == 22


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer x", "Basic dTpw", "Bearer seat.m.0.0.AAAA", "Bearer é"]
)
async def test_an_invalid_token_is_refused_everywhere(http: httpx.AsyncClient, header: str) -> None:
    table = await lay(http)
    sent = {b"Authorization": header.encode()}
    response = await http.get(f"/v1/matches/{table.id}", headers=sent)
    assert refused(response) == (401, "unauthenticated")
    assert response.headers["www-authenticate"] == "Bearer"


async def test_a_private_match_is_hidden_from_whoever_has_no_token_of_it(
    http: httpx.AsyncClient,
) -> None:
    table = await lay(http)
    unknown = Table(http, {"matchId": "nothing", "ownerToken": "", "invites": []})
    for path in ("", "/events", "/log"):
        hidden, missing = await table.get(path), await unknown.get(path)
        assert refused(hidden) == (404, "match_not_found")
        assert hidden.text.replace(table.id, "nothing") == missing.text
    other = await lay(http)
    for path in ("", "/events", "/log", "/legal-moves"):
        theirs = await http.get(f"/v1/matches/{table.id}{path}", headers=other.bearer(0))
        missing = await http.get(f"/v1/matches/nothing{path}", headers=other.bearer(0))
        assert refused(theirs) == (403, "forbidden")
        assert theirs.text == missing.text


async def test_a_private_match_is_everybodys_when_it_is_over(http: httpx.AsyncClient) -> None:
    table = await lay(http)
    answered(await table.post("/concede", {}, 0))
    assert (await table.view(None))["status"] == "finished"
    log = (await table.get("/log")).text
    assert '"viewer":"all"' in log


async def test_spectators_watch_a_public_match(http: httpx.AsyncClient) -> None:
    table = await lay(http, visibility="public")
    view = await table.view(None)
    assert view["viewer"] is None
    assert view["choice"] is None
    for seat in view["board"]["seats"]:
        assert set(seat["hand"]) == {None}
    assert view == await table.view("owner") == await table.view("admin")
    assert '"viewer":"spectator"' in (await table.get("/log")).text


async def test_moves_need_the_token_of_a_seat(http: httpx.AsyncClient) -> None:
    table = await lay(http, visibility="public")
    body = {"type": "respond", "card": None}
    for path, sent in (("/moves", body), ("/concede", {})):
        assert refused(await table.post(path, sent)) == (401, "unauthenticated")
        assert refused(await table.post(path, sent, "owner")) == (403, "forbidden")
        assert refused(await table.post(path, sent, "admin")) == (403, "forbidden")
    assert refused(await table.get("/legal-moves")) == (401, "unauthenticated")
    assert refused(await table.get("/legal-moves", "owner")) == (403, "forbidden")


async def test_the_owner_of_a_running_match_sees_no_hand_but_may_export_it(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    table = await lay(http)
    board = (await table.view("owner"))["board"]
    assert all(set(seat["hand"]) == {None} for seat in board["seats"])
    assert '"viewer":"all"' in (await table.get("/log", "owner")).text
    assert f"the full log of running match {table.id} was given to its owner" in caplog.text
    public = await lay(http, visibility="public")
    assert '"viewer":"spectator"' in (await public.get("/log", "owner")).text
    assert '"viewer":"all"' in (await public.get("/log", "admin")).text
    assert '"viewer":1' in (await public.get("/log", 1)).text


async def test_seats_of_a_private_match_are_taken_by_invite(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3, sit=False)
    other = await lay(http, 3, sit=False)
    assert refused(await table.post("/seats", {})) == (404, "match_not_found")
    for invite in (other.invites[0], "x", table.owner, table.invites[0] + "A"):
        assert refused(await table.post("/seats", {"invite": invite})) == (403, "forbidden")
    wrong = {"invite": table.invites[0], "seat": 1}
    assert refused(await table.post("/seats", wrong)) == (403, "forbidden")
    taken = await table.sit(0)
    assert (taken["seat"], taken["started"]) == (0, False)
    again = {"invite": table.invites[0], "player": "somebody else"}
    assert refused(await table.post("/seats", again)) == (409, "seat_taken")
    assert refused(await table.post("/seats", {}, 0)) == (403, "forbidden")
    assert answered(await table.post("/seats", {"player": "owner"}, "owner"))["seat"] == 1
    assert (await table.sit(2))["started"] is True
    assert refused(await table.post("/seats", again)) == (409, "match_not_open")


async def test_a_bot_is_seated_by_the_owner_only(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, sit=False, visibility="public")
    assert refused(await table.post("/seats", {"bot": "random"})) == (401, "unauthenticated")
    invited = {"bot": "random", "invite": table.invites[0]}
    assert refused(await table.post("/seats", invited)) == (403, "forbidden")
    seated = answered(await table.post("/seats", {"bot": "greedy", "seat": 1}, "owner"))
    assert seated["token"] is None
    assert (await table.view())["seats"][1] == {
        "seat": 1, "player": "greedy", "bot": "greedy", "conceded": False, "deadline": None,
    }  # fmt: skip


async def test_anybody_takes_a_free_seat_of_a_public_match(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, sit=False, visibility="public")
    taken = answered(await table.post("/seats", {"player": "somebody"}))
    assert taken["seat"] == 0
    assert refused(await table.post("/seats", {"seat": 7})) == (404, "unknown_seat")
    short = {"player": "x", "commandId": "short"}
    assert refused(await table.post("/seats", short)) == (400, "malformed")


async def test_a_repeated_seat_or_match_answers_the_same_tokens(http: httpx.AsyncClient) -> None:
    secret = "a-secret-of-the-client"
    body = {"game": "chrononauts", "seats": 2, "commandId": secret}
    first = answered(await http.post("/v1/matches", json=body))
    assert answered(await http.post("/v1/matches", json=body)) == first
    other = await http.post("/v1/matches", json={**body, "seats": 3})
    assert refused(other) == (409, "command_reused")
    short = await http.post("/v1/matches", json={**body, "commandId": "short"})
    assert refused(short) == (400, "malformed")
    table = Table(http, first)
    sits = {"invite": table.invites[1], "commandId": "a-secret-of-the-guest"}
    assert answered(await table.post("/seats", sits)) == answered(await table.post("/seats", sits))
    assert secret not in (await table.get("/log", "owner")).text


async def test_a_guest_keeps_its_command_id_from_whoever_else_has_the_invite(
    http: httpx.AsyncClient,
) -> None:
    table = await lay(http, 2, sit=False)
    for who in (None, "owner"):
        sits = {"invite": table.invites[0], "commandId": "1"}
        assert refused(await table.post("/seats", sits, who)) == (400, "malformed")
    answered(await table.post("/seats", {"bot": "random", "seat": 1, "commandId": "1"}, "owner"))


async def test_a_token_counts_for_nothing_in_a_url(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    table = await lay(http)
    for name in ("token", "access_token", "authorization"):
        given = {name: table.tokens[0]}
        for path in ("", "/events", "/log"):
            assert refused(await table.get(path, None, **given)) == (400, "malformed")
        query = {"query": f'{{ match(id: "{table.id}") {{ version }} }}', **given}
        answer = (await http.get("/graphql", params=query)).json()
        assert answer["errors"][0]["extensions"]["code"] == "match_not_found"
    ours = [record.getMessage() for record in caplog.records if "service" in record.name]
    assert ours
    assert not any(table.tokens[0] in line for line in ours)


async def test_a_match_created_under_an_old_key_is_found_again(
    memory: EventStore, tmp_path: Path
) -> None:
    body = {"game": "chrononauts", "seats": 2, "commandId": "a-secret-of-the-client"}
    old, new = OLD.decode(), NEW.decode()
    async with service(memory, tmp_path, signing_keys=old) as client:
        first = answered(await client.post("/v1/matches", json=body))
    async with service(memory, tmp_path, signing_keys=f"{new},{old}") as client:
        again = answered(await client.post("/v1/matches", json=body))
        assert again["matchId"] == first["matchId"]
        table = Table(client, first)
        assert (await table.view())["status"] == "open"


async def test_the_owner_starts_a_match_once(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, sit=False)
    assert refused(await table.post("/start", {})) == (401, "unauthenticated")
    assert refused(await table.post("/start", {}, "owner")) == (409, "seats_empty")
    await table.sit(0)
    await table.sit(1)
    assert refused(await table.post("/start", {}, 0)) == (403, "forbidden")
    assert refused(await table.post("/start", {}, "owner")) == (409, "match_not_open")


async def test_a_seat_that_conceded_makes_no_move(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3)
    answered(await table.post("/concede", {}, 1))
    for path, body in (("/concede", {}), ("/moves", {"type": "respond", "standing": True})):
        assert refused(await table.post(path, body, 1)) == (409, "seat_gone")
    assert await table.step(Chance("00", 0)) is not None
