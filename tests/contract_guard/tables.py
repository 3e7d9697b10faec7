"""Matches on a running service for generated requests; `STELE_URL` names the service."""

import json
import os
import urllib.request
from http.client import InvalidURL
from typing import Any
from urllib.error import HTTPError

URL = os.environ["STELE_URL"]
GAMES = ("chrononauts", "ancient_knowledge")


def ask(path: str, body: dict[str, Any] | None, token: str | None = None) -> dict[str, Any]:
    """Post a body, or get what is there."""
    headers = {"Content-Type": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(
        URL + path, None if body is None else json.dumps(body).encode(), headers
    )
    with urllib.request.urlopen(request, timeout=10) as answer:
        found: dict[str, Any] = json.loads(answer.read())
        return found


def legal_move(match_id: str, token: str | None) -> dict[str, Any] | None:
    """Return the first legal move of a seat, None where it has none."""
    try:
        found = ask(f"/v1/matches/{match_id}/legal-moves", None, token)["moves"]
    except (HTTPError, ValueError, InvalidURL):  # what is made up is not even an address
        return None
    return found[0]["body"] if found else None


class Table:
    """A running match against a bot, and one that waits for its second seat."""

    def __init__(self, game: str, starts: bool) -> None:
        created = ask("/v1/matches", {"game": game, "seats": 2, "visibility": "public"})
        self.id: str = created["matchId"]
        self.owner: str = created["ownerToken"]
        seat = {"invite": created["invites"][0]["invite"], "player": "Ann"}
        self.seat: str = ask(f"/v1/matches/{self.id}/seats", seat)["token"]
        if starts:
            ask(f"/v1/matches/{self.id}/seats", {"seat": 1, "bot": "greedy"}, self.owner)


TABLES = tuple(Table(game, starts) for game in GAMES for starts in (True, False))


def chosen(real: tuple[str, ...], made_up: object) -> object:
    """Return one of the real values three times out of four, else the one made up."""
    number = sum(str(made_up).encode()) % 16
    return real[number % len(real)] if number < 12 and "/" not in str(made_up) else made_up
