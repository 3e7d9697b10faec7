"""Where commits are kept: one append-only stream a match, and the little that lives beside it."""

from service.store.base import (
    MISSED,
    Commit,
    DataDirectoryInUse,
    Deadline,
    Durability,
    EventStore,
    Listing,
    Notice,
    ServerFailed,
    StoreError,
    StoreRegressed,
    StoreUnavailable,
    VersionConflict,
)
from service.store.embedded import EmbeddedServer
from service.store.memory import MemoryStore
from service.store.redis import RedisStore

__all__ = [
    "MISSED",
    "Commit",
    "DataDirectoryInUse",
    "Deadline",
    "Durability",
    "EmbeddedServer",
    "EventStore",
    "Listing",
    "MemoryStore",
    "Notice",
    "RedisStore",
    "ServerFailed",
    "StoreError",
    "StoreRegressed",
    "StoreUnavailable",
    "VersionConflict",
]
