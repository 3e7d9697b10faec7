import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import closing
from random import Random
from typing import Any

import pytest

from service.cli import player
from service.cli.connection import Connection, ConnectionLost
from service.cli.player import Failed, Player, Sample, Stopped

Asked = tuple[str, str, dict[str, str], Any]
Answer = tuple[int, Any] | bytes | None
"""Status and JSON; or bytes as they are; or nothing: the connection breaks."""

Serve = Callable[[Asked], Answer]


class Stub:
    """A service that answers as a test says, and remembers what it was asked."""

    def __init__(self, serve: Serve) -> None:
        self.asked: list[Asked] = []
        self.connections: list[asyncio.Task[Any] | None] = []
        self._serve = serve

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(asyncio.current_task())
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                first, *lines = head.decode().split("\r\n")[:-2]
                method, path, _ = first.split(" ")
                headers = dict(line.split(": ", 1) for line in lines)
                raw = await reader.readexactly(int(headers.get("Content-Length", "0")))
                asked = (method, path, headers, json.loads(raw) if raw else None)
                self.asked.append(asked)
                answer = self._serve(asked)
                if answer is None:
                    return
                writer.write(answer if isinstance(answer, bytes) else _response(*answer))
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()
            await writer.wait_closed()

    def keys(self, path: str) -> list[str]:
        return [one[2]["Idempotency-Key"] for one in self.asked if one[1] == path]


def _response(status: int, value: Any) -> bytes:
    body = json.dumps(value).encode()
    return b"HTTP/1.1 %d Any\r\nContent-Length: %d\r\n\r\n%s" % (status, len(body), body)


def _with(serve: Serve, use: Callable[[str, Stub], Awaitable[None]]) -> Stub:
    stub = Stub(serve)

    async def run() -> None:
        server = await asyncio.start_server(stub, "127.0.0.1", 0)
        async with server:
            port = server.sockets[0].getsockname()[1]
            await use(f"http://127.0.0.1:{port}", stub)
            await asyncio.wait_for(asyncio.gather(*filter(None, stub.connections)), 5)

    asyncio.run(run())
    return stub


def _problem(status: int, code: str) -> Answer:
    return status, {"code": code, "detail": "no"}


class Game:
    """One seat, `plies` choices with one option each; `moves` says how a move is answered."""

    def __init__(self, plies: int, named: bool = True) -> None:
        self.left = plies
        self.named = named
        self.on_move: Callable[[int], Answer | str] = lambda _: "good"
        self.on_create: Callable[[int], Answer | str] = lambda _: "good"
        self._moves = self._creations = 0

    def __call__(self, asked: Asked) -> Answer:
        method, path, _, _ = asked
        if path == "/v1/matches":
            self._creations += 1
            answer = self.on_create(self._creations)
            created = {"matchId": "m", "version": 1, "ownerToken": "o"}
            invites = [{"seat": 0, "invite": "i"}]
            return (201, {**created, "invites": invites}) if isinstance(answer, str) else answer
        if path.endswith("/seats"):
            taken = {"matchId": "m", "version": 2, "seat": 0, "token": "t", "started": True}
            return 200, taken
        if path.endswith("/legal-moves"):
            return 200, self._legal()
        if path.endswith("/moves"):
            self._moves += 1
            answer = self.on_move(self._moves)
            if isinstance(answer, str):
                self.left -= 1
                return 200, {**self._state(), "matchId": "m", "events": [], "choice": None}
            return answer
        assert (method, path) == ("GET", "/v1/matches/m")
        return 200, self._state()

    def _state(self) -> dict[str, Any]:
        over = {"winners": [0], "reasons": ["home"], "scores": []}
        awaiting = [0] if self.left else []
        return {"version": 9, "awaiting": awaiting, "outcome": None if self.left else over}

    def _legal(self) -> dict[str, Any]:
        option = {"id": "a"}
        about = {"id": 7, "seat": 0, "prompt": "play", "source": None, "shown": []}
        choice = {**about, "options": [option], "min": 1, "max": 1}
        body: dict[str, Any] = {"type": "playCard", "card": "A-REX"}
        if not self.named:
            body = {"type": "choose", "choice": 7, "picks": []}
        moves = [{"type": body["type"], "body": body}]
        return {"matchId": "m", "version": 9, "choice": choice, "moves": moves}


class Notes:
    """What a player reports."""

    def __init__(self, url: str, stop: Callable[[], bool] = lambda: False) -> None:
        self.samples: list[Sample] = []
        self.failures: list[str] = []
        chance = Random(0)
        self.player = Player(url, chance, self.samples.append, self.failures.append, stop)


def _played(game: Game) -> tuple[Stub, Notes, str | None]:
    found: list[tuple[Notes, str | None]] = []

    async def use(url: str, _: Stub) -> None:
        notes = Notes(url)
        with closing(notes.player):
            found.append((notes, await notes.player.play({"game": "any"})))

    stub = _with(game, use)
    return stub, *found[0]


MOVES = "/v1/matches/m/moves"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "_FIRST_PAUSE", 0.001)


