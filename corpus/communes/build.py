"""Writes the gazetteer file from two npm packages, by hand: `python -m corpus.communes.build SRC_DIR OUT`.

SRC_DIR holds both packages unpacked, in any layout: `communes.json`, `departements.json` and `regions.json` of
@etalab/decoupage-administratif (INSEE's code officiel géographique, populations and postcodes) and `codes-postaux.json`
of codes-postaux, from which only names that have since gone are taken. Vintage and licences: corpus/PLACES.md.
"""

import gzip
import json
import sys
from pathlib import Path
from typing import Any

HEADER = (
    "# QuartierScope places v1 | COG 2026 (@etalab/decoupage-administratif 6.0.0, published 2026-03), "
    "former names of codes-postaux 4.1.2 | Licence Ouverte 2.0 | "
    "D code name region / C,A insee name population postcodes / O old name, S short name: insee name"
)
SHORT_NAMES = """
13001 Aix|73008 Aix|92012 Boulogne|62160 Boulogne|93070 Saint-Ouen|63113 Clermont|51108 Châlons|92040 Issy
92051 Neuilly|92044 Levallois|94081 Vitry|94041 Ivry|92004 Asnières|78551 Saint-Germain|83126 La Seyne
94068 Saint-Maur|69264 Villefranche|38053 Bourgoin|69256 Vaulx|69275 Décines|69286 Rillieux|69034 Caluire
69202 Sainte-Foy|69244 Tassin|94018 Charenton|06027 Cagnes|06004 Juan-les-Pins|83129 Six-Fours|44055 La Baule
97411 Saint-Denis de La Réunion|97411 Saint-Denis La Réunion|97416 Saint-Pierre de La Réunion
97415 Saint-Paul de La Réunion|95127 Cergy-Pontoise|54547 Vandœuvre|63113 Clermont-Fd|94017 Champigny|71076 Chalon
93005 Aulnay|13001 Aix en Pce|93051 Noisy
50129 Cherbourg|91228 Évry|19031 Brive|26281 Romans|91174 Corbeil|95268 Garges|74281 Thonon|74119 Évian|93064 Rosny
94071 Sucy|78172 Conflans|43157 Le Puy|62427 Hénin|76681 Sotteville|62826 Le Touquet|85194 Les Sables|04070 Digne
"""
"""What people say for a longer official name: ranked by population with the communes that really bear it."""


def _load(source: Path, name: str) -> Any:
    found = sorted(source.rglob(name))
    if not found:
        raise SystemExit(f"{name} is missing under {source}")
    return json.loads(found[0].read_text(encoding="utf-8"))


def _short_names(current: set[str]) -> list[tuple[str, str]]:
    pairs = [
        entry.strip().split(" ", 1) for line in SHORT_NAMES.split("\n") for entry in line.split("|") if entry.strip()
    ]
    unknown = [code for code, _ in pairs if code not in current]
    if unknown:
        raise SystemExit(f"short names of unknown communes: {unknown}")
    return [(code, name) for code, name in pairs]


def rows(source: Path) -> list[str]:
    """Every line of the file, sorted by kind then code, so that two runs give the same bytes."""
    communes = _load(source, "communes.json")
    regions = {region["code"]: region["nom"] for region in _load(source, "regions.json")}
    lines = [
        f"D\t{dep['code']}\t{dep['nom']}\t{regions.get(dep['region'], '')}"
        for dep in _load(source, "departements.json")
    ]
    kinds = {"commune-actuelle": "C", "arrondissement-municipal": "A"}
    current = {c["code"]: c for c in communes if c["type"] in kinds}
    lines += [
        "\t".join((kinds[c["type"]], code, c["nom"], str(c.get("population", 0)), " ".join(c.get("codesPostaux", []))))
        for code, c in current.items()
    ]
    moved = {old: c["code"] for c in current.values() for old in c.get("anciensCodes", [])}
    former = {(c["chefLieu"], c["nom"]) for c in communes if c["type"] not in kinds}
    former |= {
        (moved.get(p["codeCommune"], p["codeCommune"]), p["nomCommune"]) for p in _load(source, "codes-postaux.json")
    }
    lines += [f"O\t{code}\t{name}" for code, name in former if code in current and current[code]["nom"] != name]
    lines += [f"S\t{code}\t{name}" for code, name in _short_names(set(current))]
    return sorted(lines, key=lambda line: ("DCAOS".index(line[0]), line))


def main(source: Path, target: Path) -> None:
    text = "\n".join([HEADER, *rows(source)]) + "\n"
    with (
        target.open("wb") as raw,
        gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=9, mtime=0, filename="") as packed,
    ):
        packed.write(text.encode("utf-8"))
    print(f"{target}: {target.stat().st_size:,} bytes, {text.count(chr(10)):,} lines")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python -m corpus.communes.build SRC_DIR OUT")
    main(Path(sys.argv[1]), Path(sys.argv[2]))
