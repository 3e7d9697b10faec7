"""Failures of the store in the words of the API."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from schema import errors
from service import metrics
from service import store as s

_log = logging.getLogger(__name__)


@contextmanager
def told() -> Iterator[None]:
    """Tell of failures of the store in the words of the API."""
    try:
        yield
    except s.StoreUnavailable as error:
        metrics.failed("unavailable")
        _log.warning("%s", error)
        raise errors.StoreUnavailable(
            "the store gives no answer; send the request again with the same command id"
        ) from None
    except s.StoreRegressed as error:
        metrics.failed("regressed")
        _log.critical("%s: restore the data of the store, then start again", error)
        raise errors.StoreRegressed("the store has lost commits of this match") from None
    except s.StoreDamaged as error:
        metrics.failed("damaged")
        _log.critical("%s: restore it from a backup", error)
        raise errors.MatchDamaged("what is stored of this match cannot be read") from None
    except s.VersionConflict:
        raise errors.Busy("somebody else does the same; send the request again") from None
