"""Questions with the sentences that answer them: our own entries asked in several ways, over several kinds of evidence.

An entry's question is its heading and its answer the first sentence under it. It is asked as written, as somebody in a
hurry would type it, and in key words; its heading is seen or hidden, or the entry is not found at all (then what says
the same elsewhere answers), or it stands in a document that a team added. Rows of a gold file are asked as they are.
"""

import random
import re
import sys
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.gold_scores import plain
from bench.training.marked import Labelled
from bench.training.noise import noisy
from corpus.chunking import indexed_text
from corpus.closeness import SentenceCloseness
from corpus.embedders import CachedEmbedder
from corpus.index.centering import load_mean_vector
from corpus.index.embedded import EmbeddedIndex
from corpus.types import SHARED_TENANT, Passage
from pipeline.extractive.asked import read_question, terms_of
from pipeline.extractive.candidates import Excerpt, excerpts
from pipeline.extractive.sentence_shapes import shapes_of
from pipeline.extractive.signals import Signals, place_of
from pipeline.extractive.weights import Weights
from pipeline.extractive.writer import closeness_of
from pipeline.retriever import retrieve
from pipeline.schemes import said_in, schemes
from pipeline.text.figures import figures
from pipeline.text.sentences import passage_sentences
from pipeline.types import Answer, Brief, Evidence, Question, Route
from pipeline.understanding.own_words import flat

NOW: Final = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
ALIKE: Final = 0.6
"""Share of the answer's terms that a sentence elsewhere must hold, with all of its figures, to say the same."""
_ASKING: Final = re.compile(
    r"\b(?:est-ce que|peut-on|faut-il|doit-on|y a-t-il|mon client|peut-il|sont-ils|est-elle|est-il)\b", re.I
)
_UNFITTED: Final = Weights({}, {"": 0.0})


@dataclass(frozen=True, slots=True)
class Row:
    """A question's excerpts with their signals, and which of them answer. `kind`: how the evidence was made;
    `entries`: places of the entries' first sentences, and whether each is the one asked; `about`: what must not be
    learned from and judged on at once."""

    question: str
    kind: str
    about: str
    found: tuple[Signals, ...]
    right: tuple[bool, ...]
    entries: tuple[tuple[int, bool], ...]


def wordings(question: str, *, seed: int) -> Iterator[str]:
    """As written, as typed in a hurry, in key words."""
    rng = random.Random(seed)
    yield question
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
    """Passages in an index, and how close their sentences are."""

    index: EmbeddedIndex
    embedder: CachedEmbedder
    closeness: SentenceCloseness

    async def find(self, question: str) -> tuple[Passage, ...]:
        """What the product would find for it."""
        route = _route(question)
        asked = Question(question, "bench", NOW)
        return (await retrieve(route, asked, index=self.index, embedder=self.embedder)).passages

    async def row(self, question: str, passages: Sequence[Passage], entry: "Entry", kind: str) -> Row:
        brief = Brief(Question(question, "bench", NOW), _route(question), Evidence(tuple(passages)), ())
        close = await closeness_of(self.closeness, brief, question)
        asked = read_question(brief, question, close=close, elsewhere=_nowhere)
        found = tuple(excerpts(brief.evidence, asked, _UNFITTED))
        right = tuple(entry.given_by(excerpt) for excerpt in found)
        firsts = [at for at, excerpt in enumerate(found) if excerpt.faq and excerpt.index == 0]
        entries = tuple((at, found[at].faq == entry.question) for at in firsts)
        return Row(question, kind, entry.about, _seen(found), right, entries)


@dataclass(frozen=True, slots=True)
class Entry:
    """The sentence that answers an entry's question, where it stands."""

    question: str
    about: str
    passage: Passage
    said: str

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


def entries_of(passages: Sequence[Passage]) -> list[Entry]:
    """Every entry that is one question with its sentences; and what each scheme is, which its article says first."""
    asked = [
        Entry(question, passage.document_id, passage, said[0])
        for passage in passages
        if (question := place_of(passage)[1]) and " · " not in question
        if (said := passage_sentences(passage.text))
    ]
    defined = [
        Entry(f"Qu'est-ce que {scheme.short} ?", passage.document_id, passage, said[0])
        for passage in passages
        if passage.position == 0 and (scheme := schemes().get(passage.document_id))
        if "defines" in shapes_of((said := passage_sentences(passage.text))[0])
    ]
    return [*asked, *defined]


@asynccontextmanager
async def shelf(
    passages: Sequence[Passage], file: Path, embedder: CachedEmbedder, sentences: SentenceCloseness
) -> AsyncIterator[Shelf]:
    """An index of its own, closed at the end of the block."""
    index = EmbeddedIndex(file, mean_vector=load_mean_vector(embedder.version))
    try:
        for name in dict.fromkeys(passage.document_id for passage in passages):
            own = [passage for passage in passages if passage.document_id == name]
            vectors = await embedder.passages([indexed_text(passage) for passage in own])
            await index.upsert(name, own, vectors, tenant=SHARED_TENANT, digest="1")
        yield Shelf(index, embedder, sentences)
    finally:
        await index.aclose()


async def rows_of(entry: Entry, seen: Shelf, unseen: Shelf, *, seed: int) -> AsyncIterator[Row]:
    """Each wording over two kinds of evidence, so that all kinds come up as often."""
    for at, wording in enumerate(wordings(entry.question, seed=seed)):
        if (seed + at) % 2:
            visible = await seen.find(wording)
            yield await seen.row(wording, visible, entry, "seen")
            without = [passage for passage in visible if passage.id != entry.passage.id]
            yield await seen.row(wording, without, entry, "absent")
        else:
            veiled = await unseen.find(wording)
            yield await unseen.row(wording, veiled, entry, "hidden")
            # Another document is a team's too, so that nothing is right for being added.
            others = [passage.document_id for passage in veiled if passage.document_id != entry.about]
            files = {entry.about, *others[: 1 + at]}
            yield await unseen.row(wording, [added(passage, files) for passage in veiled], entry, "added")


async def of_turn(turn: Mapping[str, Any], told: Answer, sentences: SentenceCloseness) -> Row | None:
    """A question whose facts are written down, over what was found for it; None where none were, or no rules."""
    wanted = [plain(words) for words in turn.get("first_needed", ())]
    facts = [plain(words) for any_of in turn["needed"] for words in any_of]
    if not wanted or not told.evidence.passages:
        return None
    query = told.route.query or turn["text"]
    brief = Brief(Question(turn["text"], "bench", NOW), told.route, told.evidence, ())
    close = await closeness_of(sentences, brief, query)
    found = tuple(excerpts(brief.evidence, read_question(brief, query, close=close, elsewhere=_nowhere), _UNFITTED))

    def answers_it(excerpt: Excerpt) -> bool:
        text = plain(" ".join(excerpt.sentences))
        if not any(words in text for words in wanted):
            return False
        return not excerpt.polar or any(fact in text for fact in facts)

    return Row(turn["text"], "gold", turn["text"], _seen(found), tuple(map(answers_it, found)), ())


def _seen(found: Sequence[Excerpt]) -> tuple[Signals, ...]:
    return tuple({sys.intern(name): value for name, value in excerpt.signals.items()} for excerpt in found)


def _nowhere(_sentence: str) -> bool:
    return False


def _route(question: str) -> Route:
    return Route("rag", "ask", question, schemes=said_in(flat(question)))
