"""What follows a match: the subscription, the stream, the long poll; each from one cursor."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import ExitStack, suppress

from schema import inputs as i
from schema.graphql import Feed
from service.auth import Principal
from service.bearers import Bearers
from service.failures import told
from service.live import Follower, Live, Update
from service.matches import Matches
from service.roles import Roles


class Feeds:
    """The feeds of the matches of one store."""

    def __init__(self, matches: Matches, roles: Roles, live: Live, bearers: Bearers) -> None:
        self._matches = matches
        self._roles = roles
        self.live = live
        self.bearers = bearers

    def table(self) -> Mapping[str, Feed]:
        """Return the feeds by the names of their subscriptions."""
        return {"matchUpdates": self.updates}

    async def updates(
        self, principal: Principal, arguments: i.MatchUpdatesArguments
    ) -> AsyncGenerator[Update, None]:
        """Yield the board, or what comes after a version; then every commit; the board at the end.

        A feed that is stopped ends without that last board.
        """
        with told():
            match_id = arguments.match_id
            principal = await self._roles.of(principal, match_id)
            snapshot = await self._matches.visible(principal, match_id)
            after = snapshot.version if arguments.after is None else arguments.after
            follower = self.live.follow(snapshot, principal, after)
            try:
                if arguments.after is None:
                    yield follower.view(snapshot)
                    if follower.finished:
                        return
                while (update := await follower.next()) is not None:
                    yield update
                if follower.finished:
                    yield follower.view(await self._matches.visible(principal, match_id))
            finally:
                follower.close()

    async def follow(self, principal: Principal, arguments: i.EventsArguments) -> Follower:
        """Return a follower of the events after a version."""
        with told():
            principal = await self._roles.of(principal, arguments.match_id)
            snapshot = await self._matches.visible(principal, arguments.match_id)
            return self.live.follow(snapshot, principal, arguments.after)

    async def news(self, principal: Principal, match_id: str, after: int, seconds: int) -> None:
        """Return when there are events after a version, or never will be, or time is up."""
        snapshot = await self._matches.visible(principal, match_id)
        if after != snapshot.version or snapshot.match.outcome is not None:
            return
        follower = self.live.follow(snapshot, principal, after)
        with ExitStack() as stack:
            stack.callback(follower.close)
            stack.enter_context(self.bearers.place())
            stack.enter_context(self.bearers.bearing(principal, follower.stop))
            stack.enter_context(suppress(TimeoutError))
            async with asyncio.timeout(seconds):
                await follower.news()
