"""The ADEME's energy labels, counted by data-fair's `values_agg`, with fictitious counts of nine communes."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.figures import COMMUNES, SOURCE
from sandbox.opendata.state import OpenData, served

_SHARES = {"A": 0.02, "B": 0.05, "C": 0.27, "D": 0.34, "E": 0.19, "F": 0.08, "G": 0.05}
_TOTALS = dict(zip(COMMUNES, (21400, 18600, 9700, 33500, 31200, 24800, 29900, 16300, 14200), strict=True))


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /ademe."""
    path = "/data-fair/api/v1/datasets/dpe03existant/values_agg"
    return [Route(path, served(state, "dpe", _counts), methods=["GET"])]


async def _counts(request: Request, empty: bool) -> Any:
    """`field=code_insee_ban;etiquette_dpe` with `qs=code_insee_ban:"…"`; without `qs`, every commune."""
    query = request.query_params
    if query.get("field") != "code_insee_ban;etiquette_dpe":
        return JSONResponse({"error": "field est attendu"}, 400)
    asked = re.fullmatch(r'code_insee_ban:"(\w{5})"', query.get("qs", ""))
    codes = [] if empty else [code for code in _TOTALS if asked is None or asked[1] == code]
    groups = [_group(code) for code in codes]
    total = sum(group["total"] for group in groups)
    return {"total": total, "total_values": len(groups), "total_other": 0, "aggs": groups, "source": SOURCE}


def _group(code: str) -> dict[str, Any]:
    counts = {letter: round(_TOTALS[code] * share) for letter, share in _SHARES.items()}
    ranked = sorted(counts.items(), key=lambda each: -each[1])
    return {
        "total": sum(counts.values()),
        "value": code,
        "results": [],
        "total_values": len(counts),
        "total_other": 0,
        "aggs": [{"total": n, "value": letter, "results": []} for letter, n in ranked],
    }
