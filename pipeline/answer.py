"""The whole flow on one screen: question -> reading -> route -> evidence -> draft -> gate -> answer ->
proposed actions."""

import asyncio
from dataclasses import dataclass, replace
from functools import partial

from corpus.types import SHARED_TENANT
from pipeline.asked.deal_amount import with_deals_amount
from pipeline.asked.in_parts import joined, parts_asked, with_note
from pipeline.asked.otherwise import (
    a_deal_tells,
    as_rules_route,
    put_to_own_files,
    rules_hold,
    tells_again,
    that_answer,
    thread_deal_tells,
)
from pipeline.asked.recognising import recognised
from pipeline.asked.told_cases import as_asked, with_rule
from pipeline.caching import kept, recalled
from pipeline.clients import with_names
from pipeline.grounding import TWICE, formulas
from pipeline.metering.costs import total
from pipeline.metering.purse import Purse
from pipeline.metering.stopwatch import Stopwatch
from pipeline.planning.asking_back import unreadable
from pipeline.planning.choices import deals_offered
from pipeline.planning.fact_calls import as_rules
from pipeline.planning.planner import plan
from pipeline.planning.said_back import taken_over
from pipeline.planning.setting import Setting
from pipeline.planning.standing import task_of
from pipeline.planning.web_calls import fallback_call
from pipeline.ports import Deps, Report, Show
from pipeline.proposing.proposer import propose
from pipeline.proposing.quoted_orders import quoted_orders
from pipeline.relevance.decision import UNHELD
from pipeline.relevance.unheld import NOT_READ
from pipeline.retrieval.retriever import LEAST_SCORE, Retrieval, asked_for
from pipeline.retrieval.searching import search, searched_again
from pipeline.side_by_side import side_by_side
from pipeline.steps import ON_THE_WEB, gathering, writing
from pipeline.talk.deal_town import in_known_place
from pipeline.talk.remembering import after_evidence, with_cited, with_figures, with_offer
from pipeline.talk.restating import asked_of_answer
from pipeline.talk.thread_talk import last_answer, nearest, proposing, signed, spoken
from pipeline.thread_state import ThreadState, from_json, to_json
from pipeline.toolbox import failures, run_tools
from pipeline.trust import told_closed, without_crm, without_deals
from pipeline.types import Answer, Evidence, Grounded, Question, Route, ToolResult, Usage
from pipeline.understanding.thread.dialogue import Task, remembered
from pipeline.writing.drafting import write

FEW_WORDS = 8
"""Of a question that may find more when it says more."""
NOTHING_STANDS = "Aucune phrase de la réponse n'a pu être rattachée à une source vérifiée : je préfère ne rien publier."


@dataclass(slots=True)
class Understood:
    """A message and what will be done for it. `searched`: a search that began before a model had read it;
    `said`: what its answer may be kept by, `kept`: the one that was; `rules`: its route if it asked for rules."""

    task: Task | None
    route: Route
    state: ThreadState
    cost: Usage
    searched: asyncio.Task[Retrieval] | None = None
    said: str = ""
    rules: Route | None = None
    kept: Answer | None = None


async def answer(question: Question, *, deps: Deps, report: Report, show: Show | None = None) -> Answer:
    """Never raises for an expected outcome: a refusal, a failed source and a missing part are values. `show`: given
    what has passed the gate while the rest is being written."""
    if not (reason := question.crm_closed):
        return await _part_by_part(question, deps=deps, report=report, show=show)
    closed = without_crm(deps, reason)
    told = await _part_by_part(without_deals(question), deps=closed, report=report, show=show)
    return told_closed(told, reason)


async def _part_by_part(question: Question, *, deps: Deps, report: Report, show: Show | None) -> Answer:
    """Each thing that a message asks of another source, as a turn of its own."""
    told: list[Answer] = []
    question = await with_names(question, deps=deps)
    question, figures = await as_asked(question, deps=deps)
    for text in await with_rule(question, deps=deps) or await parts_asked(question, deps=deps):
        part = replace(question, text=text, memory=told[-1].memory if told else question.memory)
        told.append(await _answer(part, deps=deps, report=report, show=None))
    if any(part.citations for part in told):
        return await with_note(question, joined(question, told), deps=deps)
    return with_figures(await _answer(question, deps=deps, report=report, show=show), figures)


