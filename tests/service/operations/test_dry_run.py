"""A dry run answers what a seat can know of a move beforehand, and changes nothing."""

from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from domain.engine.agenda import Run
from domain.engine.chance import Chance
from domain.engine.decider import Choose, Command, Concede, carry_out, open_choice
from domain.engine.match import Match
from service.snapshots import Snapshot
from service.views import to_rehearsal
from tests.kit.laws import other_world
from tests.kit.matches import CASES, Case, legal_answers, walk
from tests.kit.service import Body, Table, answered, choose, lay, refused

pytestmark = pytest.mark.anyio


async def turn(table: Table) -> tuple[int, Body]:
    seat = await table.next_seat()
    assert seat is not None
    return seat, (await table.legal(seat))["choice"]


async def test_what_a_discard_would_do_is_what_it_does(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, choice = await turn(table)
    discard = next(one["id"] for one in choice["options"] if one["id"].startswith("discard:"))
    body = choose(choice, discard)
    version = (await table.view())["version"]
    dry = answered(await table.move(seat, {**body, "dryRun": True}))
    assert dry["complete"]
    assert dry["version"] == version == (await table.view())["version"]
    done = answered(await table.move(seat, body))
    assert done["complete"]
    for result in (dry, done):
        for event in result["events"]:
            del event["at"]
    assert dry["events"] == done["events"]
    assert dry["choice"] == done["choice"]


async def test_a_dry_run_ends_where_a_card_would_be_drawn(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, choice = await turn(table)
    discards = [one["id"] for one in choice["options"] if one["id"].startswith("discard:")]
    answered(await table.move(seat, choose(choice, discards[0])))
    second = (await table.legal(seat))["choice"]
    body = choose(second, second["options"][0]["id"])
    dry = answered(await table.move(seat, {**body, "dryRun": True, "commandId": "once"}))
    assert not dry["complete"]
    assert (dry["choice"], dry["outcome"]) == (None, None)
    assert [event["type"] for event in dry["events"]] == [
        "choice.made",
        "chrononauts.card_discarded",
    ]
    answered(await table.move(seat, {**body, "commandId": "once"}))


async def test_no_dry_run_tells_the_seed(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    dry = answered(await table.post("/concede", {"dryRun": True}, 0))
    assert not dry["complete"]
    types = [event["type"] for event in dry["events"]]
    assert types[0] == "match.seat_conceded"
    assert "match.finished" not in types
    assert dry["outcome"] is None
    assert (await table.view())["status"] == "running"


async def test_a_dry_run_is_refused_like_the_move(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, choice = await turn(table)
    dry: Body = {"dryRun": True}
    wrong = {"type": "choose", "choice": choice["id"], "picks": ["nothing"], **dry}
    assert refused(await table.move(seat, wrong)) == (422, "illegal_choice")
    assert refused(await table.move(1 - seat, wrong)) == (409, "not_your_turn")
    assert refused(await table.move(seat, {"type": "playCard", "card": "x", **dry})) == (
        422,
        "illegal_move",
    )
    stale = {**choose(choice, choice["options"][0]["id"]), **dry, "expectedVersion": 2}
    response = await table.move(seat, stale)
    assert refused(response) == (412, "version_conflict")
    assert response.json()["version"] == (await table.view())["version"]
    assert refused(await table.post("/undo", dry, seat)) == (409, "illegal_undo")


async def test_a_dry_run_leaves_a_standing_pass_alone(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    body = {"type": "respond", "standing": True, "dryRun": True}
    dry = answered(await table.move(0, body))
    assert (dry["events"], dry["complete"]) == ([], True)
    await table.to_window(Chance("dry", 1))
    seat = await table.next_seat()
    assert seat is not None
    dry = answered(await table.move(seat, body))
    assert [event["type"] for event in dry["events"]] == ["choice.made"]
    assert (await table.view())["awaiting"] == [seat]


def _commands(match: Match[Any], chance: Chance) -> Iterator[tuple[int, Command]]:
    for seat in match.seats:
        if match.places[seat].conceded:
            continue
        yield seat, Concede(seat)
        choice = open_choice(match, seat)
        for picks in chance.shuffled(legal_answers(choice))[:3] if choice else ():
            yield seat, Choose(seat, match.choice, (picks,))


def _told(match: Match[Any], run: Run[Any], seat: int) -> bytes:
    snapshot = Snapshot(
        match_id="m", match=match, created_at=1, at=1, opened_at=1, public=False, records={}
    )
    return msgspec.json.encode(to_rehearsal(snapshot, run, seat, 1))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_dry_runs_of_two_worlds_are_the_same(case: Case) -> None:
    """Byte for byte, events that are announced included, whatever others have answered."""
    compared = 0
    for number in range(2):
        steps = [one for one in walk(case, number, concede=3) if one.after.outcome is None]
        for step in steps[:: max(1, len(steps) // 8)]:
            match = step.after
            chance = Chance(f"dry {number}", match.version)
            for seat, command in _commands(match, chance):
                other = other_world(match, seat, Chance(f"other {number}", match.version))
                here, there = carry_out(match, command), carry_out(other, command)
                assert _told(match, here, seat) == _told(other, there, seat), command
                compared += 1
    assert compared > 20
