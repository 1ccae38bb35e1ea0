"""The sandbox's open data of any commune: invented, plausible, the same each time, and absent where the real one is."""

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from corpus.places import Place, load_gazetteer
from sandbox.opendata import OpenData, mounts
from sandbox.opendata.communes import CITIES, communes
from sandbox.opendata.totals import STATISTICS, totals

PLACES = load_gazetteer()
NO_DVF = ("57", "67", "68", "976")
COLLECTIVITIES = ("975", "977", "978", "984", "986", "987", "988", "989")
RENTS = "55b34088-0964-415f-9df7-d87dd98a09be"
HOUSES = "129f764d-b613-44e4-952c-5ff50a8c9b73"
ALWAYS = ["75108", "69381", "13216", "2A004", "97411", "97302", "59183", "23096", "48095"]
"""Arrondissements, Corsica, overseas, and towns of the cheapest departments."""


def _sample() -> list[str]:
    """Fifty communes that DVF covers: the same on every run, large ones as likely as small ones."""
    covered = [c for c in communes() if not c.startswith((*NO_DVF, *COLLECTIVITIES)) and c not in CITIES]
    large = [code for code in covered if communes()[code].inhabitants > 10_000]
    chance = random.Random(8)
    return sorted({*ALWAYS, *chance.sample(covered, 25), *chance.sample(large, 16)})


SAMPLE = _sample()


@pytest.fixture(scope="module")
def service() -> Iterator[httpx.Client]:
    routes = [Mount(prefix, routes=list(each)) for prefix, each in mounts(OpenData()).items()]
    with TestClient(Starlette(routes=routes)) as client:
        yield client


def place(code: str) -> Place:
    found = PLACES.get(code)
    assert found is not None, code
    return found


def years(service: httpx.Client, code: str) -> list[dict[str, Any]]:
    asked = {"echelle": "communes", "code": code}
    return list(service.get("/dvf/indicateurs/dv3f/prix/annuel/", params=asked).json()["results"])


def rent(service: httpx.Client, code: str, resource: str = RENTS) -> list[dict[str, Any]]:
    path = f"/tabular/api/resources/{resource}/data/"
    return list(service.get(path, params={"INSEE_C__exact": code}).json()["data"])


def labels(service: httpx.Client, code: str) -> list[dict[str, Any]]:
    asked = {"field": "code_insee_ban;etiquette_dpe", "qs": f'code_insee_ban:"{code}"'}
    return list(service.get("/ademe/data-fair/api/v1/datasets/dpe03existant/values_agg", params=asked).json()["aggs"])


def recorded(service: httpx.Client, path: str, code: str) -> list[dict[str, Any]]:
    return list(service.get(f"/georisques/api/v1/{path}", params={"code_insee": code}).json()["data"])


def number(written: str) -> float:
    return float(written.replace(",", "."))


def test_the_list_is_that_of_the_gazetteer() -> None:
    """Every code in force, none that is not."""
    assert len(communes()) > 35_000
    for code, commune in communes().items():
        found = place(code)
        assert (commune.name, commune.inhabitants) == (found.name, found.population)


@pytest.mark.parametrize("code", SAMPLE)
def test_prices_are_plausible_and_move_slowly(service: httpx.Client, code: str) -> None:
    """Six years; a median within what French homes sell for, its quartiles around it; no price under eleven sales."""
    rows = years(service, code)
    assert [row["annee"] for row in rows] == ["2020", "2021", "2022", "2023", "2024", "2025"]
    for kind in ("cod111", "cod121", "cod121x1", "cod121x5"):
        medians = [row[f"pxm2_median_{kind}"] for row in rows]
        assert all(450 <= median <= 17_000 for median in medians if median)
        assert all(abs(later / one - 1) < 0.08 for one, later in pairwise(medians) if one and later)
        for row in rows:
            low, middle, high = (row[f"pxm2_{q}_{kind}"] for q in ("q25", "median", "q75"))
            assert (middle is None) == (row[f"nbtrans_{kind}"] < 11)
            assert middle is None or low < middle < high
    sold = rows[-1]["nbtrans_cod111"] + rows[-1]["nbtrans_cod121"]
    assert sold <= 0.02 * communes()[code].inhabitants


@pytest.mark.parametrize("code", SAMPLE)
def test_the_five_year_totals_agree_with_the_years(service: httpx.Client, code: str) -> None:
    """The second source tells the same market, under the same name."""
    found = totals(code)
    assert [row["code_geo"] for row in found] == [code]
    rows = [row for row in years(service, code) if row["annee"] >= "2021"]
    for kind, name in (("cod121", "appartement"), ("cod111", "maison")):
        assert found[0].get(f"nb_ventes_whole_{name}", 0) == sum(row[f"nbtrans_{kind}"] for row in rows)


@pytest.mark.parametrize("code", SAMPLE)
def test_rents_are_plausible_and_a_small_flat_costs_more(service: httpx.Client, code: str) -> None:
    """€/m² a month, within their interval."""
    (row,) = rent(service, code)
    low, typical, high = (number(row[name]) for name in ("lwr.IPm2", "loypredm2", "upr.IPm2"))
    assert 4 <= low < typical < high <= 45
    (house,) = rent(service, code, HOUSES)
    assert number(house["loypredm2"]) < typical
    assert (row["TYPPRED"] == "commune") == (row["nbobs_com"] > 30)


