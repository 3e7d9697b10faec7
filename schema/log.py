"""The portable log `stele-log` v1: JSON Lines that carry a match, chained by hashes.

The first line is the header, then follows one line an event:

    {"at":…,"command":…,"data":{…},"hash":"…","seat":…,"type":"…","v":1,"version":1}

`hash` is the SHA-256 (hexadecimal) over the previous hash, as text, and the canonical JSON of the
line without its `hash`: keys sorted, no spaces, UTF-8. The hash before the first event is that of
the canonical header. A redacted log has the same versions; its chain runs over the redacted lines,
because a hash over a hidden card would let anybody find the card by trying all of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Annotated, Any, Final, Literal, NoReturn

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.engine.codec import codec, encode, type_of
from domain.engine.errors import UnknownGame
from domain.engine.events import (
    ChoiceMade,
    Event,
    Fact,
    SeatConceded,
    TimeRanOut,
    UndoAnswered,
    UndoAsked,
)
from domain.engine.game import game_of
from domain.engine.ids import Scalar, Viewer
from domain.engine.match import Match
from domain.engine.redaction import redact_event
from schema.errors import InvalidLog

FORMAT: Final = "stele-log"
V: Final = 1

_CANONICAL = msgspec.json.Encoder(order="sorted")
_NATURAL = Annotated[int, Meta(ge=0)]


class LogSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits on a seat; `player` is null while it is free."""

    player: str | None
    bot: str | None = None


