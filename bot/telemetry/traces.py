"""One trace an answer, sent over OTLP/HTTP by a thread of its own: what cannot be sent is dropped, and nobody waits."""

import asyncio
import hashlib
import logging
import secrets
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar
from typing import Any, Final
from urllib.parse import unquote

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.trace import Span, SpanKind, StatusCode, set_span_in_context

from bot.telemetry.conventions import attribute_of, call_named, stage_named
from bot.telemetry.labels import name_of
from pipeline.metering.telemetry import CallKind, Tell, Text, Told
from pipeline.text.masking import mask
from pipeline.text.pseudonyms import Cover, known_in

SEND_SECONDS: Final = 3.0
"""For one sending of many spans; a backend that is slower loses them."""
CLOSE_SECONDS: Final = 4.0
EVERY_MS: Final = 2_000
MOST_WAITING: Final = 4_096
"""Spans; with a backend that is down the newest are lost first, and memory stays what it is."""
MOST_CHARACTERS: Final = 20_000
"""Of one text."""


class _Ids(RandomIdGenerator):
    """A trace that is about something has an id made of it: an answer that goes on after a crash stays one trace."""

    def __init__(self) -> None:
        self.key: ContextVar[str] = ContextVar("trace_key", default="")

    def generate_trace_id(self) -> int:
        key = self.key.get()
        return int.from_bytes(hashlib.sha256(key.encode()).digest()[:16]) if key else super().generate_trace_id()


class Traces:
    """`Telemetry` as spans. The current span is kept here, not in OpenTelemetry's own context: libraries that look
    there (`mcp` does) would send its id along to services that are none of ours."""

    def __init__(self, provider: TracerProvider, ids: _Ids, *, texts: bool) -> None:
        self._tracer = provider.get_tracer("quartierscope")
        self._ids = ids
        self._texts = texts
        self._secret = secrets.token_bytes(32)
        self._current: ContextVar[Span | None] = ContextVar("current_span", default=None)

    @property
    def texts(self) -> bool:
        return self._texts

    @contextmanager
    def stage(self, name: str, /, *, key: str = "", **told: Told) -> Iterator[Tell]:
        span_name, known = stage_named(name)
        with self._begun(span_name, known, told, SpanKind.INTERNAL, key=key) as span:
            before = self._current.set(span)
            try:
                yield self._teller(span)
            finally:
                self._current.reset(before)

    @contextmanager
    def call(self, kind: CallKind, name: str, /, **told: Told) -> Iterator[Tell]:
        span_name, known = call_named(kind, name_of(name), told.get("host"))
        with self._begun(span_name, known, told, SpanKind.CLIENT if kind == "model" else SpanKind.INTERNAL) as span:
            yield self._teller(span)

    def event(self, name: str, /, **told: Told) -> None:
        span = self._current.get()
        if span is not None:
            span.add_event(name, self._attributes(told))

    @contextmanager
    def _begun(
        self, name: str, known: Mapping[str, str], told: Mapping[str, Told], kind: SpanKind, *, key: str = ""
    ) -> Iterator[Span]:
        above = self._current.get()
        context = set_span_in_context(above, Context()) if above is not None else Context()
        seeded = self._ids.key.set(key)
        span = self._tracer.start_span(name, context, kind, attributes={**known, **self._attributes(told)})
        self._ids.key.reset(seeded)
        whole = False
        try:
            yield span
            whole = True
        except GeneratorExit:
            whole = True  # who reads a stream has read enough of it
            raise
        finally:
            if not whole:
                error = sys.exc_info()[0]
                span.set_attribute("error.type", error.__name__ if error else "unknown")
                span.set_status(StatusCode.ERROR)
            span.end()

    def _teller(self, span: Span) -> Tell:
        def tell(**told: Told) -> None:
            span.set_attributes(self._attributes(told))
            if told.get("outcome") in {"failed", "unavailable"}:
                span.set_attribute("error.type", str(told["outcome"]))
                span.set_status(StatusCode.ERROR)

        return tell

    def _attributes(self, told: Mapping[str, Told]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in told.items():
            if isinstance(value, Text):
                if self._texts:
                    found[attribute_of(name)] = self._masked(value)
            elif value is not None:
                found[attribute_of(name)] = _plain(value)
        return found

    def _masked(self, text: Text) -> str:
        shown = mask(text.value[:MOST_CHARACTERS])
        return Cover(self._secret).hide(shown, known_in([shown], text.persons))


def _plain(value: str | int | float | bool) -> str | int | float | bool:
    """A fixed phrase of ours stays; what may be more is left out."""
    return name_of(value) if isinstance(value, str) else value


@asynccontextmanager
async def open_traces(
    endpoint: str, *, headers: str = "", service: str, instance: str, texts: bool = False
) -> AsyncIterator[Traces]:
    """`endpoint`: as OTEL_EXPORTER_OTLP_ENDPOINT, without `/v1/traces`; `headers`: as OTEL_EXPORTER_OTLP_HEADERS."""
    for name in ("opentelemetry", "urllib3"):  # a backend that is down is no event of ours, each few seconds
        logging.getLogger(name).setLevel(logging.CRITICAL)
    exporter = OTLPSpanExporter(
        endpoint=f"{endpoint.rstrip('/')}/v1/traces", headers=headers_of(headers), timeout=SEND_SECONDS
    )
    ids = _Ids()
    resource = Resource({"service.name": service, "service.instance.id": instance})
    provider = TracerProvider(id_generator=ids, resource=resource, shutdown_on_exit=False)
    provider.add_span_processor(
        BatchSpanProcessor(exporter, max_queue_size=MOST_WAITING, schedule_delay_millis=EVERY_MS)
    )
    try:
        yield Traces(provider, ids, texts=texts)
    finally:
        # A thread that dies with the process: an ending that waits for a backend is no ending.
        ending = threading.Thread(target=provider.shutdown, name="traces-end", daemon=True)
        ending.start()
        await asyncio.to_thread(ending.join, CLOSE_SECONDS)


def headers_of(text: str) -> dict[str, str]:
    """`authorization=Basic%20eHk=,x-project=a` -> by name; a part without a name is left out."""
    pairs = (part.partition("=") for part in text.split(","))
    return {name.strip().lower(): unquote(value.strip()) for name, _, value in pairs if name.strip() and value}
