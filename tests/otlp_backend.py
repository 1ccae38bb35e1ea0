"""A tiny backend for traces: takes what OTLP/HTTP sends, decodes its protobuf, and keeps the spans."""

import gzip
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tests.loopback import served


@dataclass(frozen=True, slots=True)
class Sent:
    """One span as it came in: ids in hex, `parent` empty for a root."""

    name: str
    trace: str
    id: str
    parent: str
    attributes: dict[str, Any]
    events: tuple[str, ...]
    failed: bool


@dataclass(slots=True)
class Backend:
    """`bodies`: every request as it was sent, unpacked; `answers`: the status that each gets."""

    address: str = ""
    answers: int = 200
    spans: list[Sent] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    async def take(self, request: Request) -> Response:
        body = await request.body()
        body = gzip.decompress(body) if request.headers.get("content-encoding") == "gzip" else body
        message = ExportTraceServiceRequest.FromString(body)
        with self._lock:
            self.headers.append(dict(request.headers))
            self.bodies.append(body)
            self.spans += [
                _sent(span) for resource in message.resource_spans for s in resource.scope_spans for span in s.spans
            ]
        return Response(status_code=self.answers)

    def until(self, look: Callable[[list[Sent]], object], seconds: float = 30.0) -> list[Sent]:
        """All spans, once they satisfy; a failure names what there is."""
        deadline = time.monotonic() + seconds
        while not look(self.spans):
            assert time.monotonic() < deadline, sorted(span.name for span in self.spans)
            time.sleep(0.05)
        return list(self.spans)


def _sent(span: Any) -> Sent:
    values = {pair.key: getattr(pair.value, pair.value.WhichOneof("value")) for pair in span.attributes}
    events = tuple(event.name for event in span.events)
    ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
    return Sent(span.name, *ids, attributes=values, events=events, failed=span.status.code == 2)


@contextmanager
def backend() -> Iterator[Backend]:
    """One that listens on a free port."""
    found = Backend()
    with served(Starlette(routes=[Route("/v1/traces", found.take, methods=["POST"])])) as address:
        found.address = address
        yield found
