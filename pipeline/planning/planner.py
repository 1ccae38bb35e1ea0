"""`plan(task) -> Route`: tools with their arguments, searches, writes, or what to ask back. Code alone decides here,
from what a reader understood of the user's own words."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from corpus.places import Place
from pipeline.action_types import ActionKind, ActionRequest
from pipeline.planning import sentences
from pipeline.planning.asking_back import asked_back, bare, in_parts, unsure
from pipeline.planning.calculation import alternative_calls, beside_earlier
from pipeline.planning.comparing import comparison, places_of, with_median
from pipeline.planning.crm import crm_call, of_picked
from pipeline.planning.fact_calls import as_rules, beside_inputs, fact_calls
from pipeline.planning.not_held import said_beside, said_instead, with_missing
from pipeline.planning.place_calls import MOST_CALLS, About, place_calls, sales_call
from pipeline.planning.search import ASPECT_OF, standalone, sub_queries
from pipeline.planning.setting import Setting
from pipeline.planning.web_calls import search_calls
from pipeline.reading import IN_FRENCH, PLACE_INTENTS, SURE_UNSAFE, WRITES, Reading, published
from pipeline.schemes import aspects_of, having, schemes
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import Mode, Route, ToolCall
from pipeline.understanding import cues
from pipeline.understanding.cues import cue
from pipeline.understanding.named_calculations import KINDS
from pipeline.understanding.own_words import flat
from pipeline.understanding.thread.dialogue import Task
from pipeline.understanding.thread.frames import complete

SURE_OUT: Final = 0.6
"""Out of the field is only said from here on: a wrong search costs less than a wrong refusal."""
TWO: Final = 2
"""Question marks from which a message asks several things."""
PROJECT: Final = ("loyers", "risques", "zonage")
"""What a purchase to let depends on in its place, besides prices."""


def plan(task: Task, setting: Setting) -> Route:
    """How the message will be answered. Deterministic, never raises."""
    task = as_rules(task, setting)
    reading = task.reading
    if task.unclear:
        asked = sentences.NOT_SHOWN if reading.main == "crm_read" else sentences.WHICH_CHANGE
        return Route("none", "clarify", reading.text, clarification=asked, intents=published(reading.names))
    route = _with_writes(_main(task, setting), reading, task, setting.state)
    return replace(route, intents=published(reading.names) or ("rules",), reasons=_reasons(route, task))


def _main(task: Task, setting: Setting) -> Route:
    reading, frame = task.reading, task.frame
    scores = dict(reading.intents)
    text = reading.text
    if scores.get("unsafe", 0.0) >= SURE_UNSAFE and reading.main == "unsafe":
        return Route("none", "unsafe", text, refusal=sentences.unsafe(flat(text)))
    if back := bare(reading, setting):
        return back
    if _never_done(reading):
        return Route("none", "crm_write", text)
    if cue("asked.today").search(flat(text)):
        return Route("none", "clarify", text, clarification=sentences.today(setting.question.asked_at))
    if frame is not None and (instead := said_instead(reading, frame)) is not None:
        return instead
    if reading.main in ("smalltalk", "capabilities", "recall", "complaint") and not reading.has(*WRITES):
        return Route("none", reading.main, text)
    sure_out = reading.main == "out_of_field" and reading.confidence >= SURE_OUT
    if sure_out and not reading.schemes and not reading.places:
        return Route("none", "out_of_field", text, refusal=sentences.OUT_OF_FIELD)
    if frame is not None and (back := unsure(reading, frame, setting)):
        return back
    if frame is None or (frame.kind in WRITES and not task.compared):
        return Route("none", "crm_write", text)
    if task.compared:
        return comparison(task, setting.places)
    if frame.calculates:
        return _calculation(task, frame, setting)
    if frame.kind == "crm_read":
        return _crm(task, frame, setting)
    return _looked_up(task, frame, setting)


def _calculation(task: Task, frame: Frame, setting: Setting) -> Route:
    """The calculator, with rules beside it where a scheme or a second question asks for them."""
    call, *others_calls = (with_median(c, frame, setting) for c in alternative_calls(frame, task.reading))
    call = beside_earlier(call, frame, setting.state.focus) if task.inherited and not others_calls else call
    call = ToolCall(call.tool, {**call.arguments, "line": task.line}) if task.line else call
    named = bool(KINDS & frame.options)
    counted = bool(task.reading.quantities) and complete(frame.slots, frame.kind)
    one = counted and task.reading.text.count("?") < TWO  # its own numbers, one thing asked: no article opens it
    beside = task.reading.has("rules") and task.reading.main != "rules" and not (one and task.inherited)
    found = places_of(frame, setting.places)
    others = tuple(s for s in frame.schemes if s not in having("facet") | having("regime") and not one)
    calls: tuple[ToolCall, ...] = (call, *others_calls, *beside_inputs(task, frame, setting))
    if frame.communes and task.reading.has(*PLACE_INTENTS):
        calls = (*calls, *_live_calls(task, frame, found, setting))
    aspects = (ASPECT_OF[frame.kind],)
    if named or (not beside and not others and not task.deepens):
        return Route("tools", "ask", frame.query, (), aspects, frame.communes, frame.schemes, calls[:MOST_CALLS])
    query = standalone(task.reading.text, frame.schemes, found, inherited=task.inherited)
    queries = sub_queries(query, aspects, frame.schemes, found, deepen=task.deepens)
    return Route(
        "rag+tools", "deepen" if task.deepens else "ask", query, queries, aspects, frame.communes, frame.schemes, calls
    )


def _crm(task: Task, frame: Frame, setting: Setting) -> Route:
    if not setting.crm_available:
        return _without_crm(task, frame, setting)
    deal = setting.question.deal_id or setting.state.deal_id or setting.question.usual_deal_id
    if picked := frame.crm.get("deal_id"):
        call = of_picked(task.reading, frame, setting, str(picked))
        return Route("tools", "ask", frame.query, (frame.query,), tool_calls=(call,))
    call = crm_call(task.reading, frame, setting.state, deal_id=deal, today=setting.today, places=setting.places)
    if call.arguments.get("owner") == "me" and setting.question.asker_email:
        call = ToolCall("crm", {**call.arguments, "asker_email": setting.question.asker_email})
    found = places_of(frame, setting.places)
    if task.reading.has(*PLACE_INTENTS) and found:
        calls = (call, *_live_calls(task, frame, found, setting))
        return Route(
            "tools", "ask", frame.query, (), _aspects(task, frame), frame.communes, frame.schemes, calls[:MOST_CALLS]
        )
    if task.reading.has("rules"):
        queries = sub_queries(frame.query, _aspects(task, frame), frame.schemes, found)
        return Route(
            "rag+tools", "ask", frame.query, queries, _aspects(task, frame), frame.communes, frame.schemes, (call,)
        )
    return Route("tools", "ask", frame.query, (frame.query,), tool_calls=(call,))


def _without_crm(task: Task, frame: Frame, setting: Setting) -> Route:
    """What else is asked for than the deal, with why that is not read; a sentence alone where nothing else is."""
    found = places_of(frame, setting.places)
    calls = _live_calls(task, frame, found, setting) if task.reading.has(*PLACE_INTENTS) and found else ()
    rules = task.reading.has("rules")
    if not calls and not rules:
        return Route("none", "clarify", frame.query, clarification=sentences.NO_CRM)
    aspects = _aspects(task, frame)
    queries = sub_queries(frame.query, aspects, frame.schemes, found) if rules else ()
    mode: Mode = "rag+tools" if rules and calls else "rag" if rules else "tools"
    told = Route(mode, "ask", frame.query, queries, aspects, frame.communes, frame.schemes, calls[:MOST_CALLS])
    return replace(told, remarks=(sentences.NO_CRM,))


def _looked_up(task: Task, frame: Frame, setting: Setting) -> Route:
    """Rules, prices and whatever a place has: searched, and asked of its services."""
    task, frame = with_missing(task, frame)
    found = places_of(frame, setting.places)
    aspects = _aspects(task, frame)
    if back := asked_back(task.reading, frame, found, aspects, setting):
        return back
    query = standalone(frame.query, frame.schemes, found, inherited=task.inherited)
    calls = _live_calls(task, frame, found, setting)
    place = found[0] if len(found) == 1 else None
    searches = search_calls(task.reading.text, query=query, place=place, data="datasets" in task.reading.names)
    calls = (*fact_calls(task, frame, setting, query=query), *searches, *calls)[:MOST_CALLS]
    alone = task.inherited and not task.deepens and query != task.reading.text
    more = (*task.reading.queries, *((task.reading.text,) if alone else ()))
    queries = sub_queries(query, aspects, frame.schemes, found, deepen=task.deepens, more=more)
    return Route(
        _mode(task, frame, calls, aspects),
        "deepen" if task.deepens else "ask",
        query,
        queries,
        aspects,
        frame.communes,
        frame.schemes,
        calls,
        remarks=(*said_beside(task.reading, frame, calls), *_parts_missing(frame, found, setting)),
    )


def _parts_missing(frame: Frame, found: Sequence[Place], setting: Setting) -> tuple[str, ...]:
    """Of a city among other towns: their prices are told, its own wait for the arrondissement."""
    cities = in_parts(found, setting) if frame.kind == "prices" else ()
    return tuple(sentences.which_part(city, setting.places) for city in cities)


def _mode(task: Task, frame: Frame, calls: tuple[ToolCall, ...], aspects: Sequence[str]) -> Mode:
    live = {call.tool for call in calls} - {"facts"}  # on record here, like the articles
    if not live:
        return "rag"
    only_prices = live == {"sales"} and set(aspects) <= {"prix"}
    rules = task.reading.has("rules") or set(frame.schemes) - having("priceless")
    return "tools" if only_prices and not rules else "rag+tools"


def _aspects(task: Task, frame: Frame) -> tuple[str, ...]:
    """The sides of the subject: what the message is for, then what its schemes belong to."""
    kinds = (frame.kind, *task.reading.names)
    said = tuple(ASPECT_OF[kind] for kind in kinds if kind in ASPECT_OF)
    more = PROJECT if _is_project(task, frame) else ()
    return tuple(dict.fromkeys((*said, *aspects_of(frame.schemes), *more)))


def _is_project(task: Task, frame: Frame) -> bool:
    """Whether somebody means to buy and let in a named place and asks for no single thing: all that counts there."""
    bare = not set(frame.schemes) - having("priceless")
    return bool(frame.communes and "investissement-locatif" in frame.schemes and bare and len(task.reading.names) == 1)


def _live_calls(task: Task, frame: Frame, found: Sequence[Place], setting: Setting) -> tuple[ToolCall, ...]:
    home = frame.dwelling
    project = _is_project(task, frame)
    # What the thread's place has was told: one more question about a rule asks of it what it names itself.
    asked_on = task.inherited and frame.kind == "rules" and not task.reading.communes
    wants_prices = frame.kind == "prices" or task.reading.has("prices") or project
    whole = in_parts(found, setting)
    sales = tuple(sales_call(place, home) for place in found if place not in whole) if wants_prices else ()
    schemes = (*frame.schemes, "encadrement-loyers") if project else frame.schemes
    schemes = task.reading.schemes if asked_on else schemes
    about = About(
        wanted={frame.kind, *task.reading.names, *(("rents",) if project else ())},
        aspects=set(_aspects(task, frame)),
        schemes=set(schemes),
        kind=home.kind,
        rooms=home.rooms,
        low=flat(task.reading.text),
        address=frame.address,
    )
    local = place_calls(found, about)
    return (*sales, *local)[:MOST_CALLS]


def _with_writes(route: Route, reading: Reading, task: Task, state: ThreadState) -> Route:
    """The writes asked for, what is never done, and the deal that was named: in a list a name may be a colleague's."""
    writes = (
        task.frame.writes
        if task.frame is not None and (task.frame.writes or task.frame.kind in WRITES)
        else reading.writes
    )
    refused = tuple(ActionRequest("unsupported", property=name) for name in _never_done(reading))
    if refused:
        vain = {INSTEAD[request.property] for request in refused if request.property in INSTEAD}
        low = flat(reading.text)
        asked = {*cues.said("write", low), "update_property"}  # each by its own word
        never = {request.property for request in refused}
        kept = (r for r in writes if (r.body or r.value) and r.property not in never)
        writes = tuple(r for r in kept if r.kind in asked - vain)
    actions = tuple(_on_thread_deal(a, state) for a in (*writes, *refused))
    if route.refusal or (route.intent in ("smalltalk", "recall", "capabilities", "complaint") and not actions):
        return route
    number = reading.deal_id
    listed = any(call.tool == "crm" and call.arguments.get("view") in ("deals", "tasks") for call in route.tool_calls)
    name = reading.deal_names[0] if reading.deal_names and not number and (actions or not listed) else None
    own = next(((a.deal_id, a.deal_name) for a in actions if a.deal_id or a.deal_name), (None, None))
    return replace(route, actions=actions, deal_id=number or own[0], deal_name=name or own[1])


