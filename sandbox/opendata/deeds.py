"""Invented deeds of a commune and year, as lines of a geo-dvf file: flats, houses, dependencies and building land."""

import random
from collections.abc import Iterator
from datetime import date, timedelta

from sandbox.opendata.communes import Commune, communes
from sandbox.opendata.figures import markets_of, median, sales
from sandbox.opendata.geocoding import point_of
from sandbox.opendata.levels import Market

COLUMNS = (
    "id_mutation", "date_mutation", "numero_disposition", "nature_mutation", "valeur_fonciere", "adresse_numero",
    "adresse_suffixe", "adresse_nom_voie", "adresse_code_voie", "code_postal", "code_commune", "nom_commune",
    "code_departement", "ancien_code_commune", "ancien_nom_commune", "id_parcelle", "ancien_id_parcelle",
    "numero_volume", "lot1_numero", "lot1_surface_carrez", "lot2_numero", "lot2_surface_carrez", "lot3_numero",
    "lot3_surface_carrez", "lot4_numero", "lot4_surface_carrez", "lot5_numero", "lot5_surface_carrez", "nombre_lots",
    "code_type_local", "type_local", "surface_reelle_bati", "nombre_pieces_principales", "code_nature_culture",
    "nature_culture", "code_nature_culture_speciale", "nature_culture_speciale", "surface_terrain", "longitude",
    "latitude",
)  # fmt: skip
_STREET = "RUE FICTIVE DU BAC A SABLE"
_SPREAD = 0.27
"""Of the logarithm of a price: half of the deeds within a fifth of the median."""
_GARAGES, _LAND = 0.08, 0.15
"""Dependencies sold alone for each flat or house sold, plots for each house."""
_ROOMS = ((1, 24), (2, 42), (3, 63), (3, 68), (4, 84), (5, 112))

Line = dict[str, str]


def lines(code: str, year: int) -> Iterator[Line]:
    """The same lines each time; none where DVF has nothing."""
    commune, found = communes().get(code), markets_of(code)
    if commune is None or found is None:
        return
    chance = random.Random(f"deeds:{code}:{year}")  # noqa: S311 - invented figures, no secret
    flats, houses = found
    told = [
        *(_home(chance, flats, year, flat=True) for _ in range(sales(flats, year))),
        *(_home(chance, houses, year, flat=False) for _ in range(sales(houses, year))),
        *(_garage(chance, flats, year) for _ in range(round(_GARAGES * (sales(flats, year) + sales(houses, year))))),
        *(_plot(chance, houses, year) for _ in range(round(_LAND * sales(houses, year)))),
    ]
    for number, line in enumerate(told, start=1):
        yield _whole(commune, chance, year, number, line)


def _home(chance: random.Random, market: Market, year: int, *, flat: bool) -> Line:
    rooms, area = chance.choice(_ROOMS if flat else _ROOMS[2:])
    area = round(area * chance.uniform(0.85, 1.2) * (1.0 if flat else 1.25))
    price = area * median(market, year) * chance.lognormvariate(0, _SPREAD)
    kind = {"code_type_local": "2", "type_local": "Appartement", "nombre_lots": "1", "lot1_numero": _lot(chance)}
    if not flat:
        kind = {"code_type_local": "1", "type_local": "Maison", "nombre_lots": "0", **_ground("S", "sols")}
        kind["surface_terrain"] = str(round(chance.uniform(150, 1_200)))
    rounded = str(max(1_000, round(price, -2)))
    return kind | {
        "valeur_fonciere": rounded, "surface_reelle_bati": str(area), "nombre_pieces_principales": str(rooms),
    }  # fmt: skip


def _garage(chance: random.Random, market: Market, year: int) -> Line:
    """About the price of nine square metres of flat; DVF tells no area of a dependency."""
    price = round(9 * median(market, year) * chance.lognormvariate(0, 0.35), -2)
    kind = {"code_type_local": "3", "type_local": "Dépendance", "nombre_lots": "1", "lot1_numero": _lot(chance)}
    return {**kind, "valeur_fonciere": str(max(1_000, price)), "nombre_pieces_principales": "0"}


def _plot(chance: random.Random, market: Market, year: int) -> Line:
    area = round(chance.uniform(350, 1_300))
    price = area * plot_price(market, year) * chance.lognormvariate(0, 0.35)
    ground = {**_ground("AB", "terrains a bâtir"), "surface_terrain": str(area), "nombre_lots": "0"}
    return {**ground, "valeur_fonciere": str(max(1_000, round(price, -2)))}


def plot_price(market: Market, year: int) -> float:
    """€/m² of building land: dearer houses stand on much dearer ground."""
    return float(22 * (median(market, year) / 1_000) ** 1.6)


def _ground(code: str, name: str) -> Line:
    return {"code_nature_culture": code, "nature_culture": name}


def _lot(chance: random.Random) -> str:
    return str(chance.randrange(1, 400))


def _whole(commune: Commune, chance: random.Random, year: int, number: int, line: Line) -> Line:
    longitude, latitude = point_of(commune.insee, f"{year}-{number}")
    day = date(year, 1, 1) + timedelta(days=chance.randrange(365))
    return {
        "id_mutation": f"{year}-{commune.insee}{number:06d}",
        "date_mutation": day.isoformat(),
        "numero_disposition": "000001",
        "nature_mutation": "Vente",
        "adresse_numero": str(chance.randrange(1, 200)),
        "adresse_nom_voie": _STREET,
        "code_postal": next(iter(commune.postcodes), ""),
        "code_commune": commune.insee,
        "nom_commune": f"{commune.name} (données fictives)",
        "code_departement": commune.department,
        "id_parcelle": f"{commune.insee}000ZZ{number:06d}",
        "longitude": str(longitude),
        "latitude": str(latitude),
        **line,
    }
