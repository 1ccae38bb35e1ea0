"""Excerpts and tools' findings -> the text of an answer: what answers first, then what helps."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal

from corpus.sentences import sentences
from corpus.types import Passage, is_built_in
from pipeline.extractive.asked import Asked, goes_on
from pipeline.extractive.candidates import Excerpt, excerpts, quotable
from pipeline.extractive.disputes import Dispute, dispute_of
from pipeline.extractive.fact_tables import FACTS, FactsTold, blocks, facts_told
from pipeline.extractive.leading import says_it_all, values_of, whole
from pipeline.extractive.openings import Opening, odds, openings
from pipeline.extractive.selecting import (
    HELPS,
    HELPS_DEEPER,
    SAME,
    Told,
    direct_answer,
    may_open,
    naming_texts,
    section_of,
    what_helps,
)
from pipeline.extractive.sentence_shapes import shapes_of
from pipeline.extractive.weights import Weights
from pipeline.section_names import IN_SHORT, LIVE_ONLY, TO_KNOW, tool_section
from pipeline.text.sentences import MARKER, markers_inside, passage_sentences
from pipeline.types import Brief, Evidence, ToolResult
from pipeline.understanding.thread.rules import asks_basis

MOST_LIVE: Final = 2
"""Tools' findings in the opening."""
MOST, MOST_DEEPER, MOST_BESIDE_VALUES = 4, 8, 2
"""Excerpts after the opening; when more is asked for; beside live figures or a table."""
RECORDED: Final = ("recorded", "deadline")
"""Calculations that open an answer whatever articles say of their rule."""
ASIDE: Final = -2.0
"""Log-odds below which records that do not come first are not told at all: they say something else."""
_LABEL: Final = re.compile(r"^\*\*[^*]+\*\*\s*")
"""The question of an entry in front of its answer."""
_END: Final = re.compile(r"\s*([.!?…]*)\s*$")

Sentences = list[tuple[int, str]]
Kind = Literal["facts", "live", "rules"]
Order = Mapping[Kind, float]
"""Log-odds of the best opening of each kind there is, comparable with each other."""


def composed(brief: Brief, asked: Asked, *, parts: Sequence[Asked], weights: Weights) -> str:
    """`parts`: those of a question that asks two things, else nothing."""
    deeper = brief.route.intent == "deepen"
    told = Told(read=_already_read(brief, openings=not deeper) if deeper or goes_on(brief) else frozenset())
    facts, live = facts_told(brief.evidence), _tool_sentences(brief.evidence)
    if facts.opening and not facts.rows and told.read.issuperset(facts.said):
        facts = FactsTold()
    pool = excerpts(brief.evidence, asked, weights) if _wants_rules(brief) else []
    if goes_on(brief) and asks_basis(brief.question.text) and (named := naming_texts(pool, _last_told(brief))):
        pool, facts, told = named, FactsTold(), Told()
    first = [pair for said in live.values() for pair in _first_of_each(said)]
    each = _asked_of(brief, asked, pool, parts=parts, weights=weights)
    rules, first, order = _direct(brief, each, told, facts=facts, first=first, weights=weights)
    facts, rules, order = _beside_each_other(facts, rules, order)
    if any(result.call.arguments.get("kind") in RECORDED and result.computed for result in brief.evidence.tool_results):
        order = {**order, "live": math.inf}  # the rule at the amount or day that was told
    written = [(IN_SHORT, _opening(facts, first, rules, order=order, dispute=dispute_of(brief.evidence)))]
    most = MOST_DEEPER if deeper else MOST_BESIDE_VALUES if facts.rows or any(live.values()) else MOST
    lose = HELPS_DEEPER if deeper else HELPS
    helps = [e for e in what_helps(pool, told, most=most, lose=lose) if not facts.hold(" ".join(e.sentences))]
    bullets: dict[str, list[str]] = {name: [] for name in brief.sections[1:]}
    for name, said in live.items():
        bullets.setdefault(name, []).extend(f"- {_cited(text, number)}" for number, text in said)
    for excerpt in helps:
        name = section_of(excerpt) if deeper or excerpt.own else TO_KNOW
        bullets.setdefault(name, []).append(f"- {_labelled(excerpt)}")
    written += [(name, "\n".join(lines)) for name, lines in bullets.items() if lines]
    if checked := _checked(brief.evidence, told):
        last = max(at for at, (name, _) in enumerate(written) if name not in LIVE_ONLY)
        name, body = written[last]
        written[last] = (name, f"{body}\n\n{checked}")
    return "\n\n".join(f"### {name}\n{body}".rstrip() for name, body in written)


def _direct(
    brief: Brief,
    each: Sequence[tuple[Asked, Sequence[Excerpt]]],
    told: Told,
    *,
    facts: FactsTold,
    first: Sentences,
    weights: Weights,
) -> tuple[list[Excerpt], Sentences, Order]:
    """What the rules say first to each part of the question. With the tools' findings, the one that answers best before
    the others, and how well each kind would open the answer to the first part."""
    most = 1 if (first or facts.opening) and len(each) > 1 else 2
    rules: list[Excerpt] = []
    order: dict[Kind, float] = {}
    for asked, pool in each:
        ranked = may_open(pool, told)
        found = openings(facts, _by_tool(brief.evidence, first), ranked)
        weighed = list(zip(odds(found, asked, weights), found, strict=True))
        if not order:
            order = {kind: max(odd for odd, one in weighed if one.kind == kind) for kind in {o.kind for o in found}}
            live = sorted((pair for pair in weighed if pair[1].tool), key=lambda pair: -pair[0])
            first = [next(pair for pair in first if pair[1] == one.text) for _, one in live]
        ruled = [(odd, one.excerpt) for odd, one in weighed if one.excerpt]
        if ruled:
            entire = partial(whole, evidence=brief.evidence, asked=asked)
            best = max(ruled, key=lambda pair: pair[0])[1]
            rules += direct_answer(ranked, best, told, most=most, whole=entire)
    return rules, first, order


