"""geo-dvf files -> what one commune's homes, garages and building land sold for, by year, type and rooms."""

import tempfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.tools.dvf import rule
from pipeline.tools.dvf.layout import Layout, in_utf8, is_packed, read_layout
from pipeline.tools.dvf.values import FEWEST, Kind, NoPrice, Price, UnreadableFile

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

HOMES: Mapping[str, Kind] = {"1": "house", "2": "flat", "3": "garage", "T": "land"}
NAMES: Mapping[Kind, str] = {
    "flat": "appartements",
    "house": "maisons",
    "garage": "dépendances seules (garages, places de stationnement ou caves)",
    "land": "terrains à bâtir",
}
OF: Mapping[Kind, str] = {
    "flat": "d'appartements",
    "house": "de maisons",
    "garage": "de dépendances seules (garages, places de stationnement ou caves)",
    "land": "de terrains à bâtir",
}
GARBLED = 0.01
"""Share of a commune's lines whose date, price or area cannot be read from which the file is refused."""

BIG = 60_000_000
"""Bytes of a file from which it is read twice rather than held: France in a year, not a department."""

OFFLINE = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "threads": "2",
    "memory_limit": "1GB",
}

Outcome = Price | NoPrice
Key = tuple[Kind, int, int | None]
"""Type of home, year, rooms (None: all sizes)."""


@dataclass(frozen=True, slots=True)
class Market:
    """One commune as the files tell it. `found` has an outcome for each (type, year, rooms) that has sales; `town` is
    what the files call it, as they write it."""

    insee: str
    years: tuple[int, ...]
    found: Mapping[Key, Outcome]
    town: str = ""

    def price(self, kind: Kind, *, year: int | None = None, rooms: int | None = None) -> Outcome:
        """Of that year, or of the latest year that has one."""
        if year is None:
            years = [y for (k, y, r), outcome in self.found.items() if (k, r) == (kind, rooms) and _priced(outcome)]
            year = max(years, default=max(self.years, default=None))
        outcome = self.found.get((kind, year, rooms)) if year is not None else None
        return outcome or NoPrice(self.insee, year, kind, self._nothing(kind, year), rooms=rooms)

    def trend(self, kind: Kind) -> tuple[Price, ...]:
        """Prices of every year that has one, oldest first."""
        prices = (self.found.get((kind, year, None)) for year in self.years)
        return tuple(price for price in prices if isinstance(price, Price))

    def _nothing(self, kind: Kind, year: int | None) -> str:
        if not self.years:
            what = OF[kind] if kind in ("garage", "land") else "de logement"
            return f"Les fichiers DVF lus ne contiennent aucune vente {what} pour la commune {self.insee}."
        if year not in self.years:
            listed = ", ".join(map(str, self.years))
            return f"Les fichiers DVF lus ne couvrent pas {year} pour cette commune (années présentes : {listed})."
        return f"Aucune vente {OF[kind]} de {year} ne répond à la règle de calcul dans cette commune."


def read_market(paths: Sequence[Path], *, insee: str, big: int = BIG) -> Market:
    """Reads .csv or .csv.gz files of geo-dvf (one or several years); blocking, so call it in a thread. `big`: see BIG.

    Raises `UnreadableFile`: a file that is broken anywhere gives no price at all.
    """
    import duckdb  # here: 0.1 s that a start without a file need not pay

    years: set[int] = set()
    found: dict[Key, Outcome] = {}
    town = ""
    with duckdb.connect(config={**OFFLINE, "temp_directory": tempfile.gettempdir()}) as connection:
        for path in paths:
            rows, held, town = _read_file(connection, read_layout(path), insee, big)
            years.update(held)
            for row in rows:
                key, outcome = _outcome(insee, row)
                if key not in found or found[key].n < outcome.n:
                    found[key] = outcome
    return Market(insee, tuple(sorted(years)), found, town)


def _read_file(
    connection: "DuckDBPyConnection", layout: Layout, insee: str, big: int
) -> tuple[list[tuple[Any, ...]], list[int], str]:
    import duckdb

    name = layout.path.name
    try:
        with in_utf8(layout) as path:
            _lines(connection, layout, path)
            connection.execute(rule.NUMBER)
            connection.execute(rule.SPELLINGS, [_spellings(insee)])
            connection.execute(rule.NEAR if path.stat().st_size > big else rule.ALL)
            connection.execute(rule.PICKED)
        count, garbled, years = connection.execute(rule.SUMMARY).fetchall()[0]
        rows = connection.execute(rule.PRICES).fetchall()
        town = connection.execute(rule.TOWN).fetchall()[0][0]
        connection.execute(rule.OTHERS)
        rows += connection.execute(rule.OTHER_PRICES).fetchall()
    except (duckdb.Error, OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise UnreadableFile(f"Le fichier {name} est abîmé ou incomplet : aucun prix n'en est tiré.") from error
    if garbled > max(1, GARBLED * count):
        raise UnreadableFile(
            f"Dans {name}, {garbled} lignes sur {count} de la commune ont une date, un prix ou une surface illisible : "
            "aucun prix n'en est tiré."
        )
    held = {year for year in years or () if year is not None} | {row[0] for row in rows}
    return rows, sorted(held), town or ""


def _lines(connection: "DuckDBPyConnection", layout: Layout, path: Path) -> None:
    """The file as the view `every_line`, every column as text: no guess of a type can lose a zero or drop a line."""
    lines = connection.read_csv(
        str(path),
        sep=layout.separator,
        header=True,
        columns=dict.fromkeys(layout.columns, "VARCHAR"),
        auto_detect=False,
        quotechar='"',
        escapechar='"',
        compression="gzip" if is_packed(path) else "none",
    )
    rooms = "nombre_pieces_principales" if layout.has_rooms else "NULL"
    ground = "code_nature_culture AS culture, surface_terrain AS ground"
    ground = ground if layout.has_ground else "NULL AS culture, NULL AS ground"
    town = "nom_commune" if layout.has_town else "NULL"
    lines.project(f"*, {rooms} AS rooms, {ground}, {town} AS town").create_view("every_line")


def _spellings(insee: str) -> list[str]:
    """The code as spreadsheets may have left it: 01004 -> 1004, 1004.0."""
    short = insee.lstrip("0") if insee.isdigit() else insee
    return sorted({spelling + end for spelling in (insee, short) for end in ("", ".0")})


def _outcome(insee: str, row: tuple[Any, ...]) -> tuple[Key, Outcome]:
    year, home, size, n, (q1, median, q3), last_sale = row
    kind, rooms = HOMES[home], size
    if n < FEWEST:
        return (kind, year, rooms), NoPrice(insee, year, kind, too_few(kind, year, n, rooms), n, rooms)
    assert isinstance(last_sale, date)
    return (kind, year, rooms), Price(insee, year, kind, n, median, q1, q3, last_sale, rooms)


def too_few(kind: Kind, year: int, n: int, rooms: int | None) -> str:
    size = "" if rooms is None else f" {size_name(rooms)}"
    many = f"{n} vente {OF[kind]}{size} retenue" if n == 1 else f"{n} ventes {OF[kind]}{size} retenues"
    return f"{many} en {year} : trop peu pour donner un prix (il en faut {FEWEST})."


def size_name(rooms: int) -> str:
    return f"T{rooms}" if rooms < 5 else "T5 et plus"


def _priced(outcome: Outcome) -> bool:
    return isinstance(outcome, Price)