class Header(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """The first line.

    `events` is how many lines follow, so that a log cut off between two lines shows; `viewer` is
    whose eyes the log is for: "all", "spectator" or a seat; `created_at` is in milliseconds since
    1970 UTC; `commitment` is null before the start.
    """

    format: Literal["stele-log"] = FORMAT
    v: Literal[1] = V
    match: Annotated[str, Meta(min_length=1, max_length=128)]
    game: str
    ruleset: int
    options: dict[str, Scalar]
    facts: tuple[Fact, ...] = ()
    seats: tuple[LogSeat, ...]
    created_at: _NATURAL
    viewer: Literal["all", "spectator"] | _NATURAL
    commitment: str | None
    events: _NATURAL


class Entry(Struct, frozen=True):
    """One event with its envelope.

    `at` is in milliseconds since 1970 UTC; `seat` acted (none: the owner or the clock) and
    `command` is the id of the command: entries of one commit share it.
    """

    version: int
    at: int
    seat: int | None
    command: str | None
    event: Event


class Log(Struct, frozen=True):
    """A whole log."""

    header: Header
    entries: tuple[Entry, ...]

    @property
    def viewer(self) -> Viewer:
        """Whose eyes the log is for, in the engine's words."""
        return None if self.header.viewer == "spectator" else self.header.viewer

    def commits(self) -> Iterator[tuple[Event, ...]]:
        """Yield the events of each command together, as far as the log tells commands apart."""
        group: list[Event] = []
        before: Entry | None = None
        for entry in self.entries:
            if before is not None and (entry.command, entry.at) != (before.command, before.at):
                yield tuple(group)
                group = []
            group.append(entry.event)
            before = entry
        if group:
            yield tuple(group)


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    type: str
    v: Annotated[int, Meta(ge=1)]
    at: _NATURAL
    seat: _NATURAL | None
    command: str | None
    data: dict[str, Any]
    hash: str


def to_header(match_id: str, match: Match[Any], created_at: int, viewer: Viewer) -> Header:
    """Return the header of the log of a match at its present version."""
    return Header(
        match=match_id,
        game=match.game,
        ruleset=match.ruleset,
        options=match.options,
        facts=match.facts,
        seats=tuple(LogSeat(player=place.player, bot=place.bot) for place in match.places),
        created_at=created_at,
        viewer="spectator" if viewer is None else viewer,
        commitment=match.commitment,
        events=match.version,
    )


def redacted(log: Log, viewer: Viewer) -> Log:
    """Return a full log as the viewer may see it.

    The ids of other people's commands go too: they are their clients' own words.
    """
    if viewer == "all":
        return log
    game = log.header.game
    entries = tuple(
        replace(
            entry,
            command=entry.command if viewer is not None and entry.seat == viewer else None,
            event=redact_event(entry.event, viewer, game),
        )
        for entry in log.entries
    )
    return Log(
        header=replace(log.header, viewer="spectator" if viewer is None else viewer),
        entries=entries,
    )


def write(log: Log) -> bytes:
    """Return the text of a log."""
    return b"".join(lines(log.header, log.entries))


def lines(header: Header, entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the lines of a log, each with its line feed."""
    first = _CANONICAL.encode(header)
    yield first + b"\n"
    previous = sha256(first).hexdigest()
    for entry in entries:
        line = _to_line(entry)
        previous = _chained(previous, line)
        yield _CANONICAL.encode({**line, "hash": previous}) + b"\n"


def read(text: bytes) -> Log:
    """Return the log that a text holds, every event brought up to date.

    Checks form, order of versions, hash chain and types; whether the events follow the rules is a
    matter for `domain.engine.audit`.

    Raises:
        InvalidLog: names line and reason of the first fault.
    """
    rows = text.split(b"\n")
    if not rows[-1]:
        rows.pop()
    if not rows:
        _refuse(1, "the file is empty")
    raw = _object(rows[0], 1, last=len(rows) == 1)
    header = _header(raw)
    previous = sha256(_CANONICAL.encode(raw)).hexdigest()
    entries = []
    for number, row in enumerate(rows[1:], start=2):
        raw = _object(row, number, last=number == len(rows))
        line = _line(raw, number)
        del raw["hash"]
        previous = _chained(previous, raw)
        if line.hash != previous:
            _refuse(number, "the hash does not fit: this line or the one before was changed")
        entries.append(_entry(line, header.game, number))
    if len(entries) != header.events:
        reason = f"there are {len(entries)} events, the header says {header.events}"
        _refuse(len(rows), f"the log ends here: {reason}")
    log = Log(header=header, entries=tuple(entries))
    if header.viewer == "all":
        _check_seats(log)
    return log


def _check_seats(log: Log) -> None:
    """Refuse a seat that did not do what a commit says: the first event of the commit names it."""
    at = 0
    for events in log.commits():
        first = events[0]
        of_clock = isinstance(first, TimeRanOut)
        named = of_clock or isinstance(first, ChoiceMade | SeatConceded | UndoAsked | UndoAnswered)
        seat = None if of_clock else getattr(first, "seat", None)
        for entry in log.entries[at : at + len(events)]:
            if named and entry.seat != seat:
                _refuse(entry.version + 1, f"seat {entry.seat} did not do this")
            if entry.seat is not None and entry.seat >= len(log.header.seats):
                _refuse(entry.version + 1, f"there is no seat {entry.seat}")
        at += len(events)


def differences(header: Header, match: Match[Any]) -> Sequence[str]:
    """Return the fields of a header that the match made of the events does not bear out."""
    true = to_header(header.match, match, header.created_at, None)
    return [
        name
        for name in ("game", "ruleset", "options", "facts", "seats", "commitment")
        if getattr(true, name) != getattr(header, name)
    ]


def _to_line(entry: Entry) -> dict[str, Any]:
    data = msgspec.json.decode(encode(entry.event))
    del data["type"]
    name, v = type_of(entry.event)
    return {
        "version": entry.version,
        "type": name,
        "v": v,
        "at": entry.at,
        "seat": entry.seat,
        "command": entry.command,
        "data": data,
    }


def _chained(previous: str, line: dict[str, Any]) -> str:
    return sha256(previous.encode() + _CANONICAL.encode(line)).hexdigest()


def _object(row: bytes, number: int, last: bool) -> dict[str, Any]:
    if not row.strip():
        _refuse(number, "the line is empty")
    try:
        raw: dict[str, Any] = msgspec.json.decode(row, type=dict[str, Any])
        _CANONICAL.encode(raw)
    except msgspec.ValidationError:
        _refuse(number, "not a JSON object")
    except RecursionError:
        _refuse(number, "nested too deeply")
    except msgspec.DecodeError as error:
        if last and "truncated" in str(error):
            _refuse(number, "the line is cut off in the middle")
        _refuse(number, "not JSON in UTF-8")
    return raw


def _header(raw: dict[str, Any]) -> Header:
    if raw.get("format") != FORMAT:
        _refuse(1, f'this is no log: the first line has to say "format":"{FORMAT}"')
    if raw.get("v") != V:
        _refuse(1, f"version {raw.get('v')!r} of the format is not known here, only {V}")
    try:
        header = msgspec.convert(raw, Header)
        game_of(header.game)
    except msgspec.ValidationError as error:
        _refuse(1, f"header: {error}")
    except UnknownGame as error:
        _refuse(1, error.message)
    return header


def _line(raw: dict[str, Any], number: int) -> _Line:
    try:
        line = msgspec.convert(raw, _Line)
    except msgspec.ValidationError as error:
        _refuse(number, str(error))
    if line.version != number - 1:
        _refuse(number, f"version {line.version} where {number - 1} is due")
    return line


def _entry(line: _Line, game: str, number: int) -> Entry:
    tag = line.type if line.v == 1 else f"{line.type}@{line.v}"
    try:
        event = codec(game).event({**line.data, "type": tag})
    except msgspec.ValidationError as error:
        if str(error) == f"Invalid value {tag!r} - at `$.type`":
            _refuse(number, f"there is no type {line.type!r} v {line.v} in {game}")
        _refuse(number, f"{line.type}: {error}")
    if type_of(event) == (line.type, line.v):
        assert isinstance(event, Struct)
        unknown = sorted(set(line.data) - set(event.__struct_fields__))
        if unknown:
            _refuse(number, f"{line.type}: there is no field {unknown[0]!r}")
    return Entry(
        version=line.version, at=line.at, seat=line.seat, command=line.command, event=event
    )


def _refuse(line: int, reason: str) -> NoReturn:
    raise InvalidLog(f"line {line}: {reason}", line=line, reason=reason)
