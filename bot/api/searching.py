"""A search of the corpus for a program: the same ranking, tenants and floor as an answer's."""

from dataclasses import asdict
from datetime import date
from typing import Any

from bot.api.parts import Api
from bot.api.tool_shapes import SearchRequest
from bot.store.keys import Key
from corpus.types import SHARED_TENANT, Passage, is_own_file
from pipeline.retrieval.retriever import retrieve
from pipeline.types import Question, Route


async def found(api: Api, key: Key, asked: SearchRequest) -> dict[str, Any]:
    """Passages of the shared corpus and of its team's files that were added for the whole team."""
    tenants = (SHARED_TENANT, key.team_id) if key.visitor.reads_files else (SHARED_TENANT,)
    question = Question(text=asked.query, asked_by=key.user_id, asked_at=api.deps.now(), tenants=tenants)
    deps = api.deps
    retrieval = await retrieve(
        Route(mode="rag", intent="ask", query=asked.query),
        question,
        index=deps.index,
        embedder=deps.embedder,
        bank=deps.bank,
        local=deps.local,
        reranker=deps.reranker,
        limit=asked.limit,
    )
    return {
        "passages": [_passage(passage) for passage in retrieval.passages],
        "enough": retrieval.enough,
        "degraded": list(retrieval.degraded),
    }


def _passage(passage: Passage) -> dict[str, Any]:
    kept = asdict(passage)
    dates = {name: _iso(kept[name]) for name in ("published", "effective_from", "effective_to")}
    told = {name: kept[name] for name in ("title", "text", "url")}
    return {**told, **dates, "heading": list(passage.heading), "own_file": is_own_file(passage.document_id)}


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
