"""Writes the A-B-C zone of every commune, by hand: `python -m corpus.build_zones SOURCE.csv OUT`.

SOURCE is the list of the ministry in charge of housing (data.gouv.fr, « Liste des communes selon le zonage ABC »):
`CODGEO;…;Zone en vigueur depuis le 5 juillet 2024;…`, whose column bears the vintage. One line a zone: its name, then
its INSEE codes without what they share with the code before. The same input gives the same bytes.
"""

import csv
import gzip
import re
import sys
from pathlib import Path

from corpus.zones import LETTERS, ZONES_AS_OF, packed, vintage_of

HEADER = (
    f"# QuartierScope zones v1 | zonage A, B, C, liste en vigueur au {ZONES_AS_OF.isoformat()}, ministère chargé du "
    "logement, data.gouv.fr, Licence Ouverte 2.0"
)
INSEE = re.compile(r"\d{5}|2[AB]\d{3}", re.ASCII)


def lines(source: Path) -> list[str]:
    """Raises `SystemExit` for a file of another vintage, a code or a zone that is none."""
    with source.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.DictReader(stream, delimiter=";")
        column = next((name for name in reader.fieldnames or () if vintage_of(name) == ZONES_AS_OF), None)
        if column is None:
            raise SystemExit(f"no column of {ZONES_AS_OF.isoformat()} in {source.name}")
        found: dict[str, list[str]] = {letter: [] for letter in LETTERS}
        for row in reader:
            if not INSEE.fullmatch(row["CODGEO"]) or row[column] not in found:
                raise SystemExit(f"{row['CODGEO']} {row[column]!r} is no commune with a zone")
            found[row[column]].append(row["CODGEO"])
    return [f"{letter}\t{packed(codes)}" for letter, codes in found.items()]


def main(source: Path, target: Path) -> None:
    text = "\n".join([HEADER, *lines(source)]) + "\n"
    with target.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=9, mtime=0, filename="") as out:
        out.write(text.encode("utf-8"))
    print(f"{target}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python -m corpus.build_zones SOURCE.csv OUT")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
