"""The articles' own questions, each in every way in which it is known to be asked, beside the question of somebody.

One entry is its ways of being asked and its answer. A question is held beside both, by meaning and by words: the mean
of the ways' vectors, the vector of the passage, the words of the ways, the words of the answer under its title. What
these four are worth together is fitted on the ways themselves, each left out in turn (`bench choosing --fit`).
"""

import asyncio
import json
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import astuple, dataclass, fields, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from corpus.chunking import chunk
from corpus.everyday import searched
from corpus.index.bm25 import idf
from corpus.late_interaction.entries import EntryText, Opened, ReadEntries
from corpus.ports import Vector
from corpus.questions.asked import Phrasing, question_of, read_asked
from corpus.questions.entry_words import EntryWords
from corpus.questions.in_thread import InThread
from corpus.questions.in_thread import fitted as fitted_in_thread
from corpus.questions.prepared import Entry, Prepared, load_prepared, prepare, source_digest
from corpus.sources.articles import read_articles
from corpus.types import Document, Passage
from corpus.vectors import SHIPPED, SHIPPED_QUESTIONS, load_vectors

FITTED: Final = Path(__file__).with_name("fitted.json")
REMEMBERED: Final = 64
"""Messages whose odds are kept: one answer asks for the same several times."""
Floats = NDArray[np.float32]
Learned = NDArray[np.float32]
"""Shape (entries,): log-odds that each answers a message rather than none."""
Said = tuple[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Signs:
    """Of an entry beside a question, or what each of them is worth: `asked`, `told`: cosines with the mean of its ways
    and with its passage, each about the mean of all, 0 without vectors; `ways`, `words`: share of the question's words
    that its ways, and its passage, hold; `learned`: log-odds that it answers rather than none of ours."""

    asked: float
    told: float
    ways: float
    words: float
    learned: float = 0.0


@dataclass(frozen=True, slots=True)
class Match:
    """`score`: comparable between entries of one question; `lead`: by how much it is before the best other entry, below
    0 behind it."""

    entry: Entry
    signs: Signs
    score: float
    lead: float


class QuestionBank:
    """Every entry, in memory: two products and a few postings a question, well under a millisecond; what `asked` reads
    takes longer."""

    def __init__(
        self, held: Prepared, *, weights: Signs | None = None, read: ReadEntries | Opened | None = None
    ) -> None:
        self.entries = held.entries
        self._read = read
        self._reading = ThreadPoolExecutor(max_workers=2, thread_name_prefix="entries")
        self._learned: dict[Said, Learned | None] = {}
        self._weights = weights or fitted()
        self._ways, self._words = EntryWords(held.ways), EntryWords(held.words)
        self._sums = held.sums
        self._asked, self._told = _unit(held.sums.astype(np.float32)), held.told.astype(np.float32)
        self._centre = self._asked.mean(axis=0)
        self._asked -= self._centre
        self._told -= self._told.mean(axis=0)
        self._asked, self._told = _unit(self._asked), _unit(self._told)

    def without(self, way: str, vector: Vector) -> "QuestionBank":
        """The same as if nobody had written this way of asking down: how it is answered then. `vector`: its own."""
        place = next((at for at, entry in enumerate(self.entries) if way in entry.ways), None)
        if place is None:
            return self
        other, left = copy(self), tuple(one for one in self.entries[place].ways if one != way)
        other.entries = (*self.entries[:place], replace(self.entries[place], ways=left), *self.entries[place + 1 :])
        other._ways = self._ways.without(place, searched(way))
        other._asked = self._asked.copy()
        mean = _unit((self._sums[place].astype(np.float32) - vector)[None])
        other._asked[place] = _unit(mean - self._centre)[0] if left else 0.0
        return other

    def rarity(self, term: str) -> float:
        """Of an index term among the entries: 1 where none holds it, near 0 where all do."""
        holders = self._ways.holders(term) | self._words.holders(term)
        return idf(len(self.entries), len(holders)) / idf(len(self.entries), 0)

    def alike(self, at: int) -> Floats:
        """Shape (entries,): cosine of each entry's ways of being asked with those of the one at this place."""
        found: Floats = self._asked @ self._asked[at]
        return found

    async def asked(self, text: str, before: Sequence[str] = ()) -> Learned | None:
        """How a message stands to every entry by what was learned, `before`: the messages of the thread that it leans
        on; None where nothing was. Some 40 ms the first time, on a thread of its own."""
        if self._read is None or not self.entries or not text.strip():
            return None
        said = (text, tuple(before))
        if said in self._learned:
            return self._learned[said]
        found = await asyncio.get_running_loop().run_in_executor(self._reading, self._read.odds, *said)
        self._learned[said] = found
        for oldest in list(self._learned)[:-REMEMBERED]:
            self._learned.pop(oldest, None)
        return found

    def signs(self, question: str, vector: Vector | None, learned: Learned | None = None) -> NDArray[np.float64]:
        """Shape (entries, 5), the columns of `Signs`. `vector`: None or of another embedder's: words alone count."""
        terms = searched(question)
        found = np.zeros((len(self.entries), len(fields(Signs))))
        if learned is not None:
            found[:, 4] = learned
        found[:, 2], found[:, 3] = self._ways.of(terms), self._words.of(terms)
        if vector is not None and len(vector) == self._asked.shape[1]:
            about = _unit((vector - self._centre)[None])[0]
            found[:, 0], found[:, 1] = self._asked @ about, self._told @ about
        return found

    def nearest(
        self,
        question: str,
        vector: Vector | None,
        *,
        limit: int,
        among: Collection[str] | None = None,
        thread: InThread | None = None,
        learned: Learned | None = None,
    ) -> list[Match]:
        """The best entries, best first; `among`: ids of the passages that are looked for; `learned`: of this question,
        or of the message behind what it leans on in `thread`."""
        if not self.entries or limit < 1:
            return []
        signs = self.signs(question, vector, learned)
        scores = signs @ np.array(astuple(self._weights))
        if thread is not None:
            signs, scores = self._in_thread(signs, len(searched(question)), thread)
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

    def signs_in_thread(self, thread: InThread) -> NDArray[np.float64]:
        """Shape (entries, 6): of an entry of the document cited last, or of another; cosines of its question and of its
        answer with those of the entry told last, of its question with the nearest of those told; told already."""
        at = {entry.passage.id: place for place, entry in enumerate(self.entries)}
        documents = [entry.passage.document_id for entry in self.entries]
        told = [at[name] for name in thread.told if name in at]
        found = np.zeros((len(self.entries), 6))
        found[:, 0] = [name == next(iter(thread.cited), "") for name in documents]
        found[:, 1] = [name in thread.cited[1:] for name in documents]
        if told:
            found[:, 2], found[:, 3] = self._asked @ self._asked[told[0]], self._told @ self._told[told[0]]
            found[:, 4] = (self._asked @ self._asked[told].T).max(axis=1)
            found[told, 5] = 1.0
        return found

    def _in_thread(
        self, own: NDArray[np.float64], terms: int, thread: InThread
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Signs and scores, on the scale of a question that stands alone."""
        w = fitted_in_thread()
        mine, whole = w.of_itself(terms), w.of_itself(terms) + w.last + w.first
        last, first = (self.signs(one.text, one.vector) for one in (thread.last, thread.first))
        signs = (mine * own + w.last * last + w.first * first) / whole
        signs[:, 4] = own[:, 4]  # read with all that the message leans on
        worth = np.array(astuple(replace(self._weights, learned=w.learned / whole)))
        points = np.array([w.cited_last, w.cited, w.asked_like, w.told_like, w.like, w.again])
        return signs, signs @ worth + self.signs_in_thread(thread) @ points / whole


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
    held, read = _loaded(version)
    return QuestionBank(held, read=read)


@cache
def _loaded(version: str) -> tuple[Prepared, Opened]:
    """Once a process, for all banks."""
    held = load_prepared(digest=source_digest(version)) or built_in_bank(version)
    return held, Opened([text_of(entry) for entry in held.entries])


def text_of(entry: Entry) -> EntryText:
    """What the model reads of an entry."""
    return EntryText(entry.ways[0], entry.passage.text)


def built_in_bank(version: str) -> Prepared:
    """Computed from the texts."""
    documents = (article for article in read_articles() if isinstance(article, Document))
    passages = (passage for document in documents for passage in chunk(document))
    entries = entries_of(passages, read_asked())
    return prepare(entries, asked=load_vectors(SHIPPED_QUESTIONS), told=load_vectors(SHIPPED), version=version)


@cache
def fitted() -> Signs:
    """What each sign is worth."""
    return Signs(**json.loads(FITTED.read_text(encoding="utf-8")))


def _unit(rows: Floats) -> Floats:
    """The same array, each row of length 1: a copy of all of them would stay in the process's memory."""
    rows /= np.maximum(np.sqrt(np.einsum("ij,ij->i", rows, rows)), np.float32(1e-6))[:, None]
    return rows
