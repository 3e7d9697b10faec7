"""Why something happened, and a match in words, over the wire."""

import httpx
import pytest

from domain.engine.chance import Chance
from tests.kit.service import Body, Table, answered, choose, lay, refused

pytestmark = pytest.mark.anyio


async def why(table: Table, version: int, who: int | None = None, **more: str) -> Body:
    return answered(await table.get(f"/events/{version}/explain", who, **more))


async def discarded(table: Table) -> tuple[int, Body]:
    seat = await table.next_seat()
    assert seat is not None
    choice = (await table.legal(seat))["choice"]
    discard = next(one["id"] for one in choice["options"] if one["id"].startswith("discard:"))
    return seat, answered(await table.move(seat, choose(choice, discard)))


async def test_an_event_is_explained_by_rule_and_answer(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, visibility="public")
    seat, moved = await discarded(table)
    event = moved["events"][1]
    found = await why(table, event["version"], seat)
    assert found["event"] == event
    assert (found["rule"], found["ruleTitle"], found["card"]) == ("3", "the turn", None)
    answer = moved["events"][0]
    assert found["answer"] == {
        "version": answer["version"],
        "seat": seat,
        "prompt": "play",
        "picks": answer["data"]["picks"],
    }
    assert "Rules 3, the turn." in found["text"]
    assert f"seat {seat} chose to discard" in found["text"]
    other = await why(table, event["version"], 1 - seat)
    assert other["answer"] == {**found["answer"], "prompt": None, "picks": None}
    assert "what was picked is secret" in other["text"]
    japanese = await why(table, event["version"], seat, locale="ja")
    assert japanese["ruleTitle"] == "手番"


async def test_what_nobody_chose_is_explained_too(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, visibility="public")
    first = await why(table, 1)
    assert (first["event"]["type"], first["rule"], first["answer"]) == ("match.created", "2", None)
    dealt = await why(table, 5)
    assert (dealt["event"]["type"], dealt["rule"]) == ("chrononauts.set_up", "2")
    assert "somebody or the clock" in dealt["text"]
    newest = (await table.view())["version"]
    for version in (0, newest + 1):
        response = await table.get(f"/events/{version}/explain")
        assert refused(response) == (404, "not_found")


async def test_a_question_has_the_paragraph_of_its_prompt(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, visibility="public")
    view = await table.view()
    (seat,) = view["awaiting"]
    assert (await why(table, view["version"], seat))["rule"] == "3"
    assert (await why(table, view["version"], 1 - seat))["rule"] is None, "the prompt is secret"


async def test_the_card_is_named_once_it_lies_open(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, visibility="public")
    view = await table.to_window(Chance("explain", 1))
    card = view["board"]["plays"][-1]["card"]
    events = answered(await table.get("/events", None))["events"]
    played = next(one for one in events if one["type"] == "chrononauts.card_played")
    found = await why(table, played["version"], None)
    assert found["card"] == card
    window = await why(table, view["version"], view["awaiting"][0])
    assert (window["rule"], window["card"]) == ("12", card)
    assert (await why(table, view["version"], None))["card"] is None
    whole = answered(await table.post("/concede", {}, 0))
    assert (await why(table, view["version"], None))["card"] == card, "all eyes, after the end"
    assert whole["outcome"]


