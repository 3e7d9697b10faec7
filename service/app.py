"""The application: routes and middleware in lists, and what runs beside the requests."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from schema.openapi import build_openapi
from service import catalogue, graphql, health, pages, rest, trusted
from service.authentication import authentication
from service.bearers import PLACES_ADDRESS, Bearers, always
from service.bots import KEY as BOTS
from service.bots import Bots
from service.clocks import KIND as CLOCKS
from service.clocks import Clocks
from service.connections import CLOSING
from service.cors import cors
from service.deadlines import Deadlines, Due
from service.edge import Edge
from service.feeds import Feeds
from service.handlers import Handlers
from service.http import JSON, encoded
from service.listing import Index
from service.live import Live
from service.logs import AccessLog
from service.matches import Matches, now_ms
from service.problems import EXCEPTION_HANDLERS, Stopped, nowhere
from service.rates import RateHeaders, Rates, counters
from service.roles import Roles
from service.settings import Settings, SettingsError, signing_keys
from service.sockets import Limits
from service.store import EventStore, RedisStore
from service.telemetry import Traced, Traces
from service.tokens import Keyring
from service.webhooks import delivery, relay
from service.webhooks.addresses import Allowed
from service.webhooks.delivery import Delivery
from service.webhooks.registry import Webhooks
from service.webhooks.relay import Relay
from service.webhooks.sender import Sender
from service.webhooks.shares import Shares
from service.webhooks.signing import Signer


def create_app(
    settings: Settings,
    store: EventStore | None = None,
    clock: Callable[[], int] = now_ms,
    bearers: Bearers | None = None,
    limits: Limits | None = None,
) -> Starlette:
    """Return the service on a store: by default, on the one that the settings name.

    `bearers` knows who may keep something open, `limits` are those of web sockets.

    Call it inside the loop. Raises:
        SettingsError: no store is named, or the signing key is damaged.
        CatalogueInvalid: the operator's catalogue has a fault.
    """
    catalogue.load()
    store = _store(settings) if store is None else store
    admin = settings.admin_token

    def seconds() -> float:
        return clock() / 1000

    signing = signing_keys(settings)
    keys = Keyring(signing, None if admin is None else admin.get_secret_value(), seconds)
    authenticate = authentication(settings, keys, seconds)
    matches = Matches(store, clock)
    bots = Bots(matches, keys)
    signer, allowed = Signer(signing), Allowed(settings.webhooks_allow)
    webhooks = Webhooks(matches, signer, allowed)
    sending = Delivery(matches, signer, Sender(allowed, Shares(store.outbox, clock)))
    matches.alerts = alerts = Relay(matches, sending.wake)
    others: dict[str, Due] = {
        BOTS: bots.due,
        relay.DEADLINE: alerts.due,
        delivery.DEADLINE: sending.due,
    }
    deadlines = Deadlines(matches, keys, settings.standing_pass_seconds, others)
    clocks = Clocks(matches, keys, deadlines.schedule)
    deadlines.settles(CLOCKS, clocks.due)
    matches.watchers += [deadlines, clocks, bots, Index(store)]
    roles, bearers = Roles(matches, keys), bearers or _bearers(settings)
    if bearers.is_still_valid is always:
        bearers.is_still_valid = roles.still_counts
    live = Live(matches, bearers.end_replaced)
    feeds = Feeds(matches, roles, live, bearers)
    handlers = Handlers(matches, keys, roles, feeds, webhooks)
    table = handlers.table()
    endpoint = settings.otel_exporter_otlp_endpoint
    traces = None if endpoint is None else Traces(endpoint)
    if traces is not None:
        matches.trace = traces.part
    rates, close_rates = _rates(settings, isinstance(store, RedisStore))
    admit = authenticate if rates is None else rates.charging(authenticate)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[Mapping[str, object]]:
        loops = (live, bearers, bots, deadlines, alerts, sending)
        work = [one.run() for one in loops]
        beside = [asyncio.create_task(one) for one in work]
        try:
            yield {CLOSING: live.close}
        finally:
            live.close()
            for task in beside:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await store.close()
            await close_rates()
            await authenticate.close()
            if traces is not None:
                await traces.close()

    app = Starlette(
        routes=[
            *rest.routes(table, admit, settings, handlers.version_of, feeds, rates),
            *pages.routes(bool(settings.graphiql)),
            *graphql.routes(
                table,
                admit,
                settings,
                introspection=bool(settings.graphiql),
                feeds=feeds.table(),
                bearers=bearers,
                origins=settings.cors_origins,
                limits=limits,
                trusted=_trusted(settings),
                rates=rates,
            ),
            *health.routes(store, admit),
            Route("/openapi.json", pages.endpoint_of(_openapi, JSON), name="openapi"),
        ],
        middleware=[
            Middleware(AccessLog),
            *([Middleware(Traced, traces)] if traces else []),
            *cors(settings.cors_origins),
            Middleware(Stopped),
            Middleware(Edge, settings.hosts, settings.max_requests, _each(settings)),
            *([Middleware(RateHeaders, rates)] if rates else []),
        ],
        exception_handlers=EXCEPTION_HANDLERS,
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False  # the target would repeat the host that the client names
    app.router.default = nowhere
    return app


def _store(settings: Settings) -> EventStore:
    if settings.redis_url is None:
        raise SettingsError("no store is named: set STELE_REDIS_URL, or use `stele serve`")
    return RedisStore(settings.redis_url.get_secret_value(), settings.durability)


def _bearers(settings: Settings) -> Bearers:
    limit, _ = settings.rate_limit
    return Bearers(places_address=PLACES_ADDRESS if limit else None)


def _each(settings: Settings) -> int | None:
    limit, _ = settings.rate_limit
    return max(1, settings.max_requests // 4) if limit else None


def _rates(
    settings: Settings, is_shared: bool
) -> tuple[Rates | None, Callable[[], Awaitable[object]]]:
    """Return the budgets of clients, added up in the store if it is shared; and what closes it."""

    async def close() -> None:
        pass

    limit, seconds = settings.rate_limit
    if not limit:
        return None, close
    if not is_shared or settings.redis_url is None:
        return Rates(limit, seconds), close
    shared, shut = counters(settings.redis_url.get_secret_value())
    return Rates(limit, seconds, shared), shut


def _trusted(settings: Settings) -> Mapping[str, str] | None:
    path = settings.trusted_documents
    return None if path is None else trusted.load(path)


def _openapi() -> bytes:
    return encoded(build_openapi())
