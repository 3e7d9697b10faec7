"""Matches as the load generator sees them, and the two ways to send a move."""

import secrets
from collections.abc import Mapping
from random import Random
from typing import Any, Protocol

import msgspec
from msgspec import Struct

from schema.types import CreatedMatch, TakenSeat
from service.cli.connection import Connection

_RESULT = "version events { version type v at seat data } awaiting"
_CHOICE = "choice { id seat prompt options { id limit card hint } min max source shown }"
_OUTCOME = "outcome { winners reasons scores }"
CHOOSE = (
    "mutation ($input: ChooseInput!) "
    f"{{ choose(input: $input) {{ matchId {_RESULT} {_CHOICE} {_OUTCOME} }} }}"
)
_SEATS = "seats { seat hand handSize smallHands identity mission artifacts shown gone }"
_BOARD = (
    "board { ... on ChrononautsBoard { game variant turn turns openParadoxes paradoxLimit war "
    "timeline { year index kind shows patch reachable } drawPile discards identityPile "
    "identityDiscards missionPile missionDiscards waiting home "
    f"plays {{ seat card targets }} {_SEATS} }} }}"
)
BOARD = (
    "query ($id: String!) { match(id: $id) { matchId game ruleset version status createdAt options "
    "viewer awaiting deadline commitment seed salt seats { seat player bot conceded } "
    f"{_CHOICE} {_OUTCOME} {_BOARD} }} }}"
)


class Option(Struct):
    id: str


class Choice(Struct):
    id: int
    options: tuple[Option, ...]
    min: int
    max: int


class Event(Struct):
    version: int
    type: str


class State(Struct):
    """What a move answers, as far as it matters here."""

    version: int
    awaiting: tuple[int, ...]
    events: tuple[Event, ...] = ()
    choice: Choice | None = None
    outcome: Any = None


class _Legal(Struct):
    choice: Choice


class _Chosen(Struct):
    choose: State


class _Graphql(Struct):
    data: _Chosen


class Table:
    """One match and the tokens of its seats."""

    def __init__(self, match_id: str, tokens: tuple[str, ...]) -> None:
        self.match_id = match_id
        self.path = f"/v1/matches/{match_id}"
        self.over = False
        self.version = 0
        self.seat = 0
        self._tokens = tokens
        self._choice: Choice | None = None
        self.choice_id = 0
        self._pass = False

    def headers(self) -> dict[str, str]:
        """Return who asks: the seat whose turn it is."""
        return {"Authorization": f"Bearer {self._tokens[self.seat]}"}

    def take(self, state: State) -> None:
        """Go on from what a move answered."""
        self.version = state.version
        self.over = state.outcome is not None
        if self.over:
            return
        before = self.seat
        self.seat = state.awaiting[0]
        self._choice = state.choice if self.seat == before else None
        offered = [one.version for one in state.events if one.type == "choice.offered"]
        self.choice_id = offered[-1] if offered else self.choice_id
        # A card was just played: the other seat is asked about it and may pass unseen.
        last = [one.type for one in state.events[-2:]]
        self._pass = last == ["chrononauts.card_played", "choice.offered"]

    async def answer(
        self, connection: Connection, chance: Random | None, prefer: str = ""
    ) -> tuple[str, ...]:
        """Return the picks for the open choice: at random, or the first with that beginning."""
        if self._pass:
            return ()
        if self._choice is None:
            answer = await connection.ask("GET", f"{self.path}/legal-moves", self.headers())
            self._choice = msgspec.json.decode(answer.body, type=_Legal).choice
        choice = self._choice
        self.choice_id = choice.id
        ids = [option.id for option in choice.options]
        if chance is None:
            liked = [id for id in ids if id.startswith(prefer)][: choice.max]
            return tuple(liked[:1] or ids[: choice.min])
        count = choice.min or int(bool(ids) and chance.random() < 0.3)
        return tuple(chance.sample(ids, count))

    async def view(self, connection: Connection) -> None:
        """Read the board over REST."""
        _good(await connection.ask("GET", self.path, self.headers()), 200)

    async def view_unchanged(self, connection: Connection) -> None:
        """Read a board over REST that has not changed."""
        headers = {**self.headers(), "If-None-Match": f'"{self.version}"'}
        _good(await connection.ask("GET", self.path, headers), 304)

    async def view_graphql(self, connection: Connection) -> None:
        """Read the board over GraphQL."""
        body = {"query": BOARD, "variables": {"id": self.match_id}}
        raw = msgspec.json.encode(body)
        answer = _good(await connection.ask("POST", "/graphql", self.headers(), raw), 200)
        assert b'"errors"' not in answer, answer[:300]


class Transport(Protocol):
    """A way to send a move."""

    async def move(self, connection: Connection, table: Table, picks: tuple[str, ...]) -> None:
        """Answer the open choice of the table."""


class Rest:
    """The general move over REST."""

    async def move(self, connection: Connection, table: Table, picks: tuple[str, ...]) -> None:
        """Answer the open choice of the table."""
        body = {"type": "choose", "choice": table.choice_id, "picks": picks}
        headers = {**table.headers(), "Idempotency-Key": secrets.token_hex(12)}
        raw = msgspec.json.encode(body)
        answer = await connection.ask("POST", f"{table.path}/moves", headers, raw)
        table.take(msgspec.json.decode(_good(answer, 200), type=State))


class Graphql:
    """The same move as a named mutation."""

    async def move(self, connection: Connection, table: Table, picks: tuple[str, ...]) -> None:
        """Answer the open choice of the table."""
        move = {
            "matchId": table.match_id,
            "choice": table.choice_id,
            "picks": picks,
            "commandId": secrets.token_hex(12),
        }
        raw = msgspec.json.encode({"query": CHOOSE, "variables": {"input": move}})
        answer = _good(await connection.ask("POST", "/graphql", table.headers(), raw), 200)
        assert b'"errors"' not in answer, answer[:300]
        table.take(msgspec.json.decode(answer, type=_Graphql).data.choose)


async def laid_out(
    connection: Connection,
    seats: int,
    options: Mapping[str, object] | None = None,
    visibility: str = "private",
) -> Table:
    """Create a match, take its seats, and return it ready for its first move."""
    setup = {
        "game": "chrononauts",
        "seats": seats,
        "options": options or {},
        "visibility": visibility,
    }
    created = await _send(connection, "/v1/matches", setup)
    made = msgspec.json.decode(created, type=CreatedMatch)
    path = f"/v1/matches/{made.match_id}"
    tokens = []
    for place in made.invites:
        taken = await _send(connection, f"{path}/seats", {"invite": place.invite})
        tokens.append(str(msgspec.json.decode(taken, type=TakenSeat).token))
    table = Table(made.match_id, tuple(tokens))
    answer = _good(await connection.ask("GET", path, table.headers()), 200)
    table.take(msgspec.json.decode(answer, type=State))
    return table


async def _send(connection: Connection, path: str, body: dict[str, Any]) -> bytes:
    headers = {"Idempotency-Key": secrets.token_hex(16)}
    answer = await connection.ask("POST", path, headers, msgspec.json.encode(body))
    return _good(answer, 200, 201)


def _good(answer: Any, *statuses: int) -> bytes:
    assert answer.status in statuses, (answer.status, answer.body[:300])
    body: bytes = answer.body
    return body
