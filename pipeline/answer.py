"""The whole flow on one screen: question -> route -> evidence -> draft -> gate -> answer -> proposed actions."""

import asyncio
from dataclasses import replace

from corpus.types import SHARED_TENANT, is_own_file
from pipeline.costs import total
from pipeline.grounding import ground
from pipeline.ports import Deps, Report
from pipeline.proposer import propose
from pipeline.retriever import Retrieval, retrieve
from pipeline.router import refine
from pipeline.router import route as route_by_rules
from pipeline.routing.searching import fallback_call
from pipeline.routing.sentences import LONGEST
from pipeline.stopwatch import Stopwatch
from pipeline.synthesizer import sections_for, synthesize
from pipeline.thread_talk import talk
from pipeline.toolbox import run_tools
from pipeline.types import Answer, Brief, Draft, Evidence, Grounded, Question, Route, ToolResult, Usage

NOTHING_FOUND = "Je n'ai rien trouvé d'assez proche dans le corpus pour répondre sans inventer."
NOTHING_STANDS = "Aucune phrase de la réponse n'a pu être rattachée à une source vérifiée : je préfère ne rien publier."


async def answer(question: Question, *, deps: Deps, report: Report) -> Answer:
    """Never raises for an expected outcome: a refusal, a failed source and a missing part are values."""
    watch = Stopwatch()
    reading = Usage(model="")
    with watch.step("route"):
        route = route_by_rules(question, places=deps.places, crm_available=deps.crm is not None)
        if deps.model is not None and (route.mode != "none" or route.intent == "out_of_field"):
            route, reading = await refine(route, question, model=deps.model, places=deps.places)
    if route.mode == "none" and (alone := await _own_files_answer(question, route, deps=deps)):
        route = replace(route, mode="rag", intent="ask", aspects=(), refusal=None, clarification=None)
        question = alone
    if route.mode == "none":
        return await _from_thread(question, route, deps=deps, watch=watch)

    report("Je consulte le corpus et les données de marché")
    with watch.step("evidence"):
        retrieval, results = await asyncio.gather(
            _retrieve(question, route, deps=deps), run_tools(route.tool_calls, tools=deps.tools)
        )
        if not retrieval.enough:
            route, results = await _on_the_web(route, results, deps=deps, report=report)
    evidence = Evidence(passages=retrieval.passages if retrieval.enough else (), tool_results=results).with_ledger()
    degraded = (*deps.missing, *retrieval.degraded, *_missing(results))
    found = Answer(text="", route=route, evidence=evidence, degraded=degraded)
    if not evidence.numbered():
        return watch.stop(_refused(found, _why_nothing(route, evidence)))

    report(f"J'ai {len(evidence.numbered())} sources, je rédige")
    with watch.step("draft"):
        draft, grounded = await _write(question, route, evidence, deps=deps)
    found = replace(found, degraded=(*degraded, *draft.degraded), cost=total(draft.usage, reading))
    if not grounded.sentences_kept:
        return watch.stop(_refused(found, NOTHING_STANDS))
    with watch.step("propose"):
        only_crm = {citation.kind for citation in grounded.citations} == {"crm"}
        proposed = await propose(
            question, route, _with_sources(grounded), crm=deps.crm, now=deps.now(), only_crm=only_crm
        )
    return watch.stop(
        replace(
            found,
            text=grounded.text,
            citations=grounded.citations,
            figures_checked=grounded.figures_checked,
            sentences_dropped=len(grounded.dropped),
            actions=proposed.actions,
            remarks=proposed.remarks,
            deal_id=proposed.deal_id,
        )
    )


async def _own_files_answer(question: Question, route: Route, *, deps: Deps) -> Question | None:
    """The question put to the firm's own files, where they answer what the rules would refuse or ask back about: « le
    prix du lot A203 » names no commune, and stands in a price list. A team's files alone, else a file that leads."""
    unclear = route.intent in {"out_of_field", "clarify"} and not route.choices and not route.actions
    if not unclear or not route.query or len(question.text) > LONGEST:
        return None
    team = tuple(tenant for tenant in question.tenants if tenant != SHARED_TENANT)
    for tenants in filter(None, (team, question.tenants)):
        alone = replace(question, tenants=tenants)
        found = await retrieve(route, alone, index=deps.index, embedder=deps.embedder)
        if found.enough and found.passages and is_own_file(found.passages[0].document_id):
            return alone
    return None