async def _answer(question: Question, *, deps: Deps, report: Report, show: Show | None) -> Answer:
    watch, purse = Stopwatch(deps.telemetry), Purse(question.allowance)
    question, taken = await with_deals_amount(question, deps=deps)
    with watch.step("read"):
        understood = await _understood(question, deps=deps if purse.affords else replace(deps, model_reader=None))
    if understood.kept is not None:
        return watch.stop(understood.kept)
    purse.pay(understood.cost)
    question, route, in_files = await put_to_own_files(question, understood.route, deps=deps)
    rules = understood.rules
    if route.mode == "none":
        said = await _from_thread(question, route, understood, deps=deps, watch=watch)
        helps = said.actions or said.route.choices
        if helps or rules is None or await rules_hold(question, rules, deps=deps) is None:
            return said
        route = rules

    report(gathering(route))
    with watch.step("evidence"):
        gathered = (route, in_files, ()) if in_files else None
        route, retrieval, results = gathered or await _gathered(question, route, understood, deps=deps, report=report)
    results = that_answer(question, results, retrieval, understood.task)
    results = (*results, *side_by_side(results, question.text))
    evidence = Evidence(passages=retrieval.passages if retrieval.enough else (), tool_results=results).with_ledger()
    degraded = (*deps.missing, *retrieval.degraded, *failures(results))
    memory = after_evidence(understood.task, understood.state, results)
    found = Answer("", route, evidence=evidence, degraded=degraded, memory=memory, cost=understood.cost)
    found = replace(found, remarks=(*taken_over(understood.task), *route.remarks, *filter(None, (taken,))))
    if not evidence.numbered():
        return watch.stop(await _nothing_found(question, found, retrieval, deps=deps))

    report(writing(len(evidence.numbered())))
    with watch.step("draft"):
        written = await write(question, route, evidence, deps=deps, show=show, purse=purse, report=report)
    spent = total(written.usage, understood.cost)
    found = replace(found, evidence=written.evidence, degraded=(*degraded, *written.degraded), cost=spent)
    if not written.grounded.sentences_kept:
        told = replace(found, dropped=written.grounded.dropped, replaced=written.grounded.replaced)
        return watch.stop(replace(told, text=NOTHING_STANDS, refused=True, refusal=NOTHING_STANDS))
    whole = watch.stop(await _with_actions(question, found, written.grounded, deps=deps))
    return await kept(question, understood.said, whole, deps=deps)


async def _understood(question: Question, *, deps: Deps) -> Understood:
    """What the message asks for. The offline reader always reads; where a model reads too, a search for what the
    offline reader understood runs beside it."""
    state = from_json(question.memory)
    if (back := unreadable(question) or (None if deps.model_reader else asked_of_answer(question))) is not None:
        return Understood(None, back, state, Usage(model=""))
    setting = Setting(question, state, deps.places, crm_available=deps.crm is not None)
    own, bank = deps.own_embedder, deps.bank
    reading = await deps.reader.read(question, state)
    known = replace(setting, recognised=await recognised(reading, setting, embedder=own, bank=bank))
    where = partial(in_known_place, question=question, state=state, crm=deps.crm, places=deps.places)
    task, from_deal = await where(task_of(reading, state))
    task = as_rules(task, known)  # and the thread remembers it so
    route = _also_said(plan(task, known), from_deal)
    said, earlier = await recalled(question, route, deps=deps)
    of = partial(Understood, said=said, rules=as_rules_route(task, setting))
    if earlier is not None or deps.model_reader is None or not deps.model_reader.worth_asking(reading):
        return of(task, route, remembered(state, task), Usage(model=""), kept=earlier)
    searched = asyncio.create_task(search(question, route, deps=deps)) if "rag" in route.mode else None
    better = await deps.model_reader.read(question, state, draft=reading)
    if better.reading is reading:
        return of(task, route, remembered(state, task), better.cost, searched)
    task, from_deal = await where(task_of(better.reading, state))
    again = _also_said(plan(task, setting), from_deal)
    if searched is not None and (again.query, again.sub_queries) != (route.query, route.sub_queries):
        searched.cancel()
        searched = None
    return of(task, again, remembered(state, task), better.cost, searched, rules=as_rules_route(task, setting))


