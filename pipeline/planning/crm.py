"""A question to the CRM -> the arguments of its tool: which view, of which deals, tasks or contacts. What only the CRM
can tell (colleagues, stages, names) is left to the tool, with the words of the message."""

import re
from dataclasses import replace
from datetime import date
from typing import Any, Final

from corpus.places import Gazetteer
from pipeline.planning.crm_filters import deal_filters
from pipeline.planning.periods import Period, find_period
from pipeline.planning.setting import Setting
from pipeline.reading import CRM_FIELDS, OF_LISTS, CrmAsked, Reading
from pipeline.text.asked_words import topics
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import ToolCall
from pipeline.understanding import cues
from pipeline.understanding.cues import cue, left
from pipeline.understanding.own_words import flat, questions_of
from pipeline.understanding.thread.picking import follows_list

NUMBER: Final = re.compile(
    r"(?<![\w.,/€><-])(?!(?:19|20)\d\d\b)(\d{4,15})(?![\w/]|[.,]\d| ?(?:€|%|k\b|m2|m²|euros?|eur\b)| \d{3}\b)"
)
LONGEST_NAME: Final = 4
"""Words that a name has at most, where it is all that is left of a message."""
MOST_TASKS: Final = 25
BRIEF, TEXT, CONTACTS, SEVERAL = "brief", "text", "contacts", "several"
MOST_BESIDE: Final = 3
BARE: Final = 3
"""Words of a message that says a deal's number or a name alone."""
PICKS: Final = re.compile(r"\b(?:l(?:e|a|es)quel(?:le)?s?|celui|celle|ceux|celles|eux deux|elles deux)\b")
"""Of several that were told of, some are meant."""
FEW: Final = 6
"""Words of a question that goes on with the deal before it."""

Arguments = dict[str, Any]


def crm_call(
    reading: Reading, frame: Frame, state: ThreadState, *, deal_id: str | None, today: date, places: Gazetteer
) -> ToolCall:
    """The call that the message asks for; `deal_id`: the thread's deal."""
    low, asked = flat(reading.text), reading.crm
    absent = cues.first("crm_absent", low)
    if absent == "agenda" and BRIEF in asked.fields:
        absent = None  # « prépare mon rdv Lefèvre » asks for no agenda
    view = "tasks" if absent == "agenda" else _view(reading, asked, low)
    if view == "compare" and (beside := _beside(reading, state)):
        largest = any(cue(f"crm_filter.{name}").search(low) for name in ("by_amount", "smallest"))
        asked = replace(asked, fields=asked.fields | {"amount"}) if largest else asked
        return _call("compare", beside, {"words": reading.text}, _fields(asked))
    about = _about(reading, low, view, told=view != CONTACTS and bool(deal_id or state.deal_name))
    thread = {"deal_id": deal_id} if deal_id else {"name": state.deal_name} if state.deal_name else {}
    thread = {**thread, "words": reading.text} if thread else {}
    told = absent if view not in ("deals", "tasks") or absent == "agenda" else None
    more: Arguments = {"absent": told} if told else {}
    of_tasks = state.listed.get("view") == "tasks" and not cue("orders.deals").search(low)
    if view in ("deals", "tasks") and of_tasks and follows_list(reading, state):
        kept = {n: v for n, v in state.listed.items() if n in ("late", "due_after", "due_before", "limit")}
        return _call("tasks", {**kept, **_tasks(reading, low, today), "words": reading.text}, more)
    if view == "deal" and asked.fields == {CONTACTS} and "name" in about and "dossier" not in low:
        view = CONTACTS  # « le numéro de Nadia Haddad »: hers alone
        about = {**about, "name": full_name(str(about["name"]), reading.text)}
    if view == "tasks":
        tasks = _tasks(reading, low, today)
        mine = cue("bounds.of_thread").search(low) or _of_told(reading, tasks, state)
        return _call("tasks", tasks, about or (thread if mine else {}), more)
    if view == CONTACTS:
        alone: Arguments = {"without_deals": True} if "no_deal" in asked.bounds else {}
        return _call("contacts", alone or _contacts(about or thread, reading, places), more)
    if state.client and not about and cue("bounds.of_their_client").search(low):
        return _call("deals", {"text": state.client, "open": None})
    listed = view == "deals" or (not about and (not thread or reading.communes))
    if listed or follows_list(reading, state):
        filters = deal_filters(reading, low, today=today, places=places, absent=told)
        single = _of_one(asked, filters) if view != "deals" else {}
        return _call("deals", _with_earlier({**filters, **single}, reading, state), more)
    brief = BRIEF in asked.fields or not _asks_more(reading.text, about) or _only_named(reading.text, about)
    whole: Arguments = {"alone": True} if BRIEF in asked.fields and cue("bounds.whole").search(low) else {}
    return _call("brief" if brief else "deal", about or thread, more, _fields(asked), whole)