INSTEAD: Final[dict[str, ActionKind]] = {
    "complete_task": "create_task",
    "bulk": "update_property",
    "hubspot_owner_id": "update_property",
}
"""A wish that cannot be met, and the write that its words were taken for."""
NEAR: Final = 34
"""Characters of a message in which an order begins."""


ALWAYS: Final = frozenset({"delete", "merge", "bulk", "create_contact", "create_deal", "complete_task"})
"""Never meant otherwise, in the middle of a calculation either: « mets le montant à 200 000 » may be a loan's."""


def _never_done(reading: Reading) -> tuple[str, ...]:
    """What is ordered and never done from a thread, whatever else the message was read as: « supprime toutes les
    tâches ». What begins inside of a dictated text is no order."""
    low = flat(reading.text)
    writes = reading.has(*WRITES)
    found_at = [(low.find(flat(r.body)), len(r.body)) for r in reading.writes if r.body]
    bodies = [(at, at + long) for at, long in found_at if at >= 0 and cue("orders.verb").search(low[:at])]
    found = []
    for name, pattern in cues.patterns("cannot").items():
        starts = [m.start() for m in pattern.finditer(low) if not any(s <= m.start() < e for s, e in bodies)]
        if starts and (writes or (starts[0] <= NEAR and "?" not in low and ":" not in low[: starts[0]])):
            found.append(name)
    return tuple(n for n in found if writes or n in ALWAYS or reading.main in ("crm_read", "rules", "smalltalk"))


def _on_thread_deal(request: ActionRequest, state: ThreadState) -> ActionRequest:
    """A write that names no deal is about the one last spoken of."""
    if request.deal_id or request.deal_name or not state.deal_id:
        return request
    return replace(request, deal_id=state.deal_id)


def _reasons(route: Route, task: Task) -> tuple[str, ...]:
    """Why the message was answered this way, in French, for the record and for `ask`."""
    reading = task.reading
    read = ", ".join(f"{IN_FRENCH[name]} ({score * 100:.0f}\u00a0%)" for name, score in reading.intents[:3])
    told = [f"lu comme : {read}, {'par un modèle' if reading.reader == 'model' else 'sans modèle'}"]
    if task.inherited:
        told.append("suite du fil : sujet ou valeurs repris de l'échange précédent")
    if task.carried:
        told.append(f"repris du fil : {', '.join(task.carried)}")
    if route.schemes:
        told.append("sujet : " + ", ".join(schemes()[name].short for name in route.schemes[:3]))
    return tuple(told)
