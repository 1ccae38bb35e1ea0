"""Writes the dated lists of communes by status, by hand: `python -m corpus.build_status SRC_DIR OUT`.

SRC_DIR holds `zones_tendues_2025-12-22.csv`, `encadrement_loyers_communes_2026.csv` and `ort_2025-12.csv`. One line a
commune: INSEE code, then its marks, tab-separated: `T` zone tendue; `L` or `l` rent control of the whole or part of the
commune; `O` with signature and end dates of its ORT agreement (ISO, empty when unknown), `o` ORT not signed; `A` Action
cœur de ville. The header says vintage, licence and source of each list; the same input gives the same bytes.
"""

import csv
import gzip
import re
import sys
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path

HEADER = (
    "# QuartierScope status v1 | "
    "T: zones tendues, catégorie 1 du décret 2013-392 modifié le 22/12/2025, ministère chargé du logement, "
    "data.gouv.fr, 2025-12-22, Licence Ouverte 2.0 | "
    "L: encadrement des loyers 2026, source secondaire à recouper avec les arrêtés préfectoraux | "
    "O, A: ORT et Action cœur de ville, décembre 2025, Licence Ouverte 2.0"
)
INSEE = re.compile(r"\d{5}|2[AB]\d{3}", re.ASCII)


def lines(source: Path) -> list[str]:
    """Every commune that is on a list, by code. Raises `SystemExit` for a code or date that is none."""
    marks: dict[str, list[str]] = {}
    for insee, mark in (*_tense(source), *_controlled(source), *_ort(source)):
        if not INSEE.fullmatch(insee):
            raise SystemExit(f"{insee} is no INSEE code")
        marks.setdefault(insee, []).append(mark)
    return ["\t".join((insee, *sorted(marks[insee]))) for insee in sorted(marks)]


def _rows(source: Path, name: str) -> Iterator[dict[str, str]]:
    with (source / name).open(encoding="utf-8", newline="") as stream:
        yield from csv.DictReader(stream)


def _tense(source: Path) -> Iterator[tuple[str, str]]:
    for row in _rows(source, "zones_tendues_2025-12-22.csv"):
        yield row["code_insee"], "T"


def _controlled(source: Path) -> Iterator[tuple[str, str]]:
    for row in _rows(source, "encadrement_loyers_communes_2026.csv"):
        yield row["code_insee"], {"complet": "L", "partiel": "l"}[row["perimetre"]]


def _ort(source: Path) -> Iterator[tuple[str, str]]:
    for row in _rows(source, "ort_2025-12.csv"):
        if row["signee"] == "oui":
            yield row["code_insee"], f"O{_day(row['date_signature'])}/{_day(row['date_fin'])}"
        else:
            yield row["code_insee"], "o"
        if row["acv"] == "true":
            yield row["code_insee"], "A"


def _day(written: str) -> str:
    """ISO, from `2023-02-20` or `20-02-2026`; an unreadable date is unknown, never guessed."""
    for layout in ("%Y-%m-%d", "%d-%m-%Y"):
        try:
            found = datetime.strptime(written, layout).date()
        except ValueError:
            continue
        return found.isoformat() if date(2018, 11, 23) <= found <= date(2060, 1, 1) else ""
    if written:
        print(f"left out: {written!r} is no date", file=sys.stderr)
    return ""


def main(source: Path, target: Path) -> None:
    listed = lines(source)
    with (
        target.open("wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=9, mtime=0, filename="") as packed,
    ):
        packed.write(("\n".join([HEADER, *listed]) + "\n").encode("utf-8"))
    print(f"{target}: {target.stat().st_size:,} bytes, {len(listed):,} communes")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python -m corpus.build_status SRC_DIR OUT")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
