"""A message that asks things of several sources: its parts, and their answers as one: openings in the order asked, then
the sections of all, over one numbering of the sources."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from corpus.types import Passage
from pipeline.clients import client_of
from pipeline.metering.costs import total
from pipeline.planning.asking_back import unreadable
from pipeline.ports import Deps
from pipeline.proposing.proposer import propose
from pipeline.section_names import IN_SHORT
from pipeline.talk.thread_talk import signed
from pipeline.text.sentences import MARKER
from pipeline.thread_state import ThreadState
from pipeline.types import Answer, Evidence, Mode, Question, Route, ToolResult, Usage
from pipeline.understanding.own_words import own_words
from pipeline.understanding.parts import Piece, nameless, one_case, parts, pieces

_HEADING: Final = re.compile(r"^### (.+)$", re.MULTILINE)
T = TypeVar("T")
Numbers = Mapping[int, int]
"""A source's number in its part -> its number in the whole."""


async def parts_asked(question: Question, *, deps: Deps) -> tuple[str, ...]:
    """The message's questions, each of another source than the one before; none where it is one, where a model reads
    it, as a whole, or where it names its deal for a note of the whole answer."""
    own = own_words(question.text).text
    said = pieces(own)
    alone = "--deal" in own or deps.model_reader is not None or unreadable(question) is not None
    if len(said) < 2 or alone:
        return ()
    texts = (own, *said)
    whole, *read = await asyncio.gather(
        *(deps.reader.read(replace(question, text=text), ThreadState()) for text in texts)
    )
    pieces_read = [Piece(text, reading) for text, reading in zip(said, read, strict=True)]
    if one_case(whole, pieces_read):
        return ()
    whose = await client_of(own, deps.crm) if any(map(nameless, pieces_read)) else ""
    asked = parts(own, pieces_read, client=whose)
    return asked if asked != (own,) else ()


def joined(question: Question, told: Sequence[Answer]) -> Answer:
    """One answer; what could not be answered of a part is said in its place."""
    evidence, numbers = _evidence(told)
    answered = [part for part in told if part.citations]
    ledger = tuple(
        replace(entry, inputs=tuple(of[number] for number in entry.inputs))
        for part, of in zip(told, numbers, strict=True)
        for entry in part.evidence.ledger
    )
    cited = {
        of[citation.id]: replace(citation, id=of[citation.id])
        for part, of in zip(told, numbers, strict=True)
        for citation in part.citations
    }
    costs = [part.cost for part in told if part.cost is not None]
    return Answer(
        text=_text([_renumbered(part.text, of) for part, of in zip(told, numbers, strict=True)]),
        route=_route(question, [part.route for part in told]),
        citations=tuple(cited[number] for number in sorted(cited)),
        figures_checked=sum(part.figures_checked for part in told),
        sentences_dropped=sum(part.sentences_dropped for part in told),
        refused=not answered and all(part.refused for part in told),
        refusal=next((part.refusal for part in told if part.refusal), None) if not answered else None,
        degraded=_each(part.degraded for part in told),
        remarks=_each(part.remarks for part in told),
        deal_id=next((part.deal_id for part in told if part.deal_id), None),
        cost=total(*costs) if costs else Usage(model=""),
        seconds=sum(part.seconds for part in told),
        evidence=replace(evidence, ledger=ledger),
        steps=tuple(step for part in told for step in part.steps),
        memory=told[-1].memory,
        asked_back=next((part.asked_back for part in told if part.asked_back), None),
        links=_each(part.links for part in told),
        dropped=_each(part.dropped for part in told),
        replaced=_each(part.replaced for part in told),
        recomputed=tuple(
            replace(entry, inputs=tuple(of[number] for number in entry.inputs))
            for part, of in zip(told, numbers, strict=True)
            for entry in part.recomputed
        ),
    )


