"""Searches of one answer: its question, the question without the story around it, what a model's draft misses."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from corpus.errors import IndexUnavailable
from corpus.types import Filters
from pipeline.planning.search import rewritten
from pipeline.ports import Deps
from pipeline.retrieval.retriever import Retrieval, retrieve
from pipeline.types import Brief, Evidence, Question, Route

MOST_FURTHER: Final = 2
"""Searches of a model's own choice, a draft."""
FURTHER_EACH: Final = 3
"""Passages that each of them may add."""
LEADING, RELATED = 3, 2
"""Passages whose entities lead on, and those that may be added for them."""


async def search(question: Question, route: Route, *, deps: Deps) -> Retrieval:
    """What the corpus holds of it."""
    with deps.telemetry.stage("retrieve") as tell:
        found = await retrieve(
            route,
            question,
            index=deps.index,
            embedder=deps.embedder,
            bank=deps.bank,
            local=deps.local,
            reranker=deps.reranker,
        )
        tell(passages=len(found.passages), enough=found.enough, degraded=bool(found.degraded))
        return found


async def searched_again(question: Question, route: Route, first: Retrieval, *, deps: Deps) -> tuple[Route, Retrieval]:
    """One more search where the first found too little: for what the message asks, without the story around it, or of a
    told case with what it leans on. The same floor decides, so that a second try publishes nothing that a first one
    would not."""
    again = _otherwise(question, route) if "rag" in route.mode else None
    if again is None:
        return route, first
    second = await search(question, again, deps=deps)
    return (again, second) if second.enough else (route, first)


def _otherwise(question: Question, route: Route) -> Route | None:
    if not question.case:
        return rewritten(route)
    asked, *before = question.case
    query = " ".join((*before, asked))
    return replace(
        route, query=query, sub_queries=(query,), reasons=(*route.reasons, f"recherche reformulée : {query}")
    )


async def further(missing: Sequence[str], brief: Brief, *, deps: Deps) -> Evidence | None:
    """The brief's evidence with what the corpus holds of the first things that a draft says no source tells; None where
    that is nothing new. The same floor decides as for a question."""
    if "rag" not in brief.route.mode:
        return None
    held = list(brief.evidence.passages)
    for words in missing[:MOST_FURTHER]:
        found = await search(brief.question, replace(brief.route, query=words, sub_queries=()), deps=deps)
        known = {passage.text for passage in held}
        fresh = [passage for passage in found.passages if passage.text not in known]
        held += fresh[:FURTHER_EACH] if found.enough else []
    if len(held) == len(brief.evidence.passages):
        return None
    return Evidence(tuple(held), brief.evidence.tool_results).with_ledger()


async def related(brief: Brief, *, deps: Deps) -> Evidence:
    """The brief's evidence with what lies two hops away: the leading passages name other schemes than the question did,
    and the corpus holds more about these in the question's words. The same where there is none or the index is away."""
    held = brief.evidence.passages
    about = {entity for passage in held[:LEADING] for entity in passage.entities} - set(brief.route.schemes)
    if not about or "rag" not in brief.route.mode:
        return brief.evidence
    asked = brief.question
    filters = Filters(audiences=asked.audience, entities=frozenset(about))
    limit = len(held) + RELATED
    try:
        found = await deps.index.search(
            brief.route.query, vector=None, tenants=asked.tenants, filters=filters, limit=limit
        )
    except IndexUnavailable:
        return brief.evidence
    known = {passage.text for passage in held}
    fresh = [passage for passage in found if passage.text not in known][:RELATED]
    return Evidence((*held, *fresh), brief.evidence.tool_results).with_ledger() if fresh else brief.evidence
