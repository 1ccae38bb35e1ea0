"""Which answers may be given again, to which question, and for how long.

One that depends on nobody: on no deal, no file, no thread, no name, no budget; whole, gated, cited. And only to the
same words in the same order (courtesy aside) that were understood the same way on the same day.
"""

import json
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Final

from corpus.types import is_built_in
from pipeline.ports import Deps
from pipeline.text.masking import mask
from pipeline.text.pseudonyms import known_in
from pipeline.text.sameness import words_said
from pipeline.thread_state import from_json
from pipeline.types import Answer, Question, Route, ToolCall, ToolResult, Usage
from pipeline.understanding.dates import PARIS

OWN: Final = frozenset({"calculator", "comparison", "facts", "status"})
"""Tools that ask nobody: what they say is as old as the code and its records."""
WEB_SECONDS: Final = 900.0
LIVE_SECONDS: Final = 3_600.0
"""At most, of what was read on the web and of what a service told."""
_NEWS: Final = "news:"


async def recalled(question: Question, route: Route, *, deps: Deps) -> tuple[str, Answer | None]:
    """(what it is kept by, the answer that was kept); "" for a question whose answer is its own."""
    said = said_of(question, route) if deps.cache is not None else ""
    if not said or deps.cache is None:
        return "", None
    said += json.dumps([deps.writer is deps.fallback, deps.model_reader is None, sorted(deps.missing)])
    found = await deps.cache.find(question, said)
    deps.telemetry.event("cache", outcome="miss" if found is None else "hit")
    return said, None if found is None else again(found.answer, found.made_at, now=deps.now())


async def kept(question: Question, said: str, answer: Answer, *, deps: Deps) -> Answer:
    """The answer as it is, kept where it may be."""
    if said and deps.cache is not None and is_anybodys(answer, deps.missing):
        await deps.cache.keep(question, said, answer, at_most=seconds_of(answer))
    return answer


def said_of(question: Question, route: Route) -> str:
    """What was asked and understood, on its day; "" where an answer depends on who asks, on what was said before, or on
    the case that it was asked in."""
    before = question.history or question.files or question.crm_closed or from_json(question.memory).frames
    before = before or question.case
    own = question.deal_id or question.usual_deal_id or route.deal_id or route.deal_name or route.actions
    crm = any(call.tool == "crm" for call in route.tool_calls)
    if before or own or crm or route.mode == "none" or _personal(question.text):
        return ""
    calls = [[call.tool, _arguments(call)] for call in route.tool_calls]
    understood = [route.mode, route.intent, route.intents[:1], route.aspects, route.communes, route.schemes, calls]
    day = question.asked_at.astimezone(PARIS).date().isoformat()
    form = (*question.usual_communes, *sorted(question.left_out))
    return json.dumps([words_said(question.text), understood, day, *form], default=str, ensure_ascii=False)


def is_anybodys(answer: Answer, missing: Collection[str]) -> bool:
    """Whole, cited, of public sources alone. `missing`: what is off for everybody, which spoils no answer."""
    if answer.refused or answer.asked_back or answer.actions or answer.deal_id or not answer.citations:
        return False
    if not set(answer.degraded) <= set(missing):
        return False
    public = all(is_built_in(p.document_id) or p.document_id.startswith(_NEWS) for p in answer.evidence.passages)
    return public and all(map(_is_whole, answer.evidence.tool_results))


def seconds_of(answer: Answer) -> float:
    """How long it may be given again at most, by the most fleeting of its sources."""
    tools = {result.call.tool for result in answer.evidence.tool_results} - OWN
    return WEB_SECONDS if "web" in tools else LIVE_SECONDS if tools else float("inf")


def again(answer: Answer, made_at: datetime, *, now: datetime) -> Answer:
    """As it was published, with its age, and at no cost."""
    minutes = max(0, int((now - made_at).total_seconds() // 60))
    age = f"il y a {minutes}\u202fmin" if minutes else "à l'instant"
    cost = answer.cost and Usage(answer.cost.model, euros=None if answer.cost.euros is None else 0.0)
    return replace(answer, remarks=(*answer.remarks, f"Réponse établie {age}."), cost=cost, seconds=0.0, steps=())


def _arguments(call: ToolCall) -> list[tuple[str, object]]:
    """Without how sure the reading was, which courtesy moves."""
    return sorted((name, value) for name, value in call.arguments.items() if name != "score")


def _is_whole(result: ToolResult) -> bool:
    alone = not (result.error or result.gaps or result.private or result.choices or result.persons or result.asks)
    return alone and all(map(_is_whole, result.also))


def _personal(text: str) -> bool:
    known = known_in([text], ())
    return mask(text) != text or bool(known.persons or known.typed or known.exact)
