"""`/indicateurs/dv3f/prix/annuel/` in the Cerema's shape: parameters, pages and, on demand, faults."""

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.figures import SOURCE, rows
from sandbox.opendata.state import OpenData, served

_PATH = "/indicateurs/dv3f/prix/annuel/"


def routes(state: OpenData | None = None) -> list[BaseRoute]:
    """To be mounted under /dvf. Without a state of one's own, no fault ever strikes."""
    return [Route(_PATH, served(state or OpenData(), "dvf", _prices), methods=["GET"])]


async def _prices(request: Request, empty: bool) -> Any:
    query = request.query_params
    if query.get("echelle") != "communes" or not query.get("code"):
        return JSONResponse({"detail": "Les paramètres echelle=communes et code sont attendus."}, 400)
    found = [] if empty else [row for code in query["code"].split(",") for row in rows(code)]
    if query.get("annee"):
        found = [row for row in found if row["annee"] in query["annee"].split(",")]
    page, size = _number(query.get("page"), 1), _number(query.get("page_size"), 100)
    shown = [_only(row, query.get("fields", "")) for row in found[(page - 1) * size : page * size]]
    more = page * size < len(found)
    # The real service writes its own address, in http, whatever the caller used.
    following = urlencode({**dict(query), "page": str(page + 1)})
    return {
        "count": len(found),
        "next": f"http://donnees.example.com{_PATH}?{following}" if more else None,
        "previous": None,
        "source": SOURCE,
        "results": shown,
    }


def _only(row: dict[str, Any], fields: str) -> dict[str, Any]:
    wanted = {name for name in fields.split(",") if name}
    return row if not wanted or "all" in wanted else {k: v for k, v in row.items() if k in wanted}


def _number(text: str | None, default: int) -> int:
    return int(text) if text and text.isdigit() and int(text) > 0 else default
