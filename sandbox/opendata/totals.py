"""The table "Statistiques DVF": five-year totals of a commune or of a department, from the invented yearly figures."""

from functools import cache
from typing import Any

from sandbox.opendata.communes import communes
from sandbox.opendata.figures import markets_of, median, sales
from sandbox.opendata.levels import OUTSIDE_DVF, Market, departments

STATISTICS = "851d342f-9c96-41c1-924a-11a7a7aae8a6"
_YEARS = range(2021, 2026)
_KINDS = ("appartement", "maison")


def totals(code: str) -> list[dict[str, Any]]:
    """The rows whose `code_geo` is this: none for what DVF does not cover."""
    if code in departments():
        return [_of_department(code)] if departments()[code].flats and code not in OUTSIDE_DVF else []
    found = markets_of(code)
    if found is None:
        return []
    commune = communes()[code]
    return [_row(code, commune.name, "commune", commune.department, (found[:1], found[1:]))]


@cache
def _of_department(code: str) -> dict[str, Any]:
    found = [pair for each in communes().values() if each.department == code and (pair := markets_of(each.insee))]
    kinds = tuple(flats for flats, _ in found), tuple(houses for _, houses in found)
    return _row(code, departments()[code].name, "departement", "", kinds)


def _row(code: str, name: str, scale: str, parent: str, kinds: tuple[tuple[Market, ...], ...]) -> dict[str, Any]:
    """A commune's "median" is its middle year's, a department's the mean of its communes', as good as any invented
    figure."""
    found: dict[str, Any] = {"code_geo": code, "libelle_geo": name, "code_parent": parent, "echelle_geo": scale}
    for kind, markets in zip(_KINDS, kinds, strict=True):
        counts = [sum(sales(market, year) for year in _YEARS) for market in markets]
        if not sum(counts):
            continue
        weighed = sum(median(market, 2023) * many for market, many in zip(markets, counts, strict=True))
        found[f"nb_ventes_whole_{kind}"] = sum(counts)
        found[f"moy_prix_m2_whole_{kind}"] = round(weighed / sum(counts) * 1.04)
        found[f"med_prix_m2_whole_{kind}"] = round(weighed / sum(counts))
    return found
