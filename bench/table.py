"""What is promised: every measured line with its unit, the floor for done and the goal."""

from msgspec import Struct


class Line(Struct, frozen=True):
    """One promise. `key` names the figure among the measured ones; `digits` after the point."""

    key: str
    name: str
    unit: str
    floor: float
    goal: float
    less_is_better: bool = False
    digits: int = 0


class Row(Struct, frozen=True, omit_defaults=True):
    """One measured line; `value` is null where there is nothing to measure yet."""

    name: str
    value: float | None
    unit: str
    floor: float
    goal: float
    note: str | None = None


NOT_BUILT = "not built yet"

LINES: tuple[Line, ...] = (
    Line("playout.chrononauts", "random playout, Chrononauts, one core", "decisions/s", 8e3, 25e3),
    Line(
        "playout.ancient_knowledge",
        "random playout, Ancient Knowledge, one core",
        "decisions/s",
        5e3,
        15e3,
    ),
    Line("fold", "fold of stored events, decode excluded", "events/s", 150e3, 400e3),
    Line("load.p50", "cold load of a 400-event match, p50", "ms", 10, 4, True, 2),
    Line("rest.rate", "move over REST, one worker, 32 matches", "moves/s", 1e3, 3.5e3),
    Line("rest.p99", "the same, p99", "ms", 50, 25, True, 1),
    Line("graphql.rate", "the same move over GraphQL", "moves/s", 500, 1.5e3),
    Line("view.graphql", "board query, GraphQL", "requests/s", 600, 1.5e3),
    Line("view.rest", "board query, REST", "requests/s", 2e3, 4e3),
    Line("view.unchanged", "board query, REST 304", "requests/s", 5e3, 8e3),
    Line("subscribers.p99", "one event to 1,000 subscribers, p99", "ms", 250, 100, True, 1),
    Line("subscribers.memory", "memory a subscriber", "KiB", 80, 40, True, 1),
    Line(
        "growth",
        "latency of a move at version 1,000 against version 20",
        "times",
        1.2,
        1.05,
        True,
        2,
    ),
    Line("bytes", "stored bytes a decision", "B", 600, 250, True),
    Line("ready", "start to ready with embedded server", "s", 3, 1.5, True, 2),
)


def rows(figures: dict[str, float | None]) -> tuple[Row, ...]:
    """Return the lines whose figures were measured, or could not be (`None`)."""
    return tuple(_row(line, figures[line.key]) for line in LINES if line.key in figures)


def _row(line: Line, figure: float | None) -> Row:
    value = None if figure is None else round(figure, line.digits)
    note = NOT_BUILT if figure is None else None
    return Row(line.name, value, line.unit, line.floor, line.goal, note)


def verdict(row: Row) -> str:
    """Say how far a figure reaches: "goal", "floor", "below" or nothing at all."""
    if row.value is None:
        return row.note or ""
    less = row.goal < row.floor
    for reached, name in ((row.goal, "goal"), (row.floor, "floor")):
        if row.value <= reached if less else row.value >= reached:
            return name
    return "below the floor"
