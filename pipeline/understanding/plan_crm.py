"""A question to the CRM -> the arguments of its tool: which view, of which deals, tasks or contacts."""

import re
from datetime import date
from typing import Any, Final

from corpus.places import Gazetteer
from pipeline.reading import Reading
from pipeline.thread_state import Frame, ThreadState
from pipeline.types import ToolCall
from pipeline.understanding import cues
from pipeline.understanding.own_words import flat

STALE_DAYS: Final = 60
STALE: Final = re.compile(r"(\d{1,3}) ?(jours?|semaines?|mois)")
STAGE: Final = re.compile(
    r"\b(?:en|a l'etape|au stade|etape|stade|phase) (?:de |d'|du )?(?P<stage>[a-z' ]{4,30}?)(?=$|[?,.;]| sur| a | chez| et )"
)
ABOVE: Final = re.compile(r"(?:plus de|superieurs? a|au[- ]dela de|au[- ]dessus de|>)\s*$")
BELOW: Final = re.compile(r"(?:moins de|inferieurs? a|en[- ]dessous de|<)\s*$")
WORDS: Final = re.compile(
    r"\b(?:qui parlent? d[eu]|au sujet d[eu]|concernant|avec le mot|mentionn\w+) (?P<words>[\w' -]{3,40})"
)
CLOSING: Final = re.compile(r"closings?|sign\w+|cloture|echeance|ferment|aboutir")


def crm_call(
    reading: Reading, frame: Frame, state: ThreadState, *, deal_id: str | None, today: date, places: Gazetteer
) -> ToolCall:
    """The reading that the message asks for; `deal_id`: the thread's deal."""
    low = flat(reading.text)
    view = reading.crm.get("view") or cues.first("crm_view", low)
    name = " ".join(reading.deal_names[:1])
    number = reading.deal_id
    about = {"deal_id": number} if number else {"name": name} if name else {}
    thread = {"deal_id": deal_id} if deal_id else {"name": state.deal_name} if state.deal_name else {}
    if view == "tasks":
        return ToolCall(
            "crm", {"view": "tasks", **_tasks(low, reading, today), **(about or (thread if _of_thread(low) else {}))}
        )
    if view == "contacts":
        return ToolCall("crm", {"view": "contacts", **_contacts(about, thread, reading, places)})
    if about and view != "deals":
        return ToolCall("crm", {"view": "brief" if view == "brief" else "deal", **about})
    if view == "deals" or not thread or reading.communes:
        return ToolCall(
            "crm", {"view": "deals", **_deals(low, reading, today, places), **({"text": name} if name else {})}
        )
    return ToolCall("crm", {"view": "brief" if view == "brief" else "deal", **thread})


def _of_thread(low: str) -> bool:
    return (
        re.search(r"\b(?:dessus|ce dossier|ce client|lui|son dossier|sa tache|ses taches|du dossier|la-dessus)\b", low)
        is not None
    )


def _contacts(about: dict[str, str], thread: dict[str, str], reading: Reading, places: Gazetteer) -> dict[str, Any]:
    if about:
        return about
    if reading.communes and (place := places.get(reading.communes[0])):
        return {"commune": place.name}
    return thread


def _tasks(low: str, reading: Reading, today: date) -> dict[str, Any]:
    filters = {*cues.said("crm_filter", low), *reading.crm}
    found: dict[str, Any] = {}
    if "mine" in filters:
        found["owner"] = "me"
    if "late" in filters:
        found["late"] = True
    if reading.due and reading.due >= today:
        found["due_before"] = reading.due.isoformat()
    elif re.search(r"cette semaine|de la semaine", low):
        found["due_before"] = date.fromordinal(today.toordinal() + 6 - today.weekday()).isoformat()
    return found


def _deals(low: str, reading: Reading, today: date, places: Gazetteer) -> dict[str, Any]:
    filters = {*cues.said("crm_filter", low), *reading.crm}
    found: dict[str, Any] = {}
    if reading.communes and (place := places.get(reading.communes[0])):
        found["commune"] = place.name
    if "mine" in filters:
        found["owner"] = "me"
    if "closed" in filters:
        found["open"] = None
    if "stale" in filters:
        found["stale_days"] = _days(low)
    if "by_amount" in filters:
        found["sort"] = "amount"
    for quantity in reading.quantities:
        before = low[max(0, quantity.start - 20) : quantity.start]
        if quantity.value >= 1000 and quantity.unit in ("€", ""):
            found |= (
                {"min_amount": quantity.value}
                if ABOVE.search(before)
                else {"max_amount": quantity.value}
                if BELOW.search(before)
                else {}
            )
    if CLOSING.search(low):
        found |= _until(low, reading, today)
    if match := WORDS.search(low):
        found["text"] = match["words"].strip()
    if match := STAGE.search(low):
        found["stage"] = match["stage"].strip()
    return found


def _until(low: str, reading: Reading, today: date) -> dict[str, str]:
    """Which signatures are meant: this month's unless another day is said."""
    if reading.due and reading.due >= today:
        return {"closes_before": reading.due.isoformat(), "sort": "closedate"}
    if re.search(r"ce mois|du mois", low):
        first = today.replace(day=28).toordinal() + 4
        end = date.fromordinal(first).replace(day=1).toordinal() - 1
        return {"closes_before": date.fromordinal(end).isoformat(), "sort": "closedate"}
    if "semaine" in low:
        return {
            "closes_before": date.fromordinal(today.toordinal() + 6 - today.weekday()).isoformat(),
            "sort": "closedate",
        }
    return {"sort": "closedate"}


def _days(low: str) -> int:
    match = STALE.search(low)
    if match is None:
        return STALE_DAYS
    return int(match[1]) * (1 if match[2].startswith("jour") else 7 if match[2].startswith("sem") else 30)
