"""The service in this process, reached over HTTP without a network, and tables to play at."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

import httpx

from domain.engine.chance import Chance
from service.app import create_app
from service.matches import now_ms
from service.settings import Settings
from service.store import EventStore

SIGNING_KEY = "a key for tests that is as long as it has to be"
ADMIN_TOKEN = "an admin token for tests"

Who = int | Literal["owner", "admin"] | None
Body = dict[str, Any]


def settings_for(directory: Path, **more: Any) -> Settings:
    """Return settings with a fixed key, and quick standing passes."""
    given = {
        "data_dir": directory,
        "signing_keys": SIGNING_KEY,
        "admin_token": ADMIN_TOKEN,
        "standing_pass_seconds": "0.01-0.03",
        "rate_limit": "off",
        **more,
    }
    return Settings(**given)


class Clock:
    """A clock that moves when told, in milliseconds since 1970."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now


@asynccontextmanager
async def service(
    store: EventStore, directory: Path, clock: Callable[[], int] = now_ms, **more: Any
) -> AsyncIterator[httpx.AsyncClient]:
    """Run the service on a store; a client of it."""
    app = create_app(settings_for(directory, **more), store, clock)
    transport = httpx.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=transport, base_url="http://stele") as client,
    ):
        yield client


class Table:
    """One match on a service, and the tokens for it."""

    def __init__(self, client: httpx.AsyncClient, created: Body) -> None:
        self.client = client
        self.id: str = created["matchId"]
        self.owner: str = created["ownerToken"]
        self.invites = [invite["invite"] for invite in created["invites"]]
        self.tokens: dict[int, str] = {}
        self.bots: set[int] = set()

    def bearer(self, who: Who) -> dict[str, str]:
        """Return the headers that say who is asking."""
        match who:
            case None:
                return {}
            case "owner":
                token = self.owner
            case "admin":
                token = ADMIN_TOKEN
            case int():
                token = self.tokens[who]
        return {"Authorization": f"Bearer {token}"}

    async def get(self, path: str = "", who: Who = None, **params: Any) -> httpx.Response:
        return await self.client.get(
            f"/v1/matches/{self.id}{path}", headers=self.bearer(who), params=params
        )

    async def post(
        self, path: str, body: Body, who: Who = None, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        return await self.client.post(
            f"/v1/matches/{self.id}{path}",
            json=body,
            headers={**self.bearer(who), **(headers or {})},
        )

    async def view(self, who: Who = "owner", **params: Any) -> Body:
        return answered(await self.get("", who, **params))

    async def legal(self, seat: int) -> Body:
        return answered(await self.get("/legal-moves", seat))

    async def move(
        self, seat: int, body: Body, headers: Mapping[str, str] | None = None
    ) -> httpx.Response:
        return await self.post("/moves", body, seat, headers)

    async def sit(self, seat: int, bot: str | None = None) -> Body:
        """Seat a player by invite, or a bot."""
        if bot is not None:
            self.bots.add(seat)
            return answered(await self.post("/seats", {"bot": bot, "seat": seat}, "owner"))
        body = {"invite": self.invites[seat], "player": f"player {seat}"}
        taken = answered(await self.post("/seats", body))
        self.tokens[seat] = taken["token"]
        return taken

    async def next_seat(self) -> int | None:
        """Return the first seat of a person that has to choose."""
        awaiting = (await self.view())["awaiting"]
        return next((seat for seat in awaiting if seat not in self.bots), None)

    async def step(self, chance: Chance) -> Body | None:
        """Let the first person asked make a random move; its answer, None if nobody is asked."""
        seat = await self.next_seat()
        if seat is None:
            return None
        return answered(await self.move(seat, pick(await self.legal(seat), chance)))

    async def to_window(self, chance: Chance) -> Body:
        """Play at random until somebody's play may be answered; the view then."""
        for _ in range(500):
            seat = await self.next_seat()
            assert seat is not None
            legal = await self.legal(seat)
            if legal["choice"]["prompt"] == "respond":
                return await self.view()
            plays = [move for move in legal["moves"] if move["type"] == "playCard"]
            legal["moves"] = plays or legal["moves"]
            answered(await self.move(seat, pick(legal, chance)))
        raise AssertionError("no window has opened")


def pick(legal: Body, chance: Chance) -> Body:
    """Return the body of a random move among those listed; where none are, a random answer."""
    choice = legal["choice"]
    if legal["moves"]:
        body: Body = legal["moves"][chance.below(len(legal["moves"]))]["body"]
        return body
    least, most = choice["min"], choice["max"]
    options = chance.shuffled(option["id"] for option in choice["options"])
    count = least + chance.below(most - least + 1)
    return {"type": "choose", "choice": choice["id"], "picks": options[:count]}


def choose(choice: Body, *picks: str) -> Body:
    """Return the body of the general move that answers a choice."""
    return {"type": "choose", "choice": choice["id"], "picks": list(picks)}


def answered(response: httpx.Response) -> Body:
    """Return the body of an answer that tells of success."""
    assert response.is_success, response.text
    body: Body = response.json()
    return body


def refused(response: httpx.Response) -> tuple[int, str]:
    """Return status and code of a refusal."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    return response.status_code, response.json()["code"]


async def lay(
    client: httpx.AsyncClient,
    seats: int = 2,
    bots: Mapping[int, str] | None = None,
    sit: bool = True,
    **more: Any,
) -> Table:
    """Create a match and seat everybody, so that it has started."""
    body = {"game": "chrononauts", "seats": seats, **more}
    table = Table(client, answered(await client.post("/v1/matches", json=body)))
    if sit:
        for seat in range(seats):
            await table.sit(seat, (bots or {}).get(seat))
    return table


T = TypeVar("T")


async def until(look: Callable[[], Awaitable[T | None]], seconds: float = 60) -> T:
    """Look again and again, and return the first thing found."""
    async with asyncio.timeout(seconds):
        while (found := await look()) is None:  # noqa: ASYNC110  # it lies behind HTTP
            await asyncio.sleep(0.005)
    return found


async def finished(table: Table) -> Body:
    """Return the view of a match once it is over."""

    async def look() -> Body | None:
        view = await table.view()
        return view if view["status"] == "finished" else None

    return await until(look)
