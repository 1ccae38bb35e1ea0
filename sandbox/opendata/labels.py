"""The ADEME's energy labels, counted by data-fair's `values_agg`, with fictitious counts of every commune."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.communes import CITIES, communes, draw
from sandbox.opendata.figures import FIXED, SOURCE
from sandbox.opendata.levels import departments
from sandbox.opendata.state import OpenData, served

_SHARES = {"A": 0.02, "B": 0.05, "C": 0.27, "D": 0.34, "E": 0.19, "F": 0.08, "G": 0.05}
_WORST = {"F": 0.6, "G": 0.4}
"""How the worst labels of a department are shared between the two classes."""
_OVERSEAS = ("97", "98")
"""Their labels were of another method: whether the base has them is not known, so none are shown."""
_TOTALS = dict(zip(FIXED, (21400, 18600, 9700, 33500, 31200, 24800, 29900, 16300, 14200), strict=True))


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
    codes = [] if empty else list(_TOTALS) if asked is None else [asked[1]]
    groups = [_group(code, counts) for code in codes if (counts := counts_of(code))]
    total = sum(group["total"] for group in groups)
    return {"total": total, "total_values": len(groups), "total_other": 0, "aggs": groups, "source": SOURCE}


def counts_of(code: str) -> dict[str, int]:
    """Labels by class; empty where the base has none: no commune, overseas, a city of arrondissements."""
    commune = communes().get(code)
    if commune is None or code in CITIES or code.startswith(_OVERSEAS):
        return {}
    if code in _TOTALS:
        return {letter: round(_TOTALS[code] * share) for letter, share in _SHARES.items()}
    total = commune.inhabitants * draw(f"labels:{code}", 0.06, 0.13)
    poor = departments()[commune.department].poor / 100 * draw(f"poor:{code}", 0.75, 1.25)
    better = sum(share for letter, share in _SHARES.items() if letter not in _WORST)
    shares = {letter: share / better * (1 - poor) for letter, share in _SHARES.items()}
    shares |= {letter: poor * part for letter, part in _WORST.items()}
    counts = {letter: round(total * share) for letter, share in shares.items()}
    return counts if any(counts.values()) else {}


def _group(code: str, counts: dict[str, int]) -> dict[str, Any]:
    ranked = sorted(counts.items(), key=lambda each: -each[1])
    return {
        "total": sum(counts.values()),
        "value": code,
        "results": [],
        "total_values": len(counts),
        "total_other": 0,
        "aggs": [{"total": n, "value": letter, "results": []} for letter, n in ranked if n],
    }
