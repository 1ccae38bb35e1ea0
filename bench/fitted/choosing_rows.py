"""Questions with the sentences that answer them: our own entries asked in several ways, over several kinds of evidence.

An entry's question is its heading and its answer the first sentence under it. It is asked in each way that somebody
wrote down, which the question bank then does not know, and as its heading typed in a hurry or in key words. The heading
is seen or hidden, or the entry is not found at all (then what says the same elsewhere answers), or it stands in a
document that a team added.
"""

import random
import re
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from zlib import crc32

from bench.fitted.choosing_other import Other
from bench.ranking.known_vectors import Known
from bench.training.marked import Labelled
from bench.training.noise import noisy
from corpus.chunking import indexed_text
from corpus.closeness import SentenceCloseness
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.questions import bank
from corpus.questions.asked import Phrasing, read_asked
from corpus.questions.bank import QuestionBank, Signs
from corpus.questions.prepared import prepare
from corpus.types import SHARED_TENANT, Passage
from pipeline.extractive.asked import terms_of
from pipeline.extractive.candidates import Excerpt, excerpts
from pipeline.extractive.sentence_shapes import shapes_of
from pipeline.extractive.signals import Signals, place_of
from pipeline.extractive.weights import Weights
from pipeline.extractive.writer import read
from pipeline.retrieval.retriever import retrieve
from pipeline.schemes import said_in, schemes
from pipeline.text.figures import figures
from pipeline.text.sentences import passage_sentences
from pipeline.types import Brief, Evidence, Question, Route
from pipeline.understanding.own_words import flat

NOW: Final = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
WAYS: Final = 2
"""Of each entry's ways of being asked, for a whole run to take minutes."""
LACKING: Final = ("absent", "hidden", "added")
ALIKE: Final = 0.6
"""Share of the answer's terms that a sentence elsewhere must hold, with all of its figures, to say the same."""
_ASKING: Final = re.compile(
    r"\b(?:est-ce que|peut-on|faut-il|doit-on|y a-t-il|mon client|peut-il|sont-ils|est-elle|est-il)\b", re.I
)
_UNFITTED: Final = Weights({}, {"": 0.0}, {})


@dataclass(frozen=True, slots=True)
class Row:
    """A question's excerpts with their signals, and which of them answer. `kind`: how the evidence was made;
    `entries`: places of the entries' first sentences, and whether each is the one asked;
    `about`: what must not be learned from and judged on at once."""

    question: str
    kind: str
    about: str
    found: tuple[Signals, ...]
    right: tuple[bool, ...]
    entries: tuple[tuple[int, bool], ...]


def wordings(question: str, *, seed: int) -> Iterator[str]:
    """As typed in a hurry, and in key words."""
    rng = random.Random(seed)
    yield noisy(Labelled(question, ("rules",), (), "ask", ()), rng).text
    words = [w for w in _ASKING.sub(" ", question).split() if len(w) > 2 or w[0].isdigit()]
    kept = [word for word in words if rng.random() > 0.2]
    yield " ".join(kept or words).rstrip(" ?").lower()


def hidden(passage: Passage) -> Passage:
    """The same without the question over it."""
    return replace(passage, heading=passage.heading[:-1]) if place_of(passage)[1] else passage


def added(passage: Passage, documents: AbstractSet[str]) -> Passage:
    """The same, when it is of one of these documents, as a file of a team: no scheme, no heading of ours."""
    if passage.document_id not in documents:
        return passage
    name = f"file:{passage.document_id}"
    return replace(passage, id=f"{name}#{passage.position}", document_id=name, entities=(), heading=("Page 2",))


@dataclass(frozen=True, slots=True)
class Shelf:
    """Passages in an index, how close their sentences are, and the questions that they answer."""

    index: EmbeddedIndex
    embedder: Known
    closeness: SentenceCloseness
    bank: QuestionBank

    async def find(self, question: str) -> tuple[Passage, ...]:
        """What the product would find for it."""
        asked = Question(question, "bench", NOW)
        known = self.bank.without(question, (await self.embedder.queries([question]))[0])
        found = await retrieve(_route(question), asked, index=self.index, embedder=self.embedder, bank=known)
        return found.passages

    async def row(self, question: str, passages: Sequence[Passage], entry: "Entry", kind: str) -> Row:
        brief = Brief(Question(question, "bench", NOW), _route(question), Evidence(tuple(passages)), ())
        known = self.bank.without(question, (await self.embedder.queries([question]))[0])
        asked = await read(brief, question, closeness=self.closeness, bank=known, elsewhere=_nowhere)
        found = tuple(excerpts(brief.evidence, asked, _UNFITTED))
        right = tuple(entry.given_by(excerpt) for excerpt in found)
        firsts = [at for at, excerpt in enumerate(found) if excerpt.faq and excerpt.index == 0]
        entries = tuple((at, found[at].faq == entry.question) for at in firsts)
        return Row(question, kind, entry.about, _seen(found), right, entries)

    async def row_of(self, other: Other) -> Row:
        """Of an entry that answers, its first sentence; of another section any."""
        passages = await self.find(other.text)
        brief = Brief(Question(other.text, "bench", NOW), _route(other.text), Evidence(passages), ())
        asked = await read(brief, other.text, closeness=self.closeness, bank=self.bank, elsewhere=_nowhere)
        found = tuple(excerpts(brief.evidence, asked, _UNFITTED))
        answers = [other.answered_by(passages[excerpt.source - 1]) for excerpt in found]
        right = tuple(answer and (not e.faq or e.index == 0) for answer, e in zip(answers, found, strict=True))
        firsts = tuple((at, answers[at]) for at, excerpt in enumerate(found) if excerpt.faq and excerpt.index == 0)
        return Row(other.text, "others", other.sections[0][0], _seen(found), right, firsts)


