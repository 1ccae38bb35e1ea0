"""A writer with neither key nor network: it picks, orders and cites sentences of the evidence, word for word."""

import asyncio
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

from corpus.closeness import SentenceCloseness
from corpus.places import Gazetteer
from corpus.ports import Vector
from corpus.questions.bank import Match, QuestionBank
from pipeline.extractive.asked import Asked, Elsewhere, read_question
from pipeline.extractive.composing import composed
from pipeline.extractive.double_questions import halves
from pipeline.extractive.fact_tables import FACTS
from pipeline.extractive.question_forms import form_of
from pipeline.extractive.sentence_shapes import shapes_of
from pipeline.extractive.signals import place_of
from pipeline.extractive.weights import fitted
from pipeline.schemes import having
from pipeline.text.energy_class import classes_said, classes_told
from pipeline.text.leaning import learned_of, nearest_in_thread
from pipeline.text.sentences import passage_sentences
from pipeline.types import Brief, Draft, Usage

NAME: Final = "extractive"
_LIVE: Final = re.compile(r"\b(?:prix|loyers?|vaut|valent|coûtent?)\b[^(]*(?:$|\()", re.IGNORECASE)
"""Half a question that the tools answer by themselves; what stands in brackets is the other half's subject."""
_WHAT_IS: Final = "Qu'est-ce que le "
_OR: Final = re.compile(r"\b(?:ou|versus|vs|plutôt que)\b", re.IGNORECASE)


class ExtractiveWriter:
    """`Writer` that never fails and never writes a figure of its own."""

    name = NAME

    def __init__(
        self,
        closeness: SentenceCloseness | None = None,
        *,
        bank: QuestionBank | None = None,
        places: Gazetteer | None = None,
    ) -> None:
        self._closeness = closeness
        self._bank = bank
        self._named = lru_cache(maxsize=8192)(partial(_communes_in, places)) if places else nowhere

    async def write(self, brief: Brief) -> Draft:
        """A draft whose every sentence stands, as it is, in the evidence that it cites."""
        whole, parts = await self.asked(brief)
        return Draft(text=composed(brief, whole, parts=parts, weights=fitted()), usage=Usage(model=NAME, euros=0.0))

    async def asked(self, brief: Brief) -> tuple[Asked, Sequence[Asked]]:
        """The question, and its parts where it asks two things."""
        query = brief.route.query or brief.question.text
        parts = halves(query)
        told_live = any(call.tool != FACTS for call in brief.route.tool_calls)
        told = [text for text in parts if not (told_live and _LIVE.search(text))] if len(parts) > 1 else []
        asked = [(brief, text) for text in (query, *told)]
        if len(parts) == 1 and _compares(query, brief):
            asked += [(_only(brief, scheme), _WHAT_IS + scheme.replace("-", " ")) for scheme in _compared(brief)]
        whole, *each = await asyncio.gather(*(self._read(about, text) for about, text in asked))
        return whole, each

    async def _read(self, brief: Brief, query: str) -> Asked:
        here, classes = frozenset(brief.route.communes), classes_said(query)
        reckoned = any(result.computed and not result.error for result in brief.evidence.tool_results)

        def elsewhere(sentence: str) -> bool:
            if reckoned and "example" in shapes_of(sentence):
                return True  # somebody else's numbers beside the asker's own
            if classes and (told := classes_told(sentence)) and not told & classes:
                return True
            return bool(here and (named := self._named(sentence)) and not named & here)

        return await read(brief, query, closeness=self._closeness, bank=self._bank, elsewhere=elsewhere)


async def read(
    brief: Brief,
    query: str,
    *,
    closeness: SentenceCloseness | None,
    bank: QuestionBank | None,
    elsewhere: Elsewhere,
) -> Asked:
    """The question beside the sentences of its evidence, and beside the questions that these answer."""
    passages = brief.evidence.passages
    said = [(passage, text) for passage in passages for text in passage_sentences(passage.text)]
    close, entries = {}, {}
    if closeness is not None and said:
        close = await closeness.of(query, said)
    if bank is not None:
        ids = {passage.id for passage in passages if place_of(passage)[1]}
        near = await _nearest(brief, query, ids, closeness=closeness, bank=bank)
        entries = {match.entry.passage.id: match for match in near}
    return read_question(brief, query, close=close, entries=entries, elsewhere=elsewhere)


async def _nearest(
    brief: Brief, query: str, ids: Collection[str], *, closeness: SentenceCloseness | None, bank: QuestionBank
) -> list[Match]:
    """Of the passages, beside the question; in a thread beside the message and all that it leans on."""

    async def embed(text: str) -> Vector | None:
        return await closeness.vector(text) if closeness is not None else None

    if query == brief.route.query and (
        near := await nearest_in_thread(brief.question, bank, embed, limit=len(ids), among=ids)
    ):
        return near
    learned = await learned_of(query, brief.question, bank)
    return bank.nearest(query, await embed(query), limit=len(ids), among=ids, learned=learned)


def nowhere(_sentence: str) -> frozenset[str]:
    """No commune: what is said where no gazetteer is at hand."""
    return frozenset()


def _compares(query: str, brief: Brief) -> bool:
    """Whether two schemes are set against each other: what each of them is comes first."""
    return len(_compared(brief)) == 2 and (form_of(query) == "difference" or bool(_OR.search(query)))


def _compared(brief: Brief) -> tuple[str, ...]:
    """The question's schemes to which the evidence has an article of their own."""
    told = {name for p in brief.evidence.passages for name in (p.document_id, *p.entities[:1])}
    return tuple(scheme for scheme in brief.route.schemes if scheme in told and scheme not in having("facet"))


def _only(brief: Brief, scheme: str) -> Brief:
    return replace(brief, route=replace(brief.route, schemes=(scheme,)))


def _communes_in(places: Gazetteer, sentence: str) -> frozenset[str]:
    """INSEE codes of the communes that a sentence may name; a city and its arrondissements stand for each other."""
    codes: set[str] = set()
    for insee in {place.insee for mention in places.find(sentence) for place in mention.places}:
        city = places.city_of(insee)
        codes |= {insee, *(place.insee for place in places.arrondissements(insee)), *((city.insee,) if city else ())}
    return frozenset(codes)
