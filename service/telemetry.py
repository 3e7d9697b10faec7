"""What a collector of traces is told: one span a request, and in it one for what it commits.

Off unless `OTEL_EXPORTER_OTLP_ENDPOINT` names a collector, which gets the spans over OTLP/HTTP; the
other variables of OpenTelemetry count, too. What is written is as careful as `metrics.py`: names of
operations, statuses, times. No path, id, address or word of a client is in a span, all moves are
one operation, and what went wrong stands in the log alone.
"""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final, TypeAlias

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from service.metrics import operation_of

Trace: TypeAlias = Callable[[str], AbstractContextManager[object]]
"""Times a part of a request, by its name."""

_FLUSH_MS: Final = 2_000  # that the end of a process waits for the collector


def untraced(name: str) -> AbstractContextManager[object]:
    """Time nothing."""
    return nullcontext()


class Traces:
    """The way to one collector."""

    def __init__(self, endpoint: str) -> None:
        # Imported here, for it takes time and few services are traced.
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        resource = Resource({SERVICE_NAME: "stele"}).merge(OTELResourceDetector().detect())
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        exporter = OTLPSpanExporter(endpoint=f"{endpoint.rstrip('/')}/v1/traces")
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self.tracer = self._provider.get_tracer("stele")

    def part(self, name: str) -> AbstractContextManager[object]:
        """Time a part of the request that is under way."""
        return self.tracer.start_as_current_span(
            name, record_exception=False, set_status_on_exception=False
        )

    async def close(self) -> None:
        """Send what is left, if that does not take long."""
        await asyncio.to_thread(self._provider.force_flush, _FLUSH_MS)
        await asyncio.to_thread(self._provider.shutdown)


class Traced:
    """Middleware that makes a span of every request."""

    def __init__(self, app: ASGIApp, traces: Traces) -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._app = app
        self._tracer = traces.tracer
        self._propagator = TraceContextTextMapPropagator()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        from opentelemetry.trace import SpanKind, StatusCode

        status = 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        given = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        with self._tracer.start_as_current_span(
            "none",
            context=self._propagator.extract({"traceparent": given.get("traceparent", "")}),
            kind=SpanKind.SERVER,
            record_exception=False,
            set_status_on_exception=False,
        ) as span:
            try:
                await self._app(scope, receive, sending)
            finally:
                span.update_name(operation_of(scope))
                span.set_attribute("http.response.status_code", status)
                if status >= 500:
                    span.set_status(StatusCode.ERROR)
