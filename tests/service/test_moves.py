"""Moves over HTTP: what they answer, what they bind to, and what a repeat of one does."""

import asyncio

import httpx
import pytest
from msgspec.structs import replace

from domain.engine.chance import Chance
from schema.inputs import ConcedeInput
from schema.log import Log, read, write
from service.moves import digest
from tests.kit.service import Table, answered, choose, lay, pick, refused

pytestmark = pytest.mark.anyio

SEED = "5e" * 16


async def turn(table: Table) -> tuple[int, dict[str, object]]:
    """Return the seat whose turn it is, and a legal move of it."""
    seat = await table.next_seat()
    assert seat is not None
    return seat, pick(await table.legal(seat), Chance(SEED, 1))


async def test_a_whole_match_is_played_by_named_moves(http: httpx.AsyncClient) -> None:
    table = await lay(http, 3, options={"turnCap": 30})
    chance = Chance(SEED, 0)
    while (result := await table.step(chance)) is not None:
        last = result
    assert last["outcome"] is not None
    view = await table.view(None)
    assert (view["status"], view["version"]) == ("finished", last["version"])
    assert view["outcome"] == last["outcome"]
    assert view["seed"] is not None


async def test_every_legal_move_is_ready_to_send(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, _ = await turn(table)
    for move in (await table.legal(seat))["moves"]:
        copy = await lay(http, 2)
        assert set(move["body"]) >= {"type"}
        assert refused_or_done(await copy.move(0, move["body"])) in ("done", "refused")


def refused_or_done(response: httpx.Response) -> str:
    """Another table has other hands: a move fits there or is refused, but is never malformed."""
    if response.is_success:
        return "done"
    return "refused" if refused(response)[0] in (409, 422) else response.text


async def test_an_answer_holds_version_own_events_and_next_choice(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, _ = await turn(table)
    legal = await table.legal(seat)
    options = [option["id"] for option in legal["choice"]["options"]]
    discard = next(id for id in options if id.startswith("discard:"))
    result = answered(await table.move(seat, choose(legal["choice"], discard)))
    assert [event["type"] for event in result["events"]] == [
        "choice.made",
        "chrononauts.card_discarded",
        "choice.offered",
    ]
    assert [event["version"] for event in result["events"]] == list(
        range(legal["version"] + 1, result["version"] + 1)
    )
    assert result["choice"]["prompt"] == "kill_time"
    assert result["awaiting"] == [seat]
    assert result["choice"] == (await table.view(seat))["choice"]


async def test_a_repeat_gets_the_first_answer(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, body = await turn(table)
    key = {"Idempotency-Key": "once"}
    first = await table.move(seat, body, key)
    again = await table.move(seat, body, key)
    assert first.json()["events"]
    assert first.json() == again.json()
    chance = Chance(SEED, 2)
    for _ in range(5):
        await table.step(chance)
    assert (await table.move(seat, body, key)).json() == first.json()
    versioned = await table.move(seat, body, {**key, "If-Match": '"1"'})
    assert versioned.json() == first.json()


async def test_a_command_id_with_another_body_is_refused(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, body = await turn(table)
    answered(await table.move(seat, {**body, "commandId": "once"}))
    other = {"type": "killTime", "cards": ["P1868"], "commandId": "once"}
    assert refused(await table.move(seat, other)) == (409, "command_reused")


async def test_the_same_command_id_of_another_seat_is_another_command(
    http: httpx.AsyncClient,
) -> None:
    table = await lay(http, 2)
    await table.to_window(Chance(SEED, 3))
    seat = await table.next_seat()
    assert seat is not None
    passes = {"type": "respond", "card": None, "commandId": "same"}
    first = answered(await table.move(seat, passes))
    status, code = refused(await table.move(1 - seat, passes))
    assert (status, code) in ((409, "not_your_turn"), (422, "illegal_move"))
    assert answered(await table.move(seat, passes)) == first


async def test_a_stale_version_is_told_what_happened_since(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, body = await turn(table)
    version = (await table.view())["version"]
    result = answered(await table.move(seat, body, {"If-Match": f'"{version}"'}))
    stale = await table.move(seat, body, {"If-Match": f'"{version}"'})
    assert refused(stale) == (412, "version_conflict")
    assert stale.json()["version"] == result["version"]
    assert stale.json()["events"] == result["events"]
    assert (await table.view())["version"] == result["version"]


async def test_of_two_requests_for_one_choice_one_is_done(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, body = await turn(table)
    version = (await table.view())["version"]
    answers = await asyncio.gather(*(table.move(seat, body) for _ in range(4)))
    done = [answer for answer in answers if answer.is_success]
    assert len(done) == 1
    for answer in answers:
        if not answer.is_success:
            assert refused(answer) in ((409, "unknown_choice"), (409, "not_your_turn"))
    assert (await table.view())["version"] == version + len(done[0].json()["events"])


async def test_a_choice_answered_before_is_never_answered_again(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, _ = await turn(table)
    choice = (await table.legal(seat))["choice"]
    picks = choose(choice, choice["options"][0]["id"])
    answered(await table.move(seat, picks))
    again = await table.move(seat, picks)
    assert refused(again) in ((409, "unknown_choice"), (409, "not_your_turn"))


async def test_conceding_ends_a_match_of_two(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    result = answered(await table.post("/concede", {}, 0))
    assert result["outcome"] == {"winners": [1], "reasons": ["last_one_left"], "scores": []}
    for path, body in (("/concede", {}), ("/moves", {"type": "respond"})):
        assert refused(await table.post(path, body, 1)) == (409, "match_finished")


async def test_the_board_is_there_at_every_version(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    chance = Chance(SEED, 4)
    seen = [(await table.get("", 0)).json()]
    for _ in range(6):
        await table.step(chance)
        seen.append((await table.get("", 0)).json())
    for view in seen:
        assert await table.view(0, at=view["version"]) == view
    newest = seen[-1]["version"]
    assert (await table.view(0, at=1))["status"] == "open"
    for version in (0, newest + 1):
        assert refused(await table.get("", 0, at=version)) == (404, "not_found")


async def test_an_unchanged_board_is_not_sent_again(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    first = await table.get("", 0)
    tag = first.headers["etag"]
    assert tag == f'"{first.json()["version"]}"'
    headers = {**table.bearer(0), "If-None-Match": tag}
    assert (await http.get(f"/v1/matches/{table.id}", headers=headers)).status_code == 304
    await table.step(Chance(SEED, 5))
    assert (await http.get(f"/v1/matches/{table.id}", headers=headers)).status_code == 200


async def test_pages_of_events_join_without_gap_or_repeat(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    chance = Chance(SEED, 6)
    for _ in range(10):
        await table.step(chance)
    whole = answered(await table.get("/events", 0))
    versions = [event["version"] for event in whole["events"]]
    assert versions == list(range(1, whole["version"] + 1))
    after, joined = 0, []
    while page := answered(await table.get("/events", 0, after=after, limit=3))["events"]:
        joined += page
        after = page[-1]["version"]
    assert joined == whole["events"]


async def test_a_log_is_taken_in_and_comes_out_the_same(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, options={"turnCap": 4})
    chance = Chance(SEED, 7)
    while await table.step(chance) is not None:
        pass
    text = (await table.get("/log")).text
    imported = answered(
        await http.post("/v1/matches/import", json={"text": text, "commandId": "i" * 16})
    )
    again = answered(
        await http.post("/v1/matches/import", json={"text": text, "commandId": "i" * 16})
    )
    assert again == imported
    copy = Table(http, imported)
    lines = text.split("\n")[1:]
    other = (await copy.get("/log")).text.split("\n")[1:]
    assert [strip(line) for line in other if line] == [strip(line) for line in lines if line]


def strip(line: str) -> str:
    """Return a line of a log without its hash, which depends on the match's id."""
    before, _, rest = line.partition('"hash":"')
    return before + rest[64:]


@pytest.mark.parametrize(
    ("damage", "place"),
    [
        (lambda text: text[: len(text) // 2], "line "),
        (lambda text: text.replace('"seat":1', '"seat":0', 1), "line "),
        (lambda text: "{}", "line 1"),
        (lambda text: "no log", "line 1"),
    ],
)
async def test_a_damaged_log_is_refused_with_its_line(
    http: httpx.AsyncClient, damage: object, place: str
) -> None:
    assert callable(damage)
    table = await lay(http, 2)
    await table.post("/concede", {}, 0)
    text = damage((await table.get("/log")).text)
    response = await http.post("/v1/matches/import", json={"text": text})
    assert refused(response) == (422, "invalid_log")
    assert response.json()["detail"].startswith(place)


async def test_a_log_that_is_not_whole_or_not_of_its_time_is_refused(
    http: httpx.AsyncClient,
) -> None:
    table = await lay(http, 2)
    await table.step(Chance(SEED, 8))
    redacted = (await table.get("/log", 0)).text
    whole = read((await table.get("/log", "owner")).text.encode())
    early = replace(whole.entries[3], at=whole.entries[3].at - 10_000)
    late = replace(whole.entries[-1], at=whole.entries[-1].at + 10**9)
    unplayed = replace(whole.header, seats=whole.header.seats[::-1])
    texts = [
        redacted,
        write(Log(whole.header, (*whole.entries[:3], early, *whole.entries[4:]))).decode(),
        write(Log(whole.header, (*whole.entries[:-1], late))).decode(),
        write(Log(unplayed, whole.entries)).decode(),
        write(Log(whole.header, (*whole.entries[:-2], *whole.entries[-2:][::-1]))).decode(),
    ]
    for text in texts:
        response = await http.post("/v1/matches/import", json={"text": text})
        assert refused(response) == (422, "invalid_log")


async def test_command_ids_of_a_log_are_kept_or_made(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    whole = read((await table.get("/log", "owner")).text.encode())
    strange = tuple(
        replace(entry, command=None if entry.version == 1 else "c" * 99) for entry in whole.entries
    )
    same_time = tuple(replace(entry, at=entry.version) for entry in strange)
    header = replace(whole.header, events=3, commitment=None)
    text = write(Log(header, same_time[:3])).decode()
    imported = answered(await http.post("/v1/matches/import", json={"text": text}))
    copy = Table(http, imported)
    entries = read((await copy.get("/log", "owner")).content).entries
    commands = [entry.command for entry in entries[:3]]  # then it says that the owner looked
    assert len(set(commands)) == 2
    assert {len(command or "") for command in commands} == {22}


async def test_a_default_that_is_sent_makes_no_other_command(http: httpx.AsyncClient) -> None:
    """So what later builds may be told more makes no other command of an old one either."""
    body = {"game": "chrononauts", "seats": 2, "commandId": "a-secret-of-some-length"}
    first = await http.post("/v1/matches", json=body)
    again = await http.post("/v1/matches", json={**body, "visibility": "private", "options": {}})
    assert first.status_code == again.status_code == 201
    assert again.json() == first.json()
    other = await http.post("/v1/matches", json={**body, "visibility": "public"})
    assert (other.status_code, other.json()["code"]) == (409, "command_reused")


def test_a_command_stays_the_same_when_a_later_build_may_be_told_more() -> None:
    class Later(ConcedeInput):
        loudly: bool = False

    words = {"matchId": "m", "commandId": "1"}
    now, later = ConcedeInput.model_validate(words), Later.model_validate(words)
    assert digest("concede", now) == digest("concede", later)
    other = Later.model_validate({**words, "loudly": True})
    assert digest("concede", now) != digest("concede", other)
