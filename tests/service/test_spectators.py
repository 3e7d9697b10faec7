"""Spectators who are behind: whatever they ask, they get what others got some turns ago.

The owner of a public match looks on like a spectator who is not behind; all that it is told after
every commit is written down. What somebody behind is told has to stand there, word for word, under
the version that this test works out by itself: that at which a turn began, so many turns ago.
"""

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from domain.engine.chance import Chance
from domain.engine.codec import encode
from domain.engine.events import MatchCreated, Spectators
from domain.engine.playout import opening
from service import store as s
from service.auth import Principal
from service.live import Follower, Live
from service.matches import Matches, shown
from service.store import Commit, EventStore, MemoryStore
from tests.kit.service import Clock, Table, Who, answered, lay, pick, refused, service
from tests.service.outputs import everything

pytestmark = pytest.mark.anyio

SEED = "7e" * 16
ANYBODY = Principal("anonymous")
GAMES: Mapping[str, dict[str, Any]] = {
    "chrononauts": {"game": "chrononauts"},
    "ancient_knowledge": {"game": "ancient_knowledge"},
}
every_game = pytest.mark.parametrize("game", GAMES)


def behind(turns: int) -> dict[str, Any]:
    return {"policy": "delayed", "turns": turns}


async def outputs(table: Table, who: Who, version: int) -> dict[str, Any]:
    """Return what somebody is told who sees a match at that version, and asks for more."""
    asks: dict[str, tuple[str, dict[str, Any]]] = {
        "board": ("", {}),
        "first": ("", {"at": 1}),
        "same": ("", {"at": version}),
        "later": ("", {"at": version + 1}),
        "much later": ("", {"at": version + 100}),
        "events": ("/events", {"limit": 1000}),
        "last events": ("/events", {"after": version - 1}),
        "later events": ("/events", {"after": version + 3}),
        "text": ("/describe", {"recent": 20}),
        "text of then": ("/describe", {"at": version, "locale": "ja"}),
        "text of later": ("/describe", {"at": version + 1}),
        "log": ("/log", {}),
        "why": (f"/events/{version}/explain", {}),
        "why later": (f"/events/{version + 1}/explain", {}),
    }
    told: dict[str, Any] = {}
    for name, (path, params) in asks.items():
        told[name] = _told(await table.get(path, who, **params))
    for tag in (version, version + 1):
        headers = {**table.bearer(who), "If-None-Match": f'"{tag}"'}
        for path in ("", "/events", "/describe"):
            response = await table.client.get(f"/v1/matches/{table.id}{path}", headers=headers)
            told[f"{path} unless {tag}"] = response.status_code
    told["fork of later"] = _told(await table.post("/fork", {"at": version + 1}, who))
    query = """query($m: String!) { match(id: $m) { version status board { __typename } }
        events(matchId: $m) { version events { version type data } } describe(matchId: $m) { text }
        exportLog(matchId: $m) { text } }"""
    body = {"query": query, "variables": {"m": table.id}}
    headers = table.bearer(who)
    told["graphql"] = _told(await table.client.post("/graphql", json=body, headers=headers))
    return told


def _told(response: httpx.Response) -> tuple[int, str | None, str]:
    return response.status_code, response.headers.get("etag"), response.text


class Witness:
    """A match that one may watch as it goes on, and what was told at every version."""

    def __init__(self, table: Table, turns: int | None) -> None:
        self.table = table
        self.turns = turns
        self.told: dict[int, dict[str, Any]] = {}
        self.began: list[int] = []  # the versions that may be shown: at the start, at every turn
        self.begun = 0

    async def look(self) -> dict[str, Any]:
        """Write down what is told now, and return the board."""
        view = await self.table.view()
        version = view["version"]
        if version not in self.told:
            self.told[version] = await outputs(self.table, "owner", version)
            if view["status"] == "open":
                self.began = [version]
            elif view["board"]["turns"] > self.begun:
                self.began += [version] * (view["board"]["turns"] - self.begun)
                self.begun = view["board"]["turns"]
        return view

    @property
    def version(self) -> int:
        """The version that somebody behind sees."""
        return self.began[0 if self.turns is None else max(0, len(self.began) - 1 - self.turns)]

    async def check(self, *who: Who) -> None:
        """Compare what those who are behind are told with what was told at that version."""
        for one in who:
            told = await outputs(self.table, one, self.version)
            for name, answer in told.items():
                assert answer == self.told[self.version][name], (name, one)


