"""Géorisques v1 in its shapes, with fictitious records of every commune."""

import re
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.communes import CITIES, communes, draw
from sandbox.opendata.figures import SOURCE
from sandbox.opendata.geocoding import commune_at
from sandbox.opendata.levels import departments
from sandbox.opendata.state import OpenData, served

_RIVER, _SEA, _SLIDES = "PPRI fictif du fleuve d'essai", "PPRI fictif du littoral d'essai", "PPRN glissements fictif"
_CLAY = ("nulle", "faible", "moyenne", "forte")
_OVERSEAS = ("97", "98")


@dataclass(frozen=True, slots=True)
class Recorded:
    """Plans, flood orders, other orders, radon class, zone of seismicity; an empty string: the service has none."""

    plans: tuple[str, ...]
    floods: int
    others: int
    radon: str
    zone: str


# Fixed, so that tests may name them; invented like those of every other commune.
_FIXED = {
    "83137": Recorded(("PPRI fictif de la plaine d'essai", "PPRN mouvements de terrain fictif"), 9, 4, "3", "2"),
    "69266": Recorded((_RIVER,), 5, 2, "1", "2"),
    "69123": Recorded((_RIVER, _SLIDES), 7, 5, "", "2"),
    "69387": Recorded((), 0, 0, "2", "2"),
    "44109": Recorded(("PPRI fictif de l'estuaire d'essai",), 6, 3, "3", "3"),
    "33063": Recorded(("PPRI fictif de la presqu'île d'essai",), 8, 6, "1", "1"),
    "59350": Recorded((), 3, 5, "1", "1"),
    "34172": Recorded(("PPRI fictif de la rivière d'essai",), 11, 2, "2", "2"),
    "42218": Recorded(("PPRN minier fictif",), 4, 1, "3", "2"),
    "93066": Recorded((_RIVER,), 3, 2, "1", "1"),
}


def recorded(code: str) -> Recorded | None:
    """What is recorded of a commune: its department's usual classes, its size, and chance. None for no commune and for
    the overseas collectivities. The plans and orders of an arrondissement stand under its city, radon the other way."""
    commune = communes().get(code)
    level = departments()[commune.department] if commune else None
    if commune is None or level is None or not level.zone:
        return None
    if code in _FIXED:
        return _FIXED[code]
    zone = str(min(5, max(1, round(level.zone + draw(f"zone:{code}", -0.7, 0.7)))))
    radon = "" if code in CITIES else str(min(3, max(1, round(level.radon + draw(f"radon:{code}", -0.8, 0.8)))))
    if commune.city:
        return Recorded((), 0, 0, radon, zone)
    wet, steep = draw(f"flood:{code}", 0, 1), draw(f"slide:{code}", 0, 1)
    size = min(1.0, 0.3 + commune.inhabitants / 40_000)
    flooded = (draw(f"sea:{code}", 0, 1) < 0.15 and _SEA) or _RIVER
    plans = (flooded,) * (wet < 0.7 * size) + (_SLIDES,) * (steep < 0.3 * size)
    return Recorded(plans, round(9 * size * (1 - wet)) + bool(plans), round(5 * size * (1 - steep)), radon, zone)


def routes(state: OpenData) -> list[BaseRoute]:
    """To be mounted under /georisques."""
    answers = {
        "/api/v1/gaspar/risques": _risks,
        "/api/v1/gaspar/catnat": _disasters,
        "/api/v1/gaspar/pprn": _plans,
        "/api/v1/radon": _radon,
        "/api/v1/zonage_sismique": _zone,
        "/api/v1/rga": _clay,
        "/api/v1/resultats_rapport_risque": _report,
    }
    return [Route(path, served(state, "georisques", answer), methods=["GET"]) for path, answer in answers.items()]


async def _plans(request: Request, empty: bool) -> Any:
    """Another shape than the rest, and another parameter; a wrong one returns the country, as the real service does."""
    code = request.query_params.get("codeInsee")
    plans = [plan for each in _rows(code) for plan in each[1].plans]
    if code is None:
        plans *= 20
    content = [
        {"idGaspar": f"00ESSAI{n:04d}", "libPpr": plan, "modeleProcedure": "PPRN-I", "etatRevision": False}
        for n, plan in enumerate([] if empty else plans)
    ]
    page = {"totalElements": len(content), "totalPages": 1, "pageNumber": 0, "pageSize": 100}
    return {**page, "content": content, "source": SOURCE}


