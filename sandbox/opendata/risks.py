"""Géorisques v1 in its shapes, with fictitious records of nine communes."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import BaseRoute, Route

from sandbox.opendata.figures import COMMUNES, SOURCE
from sandbox.opendata.geocoding import commune_at
from sandbox.opendata.state import OpenData, served

# INSEE code: plans, flood orders, other orders, radon class, zone of seismicity. Invented throughout.
_RECORDED: dict[str, tuple[tuple[str, ...], int, int, str, str]] = {
    "83137": (("PPRI fictif de la plaine d'essai", "PPRN mouvements de terrain fictif"), 9, 4, "3", "2"),
    "69266": (("PPRI fictif du fleuve d'essai",), 5, 2, "1", "2"),
    "69123": (("PPRI fictif du fleuve d'essai", "PPRN glissements fictif"), 7, 5, "", "2"),
    "69387": ((), 0, 0, "2", "2"),
    "44109": (("PPRI fictif de l'estuaire d'essai",), 6, 3, "3", "3"),
    "33063": (("PPRI fictif de la presqu'île d'essai",), 8, 6, "1", "1"),
    "59350": ((), 3, 5, "1", "1"),
    "34172": (("PPRI fictif de la rivière d'essai",), 11, 2, "2", "2"),
    "42218": (("PPRN minier fictif",), 4, 1, "3", "2"),
    "93066": (("PPRI fictif du fleuve d'essai",), 3, 2, "1", "1"),
}
_NAMES = {"69123": "Lyon"} | {code: name for code, (name, *_) in COMMUNES.items()}


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
    plans = [(c, plan) for c in _RECORDED if code in (None, c) for plan in _RECORDED[c][0]]
    if code is None:
        plans *= 20
    content = [
        {"idGaspar": f"00ESSAI{n:04d}", "libPpr": plan, "modeleProcedure": "PPRN-I", "etatRevision": False}
        for n, (_, plan) in enumerate([] if empty else plans)
    ]
    page = {"totalElements": len(content), "totalPages": 1, "pageNumber": 0, "pageSize": 100}
    return {**page, "content": content, "source": SOURCE}


async def _risks(request: Request, empty: bool) -> Any:
    rows = []
    for code in _asked(request, empty):
        plans, floods, others, *_ = _RECORDED[code]
        risks = [("11", "Inondation")] * bool(plans or floods) + [("12", "Mouvement de terrain")] * bool(others)
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
        for code in _asked(request, empty)
        for n, label in enumerate(
            ["Inondations et/ou Coulées de Boue"] * _RECORDED[code][1] + ["Sécheresse"] * _RECORDED[code][2]
        )
    ]
    return _page(rows)


async def _radon(request: Request, empty: bool) -> Any:
    asked = (code for code in _asked(request, empty) if _RECORDED[code][3])
    return _page([{**_head(code), "classe_potentiel": _RECORDED[code][3]} for code in asked])


async def _zone(request: Request, empty: bool) -> Any:
    levels = {"1": "1 - TRES FAIBLE", "2": "2 - FAIBLE", "3": "3 - MODEREE"}
    asked = [(code, _RECORDED[code][4]) for code in _asked(request, empty)]
    return _page([{**_head(code), "code_zone": zone, "zone_sismicite": levels[zone]} for code, zone in asked])


async def _clay(request: Request, empty: bool) -> Any:
    """`latlon` holds the longitude first. Where the map says nothing, an empty object."""
    code = commune_at(_longitude(request))
    if empty or code is None:
        return {}
    level = int(code) % 4
    return {"exposition": f"Exposition {('nulle', 'faible', 'moyenne', 'forte')[level]}", "codeExposition": str(level)}


async def _report(request: Request, empty: bool) -> Any:
    code = commune_at(_longitude(request))
    if code is None:
        return JSONResponse({"message": "latlon attendu"}, 400)
    flooded = bool(_RECORDED[code][0]) and not empty
    risks = {
        "inondation": _risk("Inondation", "Risque Existant", flooded),
        "mouvementTerrain": _risk("Mouvement de terrain", "Risque Inconnu", False),
        "radon": _risk("Radon", "Risque Existant - faible", True),
        "retraitGonflementArgile": _risk("Retrait gonflement des argiles", "Risque Existant - modéré", not empty),
    }
    place = {"libelle": _NAMES[code], "codePostal": f"{code[:2]}000", "codeInsee": code}
    return {"adresse": {"libelle": "Adresse fictive"}, "commune": place, "risquesNaturels": risks, "source": SOURCE}


def _risk(label: str, status: str, present: bool) -> dict[str, Any]:
    return {"present": present, "libelle": label, "libelleStatutCommune": status, "libelleStatutAdresse": status}


def _longitude(request: Request) -> float:
    first = request.query_params.get("latlon", "").partition(",")[0]
    return float(first) if first.replace(".", "", 1).isdigit() else -1.0


def _asked(request: Request, empty: bool) -> list[str]:
    """The communes asked for; all of them when the parameter is missing or misspelt, as the real service does."""
    if empty:
        return []
    given = request.query_params.get("code_insee")
    return [code for code in given.split(",") if code in _RECORDED] if given else list(_RECORDED)


def _head(code: str) -> dict[str, str]:
    return {"code_insee": code, "libelle_commune": _NAMES[code]}


def _page(rows: list[dict[str, Any]]) -> dict[str, Any]:
    around = {"page": 1, "total_pages": 1, "response_code": 200, "message": None, "next": None, "previous": None}
    return {"results": len(rows), **around, "data": rows, "source": SOURCE}