async def begun(client: httpx.AsyncClient, game: str, spectators: dict[str, Any]) -> Witness:
    """Lay out a public match of three, watched from before its start."""
    table = await lay(
        client, 3, sit=False, visibility="public", spectators=spectators, **GAMES[game]
    )
    witness = Witness(table, spectators.get("turns"))
    for seat in range(3):
        await witness.look()
        await table.sit(seat)
        table.tokens[10 + seat] = table.invites[seat]
    return witness


@every_game
@pytest.mark.parametrize("spectators", [behind(1), behind(2), {"policy": "none"}], ids=str)
async def test_who_is_behind_is_told_what_others_were_told_then(
    http: httpx.AsyncClient, game: str, spectators: dict[str, Any]
) -> None:
    witness = await begun(http, game, spectators)
    table, seen = witness.table, set()
    for number in range(36):
        await witness.look()
        await witness.check(None, *([10] if number % 5 == 0 else []))
        seen.add(witness.version)
        await table.step(Chance(SEED, number))
    assert len(seen) == (1 if witness.turns is None else witness.begun - witness.turns + 1)
    assert witness.begun > 3
    view = await witness.look()
    assert witness.version < view["version"]
    assert {seat: (await table.view(seat))["version"] for seat in range(3)} == dict.fromkeys(
        range(3), view["version"]
    )
    assert (await table.view("admin"))["version"] == view["version"]
    for seat in (0, 1):
        answered(await table.post("/concede", {}, seat))
    # Once it is over, everything is open to everybody.
    version = (await table.view())["version"]
    assert await outputs(table, None, version) == await outputs(table, "owner", version)
    assert (await table.view(None))["board"]["seats"][0]["hand"] is not None


async def test_a_match_says_what_spectators_see(http: httpx.AsyncClient) -> None:
    shown = {
        "none": {"policy": "none", "turns": None},
        "public": {"policy": "public", "turns": None},
        "delayed": {"policy": "delayed", "turns": 1},
    }
    for policy, told in shown.items():
        table = await lay(http, 2, visibility="public", spectators={"policy": policy})
        assert (await table.view(None))["spectators"] == told
    table = await lay(http, 2)
    assert (await table.view())["spectators"] == shown["public"]
    delayed = await lay(http, 2, spectators=behind(3))
    assert (await delayed.view())["spectators"] == {"policy": "delayed", "turns": 3}
    assert refused(await delayed.get("")) == (404, "match_not_found")
    fork = await delayed.post("/fork", {"at": (await delayed.view())["version"]}, "owner")
    forked = Table(http, answered(fork))
    assert (await forked.view())["spectators"] == shown["public"]


@pytest.mark.parametrize(
    "spectators",
    [
        *({"policy": "all"}, {"turns": 3}, {"policy": "delayed", "turns": 0}, behind(21), "none"),
        *({"policy": "none", "turns": 3}, {"policy": "public", "turns": 1}),
    ],
    ids=str,
)
async def test_a_policy_that_makes_no_sense_is_refused(
    http: httpx.AsyncClient, spectators: Any
) -> None:
    body = {"game": "chrononauts", "seats": 2, "spectators": spectators}
    response = await http.post("/v1/matches", json=body)
    assert refused(response) == (400, "malformed")
    assert all(error["path"].startswith("spectators") for error in response.json()["errors"])


async def test_turns_of_no_delay_are_refused_by_graphql_too(http: httpx.AsyncClient) -> None:
    document = "mutation($in: CreateMatchInput!) { createMatch(input: $in) { matchId } }"

    async def made(**spectators: Any) -> Any:
        given = {"game": "chrononauts", "seats": 2, "spectators": spectators}
        body = {"query": document, "variables": {"in": given}}
        return (await http.post("/graphql", json=body)).json()

    assert "errors" not in await made(policy="none")
    assert "errors" not in await made(policy="delayed")
    assert "errors" not in await made(policy="public", turns=None)
    (error,) = (await made(policy="none", turns=2))["errors"]
    assert error["extensions"]["code"] == "malformed"
    assert 'only the policy "delayed" has turns' in error["message"]


