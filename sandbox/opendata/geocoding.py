"""The national geocoder in its shape (GeoJSON), with invented points in the nine communes of the sandbox."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.figures import COMMUNES, SOURCE
from sandbox.opendata.state import OpenData, served

STREETS = ("rue", "avenue", "boulevard", "place", "chemin", "impasse", "quai", "cours", "route")


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /geocodage."""
    return [Route("/search", served(state, "geocoding", _search), methods=["GET"])]


def point_of(code: str) -> tuple[float, float]:
    """Longitude and latitude that stand for a commune; invented, but the same each time."""
    return 1.0 + list(COMMUNES).index(code) / 10, 45.0


def commune_at(longitude: float) -> str | None:
    """The commune whose point this is."""
    return next((code for code in COMMUNES if abs(point_of(code)[0] - longitude) < 0.05), None)


async def _search(request: Request, empty: bool) -> Any:
    """A street of the commune in `citycode`, else of the one whose name stands in `q`."""
    query = request.query_params.get("q", "").strip()
    if len(query) < 3:
        return JSONResponse({"code": 400, "message": "Failed parsing query", "detail": ["q: required param"]}, 400)
    named = (code for code, (name, *_) in COMMUNES.items() if name.split(" ")[0].lower() in query.lower())
    code = request.query_params.get("citycode") or next(named, "")
    street = any(word in query.lower().split() for word in STREETS)
    found = [_feature(query, code)] if street and code in COMMUNES and not empty else []
    return {"type": "FeatureCollection", "features": found, "query": query, "source": SOURCE}


def _feature(query: str, code: str) -> dict[str, Any]:
    name = COMMUNES[code][0]
    about = {"label": f"{query} (fictif)", "score": 0.93, "type": "housenumber" if query[0].isdigit() else "street"}
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": list(point_of(code))},
        "properties": {**about, "citycode": code, "city": name, "postcode": f"{code[:2]}000", "importance": 0.6},
    }
