"""The question as the choice of sentences sees it."""

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from corpus.chunking import indexed_text
from corpus.french import analyze
from corpus.questions.bank import Match
from corpus.types import Passage, is_built_in
from pipeline.extractive.double_questions import asking
from pipeline.extractive.question_forms import Form, forms_of
from pipeline.text.file_words import names_a_file
from pipeline.text.sentences import passage_sentences
from pipeline.types import Brief

Closeness = Mapping[tuple[str, str], float]
"""(passage id, sentence) -> cosine with the question."""
Entries = Mapping[str, Match]
"""Passage id -> how its own question, in all its ways of being asked, stands to the one asked."""
Elsewhere = Callable[[str], bool]
NO_ENTRIES: Final[Entries] = {}
FRESH: Final = 2.0
"""A follow-up asks for what it adds to its thread."""
OF_AMOUNT: Final = 0.4
"""An amount is the asker's own case more often than what the source says."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question's terms with their idf over this evidence (`""`: of a term that no sentence has), its forms with
    their probability, its schemes; `amounts`: it names one, so a ceiling answers it; `subject`: its rarest term that
    the evidence knows; `particular`: terms that only documents added by a team hold: what makes it another question
    than our articles'; `asking`: the terms of the sentence that asks, where others tell
    a story; `file`: whether it asks what a file says; `elsewhere`: whether a sentence is about other places, or other
    classes of the DPE."""

    terms: frozenset[str]
    idf: Mapping[str, float]
    forms: Mapping[Form, float]
    schemes: frozenset[str]
    amounts: bool
    subject: str
    particular: frozenset[str]
    close: Closeness
    entries: Entries
    elsewhere: Elsewhere
    asking: frozenset[str] = frozenset()
    file: bool = False

    @property
    def form(self) -> Form:
        return max(self.forms, key=lambda form: self.forms[form])

    def weight(self, terms: frozenset[str]) -> float:
        return sum(self.idf.get(term, self.idf[""]) * (OF_AMOUNT if is_amount(term) else 1.0) for term in terms)

    def covered(self, terms: frozenset[str]) -> float:
        """Share of the question's weight that the terms hold."""
        return self.part(self.terms, terms)

    def part(self, mine: frozenset[str], terms: frozenset[str]) -> float:
        """The same of some terms of the question."""
        return self.weight(mine & terms) / (self.weight(mine) or 1.0)

    def lacking(self, passage: Passage) -> float:
        """Share of the particular terms that the passage and its headings do not hold."""
        return len(self.particular - held(passage)) / (len(self.particular) or 1)


def goes_on(brief: Brief) -> bool:
    """Whether a message leans on its thread: « et s'il traîne ? » asks for more than what was just told."""
    return bool(brief.question.history) and brief.route.query != brief.question.text


@lru_cache(maxsize=16384)
def terms_of(text: str) -> frozenset[str]:
    return frozenset(analyze(text))


def held(passage: Passage) -> frozenset[str]:
    """Terms of a passage with its headings."""
    return terms_of(indexed_text(passage))


def is_amount(term: str) -> bool:
    return term.isdigit() and len(term) > 3 and not re.fullmatch(r"20\d\d", term)


def read_question(
    brief: Brief, query: str, *, close: Closeness, elsewhere: Elsewhere, entries: Entries = NO_ENTRIES
) -> Asked:
    """BM25's idf over the evidence's sentences."""
    passages = brief.evidence.passages
    bags = [terms_of(text) for passage in passages for text in passage_sentences(passage.text)]
    counts = Counter(term for bag in bags for term in bag)
    idf = {term: math.log(1 + (len(bags) - n + 0.5) / (n + 0.5)) for term, n in counts.items()}
    mine = terms_of(query)
    if brief.route.intent == "ask" and brief.question.history:
        idf.update({term: FRESH * idf[term] for term in mine & terms_of(brief.question.text) & idf.keys()})
    return Asked(
        terms=mine,
        idf={**idf, "": math.log(2 * len(bags) + 2)},
        forms=forms_of(query),
        schemes=frozenset(brief.route.schemes),
        amounts=any(is_amount(term) for term in mine),
        subject=max(sorted(mine & idf.keys()), key=lambda term: (not term[0].isdigit(), idf[term]), default=""),
        particular=_particular(mine, passages),
        close=close,
        entries=entries,
        elsewhere=elsewhere,
        file=names_a_file(query),
        asking=terms_of(asking(brief.question.text if goes_on(brief) and query == brief.route.query else query)),
    )


def _particular(mine: frozenset[str], passages: Sequence[Passage]) -> frozenset[str]:
    """Had an article of ours held them, the search for these words would have found it."""
    ours = frozenset().union(*(held(passage) for passage in passages if is_built_in(passage.document_id)))
    added = frozenset().union(*(held(passage) for passage in passages if not is_built_in(passage.document_id)))
    return mine & (added - ours)
