"""Everything that the service tells of a match, way by way, and how it is asked for.

`CASES` has the arguments with which each operation is asked, or why it need not be; `everything`
asks them over REST and GraphQL, for every field and in every media type, and follows the feeds.
`ELSEWHERE` names the tests of what leaves the service by itself, or tells of no single match.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple, get_args

import httpx
from graphql import get_named_type
from starlette.types import ASGIApp

from schema.operations import OPERATIONS, SUBSCRIPTIONS, Operation
from schema.webhooks import NewsType
from tests.kit.asking import SCHEMA, Words, over_graphql, over_rest, path_of, selection
from tests.kit.service import Table, Who
from tests.kit.watching import streamed, subscribed

JSON: Final = "application/json"
X = "x"

Asks = Callable[[Table, Who], AsyncIterator[Words]]


def asking(*words: Words) -> Asks:
    """Return the case of an operation that is asked with these arguments."""

    async def asks(table: Table, who: Who) -> AsyncIterator[Words]:
        for one in words:
            yield one

    return asks


async def at_versions(table: Table, who: Who) -> AsyncIterator[Words]:
    """Ask as it is now, and as it was."""
    version = (await table.view(who))["version"]
    yield {}
    for at in (1, version // 2, version - 1):
        yield {"at": at}


async def after_versions(table: Table, who: Who) -> AsyncIterator[Words]:
    """Ask from the beginning, and for the last events."""
    version = (await table.view(who))["version"]
    for after in (0, version - 2, version, version + 1):
        yield {"after": after}


async def rehearsing(table: Table, who: Who) -> AsyncIterator[Words]:
    """Run the first legal answers dry, and some that are none."""
    yield {"choice": 1, "picks": [X]}
    legal = await table.get("/legal-moves", who)
    if legal.is_success and (choice := legal.json()["choice"]) is not None:
        picks = [option["id"] for option in choice["options"][: max(1, choice["min"])]]
        for some in (picks, [], [X]):
            yield {"choice": choice["id"], "picks": some, "dryRun": True}


def moving(name: str, *words: Words) -> Asks:
    """Return the case of a named move: the first legal ones, and some that are none; all dry."""

    async def asks(table: Table, who: Who) -> AsyncIterator[Words]:
        legal = await table.get("/legal-moves", who)
        for move in legal.json()["moves"] if legal.is_success else ():
            if move["type"] == name:
                body = {key: word for key, word in move["body"].items() if key != "type"}
                yield {**body, "dryRun": True}
                break
        for one in words:
            yield {**one, "dryRun": True}

    return asks


async def explaining(table: Table, who: Who) -> AsyncIterator[Words]:
    """Ask about the last events, in both languages."""
    version = (await table.view(who))["version"]
    for number in range(max(1, version - 5), version + 1):
        for locale in ("en", "ja"):
            yield {"version": number, "locale": locale}


async def sitting(table: Table, who: Who) -> AsyncIterator[Words]:
    """Sit down where no seat is free, or none is there."""
    yield {"invite": X}
    if (await table.view())["status"] != "open":
        yield {"player": "me"}
        yield {"bot": "random"}


async def forking(table: Table, who: Who) -> AsyncIterator[Words]:
    """Fork as it is now; what travels is compared in tests/engine/test_fork.py."""
    version = (await table.view(who))["version"]
    yield {"at": version, "commandId": f"fork-by-{who}-at-version-{version}"}


CASES: Final[Mapping[str, Asks | str]] = {
    "games": "the schema of positions names all cards to everybody, and knows of no match",
    "game": "as `games`",
    "cards": "the catalogue names all cards to everybody, and knows of no match",
    "createMatch": asking(
        {"game": "chrononauts", "seats": 2, "commandId": "a-match-of-two-worlds"},
        {"game": X, "seats": 2},
    ),
    "takeSeat": sitting,
    "rotateToken": asking({"seat": 9}),
    "issueToken": asking({}, {"seat": 0}, {"seat": 1}),
    "startMatch": asking({}),
    "matches": asking({}, {"first": 1}),
    "match": at_versions,
    "legalMoves": asking({}),
    "events": after_versions,
    "explain": explaining,
    "describe": asking(
        {"locale": "en", "recent": 20}, {"locale": "ja", "recent": 20}, {"at": 1}, {"at": 9}
    ),
    "playCard": moving("playCard", {"card": X}),
    "discardCards": moving("discardCards", {"cards": [X]}),
    "killTime": moving("killTime", {"cards": [X, X]}),
    "tapMonuments": moving("tapMonuments", {"monuments": [X]}),
    "recordKnowledge": moving(
        "recordKnowledge", {"cards": [X], "from": [{"monument": X, "tokens": 1}]}
    ),
    "learnTechnology": moving("learnTechnology", {"technology": X}),
    "searchDeck": moving("searchDeck", {}),
    "respond": moving("respond", {}),
    "choose": rehearsing,
    "concede": asking({"dryRun": True}, {"expectedVersion": 5}),
    "undo": asking({"dryRun": True}, {"agree": True, "dryRun": True}),
    "position": at_versions,
    "forkMatch": forking,
    "exportLog": asking({}),
    "importMatch": asking({"text": "no log"}),
    "webhooks": asking({}),
    "createWebhook": asking({"url": "https://x"}, {"url": "http://x"}),
    "deleteWebhook": asking({"webhookId": X}),
    "rotateWebhookSecret": asking({"webhookId": X}),
}

_HOOKS = "tests/service/webhooks/test_match.py"
ELSEWHERE: Final[Mapping[str, tuple[str, ...]]] = {
    **{
        f"{name} by webhook": (
            f"{_HOOKS}::test_webhooks_tell_the_same_of_worlds_that_differ_in_what_is_hidden",
        )
        for name in get_args(NewsType)
    },
    "the logs of the service": (
        "tests/service/test_log_canary.py::test_no_log_has_a_token_a_hidden_card_or_a_body",
        "tests/service/test_log_canary.py::test_a_failure_logs_its_place_alone",
    ),
    "the metrics": (
        "tests/service/test_metrics.py::test_labels_are_words_of_the_code",
        "tests/service/test_metrics.py::test_two_worlds_that_differ_in_hidden_cards_count_alike",
    ),
    "the traces": (
        "tests/service/test_telemetry.py"
        "::test_two_worlds_that_differ_in_hidden_cards_leave_the_same_traces",
    ),
    "an export that the owner opens": (
        "tests/service/test_access.py"
        "::test_the_owner_of_a_running_match_sees_no_hand_but_may_export_it",
    ),
}


class Answer(NamedTuple):
    """What came out: by which way, and all of it."""

    way: str
    status: int
    headers: list[tuple[str, str]]
    body: bytes

    @property
    def text(self) -> str:
        """Headers and body."""
        return f"{self.headers} {self.body.decode()}"


def over(name: str, way: str) -> str:
    """Return the name of a way out."""
    return f"{name} {way}"


REST, GRAPHQL, SOCKET = "over REST", "over GraphQL", "over a web socket"


def ways() -> Iterator[str]:
    """Yield every way out of the service that the tables of the API know."""
    for row in OPERATIONS:
        yield over(row.name, REST)
        yield over(row.name, GRAPHQL)
        for media in _more_media(row):
            yield over(row.name, f"as {media}")
    for subscription in SUBSCRIPTIONS:
        yield over(subscription.name, SOCKET)
    for name in get_args(NewsType):
        yield over(name, "by webhook")


def _more_media(row: Operation) -> tuple[str, ...]:
    """Return the media types that an answer has besides the one that comes without asking."""
    return (*row.streams, *((JSON,) if row.media else ()))


async def everything(table: Table, who: Who, app: ASGIApp | None = None) -> AsyncIterator[Answer]:
    """Yield all that somebody is told of a match that everybody may see, by every way.

    `app` is the service, where the client of the table goes over the network.
    """
    client, bearer = table.client, table.bearer(who)
    if app is None:
        assert isinstance(client._transport, httpx.ASGITransport)
        app = client._transport.app
    for row in OPERATIONS:
        case = CASES[row.name]
        if isinstance(case, str):
            continue
        async for words in case(table, who):
            if "match_id" in row.arguments.model_fields:
                words = {"matchId": table.id, **words}
            yield _answer(row.name, REST, await over_rest(client, row, words, bearer))
            yield _answer(row.name, GRAPHQL, await over_graphql(client, row, words, bearer))
            if row.media is not None:
                headers = {**bearer, "Accept": JSON}
                response = await over_rest(client, row, words, headers)
                yield _answer(row.name, f"as {JSON}", response)
    version = (await table.view(who))["version"]
    for row in OPERATIONS:
        path, _ = path_of(row, {"matchId": table.id})
        for media in row.streams:
            headers = {**bearer, "Accept": media}
            for after in (0, version - 2):
                arrived = await streamed(app, path, headers, version, after=after)
                yield Answer(over(row.name, f"as {media}"), *arrived)
    async for answer in _subscribed(app, table, bearer, version):
        yield answer


async def _subscribed(
    app: ASGIApp, table: Table, bearer: Mapping[str, str], version: int
) -> AsyncIterator[Answer]:
    token = bearer.get("Authorization", "").removeprefix("Bearer ") or None
    root = SCHEMA.subscription_type
    assert root is not None
    for row in SUBSCRIPTIONS:
        chosen = selection(get_named_type(root.fields[row.name].type))
        document = (
            f"subscription ($m: String!, $after: Int) "
            f"{{ {row.name}(matchId: $m, after: $after) {chosen} }}"
        )

        def is_enough(data: Any, name: str = row.name) -> bool:
            return bool(data[name]["version"] >= version)

        for after in (None, 0, version - 2):
            variables = {"m": table.id, "after": after}
            frames = await subscribed(app, document, variables, token, is_enough)
            yield Answer(over(row.name, SOCKET), 200, [], frames)


def _answer(name: str, way: str, response: httpx.Response) -> Answer:
    headers = list(response.headers.multi_items())
    return Answer(over(name, way), response.status_code, headers, response.content)