async def with_note(question: Question, told: Answer, *, deps: Deps) -> Answer:
    """With the note of it that is offered where the thread is tied to a deal."""
    if question.deal_id is None:
        return told
    text = signed(told.text, [(c.id, f"{c.title} - {c.url}".rstrip(" -")) for c in told.citations])
    sources = tuple(dict.fromkeys((c.title, c.url) for c in told.citations if c.url))
    unasked = {c.kind for c in told.citations} == {"crm"} or told.asked_back is not None
    proposed = await propose(
        question, told.route, text, crm=deps.crm, now=deps.now(), sources=sources, only_crm=unasked
    )
    remarks = tuple(dict.fromkeys((*told.remarks, *proposed.remarks)))
    return replace(told, actions=proposed.actions, remarks=remarks)


def _each(found: Iterable[tuple[T, ...]]) -> tuple[T, ...]:
    """All of them in order, each once."""
    told: list[T] = []
    for one in (one for several in found for one in several):
        told += [] if one in told else [one]
    return tuple(told)


def _evidence(told: Sequence[Answer]) -> tuple[Evidence, list[Numbers]]:
    """What all parts rest on, a passage that several found once, and each part's numbers in it."""
    passages: dict[str, Passage] = {}
    for part in told:
        for passage in part.evidence.passages:
            passages.setdefault(passage.id, passage)
    results = tuple(result for part in told for result in part.evidence.tool_results)
    whole = Evidence(tuple(passages.values()), results)
    at_passage = {item.id: number for number, item in whole.numbered() if isinstance(item, Passage)}
    at_result = {id(item): number for number, item in whole.numbered() if isinstance(item, ToolResult)}
    return whole, [
        {
            number: at_passage[item.id] if isinstance(item, Passage) else at_result[id(item)]
            for number, item in part.evidence.numbered()
        }
        for part in told
    ]


def _renumbered(text: str, of: Numbers) -> str:
    def marker(found: re.Match[str]) -> str:
        numbers = (int(number) for number in found[1].split(","))
        return f"[{', '.join(str(of.get(number, number)) for number in numbers)}]"

    return MARKER.sub(marker, text)


def _text(texts: Sequence[str]) -> str:
    """The opening of each in order, under one heading; then each section once, with what all of them put there."""
    opening: list[str] = []
    sections: dict[str, list[str]] = {}
    for text in texts:
        before, *rest = _HEADING.split(text)
        opening += [before.strip()] if before.strip() else []
        for name, body in zip(rest[::2], rest[1::2], strict=True):
            if name == IN_SHORT:
                opening.append(body.strip())
            elif body.strip():
                sections.setdefault(name, []).append(body.strip())
    told = [f"### {IN_SHORT}\n" + "\n\n".join(opening)]
    told += [f"### {name}\n" + "\n".join(dict.fromkeys(bodies)) for name, bodies in sections.items()]
    return "\n\n".join(told)


def _route(question: Question, routes: Sequence[Route]) -> Route:
    rules, tools = any("rag" in r.mode for r in routes), any("tools" in r.mode for r in routes)
    mode: Mode = "rag+tools" if rules and tools else "rag" if rules else "tools" if tools else "none"
    return Route(
        mode=mode,
        intent="ask",
        query=question.text,
        sub_queries=_each([(r.query, *r.sub_queries) for r in routes]),
        aspects=_each([r.aspects for r in routes]),
        communes=_each([r.communes for r in routes]),
        schemes=_each([r.schemes for r in routes]),
        tool_calls=tuple(call for r in routes for call in r.tool_calls),
        deal_id=next((r.deal_id for r in routes if r.deal_id), None),
        deal_name=next((r.deal_name for r in routes if r.deal_name), None),
        clarification=next((r.clarification for r in routes if r.clarification), None),
        choices=next((r.choices for r in routes if r.choices), ()),
        reasons=_each([r.reasons for r in routes]),
        intents=_each([r.intents for r in routes]),
        remarks=_each([r.remarks for r in routes]),
    )