async def test_it_is_private_and_can_be_kept(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    assert refused(await table.get("/events/1/explain")) == (404, "match_not_found")
    response = await table.get("/events/1/explain", 0)
    assert response.headers["cache-control"] == "private, no-cache"
    assert response.headers["vary"] == "Accept, Accept-Encoding, Authorization"


async def test_a_match_in_words(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat, _ = await discarded(table)
    found = answered(await table.get("/describe", seat))
    assert found["version"] == (await table.view())["version"]
    assert f"seat {seat} discards" in found["text"]
    assert "Your choice: a second discard to kill time; pick 0 to 1" in found["text"]
    option = (await table.legal(seat))["choice"]["options"][0]
    assert f"[{option['id']}]" in found["text"]
    other = answered(await table.get("/describe", 1 - seat))
    assert "Your choice" not in other["text"]
    japanese = answered(await table.get("/describe", seat, locale="ja", recent=0))
    assert "あなたの選択" in japanese["text"]
    assert "最近の出来事" not in japanese["text"]
    early = answered(await table.get("/describe", seat, at=1))
    assert early["version"] == 1
    assert "waiting for players" in early["text"]
    assert refused(await table.get("/describe")) == (404, "match_not_found")
    assert refused(await table.get("/describe", seat, at=999)) == (404, "not_found")


async def test_options_with_counts_and_cards_to_look_at_are_told(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, game="ancient_knowledge")
    text = answered(await table.get("/describe", 0))["text"]
    assert "pick 6" in text


READY = {"ancient_knowledge": {"startingHands": "ready-made"}}


async def test_a_refused_move_names_reason_and_rule(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2)
    seat = await table.next_seat()
    assert seat is not None
    legal = await table.legal(seat)
    for one in legal["explain"]:
        assert set(one) == {"move", "card", "code", "rule"}
        response = await table.move(seat, {"type": one["move"], "card": one["card"]})
        assert refused(response) == (422, "illegal_move")
        assert response.json()["reason"] == one["code"]
        assert response.json()["rule"] == one["rule"]
    assert (await table.legal(1 - seat))["explain"] == []


async def test_a_move_that_the_choice_refuses_names_its_reason(http: httpx.AsyncClient) -> None:
    table = await lay(http, 2, game="ancient_knowledge", options={"startingHands": "ready-made"})
    seat = await table.next_seat()
    assert seat is not None
    explained = (await table.legal(seat))["explain"]
    tech = next(one for one in explained if one["move"] == "learnTechnology")
    body = {"type": "learnTechnology", "technology": tech["card"]}
    response = await table.move(seat, body)
    assert refused(response) == (422, "illegal_choice")
    assert response.json()["reason"] == "requirement_not_met"
    tap = {"type": "tapMonuments", "monuments": ["nothing"]}
    assert (await table.move(seat, tap)).json()["reason"] == "nothing_to_excavate"


@pytest.mark.parametrize(("game", "rule"), [("chrononauts", "3"), ("ancient_knowledge", "6")])
async def test_picks_that_are_no_options_are_refused_by_the_rule_of_the_choice(
    http: httpx.AsyncClient, game: str, rule: str
) -> None:
    table = await lay(http, 2, game=game, options=READY.get(game, {}))
    seat = await table.next_seat()
    assert seat is not None
    legal = await table.legal(seat)
    body = {"type": "choose", "choice": legal["choice"]["id"], "picks": ["nothing"]}
    response = await table.move(seat, body)
    assert refused(response) == (422, "illegal_choice")
    assert (response.json()["reason"], response.json()["rule"]) == ("not_offered", rule)


async def test_a_card_that_may_be_played_elsewhere_is_refused_by_the_rule_of_the_choice(
    http: httpx.AsyncClient,
) -> None:
    table = await lay(http, 2, game="ancient_knowledge", options=READY["ancient_knowledge"])
    number = 0
    while True:
        seat = await table.next_seat()
        assert seat is not None
        bodies = [one["body"] for one in (await table.legal(seat))["moves"]]
        placed = [body for body in bodies if "space" in body]
        offered = {(body["card"], body["space"]) for body in placed}
        elsewhere = [
            {**body, "space": space, "payment": ["nothing"]}
            for body in placed
            for space in range(1, 7)
            if (body["card"], space) not in offered
        ]
        if elsewhere:
            break
        await table.step(Chance("elsewhere", number))
        number += 1
    response = await table.move(seat, elsewhere[0])
    assert refused(response)[0] == 422
    assert (response.json()["reason"], response.json()["rule"]) == ("not_offered", "6")
