"""The question bank's arrays, computed once and shipped: reading 5,000 questions takes half a second of every start.

`make vectors` writes the file beside the articles. It is for the articles, the ways of asking and the everyday words
that it was made from, and for no others: after any change it is computed again from the texts.
"""

import hashlib
import json
import sys
import zipfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from corpus.chunking import CHUNKING_VERSION, indexed_text
from corpus.everyday import WORDS, searched
from corpus.french import ANALYSER_VERSION, analyze
from corpus.ports import Vector
from corpus.questions.asked import ASKED
from corpus.questions.entry_words import Postings, postings_of
from corpus.sources.articles import ARTICLES
from corpus.types import Passage
from corpus.vectors import content_key

SHIPPED_BANK: Final = ARTICLES / "bank.npz"
Vectors = Mapping[str, Vector]
_DATES: Final = ("published", "effective_from", "effective_to")
_SHARED: Final = ("document_id", "title", "url", "category", "audience")
"""Alike in all passages of an article: kept once."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A passage that answers a question, and the ways in which that is asked, its heading first."""

    passage: Passage
    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Of each entry (row): the words of its ways and of its passage, the sum of its ways' vectors and its passage's
    vector, zero where there is none; float16, for that changes no order."""

    entries: tuple[Entry, ...]
    ways: Postings
    words: Postings
    sums: NDArray[np.float16]
    told: NDArray[np.float16]


def prepare(entries: Iterable[Entry], *, asked: Vectors, told: Vectors, version: str) -> Prepared:
    """`asked`: vectors of ways of asking, `told`: of passages, both by content key. `version`: their embedder's."""
    found = tuple(entries)
    return Prepared(
        entries=found,
        ways=postings_of([_bag(entry.ways) for entry in found]),
        words=postings_of([Counter(analyze(indexed_text(entry.passage))) for entry in found]),
        sums=_matrix([_sum([asked.get(content_key(way, version=version)) for way in entry.ways]) for entry in found]),
        told=_matrix([told.get(content_key(indexed_text(entry.passage), version=version)) for entry in found]),
    )


def source_digest(version: str) -> str:
    """Of all that `load_bank` reads, and of how it is read. Raises `OSError`."""
    digest = hashlib.sha256(f"{version}\0{ANALYSER_VERSION}\0{CHUNKING_VERSION}".encode())
    for path in (*sorted(ARTICLES.glob("*.md")), ASKED, WORDS):
        digest.update(f"\0{path.name}\0".encode())
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


def save_prepared(held: Prepared, *, digest: str, path: Path = SHIPPED_BANK) -> None:
    """Write atomically."""
    rows = [{**asdict(entry.passage), "ways": entry.ways} for entry in held.entries]
    arrays: dict[str, Any] = {
        "digest": _bytes(digest),
        "entries": _bytes("\n".join(json.dumps(row, ensure_ascii=False, default=date.isoformat) for row in rows)),
        **{f"ways_{name}": value for name, value in _arrays(held.ways).items()},
        **{f"words_{name}": value for name, value in _arrays(held.words).items()},
        "sums": held.sums,
        "told": held.told,
    }
    draft = path.with_suffix(".tmp.npz")
    np.savez(draft, **arrays)
    draft.replace(path)


def load_prepared(*, digest: str, path: Path = SHIPPED_BANK) -> Prepared | None:
    """None for a file that was made from other texts, that is damaged or not there."""
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            if stored["digest"].tobytes().decode("ascii") != digest:
                return None
            return Prepared(
                entries=tuple(map(_entry, stored["entries"].tobytes().splitlines())),
                ways=_postings(stored, "ways"),
                words=_postings(stored, "words"),
                sums=stored["sums"],
                told=stored["told"],
            )
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile):
        return None


def _bag(ways: Sequence[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for way in ways:
        found.update(searched(way))
    return found


def _sum(vectors: Sequence[Vector | None]) -> Vector | None:
    known = [vector for vector in vectors if vector is not None]
    return np.sum(known, axis=0, dtype=np.float32) if known else None


def _matrix(rows: Sequence[Vector | None]) -> NDArray[np.float16]:
    """What has no vector is far from everything."""
    size = next((len(row) for row in rows if row is not None), 1)
    filled = [np.zeros(size, np.float16) if row is None else row.astype(np.float16) for row in rows]
    return np.stack(filled or [np.zeros(size, np.float16)])


def _entry(line: bytes) -> Entry:
    row: dict[str, Any] = json.loads(line)
    for name in _SHARED:
        row[name] = sys.intern(row[name])
    ways = tuple(row.pop("ways"))
    dates = {name: date.fromisoformat(row[name]) for name in _DATES if row[name]}
    lists = {"heading": tuple(row["heading"]), "entities": tuple(row["entities"])}
    return Entry(Passage(**{**row, **lists, **dates}), ways)


def _arrays(held: Postings) -> dict[str, NDArray[Any]]:
    numbers: dict[str, NDArray[Any]] = {
        "starts": held.starts,
        "places": held.places,
        "counts": held.counts,
        "lengths": held.lengths,
    }
    return {**numbers, "terms": _bytes("\n".join(held.terms))}


def _postings(stored: Mapping[str, NDArray[Any]], name: str) -> Postings:
    said = stored[f"{name}_terms"].tobytes().decode("utf-8")
    return Postings(
        terms=tuple(said.split("\n")) if said else (),
        starts=stored[f"{name}_starts"],
        places=stored[f"{name}_places"],
        counts=stored[f"{name}_counts"],
        lengths=stored[f"{name}_lengths"],
    )


def _bytes(text: str) -> NDArray[np.uint8]:
    return np.frombuffer(text.encode("utf-8"), np.uint8)