def of_picked(reading: Reading, frame: Frame, setting: Setting, deal_id: str) -> ToolCall:
    """What the message asks of the deal that it picks; where it only picks one, what was asked before."""
    if frame.crm.get("view"):
        return ToolCall("crm", {"view": frame.crm["view"], "deal_id": deal_id})
    about = replace(reading, deal_id=deal_id)
    return crm_call(about, frame, setting.state, deal_id=deal_id, today=setting.today, places=setting.places)


def _view(reading: Reading, asked: CrmAsked, low: str) -> str:
    """As it was learned, but for what words surely say. A sum that could not be done is told with what it is on."""
    another = cue("bounds.another").search(flat(reading.text))
    pointed = reading.deal_id and another and asked.view == "deals"  # « elle a un autre dossier ? »: it is known which
    view = "deal" if asked.view == "sum" or pointed else asked.view
    words, absent = cues.first("crm_view", low), cues.first("crm_absent", low)
    if view == "tasks" and words != "tasks" and cue("orders.deals").search(low):
        return "deals"  # « le plus gros dossier en étude, lequel ? », after tasks
    if view in OF_LISTS and absent and absent != "agenda":
        return "deals" if words == "deals" else "deal"  # « qui est le notaire sur Rocher »
    named = bool(reading.deal_names) and {*map(flat, topics(reading.text))} == {*map(flat, reading.deal_names)}
    if view == "deals" and (named or NUMBER.search(low)) and len(low.split()) <= BARE:
        return "deal"
    return view or ("deal" if reading.deal_id or reading.deal_names else "deals")


def _beside(reading: Reading, state: ThreadState) -> Arguments:
    """The two or three that are compared: named, else the last ones that were told of."""
    said = (name for name in reading.deal_names if _is_name(name, reading.text))
    names = tuple(dict.fromkeys((*reading.clients, *said)))
    if len(names) > 1:
        return {"names": names}
    ids = tuple(deal for deal, _ in state.offered)
    return {"deal_ids": ids} if not names and 1 < len(ids) <= MOST_BESIDE else {}


def _fields(asked: CrmAsked) -> Arguments:
    """As the tool tells them; where a text of the deal alone can answer, that is said."""
    told = tuple(name for name in CRM_FIELDS if name in asked.fields - {BRIEF, TEXT})
    fields: Arguments = {"fields": told} if told not in ((), ("stage",)) else {}  # stages open anyhow
    return fields | ({"text_asked": True} if asked.fields == {TEXT} else {})


def _of_told(reading: Reading, tasks: Arguments, state: ThreadState) -> bool:
    """« et les tâches ? » right after one deal was told of, where nobody's and of no time are asked for."""
    right_behind = state.focus is not None and state.focus.kind == "crm_read"
    return right_behind and len(reading.text.split()) <= FEW and not {"owner", "late", "limit"} & tasks.keys()


def _of_one(asked: CrmAsked, filters: Arguments) -> Arguments:
    """« le studio de Montpellier est-il signé ? »: where one deal alone is found, it is told of, open or closed."""
    return {"one": True, **_fields(asked), **({} if "open" in filters else {"open": None})}


def _with_earlier(asked: Arguments, reading: Reading, state: ThreadState) -> Arguments:
    """« le plus gros ? », « et ceux de Camille ? »: the list shown before, with what is now said of it."""
    several = state.focus is not None and state.focus.crm.get("told") == SEVERAL
    shown = "before_shown" in reading.crm.bounds or (several and PICKS.search(flat(reading.text)) is not None)
    if shown and several:
        kept = {name: value for name, value in asked.items() if name != "words"}
        return {"open": None, **kept, "among": tuple(deal for deal, _ in state.offered)}
    if not (shown or follows_list(reading, state)) or state.listed.get("view", "tasks") == "tasks":
        return asked
    held = {name: value for name, value in state.listed.items() if name not in ("view", "top", "sort", "ignored")}
    words = " ".join(filter(None, (held.get("words", ""), asked.get("words", ""))))
    return {**held, **asked, **({"words": words} if words else {})}


