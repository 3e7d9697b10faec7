"""Where commits are kept: one append-only stream a match, and the little that lives beside it."""

from service.store.base import (
    HOOKS,
    MISSED,
    Commit,
    DataDirectoryInUse,
    Deadline,
    Durability,
    EventStore,
    HookedChanged,
    Listing,
    Notice,
    Outbox,
    Parcel,
    ServerFailed,
    StoreDamaged,
    StoreError,
    StoreRegressed,
    StoreUnavailable,
    VersionConflict,
)
from service.store.embedded import EmbeddedServer
from service.store.memory import MemoryStore
from service.store.redis import RedisStore

__all__ = [
    "HOOKS",
    "MISSED",
    "Commit",
    "DataDirectoryInUse",
    "Deadline",
    "Durability",
    "EmbeddedServer",
    "EventStore",
    "HookedChanged",
    "Listing",
    "MemoryStore",
    "Notice",
    "Outbox",
    "Parcel",
    "RedisStore",
    "ServerFailed",
    "StoreDamaged",
    "StoreError",
    "StoreRegressed",
    "StoreUnavailable",
    "VersionConflict",
]
