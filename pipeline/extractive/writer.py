"""A writer with neither key nor network: it picks, orders and cites sentences of the evidence, word for word."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final

from corpus.closeness import SentenceCloseness
from corpus.places import Gazetteer
from corpus.sentences import sentences
from corpus.types import Passage, is_built_in
from pipeline.extractive.candidates import (
    SAME_QUESTION,
    Closeness,
    Excerpt,
    QuestionTerms,
    excerpts,
    quotable,
    read_question,
)
from pipeline.extractive.double_questions import halves
from pipeline.extractive.fact_tables import FACTS, blocks, facts_told
from pipeline.extractive.question_forms import kind_of
from pipeline.extractive.selecting import Told, direct_answer, section
from pipeline.schemes import having
from pipeline.section_names import CAUTION, IN_SHORT, LIVE_ONLY, OWN_FILES, tool_section
from pipeline.text.energy_class import classes_said, classes_told
from pipeline.text.sentences import MARKER, markers_inside, passage_sentences
from pipeline.types import Brief, Draft, Evidence, ToolResult, Usage

NAME: Final = "extractive"
MOST_OPENINGS: Final = 2
SEE_ABOVE: Final = "- Voir « En bref »."
_LIVE: Final = re.compile(r"\b(?:prix|loyers?|vaut|valent|coûtent?)\b[^(]*(?:$|\()", re.IGNORECASE)
"""Half a question that the tools answer by themselves; what stands in brackets is the other half's subject."""
_WHAT_IS: Final = "Qu'est-ce que le "
_OR: Final = re.compile(r"\b(?:ou|versus|vs|plutôt que)\b", re.IGNORECASE)
_END: Final = re.compile(r"\s*([.!?…]*)\s*$")

Sentences = list[tuple[int, str]]


class ExtractiveWriter:
    """`Writer` that never fails and never writes a figure of its own."""

    name = NAME

    def __init__(self, closeness: SentenceCloseness | None = None, *, places: Gazetteer | None = None) -> None:
        self._closeness = closeness
        self._named = lru_cache(maxsize=8192)(partial(_communes_in, places)) if places else _no_commune

    async def write(self, brief: Brief) -> Draft:
        """A draft whose every sentence stands, as it is, in the evidence that it cites."""
        query = brief.route.query or brief.question.text
        parts = halves(query)
        told_live = any(call.tool != FACTS for call in brief.route.tool_calls)
        told = [text for text in parts if not (told_live and _LIVE.search(text))] if len(parts) > 1 else []
        asked = [(brief, text) for text in (query, *told)]
        if len(parts) == 1 and _compares(query, brief):
            asked += [(_only(brief, scheme), _WHAT_IS + _words(scheme)) for scheme in _compared(brief)]
        whole, *halves_ = await asyncio.gather(*(self._read(about, text) for about, text in asked))
        return Draft(text=_text(brief, whole, halves_=halves_), usage=Usage(model=NAME, euros=0.0))

    async def _read(self, brief: Brief, query: str) -> QuestionTerms:
        here, classes = frozenset(brief.route.communes), classes_said(query)

        def elsewhere(sentence: str) -> bool:
            if classes and (told := classes_told(sentence)) and not told & classes:
                return True
            return bool(here and (named := self._named(sentence)) and not named & here)

        return read_question(brief, query, close=await self._close(brief, query), elsewhere=elsewhere)

    async def _close(self, brief: Brief, query: str) -> Closeness:
        """Each sentence's closeness to the question, from 0 for the farthest of this evidence to 1 for the closest."""
        said = [(passage, text) for passage in brief.evidence.passages for text in passage_sentences(passage.text)]
        if self._closeness is None or not said:
            return {}
        found = await self._closeness.of(query, said)
        low, high = min(found.values(), default=0.0), max(found.values(), default=0.0)
        return {key: (value - low) / (high - low) for key, value in found.items()} if high > low else {}


def _compares(query: str, brief: Brief) -> bool:
    """Whether two schemes are set against each other: what each of them is comes first."""
    return len(_compared(brief)) == 2 and (kind_of(query) == "difference" or bool(_OR.search(query)))


def _compared(brief: Brief) -> tuple[str, ...]:
    """The question's schemes to which the evidence has an article of their own."""
    told = {name for p in brief.evidence.passages for name in (p.document_id, *p.entities[:1])}
    return tuple(scheme for scheme in brief.route.schemes if scheme in told and scheme not in having("facet"))


def _only(brief: Brief, scheme: str) -> Brief:
    return replace(brief, route=replace(brief.route, schemes=(scheme,)))


def _words(scheme: str) -> str:
    return scheme.replace("-", " ")


def _communes_in(places: Gazetteer, sentence: str) -> frozenset[str]:
    """INSEE codes of the communes that a sentence may name; a city and its arrondissements stand for each other."""
    codes: set[str] = set()
    for insee in {place.insee for mention in places.find(sentence) for place in mention.places}:
        city = places.city_of(insee)
        codes |= {insee, *(place.insee for place in places.arrondissements(insee)), *((city.insee,) if city else ())}
    return frozenset(codes)


def _no_commune(_sentence: str) -> frozenset[str]:
    return frozenset()