def _also_said(route: Route, sentence: str) -> Route:
    return replace(route, remarks=(sentence, *route.remarks)) if sentence else route


async def _gathered(
    question: Question, route: Route, understood: Understood, *, deps: Deps, report: Report
) -> tuple[Route, Retrieval, tuple[ToolResult, ...]]:
    """What the corpus and the tools have; where that is nothing, what else may answer."""
    of_deal, retrieval, results = await asyncio.gather(
        thread_deal_tells(question, route, understood.state, deps=deps),
        _retrieve(question, route, understood, deps=deps),
        run_tools(route.tool_calls, tools=deps.tools, telemetry=deps.telemetry),
    )
    if of_deal is None and not retrieval.enough:
        of_deal = await a_deal_tells(question, route, results, deps=deps)
    if of_deal is not None:
        route = replace(route, mode="tools", sub_queries=(), tool_calls=(of_deal.call,))
        return route, replace(retrieval, passages=(), in_articles=None, unheld=NOT_READ), (of_deal,)
    rules, nothing = understood.rules, not retrieval.enough and all(r.error and not r.choices for r in results)
    nothing = nothing or tells_again(understood.task, results, understood.state)
    if nothing and rules is not None and (held := await rules_hold(question, rules, deps=deps)) is not None:
        records = await run_tools(rules.tool_calls, tools=deps.tools, telemetry=deps.telemetry)
        return rules, held, (*records, *(r for r in results if r.asks))
    if not retrieval.enough:
        route, retrieval = await searched_again(question, route, retrieval, deps=deps)
    if not retrieval.enough:
        unheld = retrieval.unheld.odds > UNHELD
        route, results = (route, results) if unheld else await _on_the_web(route, results, deps=deps, report=report)
    return route, retrieval, results


async def _retrieve(question: Question, route: Route, understood: Understood, *, deps: Deps) -> Retrieval:
    if route.mode == "tools":
        shared = deps.bank if SHARED_TENANT in question.tenants else None
        return await asked_for(route, embedder=deps.own_embedder, bank=shared)
    if understood.searched is not None and route is understood.route:
        return await understood.searched
    return await search(question, route, deps=deps)


async def _on_the_web(
    route: Route, results: tuple[ToolResult, ...], *, deps: Deps, report: Report
) -> tuple[Route, tuple[ToolResult, ...]]:
    """Official pages where the corpus has too little, before refusing; never for what was asked of the CRM."""
    call = fallback_call(route)
    if call is None or call.tool not in deps.tools or any(result.private for result in results):
        return route, results
    report(ON_THE_WEB)
    found = await run_tools((call,), tools=deps.tools, telemetry=deps.telemetry)
    if any(result.error is None for result in found):
        route = replace(route, tool_calls=(*route.tool_calls, call))
    return route, (*results, *found)