@pytest.mark.parametrize("code", SAMPLE)
def test_risks_and_labels_are_plausible(service: httpx.Client, code: str) -> None:
    """Classes within their scales, no more labels than inhabitants; overseas the base shows none."""
    (radon,), (zone,) = recorded(service, "radon", code), recorded(service, "zonage_sismique", code)
    assert radon["classe_potentiel"] in {"1", "2", "3"}
    assert zone["code_zone"] in {"1", "2", "3", "4", "5"}
    assert len(recorded(service, "gaspar/catnat", code)) <= 20
    groups = labels(service, code)
    assert bool(groups) == (not code.startswith("97") and communes()[code].inhabitants > 20)
    for group in groups:
        counts = {each["value"]: each["total"] for each in group["aggs"]}
        assert set(counts) <= set("ABCDEFG")
        assert 0 < sum(counts.values()) == group["total"] <= communes()[code].inhabitants
        if group["total"] > 200:
            assert 0.03 < (counts["F"] + counts["G"]) / group["total"] < 0.4


@pytest.mark.parametrize("code", SAMPLE)
def test_an_address_is_found_in_its_commune_and_its_point_leads_back(service: httpx.Client, code: str) -> None:
    """Geocoded by code, and by name with postcode; the point's report is of the same commune."""
    name, postcode = place(code).name, place(code).postcodes[0]
    by_code = {"q": f"12 rue des Essais {name}", "citycode": code}
    by_text = {"q": f"12 rue des Essais {postcode} {name}", "limit": "20"}
    for asked in (by_code, by_text):
        features = service.get("/geocodage/search", params=asked).json()["features"]
        assert code in [each["properties"]["citycode"] for each in features]
    where = ",".join(map(str, features[0]["geometry"]["coordinates"]))
    report = service.get("/georisques/api/v1/resultats_rapport_risque", params={"latlon": where}).json()
    assert report["commune"]["codeInsee"] == features[0]["properties"]["citycode"]


@pytest.mark.parametrize(
    "code", ["57463", "67482", "68224", "97611", "98818", "97502", "75056", "69123", "13055", "00000"]
)
def test_what_the_real_prices_lack_is_lacking_here(service: httpx.Client, code: str) -> None:
    """Alsace-Moselle, Mayotte, the collectivities, the three cities as a whole, and what is no commune."""
    assert years(service, code) == []
    assert totals(code) == []
    department = code[:3] if code[0] == "9" else code[:2]
    for path in (f"departements/{department}.csv.gz", f"communes/{department}/{code}.csv"):
        if code not in CITIES or "communes" in path:
            assert service.get(f"/geo-dvf/csv/2024/{path}").status_code == 404
    assert bool(rent(service, code)) == bool(labels(service, code)) == code.startswith(("57", "67", "68"))


def test_homonyms_are_all_offered_and_a_postcode_decides(service: httpx.Client) -> None:
    """Saint-Denis near Paris and Saint-Denis of La Réunion; Paris leads to one of its arrondissements."""

    def found(query: str) -> list[str]:
        features = service.get("/geocodage/search", params={"q": query}).json()["features"]
        return [each["properties"]["citycode"] for each in features]

    assert {"97411", "93066"} <= set(found("3 rue de l'Église Saint-Denis"))
    assert found("3 rue de l'Église 97400 Saint-Denis") == ["97411"]
    assert found("8 avenue de la République 75011 Paris") == ["75111"]
    assert found("8 avenue de Toulon Nantes") == ["44109"]
    (paris,) = found("8 avenue de la République Paris")
    assert "75101" <= paris <= "75120"
    assert found("3 rue de l'Église Nulle-Part-sur-Rien") == []


def test_a_misspelt_parameter_returns_more_than_the_commune(service: httpx.Client) -> None:
    """As the real Géorisques does: a tool has to check what it is given."""
    rows = service.get("/georisques/api/v1/radon", params={"codeInsee": "23096"}).json()["data"]
    assert len({row["code_insee"] for row in rows}) > 1


def test_a_second_process_tells_the_same() -> None:
    """Nothing hangs on the process, its hash seed or the order of the questions."""
    told = (
        "import json; from sandbox.opendata import figures, rents, labels, risks, geocoding, deeds;"
        f"codes = {SAMPLE[::7]!r};"
        "print(json.dumps([[figures.rows(c), str(rents.base_of(c)), labels.counts_of(c), str(risks.recorded(c)),"
        " geocoding.point_of(c), list(deeds.lines(c, 2023))[-3:]] for c in codes], sort_keys=True))"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", told], capture_output=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "77")
    ]
    assert runs[0] == runs[1]
    assert len(json.loads(runs[0])) == len(SAMPLE[::7])


def test_a_commune_in_fixed_figures_keeps_them(service: httpx.Client) -> None:
    """Toulon's are named by tests and by the walk through the product."""
    row = years(service, "83137")[-1]
    assert (row["nbtrans_cod121"], row["pxm2_median_cod121"]) == (1840, 2598.21)


def test_the_portal_has_departments_too(service: httpx.Client) -> None:
    """One row a department, with its name and scale; none where DVF has nothing."""
    assert [(row["libelle_geo"], row["echelle_geo"]) for row in totals("23")] == [("Creuse", "departement")]
    assert totals("57") == []
    call = {"name": "query_resource_data", "arguments": {"resource_id": STATISTICS, "filter_column": "code_geo"}}
    call["arguments"]["filter_value"] = "23"  # type: ignore[index]
    body = service.post("/datagouv/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).text
    assert "libelle_geo: Creuse" in body