def first_openings(
    brief: Brief, asked: Asked, *, parts: Sequence[Asked], weights: Weights
) -> tuple[Asked, list[Opening]]:
    """What may open the answer to the question or to its first part, with what is asked there: what is fitted on."""
    pool = excerpts(brief.evidence, asked, weights) if _wants_rules(brief) else []
    (asked, pool), *_ = _asked_of(brief, asked, pool, parts=parts, weights=weights)
    first = [pair for said in _tool_sentences(brief.evidence).values() for pair in _first_of_each(said)]
    ranked = may_open(pool, Told())
    return asked, openings(facts_told(brief.evidence), _by_tool(brief.evidence, first), ranked)


def _asked_of(
    brief: Brief, asked: Asked, pool: list[Excerpt], *, parts: Sequence[Asked], weights: Weights
) -> list[tuple[Asked, list[Excerpt]]]:
    """The whole question where an entry asks just that or no article tells, else each of its parts."""
    if not parts or not pool or _asked_just_so(pool):
        return [(asked, pool)]
    return [(one, excerpts(brief.evidence, one, weights)) for one in parts]


def _by_tool(evidence: Evidence, first: Sentences) -> list[tuple[str, str]]:
    tools = {number: item.call.tool for number, item in evidence.numbered() if isinstance(item, ToolResult)}
    return [(tools[number], text) for number, text in first]


def _asked_just_so(pool: Sequence[Excerpt]) -> bool:
    """Whether the likeliest sentence answers an entry's question that is the whole question, both of its parts."""
    best = max(pool, key=lambda e: e.score)
    return best.same >= SAME


def _beside_each_other(facts: FactsTold, rules: list[Excerpt], order: Order) -> tuple[FactsTold, list[Excerpt], Order]:
    """Dated records and rules, each without what the other says already, and which kind comes first."""
    if not rules:
        return facts, rules, order
    if facts.sums_up:
        defined = "defines" in shapes_of(rules[0].sentences[0]) or rules[0].same >= SAME
        said = [e for e in rules if (e is rules[0] and defined) or not facts.hold(" ".join(e.sentences))]
        leads = not defined and bool(facts.opening)
        return (
            replace(facts, opening=()) if defined else facts,
            said,
            {**order, "facts": math.inf * (1 if leads else -1)},
        )
    if not facts.opening or says_it_all(rules[0], facts.said):
        return FactsTold(), rules, order
    ahead = order["facts"] - order.get("rules", -math.inf)
    if ahead > 0:
        return facts, [e for e in rules if not facts.hold(" ".join(e.sentences))], order
    told = values_of(" ".join(text for e in rules for text in e.sentences))
    if ahead < ASIDE or values_of(" ".join(facts.said)) <= told:
        return FactsTold(), rules, order
    return facts, rules, order


def _opening(
    facts: FactsTold, first: Sentences, rules: Sequence[Excerpt], *, order: Order, dispute: Dispute | None
) -> str:
    """Dated facts, live figures and rules: first whichever answers what was asked, and behind it what sources disagree
    on in it."""
    ruled = [_quoted(excerpt) if excerpt.same >= SAME else _labelled(excerpt) for excerpt in rules]
    # Paragraphs: a bold question right behind a sentence would be read as one with it.
    told: dict[Kind, list[str]] = {
        "facts": blocks(facts, cited=_cited),
        "live": [" ".join(_cited(text, number) for number, text in first)],
        "rules": ["\n\n".join(ruled) if any(e.polar for e in rules) else " ".join(ruled)],
    }
    kinds = sorted(told, key=lambda kind: -order.get(kind, -math.inf))
    parts = [[text for text in told[kind] if text] for kind in kinds]
    opened = next((at for at, texts in enumerate(parts) if texts), 0)
    if dispute is not None and dispute.concerns(" ".join(parts[opened])):
        if dispute.asked and kinds[opened] != "facts":  # the table says what the records would say again
            parts[kinds.index("facts")] = []
        parts.insert(opened + 1, [dispute.told(_cited)])
    return "\n\n".join(text for texts in parts for text in texts)


def _first_of_each(live: Sentences) -> Sentences:
    """Takes out of a section's sentences the first one of each tool result: what was found, before the details."""
    firsts = dict(reversed(live))
    taken = [(number, firsts[number]) for number in sorted(firsts)][:MOST_LIVE]
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
    """A `Non :` of an entry comes with the question that it answers."""
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


def _already_read(brief: Brief, *, openings: bool) -> frozenset[str]:
    """Sentences of the thread's earlier answers, of their `openings` alone or all: what goes on or deeper begins with
    something else."""
    answers = (turn.text for turn in brief.question.history if turn.author == "assistant")
    told = (re.split(r"\n### ", text)[0] if openings else text for text in answers)
    return frozenset().union(*map(_sentences_of, told))


def _last_told(brief: Brief) -> frozenset[str]:
    """Those of the last answer's opening."""
    last = next((turn.text for turn in reversed(brief.question.history) if turn.author == "assistant"), "")
    return _sentences_of(re.split(r"\n### (?!En bref)", last)[0])


def _sentences_of(answer: str) -> frozenset[str]:
    """Without their markers and the questions that label them."""
    lines = (_LABEL.sub("", line.removeprefix("- ")) for line in markers_inside(answer).splitlines())
    return frozenset(_unmarked(sentence) for line in lines for sentence in sentences(line))


def _unmarked(sentence: str) -> str:
    return re.sub(r"\s+([.!?…]+)$", r"\1", MARKER.sub("", sentence)).strip()