async def _risks(request: Request, empty: bool) -> Any:
    rows = []
    for code, each in _asked(request, empty):
        risks = [("11", "Inondation")] * bool(each.plans or each.floods) + [("12", "Mouvement de terrain")] * bool(
            each.others
        )
        detail = [{"num_risque": n, "libelle_risque_long": label, "zone_sismicite": None} for n, label in risks]
        rows.append({**_head(code), "risques_detail": detail})
    return _page(rows)


async def _disasters(request: Request, empty: bool) -> Any:
    rows = [
        {
            **_head(code),
            "code_national_catnat": f"ESSAI{code}{n:03d}",
            "date_debut_evt": f"{2005 + n}-06-01",
            "date_fin_evt": f"{2005 + n}-06-02",
            "date_publication_arrete": f"{2005 + n}-09-01",
            "date_publication_jo": f"{2005 + n}-09-08",
            "libelle_risque_jo": label,
        }
        for code, each in _asked(request, empty)
        for n, label in enumerate(["Inondations et/ou Coulées de Boue"] * each.floods + ["Sécheresse"] * each.others)
    ]
    return _page(rows)


async def _radon(request: Request, empty: bool) -> Any:
    asked = _asked(request, empty)
    return _page([{**_head(code), "classe_potentiel": each.radon} for code, each in asked if each.radon])


async def _zone(request: Request, empty: bool) -> Any:
    levels = {"1": "1 - TRES FAIBLE", "2": "2 - FAIBLE", "3": "3 - MODEREE", "4": "4 - MOYENNE", "5": "5 - FORTE"}
    asked = _asked(request, empty)
    return _page([{**_head(code), "code_zone": each.zone, "zone_sismicite": levels[each.zone]} for code, each in asked])


async def _clay(request: Request, empty: bool) -> Any:
    """`latlon` holds the longitude first. Where the map says nothing, as overseas, an empty object."""
    code = _commune(request)
    if empty or code is None or code.startswith(_OVERSEAS):
        return {}
    level = clay(code)
    return {"exposition": f"Exposition {_CLAY[level]}", "codeExposition": str(level)}


def clay(code: str) -> int:
    """0 none to 3 strong."""
    if code in _FIXED:
        return int(code) % 4
    usual = departments()[communes()[code].department].clay
    return min(3, max(0, round(usual + draw(f"clay:{code}", -1.2, 1.2))))


async def _report(request: Request, empty: bool) -> Any:
    code = _commune(request)
    found = recorded(code) if code else None
    if code is None or found is None:
        return JSONResponse({"message": "latlon attendu"}, 400)
    commune = communes()[code]
    city = found if code in _FIXED else recorded(commune.city or code)
    flooded = city is not None and bool(city.plans) and not empty
    risks = {
        "inondation": _risk("Inondation", "Risque Existant", flooded),
        "mouvementTerrain": _risk("Mouvement de terrain", "Risque Inconnu", False),
        "radon": _risk("Radon", "Risque Existant - faible", True),
        "retraitGonflementArgile": _risk("Retrait gonflement des argiles", "Risque Existant - modéré", not empty),
    }
    place = {"libelle": commune.name, "codePostal": next(iter(commune.postcodes), ""), "codeInsee": code}
    return {"adresse": {"libelle": "Adresse fictive"}, "commune": place, "risquesNaturels": risks, "source": SOURCE}


def _risk(label: str, status: str, present: bool) -> dict[str, Any]:
    return {"present": present, "libelle": label, "libelleStatutCommune": status, "libelleStatutAdresse": status}


def _commune(request: Request) -> str | None:
    asked = re.fullmatch(
        r"(-?\d{1,3}(?:\.\d+)?),(-?\d{1,2}(?:\.\d+)?)", request.query_params.get("latlon", ""), re.ASCII
    )
    return commune_at(float(asked[1]), float(asked[2])) if asked else None


def _asked(request: Request, empty: bool) -> list[tuple[str, Recorded]]:
    """The communes asked for; those of a first page of the country when the parameter is missing or misspelt, as the
    real service does."""
    return [] if empty else _rows(request.query_params.get("code_insee"))


def _rows(codes: str | None) -> list[tuple[str, Recorded]]:
    asked = codes.split(",") if codes else _FIXED
    return [(code, found) for code in asked if (found := recorded(code)) is not None]


def _head(code: str) -> dict[str, str]:
    return {"code_insee": code, "libelle_commune": communes()[code].name}


def _page(rows: list[dict[str, Any]]) -> dict[str, Any]:
    around = {"page": 1, "total_pages": 1, "response_code": 200, "message": None, "next": None, "previous": None}
    return {"results": len(rows), **around, "data": rows, "source": SOURCE}