class Reading(MemoryStore):
    """A store that notes the last version of what was read."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[int] = []

    async def load(
        self, match_id: str, after: int = 0, until: int | None = None
    ) -> tuple[Commit, ...]:
        commits = await super().load(match_id, after, until)
        self.read += [commit.last for commit in commits]
        return commits


@pytest.mark.parametrize("spectators", [{"policy": "none"}, behind(1)], ids=str)
async def test_what_spectators_may_not_see_is_not_even_read(
    tmp_path: Path, spectators: dict[str, Any]
) -> None:
    """So how long an answer takes does not tell how long the hidden part is."""
    store = Reading()
    async with service(store, tmp_path) as http:
        table = await lay(http, 2, visibility="public", spectators=spectators)
        for number in range(25):
            await table.step(Chance(SEED, number))
        newest, shown = [(await table.view(who))["version"] for who in (0, None)]
        assert shown < newest
        store.read.clear()
        await outputs(table, None, shown)
        await table.post("/fork", {"at": shown}, None)
        assert max(store.read) == shown


async def told_of(table: Table, who: Who) -> list[tuple[str, int, str]]:
    """Return all that somebody is told by any way, whatever is asked for."""
    told = [(one.way, one.status, one.body.decode()) async for one in everything(table, who)]
    async for response in _more(table, who):
        told.append((str(response.url), response.status_code, response.text))
    return told


async def _more(table: Table, who: Who) -> AsyncIterator[httpx.Response]:
    for version in range(1, 60, 3):
        yield await table.get(f"/events/{version}/explain", who)
        yield await table.get("", who, at=version)
        yield await table.get("/describe", who, at=version)
        yield await table.get("/events", who, after=version)
        yield await table.post("/fork", {"at": version + 60}, who)
        headers = {**table.bearer(who), "If-None-Match": f'"{version}"'}
        yield await table.client.get(f"/v1/matches/{table.id}", headers=headers)
    for body in ({"player": "me"}, {"player": "me", "seat": 1}, {"bot": "random"}):
        yield await table.post("/seats", body, who)
    for status in ("open", "running", "finished"):
        yield await table.client.get("/v1/matches", params={"status": status})


@every_game
async def test_nothing_tells_what_has_happened_since(tmp_path: Path, game: str) -> None:
    """Two worlds, the same up to some turn: whoever is behind cannot tell them apart."""
    worlds, bodies = [], []
    most = 2 if game == "chrononauts" else 1  # that the turn has room for
    for more, other in ((0, 0), (1, 0), (1, 5), (most, 7)):
        async with service(MemoryStore(), tmp_path, Clock()) as client:
            table = await lay(
                client,
                3,
                visibility="public",
                spectators=behind(1),
                commandId="the-same-in-all-worlds",
                **GAMES[game],
            )
            number = 0
            while (view := await table.view())["board"]["turns"] < 3:
                await table.step(Chance(SEED, number))
                number += 1
            for extra in range(more):
                seat = await table.next_seat()
                assert seat is not None
                legal = await table.legal(seat)
                plays = [move for move in legal["moves"] if move["type"] == "playCard"]
                legal["moves"] = plays or legal["moves"]
                body = pick(legal, Chance(SEED, 100 + extra + other))
                assert (await table.move(seat, body)).is_success
                bodies.append(body)
            after = await table.view()
            assert (after["version"] > view["version"]) == (more > 0)
            assert after["board"]["turns"] == 3, "the turn is still under way"
            table.tokens[10] = table.invites[0]
            worlds.append([await told_of(table, who) for who in (None, 10)])
    assert worlds[0] == worlds[1] == worlds[2] == worlds[3]
    assert bodies[0] != bodies[1]


async def test_an_undo_of_a_turn_shows_nothing_twice(memory: EventStore, tmp_path: Path) -> None:
    """A turn that is taken back and begins again has begun once; nothing is seen to go back."""
    matches = Matches(memory)
    async with service(memory, tmp_path) as client:
        table = await lay(client, 2, spectators=behind(1), visibility="public")
        seen = [(await table.view(None))["version"]]
        undone = 0
        for number in range(60):
            turn = (await table.view())["board"]["turns"]
            seat = await table.next_seat()
            assert seat is not None
            await table.step(Chance(SEED, number))
            if (await table.view())["board"]["turns"] > turn and number % 2:
                answered(await table.post("/undo", {}, seat))
                if (await table.view())["undo"]:
                    answered(await table.post("/undo", {"agree": True}, 1 - seat))
                assert (await table.view())["board"]["turns"] == turn
                undone += 1
            seen.append((await table.view(None))["version"])
            snapshot = await matches.newest(table.id)
            assert snapshot.behind is not None
            assert len(snapshot.behind.turns) == min(2, snapshot.behind.begun + 1)
            # What is folded from the store is what was kept from commit to commit.
            fresh = await Matches(memory).newest(table.id)
            assert fresh.behind == snapshot.behind
        assert undone > 3
        assert seen == sorted(seen)


async def taken(follower: Follower) -> list[int]:
    """Return the versions of what a follower is told now."""
    versions = []
    while follower._ahead or follower._channel.version > follower.version:
        update = await follower.next()
        assert update is not None
        versions += [event.version for event in update.value.events]
    return versions


@every_game
async def test_a_feed_goes_on_only_as_turns_pass(tmp_path: Path, game: str) -> None:
    store = MemoryStore()
    matches = Matches(store)
    live = Live(matches)
    async with service(store, tmp_path) as client:
        table = await lay(client, 3, visibility="public", spectators=behind(2), **GAMES[game])
        owner = Principal("owner", table.id)
        late = live.follow(await matches.visible(ANYBODY, table.id), ANYBODY, 0)
        early = live.follow(await matches.visible(owner, table.id), owner, 0)
        told: list[int] = []
        for number in range(40):
            for channel in (late._channel, early._channel):
                channel.stir()
                while channel._task is not None:
                    await channel._task
            visible = (await matches.visible(ANYBODY, table.id)).version
            told += await taken(late)
            await taken(early)
            assert late.version == visible
            assert early.version == (await matches.newest(table.id)).version
            assert late.version < early.version
            await table.step(Chance(SEED, number))
        assert told == list(range(1, late.version + 1))
        assert late.version > 10
        for seat in (0, 1):
            answered(await table.post("/concede", {}, seat))
        late._channel.stir()
        assert late._channel._task is not None
        await late._channel._task
        told += await taken(late)
        assert told == list(range(1, (await matches.newest(table.id)).version + 1))
        assert late.finished
        late.close()
        early.close()
        assert not live._channels


async def test_before_the_start_everybody_is_up_to_date(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3, sit=False, visibility="public", spectators={"policy": "none"})
    for seat in range(2):
        await table.sit(seat)
        assert await table.view(None) == await table.view()
    answered(await table.post("/seats", {"player": "anybody"}))
    view = await table.view(None)
    assert (view["status"], view["version"]) == ("open", 3)
    assert (view["seats"][2]["player"], view["board"]["turn"]) == (None, 0)
    refusal = await table.post("/seats", {"player": "too late"})
    assert refused(refusal) == (409, "match_not_open")
    listed = answered(await http.get("/v1/matches"))["edges"]
    # That it runs is told: whoever wants a seat learns it anyway.
    assert [edge["node"]["status"] for edge in listed] == ["running"]


async def test_a_log_whose_first_commit_starts_the_match_is_behind(memory: EventStore) -> None:
    """Such logs come from elsewhere, with all that came first in one commit."""
    events, match = opening("chrononauts", 2, SEED)
    first = events[0]
    assert isinstance(first, MatchCreated)
    log = encode([replace(first, spectators=Spectators(1)), *events[1:]])
    commit = s.Commit(1, match.version, 1_000, None, "c", "", log)
    await memory.create("m", commit, {"visibility": "public"})
    snapshot = await Matches(memory).newest("m")
    assert snapshot.version == match.version
    assert shown(ANYBODY, snapshot).version == 1
