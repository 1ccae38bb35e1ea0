"""The embedded index's file under another key."""

from pathlib import Path

from corpus.index.file import IndexFile
from corpus.index.rows import seal_anew
from corpus.ports import TextSeal
from corpus.types import SHARED_TENANT


def seal_file_anew(path: Path, seal: TextSeal) -> int:
    """The texts of every team; how many passages. Who has the file open goes on. Raises `IndexUnavailable`."""
    file = IndexFile(path)
    try:
        with file.writes() as connection:
            return seal_anew(connection, seal, public=SHARED_TENANT)
    finally:
        file.close()
