"""Office files are zips of XML: what they hold is weighed before a library opens them."""

import re
import zipfile
import zlib
from io import BytesIO
from typing import Final

from corpus.errors import UnreadableFile
from corpus.sources.files.source import Source, shown

MOST_ENTRIES: Final = 10_000
SMALL_BYTES: Final = 5_000_000
"""Below this much unzipped a high ratio is only a file of many blanks."""
_CHUNK: Final = 1_000_000
_DOCTYPE: Final = re.compile(rb"<\x00?!\x00?(?:D\x00?O\x00?C\x00?T\x00?Y|E\x00?N\x00?T\x00?I\x00?T)")


def check_archive(source: Source) -> None:
    """Raises `UnreadableFile` for a zip that is broken, locked, a bomb, or whose XML declares a document type: Office
    formats forbid those (ECMA-376 part 2, 8.1.4), and entities that multiply need one."""
    name, limits = shown(source.name), source.limits
    try:
        with zipfile.ZipFile(BytesIO(source.data)) as archive:
            entries = archive.infolist()
            unzipped = sum(entry.file_size for entry in entries)
            if any(entry.flag_bits & 1 for entry in entries):
                raise UnreadableFile(
                    f"« {name} » est protégé par un mot de passe : l'enregistrer sans, puis l'ajouter."
                )
            if len(entries) > MOST_ENTRIES or unzipped > limits.unzipped_bytes or _is_bomb(source, unzipped):
                raise UnreadableFile(f"« {name} » prend trop de place une fois décompressé : il n'a pas été ouvert.")
            for entry in entries:
                if entry.filename.endswith((".xml", ".rels")) and _has_doctype(archive, entry):
                    raise UnreadableFile(f"« {name} » contient du XML interdit dans ce format : il n'a pas été lu.")
    # zipfile's own NotImplementedError: a way of packing that it does not know.
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError, UnicodeDecodeError, OSError) as error:
        raise UnreadableFile(f"« {name} » est abîmé : l'ouvrir, l'enregistrer à nouveau, puis l'ajouter.") from error


def counted(source: Source, parts: str, mark: bytes) -> int:
    """How often the bytes stand in the parts whose names match, read a piece at a time; after `check_archive` only."""
    count = 0
    with zipfile.ZipFile(BytesIO(source.data)) as archive:
        for entry in archive.infolist():
            if re.fullmatch(parts, entry.filename):
                tail = b""
                with archive.open(entry) as stream:
                    while chunk := stream.read(_CHUNK):
                        count += (tail + chunk).count(mark)
                        tail = chunk[-(len(mark) - 1) :]
    return count


def _is_bomb(source: Source, unzipped: int) -> bool:
    return unzipped > max(SMALL_BYTES, source.limits.unzipped_ratio * len(source.data))


def _has_doctype(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    tail = b""
    with archive.open(entry) as stream:
        while chunk := stream.read(_CHUNK):
            if _DOCTYPE.search(tail + chunk):
                return True
            tail = chunk[-32:]
    return False
