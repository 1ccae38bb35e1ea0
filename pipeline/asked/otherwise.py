"""What else may answer a message that would be refused or asked back about: the firm's own files, our own questions,
the deal that a client's name or the thread says."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from corpus.chunking import indexed_text
from corpus.errors import IndexUnavailable
from corpus.french import terms_in
from corpus.types import SHARED_TENANT, is_own_file
from pipeline.clients import client_of
from pipeline.planning.asking_back import unreadable
from pipeline.planning.fact_calls import of_rules, sized
from pipeline.planning.planner import plan
from pipeline.planning.setting import Setting
from pipeline.planning.standing import as_rule, told_already
from pipeline.ports import Deps
from pipeline.reading import WRITES
from pipeline.relevance.decision import may_answer
from pipeline.retrieval.retriever import LEAST_SCORE, Retrieval
from pipeline.retrieval.searching import search
from pipeline.talk.remembering import came_out
from pipeline.text.file_words import asked_of_a_file, without_asking
from pipeline.thread_state import ThreadState, from_json
from pipeline.toolbox import run_tools
from pipeline.types import Question, Route, ToolCall, ToolResult
from pipeline.understanding.cues import cue
from pipeline.understanding.own_words import flat, own_words
from pipeline.understanding.thread.dialogue import Task

SURELY_ASKED: Final = 0.8
"""Likelihood of a question to the CRM above which what the CRM tells may stand, in a thread or where
somebody is named."""
CRM: Final = "crm"
CRM_READ: Final = "crm_read"
MOST_OF_FILES: Final = 8
"""Passages of the thread's files that an answer rests on."""
FACTS: Final = "facts"
"""The tool of the dated records, which stand in our articles too."""
WANTED: Final = "wanted"
"""Which result of a calculation is asked for: « dont combien d'intérêts ? » changes no input."""


async def thread_deal_tells(question: Question, route: Route, state: ThreadState, *, deps: Deps) -> ToolResult | None:
    """What the deal that the thread is about says of a question that names no rule, town or person: « les vendeurs ont
    quel âge ? »; None unless one of its texts holds most of the question's words."""
    deal = question.deal_id or state.deal_id
    if deal is None or route.mode != "rag" or route.schemes or route.communes:
        return None
    return await _told(ToolCall(CRM, {"view": "deal", "deal_id": deal, "words": question.text, "sure": True}), deps)


async def a_deal_tells(
    question: Question, route: Route, results: Sequence[ToolResult], *, deps: Deps
) -> ToolResult | None:
    """What a deal says of a message that our articles do not answer: the one that it names, else, where no tool
    answers either, the one that was told of before."""
    told = await named_deal_tells(question, route, deps=deps)
    alone = all(result.error or result.call.tool == FACTS for result in results)
    return await last_deal_tells(question, deps=deps) if told is None and alone else told


async def last_deal_tells(question: Question, *, deps: Deps) -> ToolResult | None:
    """What the deal that was told of right before says of a message that nothing else answers: « il part en mutation
    quand ? »; None where none of its texts does."""
    before = from_json(question.memory)
    deal = question.deal_id or before.deal_id
    if deal is None or before.focus is None or before.focus.kind != CRM_READ:
        return None
    found = await _told(ToolCall(CRM, {"view": "deal", "deal_id": deal, "words": question.text}), deps)
    return found if found is not None and found.error is None else None


async def named_deal_tells(question: Question, route: Route, *, deps: Deps) -> ToolResult | None:
    """What the CRM says of a client whom a message names that nothing else answers (« Schmitt, il en pense quoi ? »),
    or of those whom it asks for by what was noted (« quels clients parlent d'amiante ? »)."""
    if route.mode != "rag" or route.communes:
        return None
    own = own_words(question.text).text
    if name := await client_of(own, deps.crm):
        return await _told(ToolCall(CRM, {"view": "deal", "name": name, "words": own}), deps)
    of_all = cue("bounds.of_clients").search(flat(own)) is not None
    return await _told(ToolCall(CRM, {"view": "deals", "words": own}), deps) if of_all else None


async def _told(call: ToolCall, deps: Deps) -> ToolResult | None:
    if deps.crm is None or CRM not in deps.tools:
        return None
    (found, *_) = await run_tools((call,), tools=deps.tools, telemetry=deps.telemetry)
    return None if found.outage or (found.error and call.arguments.get("sure")) else found


async def put_to_own_files(question: Question, route: Route, *, deps: Deps) -> tuple[Question, Route, Retrieval | None]:
    """Question and route, where the firm's own files answer it those by which they do; what was read of them."""
    if (told := await thread_files_tell(question, route, deps=deps)) is not None:
        return question, *told
    if route.mode == "none" and (alone := await own_files_hold(question, route, deps=deps)):
        return alone, replace(route, mode="rag", intent="ask", aspects=(), refusal=None, clarification=None), None
    return question, route, None


