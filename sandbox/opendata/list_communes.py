"""`python -m sandbox.opendata.list_communes PLACES.tsv.gz OUT`: makes communes.tsv.gz, the list that is shipped here.

PLACES is a list of French places with lines `C|A code name inhabitants postcodes` (INSEE, code officiel géographique
2026, mise en forme Etalab, Licence Ouverte 2.0). The same list gives the same bytes.
"""

import gzip
import sys
from pathlib import Path

HEAD = (
    "# Noms, codes, populations et codes postaux : INSEE, code officiel géographique 2026, mise en forme Etalab, "
    "Licence Ouverte 2.0. Tout ce que le bac à sable dit de ces communes par ailleurs est fictif."
)


def shortened(places: bytes) -> bytes:
    """The communes (C) and arrondissements (A): code, name, inhabitants, postcodes, sorted by code."""
    rows = (line.split("\t") for line in gzip.decompress(places).decode("utf-8").splitlines())
    kept = sorted("\t".join((*row[1:4], (row[4:] or [""])[0])) for row in rows if row[0] in ("C", "A"))
    return gzip.compress("\n".join((HEAD, *kept, "")).encode("utf-8"), 9, mtime=0)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(shortened(Path(sys.argv[1]).read_bytes()))
