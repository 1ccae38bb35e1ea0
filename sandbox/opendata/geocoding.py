"""The national geocoder in its shape (GeoJSON): a street of any commune, at a point that is invented but stable."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.communes import CITIES, Commune, arrondissements, by_name, by_postcode, communes, draw, fold
from sandbox.opendata.figures import SOURCE
from sandbox.opendata.levels import departments
from sandbox.opendata.state import OpenData, served

STREETS = (
    "rue", "avenue", "boulevard", "place", "chemin", "impasse", "quai", "cours", "route", "allee", "square", "passage",
    "faubourg", "montee", "traverse", "esplanade", "promenade", "av", "bd", "ruelle", "sentier", "mail", "lotissement",
)  # fmt: skip
_AROUND = 0.35
"""Degrees from a department's point within which its communes are put."""
_MOST = 20


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /geocodage."""
    return [Route("/search", served(state, "geocoding", _search), methods=["GET"])]


@cache
def _points() -> tuple[Mapping[str, tuple[int, int]], Mapping[tuple[int, int], str]]:
    """Code -> thousandths of a degree of longitude and latitude, no two communes at the same; and back."""
    points: dict[str, tuple[int, int]] = {}
    taken: dict[tuple[int, int], str] = {}
    for code, commune in communes().items():
        middle = departments()[commune.department].point
        x, y = (round(1000 * (middle[axis] + draw(f"point {axis}:{code}", -_AROUND, _AROUND))) for axis in (0, 1))
        while (x, y) in taken:
            x += 1
        points[code] = (x, y)
        taken[x, y] = code
    return points, taken


def point_of(code: str, address: str = "") -> tuple[float, float]:
    """Longitude and latitude of a commune, or of an address some ten metres from there."""
    x, y = _points()[0][code]
    shift = [draw(f"{axis}:{address}", -0.0004, 0.0004) if address else 0.0 for axis in "xy"]
    return round(x / 1000 + shift[0], 6), round(y / 1000 + shift[1], 6)


def commune_at(longitude: float, latitude: float) -> str | None:
    """The commune that has an address there."""
    return _points()[1].get((round(longitude * 1000), round(latitude * 1000)))


async def _search(request: Request, empty: bool) -> Any:
    """A street of the commune in `citycode`, else of those with the postcode or the name that stand in `q`."""
    asked = request.query_params
    query = asked.get("q", "").strip()
    if len(query) < 3:
        return JSONResponse({"code": 400, "message": "Failed parsing query", "detail": ["q: required param"]}, 400)
    most = int(asked["limit"]) if re.fullmatch(r"[1-9]\d?", asked.get("limit", ""), re.ASCII) else 5
    street = any(word in STREETS for word in fold(query).split())
    found = _meant(query, asked.get("citycode")) if street and not empty else []
    features = [_feature(query, each, rank) for rank, each in enumerate(found[: min(most, _MOST)])]
    return {"type": "FeatureCollection", "features": features, "query": query, "source": SOURCE}


def _meant(query: str, citycode: str | None) -> list[Commune]:
    """The communes that an address may be in, the likeliest first; a city stands for one of its arrondissements."""
    if citycode is not None:
        return [_part(communes()[citycode], query)] if citycode in communes() else []
    postcodes = [by_postcode()[code] for code in re.findall(r"\b\d{5}\b", query) if code in by_postcode()]
    named = _named(fold(re.sub(r"\b\d{5}\b|(?i:arrondissement)", " ", query)))
    there = postcodes[-1] if postcodes else ()
    both = [each for each in there if each in named or each.city in {other.insee for other in named}]
    return [_part(each, query) for each in both or there or named]


def _named(folded: str) -> Sequence[Commune]:
    """Those whose name ends the query; the longest name wins."""
    words = folded.split()
    ends = (" ".join(words[first:]) for first in range(1, len(words)))
    return next((by_name()[end] for end in ends if end in by_name()), ())


def _part(commune: Commune, query: str) -> Commune:
    if commune.insee not in CITIES:
        return commune
    parts = arrondissements(commune.insee)
    return parts[int(draw(f"part:{query}", 0, len(parts)))]


def _feature(query: str, commune: Commune, rank: int) -> dict[str, Any]:
    kind = "housenumber" if query[0].isdigit() else "street"
    return {
        "type": "Feature",
        "geometry": {"type": "Point", "coordinates": list(point_of(commune.insee, query))},
        "properties": {
            "label": f"{query} (fictif)",
            "score": round(0.93 - 0.05 * rank, 2),
            "type": kind,
            "citycode": commune.insee,
            "city": commune.name,
            "postcode": next(iter(commune.postcodes), ""),
            "importance": 0.6,
        },
    }