def _call(view: str, *arguments: Arguments) -> ToolCall:
    return ToolCall("crm", {"view": view, **{name: value for some in arguments for name, value in some.items()}})


def _about(reading: Reading, low: str, view: str | None, *, told: bool) -> Arguments:
    """The deal that the message speaks of: its number, the name that was learned to be one, or what is left of a
    question about one deal or person. `told`: whether the thread has a deal, which « la banque a répondu quoi ? » is of
    rather than of somebody called « répondu »."""
    if reading.deal_id:
        pointed = reading.deal_id not in reading.text
        return {"deal_id": reading.deal_id, **({"words": reading.text} if pointed else {})}
    if named := next((name for name in reading.deal_names if _is_name(name, reading.text)), ""):
        said = full_name(named, reading.text) if view == "contacts" else named
        return {"name": said, "words": reading.text}
    if view in ("deals", "tasks"):
        return {}
    if number := NUMBER.search(low):
        return {"deal_id": number[1]}
    names = topics(left(reading.text, (), ("crm_view", "crm_absent")))
    asked = bool(reading.crm.fields & {BRIEF, CONTACTS} or view == CONTACTS or cues.first("crm_absent", low))
    places = {word for place in reading.places for word in flat(place.text).split()}
    asked = asked and (not told or any(name[:1].isupper() for name in names))
    if asked and names and len(names) <= LONGEST_NAME and not all(flat(word) in places for word in names):
        return {"name": " ".join(names), "words": reading.text}
    return {}


def _is_name(said: str, text: str) -> bool:
    """Not « signe » nor a « Prochaine » that begins the message: words of asking that were taken for somebody's."""
    return bool(topics(said)) or not (said.islower() or text.lstrip(' «"').startswith(said))


def full_name(said: str, text: str) -> str:
    """With the first name or the surname that stands beside it: « Samuel » of « Samuel Cohen »."""
    found = re.search(rf"((?:[A-ZÀ-Ý][\w'’-]+ )?){re.escape(said)}((?: [A-ZÀ-Ý][\w'’-]+)?)", text)
    if found is None:
        return said
    before, behind = (part if topics(part) else "" for part in found.groups())
    return f"{before}{said}{behind}".strip()


def _asks_more(text: str, about: Arguments) -> bool:
    """Whether anything but the deal is said: « dossier Petit » alone wants all of it, « montant de Petit » not."""
    name = {flat(word) for word in topics(str(about.get("name", "")))}
    if not about:
        return True
    others = [word for word in re.findall(r"[a-z]{3,}", flat(text)) if word not in name]
    return any(word not in ("dossier", "deal", "client", "fiche", "les", "des", "sur", "the") for word in others)


def _only_named(text: str, about: Arguments) -> bool:
    """« Lefèvre, la pharmacienne, pas les Lefebvre de Lille. »: which deal is meant, and nothing asked of it."""
    name = str(about.get("name", ""))
    return bool(name) and "?" not in text and text.lstrip(' «"').startswith(name)


def _contacts(about: Arguments, reading: Reading, places: Gazetteer) -> Arguments:
    if not about and reading.communes and (place := places.get(reading.communes[0])):
        return {"commune": place.name}
    return about


def _tasks(reading: Reading, low: str, today: date) -> Arguments:
    bounds = reading.crm.bounds
    found: Arguments = {}
    if "mine" in bounds and not reading.colleagues:
        found["owner"] = "me"
    if "late" in bounds:
        found["late"] = True
    period = find_period(questions_of(reading.text), today=today)
    if period is not None and "late" not in bounds:
        found |= _due(period, today)
    spans = [(period.start, period.end)] if period else []
    spans += [(place.start, place.end) for place in reading.places]
    words = left(reading.text, spans, ("crm_view", "crm_filter", "crm_absent"))
    return found | ({"words": words} if words else {})


def _due(period: Period, today: date) -> Arguments:
    """Today's tasks come with those that should have been done; those of any other time stand alone."""
    found: Arguments = {"limit": MOST_TASKS}
    if period.first and (period.first, period.last) != (today, today):
        found["due_after"] = period.first.isoformat()
    if period.last:
        found["due_before"] = period.last.isoformat()
    return found
