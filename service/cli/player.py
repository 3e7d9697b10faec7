"""A client that plays whole matches over HTTP, and gives up on nothing that a repeat can mend."""

import asyncio
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from service.cli.connection import Answer, Connection, ConnectionLost

RETRY_SECONDS = 60.0
"""How long a request is repeated while the service is away or asks for patience."""

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 2.0
_AGAIN = {429, 502, 503, 504}
_OVERTAKEN = {409, 412}
_PATIENCE = 20
"""Refusals in a row after which a match is left alone."""


class Failed(Exception):
    """A request that was refused, or never answered."""


class Stopped(Exception):
    """The time was up while a request was being repeated."""


class Sample(Struct, frozen=True):
    """One move that the service acknowledged."""

    match: str
    seat: int
    command: str
    version: int
    seconds: float


# What a player reads of the answers: no more, so that it plays with older and newer services too.
class _Invite(Struct):
    seat: int
    invite: str


class _Created(Struct, rename="camel"):
    match_id: str
    invites: tuple[_Invite, ...]


class _Taken(Struct):
    token: str


class _Option(Struct):
    id: str
    limit: int = 1


class _Choice(Struct):
    id: int
    options: tuple[_Option, ...]
    min: int
    max: int


class _Move(Struct):
    body: dict[str, Any]


class _Legal(Struct):
    choice: _Choice | None
    moves: tuple[_Move, ...]


class _Awaiting(Struct):
    version: int
    awaiting: tuple[int, ...]
    outcome: Any = None


Kind = TypeVar("Kind")


class Player:
    """Plays matches one after the other on one connection, every seat with its own token."""

    def __init__(
        self,
        url: str,
        chance: Random,
        played: Callable[[Sample], None],
        failed: Callable[[str], None],
        stop: Callable[[], bool],
    ) -> None:
        self._connection = Connection(url)
        self._chance = chance
        self._played = played
        self._failed = failed
        self._stop = stop

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    async def play(self, setup: dict[str, Any]) -> str | None:
        """Play a match to its end; return its id, or `None` if it was left before.

        Raises:
            Failed: the match could not be laid out, or not be looked at.
            Stopped: the time was up in the middle of a request.
        """
        made = await self._send("/v1/matches", setup, _Created)
        path = f"/v1/matches/{made.match_id}"
        tokens = []
        for place in made.invites:
            body = {"invite": place.invite, "player": f"swarm {place.seat}"}
            taken = await self._send(f"{path}/seats", body, _Taken)
            tokens.append(taken.token)
        return made.match_id if await self._play(made.match_id, path, tokens) else None

    async def _play(self, match_id: str, path: str, tokens: list[str]) -> bool:
        refusals = 0
        state = await self._look(path, tokens[0])
        while state.outcome is None:
            if self._stop():
                return False
            seat = state.awaiting[0]
            try:
                state = await self._ply(match_id, path, seat, tokens[seat])
                refusals = 0
            except Failed as refused:
                self._failed(f"{match_id}: {refused}")
                refusals += 1
                if refusals == _PATIENCE:
                    return False
                state = await self._look(path, tokens[0])
        return True

    async def _ply(self, match_id: str, path: str, seat: int, token: str) -> _Awaiting:
        answer = await self._ask("GET", f"{path}/legal-moves", token)
        legal = _read(answer, _Legal)
        if legal.choice is None:
            # Its window closed meanwhile, or a repeat of ours had been heard.
            return await self._look(path, token)
        command = _command()
        body = msgspec.json.encode(self._move(legal.choice, legal.moves))
        began = time.perf_counter()
        answer, repeated = await self._repeat("POST", f"{path}/moves", token, command, body)
        seconds = time.perf_counter() - began
        if repeated and answer.status in _OVERTAKEN:
            return await self._look(path, token)
        state = _read(answer, _Awaiting)
        self._played(Sample(match_id, seat, command, state.version, seconds))
        return state

    def _move(self, choice: _Choice, moves: tuple[_Move, ...]) -> dict[str, Any]:
        if moves:
            body = self._chance.choice(moves).body
            if body["type"] != "choose":
                return body
        room = [option.id for option in choice.options for _ in range(option.limit)]
        count = self._chance.randint(choice.min, choice.max)
        picks = self._chance.sample(room, count)
        return {"type": "choose", "choice": choice.id, "picks": picks}

    async def _look(self, path: str, token: str) -> _Awaiting:
        answer = await self._ask("GET", path, token)
        return _read(answer, _Awaiting)

    async def _send(self, path: str, body: dict[str, Any], kind: type[Kind]) -> Kind:
        raw = msgspec.json.encode(body)
        answer, _ = await self._repeat("POST", path, None, _command(), raw)
        return _read(answer, kind)

    async def _ask(self, method: str, path: str, token: str) -> Answer:
        answer, _ = await self._repeat(method, path, token)
        return answer

    async def _repeat(
        self,
        method: str,
        path: str,
        token: str | None,
        command: str | None = None,
        body: bytes = b"",
    ) -> tuple[Answer, bool]:
        """Ask until there is an answer; a command keeps its id. Also tell if it was repeated."""
        headers = {}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        if command is not None:
            headers["Idempotency-Key"] = command
        pause, repeated = _FIRST_PAUSE, False
        give_up = time.monotonic() + RETRY_SECONDS
        while True:
            try:
                answer = await self._connection.ask(method, path, headers, body)
                if answer.status not in _AGAIN:
                    return answer, repeated
                reason = f"the service answers {answer.status}"
            except ConnectionLost as lost:
                reason = f"the service is away ({lost})"
            if self._stop():
                raise Stopped
            if time.monotonic() > give_up:
                raise Failed(f"{method} {path}: {reason}")
            await asyncio.sleep(pause * (0.5 + self._chance.random()))
            pause, repeated = min(_LONGEST_PAUSE, 2 * pause), True


def _command() -> str:
    return secrets.token_hex(12)


def _read(answer: Answer, kind: type[Kind]) -> Kind:
    """Return what a good answer says.

    Raises:
        Failed: it is none, or not what a Stele service says.
    """
    if 200 <= answer.status < 300:
        try:
            return msgspec.json.decode(answer.body, type=kind)
        except msgspec.DecodeError as error:
            raise Failed(f"{answer.status}, but not as expected: {error}") from None
    try:
        problem = msgspec.json.decode(answer.body)
        said = f"{problem['code']}: {problem['detail']}"
    except (msgspec.DecodeError, LookupError, TypeError):
        said = "no problem document"
    raise Failed(f"{answer.status} {said}")
