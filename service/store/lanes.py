"""Calls travel in lanes: what arrives while one pipeline is under way leaves with the next.

One lane carries the calls of one script to one server. It has one pipeline under way at a time, so
a lonely call leaves at once, and under load the batches grow by themselves. Against one connection
a call this took a third of the processor time. Each call still costs one round trip, and a caller
that gives up waiting disturbs no connection.

The wait of appends for the disk or for a replica rides at the end of the same pipeline, so that one
wait covers the whole batch (group commit).
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final

from redis.asyncio.cluster import ClusterNode, RedisCluster
from redis.exceptions import (
    AskError,
    ConnectionError,
    NoScriptError,
    TimeoutError,
    TryAgainError,
)

from service.store.base import Durability, StoreUnavailable
from service.store.connect import FAILURES, Client, translated, unavailable
from service.store.scripts import Script

Call = tuple[str | int | bytes, ...]  # number of keys, keys, arguments of the script
Answer = int | Exception
Target = dict[str, ClusterNode | None]
Send = Callable[[Sequence[Call]], Awaitable[Sequence[Answer]]]

_BATCH: Final = 128
_WAIT_MS: Final = 2_000  # below the time that the client waits for an answer
WAITS: Final[dict[Durability, tuple[str | int, ...]]] = {
    "everysec": (),
    "always": ("WAITAOF", 1, 0, _WAIT_MS),
    "replicated": ("WAIT", 1, _WAIT_MS),
}


class Lanes:
    """One lane for a single server, one a node for a cluster."""

    def __init__(self, client: Client, script: Script, wait: tuple[str | int, ...] = ()) -> None:
        """Carry calls of a script that answers a number; after each batch, `wait`."""
        self._client = client
        self._script = script
        self._wait = wait
        self._lanes: dict[str, _Lane] = {}

    async def run(self, call: Call) -> int:
        """Run the script and return its answer.

        Raises: StoreUnavailable.
        """
        name = await self._node_of(call)
        lane = self._lanes.get(name)
        if lane is None:
            lane = self._lanes[name] = _Lane(partial(self._send, name))
        answer = await lane.call(call)
        if isinstance(answer, int):
            return answer
        if isinstance(answer, (*FAILURES, StoreUnavailable)):
            raise unavailable(answer) from answer  # a new one for each caller of a batch
        raise answer

    async def close(self) -> None:
        """Wait until what is under way has been answered."""
        for lane in self._lanes.values():
            await lane.close()

    async def _node_of(self, call: Call) -> str:
        """Return the name of the cluster node that serves a match; "" without a cluster."""
        if not isinstance(self._client, RedisCluster):
            return ""
        with translated():
            await self._client.initialize()
            node = self._client.get_node_from_key(str(call[1]))
        if node is None:
            raise StoreUnavailable("no node of the cluster serves this match")
        return str(node.name)

    async def _send(self, name: str, calls: Sequence[Call]) -> Sequence[Answer]:
        """Send one batch; answers stand in the order of the calls."""
        target: Target = {}
        if isinstance(self._client, RedisCluster):
            target = {"target_nodes": self._client.get_node(node_name=name)}
        answers = await self._pipelined(calls, target)
        if any(isinstance(answer, NoScriptError) for answer in answers):
            # A server forgets scripts when it restarts. Nothing was run, so this is no repeat.
            await self._client.execute_command("SCRIPT LOAD", self._script.text, **target)
            missing = [i for i, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
            again = await self._pipelined([calls[i] for i in missing], target)
            for i, answer in zip(missing, again, strict=True):
                answers[i] = answer
        if isinstance(self._client, RedisCluster):
            return [
                await self._redirected(self._client, call, answer)
                for call, answer in zip(calls, answers, strict=True)
            ]
        return answers

    async def _pipelined(self, calls: Sequence[Call], target: Target) -> list[Answer]:
        pipeline = self._client.pipeline(transaction=False)
        for call in calls:
            pipeline.execute_command("EVALSHA", self._script.sha, *call, **target)
        if self._wait:
            pipeline.execute_command(*self._wait, **target)
        answers: list[Answer] = await pipeline.execute(raise_on_error=False)
        if self._wait and not _is_confirmed(answers.pop()):
            doubt = StoreUnavailable("the append was not confirmed as durable in time")
            return [doubt if isinstance(answer, int) else answer for answer in answers]
        return answers

    async def _redirected(self, cluster: RedisCluster, call: Call, answer: Answer) -> Answer:
        """Return the answer, after following the slot if it has moved to another node."""
        try:
            match answer:
                case AskError() | TryAgainError() if not self._wait:
                    moved: int = await cluster.execute_command("EVAL", self._script.text, *call)
                    return moved
                case AskError() | TryAgainError() | ConnectionError() | TimeoutError():
                    # One ordinary command makes the client learn the new layout. A wait must
                    # follow its append on the same connection, so there the caller repeats.
                    await cluster.execute_command("EXISTS", call[1])
                case _:
                    pass
        except FAILURES as error:
            return error
        return answer


class _Lane:
    """Calls that wait, and the task that carries them away."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: list[tuple[Call, asyncio.Future[Answer]]] = []
        self._task: asyncio.Task[None] | None = None

    async def call(self, call: Call) -> Answer:
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((call, answer))
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._drain())
        return await answer

    async def close(self) -> None:
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _drain(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting[:_BATCH], self._waiting[_BATCH:]
            answers: Sequence[Answer] = [StoreUnavailable("the store was closed")] * len(batch)
            try:
                answers = await self._send([call for call, _ in batch])
            except Exception as error:
                answers = [error] * len(batch)
            finally:  # a cancelled lane must not leave its callers waiting
                for (_, future), answer in zip(batch, answers, strict=True):
                    if not future.done():
                        future.set_result(answer)


def _is_confirmed(answer: object) -> bool:
    """Say whether WAIT (a number) or WAITAOF (local, replicas) counted the one that was asked."""
    match answer:
        case int(count) | [int(count), _]:
            return count >= 1
        case _:
            return False
