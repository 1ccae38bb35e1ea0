"""Which fault strikes the next calls of the pretend open-data services, and how each looks on the wire."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox.opendata.newsroom import Item, first_items, item_of

MODES = ("slow", "down", "429", "html", "half_json", "empty", "redirect", "huge")
SERVICES = ("dvf", "georisques", "geocoding", "rents", "zones", "dpe", "mcp", "web", "pages", "files")

Answer = Callable[[Request, bool], Awaitable[Any]]
"""(request, with nothing in it) -> a JSON value, or a Response that is sent as it is."""


class OpenData:
    """State of the pretend open-data services: which fault strikes the next `count` calls, of which services; and the
    news that their publishers show, the newest first."""

    def __init__(self) -> None:
        self.reset()
        self.begin_anew()

    def reset(self) -> None:
        self.mode, self.count, self.seconds = "", 0, 15.0
        self.services: tuple[str, ...] = SERVICES

    def begin_anew(self) -> None:
        """The news of the seed."""
        self.news: list[Item] = first_items(datetime.now(UTC))

    def publish(self, values: Mapping[str, Any]) -> Item:
        """One more item in the feeds. Raises ValueError with a French sentence."""
        item = item_of(dict(values), number=len(self.news), now=datetime.now(UTC))
        self.news.insert(0, item)
        return item

    def set_faults(self, value: Mapping[str, Any] | None) -> None:
        """`{"mode": one of MODES, "count": n, "service": one of SERVICES}`; without a service, all of them; None or {}
        clears. Raises ValueError with a French sentence.
        """
        self.reset()
        if not value:
            return
        if value.get("mode") not in MODES:
            raise ValueError(f"opendata.mode vaut « {value.get('mode')} » ; attendu : " + ", ".join(MODES))
        service = value.get("service")
        if service is not None and service not in SERVICES:
            raise ValueError(f"opendata.service vaut « {service} » ; attendu : " + ", ".join(SERVICES))
        try:
            self.count, self.seconds = int(value.get("count", 1)), float(value.get("seconds", 15.0))
        except (TypeError, ValueError) as error:
            raise ValueError("opendata : count et seconds sont des nombres") from error
        self.mode = str(value["mode"])
        self.services = (service,) if service else SERVICES

    def take(self, service: str) -> str:
        """The fault of this call, or an empty string."""
        if self.count <= 0 or service not in self.services:
            return ""
        self.count -= 1
        return self.mode


def served(state: OpenData, service: str, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a service that answers with JSON, faults included."""
    return partial(_serve, state, service, answer)


async def _serve(state: OpenData, service: str, answer: Answer, request: Request) -> Response:
    fault = state.take(service)
    if fault == "slow":
        await asyncio.sleep(state.seconds)
    if fault in BROKEN:
        return BROKEN[fault]()
    found = await answer(request, fault == "empty")
    if not isinstance(found, Response):
        found = Response(json.dumps(found, ensure_ascii=False), media_type="application/json")
    if fault == "half_json":
        return Response(found.body[: len(found.body) // 2], found.status_code, media_type=found.media_type)
    return found


BROKEN: dict[str, Callable[[], Response]] = {
    "down": lambda: Response("Service Unavailable", 503, media_type="text/plain"),
    "429": lambda: JSONResponse({"detail": "Requête ralentie."}, 429, {"Retry-After": "30"}),
    "redirect": lambda: RedirectResponse("http://127.0.0.1:9/secret"),
    "huge": lambda: Response(b"7" * 5_000_000, media_type="application/json"),
    "html": lambda: HTMLResponse("<!doctype html><title>Maintenance</title><p>Site en maintenance.</p>"),
}
