"""The full record of an answer, as JSON: what was asked of whom, what it rests on, what was checked."""

import hashlib
import json
from dataclasses import asdict
from typing import Any

from bot.pictures.choosing import charts_of
from corpus.types import Passage
from pipeline.llm.view import prompt_version
from pipeline.types import Answer, Computed, Route, ToolCall


def record_of(answer: Answer) -> dict[str, Any]:
    """Route, citations, evidence by id and hash, checks, remarks and times; enough to show the answer again."""
    route = answer.route
    return {
        "route": _route(route),
        "citations": [
            {
                "id": c.id,
                "kind": c.kind,
                "title": c.title,
                "url": c.url,
                "quote": c.quote,
                "as_of": c.as_of.isoformat() if c.as_of else None,
            }
            for c in answer.citations
        ],
        "evidence": [
            {
                "id": number,
                "source": _source(item),
                "title": item.title,
                "sha256": hashlib.sha256(item.text.encode()).hexdigest(),
            }
            for number, item in answer.evidence.numbered()
        ],
        "choices": [{"insee": c.insee, "label": c.label, "question": c.question} for c in route.choices],
        "charts": charts_of(answer),
        "ledger": [_computed(entry) for entry in answer.evidence.ledger],
        "recomputed": [_computed(entry) for entry in answer.recomputed],
        "dropped": [{"sentence": sentence, "reason": reason} for sentence, reason in answer.dropped],
        "replaced": [{"sentence": said, "by": by, "reason": reason} for said, by, reason in answer.replaced],
        "prompt": prompt_version("synthesizer"),
        "cost": asdict(answer.cost) if answer.cost else None,
        "links": list(answer.links),
        "remarks": list(answer.remarks),
        "figures_checked": answer.figures_checked,
        "sentences_dropped": answer.sentences_dropped,
        "refusal": answer.refusal,
        "degraded": list(answer.degraded),
        "steps": {step.name: round(step.seconds, 4) for step in answer.steps},
    }


def _route(route: Route) -> dict[str, Any]:
    return {
        "mode": route.mode,
        "intent": route.intent,
        "aspects": list(route.aspects),
        "query": route.query,
        "sub_queries": list(route.sub_queries),
        "intents": list(route.intents),
        "tools": [call.tool for call in route.tool_calls],
        "calls": [{"tool": call.tool, "arguments": _arguments(call)} for call in route.tool_calls],
        "reasons": list(route.reasons),
    }


def _computed(entry: Computed) -> dict[str, Any]:
    figure = entry.figure
    return {"label": figure.label, "value": figure.value, "unit": figure.unit, "formula": entry.formula}


def _arguments(call: ToolCall) -> dict[str, Any]:
    """As JSON, without who asked: their address is the CRM's key, not part of the plan."""
    told = {name: value for name, value in call.arguments.items() if name != "asker_email" and value not in (None, "")}
    plain: dict[str, Any] = json.loads(json.dumps(told, default=str))
    return plain


def _source(item: Any) -> str:
    return f"passage:{item.id}" if isinstance(item, Passage) else f"tool:{item.call.tool}"
