"""How one geo-dvf file is written: columns, separator, encoding; also spreadsheets' re-exports of it."""

import gzip
import io
import re
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, cast

from pipeline.tools.dvf.values import UnreadableFile

REQUIRED = (
    "id_mutation",
    "date_mutation",
    "nature_mutation",
    "valeur_fonciere",
    "code_commune",
    "id_parcelle",
    "code_type_local",
    "surface_reelle_bati",
)
"""Columns that the rule reads; `type_local` follows from its code, `nombre_pieces_principales` only serves sizes, and
what stands in `GROUND` only land."""
GROUND = ("code_nature_culture", "surface_terrain")

LONGEST_HEADER = 20_000
SAMPLE = 1_000_000
GLOB = "*?["
NAME = re.compile(r"[a-z][a-z0-9_ ]{0,63}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Layout:
    """One readable file: its columns in order, separator and encoding (as Python names it)."""

    path: Path
    columns: tuple[str, ...]
    separator: str
    encoding: Literal["utf-8", "cp1252"]

    @property
    def has_rooms(self) -> bool:
        return "nombre_pieces_principales" in self.columns

    @property
    def has_town(self) -> bool:
        return "nom_commune" in self.columns

    @property
    def has_ground(self) -> bool:
        return set(GROUND) <= set(self.columns)


def read_layout(path: Path) -> Layout:
    """Reads the start of a .csv or .csv.gz. Raises `UnreadableFile` with what is wrong, in French."""
    if any(sign in str(path) for sign in GLOB):
        raise UnreadableFile(f"Renommez {path.name} : un nom de fichier avec *, ? ou [ n'est pas accepté.")
    if not path.is_file():
        raise UnreadableFile(f"Le fichier {path.name} est introuvable.")
    try:
        with _opened(path) as stream:
            header = stream.readline(LONGEST_HEADER)
            sample = header + stream.read(SAMPLE)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableFile(
            f"Le fichier {path.name} est illisible (archive incomplète ou droits manquants)."
        ) from error
    if not header.endswith(b"\n"):
        raise UnreadableFile(f"Le fichier {path.name} n'est pas un fichier geo-dvf : pas de ligne d'en-tête.")
    encoding: Literal["utf-8", "cp1252"] = "utf-8" if _is_utf8(sample) else "cp1252"
    first = header.decode("utf-8-sig" if encoding == "utf-8" else encoding, errors="replace").strip("\r\n")
    separator = max(",;\t|", key=first.count)
    columns = tuple(name.strip(' "').lower() for name in first.split(separator))
    _check(path, columns)
    return Layout(path, columns, separator, encoding)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """By content, not by name: a browser may unpack a .gz and keep its name."""
    with path.open("rb") as raw:
        packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        if not packed:
            yield raw
            return
        with gzip.open(raw, "rb") as unpacked:
            yield cast(BinaryIO, unpacked)


@contextmanager
def in_utf8(layout: Layout) -> Iterator[Path]:
    """The file itself, or a passing copy of it in UTF-8, the only encoding that DuckDB reads without an extension.

    An archive is read to its end first, because DuckDB does not check its sum. Raises `OSError`, `EOFError`,
    `zlib.error`.
    """
    if layout.encoding == "utf-8":
        if is_packed(layout.path):
            with _opened(layout.path) as archive:
                while archive.read(SAMPLE):
                    pass
        yield layout.path
        return
    with tempfile.TemporaryDirectory(prefix="dvf-") as folder:
        copy = Path(folder) / "lines.csv"
        with _opened(layout.path) as source, copy.open("w", encoding="utf-8", newline="") as target:
            reader = io.TextIOWrapper(source, encoding=layout.encoding, errors="replace", newline="")
            shutil.copyfileobj(reader, target)
        yield copy


def is_packed(path: Path) -> bool:
    """Whether the content is gzip, whatever the name says."""
    with path.open("rb") as raw:
        return raw.read(2) == b"\x1f\x8b"


def _is_utf8(sample: bytes) -> bool:
    """The end of the sample may cut a character: its last 3 bytes are not held against it."""
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(sample) - 3 and len(sample) >= SAMPLE
    return True


def _check(path: Path, columns: tuple[str, ...]) -> None:
    missing = [name for name in REQUIRED if name not in columns]
    if len(missing) == len(REQUIRED):
        raise UnreadableFile(
            f"Le fichier {path.name} n'est pas un fichier geo-dvf : aucune des colonnes attendues "
            f"({', '.join(REQUIRED[:4])}…). Prenez les fichiers « DVF géolocalisées » de data.gouv.fr."
        )
    if missing:
        raise UnreadableFile(f"Il manque des colonnes à {path.name} : {', '.join(missing)}. Aucun prix n'en est tiré.")
    if len(set(columns)) < len(columns) or not all(map(NAME.fullmatch, columns)):
        raise UnreadableFile(f"L'en-tête de {path.name} est incorrect : une colonne y est vide, en double ou étrange.")
