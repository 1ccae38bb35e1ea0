"""Who is told what the process does: Prometheus where HEALTH_PORT is set, an OTLP backend where its address is. Neither
library is imported for nobody."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.settings import Settings
from pipeline.metering.telemetry import SILENT, Telemetry, Together

if TYPE_CHECKING:
    from bot.telemetry.scrape import Parts, Scrape


@dataclass(frozen=True, slots=True)
class Told:
    """`scrape` None: nobody asks for metrics."""

    telemetry: Telemetry = SILENT
    scrape: "Scrape | None" = None


def telemetry_told(settings: Settings) -> tuple[str, ...]:
    """A sentence for each of both that is on; where words leave with the traces, it says so."""
    host = urlsplit(settings.otel_exporter_otlp_endpoint or "").hostname
    words = "avec les textes, masqués" if settings.otel_texts else "sans texte"
    metrics = (f"Mesures : /metrics sur {settings.host}:{settings.health_port}",) if settings.health_port else ()
    return (*metrics, *((f"Traces : {host}, {words}",) if host else ()))


@asynccontextmanager
async def open_telemetry(settings: Settings, parts: "Parts | None" = None) -> AsyncIterator[Told]:
    """`parts`: what is ready, for a process that is asked for metrics. Traces that wait are sent at the end, within a
    bound."""
    listeners: list[Telemetry] = []
    scrape = None
    if parts is not None and settings.health_port is not None:
        from bot.telemetry.metrics import Metrics
        from bot.telemetry.scrape import Scrape

        scrape = Scrape(Metrics(), parts)
        listeners.append(scrape.metrics)
    if settings.otel_exporter_otlp_endpoint is None:
        yield Told(listeners[0] if listeners else SILENT, scrape)
        return
    from bot.telemetry.traces import open_traces

    headers = settings.otel_exporter_otlp_headers
    async with open_traces(
        settings.otel_exporter_otlp_endpoint,
        headers=headers.get_secret_value() if headers else "",
        service=settings.otel_service_name,
        instance=settings.executor_id,
        texts=settings.otel_texts,
    ) as traces:
        yield Told(Together((*listeners, traces)), scrape)
