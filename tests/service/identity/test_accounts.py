"""Accounts of an OpenID provider create matches, take seats and play them by their own token."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from hmac import digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import jwt
import pytest
import websockets
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from domain.engine.chance import Chance
from schema.authorisation import POLICIES, STATES, Role, State, refusal
from schema.errors import RateLimited
from schema.operations import OPERATIONS
from service.accounts import FRESH_SECONDS, KEPT_SECONDS, PAUSE_SECONDS
from service.auth import Principal
from service.bearers import Bearers
from service.rates import Rates
from service.store import EventStore
from tests.kit.provider import Provider, running_provider
from tests.kit.service import Body, Clock, Table, answered, lay, pick, refused, service
from tests.service.identity.matrix import (
    CHANGING,
    headers_of,
    over_graphql,
    over_rest,
    words_of,
    world,
)
from tests.service.identity.test_rotation import closed
from tests.service.live.serving import PROTOCOL, connected, serving, streaming

pytestmark = pytest.mark.anyio

VOID = (401, "unauthenticated")
HIDDEN = (404, "match_not_found")
DOWN = (503, "provider_unavailable")


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with running_provider() as one:
        yield one


def trusting(provider: Provider) -> dict[str, Any]:
    return {"oidc_issuer": provider.issuer, "oidc_audience": "stele"}


async def created(client: httpx.AsyncClient, token: str, **more: Any) -> Table:
    body = {"game": "chrononauts", "seats": 2, **more}
    answer = await client.post("/v1/matches", json=body, headers=headers_of(token))
    return Table(client, answered(answer))


async def mine(client: httpx.AsyncClient, token: str) -> list[str]:
    found = await client.get("/v1/matches?visibility=mine", headers=headers_of(token))
    return [edge["node"]["matchId"] for edge in answered(found)["edges"]]


async def test_an_account_plays_without_another_token(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    ann, bob, cy = (provider.token(name) for name in ("ann", "bob", "cy"))
    async with service(memory, tmp_path, **trusting(provider)) as client:
        table = await created(client, ann)
        sits: Body = {"invite": table.invites[0], "player": "Ann"}
        path = f"/v1/matches/{table.id}/seats"
        taken = answered(await client.post(path, json=sits, headers=headers_of(ann)))
        table.tokens = {0: ann, 1: bob, 8: taken["token"], 9: cy}
        # The owner may seat somebody; an account has one seat.
        again = await table.post("/seats", {"invite": table.invites[1]}, 0)
        assert refused(again) == (409, "seat_taken")
        assert refused(await table.get("", 1)) == HIDDEN
        answered(await table.post("/seats", {"invite": table.invites[1], "player": "Bob"}, 1))
        chance = Chance("77" * 16, 0)
        for _ in range(4):
            seat = (await table.view(0))["awaiting"][0]
            legal = answered(await table.get("/legal-moves", seat))
            answered(await table.move(seat, pick(legal, chance)))
        view = await table.view(0)
        assert view == await table.view(8)
        assert view["viewer"] == 0
        assert (await table.view(1))["viewer"] == 1
        for path in ("", "/legal-moves", "/events"):
            version = (await table.get(path, 0)).json()["version"]
            for tag, status in ((f'"{version}"', 304), ('"1"', 200)):
                headers = {**headers_of(ann), "If-None-Match": tag}
                answer = await client.get(f"/v1/matches/{table.id}{path}", headers=headers)
                assert answer.status_code == status, path
        # Who has no part in it learns nothing of it.
        for path in ("", "/events", "/log", "/describe"):
            assert refused(await table.get(path, 9)) == HIDDEN
        assert refused(await table.post("/concede", {}, 9)) == (403, "forbidden")
        missing = await client.post("/v1/matches/nothing/concede", json={}, headers=headers_of(cy))
        assert refused(missing) == (403, "forbidden")
        assert [await mine(client, token) for token in (ann, bob, cy)] == [
            [table.id],
            [table.id],
            [],
        ]


async def test_an_account_owns_what_it_created(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    ann, bob = provider.token("ann"), provider.token("bob")
    async with service(memory, tmp_path, **trusting(provider)) as client:
        table = await created(client, ann)
        table.tokens = {0: ann, 1: bob}
        for seat in (0, 1):
            answered(await table.post("/seats", {"bot": "random", "seat": seat}, 0))
        assert '"viewer":"all"' in (await table.get("/log", 0)).text
        fork = answered(await table.post("/fork", {"at": (await table.view(0))["version"]}, 0))
        copy = Table(client, fork)
        copy.tokens = dict(table.tokens)
        assert (await copy.view(0))["status"] == "open"
        assert refused(await copy.get("", 1)) == HIDDEN
        assert await mine(client, ann) == [copy.id, table.id]
        token = answered(await copy.post("/token", {}, 0))["token"]
        assert refused(await copy.get("", "owner")) == VOID
        copy.owner = token
        assert (await copy.view("owner"))["status"] == "open"


async def test_an_account_has_webhooks_of_its_seat_and_of_its_match(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    ann, bob = provider.token("ann"), provider.token("bob")
    async with service(memory, tmp_path, **trusting(provider)) as client:
        table = await created(client, ann)
        table.tokens = {0: ann, 1: bob}
        url = {"url": "https://hooks.example.org/"}
        assert refused(await table.post("/webhooks", url, 1)) == (403, "forbidden")
        of_match = answered(await table.post("/webhooks", url, 0))["webhook"]
        for seat in (0, 1):
            body = {"invite": table.invites[seat], "player": "somebody"}
            answered(await table.post("/seats", body, seat))
        of_seats = [answered(await table.post("/webhooks", url, who))["webhook"] for who in (0, 1)]
        assert [one["seat"] for one in (of_match, *of_seats)] == [None, 0, 1]
        for who, own in ((0, [of_match, of_seats[0]]), (1, [of_seats[1]])):
            assert answered(await table.get("/webhooks", who))["webhooks"] == own
        path = f"/v1/matches/{table.id}/webhooks/{of_match['id']}"
        left = await client.delete(path, headers=table.bearer(0))
        assert answered(left)["webhooks"] == [of_seats[0]]


async def test_the_log_names_no_account(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    ann = provider.token("ann")
    async with service(memory, tmp_path, **trusting(provider)) as client:
        names = set()
        for _ in range(2):
            table = await created(client, ann, visibility="public")
            table.tokens[0] = ann
            answered(await table.post("/seats", {}, 0))
            text = (await table.get("/log")).text
            first, second, *_ = [json.loads(line)["data"] for line in text.splitlines()[1:]]
            assert first["account"] == second["account"]
            names.add(first["account"])
            for word in ("ann", provider.issuer, sha256(b"ann").hexdigest()):
                assert word not in text
        # Another match, another name: nobody can tell that both were Ann's.
        assert len(names) == 2


@pytest.mark.parametrize("state", STATES, ids=lambda state: f"{state.phase.value}-{state.public}")
async def test_the_cells_of_a_stranger(
    memory: EventStore, tmp_path: Path, provider: Provider, state: State
) -> None:
    stranger = provider.token("stranger")
    async with service(memory, tmp_path, **trusting(provider)) as client:
        shared = await world(client, state)
        known = {code for policy in POLICIES.values() for code in policy.phases.values()}
        known |= {"unauthenticated", "forbidden", "match_not_found"}
        for row in OPERATIONS:
            told = refusal(row.name, Role.STRANGER, state)
            for ask in (over_rest, over_graphql):
                is_new = row.name in CHANGING and told is None
                table, _ = await world(client, state) if is_new else shared
                found = await ask(client, row, words_of(row, Role.STRANGER, state, table), stranger)
                assert found == told if told is not None else found not in known, row.name


async def test_what_a_provider_has_not_signed_is_no_account(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    def part(value: Body | bytes) -> str:
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        return urlsafe_b64encode(data).decode().rstrip("=")

    good = provider.token("ann")
    head, claims, mac = good.split(".")
    public = provider.keys()
    signed = f"{part({'alg': 'HS256'})}.{claims}"
    other = provider.token("bob").split(".")
    async with service(memory, tmp_path, **trusting(provider)) as client:
        for token in (
            f"{part({'alg': 'none'})}.{claims}.",
            f"{part({'alg': 'HS256'})}.{claims}.{mac}",
            f"{signed}.{part(digest(public, signed.encode(), 'sha256'))}",
            f"{part({'alg': 'RS256', 'kid': 'unknown'})}.{claims}.{mac}",
            f"{head}.{other[1]}.{mac}",
            f"{head}.{claims}.{mac[:-4]}AAAA",
            f"{head}.{part(b'no JSON')}.{mac}",
            f"{part(b'no JSON')}.{claims}.{mac}",
            f"{good}x" * 20,
            "eyJ.x.x",
            provider.token("ann", audience="another-service"),
        ):
            answer = await client.get("/v1/games", headers=headers_of(token))
            assert refused(answer) == VOID, token
        assert (await client.get("/v1/games", headers=headers_of(good))).is_success
    async with service(memory, tmp_path) as client:  # without accounts
        assert refused(await client.get("/v1/games", headers=headers_of(good))) == VOID


async def test_the_token_of_an_account_ends(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    ann, clock = provider.token("ann"), Clock()
    async with serving(memory, tmp_path, clock=clock, **trusting(provider)) as served:
        table = await created(served.client, ann)
        table.tokens[0] = ann
        answered(await table.post("/seats", {"invite": table.invites[0]}, 0))
        async with (
            connected(served.socket_url, ann) as follower,
            streaming(served, table, 0) as stream,
        ):
            await follower.subscribe(table.id)
            assert (await follower.update())["view"]["viewer"] == 0
            await stream.event()
            await served.bearers.check()
            clock.now = 4_000_000_000_000
            assert refused(await table.get("", 0)) == VOID
            await served.bearers.check()
            assert (await closed(follower.socket))[0] == 4403
            while await stream.event() is not None:
                pass


async def test_a_provider_that_changes_its_key_is_followed(
    memory: EventStore, tmp_path: Path
) -> None:
    clock = Clock()
    with running_provider() as provider:
        async with service(memory, tmp_path, clock, **trusting(provider)) as client:
            old = provider.token("ann")
            table = await created(client, old)
            provider.stop()
            provider.start()
            new = provider.token("ann")
            # The provider was asked a moment ago, and is left alone.
            assert refused(await client.get("/v1/games", headers=headers_of(new))) == VOID
            clock.now += PAUSE_SECONDS * 1000
            assert await mine(client, new) == [table.id]
            assert refused(await client.get("/v1/games", headers=headers_of(old))) == VOID


async def test_only_accounts_notice_that_the_provider_is_away(
    memory: EventStore, tmp_path: Path
) -> None:
    clock = Clock()
    with running_provider() as provider:
        ann = provider.token("ann")
        provider.stop()
        async with serving(memory, tmp_path, clock=clock, **trusting(provider)) as served:
            client = served.client
            answer = await client.get("/v1/games", headers=headers_of(ann))
            assert refused(answer) == DOWN
            assert answer.headers["retry-after"] == str(PAUSE_SECONDS)
            body = {"query": "{ games { name } }"}
            asked = await client.post("/graphql", json=body, headers=headers_of(ann))
            assert asked.status_code == 503
            async with websockets.connect(served.socket_url, subprotocols=[PROTOCOL]) as socket:
                hello = {"authorization": f"Bearer {ann}"}
                await socket.send(json.dumps({"type": "connection_init", "payload": hello}))
                assert (await closed(socket))[0] == 4503
            table = await lay(client)
            assert await table.step(Chance("12" * 16, 0))
            provider.start()
            ann = provider.token("ann")
            clock.now += PAUSE_SECONDS * 1000
            table = await created(client, ann)
            # Known keys go on for a while.
            provider.stop()
            clock.now += FRESH_SECONDS * 1000
            assert await mine(client, ann) == [table.id]
            clock.now += (KEPT_SECONDS - FRESH_SECONDS) * 1000
            assert refused(await client.get("/v1/games", headers=headers_of(ann))) == DOWN


async def test_a_key_that_is_not_known_while_the_provider_is_away(
    memory: EventStore, tmp_path: Path
) -> None:
    """It may be a new one, so the client is told to try again."""
    clock = Clock()
    with running_provider() as provider:
        ann = provider.token("ann")
        async with service(memory, tmp_path, clock, **trusting(provider)) as client:
            await mine(client, ann)
            provider.stop()
            clock.now += PAUSE_SECONDS * 1000
            _, claims, mac = ann.split(".")
            head = urlsafe_b64encode(b'{"alg":"RS256","kid":"new"}').decode().rstrip("=")
            token = f"{head}.{claims}.{mac}"
            assert refused(await client.get("/v1/games", headers=headers_of(token))) == DOWN
            assert await mine(client, ann) == []


async def test_an_issuer_that_calls_itself_otherwise_is_not_trusted(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    settings: dict[str, Any] = {"oidc_issuer": f"{provider.issuer}/", "oidc_audience": "stele"}
    ann = provider.token("ann")
    async with service(memory, tmp_path, **settings) as client:
        assert refused(await client.get("/v1/games", headers=headers_of(ann))) == DOWN


async def test_an_account_keeps_its_seat_when_keys_are_rotated(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    old, new, ann = "o" * 32, "n" * 32, provider.token("ann")
    async with service(memory, tmp_path, signing_keys=old, **trusting(provider)) as client:
        table = await created(client, ann)
        table.tokens[0] = ann
        answered(await table.post("/seats", {"invite": table.invites[0]}, 0))
    both = f"{new},{old}"
    async with service(memory, tmp_path, signing_keys=both, **trusting(provider)) as client:
        table.client = client
        assert (await table.view(0))["viewer"] == 0
        again = await table.post("/seats", {"seat": 1}, 0)
        assert refused(again) == (409, "seat_taken")
        assert await mine(client, ann) == [table.id]


async def test_a_command_of_an_account_counts_once_whatever_token_it_comes_with(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    phone, other = provider.token("ann"), provider.token("bob")
    async with service(memory, tmp_path, **trusting(provider)) as client:
        table = await created(client, phone, visibility="public")
        table.tokens = {0: phone, 1: provider.token("ann"), 2: other}
        body = {"commandId": "a-secret-of-the-client"}
        first = answered(await table.post("/seats", body, 0))
        assert answered(await table.post("/seats", body, 1)) == first
        assert answered(await table.post("/seats", body, 2))["seat"] == 1
        assert (await table.view(1))["viewer"] == 0


KEYS = {"keys": [{"kty": "oct", "k": "c2VjcmV0", "alg": "HS256", "kid": "k"}]}


@pytest.mark.parametrize(
    ("about", "keys"),
    [
        ({"issuer": "https://other.example", "jwks_uri": "{issuer}/jwks"}, KEYS),
        ({"issuer": "{issuer}", "jwks_uri": "http://other.example/jwks"}, KEYS),
        ({"issuer": "{issuer}"}, KEYS),
        (["no object"], KEYS),
        ({"issuer": "{issuer}", "jwks_uri": "{issuer}/jwks"}, {"keys": []}),
        ({"issuer": "{issuer}", "jwks_uri": "{issuer}/jwks"}, {"keys": "none"}),
        ({"issuer": "{issuer}", "jwks_uri": "{issuer}/missing"}, KEYS),
    ],
)
async def test_a_provider_that_talks_nonsense_is_as_good_as_away(
    memory: EventStore, tmp_path: Path, provider: Provider, about: object, keys: object
) -> None:
    pages = {"/.well-known/openid-configuration": about, "/jwks": keys}
    with talking(pages) as issuer:
        settings: dict[str, Any] = {"oidc_issuer": issuer, "oidc_audience": "stele"}
        async with service(memory, tmp_path, **settings) as client:
            answer = await client.get("/v1/games", headers=headers_of(provider.token("ann")))
            assert refused(answer) == DOWN
            assert (await client.get("/v1/games")).is_success


async def test_a_shared_secret_is_no_key(
    memory: EventStore, tmp_path: Path, provider: Provider
) -> None:
    about = {"issuer": "{issuer}", "jwks_uri": "{issuer}/jwks"}
    pages = {"/.well-known/openid-configuration": about, "/jwks": KEYS}
    with talking(pages) as issuer:
        claims = {"iss": issuer, "aud": "stele", "sub": "ann", "exp": 4_000_000_000}
        token = jwt.encode(claims, b"secret" * 8, "HS256", headers={"kid": "k"})
        settings: dict[str, Any] = {"oidc_issuer": issuer, "oidc_audience": "stele"}
        async with service(memory, tmp_path, **settings) as client:
            assert refused(await client.get("/v1/games", headers=headers_of(token))) == VOID


@pytest.mark.parametrize(
    "odd",
    [
        *({"sub": ""}, {"sub": "\ud800"}, {"sub": "ann\udfff"}, {"sub": 7}, {"sub": None}),
        *({"exp": float("inf")}, {"exp": float("nan")}, {"exp": True}, {"exp": [1]}, {"exp": "x"}),
        *({"nbf": float("inf")}, {"nbf": "x"}, {"iat": float("inf")}, {"iat": [1]}),
        *({"aud": 7}, {"aud": [7]}, {"aud": ["\ud800"]}, {"iss": 7}, {"iss": "\ud800"}),
    ],
    ids=ascii,
)
async def test_what_a_provider_signs_without_sense_is_no_account(
    memory: EventStore, tmp_path: Path, odd: dict[str, object]
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    public = {**json.loads(ECAlgorithm.to_jwk(key.public_key())), "kid": "k"}
    about = {"issuer": "{issuer}", "jwks_uri": "{issuer}/jwks"}
    with talking(
        {"/.well-known/openid-configuration": about, "/jwks": {"keys": [public]}}
    ) as issuer:

        def token(**more: object) -> str:
            claims = {"iss": issuer, "aud": "stele", "sub": "ann", "exp": 4_000_000_000, **more}
            text = json.dumps(claims).encode()
            return jwt.api_jws.encode(text, key, "ES256", headers={"kid": "k"})

        settings: dict[str, Any] = {"oidc_issuer": issuer, "oidc_audience": "stele"}
        async with service(memory, tmp_path, **settings) as client:
            assert refused(await client.get("/v1/games", headers=headers_of(token(**odd)))) == VOID
            assert (await client.get("/v1/games", headers=headers_of(token()))).is_success


@contextmanager
def talking(pages: Mapping[str, object]) -> Iterator[str]:
    """Serve these pages of a provider, in which `{issuer}` is its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = pages.get(self.path)
            text = json.dumps(page).replace("{issuer}", issuer).encode()
            self.send_response(404 if page is None else 200)
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        issuer = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield issuer
        finally:
            server.shutdown()
            thread.join()


def nothing() -> None:
    pass


def test_an_account_has_so_many_places_whatever_its_tokens() -> None:
    bearers = Bearers(places_each=2)
    phone = Principal("account", account="a", expires=1)
    tablet = Principal("account", account="a", expires=2)
    with bearers.bearing(phone, nothing), bearers.bearing(tablet, nothing):
        for who in (phone, tablet):
            with pytest.raises(RateLimited), bearers.bearing(who, nothing):
                pass
        with bearers.bearing(Principal("account", account="b"), nothing):
            pass
    with bearers.bearing(phone, nothing):
        pass


async def test_an_account_has_one_budget_wherever_it_is() -> None:
    rates = Rates(2, 60, clock=lambda: 0.0)
    phone = Principal("account", account="a", expires=1)
    tablet = Principal("account", account="a", expires=2)
    for who in (phone, tablet):
        await rates.spend(who, "match")
    with pytest.raises(RateLimited):
        await rates.spend(phone, "games")
    await rates.spend(Principal("account", account="b"), "games")
