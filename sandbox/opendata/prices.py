"""`/indicateurs/dv3f/prix/annuel/` in the Cerema's shape: parameters, pages and, on demand, faults."""

import asyncio
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from sandbox.opendata.figures import SOURCE, rows

MODES = ("slow", "down", "429", "html", "half_json", "empty")


class OpenData:
    """State of the pretend open-data service: which fault strikes the next `count` calls."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.mode, self.count, self.seconds = "", 0, 15.0

    def set_faults(self, value: Mapping[str, Any] | None) -> None:
        """`{"mode": "slow"|"down"|"429"|"html"|"half_json"|"empty", "count": n}`; None or {} clears.

        Raises ValueError with a French sentence.
        """
        self.reset()
        if not value:
            return
        if value.get("mode") not in MODES:
            raise ValueError(f"opendata.mode vaut « {value.get('mode')} » ; attendu : " + ", ".join(MODES))
        try:
            self.count, self.seconds = int(value.get("count", 1)), float(value.get("seconds", 15.0))
        except (TypeError, ValueError) as error:
            raise ValueError("opendata : count et seconds sont des nombres") from error
        self.mode = str(value["mode"])

    def take(self) -> str:
        """The fault of this call, or an empty string."""
        if self.count <= 0:
            return ""
        self.count -= 1
        return self.mode


_PATH = "/indicateurs/dv3f/prix/annuel/"


def routes(state: OpenData | None = None) -> list[BaseRoute]:
    """To be mounted under /dvf. Without a state of one's own, no fault ever strikes."""
    return [Route(_PATH, partial(_prices, state or OpenData()), methods=["GET"])]


async def _prices(state: OpenData, request: Request) -> Response:
    fault = state.take()
    if fault == "slow":
        await asyncio.sleep(state.seconds)
    if fault in _BROKEN:
        return _BROKEN[fault]()
    query = request.query_params
    if query.get("echelle") != "communes" or not query.get("code"):
        return JSONResponse({"detail": "Les paramètres echelle=communes et code sont attendus."}, 400)
    found = [] if fault == "empty" else [row for code in query["code"].split(",") for row in rows(code)]
    if query.get("annee"):
        found = [row for row in found if row["annee"] in query["annee"].split(",")]
    return _answer(request, found, cut=fault == "half_json")


def _answer(request: Request, found: list[dict[str, Any]], *, cut: bool) -> Response:
    query = request.query_params
    page, size = _number(query.get("page"), 1), _number(query.get("page_size"), 100)
    shown = [_only(row, query.get("fields", "")) for row in found[(page - 1) * size : page * size]]
    more = page * size < len(found)
    # The real service writes its own address, in http, whatever the caller used.
    following = urlencode({**dict(query), "page": str(page + 1)})
    body = {
        "count": len(found),
        "next": f"http://donnees.example.com{_PATH}?{following}" if more else None,
        "previous": None,
        "source": SOURCE,
        "results": shown,
    }
    text = json.dumps(body, ensure_ascii=False)
    return Response(text[: len(text) // 2] if cut else text, media_type="application/json")


def _only(row: dict[str, Any], fields: str) -> dict[str, Any]:
    wanted = {name for name in fields.split(",") if name}
    return row if not wanted or "all" in wanted else {k: v for k, v in row.items() if k in wanted}


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdigit() and int(text) > 0 else default


_BROKEN: dict[str, Callable[[], Response]] = {
    "down": lambda: Response("Service Unavailable", 503, media_type="text/plain"),
    "429": lambda: JSONResponse({"detail": "Requête ralentie."}, 429, {"Retry-After": "30"}),
    "html": lambda: HTMLResponse("<!doctype html><title>Maintenance</title><p>Site en maintenance.</p>"),
}
