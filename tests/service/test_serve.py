"""The service as a real process: start, stop, refusals, and kill -9 in the middle of matches."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from domain.engine.chance import Chance
from service.store.launch import wait_until
from tests.kit.processes import Process, free_port, running
from tests.kit.servers import short_directory
from tests.kit.service import SIGNING_KEY, pick

MATCHES = 6


@pytest.fixture
def data_dir() -> Iterator[Path]:
    with short_directory() as directory:
        yield directory / "data"


class Player(threading.Thread):
    """Plays one match after the other over HTTP and keeps what was acknowledged."""

    def __init__(self, number: int, service: Process, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.chance = Chance(f"{number:02x}" * 16, 0)
        self.service = service
        self.stopped = stop
        self.acknowledged: dict[str, dict[str, list[int]]] = {}  # match: command: versions
        self.owners: dict[str, str] = {}
        self.open: dict[str, dict[str, Any]] = {}  # command under way when everything ended
        self.seats: dict[str, list[str]] = {}

    def run(self) -> None:
        while not self.stopped.is_set():
            try:
                self.play(self.lay())
            except (OSError, HTTPException):
                return

    def lay(self) -> str:
        ask = self.service.ask
        created = ask("POST", "/v1/matches", {"game": "chrononauts", "seats": 2})
        match_id: str = created["matchId"]
        tokens = [
            ask("POST", f"/v1/matches/{match_id}/seats", {"invite": invite["invite"]})["token"]
            for invite in created["invites"]
        ]
        self.owners[match_id], self.seats[match_id] = created["ownerToken"], tokens
        self.acknowledged[match_id] = {}
        return match_id

    def play(self, match_id: str, plies: int = 10**6) -> None:
        for _ in range(plies):
            if self.stopped.is_set():
                return
            view = self.service.ask("GET", f"/v1/matches/{match_id}", token=self.owners[match_id])
            if view["status"] == "finished":
                return
            seat = view["awaiting"][0]
            token = self.seats[match_id][seat]
            legal = self.service.ask("GET", f"/v1/matches/{match_id}/legal-moves", token=token)
            command = f"c{view['version']}-{seat}"
            body = {**pick(legal, self.chance), "commandId": command}
            self.open[match_id] = {"body": body, "token": token}
            self.send(match_id, command, body, token)

    def send(self, match_id: str, command: str, body: dict[str, Any], token: str) -> None:
        result = self.service.ask("POST", f"/v1/matches/{match_id}/moves", body, token)
        versions = [event["version"] for event in result["events"]]
        self.acknowledged[match_id][command] = versions
        self.open.pop(match_id, None)


def test_every_acknowledged_move_survives_kill_9_exactly_once(data_dir: Path) -> None:
    port = free_port()
    stop = threading.Event()
    with running(data_dir, port=port) as service:
        players = [Player(number, service, stop) for number in range(MATCHES)]
        for player in players:
            player.start()
        enough = wait_until(lambda: sum(moves(player) for player in players) > 150, 60)
        assert enough
        service.kill()
        for player in players:
            player.join(30)
    with running(data_dir, port=port) as again:
        for player in players:
            player.service = again
            for match_id, acknowledged in player.acknowledged.items():
                check(player, match_id, acknowledged)
        for player in players:
            for match_id in player.acknowledged:
                player.play(match_id, plies=5)
        assert again.stop() == 0


def moves(player: Player) -> int:
    return sum(len(acknowledged) for acknowledged in player.acknowledged.values())


def check(player: Player, match_id: str, acknowledged: dict[str, list[int]]) -> None:
    """Compare what was acknowledged with what is there, and repeat what was under way."""
    ask, owner = player.service.ask, player.owners[match_id]
    events = ask("GET", f"/v1/matches/{match_id}/events?limit=1000", token=owner)["events"]
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    told = [version for versions in acknowledged.values() for version in versions]
    assert len(set(told)) == len(told)
    assert set(told) <= {event["version"] for event in events}
    unknown = player.open.get(match_id)
    if unknown is not None:
        # Whether it came through or not, a repeat settles it, once.
        command = unknown["body"]["commandId"]
        for _ in range(2):
            player.open[match_id] = unknown
            player.send(match_id, command, unknown["body"], unknown["token"])
        view = ask("GET", f"/v1/matches/{match_id}", token=owner)
        assert view["version"] == acknowledged[command][-1]


def test_a_server_that_dies_alone_is_started_again(data_dir: Path) -> None:
    with running(data_dir) as service:
        created = service.ask("POST", "/v1/matches", {"game": "chrononauts", "seats": 2})
        server = service.server_pid()
        assert server is not None
        os.kill(server, signal.SIGKILL)
        assert wait_until(lambda: service.server_pid() not in (None, server), 20)
        assert wait_until(service.is_ready, 20)
        path = f"/v1/matches/{created['matchId']}"
        assert service.ask("GET", path, token=created["ownerToken"])["status"] == "open"


def test_a_second_service_on_the_same_data_is_refused_in_one_sentence(data_dir: Path) -> None:
    with running(data_dir):
        second = Process(data_dir).launch()
        output, errors = second.communicate(timeout=30)
        assert second.returncode == 2
        assert output == ""
        assert len(errors.splitlines()) == 1
        assert errors.startswith("stele: another service")


@pytest.mark.parametrize("more", [{}, {"redis_url": "redis://127.0.0.1:1/0"}])
def test_a_data_directory_that_cannot_be_is_named_by_its_setting(more: dict[str, str]) -> None:
    process = Process(Path("/proc/foo")).launch(**more)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (2, "")
    assert errors.startswith("stele: STELE_DATA_DIR or --data-dir: /proc/foo cannot be used (")
    assert errors.count("\n") == 1


def test_a_store_that_does_not_answer_is_told_once_and_awaited(data_dir: Path) -> None:
    url = f"redis://:secret@127.0.0.1:{free_port()}/0?password=secret"
    process = Process(data_dir, STELE_LOG_LEVEL="info").launch(redis_url=url)
    assert process.stderr is not None
    errors = ""
    while "stele: " not in errors or "deadlines wait" not in errors:
        line = process.stderr.readline()
        assert line, errors
        errors += line
    process.terminate()
    output, rest = process.communicate(timeout=30)
    errors += rest
    lines = [line for line in errors.splitlines() if line.startswith("stele: ")]
    assert (process.returncode, output) == (0, "")
    assert len(lines) == 1
    assert lines[0].startswith("stele: the store at redis://127.0.0.1:")
    assert "--redis-url" in lines[0]
    assert "secret" not in errors
    assert "/readyz" not in errors
    assert errors.count("deadlines wait for the store") == 1


def test_a_start_is_quiet_until_it_is_ready(data_dir: Path) -> None:
    process = Process(data_dir, STELE_LOG_LEVEL="info").launch()
    assert process.stdout is not None
    assert process.stdout.readline() == "Stele is ready.\n"
    process.terminate()
    _, errors = process.communicate(timeout=30)
    assert "service.access" not in errors


def test_a_port_in_use_is_refused_in_one_sentence(data_dir: Path) -> None:
    with running(data_dir) as service:
        second = Process(data_dir.with_name("other"), port=service.port).launch()
        _, errors = second.communicate(timeout=30)
        assert second.returncode == 2
        assert errors.startswith(f"stele: cannot listen on 127.0.0.1:{service.port}")


def test_others_are_let_in_with_signing_keys_only(data_dir: Path) -> None:
    process = Process(data_dir).launch(host="0.0.0.0")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert errors.startswith("stele: STELE_SIGNING_KEYS: has to be set")
    assert not data_dir.exists()


def test_where_others_come_it_is_closed_by_default(data_dir: Path) -> None:
    """No GraphiQL, no introspection, no suggestions; and rates are limited."""
    process = Process(data_dir, STELE_SIGNING_KEYS=SIGNING_KEY)
    process.launch(host="0.0.0.0")
    try:
        assert wait_until(process.is_ready, 30)
        with urlopen(f"{process.url}/v1/games", timeout=10) as response:
            assert response.headers["RateLimit-Policy"] == '"requests";q=600;w=60'
        page = Request(f"{process.url}/graphql", headers={"Accept": "text/html"})
        with pytest.raises(HTTPError, match="406"):
            urlopen(page, timeout=10)
        for query in ("{ __schema { types { name } } }", "{ gamez { name } }"):
            answer = process.ask("POST", "/graphql", {"query": query})
            assert answer["errors"][0]["extensions"]["code"] == "malformed"
            assert "Did you mean" not in str(answer)
            assert "data" not in answer
    finally:
        process.kill()


@pytest.mark.parametrize(
    "setting",
    [
        {"STELE_DURABILITY": "never"},
        {"STELE_DURABILITY": "replicated"},  # by whom?
        {"STELE_REDIS_URL": "redis://:Secret99/x@host:6379"},
        {"STELE_REDIS_URL": "redis://localhost:6379?Secret99=1"},
        {"STELE_SIGNING_KEYS": "Secret99\udcff" * 9},
    ],
)
def test_a_wrong_setting_stops_the_start(data_dir: Path, setting: dict[str, str]) -> None:
    process = Process(data_dir, free_port(), 1, **setting).launch()
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (2, "")
    (name,) = setting
    assert errors.startswith(f"stele: {name}: ")
    assert f"; for example {name}=" in errors
    assert errors.count("\n") == 1
    assert "Secret99" not in errors
    assert not data_dir.exists()


@pytest.mark.parametrize("workers", [1, 2])
def test_a_document_that_cannot_run_stops_the_start(
    data_dir: Path, tmp_path: Path, workers: int
) -> None:
    documents = tmp_path / "documents.json"
    documents.write_text('{"a": "{ nope }"}')
    process = Process(data_dir, workers=workers, STELE_TRUSTED_DOCUMENTS=str(documents)).launch()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert errors.startswith("stele: STELE_TRUSTED_DOCUMENTS: 'a' cannot run: ")
    assert errors.count("\n") == 1


def test_it_prints_addresses_that_answer_and_stops_when_told(data_dir: Path) -> None:
    with running(data_dir) as service:
        assert service.ask("GET", "/v1/games")
        assert service.ask("GET", "/openapi.json")
        elsewhere = Request(f"{service.url}/v1/games", headers={"Host": "evil.example"})
        with pytest.raises(HTTPError, match="421"):
            urlopen(elsewhere, timeout=10)
        time.sleep(0.1)
        assert service.stop() == 0
        assert service.output.splitlines()[0] == "Stele is ready."
        assert f"{service.url}/v1" in service.output
        assert service.server_pid() is None


def test_several_workers_share_matches_and_end_with_their_parent(data_dir: Path) -> None:
    with running(data_dir, workers=2) as service:
        stop = threading.Event()
        players = [Player(number, service, stop) for number in range(4)]
        for player in players:
            player.start()
        assert wait_until(lambda: sum(moves(player) for player in players) > 100, 60)
        stop.set()
        for player in players:
            player.join(30)
            assert player.open == {}
        # Whichever worker is asked, it answers for both.
        made = {commits(service) for _ in range(8)}
        assert len(made) == 1
        assert made.pop() >= sum(moves(player) for player in players) > 100
        service.kill()
        assert wait_until(lambda: not listens(service.port), 15)


def commits(service: Process) -> float:
    with urlopen(f"{service.url}/metrics", timeout=10) as answer:
        (line,) = re.findall(rb"^stele_commits_total (.+)$", answer.read(), re.MULTILINE)
        return float(line)


def test_a_service_goes_by_the_address_of_loopback_that_it_is_given(data_dir: Path) -> None:
    process = Process(data_dir)
    launched = process.launch(host="127.0.0.2")
    assert launched.stdout is not None
    assert launched.stdout.readline() == "Stele is ready.\n"
    with urlopen(f"http://127.0.0.2:{process.port}/v1/games", timeout=10) as answer:
        assert answer.status == 200
    assert process.stop() == 0


def listens(port: int) -> bool:
    try:
        Process(Path(), port=port).ask("GET", "/healthz")
    except HTTPError:
        return True
    except OSError:
        return False
    return True


def test_ctrl_c_is_an_orderly_end(data_dir: Path) -> None:
    with running(data_dir) as service:
        process = service._process
        assert isinstance(process, subprocess.Popen)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 0


def test_the_module_runs_as_the_environment_says(data_dir: Path) -> None:
    environment = {**os.environ, "STELE_DATA_DIR": str(data_dir), "STELE_DURABILITY": "never"}
    command = [sys.executable, "-m", "service"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("stele: STELE_DURABILITY: ")


def test_a_faulty_catalogue_stops_the_start(data_dir: Path, tmp_path: Path) -> None:
    facts = tmp_path / "chrononauts" / "facts.csv"
    facts.parent.mkdir()
    facts.write_text("card,fact\n")
    process = Process(data_dir, STELE_CATALOGUE_DIR=str(tmp_path)).launch()
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 2
    assert f"{facts}:1: " in errors
