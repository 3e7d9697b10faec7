"""A client that plays whole matches over HTTP, and gives up on nothing that a repeat can mend."""

import asyncio
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from schema.types import CreatedMatch, LegalMoves, MoveOption, MoveResult, TakenSeat
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


class Sample(Struct, frozen=True):
    """One move that the service acknowledged."""

    match: str
    seat: int
    command: str
    version: int
    seconds: float


class _Awaiting(Struct, rename="camel"):
    version: int
    awaiting: tuple[int, ...]
    outcome: Any = None


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
            Failed: the match could not be laid out.
        """
        made = await self._send("/v1/matches", setup, CreatedMatch)
        path = f"/v1/matches/{made.match_id}"
        tokens = []
        for place in made.invites:
            body = {"invite": place.invite, "player": f"swarm {place.seat}"}
            taken = await self._send(f"{path}/seats", body, TakenSeat)
            assert taken.token is not None
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
        legal = msgspec.json.decode(_good(answer), type=LegalMoves)
        if legal.choice is None:
            # Its window closed meanwhile, or a repeat of ours had been heard.
            return await self._look(path, token)
        command = _command()
        body = msgspec.json.encode(self._move(legal))
        began = time.perf_counter()
        answer, repeated = await self._repeat("POST", f"{path}/moves", token, command, body)
        seconds = time.perf_counter() - began
        if repeated and answer.status in _OVERTAKEN:
            return await self._look(path, token)
        result = msgspec.json.decode(_good(answer), type=MoveResult)
        self._played(Sample(match_id, seat, command, result.version, seconds))
        return _Awaiting(result.version, result.awaiting, result.outcome)

    def _move(self, legal: LegalMoves) -> dict[str, Any]:
        choice, moves = legal.choice, legal.moves
        assert choice is not None
        if moves:
            chosen: MoveOption = self._chance.choice(moves)
            body: dict[str, Any] = chosen.body
            return body
        room = [option.id for option in choice.options for _ in range(option.limit)]
        count = self._chance.randint(choice.min, choice.max)
        picks = self._chance.sample(room, count)
        return {"type": "choose", "choice": choice.id, "picks": picks}

    async def _look(self, path: str, token: str) -> _Awaiting:
        answer = await self._ask("GET", path, token)
        return msgspec.json.decode(_good(answer), type=_Awaiting)

    async def _send(self, path: str, body: dict[str, Any], kind: type[Any]) -> Any:
        raw = msgspec.json.encode(body)
        answer, _ = await self._repeat("POST", path, None, _command(), raw)
        return msgspec.json.decode(_good(answer), type=kind)

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
            if time.monotonic() > give_up or self._stop():
                raise Failed(f"{method} {path}: {reason}")
            await asyncio.sleep(pause * (0.5 + self._chance.random()))
            pause, repeated = min(_LONGEST_PAUSE, 2 * pause), True


def _command() -> str:
    return secrets.token_hex(12)


def _good(answer: Answer) -> bytes:
    if 200 <= answer.status < 300:
        return answer.body
    try:
        problem = msgspec.json.decode(answer.body)
        said = f"{problem['code']}: {problem['detail']}"
    except (msgspec.DecodeError, LookupError, TypeError):
        said = "no problem document"
    raise Failed(f"{answer.status} {said}")