@dataclass(frozen=True, slots=True)
class Entry:
    """The sentence that answers an entry's question, where it stands."""

    question: str
    about: str
    passage: Passage
    said: str
    also: tuple[str, ...] = ()

    def given_by(self, excerpt: Excerpt) -> bool:
        """The very sentence, or one that holds its figures and most of its terms."""
        first = excerpt.sentences[0]
        if first == self.said:
            return True
        mine, theirs = _values(self.said), _values(" ".join(excerpt.sentences))
        terms = terms_of(self.said)
        return bool(mine) and mine <= theirs and len(terms & excerpt.terms) >= ALIKE * len(terms)


def _values(text: str) -> frozenset[tuple[str, str]]:
    return frozenset((value.unit, str(value.value)) for value in figures(text))


def entries_of(passages: Sequence[Passage], phrasings: Sequence[Phrasing]) -> list[Entry]:
    """Every entry with its ways of being asked; and what each scheme is, which its article says first."""
    asked = [
        Entry(entry.ways[0], entry.passage.document_id, entry.passage, said[0], entry.ways[1:])
        for entry in bank.entries_of(passages, phrasings)
        if (said := passage_sentences(entry.passage.text))
    ]
    defined = [
        Entry(f"Qu'est-ce que {scheme.short} ?", passage.document_id, passage, said[0])
        for passage in passages
        if passage.position == 0 and (scheme := schemes().get(passage.document_id))
        if "defines" in shapes_of((said := passage_sentences(passage.text))[0])
    ]
    return [*asked, *defined]


@asynccontextmanager
async def shelf(passages: Sequence[Passage], file: Path, embedder: Known, worth: Signs) -> AsyncIterator[Shelf]:
    """An index of its own, closed at the end of the block."""
    index = EmbeddedIndex(file, mean_vector=load_mean_vector(embedder.version))
    try:
        for name in dict.fromkeys(passage.document_id for passage in passages):
            own = [passage for passage in passages if passage.document_id == name]
            vectors = await embedder.passages([indexed_text(passage) for passage in own])
            await index.upsert(name, own, vectors, tenant=SHARED_TENANT, digest="1")
        entries = bank.entries_of(passages, read_asked())
        held = prepare(entries, asked=embedder.asked, told=embedder.said, version=embedder.version)
        yield Shelf(index, embedder, SentenceCloseness(embedder, embedder.said), QuestionBank(held, weights=worth))
    finally:
        await index.aclose()


def ways_of(entry: Entry) -> list[tuple[str, str]]:
    """(question, kind): as somebody asks it, and its heading as it may be typed."""
    typed = wordings(entry.question, seed=_seed(entry))
    asked = random.Random(_seed(entry)).sample(entry.also, len(entry.also))
    return [*((way, "asked") for way in asked), *((way, "typed") for way in typed)][: WAYS + 1]


async def rows_of(entry: Entry, seen: Shelf, unseen: Shelf) -> AsyncIterator[Row]:
    """Some ways of asking over what is found for them; and one over evidence that lacks the entry, hides its heading or
    holds it as a team's file."""
    *ways, (last, _) = ways_of(entry)
    for way, kind in ways:
        yield await seen.row(way, await seen.find(way), entry, kind)
    kind = LACKING[_seed(entry) % len(LACKING)]
    if kind == "absent":
        visible = await seen.find(last)
        yield await seen.row(last, [passage for passage in visible if passage.id != entry.passage.id], entry, kind)
        return
    veiled = await unseen.find(last)
    if kind == "added":
        # Another document is a team's too, so that nothing is right for being added.
        others = [passage.document_id for passage in veiled if passage.document_id != entry.about]
        files = {entry.about, *others[: 1 + _seed(entry) % 2]}
        veiled = tuple(added(passage, files) for passage in veiled)
    yield await unseen.row(last, veiled, entry, kind)


def _seed(entry: Entry) -> int:
    return crc32(f"{entry.about} {entry.question}".encode())


def _seen(found: Sequence[Excerpt]) -> tuple[Signals, ...]:
    return tuple({sys.intern(name): value for name, value in excerpt.signals.items()} for excerpt in found)


def _nowhere(_sentence: str) -> bool:
    return False


def _route(question: str) -> Route:
    return Route("rag", "ask", question, schemes=said_in(flat(question)))