def test_named_moves_are_sent_as_they_come() -> None:
    stub, notes, match = _played(Game(plies=3))
    assert match == "m"
    assert len(notes.samples) == 3
    assert notes.failures == []
    bodies = [one[3] for one in stub.asked if one[1] == MOVES]
    assert bodies == [{"type": "playCard", "card": "A-REX"}] * 3
    assert len(set(stub.keys(MOVES))) == 3
    assert all(one[2]["Authorization"] == "Bearer t" for one in stub.asked if one[1] == MOVES)


def test_the_general_form_is_sent_with_picks_of_its_own() -> None:
    stub, _, _ = _played(Game(plies=1, named=False))
    assert stub.asked[-1][3] == {"type": "choose", "choice": 7, "picks": ["a"]}


@pytest.mark.parametrize("answer", [None, _problem(503, "store_unavailable"), (429, {})])
def test_a_move_is_repeated_with_the_same_id_until_it_is_answered(answer: Answer) -> None:
    game = Game(plies=2)
    game.on_move = lambda number: answer if number in (1, 2) else "good"
    stub, notes, match = _played(game)
    assert match == "m"
    assert len(notes.samples) == 2
    assert notes.failures == []
    keys = stub.keys(MOVES)
    assert keys[0] == keys[1] == keys[2] != keys[3]


def test_the_creation_of_a_match_is_repeated_too() -> None:
    game = Game(plies=1)
    game.on_create = lambda number: None if number == 1 else "good"
    stub, _, match = _played(game)
    assert match == "m"
    assert len(set(stub.keys("/v1/matches"))) == 1


def test_a_refusal_after_a_repeat_is_no_error() -> None:
    # The window that the move was meant for closed while the service was away.
    def on_move(number: int) -> Answer | str:
        return {1: None, 2: _problem(409, "unknown_choice")}.get(number, "good")

    game = Game(plies=1)
    game.on_move = on_move
    _, notes, match = _played(game)
    assert match == "m"
    assert notes.failures == []


def test_a_refusal_at_once_is_an_error_and_the_match_goes_on() -> None:
    game = Game(plies=1)
    game.on_move = lambda number: _problem(409, "unknown_choice") if number == 1 else "good"
    _, notes, match = _played(game)
    assert match == "m"
    assert notes.failures == ["m: 409 unknown_choice: no"]


def test_a_match_that_refuses_everything_is_left() -> None:
    game = Game(plies=1)
    game.on_move = lambda _: (422, ["not a problem document"])
    _, notes, match = _played(game)
    assert match is None
    assert notes.failures == ["m: 422 no problem document"] * 20


def test_an_answer_that_cannot_be_read_is_an_error() -> None:
    game = Game(plies=1)
    game.on_create = lambda _: (200, {"hello": "world"})
    with pytest.raises(Failed, match="200, but not as expected: Object missing required field"):
        _played(game)


def test_a_service_that_stays_away_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player, "RETRY_SECONDS", 0.05)
    game = Game(plies=1)
    game.on_create = lambda _: _problem(503, "store_unavailable")
    with pytest.raises(Failed, match="the service answers 503"):
        _played(game)


def test_when_the_time_is_up_nothing_is_repeated() -> None:
    async def use(url: str, _: Stub) -> None:
        notes = Notes(url, stop=lambda: True)
        with pytest.raises(Stopped):
            await notes.player.play({"game": "any"})
        notes.player.close()
        assert notes.failures == []

    game = Game(plies=1)
    game.on_create = lambda _: None
    _with(game, use)


def test_when_the_time_is_up_a_running_match_is_left() -> None:
    async def use(url: str, _: Stub) -> None:
        notes = Notes(url, stop=lambda: True)
        assert await notes.player.play({"game": "any"}) is None
        notes.player.close()

    _with(Game(plies=1), use)


def test_a_connection_is_opened_again_when_the_service_closes_it() -> None:
    async def use(url: str, stub: Stub) -> None:
        connection = Connection(f"{url}/under/")
        for _ in range(2):
            answer = await connection.ask("GET", "/x")
            assert (answer.status, answer.body) == (200, b"ok")
            assert answer.headers["connection"] == "close"
        assert [one[1] for one in stub.asked] == ["/under/x"] * 2

    text = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok"
    _with(lambda _: text, use)


def test_what_is_no_http_is_a_lost_connection() -> None:
    async def use(url: str, _: Stub) -> None:
        connection = Connection(url)
        with pytest.raises(ConnectionLost):
            await connection.ask("GET", "/")

    _with(lambda _: b"SSH-2.0\r\n\r\n", use)


def test_a_request_that_is_cancelled_closes_its_connection() -> None:
    async def use(url: str, _: Stub) -> None:
        connection = Connection(url)
        task = asyncio.create_task(connection.ask("GET", "/"))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    _with(lambda _: b"HTTP/1.1 200 OK\r\n", use)


@pytest.mark.parametrize(
    ("says", "connections"), [(b"", 1), (b"Connection: keep-alive", 1), (b"Connection: close", 3)]
)
def test_a_connection_lasts_as_long_as_the_service_says(says: bytes, connections: int) -> None:
    async def use(url: str, _: Stub) -> None:
        connection = Connection(url)
        for number in range(3):
            assert (await connection.ask("GET", f"/{number}")).body == b"ok"
        connection.close()

    text = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n%b\r\nok" % (says and says + b"\r\n")
    assert len(_with(lambda _: text, use).connections) == connections
