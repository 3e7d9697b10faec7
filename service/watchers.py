"""Who has to know when a match changes."""

from typing import Any, Protocol

from domain.engine.match import Match


class Watcher(Protocol):
    """Whoever has to act when a match changes."""

    async def before(self, match_id: str, before: Match[Any], after: Match[Any], at: int) -> None:
        """Prepare for what is about to be appended, maybe; it may come to nothing."""

    def after(self, match_id: str, match: Match[Any]) -> None:
        """Take notice of a match that this process changed, or did not know before."""


class Alerts(Protocol):
    """Whoever tells those outside what happens in a match to which they have a webhook."""

    async def before(self, match_id: str, first: int, at: int) -> None:
        """Prepare for a commit that is about to be appended, maybe; it may come to nothing."""

    def after(self, match_id: str, first: int, at: int) -> None:
        """Take notice of a commit that has been appended."""
