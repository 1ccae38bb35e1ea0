"""data.gouv.fr's tabular API in its shape: the rent map of every commune and the A-B-C zoning, with fictitious rows."""

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.communes import CITIES, communes, draw
from sandbox.opendata.figures import SOURCE
from sandbox.opendata.levels import departments, size_of
from sandbox.opendata.state import OpenData, served

# Resource: what a square metre rents for, as a share of a commune's invented base.
_SHARES = {
    "55b34088-0964-415f-9df7-d87dd98a09be": 1.0,
    "14a1fe11-b2d1-49b3-9f6b-83d12df9482c": 1.16,
    "5e3b28a4-cf56-43a3-ae79-43cceeb27f8c": 0.88,
    "129f764d-b613-44e4-952c-5ff50a8c9b73": 0.94,
}
_ZONING = "13f7282b-8a25-43ab-9713-8bb4e476df55"
_ZONED = {
    "83137": "A",
    "69266": "A",
    "69123": "A",
    "44109": "A",
    "33063": "A",
    "59350": "A",
    "34172": "A",
    "42218": "B2",
}
# INSEE code: base in €/m² a month, advertisements. Fixed, so that tests may name them; invented like the others.
_FIXED = {
    "83137": (12.1, 2310),
    "69266": (14.2, 3120),
    "69387": (16.3, 1840),
    "44109": (13.9, 4020),
    "33063": (15.4, 3870),
    "59350": (15.1, 2950),
    "34172": (14.8, 4310),
    "42218": (8.7, 21),
    "93066": (19.8, 2640),
}
_LOCAL = 30
"""Advertisements over which a commune is estimated by itself, not with its neighbours."""


@dataclass(frozen=True, slots=True)
class Base:
    """€/m² a month of flats of all sizes, advertisements seen in the commune, R² of the estimate."""

    rent: float
    seen: int
    fit: float = 0.74


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /tabular."""
    return [
        Route(f"/api/resources/{_ZONING}/data/", served(state, "zones", _zones), methods=["GET"]),
        Route("/api/resources/{resource}/data/", served(state, "rents", _rows), methods=["GET"]),
    ]


async def _rows(request: Request, empty: bool) -> Any:
    """One filter, `INSEE_C__exact`; without it the first rows of the map."""
    share = _SHARES.get(request.path_params["resource"])
    if share is None:
        return JSONResponse({"errors": [{"code": None, "title": "Resource not found"}]}, 404)
    code = request.query_params.get("INSEE_C__exact")
    codes = [] if empty else list(_FIXED) if code is None else [code]
    bases = [(c, base) for c in codes if (base := base_of(c)) is not None]
    rows = [_row(n, c, base, share) for n, (c, base) in enumerate(bases, start=1)]
    meta = {"page": 1, "page_size": 5, "total": len(rows)}
    return {"data": rows, "links": {"next": None, "prev": None}, "meta": meta, "source": SOURCE}


async def _zones(request: Request, empty: bool) -> Any:
    """The column of the zone bears the list's vintage in its name, as the ministry writes it."""
    code = request.query_params.get("CODGEO__exact")
    rows = [
        {
            "__id": n,
            "CODGEO": c,
            "DEP": c[:2],
            "LIBGEO": "Commune",
            "Zonage ABC en vigueur depuis le 26 juin 2026": zone,
        }
        for n, (c, zone) in enumerate(_ZONED.items(), start=1)
        if code in (None, c) and not empty
    ]
    meta = {"page": 1, "page_size": 5, "total": len(rows)}
    return {"data": rows, "links": {"next": None, "prev": None}, "meta": meta, "source": SOURCE}


def base_of(code: str) -> Base | None:
    """None for what the real map leaves out: no commune, Mayotte, the collectivities, a city of arrondissements."""
    commune = communes().get(code)
    level = departments()[commune.department] if commune else None
    if commune is None or level is None or not level.rent or code in CITIES or not commune.inhabitants:
        return None
    if code in _FIXED:
        return Base(*_FIXED[code])
    factor = size_of(commune)[0] ** 0.6 * draw(f"rent:{code}", 0.88, 1.14)
    seen = round(commune.inhabitants * draw(f"advertisements:{code}", 0.004, 0.015))
    return Base(level.rent * factor, seen, draw(f"fit:{code}", 0.45, 0.85))


def _row(number: int, code: str, base: Base, share: float) -> dict[str, Any]:
    rent, seen = base.rent * share, base.seen
    return {
        "__id": number,
        "id_zone": str(1000 + number),
        "INSEE_C": code,
        "LIBGEO": f"{communes()[code].name} (données fictives)",
        "DEP": communes()[code].department,
        "loypredm2": _comma(rent),
        "lwr.IPm2": _comma(rent * 0.78),
        "upr.IPm2": _comma(rent * 1.27),
        "TYPPRED": "commune" if seen > _LOCAL else "maille",
        "nbobs_com": seen,
        "nbobs_mail": seen * 2,
        "R2_adj": _comma(base.fit),
    }


def _comma(value: float) -> str:
    """The map is written with decimal commas."""
    return f"{value:.6f}".replace(".", ",")
