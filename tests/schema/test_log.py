import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.engine.decider import fold
from domain.engine.events import MatchCreated, MatchStarted
from domain.engine.game import register
from domain.engine.ids import Viewer
from domain.engine.playout import opening, plies
from domain.engine.redaction import redact
from domain.games.chrononauts import GAME
from domain.games.chrononauts import events as e
from schema import log
from schema.errors import InvalidLog

SEED = "5eed" * 8
Lines = list[dict[str, Any]]


def _full(seats: int = 3, limit: int = 100_000) -> log.Log:
    events, match = opening("chrononauts", seats, SEED)
    commits: list[tuple[int | None, tuple[Any, ...]]] = [(None, (event,)) for event in events[:1]]
    commits += [(seat, (events[1 + seat],)) for seat in range(seats)]
    commits.append((None, tuple(events[1 + seats :])))
    for chosen, made, after in plies(match, SEED, limit=limit):
        commits.append((chosen.seat, made))
        match = after
    entries: list[log.Entry] = []
    for at, (seat, made) in enumerate(commits):
        for event in made:
            entries.append(log.Entry(len(entries) + 1, 1000 + at, seat, f"id-{at}", event))
    return log.Log(log.to_header("m1", match, 1000, "all"), tuple(entries))


@pytest.fixture(scope="module")
def full() -> log.Log:
    return _full()


@pytest.fixture(scope="module")
def short() -> bytes:
    return log.write(_full(limit=10))


