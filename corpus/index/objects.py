"""Passages as the properties of a server's objects, and hits of several tenants brought into one order."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, cast

import numpy as np

from corpus.chunking import indexed_text
from corpus.french import analyze
from corpus.index import bm25
from corpus.index.centering import Centering
from corpus.index.fusion import Key, best, fuse, relative
from corpus.index.ranking import Hit, SecondLook, asked, places_of, reordered
from corpus.ports import Vector
from corpus.types import Category, Passage

NEVER: Final = 0
FOREVER: Final = 9_999_999
"""Ordinals that stand for an open start and an open end, since a filter cannot look for a missing value."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A hit of one tenant: its passage, terms, stored (centred) vector if any, the vector's length before it was
    centred, the server's score in [0, 1], and its share of the lexical leg in [0, 1]."""

    tenant: str
    passage: Passage
    terms: tuple[str, ...]
    vector: Vector | None
    length: float
    score: float
    share: float = 0.0

    @property
    def key(self) -> Key:
        return self.passage.id, self.tenant


def lexical(passage: Passage) -> str:
    """The terms of the BM25 property."""
    return " ".join(analyze(indexed_text(passage)))


def weighted(asked: Mapping[str, float]) -> str:
    """A query of the BM25 property: a server counts a repeated term as often, so the weights become whole numbers."""
    least = min(asked.values(), default=1.0)
    return " ".join(term for term, weight in asked.items() for _ in range(round(weight / least)))


def properties(passage: Passage, terms: str, *, digest: str, length: float) -> dict[str, Any]:
    """The object's properties; dates as day ordinals."""
    return {
        "lexical": terms,
        "words": terms.count(" ") + 1 if terms else 0,
        "length": length,
        "digest": digest,
        "document": passage.document_id,
        "name": passage.id,
        "position": passage.position,
        "title": passage.title,
        "heading": list(passage.heading),
        "body": passage.text,
        "url": passage.url,
        "category": passage.category,
        "audience": passage.audience,
        "entities": list(passage.entities),
        "published": passage.published.toordinal() if passage.published else NEVER,
        "starts": passage.effective_from.toordinal() if passage.effective_from else NEVER,
        "ends": passage.effective_to.toordinal() if passage.effective_to else FOREVER,
    }


@dataclass(frozen=True, slots=True)
class Legs:
    """What one tenant's words and vectors found, each with the server's score of that leg."""

    said: Sequence[Candidate]
    near: Sequence[Candidate]


def candidates(rows: Iterable[Any], tenant: str) -> list[Candidate]:
    """Hits in the server's order, with its scores."""
    return [_candidate(row, tenant) for row in rows]


def scaled(hits: Sequence[Candidate]) -> list[Candidate]:
    """The hits of one leg that has no other: its scores brought to [0, 1]."""
    scores = relative({hit.key: hit.score for hit in hits})
    return [replace(hit, score=scores[hit.key]) for hit in hits]


def merged(
    legs: Sequence[Legs],
    asked: Mapping[str, float],
    centred: Vector | None,
    *,
    over: bm25.Statistics | None,
    alpha: float,
) -> list[Candidate]:
    """The legs of several tenants fused as one set: cosines as they are, BM25 under their common statistics.

    `over` None: one tenant only, whose own scores stand.
    """
    near = {hit.key: hit for part in legs for hit in part.near}
    said = {hit.key: hit for part in legs for hit in part.said}
    hits = {**near, **said}
    if over is None:
        lexical = {key: hit.score for key, hit in said.items()}
    else:
        lexical = bm25.scores(asked, {key: hit.terms for key, hit in hits.items()}, over=over)
    dense = {key: value for key, hit in near.items() if (value := _cosine(hit.vector, centred)) is not None}
    lexical = best(lexical)
    shares = relative(lexical)
    fused = fuse(None if centred is None else best(dense), lexical, alpha=alpha)
    return [replace(hits[key], score=score, share=shares.get(key, 0.0)) for key, score in fused]


def ranked(
    hits: Sequence[Candidate], text: str, vector: Vector | None, *, centering: Centering, weights: SecondLook | None
) -> list[Candidate]:
    """After the second look, with its scores. `vector`: the question's, as the embedder gave it."""
    searched = asked(text, weights=weights).keys()
    centred = None if vector is None else centering.centred(vector)
    looked_at = {
        hit.key: Hit(
            hit.passage,
            places_of(hit.terms, searched),
            len(hit.terms),
            hit.score,
            hit.share,
            _cosine(_whole(hit, centering), vector),
            _cosine(hit.vector, centred),
            None if vector is None else _whole(hit, centering),
        )
        for hit in hits
    }
    by_key = {hit.key: hit for hit in hits}
    return [replace(by_key[key], score=score) for key, score in reordered(text, looked_at, weights=weights)]


def passage(stored: Mapping[str, Any]) -> Passage:
    """The stored passage, without the values that belong to a search."""
    return Passage(
        id=stored["name"],
        document_id=stored["document"],
        position=int(stored["position"]),
        title=stored["title"],
        heading=tuple(stored["heading"] or ()),
        text=stored["body"],
        url=stored["url"],
        category=cast(Category, stored["category"]),
        published=_day(stored["published"], NEVER),
        effective_from=_day(stored["starts"], NEVER),
        effective_to=_day(stored["ends"], FOREVER),
        entities=tuple(stored["entities"] or ()),
        audience=stored["audience"],
    )


def found(hit: Candidate, terms: Sequence[str], vector: Vector | None, *, centering: Centering) -> Passage:
    """The passage with the three figures of its search."""
    held = len(set(terms) & set(hit.terms)) / len(terms) if terms else 0.0
    return replace(
        hit.passage, score=min(1.0, hit.score), similarity=_cosine(_whole(hit, centering), vector), coverage=held
    )


def _whole(hit: Candidate, centering: Centering) -> Vector | None:
    """Its vector as the embedder gave it."""
    return None if hit.vector is None else centering.whole(hit.vector, np.array(hit.length, np.float32))


def _cosine(first: Vector | None, second: Vector | None) -> float | None:
    return None if first is None or second is None else float(first @ second)


def _candidate(row: Any, tenant: str) -> Candidate:
    stored: Mapping[str, Any] = row.properties
    raw = (row.vector or {}).get("default")
    score = row.metadata.score
    if score is None:
        score = 1 - (row.metadata.distance or 0.0)
    return Candidate(
        tenant=tenant,
        passage=passage(stored),
        terms=tuple(stored["lexical"].split()),
        vector=np.asarray(raw, np.float32) if raw else None,
        length=float(stored["length"]),
        score=float(score),
    )


def _day(ordinal: int, open_end: int) -> date | None:
    return None if int(ordinal) == open_end else date.fromordinal(int(ordinal))
