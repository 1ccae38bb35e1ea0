"""What the answer offers to write in the CRM: only what the user asked for, only on the deals that the user named."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pipeline.action_types import ActionRequest, ProposedAction
from pipeline.crm_types import Deal, DealChoice
from pipeline.errors import CrmUnavailable
from pipeline.ports import CrmReader
from pipeline.proposal_targets import Found, find_in_words, find_target
from pipeline.proposing.properties import UPDATABLE, cannot, change
from pipeline.proposing.proposed_actions import masked, note, owner_of, past_due, task
from pipeline.text.masking import mask
from pipeline.types import Question, Route
from pipeline.understanding.dates import PARIS, impossible_day, impossible_hour

NOT_CONNECTED = "HubSpot n'est pas connecté : aucune écriture n'est proposée."
ACTIONS_LIMIT = 3
TOO_MANY = f"Je propose au plus {ACTIONS_LIMIT} écritures à la fois ; redemandez-moi les suivantes."


@dataclass(frozen=True, slots=True)
class Proposed:
    """Actions that somebody may approve, French remarks on what could not be proposed, the deal that the user named,
    when the CRM knows it, and the deals that a name may mean, for buttons."""

    actions: tuple[ProposedAction, ...] = ()
    remarks: tuple[str, ...] = ()
    deal_id: str | None = None
    choices: tuple[DealChoice, ...] = ()


@dataclass(slots=True)
class _Proposing:
    """One message's requests, and what became of them so far."""

    crm: CrmReader
    question: Question
    route: Route
    last: str
    now: datetime
    sources: tuple[tuple[str, str], ...] = ()
    actions: list[ProposedAction] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    choices: list[DealChoice] = field(default_factory=list)
    found: dict[tuple[str | None, str | None], Found] = field(default_factory=dict)


async def propose(
    question: Question,
    route: Route,
    answer_text: str,
    *,
    crm: CrmReader | None,
    now: datetime,
    sources: tuple[tuple[str, str], ...] = (),
    only_crm: bool = False,
) -> Proposed:
    """What may be written: what the user asked for, else a note of an answer worth keeping on the thread's deal.

    The target is the deal that the request names, else the one the message names, else the thread's; text of
    passages, tools or CRM records never chooses it. A note holds the user's own words, `answer_text` (gated text,
    this answer's or the one spoken of, masked: a file may hold anybody's numbers), or both. `sources`: title and
    address of that answer's. `only_crm`: the answer cites nothing but the CRM, so that it is kept there on demand
    alone. Raises nothing.
    """
    keep = not only_crm and not route.actions and _worth_keeping(route, answer_text)
    wanted = route.actions or ((ActionRequest(kind="create_note"),) if keep else ())
    named = bool(route.deal_id or route.deal_name)
    if not wanted and not named:
        return Proposed()
    if crm is None:
        return Proposed(remarks=(NOT_CONNECTED,) if route.actions else ())
    last = mask(as_plain(answer_text))
    run = _Proposing(crm=crm, question=question, route=route, last=last, now=now, sources=sources)
    try:
        await _propose_all(run, wanted)
        deal_id = await _deal_named(run)
    except CrmUnavailable as error:
        return Proposed(remarks=(f"{error} : aucune écriture n'est proposée.",) if wanted else ())
    told = bool(route.actions) or named or question.deal_id is not None
    remarks = tuple(dict.fromkeys(run.remarks)) if wanted and told else ()
    choices = tuple(dict.fromkeys(run.choices)) if wanted else ()
    return Proposed(actions=tuple(run.actions), remarks=remarks, deal_id=deal_id, choices=choices)


async def _propose_all(run: _Proposing, wanted: Sequence[ActionRequest]) -> None:
    """What cannot be done is said in one sentence; it does not count among those offered."""
    vain = [request for request in wanted if not _possible(request)]
    possible = [request for request in wanted if _possible(request)]
    for request in possible[:ACTIONS_LIMIT]:
        await _propose_one(run, request)
    if vain:
        run.remarks.append(cannot([request.property for request in vain]))
    if len(possible) > ACTIONS_LIMIT:
        run.remarks.append(TOO_MANY)


def _possible(request: ActionRequest) -> bool:
    if request.kind == "update_property":
        return request.property in UPDATABLE
    return request.kind != "unsupported"