def _canonical(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _parsed(text: bytes) -> Lines:
    return [json.loads(line) for line in text.splitlines()]


def _chained(lines: Lines) -> bytes:
    """Write lines with hashes that fit: what somebody who tampers can do."""
    text = [_canonical(lines[0])]
    previous = sha256(text[0]).hexdigest()
    for line in lines[1:]:
        bare = {key: value for key, value in line.items() if key != "hash"}
        previous = sha256(previous.encode() + _canonical(bare)).hexdigest()
        text.append(_canonical({**bare, "hash": previous}))
    return b"\n".join(text) + b"\n"


def _fault(text: bytes) -> tuple[int, str]:
    with pytest.raises(InvalidLog) as caught:
        log.read(text)
    line, reason = caught.value.detail["line"], caught.value.detail["reason"]
    assert caught.value.message == f"line {line}: {reason}"
    assert isinstance(line, int)
    return line, str(reason)


def test_a_log_read_is_the_log_written(full: log.Log) -> None:
    assert log.read(log.write(full)) == full
    assert full.viewer == "all"


def test_a_log_folds_to_the_match_it_was_made_of(full: log.Log) -> None:
    match = fold(entry.event for entry in full.entries)
    assert match.outcome is not None
    assert log.to_header("m1", match, 1000, "all") == full.header
    assert log.differences(full.header, match) == []


def test_lines_are_canonical_json_with_a_chain_of_hashes(full: log.Log) -> None:
    text = log.write(full)
    assert text == _chained(_parsed(text))


def test_every_line_has_the_fields_of_the_format(short: bytes) -> None:
    header, *lines = _parsed(short)
    assert set(header) == {
        *("format", "v", "match", "game", "ruleset", "options", "facts", "seats"),
        *("createdAt", "viewer", "commitment", "events"),
    }
    names = {"version", "type", "v", "at", "seat", "command", "data", "hash"}
    assert all(set(line) == names for line in lines)
    assert [line["version"] for line in lines] == list(range(1, len(lines) + 1))


def test_an_agenda_stays_in_a_full_log_only(full: log.Log) -> None:
    eyes: tuple[tuple[Viewer, bool], ...] = (("all", True), (None, False), (1, False))
    for viewer, whole in eyes:
        text = log.write(log.redacted(full, viewer))
        offers = [line for line in _parsed(text)[1:] if line["type"] == "choice.offered"]
        assert all(bool(line["data"]["agenda"]) == whole for line in offers)


def test_commits_are_told_apart_by_their_command(full: log.Log) -> None:
    commits = list(full.commits())
    assert len(commits) == full.entries[-1].at - 1000 + 1
    assert [event for commit in commits for event in commit] == [
        entry.event for entry in full.entries
    ]


@pytest.mark.parametrize("viewer", [None, 0, 2])
def test_a_redacted_log_has_the_same_versions_and_folds_to_the_redacted_match(
    full: log.Log, viewer: Viewer
) -> None:
    hidden = log.redacted(full, viewer)
    read = log.read(log.write(hidden))
    assert read == hidden
    assert read.viewer == viewer
    assert [entry.version for entry in read.entries] == [entry.version for entry in full.entries]
    events = [entry.event for entry in full.entries]
    for version in (10, len(events) // 2, len(events)):
        seen = fold(entry.event for entry in read.entries[:version])
        assert seen == redact(fold(events[:version]), viewer)


def test_a_redacted_log_names_only_the_commands_of_its_viewer(full: log.Log) -> None:
    for viewer in (None, 1):
        for entry, whole in zip(log.redacted(full, viewer).entries, full.entries, strict=True):
            own = viewer is not None and entry.seat == viewer
            assert entry.command == (whole.command if own else None)


def test_hashes_of_a_redacted_log_tell_nothing_of_what_is_hidden() -> None:
    # Two matches that differ in secrets only have the same redacted log.
    events, _ = opening("chrononauts", 2, SEED)
    other, _ = opening("chrononauts", 2, SEED)
    deal = next(at for at, event in enumerate(other) if isinstance(event, e.SetUp))
    dealt = other[deal]
    assert isinstance(dealt, e.SetUp)
    other[deal] = replace(dealt, draw=dealt.draw[::-1])

    def spectator(made: list[Any]) -> bytes:
        entries = tuple(log.Entry(at, 0, None, "id", event) for at, event in enumerate(made, 1))
        header = log.to_header("m", fold(made), 0, "all")
        return log.write(log.redacted(log.Log(header, entries), None))

    assert spectator(events) == spectator(other)


Change = Callable[[bytes], bytes]


def _row(number: int, change: Callable[[bytes], bytes]) -> Change:
    def changed(text: bytes) -> bytes:
        rows = text.split(b"\n")
        rows[number - 1] = change(rows[number - 1])
        return b"\n".join(rows)

    return changed


def _without(number: int) -> Change:
    def changed(text: bytes) -> bytes:
        rows = text.split(b"\n")
        del rows[number - 1]
        return b"\n".join(rows)

    return changed


@pytest.mark.parametrize(
    ("change", "line", "reason"),
    [
        (lambda _: b"", 1, "the file is empty"),
        (lambda _: b"\n", 1, "the line is empty"),
        (lambda _: b"hello\n", 1, "not JSON in UTF-8"),
        (lambda _: b"[1]\n", 1, "not a JSON object"),
        (lambda _: b'{"format":"pgn"}\n', 1, 'this is no log: the first line has to say "format":'),
        (_row(1, lambda row: row.replace(b'"v":1', b'"v":2')), 1, "version 2 of the format is not"),
        (_row(1, lambda row: row.replace(b"chrononauts", b"chess")), 1, "there is no game 'chess'"),
        (_row(1, lambda row: row.replace(b'"createdAt"', b'"made"')), 1, "header: Object contains"),
        (_row(2, lambda row: row[: len(row) // 2]), 2, "not JSON in UTF-8"),
        (_row(9, lambda row: row.replace(b'"at":', b'"at":1')), 9, "the hash does not fit: this"),
        (_row(9, lambda row: row.replace(b'"hash":"', b'"hash":"0')), 9, "the hash does not fit:"),
        (_row(9, lambda row: row.replace(b'"seat":', b'"chair":')), 9, "Object contains unknown"),
        (_row(9, lambda _: b"\xff\xfe"), 9, "not JSON in UTF-8"),
        (_row(9, lambda _: b'{"a":' + b"[" * 5000 + b"]" * 5000 + b"}"), 9, "nested too deeply"),
        (_row(9, lambda _: b""), 9, "the line is empty"),
        (_without(9), 9, "version 9 where 8 is due"),
        (lambda text: text + text.split(b"\n")[5] + b"\n", -1, "version 5 where"),
        (lambda text: text[:-30], -2, "the line is cut off in the middle"),
        (lambda text: b"\n".join(text.split(b"\n")[:-3]) + b"\n", -4, "the log ends here: there"),
    ],
)
def test_the_first_fault_is_named_with_its_line(
    short: bytes, change: Change, line: int, reason: str
) -> None:
    rows = len(short.splitlines())
    expected = line if line > 0 else {-1: rows + 1, -2: rows, -4: rows - 2}[line]
    found, said = _fault(change(short))
    assert said.startswith(reason)
    assert found == expected


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"type": "chrononauts.dice_rolled"}, "there is no type 'chrononauts.dice_rolled' v 1 in"),
        ({"v": 7}, "there is no type 'chrononauts.set_up' v 7 in chrononauts"),
        ({"v": 0}, "Expected `int` >= 1"),
        ({"data": {}}, "chrononauts.set_up: Object missing required field"),
        ({"data": []}, "Expected `object`, got `array`"),
        ({"at": -1}, "Expected `int` >= 0"),
        ({"hash": None}, "Expected `str`, got `null`"),
    ],
)
def test_a_line_with_a_hash_that_fits_is_still_read_with_suspicion(
    short: bytes, change: dict[str, Any], reason: str
) -> None:
    lines = _parsed(short)
    at = next(at for at, line in enumerate(lines) if line.get("type") == "chrononauts.set_up")
    lines[at] |= change
    text = _chained(lines) if "hash" not in change else b"\n".join(map(_canonical, lines))
    line, said = _fault(text)
    assert line == at + 1
    assert said.startswith(reason)


def test_a_field_that_nobody_knows_is_refused(short: bytes) -> None:
    lines = _parsed(short)
    lines[1]["data"]["luck"] = 7
    assert _fault(_chained(lines)) == (2, "match.created: there is no field 'luck'")


def test_white_space_and_the_order_of_keys_do_not_matter(short: bytes) -> None:
    spaced = b"\r\n".join(
        json.dumps(dict(reversed(line.items())), indent=None).encode() for line in _parsed(short)
    )
    assert log.read(spaced) == log.read(short)


def test_old_shapes_are_brought_up_to_date() -> None:
    def renamed(event: dict[str, Any]) -> dict[str, Any]:
        return {"type": "chrononauts.turn_started", "seat": event["who"]}

    upcasters = {"chrononauts.turn_began": renamed, "chrononauts.turn_started@0": renamed}
    register(replace(GAME, name="retold", upcasters=upcasters))
    events, match = opening("retold", 2, SEED)
    entries = tuple(log.Entry(at, 0, None, None, event) for at, event in enumerate(events, 1))
    lines = _parsed(log.write(log.Log(log.to_header("m", match, 0, "all"), entries)))
    for line in lines[1:]:
        if line["type"] == "chrononauts.turn_started":
            line |= {"type": "chrononauts.turn_began", "data": {"who": line["data"]["seat"]}}
    assert log.read(_chained(lines)).entries == entries


def test_a_header_that_lies_about_the_match_is_found(full: log.Log) -> None:
    match = fold(entry.event for entry in full.entries)
    seats = (log.LogSeat("somebody else"), *full.header.seats[1:])
    header = replace(full.header, ruleset=9, seats=seats, commitment="00")
    assert log.differences(header, match) == ["ruleset", "seats", "commitment"]


@pytest.mark.parametrize("seat", [None, 2, 99])
def test_a_seat_that_did_not_act_is_found(short: bytes, seat: int | None) -> None:
    lines = _parsed(short)
    at = next(at for at, line in enumerate(lines) if line.get("type") == "choice.made")
    assert lines[at]["seat"] != seat
    for line in lines:
        if line.get("command") == lines[at]["command"]:
            line["seat"] = seat
    with pytest.raises(InvalidLog, match=f"line {at + 1}: seat {seat} did not do this"):
        log.read(_chained(lines))


def test_a_seat_that_the_table_does_not_have_is_found(short: bytes) -> None:
    lines = _parsed(short)
    lines[2]["seat"] = 99
    with pytest.raises(InvalidLog, match="line 3: there is no seat 99"):
        log.read(_chained(lines))


def test_a_log_without_events_has_no_commits() -> None:
    created = opening("chrononauts", 2, SEED)[0][0]
    assert isinstance(created, MatchCreated)
    header = replace(log.to_header("m", fold([created]), 0, "all"), events=0)
    empty = log.read(log.write(log.Log(header, ())))
    assert list(empty.commits()) == []


def test_the_commitment_in_the_header_is_public(full: log.Log) -> None:
    started = next(one.event for one in full.entries if isinstance(one.event, MatchStarted))
    header = _parsed(log.write(log.redacted(full, None)))[0]
    assert header["commitment"] == started.commitment
    assert header["viewer"] == "spectator"
    assert msgspec.convert(header, log.Header) == replace(full.header, viewer="spectator")
