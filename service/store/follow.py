"""How a process learns of commits that others append: one channel, published to by the append.

The append script publishes "match id, first version" in the same step as it appends, so a notice
never runs ahead of its commit and is never sent for one that failed. The alternative, `XREAD
BLOCK` over the streams, would need one blocked connection a cluster node and a new call whenever
the set of watched matches changes. A plain channel reaches subscribers on every node of a cluster;
a sharded one would bind each match to a subscription of its own.

A channel forgets: what is published while a subscriber is away is lost. Therefore every
interruption shows as `MISSED`, after the new subscription is confirmed, and a reader repairs it by
loading.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Final

from service.store.base import MISSED, Notice
from service.store.connect import FAILURES, Client, cancellable

_SILENCE_SECONDS: Final = 10.0
_FIRST_PAUSE_SECONDS: Final = 0.05
_LONGEST_PAUSE_SECONDS: Final = 2.0


async def notices(client: Client, channel: str) -> AsyncGenerator[Notice, None]:
    """Yield the notices of a channel, reconnecting for ever."""
    pause = _FIRST_PAUSE_SECONDS
    while True:
        try:
            async with aclosing(_subscription(client, channel)) as subscription:
                async for notice in subscription:
                    pause = _FIRST_PAUSE_SECONDS
                    yield notice
        except FAILURES:
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)


async def _subscription(client: Client, channel: str) -> AsyncGenerator[Notice, None]:
    """Yield `MISSED` once subscribed, then notices, until the connection breaks."""
    # An ordinary command first: it makes a cluster client learn the present layout.
    await client.execute_command("EXISTS", channel)
    async with client.pubsub() as pubsub:
        await pubsub.subscribe(channel)
        while True:
            with cancellable():
                message = await pubsub.get_message(timeout=_SILENCE_SECONDS)
            if message is None:
                # Silence may be a dead peer: the answer, or its absence, decides.
                with cancellable():
                    await pubsub.ping()
                    message = await pubsub.get_message(timeout=_SILENCE_SECONDS)
                if message is None:
                    return
            match message["type"]:
                case "subscribe":
                    yield MISSED
                case "message":
                    match_id, _, first = message["data"].decode().partition(" ")
                    yield match_id, int(first)
                case _:
                    pass  # the answer to a ping
