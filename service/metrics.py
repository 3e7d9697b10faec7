"""What the service counts about itself, in the words of Prometheus.

Labels are words of the code alone: operations, classes of status, reasons. No match, seat, name or
card is among them, and what is counted depends on no hidden card. All moves are one operation here,
for which one was sent can be a secret while a window is open.

Processes that share a port write what they count into files (`PROMETHEUS_MULTIPROC_DIR`), so that
whichever is asked answers for all.
"""

import os
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.types import Scope

DIRECTORY: Final = "PROMETHEUS_MULTIPROC_DIR"
MEDIA: Final = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)

disable_created_metrics()  # type: ignore[no-untyped-call]  # it has no annotations
_registry: Final = CollectorRegistry()
_requests: Final = Histogram(
    "stele_request_seconds",
    "Requests by operation and class of status; streams and long polls count when they end.",
    ("operation", "status"),
    buckets=_BUCKETS,
    registry=_registry,
)
_commits: Final = Counter("stele_commits", "Commands that changed a match.", registry=_registry)
_failures: Final = Counter(
    "stele_store_failures", "Failures of the store.", ("reason",), registry=_registry
)
_webhooks: Final = Counter(
    "stele_webhooks",
    "Attempts to tell a receiver, by how they ended.",
    ("outcome",),
    registry=_registry,
)
_feeds: Final = Gauge(
    "stele_feeds_open",
    "Sockets, streams and long polls that are open.",
    registry=_registry,
    multiprocess_mode="livesum",
)
ProcessCollector(registry=_registry)
_children: Final[dict[tuple[str, int], Histogram]] = {}


def operation_of(scope: Scope) -> str:
    """Return the operation that a request was about; "none" where it led nowhere."""
    return getattr(scope.get("route"), "name", None) or "none"


def observe(scope: Scope, status: int, seconds: float) -> None:
    """Take note of a request."""
    operation = operation_of(scope)
    key = (operation, status // 100)
    child = _children.get(key)
    if child is None:
        child = _children[key] = _requests.labels(operation, f"{key[1]}xx")
    child.observe(seconds)


def committed() -> None:
    """Take note of a change of a match."""
    _commits.inc()


def failed(reason: str) -> None:
    """Take note of a failure of the store."""
    _failures.labels(reason).inc()


def sent(is_taken: bool) -> None:
    """Take note of an attempt to tell a receiver of webhooks."""
    _webhooks.labels("taken" if is_taken else "failed").inc()


def opened(count: int) -> None:
    """Take note of so many feeds that were opened, or closed where it is negative."""
    _feeds.inc(count)


def text() -> bytes:
    """Return all that was counted."""
    if DIRECTORY not in os.environ:
        return generate_latest(_registry)
    shared = CollectorRegistry()
    MultiProcessCollector(shared)  # type: ignore[no-untyped-call]  # it has no annotations
    return generate_latest(shared)