async def _propose_one(run: _Proposing, asked: ActionRequest) -> None:
    found = await _target(run, asked)
    if found.target is None:
        run.remarks += filter(None, (found.remark, past_due(asked, now=run.now)))
        run.choices += found.choices
    if never := _no_such_day(run, asked):
        run.remarks.append(never)
    if found.target is None or never:
        return
    request, remarks = masked(asked)
    run.remarks += remarks
    made: ProposedAction | str
    if request.kind == "create_note":
        made = note(request, found.target, last=run.last)
    elif request.kind == "create_task":
        made = task(request, found.target, last=run.last, owner=owner_of(found.deal), now=run.now)
    elif found.deal is None:
        made = f"« {found.target.name} » est un contact : je ne modifie que les dossiers, précisez lequel."
    else:
        made = await _update(run, request, found.deal)
    if isinstance(made, str):
        run.remarks.append(made)
    elif made not in run.actions:
        taken = run.last and made.fields.get("hs_note_body", "").endswith(run.last)
        run.actions.append(replace(made, sources=run.sources) if taken else made)


def _no_such_day(run: _Proposing, request: ActionRequest) -> str:
    """That a day or an hour which was asked for does not exist, whatever else is wrong; never another in its place."""
    if request.kind == "create_task" and not request.value and (hour := impossible_hour(run.question.text)):
        return f"{hour} n'est pas une heure : donnez-en une autre."
    dates = (request.kind == "create_task" and request.due is None) or request.property == "closedate"
    day = (impossible_day(request.value) or impossible_day(run.question.text)) if dates else ""
    return f"Le {day} n'existe pas : donnez une autre date." if day else ""


async def _target(run: _Proposing, request: ActionRequest) -> Found:
    """The request's own deal, else the message's, else the thread's, each looked for once; else the one that the
    message or the text of a note or task names in passing."""
    own = (request.deal_id, request.deal_name)
    key = own if any(own) else (run.route.deal_id, run.route.deal_name)
    thread = run.question.deal_id or run.question.usual_deal_id
    if not any(key) and not thread:
        said = run.question.text
        return await find_in_words(said, said if request.kind == "update_property" else request.body, crm=run.crm)
    if key not in run.found:
        run.found[key] = await find_target(*key, thread_deal=thread, crm=run.crm, message=_words(run))
    return run.found[key]


def _words(run: _Proposing) -> str:
    """The message without the texts to be written: they speak of the client, not of which deal is meant."""
    said = run.question.text
    for request in run.route.actions:
        said = re.sub(re.escape(request.body), " ", said, flags=re.IGNORECASE) if request.body else said
    return said


async def _deal_named(run: _Proposing) -> str | None:
    """The deal of the message, else the only one that its requests name, so that the thread may be tied to it."""
    if run.route.deal_id or run.route.deal_name:
        found = await _target(run, ActionRequest(kind="create_note"))
        return found.deal.id if found.deal else None
    named = {found.deal.id for key, found in run.found.items() if any(key) and found.deal}
    return named.pop() if len(named) == 1 else None


async def _update(run: _Proposing, request: ActionRequest, deal: Deal) -> ProposedAction | str:
    today = run.now.astimezone(PARIS).date()
    changed = await change(deal, request.property, request.value, crm=run.crm, today=today)
    run.remarks += changed.remarks
    return changed.action


def _worth_keeping(route: Route, answer_text: str) -> bool:
    """An answer of at least two sentences, its list of sources apart, that is more than a reading of the CRM."""
    if route.mode == "none" or route.refusal or route.intent not in ("ask", "deepen"):
        return False
    if route.mode == "tools" and all(call.tool == "crm" for call in route.tool_calls):
        return False
    return len(re.findall(r"[.!?…](?:\s*\[\d+\])*(?=\s|$)", answer_text.split("\nSources :")[0])) >= 2


def as_plain(markdown: str) -> str:
    """Markdown of an answer as plain lines: headings as titles, no emphasis, `[n]` markers kept."""
    lines: list[str] = []
    for line in markdown.splitlines():
        heading = re.match(r"#{1,6}\s+(.*)", line)
        text = f"{heading[1].rstrip(' :#')} :" if heading else line.rstrip()
        lines.append(re.sub(r"(\*\*|__)(.+?)\1", r"\2", text))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