def _text(brief: Brief, asked: QuestionTerms, *, halves_: Sequence[QuestionTerms]) -> str:
    """`halves_`: those of a question that asks two things, else nothing."""
    deeper = brief.route.intent == "deepen"
    pool = excerpts(brief.evidence, asked)
    told = Told(read=_already_read(brief) if deeper else frozenset())
    live = _tool_sentences(brief.evidence)
    told_above = {name for name, sentences_ in live.items() if sentences_}
    opening = [pair for sentences_ in live.values() for pair in _first_of_each(sentences_)]
    facts = facts_told(brief.evidence)
    answered = bool(opening or facts.opening)
    rules = _direct(brief, asked, halves_, told, pool, beside_figures=answered) if _wants_rules(brief) else []
    rules = [excerpt for excerpt in rules if not facts.hold(" ".join(excerpt.sentences))]
    said = [_cited(text, number) for number, text in opening]
    ruled = [_quoted(excerpt) if excerpt.match >= SAME_QUESTION else _labelled(excerpt) for excerpt in rules]
    short = " ".join([*said, *ruled] if _asks_a_fact(brief) else [*ruled, *said])
    told_facts = blocks(facts, cited=_cited)
    body = (*told_facts, short) if facts.leads else (short, *told_facts)
    parts = [(IN_SHORT, "\n\n".join(filter(None, body)))]
    for name in brief.sections[1:]:
        bullets = [f"- {_cited(text, number)}" for number, text in live.pop(name, [])]
        if name in LIVE_ONLY:
            bullets = bullets or ([SEE_ABOVE] if name in told_above else [])
        else:
            most = 2 if name == CAUTION else 5 if deeper else 3
            bullets += [f"- {_labelled(excerpt)}" for excerpt in section(name, pool, told, most=most)]
            if name == OWN_FILES and not bullets and any(excerpt.own for excerpt in told.excerpts):
                bullets = [SEE_ABOVE]
        parts.append((name, "\n".join(bullets)))
    if checked := _checked(brief.evidence, told):
        # Not in a section that found nothing: it would pass for its content.
        last = max(place for place, (_, body) in enumerate(parts) if body or place == 0)
        parts[last] = (parts[last][0], f"{parts[last][1]}\n- {checked}".lstrip("\n"))
    return "\n\n".join(f"### {name}\n{body}".rstrip() for name, body in parts)


def _direct(
    brief: Brief,
    asked: QuestionTerms,
    parts: Sequence[QuestionTerms],
    told: Told,
    pool: list[Excerpt],
    *,
    beside_figures: bool,
) -> list[Excerpt]:
    """What opens the answer: each half of a double question gets its own sentences, in the order asked."""
    if parts:
        most = 1 if beside_figures else 2
        each = [direct_answer(excerpts(brief.evidence, part), told, kind=part.kind, most=most) for part in parts]
        return [excerpt for found in each for excerpt in found]
    return direct_answer(pool, told, kind=asked.kind, most=2 if beside_figures or asked.kind == "definition" else 3)


def _asks_a_fact(brief: Brief) -> bool:
    """A price, a place's own status or a calculation is the answer itself; rules only come with it."""
    called = {call.tool for call in brief.route.tool_calls}
    return brief.route.aspects[:1] == ("prix",) or bool(called & {"calculator", "status", "risks", "rents"})


def _first_of_each(live: Sentences) -> Sentences:
    """Takes out of a section's sentences the first one of each tool result: what was found, before the details."""
    firsts = dict(reversed(live))
    taken = [(number, firsts[number]) for number in sorted(firsts)][:MOST_OPENINGS]
    for pair in taken:
        live.remove(pair)
    return taken


def _wants_rules(brief: Brief) -> bool:
    """A question of prices alone is answered by the figures; articles only say how to read them."""
    return brief.route.mode != "tools" and not (brief.route.aspects == ("prix",) and brief.evidence.tool_results)


def _tool_sentences(evidence: Evidence) -> dict[str, Sentences]:
    """Section -> its tools' sentences with their id, in order; what cannot be quoted safely is left out."""
    told: dict[str, Sentences] = {}
    for number, item in evidence.numbered():
        if isinstance(item, ToolResult) and item.call.tool != FACTS:
            quoted = [(number, text) for text in passage_sentences(item.text) if quotable(text)]
            told.setdefault(tool_section(item.call.tool), []).extend(quoted)
    return told


def _quoted(excerpt: Excerpt) -> str:
    return " ".join(_cited(sentence, excerpt.source) for sentence in excerpt.sentences)


def _labelled(excerpt: Excerpt) -> str:
    """A bullet. A `Non :` of the FAQ comes with the question that it answers."""
    return f"**{excerpt.faq}** {_quoted(excerpt)}" if excerpt.polar else _quoted(excerpt)


def _cited(sentence: str, number: int) -> str:
    """`Phrase.` -> `Phrase [3].`"""
    return _END.sub(lambda end: f" [{number}]{end.group(1) or '.'}", sentence, count=1)


def _checked(evidence: Evidence, told: Told) -> str:
    """When the cited articles were last checked: a rule may have moved since."""
    cited = {excerpt.source for excerpt in told.excerpts}
    days = {
        number: item.published
        for number, item in evidence.numbered()
        if number in cited and isinstance(item, Passage) and item.published and is_built_in(item.document_id)
    }
    if not days:
        return ""
    oldest = min(days, key=lambda number: days[number])
    return f"Textes relus le {days[oldest]:%d/%m/%Y} [{oldest}]."


def _already_read(brief: Brief) -> frozenset[str]:
    """Sentences of the thread's earlier answers, without their markers: a deeper answer says something else."""
    read: set[str] = set()
    for turn in brief.question.history:
        if turn.author == "assistant":
            for line in markers_inside(turn.text).splitlines():
                read.update(_unmarked(sentence) for sentence in sentences(line.removeprefix("- ")))
    return frozenset(read)


def _unmarked(sentence: str) -> str:
    return re.sub(r"\s+([.!?…]+)$", r"\1", MARKER.sub("", sentence)).strip()
