"""The articles' own questions, each in every way in which it is known to be asked, beside the question of somebody.

One entry is its ways of being asked and its answer. A question is held beside both, by meaning and by words: the mean
of the ways' vectors, the vector of the passage, the words of the ways, the words of the answer under its title. What
these four are worth together is fitted on the ways themselves, each left out in turn (`bench choosing --fit`).
"""

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import astuple, dataclass, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.chunking import chunk, indexed_text
from corpus.everyday import searched
from corpus.french import analyze
from corpus.index.bm25 import idf
from corpus.ports import Vector
from corpus.questions.asked import Phrasing, question_of, read_asked
from corpus.questions.entry_words import EntryWords
from corpus.sources.articles import read_articles
from corpus.types import Document, Passage
from corpus.vectors import SHIPPED, SHIPPED_QUESTIONS, content_key, load_vectors

FITTED: Final = Path(__file__).with_name("fitted.json")
Floats = NDArray[np.float32]
Vectors = Mapping[str, Vector]


@dataclass(frozen=True, slots=True)
class Entry:
    """A passage that answers a question, and the ways in which that is asked, its heading first."""

    passage: Passage
    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Signs:
    """Of an entry beside a question, or what each of them is worth: `asked`, `told`: cosines with the mean of its ways
    and with its passage, each about the mean of all, 0 without vectors; `ways`, `words`: share of the question's words
    that its ways, and its passage, hold."""

    asked: float
    told: float
    ways: float
    words: float


@dataclass(frozen=True, slots=True)
class Match:
    """`score`: comparable between entries of one question; `lead`: by how much it is before the best other entry, below
    0 behind it."""

    entry: Entry
    signs: Signs
    score: float
    lead: float


class QuestionBank:
    """Every entry, in memory: two products and a few postings a question, well under a millisecond."""

    def __init__(
        self,
        entries: Iterable[Entry],
        *,
        asked: Vectors,
        told: Vectors,
        version: str,
        weights: Signs | None = None,
    ) -> None:
        """`asked`: vectors of ways of asking, `told`: of passages, both by content key."""
        self.entries = tuple(entries)
        self._weights = weights or fitted()
        self._ways = EntryWords([_bag(entry.ways) for entry in self.entries])
        self._words = EntryWords([Counter(analyze(indexed_text(entry.passage))) for entry in self.entries])
        sums = [_sum([asked.get(content_key(way, version=version)) for way in entry.ways]) for entry in self.entries]
        texts = [told.get(content_key(indexed_text(entry.passage), version=version)) for entry in self.entries]
        self._sums, passages = _matrix(sums), _matrix(texts)
        means = _unit(self._sums)
        self._centre = means.mean(axis=0)
        self._asked, self._told = _unit(means - self._centre), _unit(passages - passages.mean(axis=0))

    def without(self, way: str, vector: Vector) -> "QuestionBank":
        """The same as if nobody had written this way of asking down: how it is answered then. `vector`: its own."""
        place = next((at for at, entry in enumerate(self.entries) if way in entry.ways), None)
        if place is None:
            return self
        other, left = copy(self), tuple(one for one in self.entries[place].ways if one != way)
        other.entries = (*self.entries[:place], replace(self.entries[place], ways=left), *self.entries[place + 1 :])
        other._ways = self._ways.without(place, searched(way))
        other._asked = self._asked.copy()
        other._asked[place] = _unit(_unit((self._sums[place] - vector)[None]) - self._centre)[0] if left else 0.0
        return other

    def rarity(self, term: str) -> float:
        """Of an index term among the entries: 1 where none holds it, near 0 where all do."""
        holders = self._ways.holders(term) | self._words.holders(term)
        return idf(len(self.entries), len(holders)) / idf(len(self.entries), 0)

    def signs(self, question: str, vector: Vector | None) -> NDArray[np.float64]:
        """Shape (entries, 4), the columns of `Signs`. `vector`: None or of another embedder's: words alone count."""
        terms = searched(question)
        found = np.zeros((len(self.entries), 4))
        found[:, 2], found[:, 3] = self._ways.of(terms), self._words.of(terms)
        if vector is not None and len(vector) == self._asked.shape[1]:
            about = _unit((vector - self._centre)[None])[0]
            found[:, 0], found[:, 1] = self._asked @ about, self._told @ about
        return found

    def nearest(
        self, question: str, vector: Vector | None, *, limit: int, among: Collection[str] | None = None
    ) -> list[Match]:
        """The best entries, best first; `among`: ids of the passages that are looked for."""
        if not self.entries or limit < 1:
            return []
        signs = self.signs(question, vector)
        scores = signs @ np.array(astuple(self._weights))
        order = np.argsort(-scores, kind="stable")
        best, second = order[0], order[min(1, len(order) - 1)]
        taken = [at for at in order if among is None or self.entries[at].passage.id in among][:limit]
        return [
            Match(
                self.entries[at],
                Signs(*map(float, signs[at])),
                float(scores[at]),
                float(scores[at] - scores[second if at == best else best]),
            )
            for at in taken
        ]


def entries_of(passages: Iterable[Passage], phrasings: Iterable[Phrasing]) -> list[Entry]:
    """Each question of the articles with its ways of being asked. Of a long answer, the passage that begins it."""
    also: dict[tuple[str, str], list[str]] = {}
    for row in phrasings:
        also.setdefault((row.article, row.question), []).append(row.also)
    asking = ((passage.document_id, question_of(passage), passage) for passage in passages)
    groups = groupby((row for row in asking if row[1]), key=lambda row: row[:2])
    return [
        Entry(next(iter(held))[2], (question, *also.get((article, question), ())))
        for (article, question), held in groups
    ]


def load_bank(version: str) -> QuestionBank:
    """Of the built-in articles; those that cannot be read are left out. `version`: the embedder's."""
    documents = (article for article in read_articles() if isinstance(article, Document))
    passages = (passage for document in documents for passage in chunk(document))
    entries = entries_of(passages, read_asked())
    return QuestionBank(entries, asked=load_vectors(SHIPPED_QUESTIONS), told=load_vectors(SHIPPED), version=version)


@cache
def fitted() -> Signs:
    """What each sign is worth."""
    return Signs(**json.loads(FITTED.read_text(encoding="utf-8")))


def _bag(ways: Sequence[str]) -> Counter[str]:
    found: Counter[str] = Counter()
    for way in ways:
        found.update(searched(way))
    return found


def _sum(vectors: Sequence[Vector | None]) -> Vector | None:
    known = [vector for vector in vectors if vector is not None]
    return np.sum(known, axis=0, dtype=np.float32) if known else None


def _matrix(rows: Sequence[Vector | None]) -> Floats:
    """What has no vector is far from everything."""
    size = next((len(row) for row in rows if row is not None), 1)
    return np.stack(
        [np.zeros(size, np.float32) if row is None else row for row in rows] or [np.zeros(size, np.float32)]
    )


def _unit(rows: Floats) -> Floats:
    found: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-6))
    return found
