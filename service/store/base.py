"""What a store promises, and the values that pass through it.

A version is the number of events in a stream. A commit holds the events of one command and is
appended whole or not at all, and only by a writer that knows the exact last version.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import Final, Literal, Protocol

from msgspec import Struct

Durability = Literal["everysec", "always", "replicated"]

Notice = tuple[str, int]  # match id, version of the first event of a commit
MISSED: Final[Notice] = ("", 0)
HOOKS: Final = "webhooks"
"""The setting of a match to whose commits somebody wants to be alerted."""


class Commit(Struct, frozen=True):
    """The events of one command, as they lie in the stream."""

    first: int  # version of the first event, counted from 1
    count: int
    at: int  # milliseconds since the epoch
    seat: int | None  # who acted; None for the owner or the clock
    command: str  # command id
    digest: str  # of the command's body
    events: bytes  # a JSON array, opaque here

    @property
    def last(self) -> int:
        """Return the version of the last event."""
        return self.first + self.count - 1


class Listing(Struct, frozen=True):
    """One entry of the index of matches."""

    match_id: str
    at: int  # milliseconds since the epoch: when the match was created
    fields: dict[str, str]


class Deadline(Struct, frozen=True):
    """Something due, held by this claimer until the lease ends."""

    match_id: str
    key: str
    lease_end: int  # milliseconds since the epoch


class Parcel(Struct, frozen=True):
    """Something in the outbox, held by the consumer that took it until it is settled."""

    id: str
    match_id: str
    words: str


class StoreError(Exception):
    """The store could not do what it was asked."""


class VersionConflict(StoreError):
    """The stream is not at the expected version; nothing was appended."""

    def __init__(self, current: int) -> None:
        super().__init__(f"the match is at version {current}")
        self.current = current


class HookedChanged(StoreError):
    """The match has webhooks, or none, against what the writer knows; nothing was appended."""


class StoreUnavailable(StoreError):
    """The store gave no answer or no assurance, so a write may have happened or not.

    Repeat it with the same command id.
    """


class StoreRegressed(StoreError):
    """The store has lost commits that this process has seen; appending would fork the match."""

    def __init__(self, seen: int, found: int) -> None:
        super().__init__(f"the store is at version {found}, but version {seen} was seen before")
        self.seen = seen
        self.found = found


class StoreDamaged(StoreError):
    """What is stored of a match cannot be read; the others are what they were."""

    def __init__(self, match_id: str) -> None:
        super().__init__(f"what is stored of match {match_id} cannot be read")
        self.match_id = match_id


class DataDirectoryInUse(StoreError):
    """Another service owns the data directory."""


class ServerFailed(StoreError):
    """The private server could not be started."""


class Outbox(Protocol):
    """What is to be sent: one stream for all matches, shared out among consumers.

    Every method may raise `StoreUnavailable`.
    """

    async def put(self, match_id: str, words: str, seconds: int = 2 * 24 * 3600) -> None:
        """Put something in; the same words of the same match, put again, are put in once only.

        That is remembered for so many seconds.
        """

    async def take(self, consumer: str, limit: int) -> tuple[Parcel, ...]:
        """Take what nobody has taken yet, in order."""

    async def take_over(self, consumer: str, idle_ms: int, limit: int) -> tuple[Parcel, ...]:
        """Take what somebody took so long ago that they must have died."""

    async def settle(self, parcel: Parcel) -> None:
        """Remove what has been dealt with."""

    async def spend(self, name: str, amount: int, seconds: int) -> int:
        """Add to a counter that is forgotten after so many seconds; return its value."""


class EventStore(Protocol):
    """Streams of commits, an index of them, settings of seats, deadlines, and an outbox.

    Every method may raise `StoreUnavailable`; those that learn a version, `StoreRegressed`.
    """

    @property
    def outbox(self) -> Outbox:
        """What is to be sent."""

    async def append(
        self, match_id: str, expected: int, commit: Commit, hooked: bool | None = None
    ) -> None:
        """Append a commit to a stream that is exactly at version `expected`.

        `commit.first` is `expected + 1`. `hooked` tells what the writer knows about whether the
        match has the setting `HOOKS`. Raises: VersionConflict, HookedChanged.
        """

    async def create(self, match_id: str, commit: Commit, listing: Mapping[str, str]) -> None:
        """Append the first commit of a stream and list the match.

        `listing` has at least one field. Raises: VersionConflict.
        """

    async def load(
        self, match_id: str, after: int = 0, until: int | None = None
    ) -> tuple[Commit, ...]:
        """Return the commits with an event later than version `after`, in order.

        If `after` lies inside a commit, that whole commit comes first; if `until` does, it comes
        last. What lies beyond is not read, so that it costs nothing and no time tells of it.
        """

    async def last_version(self, match_id: str) -> int:
        """Return the version of the stream: 0 if there is none."""

    async def exists(self, match_id: str) -> bool:
        """Say whether the stream has a commit."""

    async def matches(self, after: str | None = None, limit: int = 50) -> tuple[Listing, ...]:
        """Return matches, latest first; the cursor is the match id of the last one seen.

        Fewer than `limit` means there are no more.
        """

    async def set_listing(self, match_id: str, listing: Mapping[str, str]) -> None:
        """Overwrite the given fields of a listed match."""

    async def get_setting(self, match_id: str, key: str) -> str | None:
        """Return a setting kept beside the stream."""

    async def set_setting(self, match_id: str, key: str, value: str | None) -> None:
        """Store a setting beside the stream; None removes it."""

    async def swap_setting(
        self, match_id: str, key: str, before: str | None, after: str | None
    ) -> bool:
        """Store a setting if it is still as it was before, and say whether it was."""

    async def schedule(self, match_id: str, key: str, due_ms: int) -> None:
        """Set or move a deadline; this also ends a lease on it."""

    async def unschedule(self, match_id: str, key: str) -> None:
        """Remove a deadline, whoever holds it."""

    async def claim_due(self, now_ms: int, lease_ms: int, limit: int) -> tuple[Deadline, ...]:
        """Take deadlines that are due, earliest first; no one else gets them during the lease.

        A deadline that is not `done` when its lease ends is due again: acting on it twice must
        be harmless.
        """

    async def done(self, deadline: Deadline) -> None:
        """Remove a claimed deadline, unless it was moved or claimed again meanwhile."""

    async def next_due(self) -> int | None:
        """Return when the next deadline is due or its lease ends."""

    def follow(self) -> AsyncGenerator[Notice, None]:
        """Yield a notice for every commit appended from now on, by any process, until `aclose`.

        Yields `MISSED` when listening has begun, and again whenever it was interrupted: then
        `load(after)` of each match watched closes the gap. Notices of one match are in order.
        """

    async def ping(self) -> None:
        """Return if the store answers."""

    async def close(self) -> None:
        """Let go of every connection."""
