"""GraphQL over HTTP: GET for queries, POST for mutations, too; JSON only.

A request that is refused before it runs is answered like a failed operation, with `errors` whose
`extensions` have the code; its status is that of the code. Strawberry's own page is not served: it
loads its scripts from elsewhere. Subscriptions come over web sockets (`sockets.py`).
"""

from collections.abc import Mapping
from typing import NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocket
from strawberry.asgi import GraphQL
from strawberry.exceptions import MissingQueryError
from strawberry.schema.exceptions import CannotGetOperationTypeError, InvalidOperationTypeError
from strawberry.types import ExecutionResult
from strawberry.types.graphql import OperationType

from domain.engine.errors import DomainError
from schema.errors import ApiError, Malformed, MethodNotAllowed, Refusal, row_of
from schema.graphql import Api, Feed, build_schema, extensions
from schema.subscriptions import Asked
from service.bearers import Bearers
from service.http import (
    JSON,
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
from service.problems import awaited, error_headers, internal
from service.sockets import Limits, Sockets

PATH = "/graphql"
GET_RUNS = frozenset({OperationType.QUERY})
POST_RUNS = frozenset({OperationType.QUERY, OperationType.MUTATION})
GRAPHQL_JSON = "application/graphql-response+json"


def routes(
    handlers: Mapping[str, Handler],
    authenticate: Authenticate,
    settings: Settings,
    introspection: bool = False,
    feeds: Mapping[str, Feed] | None = None,
    bearers: Bearers | None = None,
    origins: tuple[str, ...] = (),
    limits: Limits | None = None,
) -> list[BaseRoute]:
    """Return the routes of GraphQL: of HTTP, and of web sockets.

    Subscriptions come from `feeds`; pages from `origins` may open sockets.

    Raises:
        LookupError: an operation has no handler, or a handler no operation.
    """
    schema = build_schema(handlers, report, introspection, feeds)
    endpoint = Endpoint(schema, authenticate, settings)
    bearers = bearers or Bearers()
    sockets = Sockets(schema, authenticate, endpoint.execute, bearers, origins, limits)
    return [Route(PATH, endpoint), WebSocketRoute(PATH, sockets)]


class Query(NamedTuple):
    """What a request asks to run."""

    document: str | None
    variables: dict[str, object] | None
    operation: str | None


class Endpoint(GraphQL[object, None]):
    """Strawberry's application with our way of reading and answering HTTP."""

    def __init__(self, schema: Api, authenticate: Authenticate, settings: Settings) -> None:
        super().__init__(schema, graphql_ide=None, subscription_protocols=())
        self._authenticate = authenticate
        self._limit = settings.max_body_bytes

    async def get_context(self, request: Request | WebSocket, response: object) -> object:
        return await awaited(self._authenticate(request))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._guarded(Request(scope, receive))
        await response(scope, receive, send)

    async def execute(self, principal: object, asked: Asked) -> dict[str, object]:
        """Run a query or a mutation that came over a web socket."""
        return _body(await self._run(principal, Query(*asked), POST_RUNS))

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
        if request.method not in ("GET", "POST"):
            raise MethodNotAllowed("GraphQL takes GET and POST", allow=["GET", "POST"])
        principal = await awaited(self._authenticate(request))
        asked = await self._read(request)
        runs = GET_RUNS if request.method == "GET" else POST_RUNS
        return _executed(request, await self._run(principal, asked, runs))

    async def _run(
        self, principal: object, asked: Query, runs: frozenset[OperationType]
    ) -> ExecutionResult:
        try:
            return await self.schema.execute(
                asked.document,
                variable_values=asked.variables,
                context_value=principal,
                operation_name=asked.operation,
                allowed_operation_types=runs,
            )
        except MissingQueryError:
            raise Malformed("query: is missing") from None
        except CannotGetOperationTypeError:
            raise Malformed("operationName: names no operation of the document") from None
        except InvalidOperationTypeError as error:
            if error.operation_type is OperationType.SUBSCRIPTION:
                raise Malformed("subscriptions come over graphql-transport-ws") from None
            raise MethodNotAllowed("GET runs queries only", allow=["POST"]) from None

    async def _read(self, request: Request) -> Query:
        if request.method == "GET":
            # An empty parameter counts as left out.
            words: dict[str, object] = {
                key: word for key, word in request.query_params.items() if word
            }
            for name in ("variables", "extensions"):
                if name in words:
                    words[name] = decode_object(str(words[name]))
        else:
            media_type(request, (JSON,))
            words = decode_object(decode_text(await read_body(request, self._limit)))
        document, variables = words.get("query"), words.get("variables")
        operation, more = words.get("operationName"), words.get("extensions")
        if not isinstance(document, str | None):
            raise Malformed("query: must be a string")
        if not isinstance(variables, dict | None):
            raise Malformed("variables: must be an object")
        if not isinstance(operation, str | None):
            raise Malformed("operationName: must be a string")
        if not isinstance(more, dict | None):
            raise Malformed("extensions: must be an object")
        return Query(document, variables or None, operation or None)


def _body(result: ExecutionResult) -> dict[str, object]:
    body: dict[str, object] = {"data": result.data}
    if result.errors:
        body["errors"] = [error.formatted for error in result.errors]
    return body


def _executed(request: Request, result: ExecutionResult) -> Response:
    body = _body(result)
    status = 200
    errors = result.errors or ()
    if errors and result.data is None and all(error.path is None for error in errors):
        # It never ran. The older media type answers 200 even then.
        del body["data"]
        status = 400 if _media(request) == GRAPHQL_JSON else 200
    return respond(request, encoded(body), status, _media(request), {"Cache-Control": "no-store"})


def _refused(request: Request, error: Refusal) -> Response:
    body = {"errors": [{"message": error.message, "extensions": extensions(error)}]}
    return respond(
        request, encoded(body), row_of(error).status, _media(request), error_headers(error)
    )


def _media(request: Request) -> str:
    return GRAPHQL_JSON if GRAPHQL_JSON in request.headers.get("accept", "") else JSON
