"""GraphQL over HTTP: GET for queries, POST for mutations, too; JSON only.

A request that is refused before it runs is answered like a failed operation, with `errors` whose
`extensions` have the code; its status is that of the code. Strawberry's own page is not served: it
loads its scripts from elsewhere. Subscriptions come over web sockets (`sockets.py`).
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from graphql import GraphQLError
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.schema.exceptions import InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from domain.engine.errors import DomainError
from schema.cost import MAX_COST
from schema.errors import (
    ApiError,
    Malformed,
    MethodNotAllowed,
    NotAcceptable,
    NotFound,
    Refusal,
    TooLarge,
    TooSlow,
    WrongMediaType,
    row_of,
)
from schema.graphql import Api, Feed, build_schema, extensions
from schema.subscriptions import Asked
from service.bearers import Bearers
from service.http import (
    JSON,
    SMALL_BODY,
    Authenticate,
    Handler,
    Settings,
    decode_object,
    decode_text,
    encoded,
    media_type,
    read_body,
    report,
    respond,
)
from service.messages import run_with
from service.negotiation import choose
from service.packing import are_packed
from service.problems import awaited, error_headers, internal, options
from service.rates import LOG, NEW_DOCUMENT, Rates
from service.settings import SettingsError
from service.sockets import Limits, Sockets

PATH = "/graphql"
METHODS = ("GET", "HEAD", "POST")
GET_RUNS = frozenset({OperationType.QUERY})
POST_RUNS = frozenset({OperationType.QUERY, OperationType.MUTATION})
GRAPHQL_JSON = "application/graphql-response+json"
HEADERS = {"Cache-Control": "no-store", "Vary": "Accept, Accept-Encoding, Authorization"}


def routes(
    handlers: Mapping[str, Handler],
    authenticate: Authenticate,
    settings: Settings,
    introspection: bool = False,
    feeds: Mapping[str, Feed] | None = None,
    bearers: Bearers | None = None,
    origins: tuple[str, ...] = (),
    limits: Limits | None = None,
    trusted: Mapping[str, str] | None = None,
    rates: Rates | None = None,
) -> list[BaseRoute]:
    """Return the routes of GraphQL: of HTTP, and of web sockets.

    Subscriptions come from `feeds`; pages from `origins` may open sockets. Where `trusted`
    documents are given, by id, only those run; `rates` limits how often somebody asks.

    Raises:
        LookupError: an operation has no handler, or a handler no operation.
        SettingsError: a trusted document cannot run.
    """
    if rates is not None:
        feeds = {name: rates.counted(name, feed) for name, feed in (feeds or {}).items()}
    schema = build_schema(handlers, report, introspection, feeds, trusted)
    for id, text in (trusted or {}).items():
        if reason := schema.prepare.reason(text):
            raise SettingsError(f"STELE_TRUSTED_DOCUMENTS: {id!r} cannot run: {reason}")
    endpoint = Endpoint(schema, authenticate, settings, rates)
    bearers = bearers or Bearers()
    sockets = Sockets(
        schema, authenticate, endpoint.admit, endpoint.execute, bearers, origins, limits
    )
    return [Route(PATH, endpoint, name="graphql"), WebSocketRoute(PATH, sockets)]


class Query(NamedTuple):
    """What a request asks to run."""

    document: str
    variables: dict[str, object] | None
    operation: str | None
    size: int = 0  # of the body, in bytes, as far as it is not paid for


class Ran(NamedTuple):
    """The body of an answer, and the fields of the root that it has."""

    body: dict[str, object]
    fields: tuple[str, ...] = ()


class Endpoint(GraphQL[object, None]):
    """Strawberry's application with our way of reading and answering HTTP."""

    def __init__(
        self,
        schema: Api,
        authenticate: Authenticate,
        settings: Settings,
        rates: Rates | None = None,
    ) -> None:
        super().__init__(schema, graphql_ide=None, subscription_protocols=())
        self._api = schema
        self._rates = rates
        self._authenticate = authenticate
        self._limit = settings.max_body_bytes

    async def get_context(self, request: Request | WebSocket, response: object) -> object:
        return await awaited(self._authenticate(request))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._guarded(Request(scope, receive))
        await response(scope, receive, send)

    async def admit(self, principal: object, document: str) -> None:
        """Charge for a document that the service has not seen lately. Raises: RateLimited."""
        if self._rates is not None and document not in self._api.prepare:
            await self._rates.spend(principal, NEW_DOCUMENT)

    async def execute(self, principal: object, asked: Asked) -> dict[str, object]:
        """Run a query or a mutation that came over a web socket."""
        size = len(encoded(asked.variables))
        return (await self._run(principal, Query(*asked, size), POST_RUNS)).body

    async def _guarded(self, request: Request) -> Response:
        try:
            return await self._answer(request)
        except (ApiError, DomainError) as error:
            return _refused(request, error)
        except ClientDisconnect:
            return _refused(request, Malformed("the body ended early"))
        except Exception as error:
            return _refused(request, internal(error))

    async def _answer(self, request: Request) -> Response:
        if request.method == "OPTIONS":
            return options(request, METHODS)
        if request.method not in METHODS:
            raise MethodNotAllowed("GraphQL takes GET and POST", allow=[*METHODS])
        media = _media(request)
        if media is None:
            offers = [GRAPHQL_JSON, JSON]
            raise NotAcceptable(f"the answer is {' or '.join(offers)}", offers=[*offers])
        principal = await awaited(self._authenticate(request))
        try:
            asked = await self._read(request, principal)
        except (Malformed, NotFound, TooLarge, TooSlow, WrongMediaType):
            # To read it was work, too. What else it costs is known once it is read.
            if self._rates is not None:
                await self._rates.spend(principal, NEW_DOCUMENT)
            raise
        runs = POST_RUNS if request.method == "POST" else GET_RUNS
        body, fields = await self._run(principal, asked, runs)
        # What never ran has no data. The older media type answers 200 even then.
        status = 400 if "data" not in body and media == GRAPHQL_JSON else 200
        return respond(request, encoded(body), status, media, HEADERS, pack=are_packed(fields))

    async def _run(self, principal: object, asked: Query, runs: frozenset[OperationType]) -> Ran:
        """Return what came of it. Raises: Malformed, MethodNotAllowed, Forbidden."""
        rates = self._rates
        await self.admit(principal, asked.document)
        try:
            prepared = self._api.prepare(asked.document)
            errors = prepared.errors
        except GraphQLError as error:
            errors = (error,)
        if errors:
            return Ran({"errors": [self._api.told(error).formatted for error in errors]})
        demand = prepared.demand(asked.operation)
        if demand is None:
            which = "names no operation" if asked.operation else "has to name one of the operations"
            raise Malformed(f"operationName: {which} of the document")
        if rates is not None:
            for name, times in Counter(demand.fields).items():
                await rates.spend(principal, name, times)
                await rates.weigh(principal, name, asked.size)
        try:
            result = await self._api.execute(
                asked.document,
                variable_values=asked.variables,
                context_value=principal,
                operation_name=asked.operation,
                allowed_operation_types=runs,
            )
        except InvalidOperationTypeError as error:
            if error.operation_type is OperationType.SUBSCRIPTION:
                raise Malformed("subscriptions come over graphql-transport-ws") from None
            raise MethodNotAllowed("GET runs queries only", allow=["POST"]) from None
        return Ran(_body(result, demand.cost), demand.fields)

    async def _read(self, request: Request, principal: object) -> Query:
        size = 0
        if request.method != "POST":
            # An empty parameter counts as left out.
            words: dict[str, object] = {
                key: word for key, word in request.query_params.items() if word
            }
            for name in ("variables", "extensions"):
                if name in words:
                    words[name] = decode_object(str(words[name]))
        else:
            media_type(request, (JSON,))
            body = await read_body(request, self._limit)
            size = len(body)
            if self._rates is not None and size > SMALL_BODY:
                # Only a log is so large, and pays for its size; here, before anybody reads it.
                await self._rates.weigh(principal, LOG, size)
                size = 0
            words = decode_object(decode_text(body))
        variables, operation = run_with(words)
        more = words.get("extensions")
        if not isinstance(more, dict | None):
            raise Malformed("extensions: must be an object")
        document = self._api.prepare.text_of(words)
        if not document:
            raise Malformed("query: is missing")
        return Query(document, variables or None, operation or None, size)


def _body(result: ExecutionResult, cost: int) -> dict[str, object]:
    body: dict[str, object] = {}
    errors = result.errors or ()
    if errors:
        body["errors"] = [error.formatted for error in errors]
    if result.data is not None or not errors or any(error.path for error in errors):
        body["data"] = result.data
    body["extensions"] = {"cost": {"requested": cost, "limit": MAX_COST}}
    return body


def _refused(request: Request, error: Refusal) -> Response:
    body = {"errors": [{"message": error.message, "extensions": extensions(error)}]}
    headers = {**HEADERS, **error_headers(error)}
    return respond(request, encoded(body), row_of(error).status, _media(request) or JSON, headers)


def _media(request: Request) -> str | None:
    """Return the media type that the client likes best; the newer one only if it names it."""
    accept = request.headers.get("accept", "*/*")[:1000]
    offers = (GRAPHQL_JSON, JSON) if GRAPHQL_JSON in accept.lower() else (JSON,)
    return choose(accept, offers)