def _missing(results: tuple[ToolResult, ...]) -> tuple[str, ...]:
    """What failed, also on the way to a result that stands; each said once."""
    return tuple(dict.fromkeys(said for r in results for said in (*r.gaps, *((r.error,) if r.error else ()))))


async def _on_the_web(
    route: Route, results: tuple[ToolResult, ...], *, deps: Deps, report: Report
) -> tuple[Route, tuple[ToolResult, ...]]:
    """Official pages where the corpus has too little, before refusing; the route alone says what is looked for."""
    call = fallback_call(route)
    if call is None or call.tool not in deps.tools:
        return route, results
    report("Le corpus ne suffit pas : je cherche sur les sites officiels")
    found = await run_tools((call,), tools=deps.tools)
    if any(result.error is None for result in found):
        route = replace(route, tool_calls=(*route.tool_calls, call))
    return route, (*results, *found)


async def _retrieve(question: Question, route: Route, *, deps: Deps) -> Retrieval:
    if route.mode == "tools":
        return Retrieval(passages=(), degraded=(), enough=False)
    return await retrieve(route, question, index=deps.index, embedder=deps.embedder, reranker=deps.reranker)


async def _write(question: Question, route: Route, evidence: Evidence, *, deps: Deps) -> tuple[Draft, Grounded]:
    """A draft and its gate; one bounded rewrite when sentences fell and a model can mend them."""
    brief = Brief(question=question, route=route, evidence=evidence, sections=sections_for(route, evidence))
    draft = await synthesize(brief, writer=deps.writer, fallback=deps.fallback)
    grounded = ground(draft, evidence, sections=brief.sections)
    if not grounded.dropped or deps.writer is deps.fallback or draft.degraded:
        return draft, grounded
    objections = tuple(f"{sentence} -> {reason}" for sentence, reason in grounded.dropped)
    second = await synthesize(replace(brief, objections=objections), writer=deps.writer, fallback=deps.fallback)
    regrounded = ground(second, evidence, sections=brief.sections)
    spent = total(second.usage, draft.usage)
    if regrounded.sentences_kept >= grounded.sentences_kept:
        return replace(second, usage=spent), regrounded
    return replace(draft, usage=spent), grounded


async def _from_thread(question: Question, route: Route, *, deps: Deps, watch: Stopwatch) -> Answer:
    """Small talk, questions about the conversation, refusals, and a bare CRM write: no search at all."""
    said = Answer(text=talk(question, route), route=route)
    if route.refusal is not None:
        said = replace(said, refused=True, refusal=route.refusal)
    if route.actions or route.intent == "crm_write":
        with watch.step("propose"):
            proposed = await propose(question, route, _last_answer(question), crm=deps.crm, now=deps.now())
        said = replace(said, actions=proposed.actions, remarks=proposed.remarks, deal_id=proposed.deal_id)
    return watch.stop(said)


def _why_nothing(route: Route, evidence: Evidence) -> str:
    """What the tools that were asked for said; else that the corpus has nothing, and what the web said after it."""
    said = dict.fromkeys(result.error or "" for result in evidence.failures)
    return " ".join(said if route.tool_calls else (NOTHING_FOUND, *said)) or NOTHING_FOUND


def _refused(found: Answer, reason: str) -> Answer:
    return replace(found, text=reason, refused=True, refusal=reason)


def _with_sources(grounded: Grounded) -> str:
    """The gated text and the list of its sources: what a note has to hold to make sense in the CRM."""
    return _signed(grounded.text, [(c.id, f"{c.title} - {c.url}".rstrip(" -")) for c in grounded.citations])


def _last_answer(question: Question) -> str:
    for turn in reversed(question.history):
        if turn.author == "assistant" and turn.sources:
            return _signed(turn.text, list(turn.sources))
    return ""


def _signed(text: str, sources: list[tuple[int, str]]) -> str:
    """Passages of one page share its line."""
    numbers: dict[str, list[str]] = {}
    for number, source in sources:
        numbers.setdefault(source, []).append(f"[{number}]")
    lines = [f"{' '.join(ids)} {source}" for source, ids in numbers.items()]
    return "\n".join((text, "", "Sources :", *lines)) if lines else text
