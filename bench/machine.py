"""The machine that was measured."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct


class Machine(Struct, frozen=True):
    """What figures depend on: processor, cores that may be used, system, Python, day.

    `load` is how many programs wanted to run in the minute before; figures of a busy machine are
    too low, and the report says so.
    """

    cpu: str
    cores: int
    system: str
    python: str
    date: str
    load: float

    @property
    def is_busy(self) -> bool:
        """Whether others were at work, too."""
        return self.load > _QUIET


_QUIET = 0.5


def machine() -> Machine:
    """Describe this machine."""
    return Machine(
        cpu=_cpu(),
        cores=_cores(),
        system=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        date=datetime.now(UTC).date().isoformat(),
        load=round(os.getloadavg()[0], 1),
    )


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _cpu() -> str:
    described = Path("/proc/cpuinfo")
    if described.exists():
        for line in described.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or "unknown"
