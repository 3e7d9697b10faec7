"""What `stele bench` does."""

from pathlib import Path

from msgspec import Struct

from bench.machine import Machine, machine
from bench.report import page, text
from bench.run import measure
from bench.size import FULL, TINY
from bench.table import Row, rows
from service.cli.console import DONE, WrongUsage, print_json, progress


class Report(Struct, frozen=True):
    """What `--json` prints."""

    machine: Machine
    rows: tuple[Row, ...]


def run(names: list[str], tiny: bool, as_json: bool, out: Path | None) -> int:
    """Measure, print, and write the page where one is asked for."""
    size = TINY if tiny else FULL
    here = machine()
    with progress("bench", len(names), as_json) as advance:
        found = rows(measure(names, size, advance))
    if as_json:
        print_json(Report(here, found))
    else:
        print(text(here, found), end="")
    if out is not None:
        try:
            out.write_text(page(here, found, size.matches), encoding="utf-8")
        except OSError as error:
            raise WrongUsage(f"--out {out}: {error.strerror}; name another file") from None
    return DONE