async def thread_files_tell(question: Question, route: Route, *, deps: Deps) -> tuple[Route, Retrieval] | None:
    """What the files that were added in the thread say of a message, and how it is then answered: those of their
    passages that hold all that it asks (« et la toiture ? »), or the files as they are where it asks what they say. A
    town or a scheme is asked of its own sources, unless a file is named."""
    rest = asked_of_a_file(question.text)
    if not question.files or route.actions or (rest is None and (route.communes or route.schemes)):
        return None
    asked = terms_in(without_asking(own_words(question.text).text) if rest is None else rest)
    if rest is None and not asked:
        return None
    team = next(tenant for tenant in question.tenants if tenant != SHARED_TENANT)
    try:
        held = [p for name in question.files for p in await deps.index.passages(name, tenant=team)]
    except IndexUnavailable:
        return None
    told = tuple(p for p in held if asked <= terms_in(indexed_text(p)))[:MOST_OF_FILES]
    alone = Route("rag", "ask", question.text)
    return (alone, Retrieval(told, (), enough=True)) if told else None


async def own_files_hold(question: Question, route: Route, *, deps: Deps) -> Question | None:
    """The question put to the firm's own files, where they answer what would be refused or asked back about: « le prix
    du lot A203 » names no commune, and stands in a price list. A team's files alone, else a file that leads."""
    unclear = route.intent in {"out_of_field", "clarify"} and not route.choices and not route.actions
    if not unclear or not route.query or unreadable(question) is not None:
        return None
    team = tuple(tenant for tenant in question.tenants if tenant != SHARED_TENANT)
    for tenants in filter(None, (team, question.tenants)):
        alone = replace(question, tenants=tenants)
        found = await search(alone, route, deps=deps)
        if found.enough and found.passages and is_own_file(found.passages[0].document_id):
            return alone
    return None


def as_rules_route(task: Task, setting: Setting) -> Route | None:
    """How a calculation would be answered as a question of rules, and a write or a question to the CRM that begins a
    subject."""
    frame = task.frame
    if frame is None or task.compared or task.unclear or task.reading.deal_id:
        return None
    if task.inherited or (frame.calculates and setting.state.frames):
        rule = as_rule(task, setting.state)
        return plan(rule, setting) if rule is not None else None
    bare = frame.calculates and not sized(task.reading)  # beside one's own amounts an article's example is no answer
    # To whom the CRM is closed is told so, and nothing instead.
    may = bare or (not setting.question.crm_closed and (frame.kind in WRITES or frame.kind == CRM_READ))
    return plan(of_rules(task), setting) if may else None


def that_answer(
    question: Question, results: Sequence[ToolResult], retrieval: Retrieval, task: Task | None
) -> tuple[ToolResult, ...]:
    """Those of the tools' results that may be told."""
    begun, mentioned = bool(from_json(question.memory).frames), question.mentioned
    begins = "" if begun else question.text
    named = begun or mentioned.clients or mentioned.colleagues
    asked = named and task is not None and task.reading.main == CRM_READ and task.reading.crm.likely >= SURELY_ASKED
    may = partial(
        may_answer,
        in_articles=retrieval.in_articles,
        unheld=retrieval.unheld.odds,
        begins=begins,
        known=bool(mentioned.surely or asked),
    )
    return tuple(filter(may, results))


def tells_again(task: Task | None, results: Sequence[ToolResult], state: ThreadState) -> bool:
    """Whether a message without any number turned a calculation of the thread, and nothing came of it that was not told
    before: « et des concubins, on additionne leurs biens ? » changes no fortune."""
    frame = task.frame if task is not None and task.inherited and not task.reading.quantities else None
    if frame is None or not frame.calculates or told_already(frame, state, but=WANTED):
        return False
    known = {(f.label, f.value) for held in state.frames if held.calculates for f in held.results}
    counted = [result for result in results if result.call.tool == "calculator" and not result.error]
    computed = [(f.label, f.value) for result in counted for f in came_out(result)]
    return bool(computed) and set(computed) <= known


async def rules_hold(question: Question, rules: Route, *, deps: Deps) -> Retrieval | None:
    """What our articles hold of a message that nothing else answers, where one of their questions is near: « exonéré
    sous quel prix de vente ? » lacks no price, « offre reçue mardi, signer vendredi ? » names no deal."""
    found = await search(question, rules, deps=deps)
    near = found.nearest is not None and found.nearest.score >= LEAST_SCORE
    return found if found.enough and near else None
