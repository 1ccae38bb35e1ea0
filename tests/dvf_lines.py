"""Writes small geo-dvf files of our own making for tests: invented sales, real column names."""

import csv
import gzip
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

COLUMNS = [
    "id_mutation",
    "date_mutation",
    "numero_disposition",
    "nature_mutation",
    "valeur_fonciere",
    "code_postal",
    "code_commune",
    "nom_commune",
    "code_departement",
    "id_parcelle",
    "nombre_lots",
    "code_type_local",
    "type_local",
    "surface_reelle_bati",
    "nombre_pieces_principales",
]


def sale(number: int, **said: object) -> dict[str, str]:
    """A flat of 50 m² and 3 rooms sold 150,000 + 500 x number euros, on day 1..28 of a month of 2024."""
    line = {
        "id_mutation": f"2024-{number}",
        "date_mutation": f"2024-{number % 12 + 1:02d}-{number % 28 + 1:02d}",
        "numero_disposition": "000001",
        "nature_mutation": "Vente",
        "valeur_fonciere": str(150_000 + 500 * number),
        "code_commune": "01004",
        "code_departement": "01",
        "id_parcelle": f"01004000AB{number:04d}",
        "code_type_local": "2",
        "type_local": "Appartement",
        "surface_reelle_bati": "50",
        "nombre_pieces_principales": "3",
    }
    return {**dict.fromkeys(COLUMNS, ""), **line, **{name: str(value) for name, value in said.items()}}


def as_csv(lines: Sequence[Mapping[str, str]], *, separator: str = ",", columns: Sequence[str] = COLUMNS) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, columns, delimiter=separator, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(lines)
    return written.getvalue()


def write(path: Path, lines: Sequence[Mapping[str, str]], **how: object) -> Path:
    text = as_csv(lines, **how)  # type: ignore[arg-type]
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return path