async def _with_actions(question: Question, found: Answer, grounded: Grounded, *, deps: Deps) -> Answer:
    """The gated text with the writes it was asked for, and what is asked back beside it."""
    only_crm = {citation.kind for citation in grounded.citations} == {"crm"}
    text = signed(grounded.text, [(c.id, f"{c.title} - {c.url}".rstrip(" -")) for c in grounded.citations])
    orders = quoted_orders(found.evidence, {citation.id for citation in grounded.citations})
    asks = next((r.asks for r in found.evidence.tool_results if r.asks), None)
    unasked = only_crm or asks is not None  # what is still asked for is not worth keeping
    cited = tuple(dict.fromkeys((c.title, c.url) for c in grounded.citations if c.url))
    proposed = await propose(question, found.route, text, crm=deps.crm, now=deps.now(), sources=cited, only_crm=unasked)
    route = replace(found.route, choices=found.route.choices or deals_offered(proposed.choices, question))
    return replace(
        found,
        memory=with_offer(with_cited(found.memory, grounded.text, found.evidence), proposed),
        text=f"{grounded.text}\n\n{asks}" if asks else grounded.text,
        route=route,
        asked_back=asks,
        citations=grounded.citations,
        figures_checked=grounded.figures_checked,
        sentences_dropped=sum(reason != TWICE for _, reason in grounded.dropped),
        dropped=grounded.dropped,
        replaced=grounded.replaced,
        recomputed=grounded.computed,
        actions=proposed.actions,
        evidence=replace(found.evidence, ledger=(*found.evidence.ledger, *grounded.computed)),
        remarks=(*found.remarks, *formulas(grounded.computed), *orders, *proposed.remarks),
        deal_id=proposed.deal_id,
    )


async def _from_thread(
    question: Question, route: Route, understood: Understood, *, deps: Deps, watch: Stopwatch
) -> Answer:
    """Small talk, questions about the conversation, refusals, and a bare CRM write: no search at all."""
    memory = to_json(understood.state)
    text, citations = spoken(question, route, understood.state)
    said = Answer(text, route, citations, memory=memory, asked_back=route.clarification, cost=understood.cost)
    if route.refusal is not None:
        said = replace(said, refused=True, refusal=route.refusal)
    if route.actions:
        with watch.step("propose"):
            last, cited = last_answer(question.history)
            proposed = await propose(question, route, last, crm=deps.crm, now=deps.now(), sources=cited)
        route = replace(route, choices=route.choices or deals_offered(proposed.choices, question))
        text, remarks = proposing(said.text, proposed.actions, proposed.remarks)
        said = replace(said, text=text, remarks=remarks, route=route, memory=with_offer(memory, proposed))
        asked = text if proposed.choices and not proposed.actions else said.asked_back
        said = replace(said, actions=proposed.actions, deal_id=proposed.deal_id, asked_back=asked)
    return watch.stop(said)


async def _nothing_found(question: Question, found: Answer, retrieval: Retrieval, *, deps: Deps) -> Answer:
    """Never a dead end: the input that a calculation needs, the deals that a name may mean, or what comes nearest."""
    results, route = found.evidence.tool_results, found.route
    asks = next((result.asks for result in results if result.asks), None)
    choices = deals_offered(tuple(choice for result in results for choice in result.choices), question)
    if asks or choices:
        text = asks or " ".join(dict.fromkeys(result.error or "" for result in results))
        degraded = tuple(gap for gap in found.degraded if gap not in text)  # a question back is no failure
        told = replace(found, text=text, asked_back=text, degraded=degraded, route=replace(route, choices=choices))
    else:
        vague = not route.schemes and not route.communes and len(question.text.split()) <= FEW_WORDS
        near = retrieval.nearest.entry.passage if retrieval.nearest and retrieval.nearest.score >= LEAST_SCORE else None
        not_held = retrieval.unheld.said if retrieval.unheld.odds > UNHELD else ""
        text = nearest(
            results, retrieval.passages, called=bool(route.tool_calls), failed=retrieval.degraded, vague=vague,
            not_held=not_held, entry=near, places=bool(route.communes),
        )  # fmt: skip
        seen = (*retrieval.passages, *((near,) if near else ()))
        told = replace(found, text=text, links=tuple(dict.fromkeys(p.url for p in seen if p.url)))
    if not route.actions:
        return told
    last, cited = last_answer(question.history)
    proposed = await propose(question, route, last, crm=deps.crm, now=deps.now(), sources=cited)
    return replace(told, actions=proposed.actions, remarks=proposed.remarks, deal_id=proposed.deal_id)
